"""The reference job as a competent NumPy user would write it: Algorithm 2 vectorised across the rows.

Three rounds; prints `phase<TAB>seconds` for each phase of each, then `check<TAB>name<TAB>value` for what must agree with the other programs.
"""
import sys
import time

import numpy as np

N, ROWS, ITERATIONS, DRAWS, ROUNDS = 100, 4000, 5000, 1000, 3
SIGMA, PSI, RATE, ACTIVE = 0.05, 8, 0.01, 1e-3
XS = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])

rng = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
clock, phases = time.process_time, []
centers = np.linspace(-6, 6, N)


def encode(v):
    return np.exp(-0.5 * ((v[:, None] - centers) / SIGMA) ** 2)


def timed(name, start):
    phases.append((name, clock() - start))


def job():
    t = clock()
    x = np.repeat(XS, ROWS // 5)
    y = rng.normal(0, 0.2 + 0.2 * (x + 4))
    timed("data", t)

    t = clock()
    X, Y = encode(x), encode(y)
    A = rng.uniform(0.025, 0.026, (N, N)) + X.T @ Y
    B = rng.uniform(0.100, 0.101, (N, N)) + X.T @ (1 - Y)
    W = A / (A + B)
    timed("evidence", t)

    t = clock()
    order = np.argsort(-W, axis=1, kind="stable")
    ranked = np.take_along_axis(W, order, axis=1)
    weaker = np.cumsum(ranked[:, ::-1], axis=1)[:, ::-1]
    Q = np.empty_like(W)
    np.put_along_axis(Q, order, ranked / weaker, axis=1)
    timed("mapping", t)

    t = clock()
    rising = np.ascontiguousarray(ranked[:, ::-1])  # weakest first, so that a running sum is the sum over the weaker
    q = np.clip(rng.normal(0.3, 0.1, (N, N)), 1e-4, 1)
    for _ in range(ITERATIONS):
        mask = rng.random((N, N)) < q
        total = np.cumsum(np.where(mask, rising, 0.0), axis=1)
        row, col = np.nonzero(mask)
        now = q[row, col]
        g = rising[row, col] / total[row, col]
        g *= g
        g *= g
        g *= g
        q[row, col] = np.clip(now - RATE * (now - g), 1e-4, 1)
    L = np.empty_like(W)
    np.put_along_axis(L, order, q[:, ::-1], axis=1)
    timed("learning", t)

    t = clock()
    sds = []
    for release in (Q, L):
        for v in XS:
            a = encode(np.array([v]))[0]
            on = a > ACTIVE
            share = max(1.0, a[on].sum() ** 2 / (a[on] ** 2).sum())
            effective, p = a[on, None] * W[on], release[on] / share
            winners = np.zeros(0, dtype=int)
            while winners.size < DRAWS:
                active = ((rng.random((DRAWS - winners.size,) + p.shape) < p) * effective).sum(axis=1)
                best = active.argmax(axis=1)
                winners = np.concatenate([winners, best[active.max(axis=1) > 0]])
            sds.append(centers[winners].std(ddof=1))
    timed("sampling", t)
    return A, Q, L, sds


for _ in range(ROUNDS):
    A, Q, L, sds = job()
for name, seconds in phases:
    print(f"{name}\t{seconds:.9f}")
print(f"check\tevidence\t{A.sum():.17g}")
print(f"check\tanalytic\t{Q.mean():.17g}")
print(f"check\tlearned\t{L.mean():.17g}")
for i, sd in enumerate(sds):
    print(f"check\tsd{i + 1}\t{sd:.17g}")
