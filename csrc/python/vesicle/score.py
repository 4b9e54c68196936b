"""How well a sample, or a distribution, agrees with what it should be."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .library import address, core
from .library import check as ok


def crps(sample: ArrayLike, y: float) -> float:
    """The continuous ranked probability score of a sample at y; smaller is better. [eq:crps]"""
    fn, result = "score.crps", ctypes.c_double()
    values = check.array(fn, "sample", sample, "coordinate", ndim=(1,))
    at = check.number(fn, "y", y, "coordinate")
    scratch = np.empty_like(values)
    ok(fn, core.ves_score_crps(address(values), values.size, at, address(scratch), ctypes.byref(result)))
    return result.value


def pit(sample: ArrayLike, y: float) -> float:
    """The probability integral transform: the fraction of the sample below y, half of the ties
    included. [eq:pit]"""
    fn, result = "score.pit", ctypes.c_double()
    values = check.array(fn, "sample", sample, ndim=(1,))
    ok(fn, core.ves_score_pit(address(values), values.size, check.number(fn, "y", y), ctypes.byref(result)))
    return result.value


def coverage(sample: ArrayLike, y: float, level: float = 0.95) -> tuple[bool, float, float]:
    """Whether y lies in the sample's central interval of a given probability, and its ends.
    [eq:coverage]"""
    fn, covered, lower, upper = "score.coverage", ctypes.c_int(), ctypes.c_double(), ctypes.c_double()
    values = check.array(fn, "sample", sample, "coordinate", ndim=(1,))
    at, probability = check.number(fn, "y", y, "coordinate"), check.number(fn, "level", level, "inside")
    scratch = np.empty_like(values)
    ok(fn, core.ves_score_coverage(address(values), values.size, at, probability, address(scratch),
                                   ctypes.byref(covered), ctypes.byref(lower), ctypes.byref(upper)))
    return bool(covered.value), lower.value, upper.value


def _distance(fn: str, measure: Any, p: ArrayLike, q: ArrayLike) -> float:
    first = check.array(fn, "p", p, "probability", ndim=(1,))
    second = check.like(fn, "q", q, first.shape, "probability")
    result = ctypes.c_double()
    ok(fn, measure(address(first), address(second), first.size, ctypes.byref(result)))
    return result.value


def total_variation(p: ArrayLike, q: ArrayLike) -> float:
    """The total variation distance of two distributions, half the sum of |p - q|. [eq:total-variation]"""
    return _distance("score.total_variation", core.ves_score_total_variation, p, q)


def kl(p: ArrayLike, q: ArrayLike) -> float:
    """The Kullback-Leibler divergence of q from p in nats. [eq:kl]"""
    return _distance("score.kl", core.ves_score_kl, p, q)
