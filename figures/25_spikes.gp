# 25_spikes: one draw in time, and what delay and jitter cost. [eq:spike-order]
# (a) Potentials of the outputs that received something, until they fire or inhibition comes; blue: the first to fire.
# (b) Who fired when; open circles would have, without inhibition. (c) First spike and every spike against the delay of
# inhibition. (d) First spike against jitter of release, by the time constant of excitation.
# alt: Four panels. a: potentials that rise against logarithmic time toward a dashed threshold; the blue one crosses it
# first, and a vertical line of inhibition cuts off the rest. b: outputs against time: one large blue dot first, a few
# black dots before the line of inhibition, open circles after it. c: total variation against the delay of inhibition:
# every spike rises from near zero to 0.6, the first spike is flat at zero. d: total variation against jitter: four
# rising lines, lowest for the longest excitation.
width = 17; height = 12.4
load 'figures/style.gp'

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.480'
right  = 'set lmargin at screen 0.590; set rmargin at screen 0.985'
top    = 'set tmargin at screen 0.945; set bmargin at screen 0.600'
bottom = 'set tmargin at screen 0.440; set bmargin at screen 0.095'

traces = data.'/traces.tsv'; raster = data.'/raster.tsv'; sweeps = data.'/sweeps.tsv'
stats data.'/inhibition.tsv' using "t" nooutput
inhibited = STATS_min
stats raster using "latency" nooutput
first = STATS_min
stats traces using "output" nooutput
outputs = STATS_max

set multiplot
set grid noxtics noytics

# (a) potentials
letter = "a"; @panel
@top; @left
set logscale x; set xrange [0.01:10]; set xtics (0.01, 0.1, 1, 10)
set yrange [0:11.5]; set ytics 0, 5, 10
set xlabel "Time after the input's spike (ms)"; set ylabel "Potential above rest (mV)"
set arrow 1 from 0.01, 10 to 10, 10 nohead lc rgb grey lw 1 dt 2
set arrow 2 from inhibited, 0 to inhibited, 10 nohead lc rgb black lw 1.2 dt (6, 3)
set label 1 "threshold" at 9.5, 10 right offset 0, 0.6 tc rgb contrast
set label 2 "inhibition" at inhibited, 5 left offset 0.6, 0 tc rgb black
chain(j, win) = column("output") == j && column("winner") == win ? column("v") : NaN
plot for [j = 1:outputs] traces using "t":(chain(j, 0)) with lines lc rgb contrast lw 1.0 dt 1, \
     for [j = 1:outputs] traces using "t":(chain(j, 1)) with lines lc rgb blue lw 2.2 dt 1
unset arrow 1; unset label 1; unset label 2; unset arrow 2

# (b) raster
letter = "b"; @panel
@top; @right
set yrange [-3.3:3.3]; set ytics -3, 1, 3
set ylabel "Output ".math("𝑦")
set arrow 2 from inhibited, -3.3 to inhibited, 3.3 nohead lc rgb black lw 1.2 dt (6, 3)
set key at graph 1.02, graph 1.16 right top Left reverse horizontal samplen 0.6 width -1
plot raster using (column("fired") == 1 && column("latency") > first ? column("latency") : NaN):"y" with points pt 7 ps 0.6 lc rgb contrast title "fired too", \
     raster using (column("fired") == 1 && column("latency") <= first ? column("latency") : NaN):"y" with points pt 7 ps 1.0 lc rgb blue title "first", \
     raster using (column("fired") == 0 ? column("latency") : NaN):"y" with points pt 6 ps 0.6 lw 1.1 lc rgb grey title "silenced"
unset arrow 2; unset key

# (c) delay
letter = "c"; @panel
@bottom; @left
set xrange [0.008:6]; set xtics (0.01, 0.1, 1); set yrange [-0.01:0.7]; set ytics 0, 0.1, 0.7
set xlabel "Delay of inhibition (ms)"; set ylabel "Total variation"
set label 1 "every spike" at 0.16, 0.47 right tc rgb red
set label 2 "first spike" at 0.25, 0.035 left tc rgb blue
from(name, col) = strcol("sweep") eq name ? column(col) : NaN
plot sweeps using "value":(from("delay", "every")) with linespoints lt 3, \
     sweeps using "value":(from("delay", "first")) with linespoints lt 2

# (d) jitter
letter = "d"; @panel
@bottom; @right
unset label 1; unset label 2
set yrange [0:0.4]; set ytics 0, 0.1, 0.4
set xlabel "Jitter of release (ms)"
set arrow 1 from 0.008, 0.05 to 1.2, 0.05 nohead lc rgb grey lw 1 dt 2
set xrange [0.008:1.2]
set key at graph 0.02, graph 1.02 left top Left reverse vertical samplen 2.0 title "excitation lasts" left
plot sweeps using "value":(from("jitter, 2 ms", "first")) with linespoints lt 6 lc rgb contrast title "2 ms", \
     sweeps using "value":(from("jitter, 5 ms", "first")) with linespoints lt 2 title "5 ms", \
     sweeps using "value":(from("jitter, 20 ms", "first")) with linespoints lt 4 title "20 ms", \
     sweeps using "value":(from("jitter, 100 ms", "first")) with linespoints lt 5 title "100 ms"
unset multiplot
