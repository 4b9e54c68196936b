"""Release probabilities: in closed form, and learned."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .check import Array
from .learning import learn, learn_pooled
from .library import address, core

NORMALISERS = ("none", "sum", "count", "participation")


def analytic(w: ArrayLike) -> Array:
    """The releases under which each output wins in proportion to its weight: a weight divided by
    itself and everything weaker. A vector, or each row of a matrix. [eq:mapping]"""
    weights = check.array("release.analytic", "w", w, "weight")
    q = np.empty_like(weights)
    order = np.empty(weights.shape[-1], np.uintp)
    rows, mapped = weights.reshape(-1, weights.shape[-1]), q.reshape(-1, weights.shape[-1])
    for row, to in zip(rows, mapped):
        core.ves_release_analytic(address(row), row.size, address(order), address(to))
    return q


def epistemic(A: ArrayLike, B: ArrayLike, root: str = "exact", *, sites: int = 1) -> tuple[Any, Any]:
    """The release that gives a weight the variance of Beta(A, B), and its complement to full
    precision: numbers, or arrays like A. With sites, the release of each of so many independent
    sites. [eq:beta2dropoutvar] [eq:sites]"""
    fn = "release.epistemic"
    a = check.array(fn, "A", A, "positive", ndim=(0, 1, 2))
    b = check.array(fn, "B", B, "nonnegative", ndim=(0, 1, 2))
    which = check.choice(fn, "root", root, ("exact", "printed"))
    number = check.integer(fn, "sites", sites, 1, 65536)
    if a.shape != b.shape:
        raise check.fail(fn, "B", B, f"an array of shape {a.shape}, like A")
    if number > 1 and which == 1:
        raise check.fail(fn, "sites", sites, "1 with root 'printed', which is of one site")
    phi, rest = np.empty_like(a), np.empty_like(a)
    one, other = ctypes.c_double(), ctypes.c_double()
    for i, (for_, against) in enumerate(zip(a.flat, b.flat)):
        if number > 1:
            core.ves_release_epistemic_sites(for_, against, number, ctypes.byref(one), ctypes.byref(other))
        else:
            core.ves_release_epistemic(for_, against, which, ctypes.byref(one), ctypes.byref(other))
        phi.flat[i], rest.flat[i] = one.value, other.value
    return (phi, rest) if a.ndim > 0 else (float(phi), float(rest))


def combine(phi: ArrayLike, q: ArrayLike) -> Array:
    """Observed and epistemic uncertainty in one release, Phi times Q. [eq:combined]"""
    fn = "release.combine"
    epistemic_ = check.array(fn, "phi", phi, "probability")
    releases = check.like(fn, "q", q, epistemic_.shape, "probability")
    out = np.empty_like(releases)
    core.ves_release_combine(address(epistemic_), address(releases), out.size, address(out))
    return out


def divisor(fn: str, x: Array, kind: str, active: float) -> float:
    """By how much releases are divided when the input activities are x. [eq:normaliser]"""
    which = check.choice(fn, "normaliser", kind, NORMALISERS)
    return core.ves_release_divisor(address(x), x.size, which, check.number(fn, "active", active, "nonnegative"))


def normalise(Q: ArrayLike, x: ArrayLike, kind: str = "participation", *, active: float = 1e-3) -> Array:
    """Releases divided among the inputs that are active together: by the sum of their activities,
    by their number, or by their participation, never by less than 1. [eq:normaliser]"""
    fn = "release.normalise"
    releases = check.array(fn, "Q", Q, "probability")
    activity = check.array(fn, "x", x, "activity", ndim=(1,))
    if releases.ndim == 2 and activity.size != releases.shape[0]:
        raise check.fail(fn, "x", activity, f"a vector of {releases.shape[0]}, one activity per row of Q")
    return releases / divisor(fn, activity, kind, active)


__all__ = ["analytic", "combine", "epistemic", "learn", "learn_pooled", "normalise"]
