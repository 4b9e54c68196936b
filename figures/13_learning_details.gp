# Details of learning: synapses back from the lower bound of their release, and the power of four for several numbers of
# outputs.
# alt: Two panels. a: the share of silenced synapses that recovered against samples: s-shaped curves from zero to one,
# earlier for larger lower bounds; with no bound a flat line at zero. b: total variation against output neurons: the
# black line of equal weights falls from one half; three green lines dip near 0.02 at twenty to twenty-five neurons and
# rise again, around a dotted line at 0.1.
width = 13; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.0 : 0.0   # the SVG terminal sets axis labels farther out

at(key, value, y)   = column(key) == value ? column(y) : NaN
named(key, name, y) = strcol(key) eq name ? column(y) : NaN
number(list, k) = word(list, k) + 0

left  = 'set lmargin screen 0.10; set rmargin screen 0.475'
right = 'set lmargin screen 0.605; set rmargin screen 0.98'
set multiplot
set tmargin screen 0.90; set bmargin screen 0.19
set ylabel offset 1.2 + near, 0

# a: back from the lower bound
letter = "a"; @panel
@left
set logscale x; set xrange [500:6e5]; set xtics ("10^3" 1e3, "10^4" 1e4, "10^5" 1e5)
set yrange [-0.03:1.05]; set ytics 0.25
set xlabel "Samples"; set ylabel "Silenced synapses recovered"
set key at graph 0.02, graph 1.02 left top Left reverse samplen 1.2 title "lower bound" left
bounds = "0 0.0001 0.001 0.01"; greens = "#000000 #006B4E #3FA98A #8CCDB8"; marks = "7 5 9 13"
plot for [k = 2:4] data.'/floors.tsv' using "iterations":(at("floor", number(bounds, k), "back_lo")):\
       (at("floor", number(bounds, k), "back_hi")) with filledcurves fc rgb word(greens, k) fs solid 0.2, \
     for [k = 1:4] '' using "iterations":(at("floor", number(bounds, k), "back")) \
       with linespoints lc rgb word(greens, k) lw 1.6 dt 1 pt number(marks, k) ps 0.45 title word(bounds, k)
set key notitle; unset key

# b: the power of four
letter = "b"; @panel
@right
unset logscale; set logscale y; set xrange [8:52]; set xtics 10; set yrange [0.001:1]
set ytics ("0.001" 0.001, "0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "Output neurons"; set ylabel "Total variation, ".m_psi." = 4"
set key at graph 0.02, graph 0.02 left bottom Left reverse samplen 2.0
shapes = "uniform bell bimodal decay"
set label 1 "equal weights" at 51, 0.36 right
title(k) = (k == 1 ? "" : k == 2 ? "one bell" : k == 3 ? "two bells" : "one-sided decay")
plot 0.1 lt 8 dt (2, 3), \
     for [k = 1:4] data.'/four.tsv' using "n":(named("shape", word(shapes, k), "tv")) with linespoints \
       lt 4 dt 1 pt number("7 6 13 8", k) lc rgb word("#000000 #66C2A4 #009E73 #00402F", k) ps 0.5 title title(k)
unset multiplot
