# Solutions for several inputs: the approximation of Appendix C, exact releases for each input, and two-stage release.
# alt: Three panels. a: the approximation against the exact probability: pink dots and rings lie near 0.3 to 0.5, far
# above the black curve of identity. b: releases against the activity of the second input: four lines with jumps, black
# above blue. c: a skewed bell: black encoded, with orange circles of the two-stage release on it; the blue line of
# participation wiggles around it.
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

@fresh; c = 0; @place; letter = "a"; @panel; what = "approximation of Appendix C"; @head
set logscale x; set xrange [2e-4:0.2]; set yrange [0:0.56]; set format x "10^{%L}"; set ytics 0, 0.1
set xlabel "Exact probability of winning"; set ylabel "Approximation"
set label 1 "identity" at 0.03, 0.075 right font small; set label 2 "1/2 at the strongest" at 3e-4, 0.525 font small tc rgb purple
set key at graph 0.03, graph 0.30 left top Left reverse samplen 0.8
plot x with lines ls 1, data.'/normal.tsv' skip 1 using ($1 == 2 ? $3 : 1/0):4 with points pt 6 ps 0.4 lw 1.0 lc rgb purple t m_k." = 2", \
  '' skip 1 using ($1 == 6 ? $3 : 1/0):4 with points pt 7 ps 0.35 lc rgb purple t m_k." = 6"

@fresh; c = 1; @place; letter = "b"; @panel; what = "an exact solution for each input"; @head
set xrange [0:1]; set yrange [0:1.03]; set xtics 0, 0.5; set ytics 0, 0.5
set xlabel "Activity of input 2 (input 1 at 1)"; set ylabel "Release probability"
set label 1 "from input 1" at 0.04, 0.42 font small tc rgb blue; set label 3 "solid: strongest synapse\ndashed: second (both)" at 0.97, 0.20 right font small; set label 2 "from input 2" at 0.04, 0.90 font small tc rgb black
plot data.'/dynamic.tsv' skip 1 using 1:2 with lines lc rgb blue lw 1.5 dt 1, '' skip 1 using 1:3 with lines lc rgb blue lw 1.2 dt (6, 4), \
  '' skip 1 using 1:7 with lines lc rgb black lw 1.5 dt 1, '' skip 1 using 1:6 with lines lc rgb black lw 1.2 dt (6, 4)

@fresh; c = 2; @place; letter = "c"; @panel; what = "two-stage release, graded inputs"; @head
set xrange [-5:5]; set yrange [0:0.085]; set xtics -4, 2, 4; set ytics 0, 0.04
set xlabel "Output ".m_y; set ylabel "Probability"
set key at graph 1.02, graph 1.02 right top Left reverse
plot data.'/stages.tsv' skip 1 using 1:2 with lines ls 1 t "encoded", '' skip 1 using 1:4 with lines ls 5 t "participation", \
  '' skip 1 using 1:3 with points pt 6 ps 0.45 lw 1.1 lc rgb red t "two-stage"

unset multiplot
