# What a network has learned of two real data sets: its samples as bands that hold 50% and 90% of them, and the data.
# alt: Two panels, grey dots of data with a blue line and two shades of bands. a: waiting time rises with the eruption's
# length, in an s-shape, the bands widest in the middle. b: acceleration is flat, plunges to about -110 at twenty
# milliseconds, overshoots above zero and settles; the bands are narrow at first and wide afterwards.
width = 17; height = 6.2
load 'figures/style.gp'
plain = format eq "pdf" ? ",9" : ",13"
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'
array set_name[2] = ["faithful", "mcycle"]
array unit_x[2] = ["Eruption (min)", "Time after impact (ms)"]
array unit_y[2] = ["Waiting time (min)", "Acceleration (g)"]
here(c) = strcol(1) eq name ? column(c) : 1/0
set tmargin at screen 0.9; set bmargin at screen 0.18; unset key

set multiplot
do for [s = 1:2] {
  name = set_name[s]
  set lmargin at screen 0.08 + (s - 1) * 0.5; set rmargin at screen 0.48 + (s - 1) * 0.5
  letter = s == 1 ? "a" : "b"; @panel; what = s == 1 ? "Old Faithful" : "motorcycle impacts"; @head
  set xlabel unit_x[s]; set ylabel unit_y[s]
  if (s == 1) { set xrange [1.5:5.2]; set yrange [38:102]; set xtics 2, 1, 5; set ytics 40, 20 } else { set xrange [0:59]; set yrange [-160:100]; set xtics 0, 20; set ytics -150, 50 }
  plot data.'/bands.tsv' using (here(2)):3:7 with filledcurves lc rgb blue fs solid 0.12, '' using (here(2)):4:6 with filledcurves lc rgb blue fs solid 0.22, \
    data.'/cloud.tsv' using (here(2)):3 with dots lc rgb "#66A9D0", data.'/bands.tsv' using (here(2)):5 with lines lc rgb blue lw 1.5 dt 1, \
    data.'/data.tsv' using (here(2)):3 with points pt 6 ps 0.28 lw 0.8 lc rgb black
}
unset multiplot
