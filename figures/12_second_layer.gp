# Uncertainty in a second layer: passed on in time, sample by sample, and in space, as the whole activity.
# alt: One panel: a distribution with a high peak at -2 and a lower one at 0. The black convolution is highest; sample
# by sample and normalised rows lie close to it and a little lower at the peak; the orange dashed line of the whole
# activity has lower peaks and a raised floor at both ends.
width = 10.2; height = 5.6
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"
set lmargin at screen 0.12; set rmargin at screen 0.97; set tmargin at screen 0.95; set bmargin at screen 0.2

set xrange [-6:6]; set yrange [0:0.066]; set xtics -6, 2, 6; set ytics 0, 0.02
set xlabel "Output of the second layer ".m_z; set ylabel "Probability"
set key at graph 1.0, graph 1.03 right top Left reverse font small
plot data.'/layers.tsv' skip 1 using 1:2 with lines lc rgb black lw 2.2 dt 1 t "convolution", '' skip 1 using 1:3 with lines lc rgb blue lw 1.5 dt (8, 4) t "in time: sample by sample", \
  '' skip 1 using 1:4 with lines lc rgb orange lw 1.6 dt (3, 4) t "in space: whole activity", '' skip 1 using 1:5 with lines lc rgb green lw 1.4 dt (12, 4, 3, 4) t "in space, rows normalised"
