# The twelve errata, one panel each: what is right in black, what is printed in red.
# alt: Twelve small panels in three rows, E1 to E12, each with a black line of what is right and an orange one of what
# is printed. In E1, E4 to E9 and E12 the two run apart visibly; in E2 and E3 they differ little; E10 shows two orange
# humps over a black line at zero, and E11 orange triangles at one over black dots and rings below.
width = 17; height = 14
load 'figures/style.gp'
small = format eq "pdf" ? ",8" : ",11.5"; plain = format eq "pdf" ? ",9" : ",13"; tiny = format eq "pdf" ? ",7.5" : ",10.5"

set style line 1 lc rgb black lw 1.6 dt 1
set style line 2 lc rgb red lw 1.6 dt (6, 3)
set style line 3 lc rgb "#666666" lw 1.3 dt (2, 2.5)
left(c) = 0.075 + 0.2395 * c
top(r) = 0.955 - 0.325 * r
place = 'set lmargin at screen left(c); set rmargin at screen left(c) + 0.170; set tmargin at screen top(r); set bmargin at screen top(r) - 0.215'
name = 'set label 98 "{/:Bold ".id."} ".what at graph 0, graph 1 offset -4.6, 0.75 font plain front'
set key font small samplen 1.4 spacing 0.95 width -1
set xlabel font small offset 0, 1.0
set ylabel font small offset 1.7, 0
set tics font tiny
set xtics offset 0, 0.35
set ytics offset 0.5, 0
fresh = 'unset label; unset logscale; set xtics autofreq; set ytics autofreq; set autoscale; unset arrow; set format "%g"; unset key'

set multiplot

@fresh; c = 0; r = 0; @place; id = "E1"; what = "variance of a weight"; @name
set logscale x; set xrange [0.1:1000]; set yrange [0:1.1]; set xtics 0.1, 100, 1000; set format x "10^{%L}"
set xlabel "Evidence ".m_A." + ".m_B; set ylabel "Delivered / wanted"
set label 1 m_w." = 0.95" at 0.12, 0.89 font tiny tc rgb red; set label 2 "0.5" at 0.9, 0.64 font tiny tc rgb red; set label 3 "0.05" at 8, 0.40 font tiny tc rgb red
plot 1 ls 1, for [i=2:4] data.'/e1_variance.tsv' skip 1 using 1:i ls 2

@fresh; c = 1; @place; id = "E2"; what = "the remark for ".m_A." = ".m_B; @name
set logscale xy; set xrange [0.1:100]; set yrange [0.008:0.7]; set format "10^{%L}"; set ytics (0.01, 0.1, "0.5" 0.5)
set xlabel "Evidence ".m_A." + ".m_B; set ylabel "Failure 1 − ".m_Phi; set key bottom left Left reverse
plot data.'/e2_remark.tsv' skip 1 using 1:2 ls 1 t "exact", '' skip 1 using 1:4 ls 2 t "remark", '' skip 1 using 1:3 ls 3 t "printed root"

@fresh; c = 2; @place; id = "E3"; what = "whose mean"; @name
set xrange [0:1]; set yrange [0:4.3]; set xtics 0, 0.5; set ytics 0, 1; set xlabel "Weight ".m_w; set ylabel "Density"
set label 1 "Beta(2, 6)" at 0.40, 3.8 font small; set label 2 "Beta(3, 7)" at 0.54, 1.6 font small tc rgb red
set arrow 1 from 0.385, 3.75 to 0.20, 2.95 head size 0.02, 20 filled lc rgb black lw 0.6
plot data.'/e3_density.tsv' skip 1 using 1:2 ls 1, '' skip 1 using 1:3 ls 2, \
  data.'/e3_mean.tsv' skip 1 using 2:(3.3) with impulses lc rgb black lw 1.0 dt 1, '' skip 1 using 3:(3.3) with impulses lc rgb red lw 1.0 dt (4, 2)

@fresh; c = 3; @place; id = "E4"; what = "a declining share"; @name
set xrange [-4:4]; set yrange [0:1]; set xtics -4, 2, 4; set ytics 0, 0.5; set xlabel "Input ".m_x; set ylabel "Share of first mode"
set label 1 "printed" at 1.2, 0.84 right font small tc rgb red; set label 2 "described" at 1.2, 0.14 right font small
plot data.'/e4_share.tsv' skip 1 using 1:3 ls 1, '' skip 1 using 1:2 ls 2

@fresh; c = 0; r = 1; @place; id = "E5"; what = "release of the largest"; @name
set logscale y; set xrange [1:100]; set xtics (1, 50, 100); set yrange [5e-5:1.5]; set format y "10^{%L}"; set xlabel "Rank ".m_i; set ylabel "Probability"
set label 1 m_q."_{".m_i."}" at 60, 0.17 font plain; set label 2 m_p."_{".m_i."}" at 60, 0.0025 font plain tc rgb red
plot data.'/e5_ranks.tsv' skip 1 using 1:3 ls 1, '' skip 1 using 1:2 ls 2, '' skip 1 using 1:($1 == 1 ? $3 : 1/0) with points pt 6 ps 0.7 lw 1.2 lc rgb black

