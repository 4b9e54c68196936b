# 06_variance_components: widths of samples, and standard errors of the MAP. [fig:simresults]
# Above: standard deviation of samples against the data-generating one, for the two normalisers; black dashes: what
# the network encodes. Below: standard errors of the MAP by dropout against those of the Beta model, for the two
# readouts, each point an input. Bars hold 95% of the replicates.
width = 17; height = 13.2
load 'figures/style.gp'

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
top    = 'set tmargin at screen 0.950; set bmargin at screen 0.595'
bottom = 'set tmargin at screen 0.440; set bmargin at screen 0.085'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
quiet = "#777777"

sd_file = data.'/sd_by_input.tsv'; steps = data.'/sd_steps.tsv'; map_file = data.'/map_errors.tsv'

# One method's spread, at the truth moved a little aside so that the bars do not overlap.
sd_of(method, by) = strcol("method") eq method && strcol("normaliser") eq by ? column("mean") : NaN
encoded = 'steps using (column("truth") - 0.075):(strcol("step") eq "encoded" ? column("mean") : NaN):(0.15):(0) with vectors nohead lc rgb black lw 2.2'

set multiplot

@top; @left; letter = "a"; @panel
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

# MAP standard errors by one readout, one root, one Beta.
map_of(readout, root, beta) = strcol("readout") eq readout && strcol("root") eq root && strcol("beta") eq beta ? column("mean") : NaN
printed = 'map_file using "beta_mean":(map_of(readout, "printed", "AB+1")):"beta_lo":"beta_hi":"lo":"hi" with xyerrorbars lc rgb quiet lw 1.0 dt 1 pt 4 ps 0.6'
exact   = 'map_file using "beta_mean":(map_of(readout, "exact", "AB")):"beta_lo":"beta_hi":"lo":"hi" with xyerrorbars lc rgb red lw 1.0 dt 1 pt 9 ps 0.8'
inputs  = 'map_file using "beta_mean":(map_of(readout, "exact", "AB") > 0 ? column(corner) : NaN):(sprintf("%s%.0f", column("x") < 0 ? "−" : "", abs(column("x")))) with labels center offset aside, above tc rgb "#555555"'

set logscale xy
set xlabel "Standard error of the MAP, Beta model"

@bottom; @left; letter = "c"; @panel
title_text = "readout: the winner"; @heading
set ylabel "Standard error of the MAP, dropout" offset 1.3, 0
set xrange [0.02:1.5]; set yrange [0.006:1.0]
set xtics (0.03, 0.1, 0.3, 1); set ytics (0.01, 0.03, 0.1, 0.3, 1)
readout = "winner"; corner = "lo"; aside = 0; above = -0.55
plot x lc rgb grey lw 1 dt 2, @printed, @exact, @inputs

@right; letter = "d"; @panel
title_text = "readout: the population mean"; @heading
set ylabel ""
set xrange [0.01:0.1]; set yrange [0.0045:0.1]
set xtics (0.01, 0.02, 0.05, 0.1); set ytics (0.005, 0.01, 0.02, 0.05, 0.1)
set key at graph 0.01, 0.02 left bottom Left reverse
readout = "mean"; corner = "mean"; aside = -0.9; above = 0.6
plot x lc rgb grey lw 1 dt 2, \
     @exact title "exact ".m_Phi.", Beta(".m_A.", ".m_B.")", \
     @printed title "printed ".m_Phi.", Beta(".m_A." + 1, ".m_B." + 1)", @inputs
unset multiplot
