# 03_release_mapping: encoded and sampled distributions, release probabilities, nearly equal weights, tails.
# [eq:mapping]
# alt: Four panels. a: a grey histogram with two humps; the black line of exact probabilities lies on its edge, and blue
# error bars are centred on it. b: stems of release probabilities, tall at the left edge with one at 1, small elsewhere
# with bumps between and beyond the humps. c: on two logarithmic axes, circles follow the straight falling line of one
# over rank. d: with growing layers the blue line of the mapping stays flat at one and the release proportional to
# weight over the sum slightly below it, while two grey curves, uniform release and a constant share, fall off steeply.
width = 17; height = 11.6
load 'figures/style.gp'

top_row    = 'set tmargin at screen 0.925; set bmargin at screen 0.615'
bottom_row = 'set tmargin at screen 0.425; set bmargin at screen 0.105'
left       = 'set lmargin at screen 0.088; set rmargin at screen 0.485'
right      = 'set lmargin at screen 0.585; set rmargin at screen 0.982'

stats data.'/distribution.tsv' using "y" nooutput
gap = (STATS_max - STATS_min) / (STATS_records - 1)
stats data.'/tail_limit.tsv' using "limit" nooutput
limit = STATS_min

set multiplot
set grid noxtics noytics

# (a) encoded, exact, sampled
letter = "a"; @panel
@top_row; @left
set xrange [-3.15:3.15]; set xtics -3, 1, 3; set yrange [0:0.1]; set ytics 0, 0.02, 0.1
set xlabel "Output ".m_y; set ylabel "Probability of winning"
set key at graph 1, graph 1.10 right top Left reverse samplen 1.4
plot data.'/distribution.tsv' using "y":"encoded":(gap) with boxes lc rgb "#DDDDDD" lw 0 fs solid 1.0 noborder title "encoded", \
     data.'/distribution.tsv' using (column("y") - gap / 2):"exact" with steps lt 1 lw 1.1 title "exact", \
     data.'/distribution.tsv' using "y":"mean":"lo":"hi" with yerrorbars pt 7 ps 0.28 lc rgb blue lw 0.9 dt 1 title "sampled (95% of runs)"
unset key

# (b) the release probabilities that do it
letter = "b"; @panel
@top_row; @right
set yrange [0:1.05]; set ytics 0, 0.25, 1
set ylabel "Release probability ".m_q
plot data.'/distribution.tsv' using "y":"release" with impulses lc rgb blue lw 1.6 dt 1, \
     data.'/distribution.tsv' using "y":"release" with points pt 7 ps 0.35 lc rgb blue

# (c) nearly equal weights
letter = "c"; @panel
@bottom_row; @left
set logscale xy; set xrange [1:100]; set yrange [0.008:1.3]
set xtics (1, 10, 100); set ytics ("0.01" 0.01, "0.1" 0.1, "1" 1)
set xlabel "Rank of weight, from the weakest"; set ylabel "Release probability ".m_q
set key at graph 1, graph 1.04 right top Left reverse samplen 1.6
plot data.'/hyperbola.tsv' using "k":"release" every 1 with points pt 6 ps 0.5 lc rgb blue lw 1.0 title "untrained network", \
     data.'/hyperbola.tsv' using "k":"hyperbola" with lines lt 1 lw 1.2 title "1/rank"
unset key

# (d) tails
letter = "d"; @panel
@bottom_row; @right
set xrange [9:3000]; set yrange [1e-6:6]
set xtics (10, 100, 1000); set ytics ("10^{-6}" 1e-6, "10^{-4}" 1e-4, "10^{-2}" 1e-2, "1" 1)
set xlabel "Size of receiving layer ".m_n; set ylabel "Tail: sampled over encoded"
set label 1 "analytic mapping" at 2900, 1.0 right offset 0, 0.65 tc rgb blue
set label 2 math("𝑞 = 𝑤∕∑𝑤") at 2900, limit right offset 0, -0.85 tc rgb contrast
set label 3 math("𝑞 = 𝑐𝑤") at 108, 3e-4 left tc rgb contrast
set label 4 "uniform ".m_q at 40, 2e-5 right tc rgb contrast
plot data.'/tails.tsv' using "n":"uniform" with linespoints lc rgb contrast lw 1.2 dt (6, 3) pt 9 ps 0.5, \
     data.'/tails.tsv' using "n":"constant" with linespoints lc rgb contrast lw 1.2 dt (2, 2) pt 13 ps 0.55, \
     data.'/tails.tsv' using "n":"normalised" with linespoints lc rgb contrast lw 1.2 dt 1 pt 5 ps 0.42, \
     data.'/tails.tsv' using "n":"analytic" with linespoints lc rgb blue lw 1.6 dt 1 pt 7 ps 0.42
unset multiplot
