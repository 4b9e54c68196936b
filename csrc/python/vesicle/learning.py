"""Release probabilities learned locally, while sampling."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .check import Array
from .library import Owned, Presentation, address, core, run
from .population import Code
from .stream import DRAWS, Stream, need

RULES = ("raw", "subtract", "rescale", "power", "variable", "subset", "expected", "amplitude")
#: the parameters that belong to some rules alone, which elsewhere would silently do nothing
OWNERS = {"psi": ("power",), "subtract": ("subtract",), "expected_over": ("expected",),
          "floor": RULES[:7], "ceiling": RULES[:7], "order": ("amplitude",), "rate_floor": ("amplitude",)}


def step(fn: str, opt: Any, rate: Any, decay: float | None, rate_floor: float | None, order: str | None) -> None:
    """Sets the step of the amplitude rule: a rate or the average, and how it falls. [eq:amplitude]"""
    opt.average = rate is None or rate == "average"
    if not opt.average:
        opt.rate = check.number(fn, "rate", rate, "fraction")
    if order is not None:
        opt.order = check.choice(fn, "order", order, ("weight", "amplitude"))
    if decay is not None:
        if opt.average:
            raise check.fail(fn, "decay", decay, "no such parameter with rate = 'average', whose step falls by itself")
        opt.decay = check.number(fn, "decay", decay, "positive")
    if rate_floor is not None:
        opt.rate_floor = check.number(fn, "rate_floor", rate_floor, "fraction")
        if not opt.average and opt.decay == 0:
            raise check.fail(fn, "rate_floor", rate_floor, "no such parameter with a constant rate")
        if not opt.average and opt.rate_floor > opt.rate:
            raise check.fail(fn, "rate_floor", rate_floor, f"a number not above rate = {opt.rate:g}")


def _options(fn: str, rule: str, given: dict[str, Any]) -> tuple[Any, bool]:
    """The core's options, and whether they are those of the amplitude rule."""
    by_amplitude = rule == "amplitude"
    for name, rules in OWNERS.items():
        if given[name] is not None and rule not in rules:
            raise check.fail(fn, name, given[name], f"no such parameter with rule '{rule}'")
    opt: Any = core.ves_amplitude_defaults() if by_amplitude else core.ves_learn_defaults()
    opt.algorithm = check.integer(fn, "algorithm", given["algorithm"], 1, 2)
    opt.iterations = check.integer(fn, "iterations", given["iterations"], 1, DRAWS - 1)
    if by_amplitude:
        step(fn, opt, given["rate"], given["decay"], given["rate_floor"], given["order"])
    else:
        opt.rule = check.choice(fn, "rule", rule, RULES)
        for name, domain in (("psi", "positive"), ("subtract", "probability"), ("rate", "fraction"),
                             ("floor", "probability"), ("ceiling", "probability")):
            if given[name] is not None:
                setattr(opt, name, check.number(fn, name, given[name], domain))
        if opt.floor > opt.ceiling:
            raise check.fail(fn, "floor", opt.floor, f"a number not above ceiling = {opt.ceiling:g}")
        if given["expected_over"] is not None:
            opt.over_subset = check.choice(fn, "expected_over", given["expected_over"], ("weaker", "subset")) == 1
        if given["decay"] is not None:
            opt.decay = check.number(fn, "decay", given["decay"], "positive")
    return opt, by_amplitude


def _start(fn: str, start: Any, w: Array, opt: Any, clip: bool, rng: Stream) -> Array:
    """Start values: drawn around a mean, one number, or given. [eq:start]"""
    lo, hi = (opt.floor, opt.ceiling) if clip else (0.0, 1.0)
    if start is None or isinstance(start, tuple):
        if start is not None and len(start) != 2:
            raise check.fail(fn, "start", start, "(mean, sd), a number, or an array like the weights")
        drawn = core.ves_learn_defaults() if not clip else opt
        mean = check.number(fn, "start[0]", 0.3 if start is None else start[0], "coordinate")
        sd = check.number(fn, "start[1]", 0.1 if start is None else start[1], "activity")
        q = np.empty_like(w)
        for i, row in enumerate(q.reshape(-1, w.shape[-1])):
            core.ves_learn_start(mean, sd, drawn.floor, drawn.ceiling, rng.key, rng.cursor, i, row.size, address(row))
        return q
    if np.ndim(start) == 0:
        return np.full_like(w, np.clip(check.number(fn, "start", start, "probability"), lo, hi))
    return np.clip(check.like(fn, "start", start, w.shape, "probability"), lo, hi)


