# Seven rules on weights of four shapes and five sizes: error of the winners after 10,000 samples, and in the long run.
# alt: Eight small panels in two rows: total variation against the number of weights for seven rules, above as learned
# and below at the fixed point; columns are equal weights, one bell, two bells, one-sided decay. The unadjusted rule is
# the highest line nearly everywhere. Most others dip at twenty to fifty weights and rise to both sides; the fixed
# points lie lower than what was learned at large sizes.
width = 17; height = 10.4
load 'figures/style.gp'
near = format eq "svg" ? 1.6 : 0.0   # the SVG terminal sets axis labels farther out

set linetype 9  lc rgb "#7A2E00" lw 1.6 dt (2, 3)       pt 6 ps 0.50   # the subset's size: a relative of the variable exponent
set linetype 10 lc rgb "#F0A07A" lw 1.6 dt (10, 3, 2, 3) pt 8 ps 0.55  # its expectation: another
names  = "raw subtract rescale power variable subset expected"
types  = "6 5 7 4 3 9 10"
rule(k)  = word(names, k)
style(k) = word(types, k) + 0
title(k) = (k == 1 ? "unadjusted" : k == 2 ? "subtractive" : k == 3 ? "rescaled" : k == 4 ? "power, constant" : \
            k == 5 ? "power, variable" : k == 6 ? "power, subset size" : "power, expected size")
shape(c) = word("uniform bell bimodal decay", c)
heading(c) = (c == 1 ? "equal weights" : c == 2 ? "one bell" : c == 3 ? "two bells" : "one-sided decay")
of(k, c, y) = strcol("rule") eq rule(k) && strcol("shape") eq shape(c) ? column(y) : NaN
sweep = data.'/sweep.tsv'

# Two lines of key, by hand.
do for [k = 1:7] {
  x0 = 0.075 + 0.235 * ((k - 1) % 4); y0 = k < 5 ? 0.975 : 0.928
  set arrow 100 + k from screen x0, screen y0 to screen x0 + 0.038, screen y0 nohead lt style(k) lw 1.8
  set label 100 + k title(k) at screen x0 + 0.045, screen y0 left
  set label 110 + k "" at screen x0 + 0.019, screen y0 point lt style(k)
}

# A rule without error has no place on a logarithmic axis; panel e names it.
set multiplot
set logscale xy
set xrange [8:250]; set xtics (10, 20, 50, 100, 200)
set yrange [0.002:1]; set ytics ("0.002" 0.002, "0.01" 0.01, "0.05" 0.05, "0.2" 0.2, "1" 1)
left(c) = 0.085 + 0.233 * (c - 1)
do for [row = 1:2] {
  set tmargin screen (row == 1 ? 0.845 : 0.465); set bmargin screen (row == 1 ? 0.525 : 0.145)
  do for [c = 1:4] {
    letter = word("a b c d e f g h", 4 * (row - 1) + c)
    set label 99 "{/:Bold ".letter."}" at graph 0, graph 1 offset -1.6, 0.6 font sprintf(",%d", letter_size) front
    set lmargin screen left(c); set rmargin screen left(c) + 0.205
    if (row == 1) { set label 98 heading(c) at graph 0.5, graph 1 offset 0, 0.6 center; set format x ""; unset xlabel } \
    else { unset label 98; set format x "%g"; set xlabel "Number of weights ".m_n offset 0, 0.75 }
    if (c == 1) {
      set format y "%g"
      set ylabel (row == 1 ? "Total variation, learned" : "Total variation, fixed point") offset 1.0 + near, 0
      set ytics ("0.002" 0.002, "0.01" 0.01, "0.05" 0.05, "0.2" 0.2, "1" 1)
    } else { unset ylabel; set ytics ("" 0.002, "" 0.01, "" 0.05, "" 0.2, "" 1) }
    if (row == 1) {
      set xtics ("" 10, "" 20, "" 50, "" 100, "" 200)
      plot for [k = 1:7] sweep using "n":(of(k, c, "lo")):(of(k, c, "hi")) with filledcurves lt style(k) fs solid 0.2, \
           for [k = 1:7] '' using "n":(of(k, c, "tv")) with linespoints lt style(k)
    } else {
      set xtics (10, 20, 50, 100, 200)
      if (c == 1) { set label 97 "rescaled: 0" at 10, 0.0032 left textcolor rgb "#2A7FB0" } else { unset label 97 }
      plot for [k = 1:7] sweep using "n":(of(k, c, "rest")) with linespoints lt style(k)
    }
    if (row == 1 && c == 1) { do for [k = 1:7] { unset arrow 100 + k; unset label 100 + k; unset label 110 + k } }
  }
}
unset multiplot
