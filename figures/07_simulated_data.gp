# 07_simulated_data: data (left) and what a network trained on them draws over all inputs (right): posterior samples
# in blue, MAP samples in red. Above the simple model, below the bimodal one. [fig:simdata1]
# alt: Four scatter plots. a: data at five inputs as vertical columns of dots that get taller to the right. b: samples
# fill the whole square, blue and red mixed, but for gaps around the five inputs, where they gather as in the data. c:
# data of the bimodal model: an upper band that rises and fans out and a thin lower band. d: samples repeat both bands
# in blue, the red ones only the denser band at each input; outside the range of data both fill the space.
width = 17; height = 13.0
load 'figures/style.gp'

left   = 'set lmargin at screen 0.070; set rmargin at screen 0.515'
right  = 'set lmargin at screen 0.550; set rmargin at screen 0.995'
top    = 'set tmargin at screen 0.955; set bmargin at screen 0.560'
bottom = 'set tmargin at screen 0.480; set bmargin at screen 0.085'
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
seen(model) = strcol("model") eq model
drawn(model, kind) = strcol("model") eq model && strcol("kind") eq kind

set xrange [-6:6]; set yrange [-6:6]
set xtics -6, 2, 6; set ytics -6, 2, 6
unset key
# A dot is a very short line with round ends: a tenth of the bytes of a point.
data_dots      = ':"y":(0.006):(0) with vectors nohead lw 2.5 lc rgb "#80000000"'
posterior_dots = ':"y":(0.006):(0) with vectors nohead lw 2.5 lc rgb "#580072B2"'
map_dots       = ':"y":(0.006):(0) with vectors nohead lw 3.2 lc rgb "#38D55E00"'

set multiplot
do for [row = 1:2] {
  model = word("simple bimodal", row)
  if (row == 1) { @top; set format x ""; set xlabel "" } else { @bottom; set format x "%h"; set xlabel "Input ".m_x }

  @left; letter = word("a c", row); @panel
  set ylabel "Output ".m_y; set format y "%h"
  title_text = row == 1 ? "data, simple model" : "data, bimodal model"; @heading
  plot data.'/data.tsv' using (seen(model) ? column("shown") : NaN) @data_dots

  @right; letter = word("b d", row); @panel
  set ylabel ""; set format y ""
  title_text = "posterior samples (blue) and MAP samples (red)"; @heading
  plot data.'/samples.tsv' using (drawn(model, "posterior") ? column("shown") : NaN) @posterior_dots, \
       data.'/samples.tsv' using (drawn(model, "map") ? column("shown") : NaN) @map_dots
}
unset multiplot
