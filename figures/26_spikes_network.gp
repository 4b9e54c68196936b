# 26_spikes_network: widths of what spikes sample, and learning from spikes. [eq:spike-learn]
# (a) Standard deviation of spikes over outputs against the data-generating one, as in the figure of chapter 6; black
# dashes: what the network encodes; bars hold 95% of the networks. (b) Distance of the winner from the encoded distribution
# after learning, against how long the learning synapses listen.
# alt: Two panels. a: standard deviation of spikes against the data-generating one at five inputs with a dashed
# diagonal: blue, green and yellow points lie on the black dashes of what is encoded, close to the diagonal; orange
# triangles of all spikes lie far above it but at the narrowest. b: total variation against the delay: two lines without
# noise fall from 0.3 and 0.1 to about 0.02; two grey lines with noise and jitter stay between 0.3 and 0.5.
width = 17; height = 7.4
load 'figures/style.gp'

left  = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
set tmargin at screen 0.915; set bmargin at screen 0.155
sd_file = data.'/sd_by_input.tsv'; learning = data.'/learning.tsv'
sd_of(method) = strcol("method") eq method ? column("mean") : NaN

set multiplot
@left; letter = "a"; @panel
set xrange [0:2]; set yrange [0:3]; set xtics 0, 0.5; set ytics 0, 0.5
set xlabel "Data-generating standard deviation"; set ylabel "Standard deviation of spikes"
set key at graph 0.01, graph 1.03 left top Left reverse samplen 1.4
plot x lc rgb grey lw 1 dt 2, \
     sd_file using (column("truth") - 0.075):(sd_of("encoded")):(0.15):(0) with vectors nohead lc rgb black lw 2.2 dt 1 title "encoded", \
     sd_file using (column("truth") - 0.045):(sd_of("corrected_late")):"lo":"hi" with yerrorbars lt 3 dt 1 ps 0.75 title "all spikes, inhibition 1 ms late", \
     sd_file using (column("truth") - 0.015):(sd_of("corrected")):"lo":"hi" with yerrorbars lt 2 ps 0.6 title "first spikes, one stage", \
     sd_file using (column("truth") + 0.015):(sd_of("repaired")):"lo":"hi" with yerrorbars lt 4 dt 1 ps 0.75 title "first spikes, two stages", \
     sd_file using (column("truth") + 0.045):(sd_of("noisy")):"lo":"hi" with yerrorbars lt 5 dt 1 ps 0.7 title "the same, noise and jitter"

@right; letter = "b"; @panel
set logscale x; set xrange [0.017:6]; set xtics (0.02, 0.1, 0.5, 2); set yrange [0:0.6]; set ytics 0, 0.1, 0.6
set xlabel "Delay of inhibition, listened to (ms)"; set ylabel "Total variation of the winner"
set key at graph 1.0, graph 0.50 right top Left reverse samplen 2.0
plot learning using "delay":"all" with linespoints lt 2 title "all that fire learn", \
     learning using "delay":"first" with linespoints lt 4 title "the first learns", \
     learning using "delay":"all_noisy" with linespoints lt 2 lc rgb contrast dt (6, 3) pt 4 title "all, noise and jitter", \
     learning using "delay":"first_noisy" with linespoints lt 4 lc rgb contrast dt (2, 2) pt 12 title "first, noise and jitter"
unset multiplot
