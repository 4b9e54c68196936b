"""The model in time: outputs integrate, fire and inhibit each other, and the first to fire is the sample."""

from __future__ import annotations

import ctypes
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import check
from .check import Array
from .library import SpikeResult, address, core, run
from .library import check as ok
from .stream import Stream, need
from .winner import active_inputs

ESIZE = 3  #: a status of the core that gets words of its own
#: The least value of each duration and potential; the most is 1e6.
LEAST = {"membrane": 1e-3, "synapse": 1e-3, "refractory": 0.1, "threshold": 1e-3, "window": 1e-3, "delay": 0.0,
         "decay": 1e-3, "noise": 0.0, "jitter": 0.0}


class Fired(NamedTuple):
    """What `sample` saw in each draw."""

    index: NDArray[np.int64]  #: the first output to fire, from 0; -1 where none did
    time: Array  #: when; inf where none did
    spikes: NDArray[np.int64]  #: of all outputs
    fired: NDArray[np.int64]  #: how many outputs fired
    counts: Array  #: spikes of each output over all draws


def sample(w: ArrayLike, q: ArrayLike, *, rng: Stream, draws: int = 1000, x: ArrayLike | None = None,
           active: float | None = None, gain: float | None = None, strength: float = math.inf, sites: int = 1,
           **sizes: float) -> Fired:
    """Draws samples with spikes: one input spike, synapses that release or fail, outputs that
    integrate and fire, and a pool that inhibits all of them when one has. Without noise and jitter
    the first to fire is the winner of `vesicle.sample` with the same stream, draw by draw.
    [eq:spike-membrane] [eq:spike-order]

    w and q are vectors; or matrices with one row per input, and x the activities of the inputs.
    Times are in milliseconds, potentials in millivolts above rest. `sizes` are `delay` (0; from a
    spike to the inhibition of all), `decay` (10; time constant of inhibition), `membrane` (20),
    `synapse` (5), `refractory` (5), `threshold` (10), `noise` (0), `jitter` (0) and `window` (100).
    `strength` is the peak of the inhibitory potential of one spike, inf for full inhibition. With
    `gain` None the weakest release reaches 1.2 times the threshold.
    """
    fn = "spike.sample"
    opt = core.ves_spike_defaults()
    for name, value in sizes.items():
        check.choice(fn, "sizes", name, LEAST)
        size = check.number(fn, name, value)
        if not LEAST[name] <= size <= 1e6:
            raise check.fail(fn, name, value, f"a number from {LEAST[name]:g} to 1000000")
        setattr(opt, name, size)
    if strength != math.inf and not 0 <= check.number(fn, "strength", strength) <= 1e6:
        raise check.fail(fn, "strength", strength, "a number from 0 to 1000000, or inf for full inhibition")
    opt.strength = strength
    opt.sites = check.integer(fn, "sites", sites, 1, 1000000)
    weights = check.array(fn, "w", w, "weight")
    releases = check.like(fn, "q", q, weights.shape, "probability")
    if weights.ndim == 1:
        for name, given in (("x", x), ("active", active)):
            if given is not None:
                raise check.fail(fn, name, given, "no such parameter with a vector of weights, which is of one input")
        chosen, effective, chance = np.zeros(1, np.uint32), weights, releases
    else:
        if x is None:
            raise check.fail(fn, "x", x, "a vector of activities, one per row of w")
        level = check.like(fn, "x", x, weights.shape[:1], "activity")
        chosen = active_inputs(level, check.number(fn, "active", 1e-3 if active is None else active, "nonnegative"))
        effective = np.ascontiguousarray(level[chosen, None] * weights[chosen])
        chance = np.ascontiguousarray(releases[chosen])
    count, stream = check.integer(fn, "draws", draws, 1, 2**31 - 1), need(fn, rng)
    if gain is None:
        opt.gain = opt.sites * core.ves_spike_gain(address(effective), address(chance), effective.size, opt.threshold)
    else:
        opt.gain = check.number(fn, "gain", gain, "positive")
    made, n = ctypes.c_void_p(), weights.shape[-1]
    status = core.ves_spike_alloc(address(effective), address(chance), address(chosen), chosen.size, n, ctypes.byref(opt),
                                  ctypes.byref(made))
    if status == ESIZE:
        raise ValueError(f"{fn}: weights or delay too large: expected currents that are numbers, and at most 1e7 spikes "
                         "on their way to the inhibitory pool")
    ok(fn, status)
    result, counts = np.zeros(count, np.dtype(SpikeResult)), np.zeros(n)
    try:
        run(fn, core.ves_spike_draws, made, stream.key, stream.take(fn, count), count, address(counts), address(result))
    finally:
        core.ves_spike_free(made)
    return Fired(result["first"].astype(np.int64) - 1, result["time"].copy(), result["spikes"].astype(np.int64),
                 result["fired"].astype(np.int64), counts)


__all__ = ["Fired", "sample"]
