# 08_release_matrices-ranks: mean release of each tenth of a row's synapses, from the strongest to the weakest (the very
# weakest left out), in rows with and without data. Bars: two standard errors over networks.
# alt: Three panels of mean release by tenth of the synapses, from the strongest to the weakest. In all of them blue,
# the mapping, ends highest at the last tenth; with the bimodal model it dips deep in the middle, and without data it
# rises steadily from about 0.01. Orange and green, learned and pooled, are nearly flat around 0.07.
width = 17; height = 6.4
load 'figures/style.gp'

heading = 'set label 1 title_text at graph 0, graph 1 offset -1.8, 0.78'
tenths = data.'/tenths.tsv'
of(scheme) = strcol("model") eq model && strcol("rows") eq rows && strcol("scheme") eq scheme ? column("release") : NaN

set multiplot
set tmargin at screen 0.90; set bmargin at screen 0.165
set xrange [0.5:10.5]; set xtics 1, 1, 10
set xlabel "Tenth of the synapses, by weight"
set logscale y; set yrange [0.008:0.3]; set ytics (0.01, 0.02, 0.05, 0.1, 0.2)
do for [k = 1:3] {
  model = word("simple bimodal simple", k); rows = word("seen seen unseen", k)
  set lmargin at screen 0.090 + 0.314 * (k - 1); set rmargin at screen 0.090 + 0.314 * (k - 1) + 0.276
  letter = word("a b c", k); @panel
  title_text = k == 3 ? "rows without data" : "rows with data, ".model." model"; @heading
  if (k == 1) { set ylabel "Mean release probability" } else { set ylabel ""; set format y "" }
  if (k == 3) { set key at graph 0.02, 0.99 left top Left reverse samplen 2.4 } else { unset key }
  plot tenths using "tenth":(of("analytic")):(2 * column("se")) with yerrorlines lt 2 ps 0.55 title "analytic", \
       tenths using "tenth":(of("learned")):(2 * column("se")) with yerrorlines lt 3 ps 0.65 title "learned", \
       tenths using "tenth":(of("pooled")):(2 * column("se")) with yerrorlines lt 4 ps 0.65 title "pooled"
}
unset multiplot
