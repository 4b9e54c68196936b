# How fast the two algorithms approach their common fixed point. Lines: means over races; bands: least and largest.
# alt: Two panels on logarithmic axes of samples, each with a grey dashed and an orange line that fall. The orange one,
# Algorithm 2, reaches its floor at about ten thousand samples; the grey one, Algorithm 1, needs some fifty times as
# many and is still falling at the end in a. Dotted horizontal lines mark 0.25 in a and 0.1 in b.
width = 13; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

of(a, y) = column("algorithm") == a ? column(y) : NaN
race = data.'/race.tsv'
set linetype 9 lc rgb "#555555" lw 1.6 dt (5, 3)

set multiplot
set tmargin screen 0.90; set bmargin screen 0.19

# a: releases
letter = "a"; @panel
set lmargin screen 0.10; set rmargin screen 0.475
set logscale xy; set xrange [90:1.1e6]
set xtics ("10^2" 1e2, "10^3" 1e3, "10^4" 1e4, "10^5" 1e5, "10^6" 1e6)
set xlabel "Samples"
set ylabel "Distance of releases" offset 1.2 + near, 0
set yrange [0.01:3]; set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1, "3" 3)
set key at graph 0.04, graph 0.02 left bottom Left reverse
plot race using "iterations":(of(1, "release_lo")):(of(1, "release_hi")) with filledcurves lt 9 fs solid 0.25, \
     '' using "iterations":(of(2, "release_lo")):(of(2, "release_hi")) with filledcurves lt 3 fs solid 0.25, \
     '' using "iterations":(of(1, "release")) lt 9 title "Algorithm 1", \
     '' using "iterations":(of(2, "release")) lt 3 dt 1 title "Algorithm 2", \
     0.25 lt 8 dt (2, 3)
unset key

# b: winners
letter = "b"; @panel
set lmargin screen 0.605; set rmargin screen 0.98
set ylabel "Total variation of winners"
set yrange [0.01:1]
plot race using "iterations":(of(1, "winners_lo")):(of(1, "winners_hi")) with filledcurves lt 9 fs solid 0.25, \
     '' using "iterations":(of(2, "winners_lo")):(of(2, "winners_hi")) with filledcurves lt 3 fs solid 0.25, \
     '' using "iterations":(of(1, "winners")) lt 9, '' using "iterations":(of(2, "winners")) lt 3 dt 1, \
     0.10 lt 8 dt (2, 3)
unset multiplot
