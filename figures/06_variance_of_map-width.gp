# 06_variance_of_map-width: standard error of the MAP by dropout over that of the Beta model, against the width of the
# kernels H with which the whole activity is decoded, one line for each input; at the sides the readouts by the winner
# and by the population mean. Grey: within a tenth of 1. Bars: two standard errors. [fig:simresults] [eq:decode]
# alt: Two panels of a ratio against the width of kernels, from 0.05 to 1, five lines of red points each, with a grey
# band at 1. At the smallest width all lines start near 0.4. e, printed: all five lie in the band at 0.5 and 0.7, and the
# first leaves it again below at 1; the mean is far below. f, corrected: all five are in the band from 0.5 on, and the
# mean is on 1.
width = 17; height = 6.5
load 'figures/style.gp'
set datafile missing NaN   # a line goes on past the rows of other inputs

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
widths = data.'/map_widths.tsv'; sides = data.'/map_errors.tsv'
winner = 0.026; average = 1.8

ratio(x) = strcol("reading") eq reading && column("x") == x ? column("ratio") : NaN
side(readout, x) = strcol("readout") eq readout && strcol("root") eq root && strcol("beta") eq beta && column("x") == x \
  ? column("mean") / column("beta_mean") : NaN

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.175
set logscale x
set xrange [0.022:2.3]; set yrange [0:1.2]
set ytics 0, 0.2
set xtics ("winner" winner, "  0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.3" 0.3, "0.5" 0.5, "1" 1, "mean" average)
set xlabel "Width of the kernels H"
set object 1 rectangle from graph 0, first 0.9 to graph 1, first 1.1 fc rgb "#E8E8E8" fs solid noborder behind
array at = [-4, -2, 0, 2, 4]
array mark = [4, 6, 8, 10, 12]

@left; letter = "e"; @panel
title_text = "as printed: printed ".m_Phi.", Beta(".m_A." + 1, ".m_B." + 1)"; @heading
set ylabel "Dropout over Beta" offset 1.3, 0
reading = "printed"; root = "printed"; beta = "AB+1"
plot for [k = 1:5] widths using "width":(ratio(at[k])):(2 * column("ratio_se")) with yerrorlines lc rgb red dt k pt mark[k] ps 0.6, \
     for [k = 1:5] sides using (winner):(side("winner", at[k])) with points lc rgb red pt mark[k] ps 0.6, \
     for [k = 1:5] sides using (average):(side("mean", at[k])) with points lc rgb red pt mark[k] ps 0.6

@right; letter = "f"; @panel
title_text = "corrected: exact ".m_Phi.", Beta(".m_A.", ".m_B.")"; @heading
set ylabel ""
set key at graph 0.99, 0.03 right bottom Left reverse
reading = "corrected"; root = "exact"; beta = "AB"
plot for [k = 1:5] widths using "width":(ratio(at[k])):(2 * column("ratio_se")) with yerrorlines lc rgb red dt k pt mark[k] ps 0.6 \
       title m_x." = ".(at[k] < 0 ? "−" : "").sprintf("%d", abs(at[k])), \
     for [k = 1:5] sides using (winner):(side("winner", at[k])) with points lc rgb red pt mark[k] ps 0.6, \
     for [k = 1:5] sides using (average):(side("mean", at[k])) with points lc rgb red pt mark[k] ps 0.6
unset multiplot
