"""Who wins: exactly, and by drawing."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import check
from .check import Array
from .library import Owned, address, core, run
from .library import check as ok
from .stream import Stream, need

INPUTS_MAX = 6  #: active together, for the exact distribution


def active_inputs(x: Array, active: float) -> NDArray[np.uint32]:
    """The positions of inputs above a threshold."""
    return np.flatnonzero(x > active).astype(np.uint32)


def exact(w: ArrayLike, q: ArrayLike, x: ArrayLike | None = None, *, active: float = 1e-3) -> tuple[Array, float]:
    """The exact distribution of the winner, and the probability that nothing transmits.

    For one input: vectors of weights and releases [eq:winner]. For up to 6 active inputs: matrices
    with one row per input, and a vector x of input activities [eq:winner-multi]; releases are taken
    as they are, not divided.
    """
    fn = "winner.exact"
    nothing = ctypes.c_double(1.0)
    if x is None:
        weights = check.array(fn, "w", w, "weight", ndim=(1,))
        releases = check.like(fn, "q", q, weights.shape, "probability")
        p = np.empty_like(weights)
        ok(fn, core.ves_winner_single(address(weights), address(releases), weights.size, address(p),
                                      ctypes.byref(nothing)))
        return p, nothing.value
    weights = check.array(fn, "w", w, "weight", ndim=(2,))
    releases = check.like(fn, "q", q, weights.shape, "probability")
    activity = check.like(fn, "x", x, weights.shape[:1], "activity")
    chosen = active_inputs(activity, check.number(fn, "active", active, "nonnegative"))
    if chosen.size > INPUTS_MAX:
        raise check.fail(fn, "x", activity, f"at most {INPUTS_MAX} activities above {active:g}, not {chosen.size}")
    p = np.zeros(weights.shape[1])
    if chosen.size > 0:
        effective = np.ascontiguousarray(activity[chosen, None] * weights[chosen])
        chance = np.ascontiguousarray(releases[chosen])
        with Owned(fn, "ves_winner_workspace", chosen.size, p.size) as work:
            ok(fn, core.ves_winner_multi(address(effective), address(chance), chosen.size, p.size, address(p),
                                         ctypes.byref(nothing), work))
    return p, nothing.value


def sample(w: ArrayLike, q: ArrayLike, *, draws: int = 1000, rng: Stream) -> NDArray[np.int64]:
    """Draws winners for a single input: each synapse transmits with its release probability, and of
    those that do the strongest wins. [eq:subset-max] [alg:sample]

    Positions count from 0, and -1 says that nothing transmitted; in Lua they count from 1.
    """
    fn = "sample"
    weights = check.array(fn, "w", w, "weight", ndim=(1,))
    releases = check.like(fn, "q", q, weights.shape, "probability")
    count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
    first = need(fn, rng).take(fn, count)
    winner, only = np.empty(count, np.uint32), np.zeros(1, np.uint32)
    with Owned(fn, "ves_sampler", address(weights), address(releases), address(only), 1, weights.size) as sampler:
        run(fn, core.ves_sampler_winners, sampler, rng.key, first, count, address(winner))
    return winner.astype(np.int64) - 1
