# Weights that jump and weights that drift: what a step costs and what it follows; draws made while learning.
# alt: Four panels. a: total variation after a jump: the black line of a falling step comes down slowly; green, blue and
# orange fall fast; green flattens near 0.1, the other two near 0.04. b: against the constant step: solid u-shaped lines
# for three speeds of drift, higher and with the minimum farther right for faster drift; thin green lines of the power
# rule rise. c: three points of the best step on a straight line of slope two thirds. d: total variation against the
# step: the line of states lies far above that of all draws.
width = 17; height = 6.4
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

of(way, y) = strcol("way") eq way ? column(y) : NaN
at_speed(v, y) = abs(column("speed") / v - 1) < 0.01 ? column(y) : NaN
drift = data.'/drift.tsv'

set multiplot
set tmargin screen 0.90; set bmargin screen 0.19

# a: after a jump
letter = "a"; @panel
set lmargin screen 0.075; set rmargin screen 0.300
set logscale xy; set xrange [9:1.1e4]
set xtics ("10" 10, "10^2" 1e2, "10^3" 1e3, "10^4" 1e4)
set xlabel "Draws since the jump"; set ylabel "Total variation of winners" offset 1.2 + near, 0
set yrange [0.02:1]; set ytics ("0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set key at graph 0.02, graph 0.02 left bottom Left reverse font small spacing 0.95
jump = data.'/jump.tsv'
plot jump using "draws":(of("average", "after")) lt 1 title "step 1/".m_k, \
     '' using "draws":(of("power", "after")) lt 4 title "power rule", \
     '' using "draws":(of("constant", "after")) lt 2 title "constant step", \
     '' using "draws":(of("falling", "after")) lt 3 title "falling to a floor"

# b: a drift, by step
letter = "b"; @panel
set lmargin screen 0.375; set rmargin screen 0.600
set xrange [2.5e-4:0.8]; set xtics ("0.0003" 0.0003, "0.003" 0.003, "0.03" 0.03, "0.3" 0.3)
set xlabel "Constant step ".m_gamma
set yrange [0.004:0.6]; set ytics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3)
set key at graph 0.98, graph 0.02 right bottom Left reverse font small spacing 0.95
plot drift using "step":(at_speed(1e-2, "power")) with lines lt 4 lw 0.8, \
     '' using "step":(at_speed(1e-3, "power")) with lines lt 4 lw 0.8, \
     '' using "step":(at_speed(1e-4, "power")) with lines lt 4 lw 0.8 title "power rule", \
     '' using "step":(at_speed(1e-2, "amplitude")) with linespoints lt 3 dt 1 title "0.01 outputs a draw", \
     '' using "step":(at_speed(1e-3, "amplitude")) with linespoints lt 5 dt 1 title "0.001", \
     '' using "step":(at_speed(1e-4, "amplitude")) with linespoints lt 2 dt 1 title "0.0001"

# c: the best step, by speed
letter = "c"; @panel
set lmargin screen 0.680; set rmargin screen 0.805
best = data.'/best.tsv'
set xrange [7e-5:1.5e-2]; set xtics ("10^{-4}" 1e-4, "10^{-3}" 1e-3, "10^{-2}" 1e-2)
set xlabel "Outputs a draw"; set ylabel "Best step" offset 1.8 + near, 0
set yrange [0.003:1]; set ytics ("0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
unset key
set label 1 "slope 2/3" at 1.6e-4, 0.25 font small
plot best using "speed":"line" lt 8 lw 1.4, '' using "speed":"step" with points lt 3 pt 7 ps 0.6
unset label 1

# d: draws while learning
letter = "d"; @panel
set lmargin screen 0.890; set rmargin screen 0.992
set xrange [0.03:1.6]; set xtics ("0.05" 0.05, "0.2" 0.2, "1" 1)
set xlabel "Step ".m_gamma; set ylabel "Total variation" offset 1.2 + near, 0
set yrange [0.0003:1]; set ytics ("0.001" 0.001, "0.01" 0.01, "0.1" 0.1, "1" 1)
set label 2 "states" at graph 0.35, graph 0.88 center font small
set label 3 "all draws" at graph 0.5, graph 0.50 center font small
plot data.'/sampling.tsv' using "step":"state" with linespoints lt 2, '' using "step":"mean" with linespoints lt 3, \
     '' using "step":"bound" with lines lt 8 lw 1.4
unset multiplot
