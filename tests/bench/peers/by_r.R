# The reference job in R, as fast as it gets without compiling: all rows of the network in one vector, only the members
# of subsets looked at once they are known. Sums within a row are a running sum over all members less what it was where
# the row began. R's generators make doubles only; the quickest sound one is Marsaglia's Super-Duper.
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "job.R"))
RNGkind("Super-Duper")
set.seed(seed)

learn <- function(w, q) {
  column <- rep(seq_len(N), each = N)
  edges <- (seq_len(N) - 1) * N
  for (iteration in seq_len(ITERATIONS)) {
    on <- which(runif(N * N) < q)
    own <- w[on]
    running <- c(0, cumsum(own))
    begin <- running[findInterval(edges, on) + 1]
    g <- own / (running[-1] - begin[column[on]])
    g <- g * g; g <- g * g; g <- g * g
    now <- q[on]
    now <- now - RATE * (now - g)
    now[now < FLOOR] <- FLOOR
    q[on] <- now                                             # a mean of numbers below 1 stays below 1
  }
  q
}

sample <- function(effective, p) {
  winners <- integer(0)
  while (length(winners) < DRAWS) {
    m <- DRAWS - length(winners)
    y <- numeric(m * N)
    for (i in seq_len(nrow(p))) {
      on <- which(runif(m * N) < rep(p[i, ], each = m))
      y[on] <- y[on] + effective[i, (on - 1) %/% m + 1]
    }
    y <- matrix(y, m)
    best <- max.col(y, ties.method = "first")
    winners <- c(winners, best[y[cbind(seq_len(m), best)] > 0])
  }
  winners
}

run(learn, sample)
