# What a replicate costs: against the strongest programs of other kinds, and as things grow.
# alt: Six panels. a: eight programs as points on a logarithmic axis of their time over ours, from 1.5 for the best C to
# about 30 for R, whole and learning together. b: nanoseconds per synapse against outputs: mapping and sites rise, the
# others are nearly flat. c: a draw is flat, a row falls with active inputs. d: a tiny replicate falls with their number,
# a row is flat. e: core milliseconds per replicate, flat to four workers; ranks lie above. f: peak memory rises with
# outputs and replicates, and is flat in rows.
width = 17; height = 11.5
load 'figures/style.gp'
set multiplot
set datafile columnheaders

reference = data.'/reference.tsv'
growth = data.'/growth.tsv'
only(w, v, c) = (strcol(1) eq w && strcol(2) eq v) ? column(c) : NaN
top = 0.92; middle = 0.60; low = 0.40; bottom = 0.09

# a: time of the other programs over ours
set lmargin at screen 0.135; set rmargin at screen 0.40; set bmargin at screen middle; set tmargin at screen top
letter = "a"; @panel
set title "time of other programs over ours" offset 0, -0.4
set logscale x; set xrange [0.4:100]; set xtics (1, 2, 5, 10, 20, 50); set xlabel "Ratio, whole and learning alone"
set yrange [7.6:-0.6]; set ytics scale 0 font small; set ylabel ""
set arrow 1 from 1, -0.6 to 1, 7.6 nohead lt 8 lw 0.8
unset key
plot reference using (column("whole")):0:ytic(1) with points lt 2 ps 0.7, \
     '' using (column("learning")):0 with points lt 3 ps 0.7
unset arrow 1

# b to f: time per unit of work, memory
set ytics autofreq font "" scale 0.5; set xtics autofreq
set yrange [1:10]; set logscale xy; set format xy "10^{%T}"

set lmargin at screen 0.50; set rmargin at screen 0.72
letter = "b"; @panel
set title "more outputs"
set xrange [70:140000]; set yrange [0.1:20000]; set xtics 100, 10, 100000; set ytics 0.1, 10, 10000
set ylabel "Nanoseconds per synapse" offset 0.8, 0; set xlabel "Outputs"
set key at graph 0.98, graph 0.99 right top samplen 1.5 spacing 0.85 font small maxrows 4
plot growth using 3:(only("mapping", "outputs", 4)) smooth unique with linespoints lt 1 title "mapping", \
     '' using 3:(only("learning", "outputs", 4)) smooth unique with linespoints lt 3 title "learning", \
     '' using 3:(only("amplitude", "outputs", 4)) smooth unique with linespoints lt 4 title "amplitude", \
     '' using 3:(only("draw", "outputs", 4)) smooth unique with linespoints lt 2 title "draw", \
     '' using 3:(only("sites", "outputs", 4)) smooth unique with linespoints lt 5 title "sites", \
     '' using 3:(only("stages", "outputs", 4)) smooth unique with linespoints lt 6 title "stages", \
     '' using 3:(only("chain", "outputs", 4)) smooth unique with linespoints lt 7 title "chain", \
     '' using 3:(only("spikes", "outputs", 4)) smooth unique with linespoints lt 8 title "spikes"

set lmargin at screen 0.79; set rmargin at screen 0.985
letter = "c"; @panel
set title "more active inputs"
set xrange [0.8:80]; set yrange [0.1:20000]; unset format; set format y "10^{%T}"; set xtics (1, 2, 4, 8, 16, 32, 64); set ytics 0.1, 10, 10000
set ylabel ""; set xlabel "Inputs active at once"
plot growth using 3:(only("draw", "inputs", 4)) smooth unique with linespoints lt 2 title "a draw, per input", \
     '' using 3:(only("observe", "inputs", 4)) smooth unique with linespoints lt 1 title "a row, per cell"

set lmargin at screen 0.135; set rmargin at screen 0.40; set bmargin at screen bottom; set tmargin at screen low
letter = "d"; @panel
set title "more rows, more replicates"
set format xy "10^{%T}"; set xrange [70:1.5e7]; set yrange [10:1e7]; set xtics 100, 10, 1e7; set ytics 10, 10, 1e7
set ylabel "Nanoseconds per unit" offset 0.8, 0; set xlabel "Rows, replicates"
plot growth using 3:(only("replicate", "replicates", 4)) smooth unique with linespoints lt 3 title "a tiny replicate", \
     '' using 3:(only("observe", "rows", 4)) smooth unique with linespoints lt 1 title "a row observed"

set lmargin at screen 0.50; set rmargin at screen 0.72
letter = "e"; @panel
set title "more workers, more ranks"
unset logscale y; unset format; set xrange [0.8:10]; set yrange [0:*]; set xtics (1, 2, 4, 8); set ytics autofreq
set ylabel "Core milliseconds\nper replicate" offset 0.8, 0; set xlabel "Processes"
set key at graph 0.98, graph 0.03 right bottom
plot growth using 3:(only("reference job", "workers", 4) / 1e6) smooth unique with linespoints lt 2 title "workers", \
     '' using 3:(only("reference job", "ranks", 4) / 1e6) smooth unique with linespoints lt 3 title "ranks"

set lmargin at screen 0.79; set rmargin at screen 0.985
letter = "f"; @panel
set title "peak memory"
set logscale xy; set format xy "10^{%T}"; set xrange [70:1.5e7]; set yrange [3:1000]; set xtics 100, 100, 1e7; set ytics 1, 10, 1000
set ylabel "Megabytes" offset 0.8, 0; set xlabel "Outputs, rows, replicates"
set key at graph 0.98, graph 0.99 right top
plot growth using 3:(only("learning", "outputs", 5)) smooth unique with linespoints lt 4 title "learning", \
     '' using 3:(only("observe", "rows", 5)) smooth unique with linespoints lt 1 title "rows", \
     '' using 3:(only("replicate", "replicates", 5)) smooth unique with linespoints lt 3 title "replicates"
unset multiplot
