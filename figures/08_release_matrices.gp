# 08_release_matrices: weights and release probabilities of a network trained on the simple (above) and on the bimodal
# model (below): weights, analytic release, release learned per input, release learned across pooled inputs. Lighter is
# higher in all of them. [fig:weights]
# alt: Eight grey images in two rows. Weights above: light grey with five dark vertical stripes that have a light spot
# each; weights below: a black square with two bright bands, between light margins. The analytic releases are noisy dark
# images with the same stripes or bands fainter and scattered white dots; in the learned ones they are fainter still
# with fewer dots, and in the pooled ones, which have fine vertical lines, barely visible.
width = 17; height = 11.0
load 'figures/style.gp'

# Square panels, in units of the page.
side = 0.208; gap = 0.020; left_edge = 0.068
tall = side * width / height
top_row = 0.925; bottom_row = top_row - tall - 0.055
bar_top = bottom_row - tall - 0.110; bar_bottom = bar_top - 0.018

# Viewers smooth small images, so each cell is drawn as sharp x sharp pixels. A matrix is text, a line for each input, since
# gnuplot is quick with lines of numbers and slow with a function of each pixel.
n = 100; sharp = 4
kinds = "weight analytic learned pooled"
array line[8 * n]
do for [k = 1:8 * n] { line[k] = "" }
before(model, k) = ((model eq "simple" ? 0 : 4) + k - 1) * n         # lines before those of this matrix
row_of(x) = int(floor((x + 6.0) / 12.0 * (n - 1) + 0.5)) + 1
add(l, cell) = (line[l] = line[l].cell.cell.cell.cell)
stats data.'/matrices.tsv' using (sum [k = 1:4] (add(before(strcol("model"), k) + row_of(column("x")), " ".strcol(word(kinds, k))), 0)) nooutput
edge_pixel = 6.0 + 6.0 / (n - 1) * (1 - 1.0 / sharp)
place(k) = sprintf(" %.15g", edge_pixel * (2.0 * k / (n * sharp - 1) - 1))
places = ""
do for [k = 0:n * sharp - 1] { places = places.place(k) }
set style fill solid 1

# The grey of a release is its square root: most are small.
set palette defined (0 "#000000", 0.01 "#1A1A1A", 0.04 "#333333", 0.09 "#4D4D4D", 0.16 "#666666", 0.25 "#808080", \
  0.36 "#999999", 0.49 "#B3B3B3", 0.64 "#CCCCCC", 0.81 "#E6E6E6", 1 "#FFFFFF")
set xrange [-6.06:6.06]; set yrange [-6.06:6.06]
set xtics -4, 4, 4; set ytics -4, 4, 4
set tics front
unset grid; unset key
set border 15 lw 0.6

set multiplot
do for [row = 1:2] {
  model = word("simple bimodal", row)
  upper = row == 1 ? top_row : bottom_row
  set tmargin at screen upper; set bmargin at screen upper - tall
  if (row == 1) { set format x ""; set xlabel "" } else { set format x "%h"; set xlabel "Input ".m_x }
  do for [column_no = 1:4] {
    edge = left_edge + (column_no - 1) * (side + gap)
    set lmargin at screen edge; set rmargin at screen edge + side
    if (column_no == 1) { set format y "%h"; set ylabel "Output ".m_y } else { set format y ""; set ylabel "" }
    if (row == 1) { set label 1 word("weights analytic learned pooled", column_no) at graph 0.5, 1 center offset 0, 0.75 } else { unset label 1 }
    set label 99 "{/:Bold ".word("a b c d e f g h", (row - 1) * 4 + column_no)."}" at graph 0, graph 1 offset 0.1, 0.75 font sprintf(",%d", letter_size) front
    if (column_no == 4) { set label 2 model." model" at screen 0.985, screen upper - tall / 2 center rotate by -90 } else { unset label 2 }
    if (column_no == 1) { set cbrange [0:0.25] } else { set cbrange [0:1] }
    if (row == 1 && column_no == 1) {
      set colorbox horizontal user origin screen left_edge, screen bar_bottom size screen side, screen (bar_top - bar_bottom)
      set cbtics 0, 0.1, 0.2 scale 0.3 offset 0, 0.45; set cblabel "Weight" offset 0, 0.6
    } else { if (row == 1 && column_no == 2) {
      set colorbox horizontal user origin screen left_edge + side + gap, screen bar_bottom size screen 3 * side + 2 * gap, screen (bar_top - bar_bottom)
      set cbtics (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1) scale 0.3 offset 0, 0.45; set cblabel "Release probability" offset 0, 0.6
    } else { unset colorbox } }
    set print $cells
    print n * sharp, places
    do for [k = 0:n * sharp - 1] { print place(k), line[before(model, column_no) + k / sharp + 1] }
    unset print
    set datafile separator whitespace
    plot $cells nonuniform matrix using 2:1:3 with image
    set datafile separator tab
  }
}
unset multiplot
