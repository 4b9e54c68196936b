# What to read off a process that does not rest: deviation of four estimates from the fixed point; and the fixed point itself
# with a random and with a mean denominator, relative to the mapping.
# alt: Two panels. a: deviation from the fixed point falls with samples for four estimates; grey, the last release,
# flattens first; orange and yellow go on falling; blue, the decaying rate, starts lowest. b: relative bias against the
# rank of the weight: an orange line starts near 0.2 and falls below zero at the weak ranks; a blue dashed line runs
# lower, from -0.05 to -0.2; both end at zero.
width = 13; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.0 : 0.0   # the SVG terminal sets axis labels farther out

named(key, name, y) = strcol(key) eq name ? column(y) : NaN
number(list, k) = word(list, k) + 0

left  = 'set lmargin screen 0.10; set rmargin screen 0.475'
right = 'set lmargin screen 0.605; set rmargin screen 0.98'
set multiplot
set tmargin screen 0.90; set bmargin screen 0.19
set ylabel offset 1.2 + near, 0

# a: what to read off
letter = "a"; @panel
@left
set logscale xy; set xrange [900:7e4]; set xtics ("10^3" 1e3, "10^4" 1e4)
set yrange [0.007:15]; set ytics ("0.01" 0.01, "0.1" 0.1, "1" 1, "10" 10)
set xlabel "Samples"; set ylabel "Deviation from fixed point"
set key at graph 1.0, graph 1.02 right top Right noreverse samplen 1.8
names = "last mean_q mean_target decayed"
plot for [k = 1:4] data.'/estimates.tsv' using "iterations":(named("reading", word(names, k), "lo")):(named("reading", word(names, k), "hi")) \
       with filledcurves lt number("8 3 5 2", k) fs solid 0.2, \
     '' using "iterations":(named("reading", "last", "deviation")) with linespoints lt 8 dt 1 lw 1.6 pt 7 title "last release", \
     '' using "iterations":(named("reading", "mean_q", "deviation")) with linespoints lt 3 dt 1 title "mean release", \
     '' using "iterations":(named("reading", "mean_target", "deviation")) with linespoints lt 5 title "mean target", \
     '' using "iterations":(named("reading", "decayed", "deviation")) with linespoints lt 2 title "decaying rate"
unset key

# b: the attractor and a smoother one
letter = "b"; @panel
@right
unset logscale; set xrange [0:51]; set xtics 10; set yrange [-0.42:0.3]; set ytics 0.1
set xlabel "Rank of weight (1 = largest)"; set ylabel "Relative bias of release"
set key at graph 0.02, graph 0.01 left bottom Left reverse samplen 2.0
plot 0 lt 1 lw 1.2, \
     data.'/attractor.tsv' using "rank":(column("attractor") / column("analytic") - 1) lt 3 dt 1 title "variable exponent", \
     '' using "rank":(column("smooth") / column("analytic") - 1) lt 2 dt (6, 3) title "with mean denominator"
unset multiplot
