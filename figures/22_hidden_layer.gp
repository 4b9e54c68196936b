# 22_hidden_layer: a: what the hidden layer encodes at the input, with the gap between its modes and its mean. b: what
# wins in the last layer, by what is passed on. c: how far the endpoints' frequencies are from the true ones, against the
# number of draws; bars are two standard errors over data sets.
# alt: Three panels. a: a narrow high peak at -2 and a lower broad one at 0, true and encoded nearly the same, with a
# shaded gap between them in which an arrow marks the mean. b: what wins in the last layer: winners and all activity
# have two equal peaks at -4 and 4, the mean has one high peak at zero, in the gap. c: total variation against draws:
# the blue line of winners falls with error bars toward a dotted line, below a dashed one of all activity; the orange
# one of the mean stays near 0.9.
width = 17; height = 6.4
load 'figures/style.gp'
tiny = format eq "pdf" ? ",7.3" : ",10"
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen 0.885; set bmargin at screen 0.175'
fresh = 'unset label; unset arrow; unset object; unset logscale; set xtics autofreq; set ytics autofreq; set autoscale; set format "%h"; unset key'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center front'

set multiplot

@fresh; l = 0.075; w = 0.245; @place; letter = "a"; @panel; what = "hidden layer"; @head
set xrange [-3.2:2.2]; set yrange [0:0.145]; set xtics -3, 1, 2; set ytics 0, 0.05
set xlabel "Hidden value"; set ylabel "Probability"
set object 1 rectangle from -1.5, 0 to -0.8, 0.118 fc rgb "#EEEEEE" fs solid 1 noborder behind
set label 1 "gap" at -1.15, 0.112 center font small
set arrow 1 from -1.02, 0.045 to -1.02, 0.004 size 0.12, 25 filled lc rgb red lw 1.2 front
set label 2 "mean" at -1.02, 0.053 center font small tc rgb red front
set key at graph 1.0, graph 1.0 right top Left reverse samplen 1.6 font small
plot data.'/laws.tsv' using "value":"hidden_true" with lines lt 1 title "true", '' using "value":"hidden" with lines lc rgb blue lw 1.5 dt (8, 4) title "encoded"

@fresh; l = 0.415; w = 0.245; @place; letter = "b"; @panel; what = "last layer, by what is passed on"; @head
set xrange [-6:6]; set yrange [0:0.145]; set xtics -4, 4, 4; set ytics 0, 0.05
set xlabel "Output"; set ylabel "Probability"
set label 1 "upper\nmode" at -4, 0.086 center font small; set label 2 "gap" at 1.05, 0.112 left font small; set label 3 "lower\nmode" at 4, 0.086 center font small
set key at graph 0.02, graph 1.03 left top Left reverse samplen 1.6 font tiny maxrows 3
plot data.'/laws.tsv' using "value":"sampled" with lines lc rgb blue lw 1.6 dt 1 title "winner", '' using "value":"whole" with lines lc rgb orange lw 1.5 dt (3, 3) title "all activity", \
  '' using "value":"mean" with lines lc rgb red lw 1.4 dt (8, 4) title "mean"

@fresh; l = 0.755; w = 0.235; @place; letter = "c"; @panel; what = "weighing the endpoints"; @head
set logscale xy; set xrange [7:15000]; set yrange [0.02:1.3]; set xtics ("10" 10, "100" 100, "1000" 1000, "10^4" 10000); set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 1)
set xlabel "Draws"; set ylabel "Total variation from the truth"
set label 1 "mean" at 11, 0.70 left font small tc rgb red; set label 2 "all activity" at 14000, 0.080 right font small tc rgb "#B07800"
set label 3 "winners" at 30, 0.135 left font small tc rgb blue; set label 4 "their law" at 9, 0.036 left font small tc rgb contrast
plot data.'/draws.tsv' using "draws":"mean" with lines lc rgb red lw 1.4 dt (8, 4), '' using "draws":"whole" with lines lc rgb orange lw 1.5 dt (3, 3), \
  '' using "draws":"limit" with lines lc rgb contrast lw 1.0 dt (2, 3), '' using "draws":"sampled":(2 * column("sampled_se")) with yerrorlines lc rgb blue lw 1.4 dt 1 pt 5 ps 0.45

unset multiplot
