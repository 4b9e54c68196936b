# The end of `make bench`, in characters: what each program takes for learning and for the whole, over our time.
set terminal dumb 79 21
set datafile separator "\t"
set title "time of other programs over ours (#: whole replicate, *: learning)"
set logscale x
set xrange [0.3:100]
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.5
unset key
set ytics scale 0
rows(phase) = sprintf("< awk -F '\\t' -v p=%s '$3 == p && $1 !~ /^vesicle/' %s", phase, reference)
set arrow 1 from 1, graph 0 to 1, graph 1 nohead
plot rows('learning') using 5:0:ytic(1) with points pt "*", \
     rows('whole') using 5:0 with points pt "#"
