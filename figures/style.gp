# style.gp: one look for every figure.
#
# A figure script sets `width` and `height` in centimetres and loads this file. The caller defines
#   data    the folder of the experiment's tables
#   out     the file to write
#   format  pdf (for the paper) or svg (for the web)
# Colours are those of Okabe and Ito, which the colour-blind can tell apart; each goes with its own dash pattern and
# point shape, so that a figure survives a grey printer. One colour means one thing in all figures:
#   1 black    the truth: encoded or data-generating
#   2 blue     posterior samples; the analytic mapping
#   3 red      MAP samples; the learned releases (vermillion)
#   4 green    pooled learning; the fixed exponent
#   5 orange   subtractive adjustment
#   6 purple   the unadjusted target
#   7 sky      rescaling
#   8 grey     context, guides
# and `contrast`, a dark grey, draws what a figure argues against: the printed root, simpler releases.

if (!exists("width"))  width  = 17.0
if (!exists("height")) height = 7.0
if (!exists("format")) format = "pdf"

# pdfcairo takes a point to be 1/96 inch, hence the scale: 9 is nine points on paper.
if (format eq "pdf") {
  set terminal pdfcairo enhanced color size width cm, height cm font "Latin Modern Roman,9" fontscale 0.75 linewidth 1.25 rounded transparent
} else {
  set terminal svg enhanced size width * 46, height * 46 font "Latin Modern Roman,Georgia,serif,13" linewidth 1.1 rounded dynamic background rgb "white"
}
set output out
set encoding utf8
set datafile separator tab
set datafile commentschars "#"
set datafile missing "nan"

# Colours and marks.
black = "#000000"; blue = "#0072B2"; red = "#D55E00"; green = "#009E73"
orange = "#E69F00"; purple = "#CC79A7"; sky = "#56B4E9"; grey = "#999999"; contrast = "#555555"
set linetype 1 lc rgb black  lw 1.6 dt 1             pt 7  ps 0.45
set linetype 2 lc rgb blue   lw 1.6 dt 1             pt 5  ps 0.45
set linetype 3 lc rgb red    lw 1.6 dt (8, 4)        pt 9  ps 0.55
set linetype 4 lc rgb green  lw 1.6 dt (12, 4, 3, 4) pt 13 ps 0.60
set linetype 5 lc rgb orange lw 1.6 dt (3, 3)        pt 11 ps 0.55
set linetype 6 lc rgb purple lw 1.6 dt (14, 4)       pt 15 ps 0.55
set linetype 7 lc rgb sky    lw 1.6 dt (6, 3, 2, 3, 2, 3) pt 3 ps 0.50
set linetype 8 lc rgb grey   lw 1.0 dt 1             pt 1  ps 0.40
set linetype cycle 8

# Axes: left and bottom only, ticks outward, a faint grid for reading values off.
set border 3 lw 0.8 lc rgb "#333333"
set tics nomirror out scale 0.5
set format "%h"
set minussign
set xtics offset 0, 0.45
set ytics offset 0.5, 0
set xlabel offset 0, 0.75
set ylabel offset 0.8, 0
set grid lw 0.4 lc rgb "#E3E3E3" dt 1
set key noautotitle samplen 2.2 spacing 1.05 height 0.2
set style fill solid 0.25 noborder
set style data lines
set errorbars 0.4 lw 0.9 dt solid
set pointintervalbox 0.01   # no white halo behind the points of error bars

# Symbols, from the mathematical companion of the text font: `m_psi` and so on inside labels.
math(s) = '{/"Latin Modern Math" ' . s . '}'
m_psi = math("𝜓"); m_phi = math("𝜙"); m_Phi = math("Φ"); m_sigma = math("𝜎"); m_lambda = math("𝜆"); m_gamma = math("𝛾"); m_epsilon = math("𝜀")
m_q = math("𝑞"); m_w = math("𝑤"); m_x = math("𝑥"); m_y = math("𝑦"); m_n = math("𝑛"); m_p = math("𝑝"); m_i = math("𝑖"); m_k = math("𝑘")
m_A = math("𝐴"); m_B = math("𝐵"); m_Q = math("𝑄"); m_W = math("𝑊"); m_N = math("𝑁"); m_z = math("𝑧")

# Bold panel letters: `@panel` needs a letter first, as in  letter = "a"; @panel
letter_size = format eq "pdf" ? 11 : 16
# A smaller font for labels inside a plot: `font small`.
small = format eq "pdf" ? ",7" : ",10"
panel = 'set label 99 "{/:Bold ".letter."}" at graph 0, graph 1 offset -4.2, 0.7 font sprintf(",%d", letter_size) front'

# The grey maps of the release matrices: lighter is higher, as in the original.
set palette gray
