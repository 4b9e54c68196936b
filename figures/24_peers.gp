# 24_peers: a: held-out CRPS over that of the best peer, by data set, ours above and peers below; bars are two standard errors over
# parts. b: how often central 50% and 90% intervals cover, two stages and the best peer.
# alt: Two panels with nine rows, one for each data set, several symbols with error bars in each. a: score relative to
# the best peer: most symbols lie between 0.95 and 1.1 of the vertical line at one, with bars that overlap, except with
# diamonds and wages, where the bars are short and ours are a few per cent to the right. b: coverage: points near the
# vertical lines at 0.5 and 0.9; blue ones mostly to the right of them.
width = 17; height = 12.2
load 'figures/style.gp'
tiny = format eq "pdf" ? ",7.3" : ",10"; plain = format eq "pdf" ? ",9" : ",13"
fresh = 'unset label; unset arrow; set xtics autofreq; set autoscale; set format "%h"; unset key; unset ytics'
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen 0.875; set bmargin at screen 0.1'
array names[9] = ["motorcycle", "food and income", "Old Faithful", "urine GAG", "diamonds", "ozone", "diabetes", "earthquakes", "wages"]
array inputs[9] = ["133, one", "235, one", "272, one", "314, one", "53,940, one", "116, two", "442, two", "1,000, two", "4,014, two"]
at(s, m) = s + 0.1 * (m - 4.5)
of(m, c) = strcol(3) eq m ? column(c) : 1/0

set multiplot

@fresh; l = 0.155; w = 0.5; @place; letter = "a"; @panel;
set xrange [0.87:1.23]; set yrange [9.6:0.4]; set xtics 0.9, 0.1; set xlabel "CRPS over that of the best peer"; set ylabel ""
do for [s = 1:9] { set label s names[s] at screen 0.145, first s - 0.13 right font plain; set label 10 + s inputs[s] at screen 0.145, first s + 0.2 right font tiny tc rgb contrast }
do for [s = 1:8] { set arrow s from graph 0, first s + 0.5 to graph 1, first s + 0.5 nohead lc rgb "#DDDDDD" lw 0.6 back }
set arrow 20 from 1, 0.4 to 1, 9.6 nohead lc rgb "#777777" lw 0.8 back
set arrow 21 from 1.1, 0.4 to 1.1, 9.6 nohead lc rgb "#777777" lw 0.8 dt (3, 3) back
set key at screen 0.41, screen 0.992 center top maxrows 3 Left reverse samplen 0.6 font small width 1
plot data.'/scores.tsv' using (of("two_stage", 8)):(at($2, 1)):(2 * $9) with xerrorbars lc rgb blue lw 1.1 pt 5 ps 0.5 title "two stages", \
  '' using (of("participation", 8)):(at($2, 2)):(2 * $9) with xerrorbars lc rgb blue lw 1.1 pt 4 ps 0.5 title "participation", \
  '' using (of("two_stage_200", 8)):(at($2, 3)):(2 * $9) with xerrorbars lc rgb sky lw 1.1 pt 13 ps 0.65 title "200 outputs", \
  '' using (of("kernel", 8)):(at($2, 4)):(2 * $9) with xerrorbars lc rgb black lw 1.0 pt 6 ps 0.5 title "kernel", \
  '' using (of("quantile", 8)):(at($2, 5)):(2 * $9) with xerrorbars lc rgb black lw 1.0 pt 9 ps 0.55 title "quantile regression", \
  '' using (of("gauss", 8)):(at($2, 6)):(2 * $9) with xerrorbars lc rgb black lw 1.0 pt 2 ps 0.5 title "Gaussian process", \
  '' using (of("mixture", 8)):(at($2, 7)):(2 * $9) with xerrorbars lc rgb contrast lw 1.0 pt 12 ps 0.6 title "Gaussian mixture", \
  '' using (of("dropout", 8)):(at($2, 8)):(2 * $9) with xerrorbars lc rgb red lw 1.0 pt 10 ps 0.55 title "dropout"

@fresh; l = 0.725; w = 0.255; @place; letter = "b"; @panel;
set xrange [0.35:1.02]; set yrange [9.6:0.4]; set xtics 0.4, 0.1; set xlabel "Share of rows covered"; set ylabel ""
do for [s = 1:8] { set arrow s from graph 0, first s + 0.5 to graph 1, first s + 0.5 nohead lc rgb "#DDDDDD" lw 0.6 back }
set arrow 20 from 0.5, 0.4 to 0.5, 9.6 nohead lc rgb "#777777" lw 0.8 back; set arrow 21 from 0.9, 0.4 to 0.9, 9.6 nohead lc rgb "#777777" lw 0.8 back
set key at screen 0.855, screen 0.975 center top maxrows 2 Left reverse samplen 0.6 font small
best(c) = column(5) == 1 ? column(c) : 1/0
plot data.'/scores.tsv' using (of("two_stage", 12)):($2 - 0.24):(2 * $13) with xerrorbars lc rgb blue lw 1.1 pt 5 ps 0.5 title "two stages", \
  '' using (best(12)):($2 + 0.24):(2 * $13) with xerrorbars lc rgb black lw 1.0 pt 6 ps 0.5 title "best peer", \
  '' using (of("participation", 12)):($2):(2 * $13) with xerrorbars lc rgb blue lw 1.1 pt 4 ps 0.5 title "participation", \
  '' using (of("two_stage", 14)):($2 - 0.24):(2 * $15) with xerrorbars lc rgb blue lw 1.1 pt 5 ps 0.5 notitle, \
  '' using (of("participation", 14)):($2):(2 * $15) with xerrorbars lc rgb blue lw 1.1 pt 4 ps 0.5 notitle, \
  '' using (best(14)):($2 + 0.24):(2 * $15) with xerrorbars lc rgb black lw 1.0 pt 6 ps 0.5 notitle

unset multiplot
