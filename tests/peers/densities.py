"""Predictions of held-out rows by peers from Python, as a careful user of each would make them.

kernel    conditional density with Gaussian kernels, bandwidths by cross-validated likelihood (what statsmodels'
          KDEMultivariateConditional calls cv_ml, which takes minutes here; densities are checked against it)
gauss     a Gaussian process for the mean and another for the logarithm of the squared residuals (scikit-learn)
mixture   Gaussian mixture of inputs and output, components by BIC, conditioned on the inputs (scikit-learn)
dropout   Monte-Carlo dropout: two hidden layers, a learned variance, 100 passes (torch)
marginal  the training outputs, whatever the input

Writes what tests/peers/densities.lua writes, under the same names.
"""
import csv
import sys
import time
import warnings

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, ndtr
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.mixture import GaussianMixture
import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
LEVELS = (np.arange(200) + 0.5) / 200
CHOOSE_ON, GAUSS_ON = 2000, 500
folder = sys.argv[1]


def normal(z, sd):
    return np.exp(-0.5 * (z / sd) ** 2) / (sd * np.sqrt(2 * np.pi))


def of_normals(weights, means, sds, y):
    """Quantiles and density at y of one mixture of normals, the quantiles by interpolating its distribution function."""
    keep = weights > 1e-6 * weights.max()
    w, m, s = weights[keep] / weights[keep].sum(), means[keep], sds[keep]
    lo, hi = (m - 4 * s).min(), (m + 4 * s).max()
    for _ in range(2):  # once over the whole range, once where there is something
        grid = np.linspace(lo, hi, 500)
        below = ndtr((grid[:, None] - m) / s) @ w
        lo, hi = np.interp([0.001, 0.999], below, grid)
    return np.interp(LEVELS, below, grid), w @ normal(y - m, s)


class Kernel:
    def fit(self, x, y, some):
        n, d = len(some), x.shape[1]
        xs, ys = x[some], y[some]
        sd = np.append(xs.std(0), ys.std())
        reference = 1.06 * sd * n ** (-1 / (4 + d + 1))
        dx = [(xs[:, None, c] - xs[None, :, c]) ** 2 for c in range(d)]
        dy = (ys[:, None] - ys[None, :]) ** 2

        def loss(logs):
            h = reference * np.exp(np.clip(logs, np.log(0.05), np.log(20)))
            kx = sum(dx[c] / h[c] ** 2 for c in range(d)) / -2
            ky = dy / h[d] ** 2 / -2
            np.fill_diagonal(kx, -np.inf)
            top = kx.max(1, keepdims=True)
            wx = np.exp(kx - top)
            f = (wx * np.exp(ky)).sum(1) / wx.sum(1) / h[d]
            return -np.log(f + 1e-12 / sd[d]).mean() + 1e-3 * ((logs - np.clip(logs, np.log(0.05), np.log(20))) ** 2).sum()

        runs = [minimize(loss, start, method="Nelder-Mead", options={"maxfev": 25 * (d + 1), "xatol": 0.03, "fatol": 1e-4})
                for start in (np.full(d + 1, -0.7), np.append(np.zeros(d), -0.7))[: 2 if n < 500 else 1]]
        best = min(runs, key=lambda r: r.fun).x
        factor = (n / len(y)) ** (1 / (4 + d + 1))  # bandwidths shrink with the rows that predict
        self.h = reference * np.exp(np.clip(best, np.log(0.05), np.log(20))) * factor
        self.x, self.y = x, y

    def predict(self, x, y):
        d = self.x.shape[1]
        k = -((x - self.x) ** 2 / self.h[:d] ** 2).sum(1) / 2
        w = np.exp(k - k.max())
        keep = w > 1e-4
        m, w = self.y[keep], w[keep]
        if len(m) > 2000:  # ties and near ties of many rows: the same mixture on a grid finer than the bandwidth
            cell = np.round(m / (self.h[d] / 8))
            cells, where = np.unique(cell, return_inverse=True)
            w = np.bincount(where, w)
            m = cells * (self.h[d] / 8)
        return of_normals(w, m, np.full(len(m), self.h[d]), y)


