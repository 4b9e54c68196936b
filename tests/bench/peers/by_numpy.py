"""The reference job in NumPy, as fast as it gets: batched over rows, single precision, only members of a subset looked at.

An iteration of all rows is one vector of N * N synapses, weakest first in each row. Random bits are made for many iterations at
once, 16 a synapse, and compared with releases as integer thresholds, which rounds a probability by less than 1e-5; what
transmits is listed, and from there on everything has the length of the list. Sums within a row are a running sum over the
whole list less what it was where the row began. `by_numpy.py SEED product` adds evidence by a product of matrices, for which
NumPy calls BLAS.
"""
import sys

import numpy as np

import job

N, BATCH = job.N, 64
bits = job.rng.bit_generator


def random16(count):
    """Random numbers of 16 bits."""
    return bits.random_raw((count + 3) // 4).view(np.uint16)[:count]


def threshold(q):
    return np.minimum(q * 65536 + 0.5, 65535).astype(np.uint16)


def learn(w, q):
    w, q, shape = w.ravel(), q.ravel(), q.shape
    rate, low, size = np.float32(job.RATE), np.float32(job.FLOOR), q.size
    row_of = np.repeat(np.arange(N), N)
    edges = np.arange(N) * N
    limit = threshold(q)
    before = np.zeros(size + 1)
    for t in range(job.ITERATIONS):
        if t % BATCH == 0:
            random = random16(size * BATCH).reshape(BATCH, size)
        on = np.flatnonzero(random[t % BATCH] < limit)
        own, now = w[on], q[on]
        sums = before[: on.size + 1]
        np.cumsum(own, out=sums[1:], dtype=np.float64)
        begin = sums[on.searchsorted(edges)]
        g = own / (sums[1:] - begin[row_of[on]]).astype(np.float32)
        g *= g
        g *= g
        g *= g
        g -= now
        g *= rate
        g += now
        np.clip(g, low, 1, out=g)
        q[on] = g
        g *= 65536
        g += 0.5
        np.minimum(g, 65535, out=g)
        limit[on] = g
    return q.reshape(shape)


def amplitude(w, q):
    """The amplitude rule with steps of 1/k."""
    w, q, shape = w.ravel(), q.ravel(), q.shape
    a, times, size = w / q, np.zeros(q.size, np.float32), q.size
    row_of, edges, limit, before = np.repeat(np.arange(N), N), np.arange(N) * N, threshold(q), np.zeros(size + 1)
    for t in range(job.ITERATIONS):
        if t % BATCH == 0:
            random = random16(size * BATCH).reshape(BATCH, size)
        on = np.flatnonzero(random[t % BATCH] < limit)
        own, now = w[on], a[on]
        sums = before[: on.size + 1]
        np.cumsum(now, out=sums[1:], dtype=np.float64)
        target = (sums[:-1] - sums[on.searchsorted(edges)][row_of[on]]).astype(np.float32)
        target += own
        count = times[on]
        count += 1
        times[on] = count
        target -= now
        target /= count
        target += now
        a[on] = target
        np.divide(own, target, out=own)
        own *= 65536
        own += 0.5
        np.minimum(own, 65535, out=own)
        limit[on] = own
    return (w / a).reshape(shape)


def sample(effective, p):
    limit, winners = threshold(p), np.zeros(0, np.intp)
    while winners.size < job.DRAWS:
        left = job.DRAWS - winners.size
        y = np.zeros((left, N), np.float32)
        for own, below in zip(effective, limit):
            y += (random16(left * N).reshape(left, N) < below) * own
        best = y.argmax(axis=1)
        winners = np.concatenate([winners, best[y[np.arange(left), best] > 0]])
    return winners


job.run(job.multiply if "product" in sys.argv else job.gather, learn, sample, amplitude)
