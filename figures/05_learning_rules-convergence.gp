# How fast the two algorithms approach their common fixed point, and what seven rules leave undone in 10,000 samples.
width = 17; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

of(a, y) = column("algorithm") == a ? column(y) : NaN
race = data.'/race.tsv'
set linetype 9 lc rgb "#555555" lw 1.6 dt (5, 3)

set multiplot
set tmargin screen 0.90; set bmargin screen 0.19

# a: releases
letter = "a"; @panel
set lmargin screen 0.075; set rmargin screen 0.325
set logscale xy; set xrange [90:2.2e6]
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
set lmargin screen 0.405; set rmargin screen 0.655
set ylabel "Total variation of winners"
set yrange [0.01:1]
plot race using "iterations":(of(1, "winners_lo")):(of(1, "winners_hi")) with filledcurves lt 9 fs solid 0.25, \
     '' using "iterations":(of(2, "winners_lo")):(of(2, "winners_hi")) with filledcurves lt 3 fs solid 0.25, \
     '' using "iterations":(of(1, "winners")) lt 9, '' using "iterations":(of(2, "winners")) lt 3 dt 1, \
     0.10 lt 8 dt (2, 3)

# c: every rule, learned and settled
set label 99 "{/:Bold c}" at screen 0.675, graph 1 offset 0, 0.7 font sprintf(",%d", letter_size) front
set lmargin screen 0.812; set rmargin screen 0.985
unset ylabel; unset logscale y
set yrange [7.6:0.4]; set xrange [0.009:0.7]
set xtics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3)
set ytics ("unadjusted" 1, "subtractive" 2, "rescaled" 3, "power, constant" 4, "power, variable" 5, \
           "power, subset size" 6, "power, expected size" 7) scale 0
set xlabel "Total variation"
set label 101 "" at screen 0.800, screen 0.95 point lt 3 pt 7 ps 0.55
set label 102 "learned" at screen 0.811, screen 0.95 left
set label 103 "" at screen 0.888, screen 0.95 point lt 1 pt 6 ps 0.65 lw 1.2
set label 104 "fixed point" at screen 0.899, screen 0.95 left
plot data.'/errors.tsv' using "lo":"row":(column("hi") - column("lo")):(0) with vectors nohead lt 3 dt 1 lw 1.2, \
     '' using "tv":"row" with points lt 3 pt 7 ps 0.55, \
     '' using "rest":"row" with points lt 1 pt 6 ps 0.65 lw 1.2
unset multiplot
