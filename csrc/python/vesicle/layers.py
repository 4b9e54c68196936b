"""A layer of inputs, a layer of outputs, and the evidence between them."""

from __future__ import annotations

import ctypes
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .check import Array
from .drawing import SITES_MAX, Mechanism, Synapses, share, silent
from .population import Code
from .library import Evidence, address, core, run
from .library import check as ok
from .release import divisor
from .stream import Stream, need
from .winner import active_inputs


class Drawn(NamedTuple):
    """What `Network.sample` found."""

    values: Array  #: what each draw says
    empty: float  #: the fraction of attempts in which nothing transmitted
    attempts: int  #: all of them
    within: float = math.nan  #: with `hold`, the variance within bouts,
    between: float = math.nan  #: and between them


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
               width: float | None = None, normaliser: str | None = None, active: float = 1e-3,
               rescale: ArrayLike | None = None, empty: str = "redraw", sites: int = 1, hold: int | None = None,
               stages: int = 1, input_release: ArrayLike | None = None) -> Drawn:
        """Draws outputs by synaptic failure and lateral inhibition, the releases of the active
        inputs divided among them by `normaliser`, 'participation' unless given. [alg:sample]
        [eq:normaliser]

        x is a number to be encoded or a vector of input activities, `release` a matrix. The readout
        is the winner's centre ('winner') or its position from 0 ('index'), or what the whole
        activity says: its 'mean' [readout:mean], where it peaks ('decode', with kernels H of this
        `width`) [eq:decode], or the 'activity' itself, a row for each draw. `rescale` divides the
        weights. A draw in which nothing transmits is repeated ('redraw') or left out ('skip').

        With `sites` a synapse has so many release sites: `rescale` is then the release of each, and
        `release` the product of that and of what all sites of a synapse have in common [eq:sites].
        With `hold` = m the sites that are open stay so for m draws, a bout [eq:held]. With `stages`
        = 2 inputs compete first, with x times the largest amplitude of their row, by the releases
        `input_release` or by the mapping; then the winner's row transmits alone [eq:two-stage].
        """
        fn = "network.sample"
        m, n = self.input.n, self.output.n
        kind, read = self.output.reader(fn, readout, width)
        skip = check.choice(fn, "empty", empty, ("redraw", "skip")) == 1
        count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
        each = check.integer(fn, "sites", sites, 1, SITES_MAX)
        two = check.integer(fn, "stages", stages, 1, 2) == 2
        bout = 0 if hold is None else check.integer(fn, "hold", hold, 2, 2**31 - 1)
        activity = self.input.encode(x) if np.ndim(x) == 0 else check.like(fn, "x", x, (m,), "activity")
        q = check.like(fn, "release", release, (m, n), "probability")
        phi = None if rescale is None else check.like(fn, "rescale", rescale, (m, n), "fraction")
        first = None if input_release is None else check.like(fn, "input_release", input_release, (m,), "probability")
        if phi is None and (each > 1 or bout > 0):
            raise check.fail(fn, "rescale", rescale, "the release of each site, such as Phi")
        if bout > 0 and (count % bout != 0 or count == bout):
            raise check.fail(fn, "hold", hold, f"a number of which draws = {count} is a multiple, with two bouts or more")
        if bout > 0 and skip:
            raise check.fail(fn, "empty", empty, "'redraw': bouts are of one size")
        if bout > 0 and kind == 4:
            raise check.fail(fn, "hold", hold, "no such parameter with readout = 'activity'")
        if skip and kind == 4:
            raise check.fail(fn, "empty", empty, "'redraw' with readout = 'activity'")
        if two and normaliser is not None:
            raise check.fail(fn, "normaliser", normaliser, "no such parameter with stages = 2")
        if first is not None and not two:
            raise check.fail(fn, "input_release", input_release, "no such parameter without stages = 2")
        by = divisor(fn, activity, "none" if two else normaliser or "participation", active)
        chosen = active_inputs(activity, active)
        w = np.ascontiguousarray(self.weights()[chosen])
        effective = w * activity[chosen, None]
        if phi is not None:
            effective /= phi[chosen]
        if not np.isfinite(effective).all():
            raise check.fail(fn, "rescale", rescale, "numbers by which a weight can be divided")
        chance = np.ascontiguousarray(q[chosen] / by)
        by_sites = phi is not None and (each > 1 or bout > 0 or two)
        if phi is not None and by_sites:
            effective *= phi[chosen]
            chance = share(fn, q, phi, chosen) / by
        if not skip and chosen.size == 0:
            raise check.fail(fn, "x", x, f"an input that activates some neuron above {active:g}")
        if not skip and not ((effective > 0) & (chance > 0)).any():
            raise silent(fn)
        winner, whole, attempts = np.zeros(count, np.uint32), np.empty((0, n)), ctypes.c_uint64(count)
        with Mechanism(fn, Synapses(effective, chance, chosen, n)) as way:
            if two and chosen.size > 0:
                way.use_stages(w, activity[chosen], first, skip)
            if phi is not None and by_sites and chosen.size > 0:
                way.use_sites(np.ascontiguousarray(phi[chosen]), each, bout)
            elif not two and chosen.size > 0:
                way.use_all()
            start = need(fn, rng).take(fn, count)
            if chosen.size > 0 and (kind >= 2 or two or by_sites):
                winner, whole, attempts.value = way.run(rng.key, range(start, start + count), skip)
            elif chosen.size > 0 and skip:
                run(fn, core.ves_sampler_winners, way.sampler, rng.key, start, count, address(winner))
            elif chosen.size > 0:
                run(fn, core.ves_sampler_redraw, way.sampler, rng.key, start, count, address(winner),
                    ctypes.byref(attempts))
        kept = winner[winner > 0].astype(np.int64) - 1
        if kind < 2:
            values = self.output.centers[kept] if kind == 0 else kept.astype(np.float64)
        else:
            values = read(whole) if kept.size > 0 else np.empty(0)
        within, between = ctypes.c_double(math.nan), ctypes.c_double(math.nan)
        if bout > 0:
            ok(fn, core.ves_sites_components(address(values), count // bout, bout, ctypes.byref(within),
                                             ctypes.byref(between)))
        return Drawn(values, (attempts.value - kept.size) / attempts.value, attempts.value, within.value, between.value)
