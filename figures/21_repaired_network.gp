# 21_repaired_network: the whole, beside the original's readings. a: spread of samples with both releases over the true
# one, first data model. b: distance of the samples' distribution from that of the data, worst of five inputs, both data
# models, and data within the interval that holds nine tenths of the samples. c: standard errors of the MAP over those of
# the Beta model. d: distance of the learned winners from what is encoded, as data arrive. Bars: two standard errors.
# alt: Four panels. a: ratio of spread at five inputs: the dotted encoded line and the orange repaired one start above 2
# at the left and come down to one; blue, corrected, stays between 1.1 and 1.4; grey, printed, goes up and down around
# one. b: Kolmogorov distance, lines crossing each other with large bars; grey is highest at the right. c: ratio of
# standard errors: the solid orange line lies in the grey band at one; blue and grey lie mostly below. d: all lines fall
# with rows of data, from 0.35 (first data model) and 0.7 (second): the orange ones to 0.03 and 0.11, the grey ones to
# 0.13 and 0.24.
width = 17; height = 12.6
load 'figures/style.gp'

left   = 'set lmargin at screen 0.085; set rmargin at screen 0.490'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.992'
top    = 'set tmargin at screen 0.950; set bmargin at screen 0.600'
bottom = 'set tmargin at screen 0.435; set bmargin at screen 0.088'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

whole = data.'/whole.tsv'; learning = data.'/learning.tsv'
set datafile missing NaN
of(model, method, name) = strcol("model") eq model && strcol("method") eq method ? column(name) : NaN
curve(model, name) = strcol("model") eq model ? column(name) : NaN
method(k) = word("printed corrected repaired", k)
colour(k) = word("#555555 #0072B2 #D55E00", k)
mark(k) = word("4 5 7", k) + 0
line(k) = k
set style rect fc rgb "#EFEFEF" fs solid noborder

set multiplot

@top; @left; letter = "a"; @panel
title_text = "spread, over that of the data"; @heading
set xrange [-4.6:4.6]; set xtics -4, 2, 4; set yrange [0.4:2.3]; set ytics 0.5, 0.5
set xlabel ""; set ylabel "Ratio of standard deviations"
set object 1 rect from graph 0, first 0.9 to graph 1, first 1.1 behind
set key at graph 0.99, 0.99 right top Left reverse samplen 2.2
plot 1 lc rgb grey lw 1 dt 2, \
     whole using "x":(of("simple", "repaired", "encoded") / column("truth")) with linespoints lt 1 dt (2, 3) ps 0.5 title "encoded", \
     for [k = 1:3] whole using (column("x") + 0.12 * (k - 2)):(of("simple", method(k), "sd") / column("truth")):(2 * column("sd_se") / column("truth")) with yerrorlines lc rgb colour(k) lw 1.6 dt 1 pt mark(k) ps 0.6 title method(k)
unset object 1

@right; letter = "b"; @panel
title_text = "distance from the data"; @heading
set yrange [0:0.2]; set ytics 0, 0.04
set ylabel "Kolmogorov distance"
set key at graph 0.5, 0.99 center top Left reverse samplen 2.2
plot for [k = 1:3] whole using (column("x") + 0.12 * (k - 2)):(of("simple", method(k), "kolmogorov")):(2 * column("kolmogorov_se")) with yerrorlines lc rgb colour(k) lw 1.6 dt 1 pt mark(k) ps 0.6, \
     for [k = 1:3] whole using (column("x") + 0.12 * (k - 2)):(of("bimodal", method(k), "kolmogorov")):(2 * column("kolmogorov_se")) with yerrorlines lc rgb colour(k) lw 1.2 dt (9, 6) pt mark(k) ps 0.6, \
     NaN with lines lc rgb black lw 1.6 dt 1 title "first data model", \
     NaN with lines lc rgb black lw 1.2 dt (9, 6) title "second data model"

@bottom; @left; letter = "c"; @panel
title_text = "standard errors of the MAP, over Beta"; @heading
set yrange [0:1.3]; set ytics 0, 0.25
set xlabel "Input ".m_x; set ylabel "Ratio of standard errors"
set object 1 rect from graph 0, first 0.9 to graph 1, first 1.1 behind
unset key
plot 1 lc rgb grey lw 1 dt 2, \
     for [k = 1:3] whole using (column("x") + 0.12 * (k - 2)):(of("simple", method(k), "map")):(2 * column("map_se")) with yerrorlines lc rgb colour(k) lw 1.6 dt 1 pt mark(k) ps 0.6, \
     for [k = 1:3] whole using (column("x") + 0.12 * (k - 2)):(of("bimodal", method(k), "map")):(2 * column("map_se")) with yerrorlines lc rgb colour(k) lw 1.2 dt (9, 6) pt mark(k) ps 0.6
unset object 1

@right; letter = "d"; @panel
title_text = "learning as data arrive"; @heading
set logscale x; set xrange [16:5000]; set xtics (20, 50, 100, 200, 500, 1000, 2000, 4000)
set yrange [0:0.8]; set ytics 0, 0.2
set xlabel "Rows of data"; set ylabel "Total variation from the encoded"
set key at graph 0.99, 0.99 right top Left reverse samplen 2.4
plot learning using "rows":(curve("simple", "weight")):(2 * column("weight_se")) with yerrorlines lc rgb contrast lw 1.4 dt 1 pt 4 ps 0.6 title "competition by weight", \
     learning using "rows":(curve("bimodal", "weight")):(2 * column("weight_se")) with yerrorlines lc rgb contrast lw 1.2 dt (9, 6) pt 4 ps 0.6, \
     learning using "rows":(curve("simple", "amplitude")):(2 * column("amplitude_se")) with yerrorlines lc rgb red lw 1.6 dt 1 pt 7 ps 0.6 title "competition by amplitude", \
     learning using "rows":(curve("bimodal", "amplitude")):(2 * column("amplitude_se")) with yerrorlines lc rgb red lw 1.2 dt (9, 6) pt 7 ps 0.6
unset multiplot
