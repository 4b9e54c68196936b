# NAME: distance between frequencies of winners and their probabilities against the number of draws. Points are means
# over replicates.
# alt: One panel with logarithmic axes: points with error bars fall from left to right along a grey straight line.

# The lines above are the caption, and after `alt:` what is seen in the picture, for those who do not see it. A figure
# reads tables and runs nothing: `data` is the folder of the experiment's tables. `make NAME` draws it as PDF and SVG;
# sizes are in centimetres.
width = 10; height = 7
load 'figures/style.gp'

table = data.'/distance.tsv'
stats table using "mean" every ::0::0 nooutput
first = STATS_min
stats table using "draws" every ::0::0 nooutput
start = STATS_min

set logscale xy
set xlabel "Draws ".m_n
set ylabel "Total variation distance"
set format x "10^{%T}"
set key top right Left reverse

plot first * (x / start) ** -0.5 with lines lt 8 title "square root", \
     table using "draws":"mean":(2 * column("se")) with yerrorbars lt 2 title "mean, two standard errors"
