# 20_held_masks: what is not known and what is not fixed, against the amount of data, at three inputs. a: variance within
# bouts of held sites. b: variance between them. Full lines: the network; dashes: open sites act on releases of the redraw
# family; black dots: the Beta model. Bars: two standard errors over networks.
# alt: Two panels on logarithmic axes against rows of data, three blue lines each for three inputs. a: variance within
# bouts: falls for two inputs and stays for the third, toward dashed horizontal levels of the data. b: variance between
# bouts: all fall steeply. Dashed lines of the other variant run through the black circles of the Beta model, full ones
# beside them.
width = 17; height = 7.0
load 'figures/style.gp'

left   = 'set lmargin at screen 0.085; set rmargin at screen 0.490'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.992'
all    = 'set tmargin at screen 0.900; set bmargin at screen 0.165'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

parts = data.'/components.tsv'
set datafile missing NaN
at(input, name) = column("x") == input && column(name) > 0 ? column(name) : NaN
shade(k) = word("#08306B #2171B5 #6BAED6", k)
input(k) = int(word("-4 0 4", k))
mark(k) = int(word("7 5 9", k))
sign(x) = (x < 0 ? "−" : "").sprintf("%d", abs(x))

set multiplot
@all
set logscale xy; set xrange [4:4200]; set xtics (5, 20, 80, 320, 800, 3200)
set xlabel "Rows of data per input"

@left; letter = "a"; @panel
title_text = "within bouts: not fixed"; @heading
set yrange [0.03:60]; set ytics (0.04, 0.1, 0.3, 1, 3, 10)
set ylabel "Variance of the output"
set key at graph 0.99, 0.99 right top Left reverse samplen 2.4
plot for [k = 1:3] parts using "rows":(at(input(k), "within")):(2 * column("within_se")) with yerrorlines lc rgb shade(k) lw 1.6 dt 1 pt mark(k) ps 0.6 title "input ".sign(input(k)), \
     for [k = 1:3] parts using "rows":(at(input(k), "family_within")) with lines lc rgb shade(k) lw 1.6 dt (9, 6), \
     for [k = 1:3] parts using "rows":(at(input(k), "beta_within")) with points lc rgb black pt 6 ps 0.7 lw 1.2, \
     for [k = 1:3] parts using "rows":(at(input(k), "data")) with lines lc rgb grey lw 1 dt 2

@right; letter = "b"; @panel
title_text = "between bouts: not known"; @heading
set yrange [1e-5:1500]; set ytics ("10^{−5}" 1e-5, "10^{−4}" 1e-4, "0.001" 1e-3, "0.01" 0.01, "0.1" 0.1, "1" 1)
set ylabel ""
set key at graph 0.99, 0.99 right top Left reverse samplen 2.4
plot for [k = 1:3] parts using "rows":(at(input(k), "between")):(2 * column("between_se")) with yerrorlines lc rgb shade(k) lw 1.6 dt 1 pt mark(k) ps 0.6, \
     for [k = 1:3] parts using "rows":(at(input(k), "family_between")) with lines lc rgb shade(k) lw 1.6 dt (9, 6), \
     for [k = 1:3] parts using "rows":(at(input(k), "beta_between")) with points lc rgb black pt 6 ps 0.7 lw 1.2, \
     NaN with lines lc rgb black lw 1.6 dt 1 title "sites act on what is sent", \
     NaN with lines lc rgb black lw 1.6 dt (9, 6) title "sites act on releases", \
     NaN with points lc rgb black pt 6 ps 0.7 lw 1.2 title "Beta model", \
     NaN with lines lc rgb grey lw 1 dt 2 title "data (a)"
unset multiplot
