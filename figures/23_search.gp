# 23_search: a: the chance of each outcome against a gain on the releases of the first layer. b: the effective number of
# outcomes, by where the gain is; bands are a standard deviation over data sets. c: the chance of the wanted outcome, and
# the part of it that is reached through a plan never followed.
# alt: Three panels against a gain on release. a: with rising gain the chance of the outcome that was followed most
# often rises to nearly one; that of all others falls to near zero, the second after a bump. b: the effective number of
# outcomes falls from about four to one for the first layer and for both, but levels off near 2.6 for the second layer.
# c: the chance of the wanted outcome falls from 0.14 to zero; two lower lines are its parts.
width = 17; height = 6.4
load 'figures/style.gp'
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen 0.885; set bmargin at screen 0.175'
fresh = 'unset label; unset arrow; unset logscale; set ytics autofreq; set autoscale; set format "%h"; unset key; set logscale x 2; set xrange [0.0145:69]; set xtics ("1/64" 1/64., "1/8" 1/8., "1" 1, "8" 8, "64" 64)'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center front'
shade(k) = word("#08306B #2171B5 #6BAED6 #D55E00", k)

set multiplot

@fresh; l = 0.082; w = 0.24; @place; letter = "a"; @panel; what = "outcomes, first layer modulated"; @head
set yrange [0:1.05]; set ytics 0, 0.25; set xlabel "Gain on release, first layer"; set ylabel "Probability"
set arrow 1 from 1, 0 to 1, 1.05 nohead lc rgb grey lw 0.8 dt (4, 3)
set key at graph 0.03, graph 1.0 left top Left reverse samplen 1.8 font small
plot data.'/lower.tsv' using "gain":"outcome1" with lines lc rgb shade(1) lw 1.6 dt 1 title "60% followed", '' using "gain":"outcome2" with lines lc rgb shade(2) lw 1.6 dt (10, 3) title "30%", \
  '' using "gain":"outcome3" with lines lc rgb shade(3) lw 1.6 dt (5, 3) title "8%", '' using "gain":"outcome4" with lines lc rgb red lw 1.8 dt 1 title "2%, wanted", \
  '' using "gain":"beyond" with lines lc rgb contrast lw 1.2 dt (2, 3) title "anything else"

@fresh; l = 0.412; w = 0.24; @place; letter = "b"; @panel; what = "breadth of search"; @head
set yrange [0.9:4.3]; set ytics 1, 1; set xlabel "Gain on release"; set ylabel "Effective number of outcomes"
set arrow 1 from 1, 0.9 to 1, 4.3 nohead lc rgb grey lw 0.8 dt (4, 3)
set key at graph 0.99, graph 1.0 right top Left reverse samplen 1.8 font small
plot for [f in "lower upper both"] data.'/'.f.'.tsv' using "gain":(column("breadth") - column("breadth_sd")):(column("breadth") + column("breadth_sd")) with filledcurves lc rgb (f eq "lower" ? blue : f eq "upper" ? green : black) fs solid 0.15 noborder, \
  data.'/lower.tsv' using "gain":"breadth" with lines lc rgb blue lw 1.6 dt 1 title "first layer", \
  data.'/upper.tsv' using "gain":"breadth" with lines lc rgb green lw 1.6 dt (12, 4, 3, 4) title "second layer", \
  data.'/both.tsv' using "gain":"breadth" with lines lc rgb black lw 1.4 dt (3, 3) title "both"

@fresh; l = 0.752; w = 0.24; @place; letter = "c"; @panel; what = "reaching the wanted outcome"; @head
set yrange [0:0.2]; set ytics 0, 0.05; set xlabel "Gain on release, first layer"; set ylabel "Probability"
set arrow 1 from 1, 0 to 1, 0.2 nohead lc rgb grey lw 0.8 dt (4, 3)
set key at graph 0.99, graph 1.0 right top Left reverse samplen 1.8 font small
plot data.'/lower.tsv' using "gain":"outcome4" with lines lc rgb red lw 1.8 dt 1 title "in all", \
  '' using "gain":(column("outcome4") * column("blind")) with lines lc rgb contrast lw 1.4 dt (8, 4) title "through no plan", \
  '' using "gain":(column("outcome4") * (1 - column("blind"))) with lines lc rgb blue lw 1.4 dt (3, 3) title "through its plan"

unset multiplot
