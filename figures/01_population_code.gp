# 01_population_code: one stimulus, as a number (a) and as firing rates (b). [fig:popcode1]
# Black is the number, blue the rates; an asterisk shows each in the space of the other.
# alt: Two panels. a: eleven overlapping bell curves over the stimulus; a black vertical line between 6 and 7 crosses
# them, and blue asterisks mark the crossings. b: blue stems for eleven neurons, as high as those crossings, highest at
# neuron 7, under a dashed bell; a black asterisk on top is the stimulus.
width = 17; height = 6.4
load 'figures/style.gp'

stats data.'/stimulus.tsv' using "x" nooutput
value = STATS_min
stats data.'/stimulus.tsv' using "read" nooutput
read_out = STATS_min
stats data.'/rates.tsv' using "preferred" nooutput
n = STATS_records; lo = STATS_min; hi = STATS_max
neuron(v) = 1 + (n - 1) * (v - lo) / (hi - lo)        # where a value falls among the neurons
firing(r) = r > 0.01 ? r : NaN

set multiplot
set yrange [0:1.12]; set ytics 0, 0.25, 1
set tmargin at screen 0.90; set bmargin at screen 0.18
set grid noxtics noytics
set key at graph 0, graph 1.10 left top Left reverse samplen 1.2

# (a) the number
letter = "a"; @panel
set lmargin at screen 0.080; set rmargin at screen 0.485
set xrange [lo - 0.5:hi + 0.5]; set xtics lo, 2, hi
set xlabel "Stimulus ".m_x
set ylabel "Height of tuning curve"
set label 1 "stimulus" at value, 1.12 left offset -1.5, 0.4 tc rgb black
plot for [k = 1:n] data.'/curves.tsv' using (column("neuron") == k ? column("x") : NaN):(column("rate")) with lines lt 8 lw 1.2, \
     data.'/rates.tsv' using (value):(firing(column("rate"))):(hi + 0.5 - value):(0) with vectors nohead lc rgb "#A9CCE3" lw 0.8 dt (2, 4), \
     data.'/stimulus.tsv' using "x":(0):(0):(1.07) with vectors nohead lt 1 lw 2.2, \
     data.'/rates.tsv' using (value):(firing(column("rate"))) with points pt 3 ps 0.9 lc rgb blue lw 1.5 title "rates of the neurons"

# (b) the rates
unset label
letter = "b"; @panel
set lmargin at screen 0.575; set rmargin at screen 0.98
set xrange [0.5:n + 0.5]; set xtics 1, 1, n
set xlabel "Neuron, by preferred value"
set ylabel "Firing rate ".m_y."_{/*0.8 ".m_i."}"
set label 1 "stimulus" at neuron(read_out), 1.12 center offset 0, 0.4 tc rgb black
set label 2 "weighted sum\nof curves" at neuron(read_out) + 1.5, 0.74 left tc rgb "#777777"
plot data.'/votes.tsv' using (neuron(column("z"))):(column("votes")) with lines lt 8 lw 1.2 dt (5, 3), \
     data.'/rates.tsv' using (0.5):(firing(column("rate"))):(column("neuron") - 0.5):(0) with vectors nohead lc rgb "#A9CCE3" lw 0.8 dt (2, 4), \
     data.'/rates.tsv' using "neuron":"rate" with impulses lc rgb blue lw 3.2 dt 1, \
     data.'/rates.tsv' using "neuron":"rate" with points pt 7 ps 0.5 lc rgb blue, \
     data.'/stimulus.tsv' using (neuron(column("read"))):(1) with points pt 3 ps 1.1 lc rgb black lw 1.8
unset multiplot
