# 21_rehearsal: how far the repaired network's winners are from what it encodes, mean over five inputs. a: against the
# draws made when an input is presented. b: against the draws after each row of data, presented with ten draws. c and d:
# networks that learn in other ways, as data arrive, for each data model. Bars: two standard errors.
# alt: Four panels of total variation on logarithmic axes. a: lines fall with draws at presentation: from 0.35 and 0.7
# after 20 rows, and from 0.11 and 0.35 after 200, to about 0.03; after all rows the first data model is flat near 0.02
# and the second falls from 0.1 to 0.04. b: lines fall slowly with the draws after each row. c, d: grey competition by
# weight is highest, the red plain network falls from 0.35 (first data model) or 0.7 (second) to 0.03 or 0.1; the green
# one that starts at random and follows the data is low from the beginning, near 0.05, and ends near 0.01 or 0.03.
width = 17; height = 12.6
load 'figures/style.gp'

left   = 'set lmargin at screen 0.085; set rmargin at screen 0.490'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.992'
top    = 'set tmargin at screen 0.950; set bmargin at screen 0.600'
bottom = 'set tmargin at screen 0.435; set bmargin at screen 0.088'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

draws = data.'/draws.tsv'; variants = data.'/variants.tsv'
set datafile missing NaN
stats draws using "rows" nooutput
least = STATS_min; most = STATS_max
stats draws using "draws_per_row" nooutput
plain = STATS_min
stats draws using (column("rows") > least && column("rows") < most ? column("rows") : NaN) nooutput
middle = STATS_min
rows_of(k) = k == 1 ? least : k == 2 ? middle : most
words_of(k) = k == 3 ? sprintf("%d rows of data", most) : sprintf("%d", rows_of(k))
by_presentation(model, k, name) = strcol("model") eq model && column("rows") == rows_of(k) \
  && column("draws_per_row") == plain && column("presentation") > 0 ? column(name) : NaN
by_row(model, k, name) = strcol("model") eq model && column("rows") == rows_of(k) \
  && column("presentation") == plain ? column(name) : NaN
variant(model, which, name) = strcol("model") eq model && strcol("variant") eq which ? column(name) : NaN
model(m) = word("simple bimodal", m)
dash(m) = m == 1 ? 1 : 2

set multiplot
set logscale xy
set yrange [0.0012:1]; set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)

@top; @left; letter = "a"; @panel
title_text = "rehearsal: draws when an input is presented"; @heading
set xrange [8:2600]; set xtics ("10" 10, "30" 30, "100" 100, "300" 300, "1000" 1000, "2000" 2000)
set xlabel "Draws at presentation"; set ylabel "Total variation from the encoded"
unset key
plot for [k = 1:3] draws using "presentation":(by_presentation("simple", k, "off")):(2 * column("off_se")) with yerrorlines lt k dt 1 title words_of(k), \
     for [k = 1:3] draws using "presentation":(by_presentation("bimodal", k, "off")):(2 * column("off_se")) with yerrorlines lt k lw 1.2 dt (9, 6)

@right; letter = "b"; @panel
title_text = "draws after each row of data"; @heading
set xlabel "Draws a row"; set ylabel ""
set key at graph 0.01, 0.02 left bottom Left reverse samplen 2.0 maxrows 2
plot for [k = 1:3] draws using "draws_per_row":(by_row("simple", k, "off")):(2 * column("off_se")) with yerrorlines lt k dt 1 title words_of(k), \
     for [k = 1:3] draws using "draws_per_row":(by_row("bimodal", k, "off")):(2 * column("off_se")) with yerrorlines lt k lw 1.2 dt (9, 6), \
     NaN with lines lc rgb black lw 1.2 dt (9, 6) title "second data model"

which(v) = word("weight start early plain follow start+follow", v)
says(v) = v == 1 ? "by weight" : v == 2 ? "random start" : v == 3 ? "more draws early" : v == 4 ? "plain" : v == 5 ? "follows data" : "both"
line(v) = int(word("8 5 7 3 2 4", v))
set xrange [16:5000]; set xtics ("20" 20, "50" 50, "200" 200, "1000" 1000, "4000" 4000)
set xlabel "Rows of data"
@bottom; @left; letter = "c"; @panel
title_text = "other ways to learn, first data model"; @heading
set ylabel "Total variation from the encoded"
set key at graph 0.01, 0.02 left bottom Left reverse samplen 2.0 maxrows 3 width -2
plot for [v = 1:6] variants using "rows":(variant("simple", which(v), "off")):(2 * column("off_se")) with yerrorlines lt line(v) title says(v)

@right; letter = "d"; @panel
title_text = "second data model"; @heading
set ylabel ""; unset key
plot for [v = 1:6] variants using "rows":(variant("bimodal", which(v), "off")):(2 * column("off_se")) with yerrorlines lt line(v)
unset multiplot
