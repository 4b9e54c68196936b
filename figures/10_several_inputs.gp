# Several active inputs: what ways of dividing releases achieve, in a trained network and for inputs that are on or off.
# alt: Three panels. a: cumulative distributions: the black encoded one, with participation and pooled on it; sum is
# steeper, count flatter. b: distance by input: light blue symbols between 0.15 and 0.3, dark blue squares below 0.1,
# green diamonds lowest. c: distance against the number of active inputs: grey lines of undivided release rise to about
# 0.2 and above 0.5, blue and green ones stay below 0.1.
width = 17; height = 5.9
load 'figures/style.gp'

# Ways of dividing are shades of the analytic mapping's blue, told apart by dash and shape; pooled is green.
small = format eq "pdf" ? ",8" : ",11.5"; plain = format eq "pdf" ? ",9" : ",13"
light = "#7FB8DC"
set style line 1 lc rgb black lw 1.8 dt 1
set style line 2 lc rgb grey lw 1.4 dt (2, 2) pt 1 ps 0.6
set style line 3 lc rgb light lw 1.6 dt (3, 5) pt 8 ps 0.6
set style line 4 lc rgb sky lw 1.6 dt (9, 5) pt 4 ps 0.5
set style line 5 lc rgb blue lw 1.6 dt 1 pt 5 ps 0.5
set style line 6 lc rgb green lw 1.6 dt (12, 4, 3, 4) pt 13 ps 0.65

left(c) = 0.075 + 0.328 * c
place = 'set lmargin at screen left(c); set rmargin at screen left(c) + 0.252; set tmargin at screen 0.885; set bmargin at screen 0.195'
fresh = 'unset label; unset arrow; unset logscale; set xtics autofreq; set ytics autofreq; set autoscale; set format "%g"; unset key'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'
set key font small samplen 1.8 spacing 1.0

set multiplot

@fresh; c = 0; @place; letter = "a"; @panel; what = "winners at ".m_x." = 4"; @head
set xrange [-6:6]; set yrange [0:1]; set xtics -6, 3, 6; set ytics 0, 0.5
set xlabel "Output ".m_y; set ylabel "Cumulative probability"
set arrow 1 from graph 0.50, graph 0.45 to graph 0.60, graph 0.45 nohead ls 3; set label 1 "sum" at graph 0.63, graph 0.45 font small
set arrow 2 from graph 0.50, graph 0.36 to graph 0.60, graph 0.36 nohead ls 4; set label 2 "count" at graph 0.63, graph 0.36 font small
set arrow 3 from graph 0.50, graph 0.27 to graph 0.60, graph 0.27 nohead ls 1 lw 2.6; set label 3 "encoded" at graph 0.63, graph 0.27 font small
set arrow 4 from graph 0.50, graph 0.18 to graph 0.60, graph 0.18 nohead ls 5 lw 1.3 lc rgb sky dt (5, 4); set label 4 "participation" at graph 0.63, graph 0.18 font small
set arrow 5 from graph 0.50, graph 0.09 to graph 0.60, graph 0.09 nohead ls 6 lw 1.3 dt (2, 4); set label 5 "pooled" at graph 0.63, graph 0.09 font small
plot data.'/winners.tsv' skip 1 using 1:4 smooth cumulative with lines ls 3, '' skip 1 using 1:5 smooth cumulative with lines ls 4, \
  '' skip 1 using 1:2 smooth cumulative with lines ls 1 lw 2.6, '' skip 1 using 1:6 smooth cumulative with lines ls 5 lw 1.3 lc rgb sky dt (5, 4), \
  '' skip 1 using 1:7 smooth cumulative with lines ls 6 lw 1.3 dt (2, 4)

@fresh; c = 1; @place; letter = "b"; @panel; what = "the trained network"; @head
set xrange [-5:5]; set yrange [0:0.42]; set xtics -4, 2, 4; set ytics 0, 0.1
set xlabel "Input ".m_x; set ylabel "Distance from ".m_W."′".m_x
set label 1 "none" at graph 0.05, graph 0.95 point ls 2 offset 0.8, 0 font small; set label 2 "sum" at graph 0.34, graph 0.95 point ls 3 offset 0.8, 0 font small
set label 3 "count" at graph 0.63, graph 0.95 point ls 4 offset 0.8, 0 font small; set label 4 "participation" at graph 0.05, graph 0.85 point ls 5 offset 0.8, 0 font small
set label 5 "pooled" at graph 0.63, graph 0.85 point ls 6 offset 0.8, 0 font small
at(s) = strcol(1) eq s ? $2 + $7 : 1/0
plot data.'/network.tsv' skip 1 using (at("none")):3:4 with yerrorbars ls 2 lw 1.1 dt 1, '' skip 1 using (at("sum")):3:4 with yerrorbars ls 3 lw 1.1 dt 1, \
  '' skip 1 using (at("count")):3:4 with yerrorbars ls 4 lw 1.1 dt 1, '' skip 1 using (at("participation")):3:4 with yerrorbars ls 5 lw 1.1 dt 1, \
  '' skip 1 using (at("pooled")):3:4 with yerrorbars ls 6 lw 1.1 dt 1

@fresh; c = 2; @place; letter = "c"; @panel; what = "inputs on or off"; @head
set xrange [0.8:6.2]; set yrange [0:0.62]; set xtics 1, 1; set ytics 0, 0.2
set xlabel "Active inputs ".m_k; set ylabel "Distance from ".m_W."′".m_x
apart(s, col) = $1 == s ? column(col) : 1/0
set label 1 "undivided" at 1.3, 0.42 font small tc rgb "#666666"; set label 2 "divided by ".m_k at 4.1, 0.10 right font small tc rgb blue
set label 3 "pooled" at 6.1, 0.10 right font small tc rgb green
set label 4 "disjoint" at 4.3, 0.52 right font small tc rgb "#666666"; set label 5 "overlapping" at 6.1, 0.25 right font small tc rgb "#666666"
plot data.'/scaling.tsv' skip 1 using 2:(apart(0, 3)) with linespoints ls 2 dt 1 pt 6 ps 0.45, '' skip 1 using 2:(apart(2, 3)) with linespoints ls 2 dt 2 pt 7 ps 0.45, \
  '' skip 1 using 2:(apart(0, 4)) with linespoints ls 5 dt 1 pt 4 ps 0.45, '' skip 1 using 2:(apart(2, 4)) with linespoints ls 5 dt 2 pt 5 ps 0.45, \
  '' skip 1 using 2:(apart(0, 5)) with linespoints ls 6 dt 1 pt 12 ps 0.55, '' skip 1 using 2:(apart(2, 5)) with linespoints ls 6 dt 2 pt 13 ps 0.55

unset multiplot
