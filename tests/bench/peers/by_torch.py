"""The reference job with torch on one thread: batched over rows, single precision, members listed, as by_numpy.py does it."""
import numpy as np
import torch

import job

N, BATCH = job.N, 64
torch.set_num_threads(1)
torch.manual_seed(job.seed)
torch.set_grad_enabled(False)


def random(count):
    """Numbers of 16 bits, as torch has them: signed."""
    return torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), 2**63 - 1).view(torch.int16)[:count]


def threshold(q):
    """Below how many of them a synapse transmits."""
    return (torch.clamp(q * 65536 + 0.5, max=65535).floor() - 32768).to(torch.int16)


def learn(w, q):
    w, q = torch.from_numpy(w).ravel(), torch.from_numpy(q).ravel()
    size, edges = q.numel(), torch.arange(N) * N
    row_of = torch.arange(N).repeat_interleave(N)
    limit, sums = threshold(q), torch.zeros(size + 1, dtype=torch.float64)
    for t in range(job.ITERATIONS):
        if t % BATCH == 0:
            bits = random(size * BATCH).reshape(BATCH, size)
        on = (bits[t % BATCH] < limit).nonzero().squeeze(1)
        own, now, count = w.index_select(0, on), q.index_select(0, on), on.numel()
        torch.cumsum(own, 0, dtype=torch.float64, out=sums[1 : count + 1])
        begin = sums[torch.searchsorted(on, edges)]
        g = own / (sums[1 : count + 1] - begin[row_of[on]]).float()
        g.square_().square_().square_().sub_(now).mul_(job.RATE).add_(now).clamp_(job.FLOOR, 1)
        q[on] = g
        limit[on] = threshold(g)
    return q.reshape(N, N).numpy()


def sample(effective, p):
    effective, limit = torch.from_numpy(effective), threshold(torch.from_numpy(p))
    winners = []
    left = job.DRAWS
    while left > 0:
        y = torch.zeros(left, N)
        for own, below in zip(effective, limit):
            y += (random(left * N).reshape(left, N) < below) * own
        most, best = y.max(dim=1)
        winners.append(best[most > 0])
        left -= len(winners[-1])
    return torch.cat(winners).numpy()


def evidence(x, y):
    X, Y = (torch.zeros(job.ROWS, N) for _ in range(2))
    for M, v in ((X, x), (Y, y)):
        at, rates = job.near(v)
        M.scatter_add_(1, torch.from_numpy(at.astype(np.int64)), torch.from_numpy(rates))
    return (X.T @ Y).numpy(), X.sum(0).numpy()


job.run(evidence, learn, sample)
