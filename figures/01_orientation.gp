# 01_orientation: tuning curves, the response to one line, and the error of the average, plain and on the circle. [fig:tuningcurve]
# alt: Three panels. a: a row of short strokes at all orientations above a row of overlapping bell curves; a vertical
# line at about 65 degrees crosses them, with asterisks where it does. b: stems of the firing rates, highest at 60 and
# 75 degrees, and an asterisk at their average, where the line shown is. c: the error of the plain average is near zero
# in the middle and rises to several spacings at both ends of the circle; that of the circular average is a flat line at
# zero.
width = 17; height = 11.6
load 'figures/style.gp'

stats data.'/orientation.tsv' using "orientation" nooutput
shown = STATS_min
stats data.'/orientation_response.tsv' using "preferred" nooutput
n = STATS_records; step = STATS_max / (n - 1)

top_row    = 'set tmargin at screen 0.94; set bmargin at screen 0.615'
bottom_row = 'set tmargin at screen 0.435; set bmargin at screen 0.105'
left       = 'set lmargin at screen 0.078; set rmargin at screen 0.485'
right      = 'set lmargin at screen 0.575; set rmargin at screen 0.982'

# A bar of the orientation t (degrees), `size` cm long, in the units of the top row.
across = 194.0 / (0.407 * width); up = 1.36 / (0.325 * height); size = 0.38
dx(t) = size * cos(t * pi / 180) * across; dy(t) = size * sin(t * pi / 180) * up

set multiplot
set grid noxtics noytics

# (a) tuning curves
letter = "a"; @panel
@top_row; @left
set xrange [-7:187]; set xtics 0, 45, 180; set yrange [0:1.36]; set ytics 0, 0.5, 1
set xlabel "Orientation of the line (degrees)"; set ylabel "Firing rate"
plot for [k = 1:n] data.'/orientation_curves.tsv' using (column("neuron") == k ? column("orientation") : NaN):(column("rate")) with lines lt 8 lw 1.2, \
     data.'/orientation_response.tsv' using (column("preferred") - dx(column("preferred")) / 2):(1.18 - dy(column("preferred")) / 2):(dx(column("preferred"))):(dy(column("preferred"))) \
       with vectors nohead lc rgb grey lw 2.4 dt 1, \
     data.'/orientation.tsv' using "orientation":(0):(0):(1.06) with vectors nohead lt 1 lw 2.0, \
     data.'/orientation_response.tsv' using (shown):(column("rate") > 0.02 ? column("rate") : NaN) with points pt 3 ps 0.8 lc rgb blue lw 1.4

# (b) the response of the population to one orientation
letter = "b"; @panel
@top_row; @right
set xlabel "Preferred orientation (degrees)"
set label 1 "activity-weighted average" at shown, 1.0 left offset 1.4, 0.35 tc rgb blue
set label 2 "line shown" at shown, 1.18 right offset -2.6, 0 tc rgb black
plot data.'/orientation_response.tsv' using "preferred":"rate" with impulses lc rgb blue lw 3.2 dt 1, \
     data.'/orientation_response.tsv' using "preferred":"rate" with points pt 7 ps 0.5 lc rgb blue, \
     data.'/orientation.tsv' using (column("orientation") - dx(shown) / 2):(1.18 - dy(shown) / 2):(dx(shown)):(dy(shown)) with vectors nohead lc rgb black lw 3.0 dt 1, \
     data.'/orientation.tsv' using "circular":(1.18):(0):(-1.18) with vectors nohead lc rgb blue lw 0.8 dt (2, 3), \
     data.'/orientation.tsv' using "circular":(1.0) with points pt 3 ps 1.0 lc rgb blue lw 1.8
unset label 1; unset label 2

# (c) the average, plain and on the circle
letter = "c"; @panel
@bottom_row; set lmargin at screen 0.078; set rmargin at screen 0.982
set yrange [-0.2:6.5]; set ytics 0, 2, 6
set xlabel "Orientation of the line (degrees)"; set ylabel "Error of average (spacings)"
set label 1 "plain average" at 15, 3.2 left tc rgb contrast
set label 2 "circular average" at 90, 0.6 center tc rgb blue
plot data.'/orientation_error.tsv' using "orientation":"plain" with lines lc rgb contrast lw 1.6 dt (6, 3), \
     data.'/orientation_error.tsv' using "orientation":"circular" with lines lc rgb blue lw 1.8 dt 1
unset label 1; unset label 2

unset multiplot
