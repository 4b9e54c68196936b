# How near the amplitude rule brings the winners, and how fast: against the original's rule, and from other starts.
# alt: Two panels. a: total variation against iterations: the green power rule flattens near 0.05; blue lines with a
# constant step fall later or flatten; the orange line with a falling step goes on falling, in a band. b: six lines of
# different starts fall and come together as nearly straight, parallel lines below a grey bound.
width = 11.4; height = 6.6
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
set lmargin screen 0.135; set rmargin screen 0.520
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
unset ylabel; set lmargin screen 0.606; set rmargin screen 0.987
plot theory using "iterations":"second" lt 8 lw 1.6 title "bound", \
     curves using "iterations":(of("first", "tv")) lt 9 title "Algorithm 1", \
     '' using "iterations":(of("small", "tv")) lt 5 title "start at 0.01", \
     '' using "iterations":(of("certain", "tv")) lt 2 title "start at 1", \
     '' using "iterations":(of("amplitude_order", "tv")) lt 6 title "by amplitude", \
     '' using "iterations":(of("even", "tv")) lt 3 dt 1 title "start at 0.3"
unset multiplot
