# 27_silences: what survives. For each central statement, the share of all combinations of the readings that touch it in
# which it holds; right, which silence of the original decides most about it, and how many combinations there are.
# alt: Twelve horizontal bars in groups, each as long as the share of readings in which a statement holds. Those that
# survive every reading are full and dark blue; those that depend on one silence or on several are partly filled, hatched
# green or orange; those that survive no reading are empty, with a cross at zero. Beside each bar stands what decides.
width = 17; height = 9.6
load 'figures/style.gp'
set datafile columnheaders

found = data.'/statements.tsv'
array in_class[4]
do for [c = 1:4] {
  stats found using (column("class") == c ? 1 : 0) nooutput
  in_class[c] = int(STATS_sum)
}
last = in_class[1] + in_class[2] + in_class[3] + in_class[4]
# Each class that has a statement begins with a heading, which takes the room of a row.
groups(c) = (in_class[1] > 0) + (c > 1 && in_class[2] > 0) + (c > 2 && in_class[3] > 0) + (c > 3 && in_class[4] > 0)
y(row, class) = -(row + groups(int(class)))
color(c) = word(sprintf("%s %s %s %s", blue, green, orange, contrast), c)
seen = 0
heading(c, at) = c == seen ? NaN : (seen = c, at)
title_of(c) = "{/:Bold ".(c == 1 ? "survives every reading" : c == 2 ? "depends on one silence" : c == 3 ? "depends on several silences" : "survives no reading")."}"
decided(by, weight) = by eq "nothing" ? "—" : sprintf("%s, %.0f%%", by, 100 * weight)
percent(s) = s > 0.995 && s < 1 ? ">99%" : s > 0 && s < 0.005 ? "below 1%" : sprintf("%.0f%%", 100 * s)

set lmargin at screen 0.45; set rmargin at screen 0.665; set tmargin at screen 0.985; set bmargin at screen 0.115
set xrange [0:1]; set yrange [-(last + groups(4) + 0.7):-0.4]
set xtics ("0" 0, "25%%" 0.25, "50%%" 0.5, "75%%" 0.75, "100%%" 1)
unset ytics
set border 1
set xlabel "Share of all combinations of readings in which it holds"
set label 2 "what decides most" at graph 1, graph 1 offset 5.6, -0.45 font small textcolor rgb contrast
set label 3 "readings" at graph 1, graph 1 offset 22, -0.45 font small textcolor rgb contrast
set style fill solid 1 border -1

half = 0.36
plot found using (0.5):(y($1, $2)):(0.5):(half) with boxxyerror lc rgb "#D9D9D9" lw 0.6 fs solid 0.25 border lc rgb grey, \
     for [c = 1:3] found using (column("class") == c ? column("share") / 2 : NaN):(y($1, $2)):(column("share") / 2):(half) \
       with boxxyerror lc rgb color(c) lw 0.6 dt 1 fs solid (c == 1 ? 0.95 : 0.7) border lc rgb black, \
     found using (column("share") == 0 ? 0.012 : NaN):(y($1, $2)) with points pt 2 ps 0.55 lw 1.4 lc rgb black, \
     found using (0):(y($1, $2)):"says" with labels right offset -0.9, 0 font (format eq "pdf" ? ",8.3" : ",12"), \
     found using (1):(y($1, $2)):(percent(column("share"))) with labels left offset 0.5, 0 font small, \
     found using (1):(y($1, $2)):(decided(strcol("decides"), column("weight"))) with labels left offset 5.6, 0 font small, \
     found using (1):(y($1, $2)):(sprintf("of %d", column("combinations"))) with labels left offset 21, 0 font small textcolor rgb contrast, \
     found using (0):(heading(int($2), y($1, $2) + 0.95)):(title_of(int($2))) with labels right offset -0.9, 0 font (format eq "pdf" ? ",8.3" : ",12") textcolor rgb "#333333"
