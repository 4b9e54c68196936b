# 01_population_code-histogram: the activity of a receiving layer, normalised, is a distribution. [fig:neuron2hist]
# Below, a sending layer projects to a receiving layer (line width: weight; shade: activity); above, the
# activity of the receiving layer divided by its sum.
# alt: Three columns. Above, histograms of the output: a narrow peak near -3, a broad hump near 1, and both together.
# Below each, three sending neurons joined by lines to a row of receiving ones; the active senders are black, their
# lines dark, and the receiving circles are bluest where the histogram is high.
width = 17; height = 8.6
load 'figures/style.gp'

stats data.'/projections.tsv' using "weight" nooutput
heaviest = STATS_max
stats data.'/layer.tsv' using "activation" nooutput
loudest = STATS_max
stats data.'/layer.tsv' using "mass" nooutput
ceiling = 1.25 * STATS_max

# White to blue in proportion to v of [0, 1].
mix(from, v) = int(from + (255 - from) * (1 - v))
shade(v) = 65536 * mix(0, v) + 256 * mix(114, v) + mix(178, v)

classes = 10
class(w) = int(ceil(classes * w / heaviest))
is(state) = strcol("state") eq state
receiver = 1.0; sender = 0.0

set multiplot
unset grid
set xrange [-6.6:6.6]

do for [panel_no = 1:3] {
  state = word("first second both", panel_no)
  left_edge = 0.100 + 0.305 * (panel_no - 1)
  set lmargin at screen left_edge; set rmargin at screen left_edge + 0.275

  letter = word("a b c", panel_no); @panel
  set tmargin at screen 0.93; set bmargin at screen 0.59
  set border 3; set yrange [0:ceiling]
  set ytics 0, 0.1, 0.4 out nomirror scale 0.5 offset 0.5, 0; set xtics -6, 3, 6 out nomirror scale 0.5 offset 0, 0.45
  if (panel_no == 1) { set ylabel "Probability mass"; set format y "%h" } else { set ylabel ""; set format y "" }
  set xlabel "Output ".m_y
  plot data.'/layer.tsv' using (is(state) ? column("y") : NaN):(column("mass")):(0.40):(shade(column("activation") / loudest)) \
         with boxes lc rgb variable lw 0.8 fs solid 1.0 border lc rgb blue, \
       data.'/states.tsv' using (is(state) ? 6.4 : NaN):(0.93 * ceiling):(sprintf("s.d. %.2f", column("sd"))) with labels right, \
       data.'/states.tsv' using (is(state) ? 6.4 : NaN):(0.82 * ceiling):(sprintf("breadth %.1f neurons", column("breadth"))) with labels right

  unset label 99; set xlabel ""
  set tmargin at screen 0.43; set bmargin at screen 0.03
  set border 0; unset xtics; unset ytics; set ylabel ""; set yrange [-0.22:1.18]
  if (panel_no == 1) {
    set label 10 "receiving" at graph 0, first receiver right offset -0.4, 0
    set label 11 "sending" at graph 0, first sender right offset -0.4, 0
  }
  plot for [k = 1:classes] data.'/projections.tsv' using (is(state) && class(column("weight")) == k ? column("x") : NaN):(sender):(column("y") - column("x")):(receiver - sender) \
         with vectors nohead lc rgb "#E4E4E4" lw 0.35 * k dt 1, \
       for [k = 1:classes] data.'/projections.tsv' using (is(state) && column("activity") > 0 && class(column("weight")) == k ? column("x") : NaN):(sender):(column("y") - column("x")):(receiver - sender) \
         with vectors nohead lc rgb black lw 0.35 * k dt 1, \
       data.'/layer.tsv' using (is(state) ? column("y") : NaN):(receiver):(shade(column("activation") / loudest)) with points pt 7 ps 0.85 lc rgb variable, \
       data.'/layer.tsv' using (is(state) ? column("y") : NaN):(receiver) with points pt 6 ps 0.85 lc rgb blue lw 0.9, \
       data.'/senders.tsv' using (is(state) ? column("x") : NaN):(sender):(column("activity") > 0 ? 0x000000 : 0xFFFFFF) with points pt 7 ps 1.3 lc rgb variable, \
       data.'/senders.tsv' using (is(state) ? column("x") : NaN):(sender) with points pt 6 ps 1.3 lc rgb black lw 1.1
  unset label 10; unset label 11
}
unset multiplot