@fresh; c = 1; @place; id = "E6"; what = "Appendix A, last line"; @name
set xrange [1:100]; set xtics (1, 50, 100); set yrange [-0.002:0.031]; set ytics 0, 0.01; set xlabel "Rank ".m_k." + 1"; set ylabel "Right-hand side"
set label 1 "sum to ".m_k at 30, 0.022 font small; set label 2 "sum to ".m_n at 6, 0.0022 font small tc rgb red
plot data.'/e5_ranks.tsv' skip 1 using 1:5 ls 1, '' skip 1 using 1:4 ls 2

@fresh; c = 2; @place; id = "E7"; what = "size of a subset"; @name
set xrange [1:100]; set xtics (1, 50, 100); set yrange [0:7]; set xlabel "Rank ".m_i; set ylabel "Expected members";
set label 1 "exact" at 58, 5.75 font small; set label 2 "(".m_n." − ".m_i.") ".m_q."_{".m_i."} + 1" at 20, 2.75 font small tc rgb red
plot data.'/e7_size.tsv' skip 1 using 1:2 ls 1, '' skip 1 using 1:3 ls 2

@fresh; c = 3; @place; id = "E8"; what = "Appendix C, strongest"; @name
set xrange [0:1]; set yrange [0:1]; set xlabel "Wanted ".m_p."_{".math("𝐽")."}"; set ylabel "Approximation"; set ytics 0, 0.5; set xtics 0, 0.5
set label 1 "as required" at 0.50, 0.36 font small; set label 2 "minimum" at 0.04, 0.93 font small tc rgb "#666666"; set label 3 "fixed ".math("𝑗") at 0.96, 0.56 right font small tc rgb red
plot x ls 1, data.'/e8_strongest.tsv' skip 1 using 1:2 ls 2, '' skip 1 using 1:3 ls 3

@fresh; c = 0; r = 2; @place; id = "E9"; what = "do tails vanish?"; @name
set logscale xy; set xrange [10:1e5]; set yrange [1e-4:9]; set format "10^{%L}"; set xtics 10, 10; set xlabel "Weights ".m_n; set ylabel "Weakest / encoded"
set label 1 m_q." = ".m_w."/Σ".m_w at 3e4, 0.31 right font small; set label 2 m_q." = 0.1" at 22, 4 left font small tc rgb red; set label 3 m_q." = 0.1".m_w at 260, 0.004 font small tc rgb "#666666"
plot data.'/e9_tails.tsv' skip 1 using 1:4 ls 1, '' skip 1 using 1:($2 > 1e-6 ? $2 : 1e-6) ls 2, '' skip 1 using 1:($3 > 1e-6 ? $3 : 1e-6) ls 3

@fresh; c = 1; @place; id = "E10"; what = "weights of the mixture"; @name
set xrange [-4:-3.65]; set yrange [-0.03:0.2]; set xtics -4, 0.1; set ytics 0, 0.1; set xlabel "Input ".m_x; set ylabel "Distance from ".m_W."′".m_x
set label 1 m_x."_{".m_i."} ".math("𝑅")."_{".m_i."}" at -3.83, -0.016 center font small; set label 2 m_x."_{".m_i."}" at -3.96, 0.14 font plain tc rgb red
plot 0 ls 1, data.'/e10_mixture.tsv' skip 1 using 1:2 ls 2

@fresh; c = 2; @place; id = "E11"; what = "the weakest synapse"; @name
set xrange [-5:5]; set yrange [-0.03:1.2]; set xtics -4, 2, 4; set ytics 0, 0.5; set xlabel "Input ".m_x; set ylabel "Release of the weakest"
set label 1 "mapping" at 0, 1.10 center font small tc rgb red; set label 2 "divided" at 0, 0.41 center font small; set label 3 "with ".m_Phi at 0, 0.11 center font small
plot data.'/e11_weakest.tsv' skip 1 using 1:2 with points pt 9 ps 0.6 lc rgb red, '' skip 1 using 1:3 with points pt 7 ps 0.45 lc rgb black, '' skip 1 using 1:4 with points pt 6 ps 0.55 lc rgb black

@fresh; c = 3; @place; id = "E12"; what = "rescaled target"; @name
set xrange [0.5:12.5]; set yrange [0.89:1.03]; set xtics 2, 2; set ytics 0.9, 0.05; set format y "%.2f"; set xlabel "Rank ".m_i; set ylabel "Mean target / ".m_q."_{".m_i."}"
set label 1 "equal weights" at 12.2, 1.014 right font small; set label 2 "unequal" at 4.6, 0.935 font small tc rgb red
plot data.'/e12_rescale.tsv' skip 1 using 1:2 ls 1, '' skip 1 using 1:3 with linespoints ls 2 pt 9 ps 0.45

unset multiplot
