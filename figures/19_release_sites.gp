# 19_release_sites: how many sites are needed. a: standard error of the winner over that of the Beta model, by input
# (grey cross: the printed root, one site); the band is within a tenth. b: the same of the population mean. c: third
# central moment of the output activities over that under Beta weights. d: empty draws with the mapping beside the
# sites, and what a synapse's sites can send together. Bars: two standard errors over networks.
# alt: Four panels against the number of sites. a: standard error of the winner over the Beta model: three lines rise
# from about 0.2 to 0.4 and enter the grey band around one at four to sixteen sites. b: the same of the population mean:
# all points lie in the band; grey crosses of the printed root below it. c: third moment: the orange line without data
# is near one throughout; blue lines rise from far below toward one half. d: the blue line of empty draws falls slowly
# from 0.3; orange, what a synapse can send, rises as a straight line; yellow, one site, falls slightly.
width = 17; height = 12.6
load 'figures/style.gp'

left   = 'set lmargin at screen 0.085; set rmargin at screen 0.490'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.955'
top    = 'set tmargin at screen 0.950; set bmargin at screen 0.600'
bottom = 'set tmargin at screen 0.435; set bmargin at screen 0.088'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

errors = data.'/standard_errors.tsv'; third = data.'/third_moments.tsv'; costs = data.'/costs.tsv'
set datafile missing NaN
at(root, input, name) = strcol("root") eq root && column("x") == input ? column(name) : NaN
moment(input) = column("x") == input ? column("ratio") : NaN
cost(which, name) = strcol("input") eq which ? column(name) : NaN
shade(k) = word("#08306B #2171B5 #6BAED6", k)
input(k) = int(word("-4 0 4", k))
mark(k) = int(word("7 5 9", k))
sign(x) = (x < 0 ? "−" : "").sprintf("%d", abs(x))
set style rect fc rgb "#EFEFEF" fs solid noborder

set multiplot
set logscale x 2; set xrange [0.85:300]; set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256)

@top; @left; letter = "a"; @panel
title_text = "standard error of the winner"; @heading
set yrange [0:1.3]; set ytics 0, 0.25
set xlabel ""; set ylabel "Sites over Beta model"
set object 1 rect from graph 0, first 0.9 to graph 1, first 1.1 behind
set key at graph 0.99, 0.03 right bottom Left reverse samplen 2.4
plot 1 lc rgb grey lw 1 dt 2, \
     for [k = 1:3] errors using "sites":(at("exact", input(k), "winner")):(2 * column("winner_se")) with yerrorlines lc rgb shade(k) lw 1.6 dt 1 pt mark(k) ps 0.6 title "input ".sign(input(k)), \
     for [k = 1:3] errors using (column("sites") * (0.90 + 0.0 * k)):(at("printed", input(k), "winner")) with points lc rgb contrast pt 2 ps 0.6 lw 1.2 title (k == 1 ? "printed root" : "")

@right; letter = "b"; @panel
title_text = "standard error of the population mean"; @heading
set ylabel ""
unset key
plot 1 lc rgb grey lw 1 dt 2, \
     for [k = 1:3] errors using "sites":(at("exact", input(k), "mean")):(2 * column("mean_se")) with yerrorlines lc rgb shade(k) lw 1.6 dt 1 pt mark(k) ps 0.6, \
     for [k = 1:3] errors using (column("sites") * 0.90):(at("printed", input(k), "mean")) with points lc rgb contrast pt 2 ps 0.6 lw 1.2
unset object 1

@bottom; @left; letter = "c"; @panel
title_text = "third central moment of the activities"; @heading
set yrange [-1.5:2]; set ytics -1.5, 0.5
set xlabel "Release sites of a synapse"; set ylabel "Sites over Beta model"
set key at graph 0.99, 0.99 right top Left reverse samplen 2.4
plot 1 lc rgb grey lw 1 dt 2, \
     for [k = 1:3] third using "sites":(moment(input(k))) with linespoints lc rgb shade(k) lw 1.6 dt 1 pt mark(k) ps 0.6, \
     third using "sites":(moment(3)) with linespoints lt 3 ps 0.7 title "input without data"

@right; letter = "d"; @panel
title_text = "what they cost, input without data"; @heading
set yrange [0:0.6]; set ytics 0, 0.1
set ylabel "Chance of an empty draw"
set y2range [0.5:3000]; set logscale y2; set y2tics (1, 10, 100) nomirror offset -0.5, 0; set y2label "Most that a synapse sends" offset -1.2, 0
set key at graph 0.01, 0.99 left top Left reverse samplen 2.4
plot costs using "sites":(cost("unseen", "both_empty")) with linespoints lt 2 ps 0.6 title "empty draws", \
     costs using "sites":(cost("unseen", "synapse")) axes x1y2 with linespoints lt 3 ps 0.7 title "synapse (right axis)", \
     costs using "sites":(cost("unseen", "site")) axes x1y2 with linespoints lt 5 ps 0.7 title "one site (right axis)"
unset multiplot
