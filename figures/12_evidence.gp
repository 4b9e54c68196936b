# MAP samples narrow with more rows and with more salient ones.
# alt: Four falling lines on logarithmic axes against rows times salience: an orange and a black one for the winner, and
# below them an orange and a black dashed one for the mean that lie on each other; the latter are parallel to a dotted
# guide of slope minus one half.
width = 6.8; height = 5.6
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"
set lmargin at screen 0.18; set rmargin at screen 0.96; set tmargin at screen 0.95; set bmargin at screen 0.2

set logscale xy; set xrange [200:10000]; set yrange [0.01:0.6]; set xtics (250, 1000, 4000); set ytics (0.01, 0.1, "0.5" 0.5)
set xlabel "Rows × salience ".m_lambda.m_N; set ylabel "MAP standard deviation"
set label 1 "winner" at 1300, 0.17 font small; set label 2 "mean" at 1300, 0.062 font small; set label 3 "slope −1/2" at 9000, 0.30 right font small tc rgb "#666666"
set key at graph 0.02, graph 0.0 left bottom Left reverse samplen 1.2 font small
plot [] [] (x > 1500 ? 13 / sqrt(x) : 1/0) with lines lc rgb "#999999" lw 1.0 dt (2, 3), \
  data.'/spread.tsv' skip 1 using 1:4:5 with yerrorlines lc rgb red lw 1.3 dt 1 pt 9 ps 0.55 t "more rows", '' skip 1 using 1:2:3 with yerrorlines lc rgb red lw 1.3 dt 1 pt 9 ps 0.55, \
  '' skip 1 using 1:8:9 with yerrorlines lc rgb black lw 1.2 dt (5, 4) pt 6 ps 0.6 t "more salient", '' skip 1 using 1:6:7 with yerrorlines lc rgb black lw 1.2 dt (5, 4) pt 6 ps 0.6
