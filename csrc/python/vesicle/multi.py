"""Several inputs active together: what they encode, and two-stage release, which samples it."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import check
from .check import Array
from .learning import step
from .library import StagesState, address, core, run
from .library import check as ok
from .stream import Stream, need
from .winner import active_inputs


class Drawn(NamedTuple):
    """What `two_stage` drew; positions count from 0."""

    winners: NDArray[np.int64]  #: the winning outputs
    via: NDArray[np.int64]  #: the input through which each came


class State(NamedTuple):
    """What a network that learns while it samples knows. An amplitude of 0 is not learned yet."""

    amplitude: Array  #: like W; W / amplitude are the releases of the second stage
    updates: Array  #: how often each has learned
    strength: Array  #: like x: what each row sent on average when its turn came
    turns: Array  #: how often that was
    input_amplitude: Array  #: like x, and only for this x
    input_updates: Array


class Learned(NamedTuple):
    """What `two_stage_learn` drew, and what it knows then."""

    winners: NDArray[np.int64]  #: the winning outputs, from 0; -1 where nothing transmitted
    state: State


def _block(fn: str, W: ArrayLike, x: ArrayLike, active: float) -> tuple[Array, Array, Array, Array, NDArray[np.uint32]]:
    """Weights and activities of all inputs and of the active ones, and which these are."""
    w = check.array(fn, "W", W, "weight", ndim=(2,))
    activity = check.like(fn, "x", x, w.shape[:1], "activity")
    threshold = check.number(fn, "active", active, "nonnegative")
    chosen = active_inputs(activity, threshold)
    rows, levels = np.ascontiguousarray(w[chosen]), np.ascontiguousarray(activity[chosen])
    if not (rows * levels[:, None] > 0).any():
        raise check.fail(fn, "x", activity, f"an active input (above {threshold:g}) with a positive weight")
    return w, activity, rows, levels, chosen


def mixture(W: ArrayLike, x: ArrayLike, *, active: float = 1e-3) -> Array:
    """The distribution that active inputs encode together, W'x normalised: a mixture of the rows'
    distributions, each weighted by its activity times its row sum. [eq:mixture]"""
    fn = "multi.mixture"
    _, _, rows, levels, _ = _block(fn, W, x, active)
    p = np.empty(rows.shape[1])
    ok(fn, core.ves_multi_mixture(address(rows), address(levels), *rows.shape, address(p)))
    return p


def two_stage_exact(W: ArrayLike, x: ArrayLike, *, active: float = 1e-3) -> Array:
    """The exact distribution of the winner under two-stage release: inputs compete first, by their
    activity times their row sum, and only the winner's row transmits. It is W'x normalised.
    [eq:two-stage]"""
    fn = "multi.two_stage_exact"
    _, _, rows, levels, _ = _block(fn, W, x, active)
    p = np.empty(rows.shape[1])
    ok(fn, core.ves_multi_two_stage_exact(address(rows), address(levels), *rows.shape, address(p)))
    return p


def two_stage(W: ArrayLike, x: ArrayLike, *, rng: Stream, draws: int = 1000, active: float = 1e-3) -> Drawn:
    """Draws winners by two-stage release, which samples W'x exactly for every x: inputs compete
    first, and only the winner's row transmits. No draw is empty. [eq:two-stage]"""
    fn = "multi.two_stage"
    count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
    stream = need(fn, rng)
    _, _, rows, levels, chosen = _block(fn, W, x, active)
    winner, via, plan = np.empty(count, np.uint32), np.empty(count, np.uint32), ctypes.c_void_p()
    ok(fn, core.ves_two_stage_alloc(address(rows), address(levels), address(chosen), *rows.shape, ctypes.byref(plan)))
    try:
        run(fn, core.ves_multi_two_stage, plan, stream.key, stream.take(fn, count), count, address(winner), address(via))
    finally:
        core.ves_two_stage_free(plan)
    return Drawn(winner.astype(np.int64) - 1, chosen[via].astype(np.int64))


def _known(fn: str, state: State | None, w: Array) -> State:
    """A copy of a state, or one that knows nothing."""
    shapes = (w.shape, w.shape, *4 * (w.shape[:1],))
    if state is None:
        return State(*(np.zeros(shape) for shape in shapes))
    if not isinstance(state, State):
        raise check.fail(fn, "state", state, "a state, as this function returns it")
    return State(*(check.like(fn, f"state.{name}", part, shape, "nonnegative").copy()
                   for name, part, shape in zip(State._fields, state, shapes)))


def two_stage_learn(W: ArrayLike, x: ArrayLike, *, rng: Stream, state: State | None = None, draws: int = 1000,
                    rate: float | str | None = None, decay: float | None = None, rate_floor: float | None = None,
                    order: str | None = None, active: float = 1e-3) -> Learned:
    """Two-stage draws of a network that learns from them: inputs compete first, each with x times
    the strength of its row, then the winner's row transmits alone; in every draw the two winners
    learn by Algorithm 1 of the amplitude rule. A row's strength is the mean of what it sent when its
    turn came. [eq:two-stage] [eq:amplitude] [eq:row-strength] [alg:1]

    W may change from call to call. `state` is what an earlier call returned, or None for a start at
    w / 0.3. `rate`, `decay`, `rate_floor` and `order` are those of `release.learn` with the rule
    'amplitude'. `rng` is moved on by the number of draws.
    """
    fn = "multi.two_stage_learn"
    w = check.array(fn, "W", W, "weight", ndim=(2,))
    activity = check.like(fn, "x", x, w.shape[:1], "activity")
    opt = core.ves_amplitude_defaults()
    step(fn, opt, rate, decay, rate_floor, order)
    count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
    chosen = active_inputs(activity, check.number(fn, "active", active, "nonnegative"))
    if chosen.size == 0:
        raise check.fail(fn, "x", activity, f"an input that activates some neuron above {active:g}")
    known, stream = _known(fn, state, w), need(fn, rng)
    rows, levels = np.ascontiguousarray(w[chosen]), np.ascontiguousarray(activity[chosen])
    parts = [np.ascontiguousarray(part[chosen]) for part in known]
    row, _, strength, _, first, _ = parts
    row[row == 0] = (rows / 0.3)[row == 0]  # what is not learned yet starts where a release of 0.3 puts it
    strength[(strength == 0) & (rows > 0).any(axis=1)] = 1
    first[first == 0] = (levels * strength / 0.3)[first == 0]
    learning = StagesState(*(address(part) for part in parts))
    winner = np.empty(count, np.uint32)
    run(fn, core.ves_stages_learn, address(rows), address(levels), address(chosen), *rows.shape, ctypes.byref(opt),
        stream.key, stream.take(fn, count), count, ctypes.byref(learning), address(winner))
    for part, new in zip(known, parts):
        part[chosen] = new
    return Learned(winner.astype(np.int64) - 1, known)


__all__ = ["Drawn", "Learned", "State", "mixture", "two_stage", "two_stage_exact", "two_stage_learn"]
