# What a replicate costs: against other programs, and as things grow.
width = 17; height = 6.4
load 'figures/style.gp'
set multiplot
set datafile columnheaders

reference = data.'/reference.tsv'
growth = data.'/growth.tsv'
only(w, v) = (strcol(1) eq w && strcol(2) eq v) ? column(4) : NaN

# a: time of the other programs over ours, by phase
set lmargin at screen 0.075; set rmargin at screen 0.40; set bmargin at screen 0.19; set tmargin at screen 0.86
letter = "a"; @panel
set title "time of other programs over ours" offset 0, -0.4
set logscale y; set yrange [0.5:3000]; set ytics (1, 10, 100, 1000); set xrange [-0.6:4.6]
set ylabel "Ratio"; set xlabel "Phase of the reference job"
set xtics ("evidence" 0, "mapping" 1, "learning" 2, "sampling" 3, "whole" 4) font small
set key at graph 0.99, graph 0.99 right top horizontal samplen 0.8 width 2.5
set boxwidth 0.26
set style fill solid 0.85 noborder
set arrow 1 from -0.6, 1 to 4.6, 1 nohead lt 8 lw 0.8
plot reference using ($0 - 0.27):(column("c")) with boxes lc rgb black title "C", \
     '' using ($0):(column("numpy")) with boxes lc rgb sky title "NumPy", \
     '' using ($0 + 0.27):(column("r")) with boxes lc rgb orange title "R"
unset arrow 1

# b, c: seconds per operation
set xtics autofreq font ""; set ytics autofreq
set style fill solid 0.25
set logscale xy; set format xy "10^{%T}"
set lmargin at screen 0.505; set rmargin at screen 0.72
letter = "b"; @panel
set title "more outputs"
set xrange [70:14000]; set yrange [3e-8:6e-3]; set ylabel "Seconds per operation" offset 0.5, 0; set xlabel "Outputs"
set xtics 100, 10, 10000
unset key
set label 1 "mapping" at 900, 3e-4 right
set label 2 "learning,\none iteration" at 13000, 4.5e-5 right tc rgb red
set label 3 "one draw" at 12500, 2e-7 right tc rgb blue
plot growth using 3:(only("mapping", "outputs")) smooth unique with linespoints lt 1, \
     '' using 3:(only("learning iteration", "outputs")) smooth unique with linespoints lt 3, \
     '' using 3:(only("draw", "outputs")) smooth unique with linespoints lt 2
unset label 1; unset label 2; unset label 3

set lmargin at screen 0.79; set rmargin at screen 0.985
letter = "c"; @panel
set title "evidence, in seconds"
set xrange [2e3:8e7]; set yrange [2e-4:2e1]; set ylabel ""; set xlabel "Rows"
set xtics 1e4, 100, 1e8; set ytics 1e-4, 10, 1e2
plot growth using 3:(only("evidence", "rows")) smooth unique with linespoints lt 2
unset multiplot
