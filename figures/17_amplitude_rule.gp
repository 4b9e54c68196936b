# How near the amplitude rule brings the winners, and how fast: against the original's rule, from other starts, at every size.
width = 17; height = 6.6
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

of(way, y) = strcol("way") eq way ? column(y) : NaN
curves = data.'/curves.tsv'
theory = data.'/theory.tsv'
set linetype 9 lc rgb "#555555" lw 1.6 dt (5, 3)

set multiplot
set tmargin screen 0.90; set bmargin screen 0.185

# a: rules and steps, from the original's start
letter = "a"; @panel
set lmargin screen 0.075; set rmargin screen 0.330
set logscale xy; set xrange [9:1.1e5]
set xtics ("10" 10, "10^2" 1e2, "10^3" 1e3, "10^4" 1e4, "10^5" 1e5)
set xlabel "Iterations"; set ylabel "Total variation of winners" offset 1.2 + near, 0
set yrange [0.002:1]; set ytics ("0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set key at graph 0.02, graph 0.02 left bottom Left reverse font small spacing 0.95
plot curves using "iterations":(of("power", "lo")):(of("power", "hi")) with filledcurves lt 4 fs solid 0.2, \
     '' using "iterations":(of("average", "lo")):(of("average", "hi")) with filledcurves lt 3 fs solid 0.2, \
     '' using "iterations":(of("power", "tv")) lt 4 title "power rule", \
     '' using "iterations":(of("constant", "tv")) lt 2 dt (2, 2) title "same step", \
     '' using "iterations":(of("coarse", "tv")) lt 7 title "16 × the step", \
     '' using "iterations":(of("average", "tv")) lt 3 dt 1 title "step 1/".m_k

# b: starts, order, algorithm
letter = "b"; @panel
set lmargin screen 0.408; set rmargin screen 0.662
plot theory using "iterations":"second" lt 8 lw 1.6 title "bound", \
     curves using "iterations":(of("first", "tv")) lt 9 title "Algorithm 1", \
     '' using "iterations":(of("small", "tv")) lt 5 title "start at 0.01", \
     '' using "iterations":(of("certain", "tv")) lt 2 title "start at 1", \
     '' using "iterations":(of("amplitude_order", "tv")) lt 6 title "by amplitude", \
     '' using "iterations":(of("even", "tv")) lt 3 dt 1 title "start at 0.3"

# c: sizes and shapes, over the power rule at its best
letter = "c"; @panel
set lmargin screen 0.742; set rmargin screen 0.992
shape(s, y) = strcol("shape") eq s ? column(y) : NaN
set xrange [8:1300]; set xtics ("10" 10, "30" 30, "100" 100, "300" 300, "1000" 1000)
set yrange [0.02:1.5]; set ytics ("0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "Synapses ".m_n; set ylabel "Over the best power rule"
set key at graph 0.98, graph 0.02 right bottom Left reverse font small spacing 0.95
plot 1 lt 8 dt (2, 3), \
     data.'/against.tsv' using "n":(shape("uniform", "ratio")):(shape("uniform", "se")) with yerrorlines lt 6 title "uniform", \
     '' using "n":(shape("bell", "ratio")):(shape("bell", "se")) with yerrorlines lt 2 title "bell", \
     '' using "n":(shape("bimodal", "ratio")):(shape("bimodal", "se")) with yerrorlines lt 3 title "bimodal", \
     '' using "n":(shape("decay", "ratio")):(shape("decay", "se")) with yerrorlines lt 4 title "decay"
unset multiplot
