# How near the amplitude rule brings the winners at every size, over the power rule at its best.
# alt: The distance left by the amplitude rule over that of the best power rule, against the number of synapses on
# logarithmic axes: four lines, for uniform, bell-shaped, bimodal and decaying weights, rise from about 0.05 to 0.1 at
# ten synapses to about 0.3 to 0.45 at a thousand, decay highest with 0.85. All stay below one.
width = 5.6; height = 6.6
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

set multiplot
set tmargin screen 0.90; set bmargin screen 0.185

# c: sizes and shapes, over the power rule at its best
letter = "c"; @panel
set lmargin screen 0.217; set rmargin screen 0.976
set logscale xy
shape(s, y) = strcol("shape") eq s ? column(y) : NaN
set xrange [8:1300]; set xtics ("10" 10, "30" 30, "100" 100, "300" 300, "1000" 1000)
set yrange [0.02:1.5]; set ytics ("0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "Synapses ".m_n; set ylabel "Over the best power rule" offset 1.2 + near, 0
set key at graph 0.98, graph 0.02 right bottom Left reverse font small spacing 0.95
plot 1 lt 8 dt (2, 3), \
     data.'/against.tsv' using "n":(shape("uniform", "ratio")):(shape("uniform", "se")) with yerrorlines lt 6 title "uniform", \
     '' using "n":(shape("bell", "ratio")):(shape("bell", "se")) with yerrorlines lt 2 title "bell", \
     '' using "n":(shape("bimodal", "ratio")):(shape("bimodal", "se")) with yerrorlines lt 3 title "bimodal", \
     '' using "n":(shape("decay", "ratio")):(shape("decay", "se")) with yerrorlines lt 4 title "decay"
unset multiplot
