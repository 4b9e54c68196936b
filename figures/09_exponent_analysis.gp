# Appendix B: the error of a constant exponent, its minimum, where learning settles, and how one exponent serves all sizes.
# alt: Four panels. a: squared error against the exponent: curves fall to a minimum marked by a dot, deeper and farther
# right for the larger half and for more weights. b: best exponent against the number of weights: lines that rise, blue
# above green, with circles on them and triangles of fixed points below. c: release against rank: the black mapping and
# an orange and a blue line rise together to one; two green lines stay low until the last rank. d: total variation
# against the exponent, one valley for each size, at larger exponents the larger the size, none far below the line at
# 0.1.
width = 17; height = 12.4
load 'figures/style.gp'

case(form, n, top, y) = strcol("form") eq form && column("n") == n && column("top") == top ? column(y) : NaN
best(form, top, y)    = strcol("form") eq form && column("top") == top ? column(y) : NaN
size(n, y)            = strcol("shape") eq "uniform" && column("n") == n ? column(y) : NaN

set multiplot
set macros
left = 'set lmargin screen 0.085; set rmargin screen 0.475'
right = 'set lmargin screen 0.595; set rmargin screen 0.985'
upper = 'set tmargin screen 0.945; set bmargin screen 0.605'
lower = 'set tmargin screen 0.445; set bmargin screen 0.105'

# a: the error functional
letter = "a"; @panel
@left; @upper
set logscale y; set xrange [0:14]; set xtics 2
set yrange [2e-6:100]; set ytics ("10^{-5}" 1e-5, "10^{-3}" 1e-3, "10^{-1}" 1e-1, "10" 10)
set xlabel "Exponent ".m_psi; set ylabel "Squared error ".m_epsilon."(".m_psi.")" offset 0.6, 0
set key at graph 0.02, graph 0.02 left bottom Left reverse samplen 2.4
plot data.'/error.tsv' using "psi":(case("integral", 100, 1, "error"))    lt 4 dt 1 title m_n." = 100", \
     '' using "psi":(case("integral", 100, 0.5, "error"))  lt 4 dt (6, 4) title "larger half", \
     '' using "psi":(case("integral", 1000, 1, "error"))   lt 2 dt 1 title m_n." = 1000", \
     '' using "psi":(case("integral", 1000, 0.5, "error")) lt 2 dt (6, 4) title "larger half", \
     data.'/minima.tsv' using "psi":(strcol("form") eq "integral" ? column("error") : NaN) with points lt 1 ps 0.6

# b: the best exponent against the number of weights
letter = "b"; @panel
@right; @upper
unset logscale; set logscale x; set xrange [10:10000]; set yrange [0:13.5]
set xtics ("10" 10, "10^2" 100, "10^3" 1000, "10^4" 10000); set ytics 2
set xlabel "Number of equal weights ".m_n; set ylabel "Best exponent ".m_psi
set label 1 "larger half" at 750, 10.6 right textcolor rgb blue
set label 2 "all ranks" at 2200, 5.9 left textcolor rgb green
set key at graph 0.02, graph 1.02 left top Left reverse samplen 1.6
plot data.'/optima.tsv' using "n":(best("integral", 0.5, "psi")) lt 2 dt 1, \
     '' using "n":(best("sum", 0.5, "psi")) lt 2 dt (2, 4), \
     '' using "n":(best("integral", 1, "psi")) lt 4 dt 1, \
     '' using "n":(best("sum", 1, "psi")) lt 4 dt (2, 4), \
     data.'/settled.tsv' using "n":(column("top") == 1 ? column("psi") : NaN) with points lc rgb green pt 9 ps 0.8, \
     '' using "n":(column("top") == 0.5 ? column("psi") : NaN) with points lc rgb blue pt 9 ps 0.8, \
     '' using "n":"printed" with points lt 1 pt 6 ps 0.9 lw 1.2 title "printed", \
     NaN lt 8 lw 1.6 title "integral", NaN lt 8 dt (2, 4) lw 1.6 title "sum", \
     NaN with points lt 8 pt 9 ps 0.8 title "fixed point"
unset label 1; unset label 2

# c: where learning settles
letter = "c"; @panel
@left; @lower
unset logscale; set logscale y; set xrange [0:101]; set xtics 20
set yrange [3e-3:1.3]; set ytics ("0.003" 0.003, "0.01" 0.01, "0.03" 0.03, "0.1" 0.1, "0.3" 0.3, "1" 1)
set xlabel "Rank of weight (".m_n." = 100 equal weights)"; set ylabel "Release probability ".m_q
set key at graph 0.02, graph 1.02 left top Left reverse
plot data.'/releases.tsv' using "rank":"analytic" lt 1 lw 2.4 title "analytic", \
     '' using "rank":"implicit" lt 2 title "implicit equation", \
     '' using "rank":"settled" lt 4 title "fixed point, all ranks", \
     '' using "rank":"settled_top" lt 4 dt (2, 4) title "fixed point, larger half", \
     '' using "rank":"variable" lt 3 title "fixed point, variable"

# d: one exponent for all sizes
letter = "d"; @panel
@right; @lower
set xrange [0:14]; set xtics 2; set yrange [0.015:1.2]
set ytics ("0.02" 0.02, "0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1)
set xlabel "Exponent ".m_psi; set ylabel "Total variation of winners"
set key at graph 0.99, graph 0.0 right bottom maxrows 4 spacing 0.95
plot for [k = 1:4] data.'/adequacy.tsv' using "psi":(size(word("10 50 200 1000", k) + 0, "tv")) \
       lc rgb word("#B9E3D3 #66C2A4 #238B6B #00402F", k) dt 1 lw 1.8 title m_n." = ".word("10 50 200 1000", k), \
     0.10 lt 8 dt (2, 3)
unset multiplot
