"""Scores all predictions of held-out rows alike: tests/peers/datasets.tsv says how. Prints a table, a line for each part."""
import csv
import sys
from collections import OrderedDict

import numpy as np

folder = sys.argv[1]
methods = ["two_stage", "participation", "two_stage_200", "kernel", "quantile", "gauss", "mixture", "dropout", "marginal"]
levels = (np.arange(200) + 0.5) / 200
with open("tests/peers/datasets.tsv") as f:
    sets = list(csv.DictReader((line for line in f if line[0] != "#"), delimiter="\t"))


def scores(y, f, q, train):
    g = 2 * train.std()
    reference = np.exp(-0.5 * ((y - train.mean()) / g) ** 2) / (g * np.sqrt(2 * np.pi))
    off = y[:, None] - q
    pit = np.array([np.interp(v, row, levels, 0.0, 1.0) for v, row in zip(y, q)])
    bounds = [np.array([np.interp(p, levels, row) for row in q]) for p in (0.05, 0.25, 0.75, 0.95)]
    return OrderedDict(
        crps=2 * np.maximum(levels * off, (levels - 1) * off).mean(),
        log=-np.log(0.999 * f + 0.001 * reference).mean(),
        cover50=((y >= bounds[1]) & (y <= bounds[2])).mean(),
        cover90=((y >= bounds[0]) & (y <= bounds[3])).mean(),
    ), np.bincount(np.minimum((pit * 10).astype(int), 9), minlength=10)


def check_scores():
    """For a standard normal prediction: closed forms of the CRPS and the log score, and intervals that cover."""
    from scipy.stats import norm
    y = norm.ppf((np.arange(1000) + 0.5) / 1000)
    found, pit = scores(y, norm.pdf(y), np.tile(norm.ppf(levels), (1000, 1)), y)
    crps = (y * (2 * norm.cdf(y) - 1) + 2 * norm.pdf(y) - 1 / np.sqrt(np.pi)).mean()
    assert abs(found["crps"] / crps - 1) < 0.005, (found, crps)
    assert abs(found["log"] + norm.logpdf(y).mean()) < 0.002, found
    assert abs(found["cover50"] - 0.5) < 0.002 and abs(found["cover90"] - 0.9) < 0.002, found
    assert abs(pit - 100).max() <= 2, pit


check_scores()
print("set", "method", "part", "rows", "crps", "log", "cover50", "cover90", "train_s", "predict_s",
      *[f"pit{k}" for k in range(1, 11)], sep="\t")
for s in sets:
    name = s["set"]
    path = (folder if int(s["rows"]) > 10000 else "lua/experiments/data") + f"/{name}.tsv"
    with open(path) as f:
        y = np.array([float(r[s["y"]]) for r in csv.DictReader((line for line in f if line[0] != "#"), delimiter="\t")])
    part, _, scored = np.loadtxt(f"{folder}/folds_{name}.tsv", skiprows=1, dtype=int, unpack=True)
    for method in methods:
        got = np.fromfile(f"{folder}/{name}_{method}.bin", "<f8").reshape(-1, 202)
        rows = got[:, 0].astype(int) - 1
        assert sorted(rows) == list(np.flatnonzero(scored == 1)), (name, method)
        with open(f"{folder}/{name}_{method}.times") as f:
            times = [line.split("\t") for line in f]
        for k in range(1, 11):
            here = part[rows] == k
            values, pit = scores(y[rows[here]], got[here, 1], got[here, 2:], y[part != k])
            print(name, method, k, here.sum(), *[f"{v:.6g}" for v in values.values()], *times[k - 1][1:3], *pit, sep="\t")
