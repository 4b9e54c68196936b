# The reference job in R, its loops in C++ by Rcpp: those of the best C program here. Compiled once, in the folder that
# BENCH_CACHE names.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "job.R"))
Sys.setenv(PKG_CXXFLAGS = paste0("-O3 -march=native -I'", normalizePath(here), "'"))
cache <- Sys.getenv("BENCH_CACHE", tempdir())
Rcpp::sourceCpp(file.path(here, "by_rcpp.cpp"), cacheDir = cache)
seed_best(seed)

run(function(w, q) learn_best(w, q, ITERATIONS, RATE, FLOOR),
    function(effective, p) sample_best(effective, p, DRAWS),
    function(x, y) evidence_best(x, y, LO, HI, SIGMA, N))
