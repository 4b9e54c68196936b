# fig:learningRules: where five rules take the releases in 10,000 samples, and what becomes of the distribution.
# alt: Three panels with six coloured lines. a: release probability against the rank of the weight: all rise with the
# black analytic line except the unadjusted rule, far above it, and the green constant power, which drops below it at
# the weakest ranks. b: learned against analytic releases: points near the diagonal, pink ones well above it, some green
# ones below. c: a grey distribution with two humps; the unadjusted rule's line has one far too high and narrow peak,
# the others stay close to the black line.
width = 17; height = 6.6
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

names = "raw subtract rescale power variable"
types = "6 5 7 4 3"
rule(k)  = word(names, k)
style(k) = word(types, k) + 0
of(k, y) = strcol("rule") eq rule(k) ? column(y) : NaN
releases = data.'/releases.tsv'
winners  = data.'/winners.tsv'

set multiplot
set tmargin screen 0.86; set bmargin screen 0.185

# One key for the three panels, laid out by hand above them.
key_types  = "1 6 5 7 4 3"
key_places = "0.055 0.178 0.331 0.483 0.614 0.812"
title(k) = (k == 1 ? "analytic" : k == 2 ? "unadjusted" : k == 3 ? "subtractive" : k == 4 ? "rescaled" : \
            k == 5 ? "power, constant" : "power, variable")
do for [k = 1:6] {
  x0 = word(key_places, k) + 0; lt_k = word(key_types, k) + 0
  set arrow 100 + k from screen x0, screen 0.955 to screen x0 + 0.038, screen 0.955 nohead lt lt_k lw (k == 1 ? 2.4 : 1.8)
  set label 100 + k title(k) at screen x0 + 0.045, screen 0.955 left
}

# a: releases by rank
letter = "a"; @panel
set lmargin screen 0.075; set rmargin screen 0.330
set xlabel "Rank of weight (1 = largest)"
set ylabel "Release probability ".m_q offset 1.4 + near, 0
set xrange [0:51]; set xtics 10
set logscale y; set yrange [0.04:1.15]
set ytics ("0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1)
plot for [k = 1:5] releases using "rank":(of(k, "lo")):(of(k, "hi")) with filledcurves lt style(k) fs solid 0.2, \
     '' using "rank":(of(1, "analytic")) lt 1 lw 2.4, \
     for [k = 1:5] '' using "rank":(of(k, "learned")) lt style(k)
do for [k = 1:6] { unset arrow 100 + k; unset label 100 + k }

# b: learned against analytic
letter = "b"; @panel
set lmargin screen 0.408; set rmargin screen 0.662
set logscale x; set xrange [0.045:1.15]
set xtics ("0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1)
set xlabel "Analytic ".m_q; set ylabel "Learned ".m_q
plot x lt 1 lw 1.4, \
     for [k = 1:5] releases using "analytic":(of(k, "lo")):(0):(of(k, "hi") - of(k, "lo")) \
       with vectors nohead lt style(k) dt 1 lw 0.7, \
     for [k = 1:5] '' using "analytic":(of(k, "learned")) with points lt style(k) ps 0.4

# c: winners, on a square-root scale so that tails and peaks are seen together
letter = "c"; @panel
set lmargin screen 0.742; set rmargin screen 0.992
unset logscale; set nonlinear y via sqrt(y) inverse y * y
set xrange [0.5:50.5]; set xtics 10
set yrange [0:0.23]; set ytics ("0" 0, "0.005" 0.005, "0.02" 0.02, "0.05" 0.05, "0.1" 0.1, "0.2" 0.2)
set xlabel "Output neuron"; set ylabel "Probability of winning" offset 1.4 + near, 0
plot winners using "output":(of(1, "encoded")) with filledcurves y1=0 fc rgb grey fs solid 0.35, \
     '' using "output":(of(1, "encoded")) lt 1 lw 2.4, \
     for [k = 1:5] '' using "output":(of(k, "won")) lt style(k)
unset multiplot
