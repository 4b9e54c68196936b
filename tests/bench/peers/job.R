# The reference job, as far as all R programs do it alike: its sizes, the clock, what is printed.
#
# A program does the job again and again for BENCH_SECONDS of processor time (a second unless told), at least twice. It
# prints `phase<TAB>seconds` for each phase of each round, then `check<TAB>name<TAB>value` for what must agree with the
# other programs.

N <- 100; ROWS <- 4000; ITERATIONS <- 5000; DRAWS <- 1000
LO <- -6; HI <- 6; SIGMA <- 0.05; RATE <- 0.01; FLOOR <- 1e-4; ACTIVE <- 1e-3
XS <- c(-4, -2, 0, 2, 4)
STEP <- (HI - LO) / (N - 1)
centers <- seq(LO, HI, length.out = N)

args <- commandArgs(trailingOnly = TRUE)
seed <- if (length(args) > 0) as.integer(args[1]) else 1L
set.seed(seed)
clock <- function() { t <- proc.time(); t[["user.self"]] + t[["sys.self"]] }

# R tells the processor's time to the millisecond only: what is short is timed by the wall clock.
begin <- function() c(clock(), as.numeric(Sys.time()))
report <- function(name, start) {
  spent <- begin() - start
  cat(sprintf("%s\t%.9f\n", name, if (spent[1] > 0.02) spent[1] else spent[2]))
}

# Only curves that are not 0 are looked at: where they stand, and their heights, a column for each offset.
near <- function(v) {
  at <- outer(round((v - LO) / STEP), -4:4, "+")
  rates <- exp(-0.5 * ((v - (LO + STEP * at)) / SIGMA)^2)
  rates[at < 0 | at >= N] <- 0
  list(at = pmin(pmax(at, 0), N - 1), rates = rates)
}

dense <- function(v) {
  part <- near(v)
  M <- matrix(0, length(v), N)
  M[cbind(rep(seq_along(v), 9), as.vector(part$at) + 1)] <- as.vector(part$rates)
  M
}

evidence_of <- function(x, y) {
  X <- dense(x)
  list(given = crossprod(X, dense(y)), seen = colSums(X))
}

# The inputs that are active at v: effective weights and releases.
pattern <- function(W, release, v) {
  part <- near(v)
  on <- part$rates[1, ] > ACTIVE
  i <- part$at[1, on] + 1; a <- part$rates[1, on]
  list(effective = a * W[i, , drop = FALSE], p = release[i, , drop = FALSE] / max(1, sum(a)^2 / sum(a^2)))
}

# The job by three functions: learn(weights, start), both with a column for each row of the network, weakest first;
# sample(effective, p), which gives winners; and evidence(x, y).
run <- function(learn, sample, evidence = evidence_of) {
  began <- clock(); rounds <- 0
  while (rounds < 2 || clock() - began < as.numeric(Sys.getenv("BENCH_SECONDS", "1"))) {
    t <- begin()
    x <- rep(XS, each = ROWS / 5)
    y <- rnorm(ROWS, 0, 0.2 + 0.2 * (x + 4))
    report("data", t)

    t <- begin()
    seen <- evidence(x, y)
    A <- matrix(runif(N * N, 0.025, 0.026), N) + seen$given
    W <- A / (A + seen$seen - seen$given + matrix(runif(N * N, 0.100, 0.101), N))
    report("evidence", t)

    t <- begin()
    at <- matrix(order(rep(1:N, N), as.vector(W)), N)       # column i: row i of W, ascending
    w <- matrix(W[at], N)
    running <- cumsum(w)
    ends <- c(0, running[N * (1:(N - 1))])
    Q <- matrix(0, N, N)
    Q[at] <- w / (running - rep(ends, each = N))
    report("mapping", t)

    t <- begin()
    L <- matrix(0, N, N)
    L[at] <- learn(w, matrix(pmin(1, pmax(FLOOR, rnorm(N * N, 0.3, 0.1))), N))
    report("learning", t)

    t <- begin()
    sds <- c()
    for (release in list(Q, L)) for (v in XS) {
      one <- pattern(W, release, v)
      sds <- c(sds, sd(centers[sample(one$effective, one$p)]))
    }
    report("sampling", t)
    rounds <- rounds + 1
  }
  cat(sprintf("check\tevidence\t%.17g\n", sum(A)))
  cat(sprintf("check\tanalytic\t%.17g\n", mean(Q)))
  cat(sprintf("check\tlearned\t%.17g\n", mean(L)))
  cat(sprintf("check\tstrongest\t%.17g\n", mean(L[at[N, ]])))
  cat(sprintf("check\tsd%d\t%.17g\n", seq_along(sds), sds), sep = "")
}
