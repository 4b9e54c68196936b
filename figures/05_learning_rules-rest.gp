# What seven rules leave undone in 10,000 samples: the winners' distance from the encoded distribution as learned, with the
# middle 95% of runs, and at the fixed point.
# alt: Seven rows, one for each rule, on a logarithmic axis of total variation. Filled dots are what was learned, with
# bars; open circles the fixed points. The unadjusted rule is far right near 0.5, expected size near 0.16, subtractive
# and rescaled near 0.1; the powers lie further left, and for constant power and subset size the open circle is well
# left of the dot.
width = 9; height = 6
load 'figures/style.gp'

set tmargin screen 0.86; set bmargin screen 0.20; set lmargin screen 0.37; set rmargin screen 0.97
set logscale x; set xrange [0.009:0.7]
set xtics ("0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3)
set yrange [7.6:0.4]
set ytics ("unadjusted" 1, "subtractive" 2, "rescaled" 3, "power, constant" 4, "power, variable" 5, \
           "power, subset size" 6, "power, expected size" 7) scale 0
set xlabel "Total variation of winners"
set key at screen 0.97, screen 0.93 right center horizontal samplen 0.6 width 1
plot data.'/errors.tsv' using "lo":"row":(column("hi") - column("lo")):(0) with vectors nohead lt 3 dt 1 lw 1.2, \
     '' using "tv":"row" with points lt 3 pt 7 ps 0.55 title "learned", \
     '' using "rest":"row" with points lt 1 pt 6 ps 0.65 lw 1.2 title "fixed point"
