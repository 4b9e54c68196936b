"""The reference job with loops compiled by numba: weights sorted once, xoshiro256+, integer thresholds of 16 bits.

Four synapses are decided by one random number. Who transmits is listed without a branch; then the members take their steps
from the weakest up. NumPy does what is not a loop. Compiled before the clock starts.
"""
import numba
import numpy as np

import job

u64 = np.uint64
state = np.random.SeedSequence(job.seed).generate_state(4, np.uint64)


@numba.njit(inline="always")
def draw(s):
    out = s[0] + s[3]
    t = s[1] << u64(17)
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = (s[3] << u64(45)) | (s[3] >> u64(19))
    return out


@numba.njit(cache=True, fastmath=True)
def learn_rows(w, q, iterations, rate, low, state):
    rows, n = w.shape
    limit = np.zeros(n + 4, np.uint32)
    member = np.empty(n + 4, np.int32)
    s = np.empty(4, np.uint64)
    s[:] = state
    for i in range(rows):
        for j in range(n):
            limit[j] = np.uint32(min(q[i, j] * np.float32(65536) + np.float32(0.5), np.float32(65535)))
        for _ in range(iterations):
            size = 0
            for j in range(0, n, 4):
                r = draw(s)
                for k in range(4):
                    member[size] = j + k
                    size += np.uint32(r & u64(0xFFFF)) < limit[j + k]
                    r >>= u64(16)
            total = np.float32(0)
            for k in range(size):
                j = member[k]
                total += w[i, j]
                g = w[i, j] / total
                g *= g
                g *= g
                g *= g
                now = q[i, j]
                now = min(max(now - rate * (now - g), low), np.float32(1))
                q[i, j] = now
                limit[j] = np.uint32(min(now * np.float32(65536) + np.float32(0.5), np.float32(65535)))
    state[:] = s


@numba.njit(cache=True, fastmath=True)
def sample_pattern(effective, p, draws, state):
    inputs, n = p.shape
    limit = np.zeros((inputs, n + 4), np.uint32)
    winners = np.empty(draws, np.int64)
    y = np.empty(n + 4, np.float32)
    s = np.empty(4, np.uint64)
    s[:] = state
    for i in range(inputs):
        for j in range(n):
            limit[i, j] = np.uint32(min(p[i, j] * np.float32(65536) + np.float32(0.5), np.float32(65535)))
    done = 0
    while done < draws:
        y[:] = 0
        for i in range(inputs):
            for j in range(0, n, 4):
                r = draw(s)
                for k in range(4):
                    if np.uint32(r & u64(0xFFFF)) < limit[i, j + k]:
                        y[j + k] += effective[i, j + k]
                    r >>= u64(16)
        best = 0
        for j in range(1, n):
            if y[j] > y[best]:
                best = j
        if y[best] > 0:
            winners[done] = best
            done += 1
    state[:] = s
    return winners


@numba.njit(cache=True)
def add(at_x, X, at_y, Y, n):
    A, seen = np.zeros((n, n)), np.zeros(n)
    for r in range(len(X)):
        for i in range(X.shape[1]):
            seen[at_x[r, i]] += X[r, i]
            for j in range(Y.shape[1]):
                A[at_x[r, i], at_y[r, j]] += X[r, i] * Y[r, j]
    return A, seen


def evidence(x, y):
    return add(*job.near(x), *job.near(y), job.N)


def learn(w, q):
    learn_rows(w, q, job.ITERATIONS, np.float32(job.RATE), np.float32(job.FLOOR), state)
    return q


def sample(effective, p):
    return sample_pattern(effective, p, job.DRAWS, state)


evidence(*job.make_data())
half = np.full((1, job.N), 0.5, np.float32)
learn_rows(half, half.copy(), 1, np.float32(job.RATE), np.float32(job.FLOOR), state)
sample_pattern(half, half, 1, state)
job.run(evidence, learn, sample)
