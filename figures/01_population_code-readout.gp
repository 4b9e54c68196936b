# 01_population_code-readout: how well a value is recovered, by the width of the tuning curves.
# alt: Two falling curves of the largest error against the width of the tuning curves. The dashed curve of the weighted
# sum's peak starts near half a spacing and lies above the blue one of the weighted average everywhere; both come near
# zero at a width of one spacing. A dotted vertical line marks the width of the original's simulations, where the errors
# are about 0.42 and 0.07.
width = 8.5; height = 6.2
load 'figures/style.gp'

stats data.'/readout_error_codes.tsv' using (strcol("code") eq "network" ? column("width") : NaN) nooutput
printed = STATS_min
set lmargin at screen 0.15; set rmargin at screen 0.96; set tmargin at screen 0.95; set bmargin at screen 0.19
set grid noxtics noytics

set xrange [0.15:1.05]; set xtics 0.2, 0.2, 1.0; set yrange [0:0.56]; set ytics 0, 0.1, 0.5
set xlabel "Width of tuning curves ".m_sigma." (spacings)"; set ylabel "Largest error (spacings)"
set label 1 "peak of the weighted sum" at 0.56, 0.25 left tc rgb contrast
set label 2 "weighted\naverage" at 0.17, 0.14 left tc rgb blue
set label 3 "simulations of\nthe original" at printed, 0.53 left offset 0.6, 0 tc rgb black
set arrow 1 from printed, 0 to printed, 0.56 nohead lt 1 lw 0.9 dt (2, 3) back
plot data.'/readout_error.tsv' using "width":"peak" with lines lc rgb contrast lw 1.6 dt (6, 3), \
     data.'/readout_error.tsv' using "width":"mean" with lines lc rgb blue lw 1.8 dt 1, \
     data.'/readout_error_codes.tsv' using (strcol("code") eq "network" ? column("width") : NaN):(column("peak")) with points pt 7 ps 0.7 lc rgb contrast, \
     data.'/readout_error_codes.tsv' using (strcol("code") eq "network" ? column("width") : NaN):(column("mean")) with points pt 5 ps 0.65 lc rgb blue
