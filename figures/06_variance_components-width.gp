# 06_variance_components-width: standard deviation of samples over the true one under the mapping, against the width of
# the kernels H with which the whole activity is decoded, one line for each input; at the left the readout by the winner.
# Grey: within a tenth of 1. Bars: two standard errors. [fig:simresults] [eq:decode]
# alt: Two panels of a ratio against the width of kernels, from 0.05 to 1, five blue lines each, with a grey band at 1. a,
# divided by the sum: lines of the third and the last input rise from 0.7 to 0.85 below the band, that of the first falls
# to 0.4. b, divided by participation: four lines lie in the band or a little above it, the first near 1.9 at all widths.
width = 17; height = 6.5
load 'figures/style.gp'
set datafile missing NaN   # a line goes on past the rows of other inputs

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
widths = data.'/sd_by_width.tsv'; side = data.'/sd_by_input.tsv'
winner = 0.026

of(x) = strcol("method") eq "analytic" && strcol("normaliser") eq normaliser && column("x") == x
ratio(x) = of(x) ? column("mean") / column("truth") : NaN
bar(x) = 2 * column("se") / column("truth")

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.175
set logscale x
set xrange [0.022:1.3]
set xtics ("winner" winner, "  0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.3" 0.3, "0.5" 0.5, "1" 1)
set xlabel "Width of the kernels H"
set object 1 rectangle from graph 0, first 0.9 to graph 1, first 1.1 fc rgb "#E8E8E8" fs solid noborder behind
array at = [-4, -2, 0, 2, 4]
array mark = [4, 6, 8, 10, 12]

@left; letter = "a"; @panel
title_text = "release divided by the sum of the input vector"; @heading
set ylabel "Spread of samples over truth"
set yrange [0:1.4]; set ytics 0, 0.2
normaliser = "sum"
set key at graph 0.02, 0.01 left bottom Left reverse spacing 0.8 samplen 1.6
plot for [k = 1:5] widths using "width":(ratio(at[k])):(bar(at[k])) with yerrorlines lc rgb blue dt k pt mark[k] ps 0.6 \
       title m_x." = ".(at[k] < 0 ? "−" : "").sprintf("%d", abs(at[k])), \
     for [k = 1:5] side using (winner):(ratio(at[k])) with points lc rgb blue pt mark[k] ps 0.6

@right; letter = "b"; @panel
title_text = "release divided by participation"; @heading
set ylabel ""
set yrange [0:2.2]; set ytics 0, 0.5
normaliser = "participation"
unset key
plot for [k = 1:5] widths using "width":(ratio(at[k])):(bar(at[k])) with yerrorlines lc rgb blue dt k pt mark[k] ps 0.6, \
     for [k = 1:5] side using (winner):(ratio(at[k])) with points lc rgb blue pt mark[k] ps 0.6
unset multiplot
