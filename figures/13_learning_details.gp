# Details of learning: lower bounds, estimators, the attractor, bias and patience, the power of four, shares of releases.
width = 17; height = 11.6
load 'figures/style.gp'
near = format eq "svg" ? 1.0 : 0.0   # the SVG terminal sets axis labels farther out

at(key, value, y)   = column(key) == value ? column(y) : NaN
named(key, name, y) = strcol(key) eq name ? column(y) : NaN
share(model, kind, y) = strcol("model") eq model && strcol("kind") eq kind ? column(y) : NaN

number(list, k) = word(list, k) + 0
left(c)  = 0.075 + 0.333 * (c - 1)
right(c) = left(c) + 0.246
upper = 'set tmargin screen 0.945; set bmargin screen 0.605'
lower = 'set tmargin screen 0.435; set bmargin screen 0.105'
set multiplot
set ylabel offset 1.2 + near, 0

# a: back from the lower bound
letter = "a"; @panel
set lmargin screen left(1); set rmargin screen right(1); @upper
set logscale x; set xrange [500:6e5]; set xtics ("10^3" 1e3, "10^4" 1e4, "10^5" 1e5)
set yrange [-0.03:1.05]; set ytics 0.25
set xlabel "Samples"; set ylabel "Silenced synapses recovered"
set key at graph 0.02, graph 1.02 left top Left reverse samplen 1.2 title "lower bound" left
bounds = "0 0.0001 0.001 0.01"; greens = "#000000 #006B4E #3FA98A #8CCDB8"; marks = "7 5 9 13"
plot for [k = 2:4] data.'/floors.tsv' using "iterations":(at("floor", number(bounds, k), "back_lo")):\
       (at("floor", number(bounds, k), "back_hi")) with filledcurves fc rgb word(greens, k) fs solid 0.2, \
     for [k = 1:4] '' using "iterations":(at("floor", number(bounds, k), "back")) \
       with linespoints lc rgb word(greens, k) lw 1.6 dt 1 pt number(marks, k) ps 0.45 title word(bounds, k)
set key notitle

# b: what to read off
letter = "b"; @panel
set lmargin screen left(2); set rmargin screen right(2)
set logscale y; set xrange [900:7e4]; set xtics ("10^3" 1e3, "10^4" 1e4)
set yrange [0.007:15]; set ytics ("0.01" 0.01, "0.1" 0.1, "1" 1, "10" 10)
set ylabel "Deviation from fixed point"
set key at graph 1.0, graph 1.02 right top Right noreverse samplen 1.8
names = "last mean_q mean_target decayed"
plot for [k = 1:4] data.'/estimates.tsv' using "iterations":(named("reading", word(names, k), "lo")):(named("reading", word(names, k), "hi")) \
       with filledcurves lt number("8 3 5 2", k) fs solid 0.2, \
     '' using "iterations":(named("reading", "last", "deviation")) with linespoints lt 8 dt 1 lw 1.6 pt 7 title "last release", \
     '' using "iterations":(named("reading", "mean_q", "deviation")) with linespoints lt 3 dt 1 title "mean release", \
     '' using "iterations":(named("reading", "mean_target", "deviation")) with linespoints lt 5 title "mean target", \
     '' using "iterations":(named("reading", "decayed", "deviation")) with linespoints lt 2 title "decaying rate"
unset key

# c: the attractor and a smoother one
letter = "c"; @panel
set lmargin screen left(3); set rmargin screen right(3)
unset logscale; set xrange [0:51]; set xtics 10; set yrange [-0.42:0.3]; set ytics 0.1
set xlabel "Rank of weight (1 = largest)"; set ylabel "Relative bias of release"
set key at graph 0.02, graph 0.01 left bottom Left reverse samplen 2.0
plot 0 lt 1 lw 1.2, \
     data.'/attractor.tsv' using "rank":(column("attractor") / column("analytic") - 1) lt 3 dt 1 title "variable exponent", \
     '' using "rank":(column("smooth") / column("analytic") - 1) lt 2 dt (6, 3) title "with mean denominator"
unset key

# d: bias and patience
letter = "d"; @panel
set lmargin screen left(1); set rmargin screen right(1); @lower
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

# e: the power of four
letter = "e"; @panel
set lmargin screen left(2); set rmargin screen right(2)
unset logscale; set logscale y; set xrange [8:52]; set xtics 10; set yrange [0.0025:1]
set ytics ("0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "Output neurons"; set ylabel "Total variation, ".m_psi." = 4"
set key at graph 0.99, graph 0.0 right bottom samplen 2.0
shapes = "uniform bell bimodal decay"
set label 1 "equal weights" at 51, 0.36 right
title(k) = (k == 1 ? "" : k == 2 ? "one bell" : k == 3 ? "two bells" : "one-sided decay")
plot 0.1 lt 8 dt (2, 3), \
     for [k = 1:4] data.'/four.tsv' using "n":(named("shape", word(shapes, k), "tv")) with linespoints \
       lt 4 dt 1 pt number("7 6 13 8", k) lc rgb word("#000000 #66C2A4 #009E73 #00402F", k) ps 0.5 title title(k)
unset key; unset label 1

# f: releases of all synapses
letter = "f"; @panel
set lmargin screen left(3); set rmargin screen right(3)
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
