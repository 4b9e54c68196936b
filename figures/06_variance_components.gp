# 06_variance_components: widths of samples. [fig:simresults]
# Standard deviation of samples against the data-generating one, for the two normalisers; black dashes: what the network
# encodes. Bars hold 95% of the replicates.
# alt: Two panels: standard deviation of samples against the data-generating one at five inputs, with a dashed diagonal.
# a: black dashes of what is encoded lie on or above the diagonal; blue and orange points near them, green ones below at
# the widest. b: points near the diagonal at the first, second and fourth input, but well below it at the third and the
# last.
width = 17; height = 6.5
load 'figures/style.gp'

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

sd_file = data.'/sd_by_input.tsv'; spreads = data.'/spreads.tsv'

# One method's spread, at the truth moved a little aside so that the bars do not overlap.
sd_of(method, by) = strcol("method") eq method && strcol("normaliser") eq by ? column("mean") : NaN
is_encoded = 'strcol("spacing") eq "ends" && strcol("method") eq "encoded"'
encoded = 'spreads using (column("truth") - 0.075):(@is_encoded ? column("sd") : NaN):(0.15):(0) with vectors nohead lc rgb black lw 2.2'

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.175

@left; letter = "a"; @panel
title_text = "release divided by participation"; @heading
set xrange [0:2]; set yrange [0:2.1]
set xtics 0, 0.5; set ytics 0, 0.5
set xlabel "Data-generating standard deviation"
set ylabel "Standard deviation of samples"
set key at graph 0.99, 0.03 right bottom Left reverse
plot x lc rgb grey lw 1 dt 2, \
     @encoded title "encoded", \
     sd_file using (column("truth") - 0.04):(sd_of("analytic", "participation")):"lo":"hi" with yerrorbars lt 2 ps 0.6 title "analytic", \
     sd_file using (column("truth") + 0.00):(sd_of("learned", "participation")):"lo":"hi" with yerrorbars lt 3 dt 1 ps 0.75 title "learned", \
     sd_file using (column("truth") + 0.04):(sd_of("pooled", "none")):"lo":"hi" with yerrorbars lt 4 dt 1 ps 0.75 title "pooled"

@right; letter = "b"; @panel
title_text = "release divided by the sum of the input vector"; @heading
set ylabel ""
unset key
plot x lc rgb grey lw 1 dt 2, \
     @encoded, \
     sd_file using (column("truth") - 0.02):(sd_of("analytic", "sum")):"lo":"hi" with yerrorbars lt 2 ps 0.6, \
     sd_file using (column("truth") + 0.02):(sd_of("learned", "sum")):"lo":"hi" with yerrorbars lt 3 dt 1 ps 0.75
unset multiplot
