# 11_combined_uncertainty: what multiplying the releases does. a: spread of samples with both releases over that with Q
# alone, against the rows of data per input (full lines: default reading; dotted: printed). b: one input alone, relative
# to the data-generating standard deviation. c: how often nothing transmits. d: who wins at an input without data.
# Bars: two standard errors over networks.
# alt: Four panels. a: ratios of spread, above one with few rows, fall toward one with more, for three inputs. b: spread
# relative to the true one at five inputs: the encoded line and the dashed printed one start near 1.7 at the left, the
# blue line of the exact root at 1.2; all near 1 elsewhere. c: the chance of an empty draw falls with more rows; the
# exact root's lines are orders of magnitude above the printed one's. d: many thin bars of the chance to win at each
# output, a few of them tall, around the flat black line of what is encoded.
width = 17; height = 12.6
load 'figures/style.gp'

left   = 'set lmargin at screen 0.085; set rmargin at screen 0.490'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.992'
top    = 'set tmargin at screen 0.950; set bmargin at screen 0.600'
bottom = 'set tmargin at screen 0.435; set bmargin at screen 0.088'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

spread = data.'/spread.tsv'
set datafile missing NaN  # lines go on over rows that belong to others
at(reading, input, name) = strcol("reading") eq reading && column("x") == input ? column(name) : NaN
of(reading, name) = strcol("reading") eq reading && column("rows") == 800 ? column(name) : NaN
shade(k) = word("#08306B #2171B5 #6BAED6", k)
input(k) = int(word("-4 0 4", k))
sign(x) = (x < 0 ? "−" : "").sprintf("%d", abs(x))

set multiplot

@top; @left; letter = "a"; @panel
title_text = "spread with ".m_Phi." and ".m_Q.", relative to ".m_Q." alone"; @heading
set logscale xy; set xrange [4:4200]; set xtics (5, 20, 80, 320, 800, 3200)
set yrange [0.88:2.1]; set ytics (0.9, 1, 1.2, 1.5, 2)
set xlabel "Rows of data per input"; set ylabel "Ratio of standard deviations"
set key at graph 0.99, 0.99 right top Left reverse samplen 2.4
plot 1 lc rgb grey lw 1 dt 2, \
     for [k = 1:3] spread using "rows":(at("default", input(k), "inflation")):(2 * column("inflation_se")) with yerrorlines lc rgb shade(k) lw 1.6 dt 1 pt 7 ps 0.5 title "input ".sign(input(k)), \
     for [k = 1:3] spread using "rows":(at("printed", input(k), "inflation")):(2 * column("inflation_se")) with yerrorlines lc rgb shade(k) lw 1.1 dt (2, 3) pt 6 ps 0.5

@right; letter = "b"; @panel
title_text = "one input alone, 800 rows of data"; @heading
unset logscale; set xrange [-4.4:4.4]; set xtics -4, 2, 4
set yrange [0.9:1.95]; set ytics 1, 0.2
set xlabel "Input ".m_x; set ylabel "S.d. relative to the true one"
plot 1 lc rgb grey lw 1 dt 2, \
     spread using "x":(of("default", "row_encoded") / column("truth")):(2 * column("row_encoded_se") / column("truth")) with yerrorlines lt 1 ps 0.55 title "encoded, and ".m_Q, \
     spread using "x":(of("default", "row_combined") / column("truth")):(2 * column("row_combined_se") / column("truth")) with yerrorlines lt 2 ps 0.6 title "exact ".m_Phi." and ".m_Q, \
     spread using "x":(of("printed", "row_combined") / column("truth")):(2 * column("row_combined_se") / column("truth")) with yerrorlines lc rgb blue lw 1.1 dt (2, 3) pt 4 ps 0.6 title "printed ".m_Phi." and ".m_Q

@bottom; @left; letter = "c"; @panel
title_text = "empty draws"; @heading
set logscale xy; set xrange [4:4200]; set xtics (5, 20, 80, 320, 800, 3200)
set yrange [1e-7:1]; set ytics ("10^{−6}" 1e-6, "10^{−4}" 1e-4, "0.01" 0.01, "1" 1)
set xlabel "Rows of data per input"; set ylabel "Chance of an empty draw"
unset key
set label 2 "exact ".m_Phi at 450, 0.15
set label 3 "printed ".m_Phi at 13, 4e-5 center
plot for [k = 1:3] spread using "rows":(at("default", input(k), "empty")) with linespoints lc rgb shade(k) lw 1.6 dt 1 pt 7 ps 0.5, \
     for [k = 1:3] spread using "rows":(at("printed", input(k), "empty")) with linespoints lc rgb shade(k) lw 1.1 dt (2, 3) pt 6 ps 0.5

unset label 2; unset label 3

@right; letter = "d"; @panel
title_text = "an input without data, ".m_x." = 3"; @heading
unset logscale; set xrange [-6.1:6.1]; set xtics -6, 3, 6
set yrange [0:0.1]; set ytics 0, 0.02
set xlabel "Output ".m_y; set ylabel "Probability to win"
set key at graph 0.99, 0.99 right top Left reverse samplen 2.0
plot data.'/unseen_input.tsv' using (column("y") - 0.025):"combined" with impulses lc rgb sky lw 1.6 title m_Phi." and ".m_Q, \
     data.'/unseen_input.tsv' using (column("y") + 0.025):"observed" with impulses lc rgb blue lw 1.2 title m_Q." alone", \
     data.'/unseen_input.tsv' using "y":"encoded" with lines lt 1 title "encoded"
unset multiplot
