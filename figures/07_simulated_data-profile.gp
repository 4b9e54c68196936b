# 07_simulated_data-profile: the exact spread of posterior and MAP samples over all inputs, and the gradations around a
# trained input. Bands: two standard errors over networks. Grey: where there are training data.
# alt: Three panels. a: the spread of samples over the input is high and flat except for five narrow dips at the trained
# inputs, deeper for the red MAP line than for the blue posterior line. b: high outside a shaded range with data; within
# it blue rises slowly from 0.5 to 1 and red stays near zero with one bump around -1. c: the spread of MAP samples
# against the distance from a trained input: it rises from near zero to the dashed level of the uniform, earlier with
# the exact than with the printed root.
width = 17; height = 6.4
load 'figures/style.gp'

profile = data.'/profile.tsv'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
of(model, reading, name) = strcol("model") eq model && strcol("reading") eq reading ? column(name) : NaN
band(model, name, se, sign) = of(model, "default", name) + sign * 2 * column(se)
uniform = sqrt((12.0 / 99) ** 2 * (100.0 ** 2 - 1) / 12)

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.165
set yrange [0:4]; set ytics 0, 1, 4
set xrange [-6:6]; set xtics -6, 2, 6
set xlabel "Input ".m_x
unset key

do for [k = 1:2] {
  model = word("simple bimodal", k)
  if (k == 1) {
    set lmargin at screen 0.065; set rmargin at screen 0.345
    set ylabel "Standard deviation of samples"
    do for [i = 0:4] { set object 10 + i rectangle from 2 * i - 4.05, graph 0 to 2 * i - 3.95, graph 1 fc rgb "#E8E8E8" fs solid 1 noborder behind }
  } else {
    set lmargin at screen 0.395; set rmargin at screen 0.675
    set ylabel ""; set format y ""
    do for [i = 0:4] { unset object 10 + i }
    set key at graph 0.5, 0.82 center top Left reverse samplen 1.8
    set object 10 rectangle from -4, graph 0 to 4, graph 1 fc rgb "#F0F0F0" fs solid 1 noborder behind
  }
  letter = word("a b", k); @panel
  title_text = model." model"; @heading
  plot uniform lc rgb grey lw 1 dt 2 title "uniform", \
       profile using "x":(band(model, "posterior_sd", "posterior_se", -1)):(band(model, "posterior_sd", "posterior_se", 1)) with filledcurves lc rgb blue, \
       profile using "x":(of(model, "default", "posterior_sd")) with lines lt 2 title "posterior", \
       profile using "x":(of(model, "printed", "posterior_sd")) with lines lc rgb blue lw 1.0 dt (2, 3) title "printed reading", \
       profile using "x":(band(model, "map_sd", "map_se", -1)):(band(model, "map_sd", "map_se", 1)) with filledcurves lc rgb red, \
       profile using "x":(of(model, "default", "map_sd")) with lines lt 3 dt 1 title "MAP", \
       profile using "x":(of(model, "printed", "map_sd")) with lines lc rgb red lw 1.0 dt (2, 3)
}

unset object 10; set format y "%h"
set lmargin at screen 0.740; set rmargin at screen 0.992
letter = "c"; @panel
title_text = "MAP around a trained input"; @heading
set xrange [0:0.4]; set xtics 0, 0.1; set xlabel "Distance from the input"
set key at graph 0.01, 0.80 left top Left reverse samplen 1.6
plot uniform lc rgb grey lw 1 dt 2, \
     data.'/gradation.tsv' using (strcol("reading") eq "default" ? column("distance") : NaN):"map_sd":(2 * column("se")) with yerrorbars lt 3 dt 1 ps 0.6 title "exact ".m_Phi, \
     data.'/gradation.tsv' using (strcol("reading") eq "printed" ? column("distance") : NaN):"map_sd":(2 * column("se")) with yerrorbars lc rgb red lw 1.0 pt 8 ps 0.6 title "printed ".m_Phi
unset multiplot
