# The conjecture: constant releases that are exact for each of two inputs alone, when both are on; and the limit of rare release.
# alt: Three panels. a: a map over two releases, green with a dark curve of zeros, a quarter circle from the left edge's
# top to the lower right corner. b: the same for three outputs: only a faint dark valley, and no zero but in the corner.
# c: against the release on logarithmic axes: the blue line of on/off inputs rises as a straight line from the lower
# left, below a dotted one of draws that transmit; the orange dashed line of graded inputs is flat at a few tenths.
width = 17; height = 6.4
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"; plain = format eq "pdf" ? ",9" : ",13"

# Perceptually ordered, monotone in grey.
set palette defined (0 "#0B1D3A", 0.25 "#2B5C8A", 0.5 "#5FA3B5", 0.75 "#B5D8B9", 1 "#FBF8D8")
left(c) = 0.065 + 0.295 * c
place = 'set lmargin at screen left(c); set rmargin at screen left(c) + 0.225; set tmargin at screen 0.86; set bmargin at screen 0.19'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'

set multiplot

set xrange [0:1]; set yrange [0:1]; set xtics 0, 0.5; set ytics 0, 0.5
set cbrange [-7:-0.5]; set xlabel math("𝑐")."_1"; set ylabel math("𝑐")."_2"
set border 15; unset grid; set style fill solid 1.0; unset colorbox
c = 0; @place; letter = "a"; @panel; what = "two outputs: a curve of zeros"; @head
set label 1 "(3/7, 1/2)" at 0.70, 0.64 right font small tc rgb "white" front
lg(v) = v > 1e-12 ? log10(v) : -12
plot data.'/map.tsv' skip 1 using 1:2:(lg($3)) with image pixels, '+' every ::0::0 using (5.0/7):(5.0/7) with points pt 6 ps 0.7 lw 1.5 lc rgb red

c = 1; @place; letter = "b"; @panel; what = "three outputs: only the corner"; @head
unset label 1; set ylabel math("𝑐")."_2"
set colorbox user origin 0.597, 0.19 size 0.012, 0.67
set cbtics -6, 2, -2 offset -0.6, 0; set cblabel "Divergence (nats)" offset 0.6, 0; set format cb "10^{%.0f}"
plot data.'/map.tsv' skip 1 using 1:2:(lg($4)) with image pixels

unset colorbox; set border 3; set grid; unset label
set lmargin at screen 0.775; set rmargin at screen 0.985
letter = "c"; @panel; what = "four inputs, rare release"; @head
set logscale xy; set xrange [1e-5:1]; set yrange [1e-6:2]; set format "10^{%L}"; set xtics 1e-5, 100, 1; set ytics 1e-6, 100, 1
set xlabel "Release when alone, ".math("𝑐"); set ylabel "Distance from ".m_W."′".m_x
set label 1 "on/off" at 4e-4, 8e-6 font small tc rgb blue; set label 2 "graded" at 1.5e-5, 0.055 font small tc rgb red; set label 3 "draws that transmit" at 2e-5, 2.6e-4 font small tc rgb "#666666" rotate by 40
plot data.'/limit.tsv' skip 1 using 1:2 with linespoints lc rgb blue lw 1.5 dt 1 pt 7 ps 0.35, \
  '' skip 1 using 1:3 with lines lc rgb red lw 1.5 dt (8, 4), '' skip 1 using 1:5 with lines lc rgb "#888888" lw 1.2 dt (2, 3)

unset multiplot
