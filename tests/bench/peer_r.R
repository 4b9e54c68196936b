# The reference job as a competent R user would write it: Algorithm 2 vectorised across the rows.
#
# Three rounds; prints `phase<TAB>seconds` for each phase of each, then `check<TAB>name<TAB>value` for what must agree with the other programs.

N <- 100; ROWS <- 4000; ITERATIONS <- 5000; DRAWS <- 1000; ROUNDS <- 3
SIGMA <- 0.05; RATE <- 0.01; ACTIVE <- 1e-3
XS <- c(-4, -2, 0, 2, 4)

args <- commandArgs(trailingOnly = TRUE)
set.seed(if (length(args) > 0) as.integer(args[1]) else 1)
clock <- function() as.numeric(Sys.time())
report <- function(name, start) cat(sprintf("%s\t%.9f\n", name, clock() - start))
centers <- seq(-6, 6, length.out = N)
encode <- function(v) exp(-0.5 * (outer(v, centers, "-") / SIGMA)^2)

job <- function() {
  t <- clock()
  x <- rep(XS, each = ROWS / 5)
  y <- rnorm(ROWS, 0, 0.2 + 0.2 * (x + 4))
  report("data", t)

  t <- clock()
  X <- encode(x); Y <- encode(y)
  A <- matrix(runif(N * N, 0.025, 0.026), N) + crossprod(X, Y)
  B <- matrix(runif(N * N, 0.100, 0.101), N) + crossprod(X, 1 - Y)
  W <- A / (A + B)
  report("evidence", t)

  t <- clock()
  ord <- t(apply(W, 1, order, decreasing = FALSE))          # weakest first
  at <- cbind(rep(1:N, N), as.vector(ord))
  rising <- matrix(W[at], N)                                 # row i ascending
  Q <- matrix(0, N, N)
  Q[at] <- as.vector(rising / t(apply(rising, 1, cumsum)))
  report("mapping", t)

  t <- clock()
  # Columns are rows of the network, so that one running sum over the whole matrix gives all of them at once.
  up <- t(rising)
  q <- matrix(pmin(1, pmax(1e-4, rnorm(N * N, 0.3, 0.1))), N)
  before <- rep(c(0, seq_len(N - 1) * N), each = N)          # where each column's running sum starts
  for (iteration in seq_len(ITERATIONS)) {
    on <- which(runif(N * N) < q)
    s <- numeric(N * N); s[on] <- up[on]
    running <- c(0, cumsum(s))
    g <- up[on] / (running[on + 1] - running[before[on] + 1])
    g <- g * g; g <- g * g; g <- g * g
    now <- q[on]
    q[on] <- pmin(1, pmax(1e-4, now - RATE * (now - g)))
  }
  L <- matrix(0, N, N)
  L[at] <- as.vector(t(q))
  report("learning", t)

  t <- clock()
  sds <- c()
  for (release in list(Q, L)) for (v in XS) {
    a <- encode(v)[1, ]
    on <- a > ACTIVE
    share <- max(1, sum(a[on])^2 / sum(a[on]^2))
    effective <- a[on] * W[on, , drop = FALSE]; p <- release[on, , drop = FALSE] / share
    k <- sum(on)
    winners <- integer(0)
    while (length(winners) < DRAWS) {
      m <- DRAWS - length(winners)
      y <- matrix(0, m, N)
      for (i in seq_len(k))
        y <- y + (matrix(runif(m * N), m) < rep(p[i, ], each = m)) * rep(effective[i, ], each = m)
      best <- max.col(y, ties.method = "first")
      winners <- c(winners, best[y[cbind(seq_len(m), best)] > 0])
    }
    sds <- c(sds, sd(centers[winners]))
  }
  report("sampling", t)
  list(A = A, Q = Q, L = L, sds = sds)
}

for (round in seq_len(ROUNDS)) result <- job()
cat(sprintf("check\tevidence\t%.17g\n", sum(result$A)))
cat(sprintf("check\tanalytic\t%.17g\n", mean(result$Q)))
cat(sprintf("check\tlearned\t%.17g\n", mean(result$L)))
cat(sprintf("check\tsd%d\t%.17g\n", seq_along(result$sds), result$sds), sep = "")
