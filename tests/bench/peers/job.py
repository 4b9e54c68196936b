"""The reference job, as far as all Python programs do it alike: its sizes, the clock, what is printed.

A program does the job again and again for BENCH_SECONDS of processor time (a second unless told), at least twice. It prints
`phase<TAB>seconds` for each phase of each round, then `check<TAB>name<TAB>value` for what must agree with the other programs.
"""
import os
import sys
import time

import numpy as np

N, ROWS, ITERATIONS, DRAWS = 100, 4000, 5000, 1000
LO, HI, SIGMA, RATE, FLOOR, ACTIVE = -6.0, 6.0, 0.05, 0.01, 1e-4, 1e-3
XS = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
STEP = (HI - LO) / (N - 1)
WINDOW = int(8.5 * SIGMA / STEP)  # curves farther away than this are 0
centers = np.linspace(LO, HI, N)
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
rng = np.random.Generator(np.random.SFC64(seed))  # NumPy's fastest
_last = 0.0


def timed(name=None):
    """Prints what passed since the last call, under a name."""
    global _last
    if name:
        print(f"{name}\t{time.process_time() - _last:.9f}")
    _last = time.process_time()


def make_data():
    x = np.repeat(XS, ROWS // len(XS))
    return x, rng.normal(0, 0.2 + 0.2 * (x + 4))


def near(v):
    """Where the curves near each value stand, and their heights, in single precision: rows of 2 WINDOW + 1."""
    at = np.rint((v - LO) / STEP).astype(np.int32)[:, None] + np.arange(-WINDOW - 1, WINDOW + 2, dtype=np.int32)
    z = ((v[:, None] - (LO + STEP * at)) / SIGMA).astype(np.float32)
    rates = np.exp(-0.5 * z * z)
    rates[(at < 0) | (at >= N)] = 0
    return np.clip(at, 0, N - 1, out=at), rates


def gather(x, y):
    """Evidence for, and what each input saw: only curves that are not 0 are looked at."""
    at_x, X = near(x)
    at_y, Y = near(y)
    cell = at_x[:, :, None] * N + at_y[:, None, :]
    A = np.bincount(cell.ravel(), (X[:, :, None] * Y[:, None, :]).ravel(), N * N).reshape(N, N)
    return A, np.bincount(at_x.ravel(), X.ravel(), N)


def multiply(x, y):
    """The same by a product of two matrices."""
    X, Y = (np.zeros((ROWS, N), np.float32) for _ in range(2))
    for M, v in ((X, x), (Y, y)):
        at, rates = near(v)
        inside = rates > 0
        M[np.nonzero(inside)[0], at[inside]] = rates[inside]
    return X.T @ Y, X.sum(axis=0)


def weights(for_it, seen):
    A = for_it + rng.uniform(0.025, 0.026, (N, N))
    return A, (A / (A + seen[:, None] - for_it + rng.uniform(0.100, 0.101, (N, N)))).astype(np.float32)


def mapping(W):
    """Releases, the ascending order of each row, the weights in that order."""
    rising = np.argsort(W, axis=1)
    w = np.take_along_axis(W, rising, axis=1)
    Q = np.empty_like(W)
    np.put_along_axis(Q, rising, w / np.cumsum(w, axis=1), axis=1)
    return Q, rising, w


def start():
    return np.clip(0.3 + 0.1 * rng.standard_normal((N, N), dtype=np.float32), FLOOR, 1)


def pattern(W, release, v):
    """Effective weights and releases of the inputs that are active at v."""
    at, rates = near(np.array([v]))
    on = rates[0] > ACTIVE
    i, a = at[0][on], rates[0][on]
    return a[:, None] * W[i], release[i] / max(1.0, a.sum() ** 2 / (a * a).sum())


def run(evidence, learn, sample, amplitude=None):
    """The job by functions: evidence(x, y); learn(weights ascending, start); sample(effective, releases), which gives winners;
    and the amplitude rule, if it is there, as learn."""
    began, rounds = time.process_time(), 0
    while rounds < 2 or time.process_time() - began < float(os.environ.get("BENCH_SECONDS", 1)):
        timed()
        x, y = make_data()
        timed("data")
        A, W = weights(*evidence(x, y))
        timed("evidence")
        Q, rising, w = mapping(W)
        timed("mapping")
        L = np.empty_like(W)
        np.put_along_axis(L, rising, learn(w, start()), axis=1)
        timed("learning")
        sds = [centers[sample(*pattern(W, release, v))].std(ddof=1) for release in (Q, L) for v in XS]
        timed("sampling")
        if amplitude:
            repaired = amplitude(w, start())
            timed("amplitude")
        rounds += 1
    strongest = np.take_along_axis(L, rising[:, -1:], axis=1).mean()
    for name, value in (("evidence", A.sum()), ("analytic", Q.mean()), ("learned", L.mean()), ("strongest", strongest)):
        print(f"check\t{name}\t{value:.17g}")
    if amplitude:
        print(f"check\tamplitude\t{repaired.mean():.17g}")
    for i, sd in enumerate(sds):
        print(f"check\tsd{i + 1}\t{sd:.17g}")
