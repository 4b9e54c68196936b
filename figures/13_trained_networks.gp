# Learning in trained networks: the bias of the spread and patience, and shares of synapses below a release.
# alt: Two panels. a: the bias of the spread against rate times samples: lines of five rates lie on one another, rise
# from about -0.3, peak near 0.2 and settle on a dashed line of the fixed point. b: cumulative shares of synapses below
# a release: the orange curves rise steeply near zero, the blue ones a little slower; nearly all synapses are below one
# half. A short black bar marks what was measured at synapses.
width = 13; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.0 : 0.0   # the SVG terminal sets axis labels farther out

at(key, value, y)   = column(key) == value ? column(y) : NaN
share(model, kind, y) = strcol("model") eq model && strcol("kind") eq kind ? column(y) : NaN
number(list, k) = word(list, k) + 0

left  = 'set lmargin screen 0.10; set rmargin screen 0.475'
right = 'set lmargin screen 0.605; set rmargin screen 0.98'
set multiplot
set tmargin screen 0.90; set bmargin screen 0.19
set ylabel offset 1.2 + near, 0

# a: bias and patience
letter = "a"; @panel
@left
set logscale x; set xrange [1.3:4000]; set xtics ("1" 1, "10" 10, "10^2" 100, "10^3" 1000)
set yrange [-0.42:0.42]; set ytics 0.2
set xlabel "Rate × samples"; set ylabel "Bias of standard deviation"
set key at graph 0.99, graph 0.01 right bottom Right noreverse samplen 1.2 spacing 0.95
rates = "0.04 0.02 0.01 0.005 0.0025"
stats data.'/bias.tsv' using "rest" nooutput
set label 1 "fixed point" at 1.5, 0.27 left
set arrow 1 from 1.3, STATS_mean to 4000, STATS_mean nohead lt 1 lw 1.2 dt (4, 3)
plot for [k = 1:5] data.'/bias.tsv' using (column("rate") * column("iterations")):(at("rate", number(rates, k), "bias")):\
       (at("rate", number(rates, k), "lo")):(at("rate", number(rates, k), "hi")) with yerrorbars \
       lc rgb word("#FDCC8A #FC8D59 #E34A33 #B30000 #5A0000", k) pt number("5 7 9 11 13", k) ps 0.01 lw 0.7, \
     for [k = 1:5] '' using (column("rate") * column("iterations")):(at("rate", number(rates, k), "bias")) with linespoints \
       lc rgb word("#FDCC8A #FC8D59 #E34A33 #B30000 #5A0000", k) dt 1 lw 1.4 pt number("5 7 9 11 13", k) ps 0.45 \
       title m_gamma." = ".word(rates, k)
unset label 1; unset arrow 1; unset key

# b: releases of all synapses
letter = "b"; @panel
@right
unset logscale; set xrange [0:1]; set xtics 0.2; set yrange [0.5:1.01]; set ytics 0.1
set xlabel "Release probability ".m_q; set ylabel "Share of synapses below"
set arrow 1 from 0.5, 0.5 to 0.5, 1.01 nohead lt 8 dt (2, 3)
set arrow 2 from 0.17, 0.6667 to 0.33, 0.6667 nohead lc rgb black lw 4
set label 1 "measured at synapses" at 0.17, 0.625 left
set key at graph 0.99, graph 0.45 right bottom samplen 2.0
plot data.'/shares.tsv' using "release":(share("simple", "analytic", "below")) lt 2 dt 1 title "mapping, simple", \
     '' using "release":(share("bimodal", "analytic", "below")) lt 2 dt (5, 3) title "mapping, bimodal", \
     '' using "release":(share("simple", "learned", "below")) lt 3 dt 1 title "learned, simple", \
     '' using "release":(share("bimodal", "learned", "below")) lt 3 dt (5, 3) title "learned, bimodal"
unset multiplot
