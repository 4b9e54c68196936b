# 06_variance_of_map: standard errors of the MAP by dropout against those of the Beta model, for the two readouts, each
# point an input; in the report these panels stand below those of 06_variance_components. Bars hold 95% of the
# replicates. [fig:simresults]
# alt: Two panels on logarithmic axes with a dashed diagonal: standard error of the MAP by dropout against that of the
# Beta model, one point for each input. c: readout by the winner: all points lie below the diagonal. d: population mean:
# the orange triangles of the exact root lie on the diagonal, the grey squares of the printed root below it.
width = 17; height = 6.5
load 'figures/style.gp'

left   = 'set lmargin at screen 0.090; set rmargin at screen 0.492'
right  = 'set lmargin at screen 0.588; set rmargin at screen 0.990'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
quiet = "#777777"
map_file = data.'/map_errors.tsv'

# MAP standard errors by one readout, one root, one Beta.
map_of(readout, root, beta) = strcol("readout") eq readout && strcol("root") eq root && strcol("beta") eq beta ? column("mean") : NaN
printed = 'map_file using "beta_mean":(map_of(readout, "printed", "AB+1")):"beta_lo":"beta_hi":"lo":"hi" with xyerrorbars lc rgb quiet lw 1.0 dt 1 pt 4 ps 0.6'
exact   = 'map_file using "beta_mean":(map_of(readout, "exact", "AB")):"beta_lo":"beta_hi":"lo":"hi" with xyerrorbars lc rgb red lw 1.0 dt 1 pt 9 ps 0.8'
inputs  = 'map_file using "beta_mean":(map_of(readout, "exact", "AB") > 0 ? column(corner) : NaN):(sprintf("%s%.0f", column("x") < 0 ? "−" : "", abs(column("x")))) with labels center offset aside, above tc rgb "#555555"'

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.175
set logscale xy
set xlabel "Standard error of the MAP, Beta model"

@left; letter = "c"; @panel
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