def learn(
    w: ArrayLike,
    *,
    rng: Stream,
    rule: str = "power",
    algorithm: int = 2,
    iterations: int = 5000,
    psi: float | None = None,
    subtract: float | None = None,
    expected_over: str | None = None,
    rate: float | str | None = None,
    decay: float | None = None,
    rate_floor: float | None = None,
    order: str | None = None,
    start: Any = None,
    floor: float | None = None,
    ceiling: float | None = None,
    trace: int | None = None,
) -> Any:
    """Release probabilities learned locally while sampling: in each iteration those synapses that
    transmitted move their release toward a target. Algorithm 1 updates the strongest only,
    algorithm 2 every one. [alg:1] [alg:2] [eq:learningRule_form]

    w is a vector of weights, or a matrix whose rows learn separately. `rule` is one of 'raw',
    'subtract' (with `subtract`), 'rescale', 'power' (with `psi`, 8), 'variable', 'subset',
    'expected' (with `expected_over`) or 'amplitude' (with `order` and `rate_floor`; its `rate` is
    'average' unless given) [eq:amplitude]. `start` is (mean, sd), a number, or an array like w.
    With `trace` = k, every k-th iteration's releases come as a second result, with one row per
    recorded iteration; for a matrix, a list of such. `rng` is moved on by the number of iterations.
    """
    fn = "release.learn"
    given = {"psi": psi, "subtract": subtract, "expected_over": expected_over, "rate": rate, "decay": decay,
             "rate_floor": rate_floor, "order": order, "floor": floor, "ceiling": ceiling, "algorithm": algorithm,
             "iterations": iterations}
    weights = check.array(fn, "w", w, "weight")
    check.choice(fn, "rule", rule, RULES)
    opt, by_amplitude = _options(fn, rule, given)
    stream = need(fn, rng)
    every = 0 if trace is None else check.integer(fn, "trace", trace, 1, opt.iterations)
    opt.trace = every
    n = weights.shape[-1]
    q = _start(fn, start, weights, opt, not by_amplitude, stream)
    first = stream.take(fn, opt.iterations)
    rows, results = weights.reshape(-1, n), q.reshape(-1, n)
    kind = "amplitude" if by_amplitude else "learn"
    traces = []
    with Owned(fn, "ves_learn_workspace", n) as work:
        if every == 0:
            run(fn, getattr(core, f"ves_{kind}_rows"), address(rows), rows.shape[0], n, ctypes.byref(opt), stream.key,
                first, 0, work, address(results))
            return q
        for i, row in enumerate(rows):
            traces.append(np.empty((opt.iterations // every, n)))
            run(fn, getattr(core, f"ves_{kind}_row"), address(row), n, ctypes.byref(opt), stream.key, first, i, work,
                address(results[i]), address(traces[-1]))
    return q, traces[0] if weights.ndim == 1 else traces



def learn_pooled(
    W: ArrayLike,
    inputs: ArrayLike,
    *,
    rng: Stream,
    code: Code | None = None,
    active: float = 1e-3,
    rule: str = "power",
    algorithm: int = 2,
    iterations: int = 5000,
    psi: float | None = None,
    subtract: float | None = None,
    expected_over: str | None = None,
    rate: float | str | None = None,
    decay: float | None = None,
    rate_floor: float | None = None,
    order: str | None = None,
    start: Any = None,
    floor: float | None = None,
    ceiling: float | None = None,
) -> Array:
    """One release matrix learned for several inputs: while an input is presented, the synapses of
    all its active neurons compete with their effective weights. Presentations take turns, one
    iteration each, until each has had `iterations`. [alg:2] [eq:pooled]

    W is a matrix of weights, one row per input neuron; `inputs` are values, encoded by `code`, or
    without one a matrix of activities, a presentation in each row, of which those above `active`
    take part. The rest is as in `learn`. Synapses that are never presented keep their start. `rng`
    is moved on by the number of all iterations.
    """
    fn = "release.learn_pooled"
    given = {"psi": psi, "subtract": subtract, "expected_over": expected_over, "rate": rate, "decay": decay,
             "rate_floor": rate_floor, "order": order, "floor": floor, "ceiling": ceiling, "algorithm": algorithm,
             "iterations": iterations}
    weights = check.array(fn, "W", W, "weight", (2,))
    m, n = weights.shape
    check.choice(fn, "rule", rule, RULES)
    opt, by_amplitude = _options(fn, rule, given)
    stream = need(fn, rng)
    threshold = check.number(fn, "active", active, "activity")
    if code is None:
        x = check.array(fn, "inputs", inputs, "activity", (2,))
    elif not isinstance(code, Code) or code.n != m:
        raise check.fail(fn, "code", code, f"a code of {m} neurons, one per row of W")
    else:
        x = code.encode(check.array(fn, "inputs", inputs, "finite", (1,)))
    if x.shape[1] != m:
        raise check.fail(fn, "inputs", inputs, f"a matrix with {m} columns, one per row of W")
    shown = (Presentation * len(x))()
    kept = []  # the core has addresses of these
    for one, activity in zip(shown, x):
        chosen = np.flatnonzero(activity > threshold)
        if chosen.size == 0:
            raise check.fail(fn, "inputs", activity, f"inputs that each activate some neuron above {threshold:g}")
        synapse = (chosen[:, None] * n + np.arange(n)).astype(np.uintp).ravel()
        weight = np.ascontiguousarray(activity[chosen, None] * weights[chosen]).ravel()
        one.count, one.synapse, one.weight = synapse.size, address(synapse), address(weight)
        kept.append((synapse, weight))
    q = _start(fn, start, weights, opt, not by_amplitude, stream)
    first = stream.take(fn, opt.iterations * len(x))
    function = core.ves_amplitude_pooled if by_amplitude else core.ves_learn_pooled
    with Owned(fn, "ves_learn_workspace", max(one.count for one in shown)) as work:
        run(fn, function, ctypes.addressof(shown), len(x), ctypes.byref(opt), stream.key, first, work, address(q), q.size)
    return q