class Gauss:
    def fit(self, x, y, some):
        some = some[:GAUSS_ON]
        self.mx, self.sx, self.my, self.sy = x.mean(0), x.std(0), y.mean(), y.std()
        x, y = (x[some] - self.mx) / self.sx, (y[some] - self.my) / self.sy

        def process(noise):
            kernel = ConstantKernel(1) * RBF(np.ones(x.shape[1]), (0.05, 50)) + WhiteKernel(noise, (1e-3, 10))
            return GaussianProcessRegressor(kernel, normalize_y=True, random_state=1)

        self.mean = process(0.3).fit(x, y)
        rest = (y - self.mean.predict(x)) ** 2
        # the mean of log chi-square with one degree is -1.27
        self.log = process(1.0).fit(x, np.log(rest + 1e-6) + 1.27)
        spread = np.exp(self.log.predict(x))
        weights = GaussianProcessRegressor(self.mean.kernel_.k1, alpha=spread, optimizer=None, normalize_y=False)
        self.mean_again = weights.fit(x, y)  # the mean once more, each row by its own variance
        self.scale = np.mean((y - self.mean_again.predict(x)) ** 2 / spread)

    def predict(self, x, y):
        z = ((x - self.mx) / self.sx)[None]
        mean, sd = self.mean_again.predict(z, return_std=True)
        sd = np.sqrt(sd**2 + max(self.scale, 0.25) * np.exp(self.log.predict(z)))
        return of_normals(np.ones(1), mean * self.sy + self.my, sd * self.sy, y)


class Mixture:
    def fit(self, x, y, some):
        z = np.column_stack([x, y])
        self.mean, self.sd = z.mean(0), z.std(0)
        z = (z - self.mean) / self.sd
        tried = [GaussianMixture(k, reg_covar=1e-4, n_init=2, random_state=1).fit(z[some]) for k in range(1, 13)]
        k = 1 + int(np.argmin([g.bic(z[some]) for g in tried]))
        self.g = tried[k - 1] if len(some) == len(z) else GaussianMixture(k, reg_covar=1e-4, random_state=1).fit(z)
        d = x.shape[1]
        self.parts = []
        for w, m, c in zip(self.g.weights_, self.g.means_, self.g.covariances_):
            inverse = np.linalg.inv(c[:d, :d])
            slope = c[d, :d] @ inverse
            self.parts.append((np.log(w) - 0.5 * np.linalg.slogdet(c[:d, :d])[1], m, inverse, slope, np.sqrt(c[d, d] - slope @ c[:d, d])))

    def predict(self, x, y):
        d = len(x)
        u = (x - self.mean[:d]) / self.sd[:d]
        logs = np.array([a - 0.5 * (u - m[:d]) @ inverse @ (u - m[:d]) for a, m, inverse, _, _ in self.parts])
        means = np.array([m[d] + slope @ (u - m[:d]) for _, m, _, slope, _ in self.parts])
        sds = np.array([s for *_, s in self.parts])
        return of_normals(np.exp(logs - logsumexp(logs)), means * self.sd[d] + self.mean[d], sds * self.sd[d], y)


class Dropout:
    """The networks of all parts, and of all rates to choose from, are trained side by side: each a slice of the tensors."""
    passes, hidden, steps, rates = 100, 50, 600, (0.02, 0.1, 0.3)

    @staticmethod
    def forward(weights, rates, x):
        for layer in range(3):
            if layer:
                x = torch.relu(x)
                x = x * (torch.rand_like(x) >= rates) / (1 - rates)
            x = torch.baddbmm(weights[2 * layer + 1], x, weights[2 * layer])
        return x[:, :, 0], x[:, :, 1].clamp(-8, 4)

    @classmethod
    def train(cls, data, rates):
        torch.manual_seed(1)
        sizes, rates = [data[0][0].shape[1], cls.hidden, cls.hidden, 2], torch.tensor(rates)[:, None, None]
        weights = []
        for n, m in zip(sizes, sizes[1:]):
            weights += [((2 * torch.rand(len(data), rows, m) - 1) / n**0.5).requires_grad_() for rows in (n, 1)]
        adam = torch.optim.Adam(weights, lr=1e-2, weight_decay=1e-5)
        slower = torch.optim.lr_scheduler.CosineAnnealingLR(adam, cls.steps)
        for _ in range(cls.steps):
            batch = [torch.randint(len(x), (64,)) for x, _ in data]
            mean, log_var = cls.forward(weights, rates, torch.stack([x[b] for (x, _), b in zip(data, batch)]))
            y = torch.stack([y[b] for (_, y), b in zip(data, batch)])
            loss = (log_var + (y - mean) ** 2 / log_var.exp()).mean(1).sum()
            adam.zero_grad()
            loss.backward()
            adam.step()
            slower.step()
        return [([w[i : i + 1].detach() for w in weights], rates[i : i + 1]) for i in range(len(data))]

    @classmethod
    def passes_of(cls, net, x):
        torch.manual_seed(2)
        mean, log_var = cls.forward(*net, x.repeat(cls.passes, 1)[None])  # units go on failing
        return [v.reshape(cls.passes, len(x)).numpy().astype(float) for v in (mean, (log_var / 2).exp())]

    @classmethod
    def fit_all(cls, parts):
        fits, some_data, all_data, away = [], [], [], []
        for x, y, some in parts:
            m = cls()
            m.mx, m.sx, m.my, m.sy = x.mean(0), x.std(0), y.mean(), y.std()
            x, y = torch.tensor((x - m.mx) / m.sx).float(), torch.tensor((y - m.my) / m.sy).float()
            cut, some = len(some) * 4 // 5, torch.tensor(some)
            fits.append(m)
            all_data.append((x, y))
            away.append((x[some[cut:]], y[some[cut:]].numpy()))
            some_data += [(x[some[:cut]], y[some[:cut]])] * len(cls.rates)
        tried, chosen = cls.train(some_data, cls.rates * len(parts)), []
        for k, (x, y) in enumerate(away):
            losses = []
            for net in tried[k * len(cls.rates) : (k + 1) * len(cls.rates)]:
                mean, sd = cls.passes_of(net, x)
                losses.append(-np.log(normal(y - mean, sd).mean(0) + 1e-9).mean())
            chosen.append(cls.rates[int(np.argmin(losses))])
        for m, net in zip(fits, cls.train(all_data, chosen)):
            m.net = net
        return fits

    def predict(self, x, y):
        m, s = self.passes_of(self.net, torch.tensor((x - self.mx) / self.sx).float()[None])
        return of_normals(np.full(self.passes, 1 / self.passes), m[:, 0] * self.sy + self.my, s[:, 0] * self.sy, y)


