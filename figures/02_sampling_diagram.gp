# 02_sampling_diagram: one draw of the model, and many. [fig:samplediagram]
# (a) Projections of one sending neuron, as wide as their weights; those that failed are dashed. The most active
# neuron of the subset inhibits the others. (b) Release probabilities. (c) Who wins, over many draws.
# alt: Three panels side by side. a: one black neuron on the left sends lines to twelve outputs; five or so are solid
# and blue, the others dashed and grey; arrows go from the strongest blue one to the others, and in a second column only
# that one is filled. b: horizontal stems of release probabilities, longest at the outermost outputs. c: grey bars of
# the encoded probabilities with two humps; the blue dots of sampled frequencies lie at the ends of the bars.
width = 17; height = 8.4
load 'figures/style.gp'

nodes = data.'/nodes.tsv'
stats nodes using "weight" nooutput
n = STATS_records; heaviest = STATS_max
stats nodes using (column("winner") == 1 ? column("y") : NaN) nooutput
champion = STATS_min
stats nodes using "y" nooutput
half_gap = (STATS_max - STATS_min) / (n - 1) / 2
middle = (STATS_max + STATS_min) / 2
array Y[n]; array ON[n]
do for [k = 1:n] {
  stats nodes using "y" every ::(k - 1)::(k - 1) nooutput; Y[k] = STATS_min
  stats nodes using "transmits" every ::(k - 1)::(k - 1) nooutput; ON[k] = STATS_min
}

# White to blue in proportion to v of [0, 1].
mix(from, v) = int(from + (255 - from) * (1 - v))
shade(v) = 65536 * mix(0, v) + 256 * mix(114, v) + mix(178, v)
ink = "#555555"

classes = 12
class(w) = int(ceil(classes * w / heaviest))
on(k)  = column("transmits") == 1 && class(column("weight")) == k
off(k) = column("transmits") == 0 && class(column("weight")) == k
sender = 0.0; before = 1.0; after = 1.95

set multiplot
set grid noxtics noytics
set tmargin at screen 0.87; set bmargin at screen 0.15
set yrange [Y[1] - 1.6 * half_gap:Y[n] + 1.6 * half_gap]

# (a) one draw
letter = "a"; @panel
set label 99 at screen 0.012, graph 1 offset 0, 0.7
set lmargin at screen 0.03; set rmargin at screen 0.565
set xrange [-0.16:2.12]; set border 0; unset xtics; unset ytics
set label 1 "sending\nneuron"       at sender, middle center offset 0, -1.7
set label 2 "synaptic failure"      at (sender + before) / 2, graph 1 center offset 0, 1.0
set label 3 "subset"                at before, graph 0 center offset 0, -0.5
set label 4 "lateral inhibition"    at (before + after) / 2, graph 1 center offset 0, 1.0
set label 5 "sample"                at after, graph 0 center offset 0, -0.5
set arrow 1 from before + 0.42, middle to after - 0.17, middle size graph 0.018, 25 filled lc rgb ink lw 1.2
set samples 60
arc(t, k) = 0.30 * sqrt(abs(Y[k] - champion) / (Y[n] - Y[1])) * 4 * t * (1 - t)
plot for [k = 1:classes] nodes using (off(k) ? sender : NaN):(middle):(before - sender):(column("y") - middle) with vectors nohead lc rgb "#BBBBBB" lw 0.5 + 0.32 * k dt (6, 5), \
     for [k = 1:classes] nodes using (on(k) ? sender : NaN):(middle):(before - sender):(column("y") - middle) with vectors nohead lc rgb blue lw 0.5 + 0.32 * k dt 1, \
     for [k = 1:n] [t = 0:1] '+' using (ON[k] == 1 && Y[k] != champion ? before + 0.035 + arc(t, k) : NaN):(champion + (Y[k] - champion) * t) with lines lc rgb ink lw 1.0 dt 1, \
     nodes using (column("transmits") == 1 && column("winner") == 0 ? before + 0.045 : NaN):(column("y")) with points pt 7 ps 0.45 lc rgb ink, \
     nodes using (before):(column("y")):(shade(column("activity") / heaviest)) with points pt 7 ps 1.15 lc rgb variable, \
     nodes using (before):(column("y")):(column("transmits") == 1 ? 0x0072B2 : 0xBBBBBB) with points pt 6 ps 1.15 lw 1.1 lc rgb variable, \
     nodes using (after):(column("y")):(column("winner") == 1 ? 0x0072B2 : 0xFFFFFF) with points pt 7 ps 1.15 lc rgb variable, \
     nodes using (after):(column("y")):(column("winner") == 1 ? 0x0072B2 : 0xBBBBBB) with points pt 6 ps 1.15 lw 1.1 lc rgb variable, \
     '+' using (sender):(middle) every ::0::0 with points pt 7 ps 2.0 lc rgb black
unset label 1; unset label 2; unset label 3; unset label 4; unset label 5; unset arrow 1

# (b) release probabilities
letter = "b"; @panel
set lmargin at screen 0.615; set rmargin at screen 0.745
set border 3; set xrange [0:1.05]; set xtics 0, 0.5, 1 out nomirror scale 0.5 offset 0, 0.45
set ytics -3, 1, 3 out nomirror scale 0.5 offset 0.5, 0
set ylabel "Output ".m_y offset 0.2, 0
set xlabel "Release probability"
plot nodes using (0):(column("y")):(column("release")):(0) with vectors nohead lc rgb blue lw 2.0 dt 1, \
     nodes using "release":"y" with points pt 7 ps 0.45 lc rgb blue

# (c) many draws
letter = "c"; @panel
set lmargin at screen 0.835; set rmargin at screen 0.98
set xrange [0:*]; set xtics 0, 0.1, 0.3
set ylabel ""; set format y ""
set xlabel "Probability of winning"
set key at graph 1.06, graph 1.17 right top Left reverse samplen 1.0 spacing 0.95
plot data.'/frequencies.tsv' using (column("encoded") / 2):(column("y")):(column("encoded") / 2):(half_gap * 0.8) with boxxyerror lc rgb "#D9D9D9" lw 0 fs solid 1.0 noborder title "encoded", \
     data.'/frequencies.tsv' using "sampled":"y" with points pt 7 ps 0.45 lc rgb blue title "sampled"
unset multiplot
