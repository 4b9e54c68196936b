# 04_epistemic_release: the printed and the exact root over the plane of evidence. [eq:beta2dropoutvar]
# alt: Four panels. a: a map of the share of variance delivered, dark blue on the left where evidence for is small,
# white on the right, with contour lines; black dots of trained inputs lie in a band at the top. b: release probability
# rising with evidence in s-shaped curves for three weights, solid for the exact root, dashed for the printed one, which
# starts higher. c: the exact root is a flat line at one; the printed one rises to it from below, from about 0.2, 0.4
# and 0.6. d: two curves of relative error that start below zero, near -0.13 and -0.33, and rise to zero.
width = 17; height = 12.6
load 'figures/style.gp'

top_row    = 'set tmargin at screen 0.925; set bmargin at screen 0.595'
bottom_row = 'set tmargin at screen 0.415; set bmargin at screen 0.097'
left       = 'set lmargin at screen 0.088; set rmargin at screen 0.485'
right      = 'set lmargin at screen 0.605; set rmargin at screen 0.982'
slices     = 3

stats data.'/plane.tsv' using "A" nooutput
lo = log10(STATS_min); hi = log10(STATS_max); half = (hi - lo) / (sqrt(STATS_records) - 1) / 2
array W[slices]
do for [k = 1:slices] {
  stats data.'/slices.tsv' using (column("slice") == k ? column("mean") : NaN) nooutput
  W[k] = STATS_mean
}
slice(k) = column("slice") == k ? column("n") : NaN

set multiplot
set grid noxtics noytics

# (a) the plane
letter = "a"; @panel
@top_row
set lmargin at screen 0.088; set rmargin at screen 0.415
set xrange [lo - half:hi + half]; set yrange [lo - half:hi + half]; set cbrange [0:1]
set palette defined (0 "#2F79BD", 1 "#FFFFFF")
set xtics ("10^{−2}" -2, "10^{−1}" -1, "1" 0, "10" 1, "10^2" 2, "10^3" 3)
set ytics ("10^{−2}" -2, "10^{−1}" -1, "1" 0, "10" 1, "10^2" 2, "10^3" 3)
set xlabel "Evidence for ".m_A; set ylabel "Evidence against ".m_B
set style fill solid 1.0
set colorbox user origin 0.424, 0.595 size 0.014, 0.330
set cbtics 0, 0.5, 1 scale 0.3 offset -0.7, 0
set border 15
set cblabel "Variance: delivered over wanted" offset -0.6, 0
set label 1 "no data" at -1.93, 1.3 left front
set arrow 1 from -1.6, 1.05 to -1.6, -0.85 size 0.08, 20 filled front lc rgb black lw 0.8
set label 2 "trained\ninputs" at 2.95, 2.2 right front
plot data.'/plane.tsv' using (log10(column("A"))):(log10(column("B"))):(column("ratio_printed")) with image, \
     for [k = 1:6] data.'/contours.tsv' using (column("level") == k ? log10(column("A")) : NaN):(log10(column("B"))) with lines lc rgb contrast lw 0.7 dt 1, \
     data.'/contours.tsv' using (log10(column("B")) > hi - half && column("level") != 5 ? log10(column("A")) : NaN):(hi):(sprintf("%g", column("ratio"))) with labels offset 0, 0.65 font small tc rgb contrast, \
     data.'/cells.tsv' using (log10(column("A"))):(log10(column("B"))) with points pt 7 ps 0.18 lc rgb black
unset label 1; unset label 2; unset arrow 1; unset colorbox
set border 3

# (b) the roots
letter = "b"; @panel
@top_row; @right
set logscale x
set xrange [0.1:1000]; set yrange [0:1.04]; set ytics 0, 0.25, 1
set xtics ("0.1" 0.1, "1" 1, "10" 10, "10^2" 100, "10^3" 1000)
set xlabel "Cumulative evidence ".m_A." + ".m_B; set ylabel "Release probability ".m_Phi
set key at graph 1.0, graph 0.02 right bottom Left reverse samplen 2.0
do for [k = 1:slices] {
  stats data.'/slices.tsv' using (column("slice") == k ? column("phi") : NaN) nooutput
  set label 10 + k sprintf("%s = %g", m_w, W[k]) at 0.12, STATS_min - 0.05 left tc rgb blue
}
set label 11 at 24, 0.44
plot for [k = 1:slices] data.'/slices.tsv' using (slice(k)):(column("phi")) with lines lc rgb blue lw 1.6 dt 1 title (k == 1 ? "exact root" : ""), \
     for [k = 1:slices] data.'/slices.tsv' using (slice(k)):(column("phi_printed")) with lines lc rgb contrast lw 1.3 dt (6, 3) title (k == 1 ? "printed root" : "")
do for [k = 1:slices] { unset label 10 + k }

# (c) delivered over wanted variance
letter = "c"; @panel
@bottom_row; @left
set ylabel "Variance: delivered over wanted"
set yrange [0:1.12]
unset key
do for [k = 1:slices] {
  stats data.'/slices.tsv' using (column("slice") == k ? column("ratio_printed") : NaN) nooutput
  set label 10 + k sprintf("%s = %g", m_w, W[k]) at 0.12, STATS_min left offset 0, 0.75 tc rgb contrast
}
set label 14 "exact root" at 0.12, 1.0 left offset 0, 0.6 tc rgb blue
set label 15 "printed root" at 60, 0.55 left tc rgb contrast
plot for [k = 1:slices] data.'/slices.tsv' using (slice(k)):(column("ratio_printed")) with lines lc rgb contrast lw 1.3 dt (6, 3), \
     data.'/slices.tsv' using (slice(1)):(column("ratio")) with lines lc rgb blue lw 1.6 dt 1, \
     data.'/simulated.tsv' using "n":"printed_var":(2 * column("printed_var_se")) with yerrorbars pt 6 ps 0.5 lc rgb contrast lw 0.9 dt 1, \
     data.'/simulated.tsv' using "n":"exact_var":(2 * column("exact_var_se")) with yerrorbars pt 7 ps 0.4 lc rgb blue lw 0.9 dt 1

do for [k = 1:5] { unset label 10 + k }

# (d) A = B
letter = "d"; @panel
@bottom_row; @right
set xrange [0.01:1000]; set yrange [-0.37:0.05]; set ytics -0.3, 0.1, 0
set xtics ("0.01" 0.01, "0.1" 0.1, "1" 1, "10" 10, "10^2" 100, "10^3" 1000)
set xlabel "Cumulative evidence ".m_A." + ".m_B.", with ".m_A." = ".m_B
set ylabel "Remark: relative error in 1 − ".m_Phi
set label 1 "against exact root" at 6, -0.16 left tc rgb blue
set label 2 "against printed root" at 0.013, -0.155 left tc rgb contrast
plot 0 with lines lt 8 lw 0.8, \
     data.'/equal.tsv' using "n":"error_exact" with lines lc rgb blue lw 1.6 dt 1, \
     data.'/equal.tsv' using "n":"error_printed" with lines lc rgb contrast lw 1.3 dt (6, 3)
unset multiplot
