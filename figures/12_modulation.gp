# Modulating release: gain on all synapses, evidence and salience, a second layer.
width = 17; height = 11.2
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"; tiny = format eq "pdf" ? ",7.3" : ",10"; plain = format eq "pdf" ? ",9" : ",13"
set palette defined (0 "#FFFFFF", 0.15 "#CFE3F1", 0.4 "#6FAFD6", 0.7 "#0072B2", 1 "#002B49")
top(r) = 0.945 - 0.495 * r
fresh = 'unset label; unset arrow; unset logscale; set xtics autofreq; set ytics autofreq; set autoscale; set format "%h"; unset key'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen top(r); set bmargin at screen top(r) - 0.345'

set multiplot

@fresh; l = 0.065; w = 0.25; r = 0; @place; letter = "a"; @panel; what = "winners under a gain on release"; @head
set xrange [-3:3]; set yrange [-6:6]; set xtics ("10^{−3}" -3, "10^{−2}" -2, "0.1" -1, "1" 0, "10" 1, "100" 2, "10^3" 3); set ytics -6, 3, 6
set xlabel "Gain on all release probabilities"; set ylabel "Output ".m_y; set border 15; unset grid; set cbrange [0:0.6]
set style fill solid 1.0; set colorbox user origin 0.322, top(0) - 0.345 size 0.009, 0.345; set cbtics ("0" 0, "0.01" 0.1, "0.1" 0.316, "0.3" 0.548) font small offset -0.7, 0
set arrow 1 from 0, -6 to 0, 6 nohead front lc rgb black lw 0.8 dt (4, 3)
set label 1 "as encoded" at 0.08, 5.2 font small front
plot data.'/image.tsv' skip 1 using 1:2:($3 > 0.36 ? 0.6 : sqrt($3)) with image pixels
set border 3; set grid; unset colorbox

@fresh; l = 0.445; w = 0.235; @place; letter = "b"; @panel; what = "raised and lowered"; @head
set logscale x; set xrange [1e-3:1e3]; set format x "10^{%L}"; set yrange [0:1.02]; set xtics 1e-3, 100, 1e3; set ytics 0, 0.5
set xlabel "Gain on all release probabilities"; set ylabel "Probability"; set style fill solid 0.25 noborder
set arrow 1 from 1, 0 to 1, 1.02 nohead lc rgb black lw 0.8 dt (4, 3)
set label 1 "most likely" at 1000, 0.30 right font small tc rgb blue; set label 2 "no evidence" at 1.4e-3, 0.66 font small tc rgb red; set label 3 "empty" at 2.2e-2, 0.92 font small tc rgb "#666666"
plot data.'/gain.tsv' skip 1 using 1:($2 - $3):($2 + $3) with filledcurves lc rgb blue, '' skip 1 using 1:2 with lines lc rgb blue lw 1.7 dt 1, \
  '' skip 1 using 1:($6 - $7):($6 + $7) with filledcurves lc rgb red, '' skip 1 using 1:6 with lines lc rgb red lw 1.7 dt (8, 4), \
  '' skip 1 using 1:10 with lines lc rgb "#888888" lw 1.3 dt (2, 3)

@fresh; l = 0.755; w = 0.235; @place; letter = "c"; @panel; what = "which mode is expressed"; @head
set xrange [-0.4:3.3]; set yrange [0:1.05]; set ytics 0, 0.5; set xtics ("encoded" 0, "analytic" 1, "all 0.3" 2, "all 1" 3) font tiny
set xlabel "Release probabilities"; set ylabel "Share of the mode at −2"
plot data.'/failure.tsv' using ($2 == 0 ? $2 : 1/0):3:4 with yerrorbars lc rgb black lw 1.2 pt 7 ps 0.55, \
  '' using ($2 == 1 ? $2 : 1/0):3:4 with yerrorbars lc rgb blue lw 1.2 pt 5 ps 0.6, '' using ($2 > 1 ? $2 : 1/0):3:4 with yerrorbars lc rgb "#777777" lw 1.2 pt 9 ps 0.65
set xtics font plain

@fresh; l = 0.085; w = 0.275; r = 1; @place; letter = "d"; @panel; what = "MAP samples"; @head
set logscale xy; set xrange [200:10000]; set yrange [0.01:0.6]; set xtics (250, 1000, 4000); set ytics (0.01, 0.1, "0.5" 0.5)
set xlabel "Rows × salience ".m_lambda.m_N; set ylabel "MAP standard deviation"
set label 1 "winner" at 1300, 0.17 font small; set label 2 "mean" at 1300, 0.062 font small; set label 3 "slope −1/2" at 9000, 0.30 right font small tc rgb "#666666"
set key at graph 0.02, graph 0.0 left bottom Left reverse samplen 1.2 font small
plot [] [] (x > 1500 ? 13 / sqrt(x) : 1/0) with lines lc rgb "#999999" lw 1.0 dt (2, 3), \
  data.'/spread.tsv' skip 1 using 1:4:5 with yerrorlines lc rgb red lw 1.3 dt 1 pt 9 ps 0.55 t "more rows", '' skip 1 using 1:2:3 with yerrorlines lc rgb red lw 1.3 dt 1 pt 9 ps 0.55, \
  '' skip 1 using 1:8:9 with yerrorlines lc rgb black lw 1.2 dt (5, 4) pt 6 ps 0.6 t "more salient", '' skip 1 using 1:6:7 with yerrorlines lc rgb black lw 1.2 dt (5, 4) pt 6 ps 0.6

@fresh; l = 0.445; w = 0.54; @place; letter = "e"; @panel; what = "uncertainty in a second layer"; @head
set xrange [-6:6]; set yrange [0:0.066]; set xtics -6, 2, 6; set ytics 0, 0.02
set xlabel "Output of the second layer ".m_z; set ylabel "Probability"
set key at graph 1.0, graph 1.03 right top Left reverse font small
plot data.'/layers.tsv' skip 1 using 1:2 with lines lc rgb black lw 2.2 dt 1 t "convolution", '' skip 1 using 1:3 with lines lc rgb blue lw 1.5 dt (8, 4) t "in time: sample by sample", \
  '' skip 1 using 1:4 with lines lc rgb orange lw 1.6 dt (3, 4) t "in space: whole activity", '' skip 1 using 1:5 with lines lc rgb green lw 1.4 dt (12, 4, 3, 4) t "in space, rows normalised"

unset multiplot