class Marginal:
    def fit(self, x, y, some):
        self.q = np.quantile(y, LEVELS)
        h = 1.06 * y.std() * len(y) ** -0.2
        self.f = lambda at: normal(at - y, h).mean()

    def predict(self, x, y):
        return self.q, self.f(y)


def check_kernel():
    """The kernel's density is that of statsmodels with the same bandwidths."""
    from statsmodels.nonparametric.kernel_density import KDEMultivariateConditional
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    y = x[:, 0] + rng.normal(size=60)
    k = Kernel()
    k.x, k.y, k.h = x, y, np.array([0.3, 0.5, 0.4])
    theirs = KDEMultivariateConditional([y], [x[:, 0], x[:, 1]], "c", "cc", np.array([0.4, 0.3, 0.5]))
    for i in range(5):
        ours, same = k.predict(x[i], y[i])[1], theirs.pdf([y[i]], [x[i]])
        assert abs(ours / same - 1) < 1e-3, (ours, same)


check_kernel()
methods = {"kernel": Kernel, "gauss": Gauss, "mixture": Mixture, "dropout": Dropout, "marginal": Marginal}
with open("tests/peers/datasets.tsv") as f:
    sets = list(csv.DictReader((line for line in f if line[0] != "#"), delimiter="\t"))
for s in sets:
    name = s["set"]
    if len(sys.argv) > 2 and sys.argv[2] != name:
        continue
    path = (folder if int(s["rows"]) > 10000 else "lua/experiments/data") + f"/{name}.tsv"
    with open(path) as f:
        rows = list(csv.DictReader((line for line in f if line[0] != "#"), delimiter="\t"))
    column = lambda c: np.array([float(r[s[c]]) for r in rows])
    x = np.column_stack([column(f"x{c + 1}") for c in range(int(s["inputs"]))])
    y = column("y")
    part, place, scored = np.loadtxt(f"{folder}/folds_{name}.tsv", skiprows=1, dtype=int, unpack=True)
    for method, make in methods.items():
        if len(sys.argv) > 3 and sys.argv[3] != method:
            continue
        started = time.process_time()
        with open(f"{folder}/{name}_{method}.bin", "wb") as out, open(f"{folder}/{name}_{method}.times", "w") as times:
            parts = []
            for k in range(1, 11):
                train = np.flatnonzero(part != k)
                parts.append((x[train], y[train], np.argsort(place[train], kind="stable")[:CHOOSE_ON]))
            together = make.fit_all(parts) if hasattr(make, "fit_all") else None
            shared = (time.process_time() - started) / 10 if together else 0
            for k in range(1, 11):
                t0 = time.process_time()
                if together:
                    m = together[k - 1]
                else:
                    m = make()
                    m.fit(*parts[k - 1])
                t1 = time.process_time()
                for row in np.flatnonzero((part == k) & (scored == 1)):
                    q, f = m.predict(x[row], y[row])
                    out.write(np.concatenate([[row + 1, f], q]).astype("<f8").tobytes())
                print(k, f"{t1 - t0 + shared:.6g}", f"{time.process_time() - t1:.6g}", "NA", sep="\t", file=times)
        print(f"{method}: {name}: {time.process_time() - started:.1f} s", file=sys.stderr)
