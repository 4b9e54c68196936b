# Held-out predictions of two real data sets: calibration and scores.
# alt: Six panels, two rows for two data sets. Left: histograms of the PIT as stepped lines around one within a grey
# band, with a hump in the middle. Middle: scores relative to the kernel estimate, one row per method: above, nearly all
# at one; below, ours to the right of one. Right: coverage of two intervals by method, points near 0.5 and 0.9, ours to
# the right of 0.5.
width = 17; height = 11.4
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"; plain = format eq "pdf" ? ",9" : ",13"; tiny = format eq "pdf" ? ",7.3" : ",10"
top(r) = 0.945 - 0.5 * r
fresh = 'unset label; unset arrow; unset logscale; set xtics nomirror autofreq; set ytics nomirror out scale 0.5 offset 0.5, 0 autofreq; set autoscale; set format "%h"; unset key'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen top(r); set bmargin at screen top(r) - 0.345'
array set_name[2] = ["faithful", "mcycle"]
array place_names[7] = ["participation", "sum", "complete", "two-stage", "kernel", "neighbours", "marginal"]
here(c) = strcol(1) eq name ? column(c) : 1/0
of(m, c) = strcol(1) eq name && strcol(2) eq m ? column(c) : 1/0

set multiplot
do for [s = 1:2] {
  name = set_name[s]; r = s - 1

  @fresh; l = 0.085; w = 0.26; @place; letter = s == 1 ? "a" : "d"; @panel; what = (s == 1 ? "Old Faithful" : "motorcycle impacts").": held-out PIT"; @head
  set xrange [0:1]; set yrange [0:2.3]; set xtics 0, 0.5; set ytics 0, 1; set xlabel "PIT"; set ylabel "Density"
  set label 1 "participation" at graph 0.04, graph 0.94 font small tc rgb blue; set label 2 "sum" at graph 0.04, graph 0.85 font small tc rgb "#5B8FB0"; set label 3 "kernel" at graph 0.04, graph 0.76 font small
  plot data.'/pit.tsv' using (of("kernel", 3)):5:6 with filledcurves lc rgb "#AAAAAA" fs solid 0.35, 1 with lines lc rgb "#777777" lw 0.8 dt 1, \
    '' using (of("participation", 3)):4 with histeps lc rgb blue lw 1.5 dt 1, '' using (of("sum", 3)):4 with histeps lc rgb "#7FB8DC" lw 1.4 dt (3, 3), '' using (of("kernel", 3)):4 with histeps lc rgb black lw 1.1 dt (6, 4)

  @fresh; stats data.'/scores.tsv' using (of("marginal", 6)) nooutput name "M"
  l = 0.41; w = 0.225; @place; letter = s == 1 ? "b" : "e"; @panel; what = "held-out CRPS"; @head
  set yrange [7.6:0.4]; unset ytics; set ylabel ""; set xlabel "Relative to kernel"; set xrange [0.94:1.09]; set xtics (0.95, 1, 1.05)
  do for [m = 1:7] { set label m place_names[m] at screen 0.702, first m center font tiny tc rgb (m <= 4 ? blue : black) }
  set arrow 1 from 1, 0.4 to 1, 7.6 nohead lc rgb "#777777" lw 0.8
  set label 8 sprintf("%.1f →", M_max) at 1.085, first 7 right font small
  plot data.'/scores.tsv' using ($3 > 4 ? here(6) : 1/0):3:7 with xerrorbars lc rgb black lw 1.1 pt 6 ps 0.5, '' using ($3 <= 4 ? here(6) : 1/0):3:7 with xerrorbars lc rgb blue lw 1.1 pt 5 ps 0.5

  @fresh; l = 0.775; w = 0.205; @place; letter = s == 1 ? "c" : "f"; @panel; what = "coverage"; @head
  set yrange [7.6:0.4]; unset ytics; set xrange [0.4:1.02]; set xtics (0.5, 0.9); set xlabel "Share of rows"
  set arrow 1 from 0.5, 0.4 to 0.5, 7.6 nohead lc rgb "#777777" lw 0.8; set arrow 2 from 0.9, 0.4 to 0.9, 7.6 nohead lc rgb "#777777" lw 0.8
  plot data.'/scores.tsv' using ($3 > 4 ? here(8) : 1/0):3:9 with xerrorbars lc rgb black lw 1.1 pt 6 ps 0.5, '' using ($3 <= 4 ? here(8) : 1/0):3:9 with xerrorbars lc rgb blue lw 1.1 pt 5 ps 0.5, \
    '' using ($3 > 4 ? here(10) : 1/0):3:11 with xerrorbars lc rgb black lw 1.1 pt 4 ps 0.45, '' using ($3 <= 4 ? here(10) : 1/0):3:11 with xerrorbars lc rgb blue lw 1.1 pt 7 ps 0.45
}
unset multiplot
