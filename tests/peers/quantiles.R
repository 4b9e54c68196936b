# Quantile regression on splines (r-cran-quantreg): 40 levels, rearranged so that they do not cross.
#
# One input: natural splines. Two: their sum, or products of them. Which, and how many degrees of freedom, is chosen by
# the pinball loss in five parts of the training rows. The quantile function between levels is linear; beyond the first
# and the last it goes on as that of an exponential tail. Writes what tests/peers/densities.lua writes.
suppressMessages({ library(quantreg); library(splines) })
arguments <- commandArgs(TRUE)
folder <- arguments[1]
levels <- (1:40 - 0.5) / 40
wanted <- (1:200 - 0.5) / 200
sets <- read.delim("tests/peers/datasets.tsv", comment.char = "#")

forms <- function(inputs) {
  if (inputs == 1) return(lapply(c(1, 2, 3, 5, 8, 12, 16), function(k) sprintf("y ~ ns(x1, %d)", k)))
  c(lapply(c(1, 2, 3, 5, 8), function(k) sprintf("y ~ ns(x1, %d) + ns(x2, %d)", k, k)),
    lapply(c(1, 2, 3, 5, 7), function(k) sprintf("y ~ ns(x1, %d) * ns(x2, %d)", k, k)))
}
pinball <- function(off, level) mean(pmax(level * off, (level - 1) * off))
fit <- function(form, d, tau) suppressWarnings(rq(as.formula(form), tau, d, method = "fn"))

choose <- function(d, inputs) {
  part <- rep_len(1:5, nrow(d)) # rows come in a keyed order
  losses <- sapply(forms(inputs), function(form) tryCatch(mean(sapply(1:5, function(k) {
    away <- d[part == k, ]
    q <- predict(fit(form, d[part != k, ], c(0.1, 0.3, 0.5, 0.7, 0.9)), away)
    mean(sapply(1:5, function(t) pinball(away$y - q[, t], c(0.1, 0.3, 0.5, 0.7, 0.9)[t])))
  })), error = function(e) Inf))
  forms(inputs)[[which.min(losses)]]
}

# 200 quantiles and the density at y, from 40 quantiles of one row.
spread <- function(q, y) {
  q <- sort(q)
  n <- length(q)
  tiny <- 1e-6 * (q[n] - q[1]) + 1e-12
  q <- q + tiny * (1:n)
  low <- max((q[3] - q[1]) / log(levels[3] / levels[1]), tiny) # scales of the tails
  high <- max((q[n] - q[n - 2]) / log((1 - levels[n - 2]) / (1 - levels[n])), tiny)
  out <- approx(levels, q, wanted, rule = 2)$y
  below <- wanted < levels[1]
  above <- wanted > levels[n]
  out[below] <- q[1] + low * log(wanted[below] / levels[1])
  out[above] <- q[n] - high * log((1 - wanted[above]) / (1 - levels[n]))
  f <- if (y < q[1]) levels[1] / low * exp((y - q[1]) / low)
       else if (y >= q[n]) (1 - levels[n]) / high * exp(-(y - q[n]) / high)
       else { at <- findInterval(y, q); (1 / n) / (q[at + 1] - q[at]) }
  c(f, out)
}

for (i in seq_len(nrow(sets))) {
  s <- sets[i, ]
  if (length(arguments) > 1 && arguments[2] != s$set) next
  d <- read.delim(file.path(if (s$rows > 10000) folder else "lua/experiments/data", paste0(s$set, ".tsv")), comment.char = "#")
  d <- data.frame(x1 = d[[s$x1]], x2 = if (is.na(s$x2)) 0 else d[[s$x2]], y = d[[s$y]])
  folds <- read.delim(file.path(folder, paste0("folds_", s$set, ".tsv")))
  base <- file.path(folder, paste0(s$set, "_quantile"))
  out <- file(paste0(base, ".bin"), "wb")
  times <- file(paste0(base, ".times"), "w")
  for (k in 1:10) {
    start <- proc.time()
    train <- which(folds$part != k)
    some <- head(train[order(folds$place[train])], 2000)
    form <- choose(d[some, ], s$inputs)
    m <- fit(form, d[train, ], levels)
    trained <- proc.time()
    test <- which(folds$part == k & folds$scored == 1)
    q <- predict(m, d[test, ])
    for (r in seq_along(test)) writeBin(as.double(c(test[r], spread(q[r, ], d$y[test[r]]))), out, 8, "little")
    done <- proc.time()
    cat(k, sum((trained - start)[1:2]), sum((done - trained)[1:2]), form, sep = "\t", file = times)
    cat("\n", file = times)
  }
  close(out)
  close(times)
  cat("quantile:", s$set, "\n", file = stderr())
}
