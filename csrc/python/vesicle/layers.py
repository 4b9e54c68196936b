"""A layer of inputs, a layer of outputs, and the evidence between them."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .check import Array
from .population import Code
from .library import Evidence, Owned, address, core, run
from .library import check as ok
from .release import divisor
from .stream import Stream, need
from .winner import active_inputs


class Drawn(NamedTuple):
    """What `Network.sample` found."""

    values: Array  #: what each draw says
    empty: float  #: the fraction of attempts in which nothing transmitted
    attempts: int  #: all of them


def _interval(fn: str, name: str, value: Any) -> tuple[float, float]:
    """A prior: (lo, hi), or a number for both."""
    if np.ndim(value) == 0:
        return (check.number(fn, name, value, "shape"),) * 2
    bounds = check.array(fn, name, value, "shape", ndim=(1,))
    if bounds.size != 2 or bounds[0] > bounds[1]:
        raise check.fail(fn, name, value, "(lo, hi) with 0 < lo <= hi, or a number")
    return float(bounds[0]), float(bounds[1])


class Network:
    """Evidence A for and B against each association of an input with an output. It starts from
    prior evidence, uniform in an interval for each synapse; rng names the stream of these draws
    and is not moved on. [eq:evidence-prior]"""

    def __init__(self, input: Code, output: Code, *, rng: Stream | None = None, prior_a: Any = (0.025, 0.026),
                 prior_b: Any = (0.100, 0.101), rate: float = 1.0) -> None:
        fn = "network"
        for name, layer in (("input", input), ("output", output)):
            if not isinstance(layer, Code):
                raise check.fail(fn, name, layer, "a code, as from code(n, lo, hi, sigma)")
        a, b = _interval(fn, "prior_a", prior_a), _interval(fn, "prior_b", prior_b)
        lambda_ = check.number(fn, "rate", rate, "activity")
        key = need(fn, rng).key if rng is not None or a[0] < a[1] or b[0] < b[1] else 0
        self.input, self.output = input, output
        self.rows = 0  #: observations so far
        self.evidence = Evidence()
        ok(fn, core.ves_evidence_alloc(ctypes.byref(self.evidence), input.n, output.n, lambda_))
        ok(fn, core.ves_evidence_priors(ctypes.byref(self.evidence), *a, *b, key))

    def __del__(self) -> None:
        if "evidence" in self.__dict__ and core is not None:
            core.ves_evidence_free(ctypes.byref(self.evidence))

    def __repr__(self) -> str:
        return f"network of {self.input.n} x {self.output.n} synapses after {self.rows} rows"

    def observe(self, xs: ArrayLike, ys: ArrayLike, *, salience: ArrayLike | None = None) -> Network:
        """Adds observations. The evidence is the same, to the bit, in whatever order and however
        many calls they come. [eq:evidence]"""
        fn = "network.observe"
        x, y = np.atleast_1d(check.array(fn, "xs", xs, ndim=(0, 1))), np.atleast_1d(check.array(fn, "ys", ys, ndim=(0, 1)))
        if y.shape != x.shape:
            raise check.fail(fn, "ys", y, f"as many elements as 'xs' has, {x.size}")
        weight = None
        if salience is not None:
            weight = check.array(fn, "salience", salience, "salience", ndim=(0, 1))
            weight = np.full(x.shape, float(weight)) if weight.ndim == 0 else check.like(fn, "salience", weight, x.shape)
        run(fn, core.ves_evidence_observe, ctypes.byref(self.evidence), ctypes.byref(self.input.core),
            ctypes.byref(self.output.core), address(x), address(y), address(weight), x.size)
        self.rows += x.size
        return self

    def _evidence(self) -> tuple[Array, Array]:
        shape = (self.input.n, self.output.n)
        a, b = np.empty(shape), np.empty(shape)
        core.ves_evidence_cells(ctypes.byref(self.evidence), 0, a.size, address(a), address(b))
        return a, b

    @property
    def A(self) -> Array:
        """Evidence for: one row per input, one column per output."""
        return self._evidence()[0]

    @property
    def B(self) -> Array:
        """Evidence against."""
        return self._evidence()[1]

    def _moment(self, moment: Any) -> Array:
        a, b = self._evidence()
        out = np.empty_like(a)
        moment(address(a), address(b), a.size, address(out))
        return out

    def weights(self) -> Array:
        """The mean of each weight, A / (A + B). [eq:betamean]"""
        return self._moment(core.ves_beta_mean)

    def variance(self) -> Array:
        """The variance of each weight under Beta(A, B). [eq:betavar]"""
        return self._moment(core.ves_beta_variance)

    def sample(self, x: ArrayLike, release: ArrayLike, *, rng: Stream, draws: int = 1000, readout: str = "winner",
               normaliser: str = "participation", active: float = 1e-3, rescale: ArrayLike | None = None,
               empty: str = "redraw") -> Drawn:
        """Draws outputs by synaptic failure and lateral inhibition, the releases of the active
        inputs divided among them. [alg:sample] [eq:normaliser]

        x is a number to be encoded or a vector of input activities, `release` a matrix. The readout
        is the winner's centre ('winner') or its position from 0 ('index'). `rescale` divides the
        weights. A draw in which nothing transmits is repeated ('redraw') or left out ('skip').
        """
        fn = "network.sample"
        m, n = self.input.n, self.output.n
        kind = check.choice(fn, "readout", readout, ("winner", "index"))
        skip = check.choice(fn, "empty", empty, ("redraw", "skip")) == 1
        count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
        activity = self.input.encode(x) if np.ndim(x) == 0 else check.like(fn, "x", x, (m,), "activity")
        q = check.like(fn, "release", release, (m, n), "probability")
        by = divisor(fn, activity, normaliser, active)
        chosen = active_inputs(activity, active)
        effective = np.ascontiguousarray(self.weights()[chosen] * activity[chosen, None])
        if rescale is not None:
            effective /= check.like(fn, "rescale", rescale, (m, n), "fraction")[chosen]
        if not np.isfinite(effective).all():
            raise check.fail(fn, "rescale", rescale, "numbers by which a weight can be divided")
        chance = np.ascontiguousarray(q[chosen] / by)
        if not skip and chosen.size == 0:
            raise check.fail(fn, "x", x, f"an input that activates some neuron above {active:g}")
        if not skip and not ((effective > 0) & (chance > 0)).any():
            raise ValueError(f"{fn}: nothing transmits, however often a draw is repeated: expected some release > 0 "
                             "on a synapse with a weight (or empty = 'skip')")
        first = need(fn, rng).take(fn, count)
        winner, attempts = np.zeros(count, np.uint32), ctypes.c_uint64(count)
        if chosen.size > 0:
            with Owned(fn, "ves_sampler", address(effective), address(chance), address(chosen), chosen.size, n) as plan:
                if skip:
                    run(fn, core.ves_sampler_winners, plan, rng.key, first, count, address(winner))
                else:
                    run(fn, core.ves_sampler_redraw, plan, rng.key, first, count, address(winner),
                        ctypes.byref(attempts))
        kept = winner[winner > 0].astype(np.int64) - 1
        values = self.output.centers[kept] if kind == 0 else kept.astype(np.float64)
        return Drawn(values, (attempts.value - kept.size) / attempts.value, attempts.value)
