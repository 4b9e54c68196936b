# Modulating release: a gain on all synapses, and which mode is expressed.
# alt: Three panels. a: a map of who wins against the gain: pale horizontal streaks on the left, two blue blobs in the
# middle, one thin dark line at -2 on the right. b: against the gain: empty draws and no evidence fall from the left,
# the most likely output rises to one on the right, in a band. c: four points: encoded and analytic at one half, all 0.3
# at about 0.8, all 1 at one.
width = 17; height = 5.6
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"; tiny = format eq "pdf" ? ",7.3" : ",10"; plain = format eq "pdf" ? ",9" : ",13"
set palette defined (0 "#FFFFFF", 0.15 "#CFE3F1", 0.4 "#6FAFD6", 0.7 "#0072B2", 1 "#002B49")
fresh = 'unset label; unset arrow; unset logscale; set xtics autofreq; set ytics autofreq; set autoscale; set format "%h"; unset key'
head = 'set label 98 what at graph 0.5, graph 1 offset 0, 0.7 center font plain front'
place = 'set lmargin at screen l; set rmargin at screen l + w; set tmargin at screen 0.885; set bmargin at screen 0.2'

set multiplot

@fresh; l = 0.065; w = 0.25; @place; letter = "a"; @panel; what = "winners under a gain on release"; @head
set xrange [-3:3]; set yrange [-6:6]; set xtics ("10^{−3}" -3, "10^{−2}" -2, "0.1" -1, "1" 0, "10" 1, "100" 2, "10^3" 3); set ytics -6, 3, 6
set xlabel "Gain on all release probabilities"; set ylabel "Output ".m_y; set border 15; unset grid; set cbrange [0:0.6]
set style fill solid 1.0; set colorbox user origin 0.322, 0.2 size 0.009, 0.685; set cbtics ("0" 0, "0.01" 0.1, "0.1" 0.316, "0.3" 0.548) font small offset -0.7, 0
set arrow 1 from 0, -6 to 0, 6 nohead front lc rgb black lw 0.8 dt (4, 3)
set label 1 "as encoded" at 0.08, 5.2 font small front
plot data.'/image.tsv' skip 1 using 1:2:($3 > 0.36 ? 0.6 : sqrt($3)) with image pixels
set border 3; set grid; unset colorbox

@fresh; l = 0.445; w = 0.235; @place; letter = "b"; @panel; what = "raised and lowered"; @head
set logscale x; set xrange [1e-3:1e3]; set format x "10^{%L}"; set yrange [0:1.02]; set xtics 1e-3, 100, 1e3; set ytics 0, 0.5
set xlabel "Gain on all release probabilities"; set ylabel "Probability"; set style fill solid 0.25 noborder
set arrow 1 from 1, 0 to 1, 1.02 nohead lc rgb black lw 0.8 dt (4, 3)
set label 1 "most likely" at 1000, 0.30 right font small tc rgb blue; set label 2 "no evidence" at 1.4e-3, 0.66 font small tc rgb red; set label 3 "empty" at 2.2e-2, 0.92 font small tc rgb "#666666"
plot data.'/gain.tsv' skip 1 using 1:($2 - $3):($2 + $3) with filledcurves lc rgb blue, '' skip 1 using 1:2 with lines lc rgb blue lw 1.7 dt 1, \
  '' skip 1 using 1:($6 - $7):($6 + $7) with filledcurves lc rgb red, '' skip 1 using 1:6 with lines lc rgb red lw 1.7 dt (8, 4), \
  '' skip 1 using 1:10 with lines lc rgb "#888888" lw 1.3 dt (2, 3)

@fresh; l = 0.755; w = 0.235; @place; letter = "c"; @panel; what = "which mode is expressed"; @head
set xrange [-0.4:3.3]; set yrange [0:1.05]; set ytics 0, 0.5; set xtics ("encoded" 0, "analytic" 1, "all 0.3" 2, "all 1" 3) font tiny
set xlabel "Release probabilities"; set ylabel "Share of the mode at −2"
plot data.'/failure.tsv' using ($2 == 0 ? $2 : 1/0):3:4 with yerrorbars lc rgb black lw 1.2 pt 7 ps 0.55, \
  '' using ($2 == 1 ? $2 : 1/0):3:4 with yerrorbars lc rgb blue lw 1.2 pt 5 ps 0.6, '' using ($2 > 1 ? $2 : 1/0):3:4 with yerrorbars lc rgb "#777777" lw 1.2 pt 9 ps 0.65
set xtics font plain

unset multiplot
