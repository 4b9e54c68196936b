# 06_variance_sources: where the deviations come from. Left: the standard deviation relative to the
# data-generating one, step by step from the data to the samples. Right: relative to the encoded one, what longer
# learning changes. Means over replicates; bars: two standard errors.
# alt: Two panels against five inputs. a: the standard deviation relative to the true one: black and blue lines start
# near 2 at the leftmost input and come down to 1; a grey line stays at 1 and a dashed blue one, divided by the sum,
# zigzags between 0.65 and 1. b: relative to the encoded one: four lines between about 0.85 and 1.3; blue, analytic,
# rises from 0.9, orange, learned, comes down from above 1.2 and stays above it up to input 2.
width = 17; height = 7.0
load 'figures/style.gp'

steps = data.'/sd_steps.tsv'
quiet = "#777777"
heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'

is_step(name) = strcol("step") eq name
step_of(name) = is_step(name) ? column("mean") / column("truth") : NaN

# The encoded standard deviation at each input, to divide by.
array encoded[5]
stats steps using (is_step("encoded") ? (encoded[int(column("x")) / 2 + 3] = column("mean")) : NaN) nooutput
over(value) = value / encoded[int(column("x")) / 2 + 3]

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.155
set logscale y
set xrange [-4.4:4.4]; set xtics -4, 2, 4
set xlabel "Input ".m_x

set lmargin at screen 0.085; set rmargin at screen 0.425; letter = "a"; @panel
title_text = "from the data to the samples"; @heading
set yrange [0.6:4.2]; set ytics (0.6, 0.8, 1, 1.5, 2, 3, 4)
set ylabel "S.d. relative to the true one"
set key at graph 0.26, 0.99 left top Left reverse samplen 1.8
plot 1 lc rgb grey lw 1 dt 2, \
     steps using "x":(step_of("code")) with linespoints lc rgb quiet lw 1.2 dt 1 pt 4 ps 0.6 title "tuning curves", \
     steps using "x":(step_of("encoded")) with linespoints lt 1 ps 0.55 title "and prior: encoded", \
     steps using "x":(step_of("two-stage")):(2 * column("se") / column("truth")) with yerrorbars pt 6 ps 1.0 lc rgb black lw 1.0 title "two-stage release", \
     steps using "x":(step_of("analytic")) with linespoints lt 2 ps 0.6 title "analytic, participation", \
     steps using "x":(step_of("analytic-sum")) with linespoints lc rgb blue lw 1.6 dt (3, 3) pt 4 ps 0.7 title "analytic, sum"

set lmargin at screen 0.522; set rmargin at screen 0.812; letter = "b"; @panel
title_text = "learning for longer"; @heading
set yrange [0.82:1.32]; set ytics (0.85, 0.9, 1, 1.1, 1.2, 1.3)
set ylabel "S.d. relative to the encoded one"
set key at screen 0.825, graph 0.99 left top Left reverse width -1
plot 1 lc rgb grey lw 1 dt 2, \
     steps using "x":(over(is_step("learned") ? column("mean") : NaN)):(over(2 * column("se"))) with yerrorlines lt 3 ps 0.75 title "learned", \
     steps using "x":(over(is_step("slow") ? column("mean") : NaN)):(over(2 * column("se"))) with yerrorlines lc rgb red lw 1.2 dt 1 pt 8 ps 0.75 title "learned slowly", \
     steps using "x":(over(is_step("equilibrium") ? column("mean") : NaN)):(over(2 * column("se"))) with yerrorlines lt 5 ps 0.75 title "equilibrium", \
     steps using "x":(over(is_step("analytic") ? column("mean") : NaN)):(over(2 * column("se"))) with yerrorlines lt 2 ps 0.6 title "analytic"
unset multiplot
