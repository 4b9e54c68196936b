"""Networks on networks: what wins in one layer, or all that is active in it, is the input of the next."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import check
from .check import Array
from .layers import Network
from .library import LayerOptions, Owned, address, core
from .library import check as ok
from .release import NORMALISERS
from .stream import Stream, need
from .winner import INPUTS_MAX, active_inputs

LAYERS_MAX = 64
ESIZE, ESILENT = 3, 4  #: statuses of the core that get words of their own


class Passed(NamedTuple):
    """What `Chain.sample` found."""

    values: Array  #: what each draw says
    winners: NDArray[np.int64]  #: a row for each draw, a column for each layer; -1 where nothing transmitted
    empty: float  #: the fraction of draws left out
    attempts: int  #: in all layers


def _silent(fn: str) -> ValueError:
    return ValueError(f"{fn}: nothing transmits in a layer, however often a draw is repeated: expected some release > 0 "
                      "on a synapse with a weight (or empty = 'skip')")


class Chain:
    """Networks from the first layer up; each has as many outputs as the next has inputs. Nothing is
    copied: what a network observes later, the chain knows. [eq:chain]"""

    def __init__(self, *networks: Network) -> None:
        fn = "chain"
        if not 1 <= len(networks) <= LAYERS_MAX:
            raise check.fail(fn, "networks", networks, f"between 1 and {LAYERS_MAX} networks")
        for i, net in enumerate(networks):
            if not isinstance(net, Network):
                raise check.fail(fn, f"networks[{i}]", net, "a network, as from network(input, output)")
            if i > 0 and net.input.n != networks[i - 1].output.n:
                raise check.fail(fn, f"networks[{i}]", net, f"one with {networks[i - 1].output.n} inputs, as many as "
                                 f"networks[{i - 1}] has outputs")
        self.layers = networks

    def __repr__(self) -> str:
        return f"chain of {len(self.layers)} networks"

    def _open(self, fn: str, plans: ExitStack, x: ArrayLike, release: Any, stages: int, normaliser: str | None,
              active: float, empty: str) -> tuple[list[int], list[Array | None]]:
        """The layers, the first of them open for x, and the matrices of releases, which must live as long as they."""
        opt = LayerOptions()
        opt.stages = check.integer(fn, "stages", stages, 1, 2) == 2
        if opt.stages and normaliser is not None:
            raise check.fail(fn, "normaliser", normaliser, "no such parameter with stages = 2")
        opt.normaliser = check.choice(fn, "normaliser", normaliser or "participation", NORMALISERS)
        opt.active = check.number(fn, "active", active, "nonnegative")
        opt.empty = check.choice(fn, "empty", empty, ("redraw", "skip"))
        if release is None:
            release = ["analytic"] * len(self.layers)
        if not isinstance(release, (list, tuple)) or len(release) != len(self.layers):
            raise check.fail(fn, "release", release, f"a list of {len(self.layers)}, a matrix or 'analytic' for each layer")
        matrices = []
        for i, (net, q) in enumerate(zip(self.layers, release)):
            shape, name = (net.input.n, net.output.n), f"release[{i}]"
            if isinstance(q, str):
                check.choice(fn, name, q, ("analytic",))
            matrices.append(None if isinstance(q, str) else check.like(fn, name, q, shape, "probability"))
        first = self.layers[0].input
        activity = first.encode(x) if np.ndim(x) == 0 else check.like(fn, "x", x, (first.n,), "activity")
        chosen = active_inputs(activity, opt.active)
        if chosen.size == 0:
            raise check.fail(fn, "x", x, f"an input that activates some neuron above {opt.active:g}")
        levels = np.ascontiguousarray(activity[chosen])
        layers = [plans.enter_context(Owned(fn, "ves_layer", ctypes.byref(net.evidence), address(q), ctypes.byref(opt)))
                  for net, q in zip(self.layers, matrices)]
        status = core.ves_layer_open(layers[0], address(chosen), address(levels), chosen.size)
        if status == ESILENT:
            raise ValueError(f"{fn}: nothing transmits in the first layer: expected some release > 0 on a synapse with "
                             "a weight")
        ok(fn, status)
        return layers, matrices

    def sample(self, x: ArrayLike, *, rng: Stream, release: Sequence[Any] | None = None, draws: int = 1000,
               hand_on: str = "winner", readout: str = "winner", width: float | None = None, stages: int = 1,
               normaliser: str | None = None, active: float = 1e-3, empty: str = "redraw") -> Passed:
        """Draws from the last layer. The first layer draws from x as `Network.sample` does; its
        winner is then the only active input of the next layer, at 1, and so on up. Each layer draws
        from a stream of its own, rng.stream("layer", l), l from 1. [eq:chain]

        `release` has a matrix, or 'analytic', for each layer; None is the mapping in all. With
        `hand_on` = 'activity' (in Lua the key is `pass`) a layer hands its whole activity on, scaled
        to a largest of 1. The readout is that of the last layer. A layer in which nothing transmits
        draws again, or the draw is left out ('skip').
        """
        fn = "chain.sample"
        count = check.integer(fn, "draws", draws, 1, 2**31 - 1)
        what = check.choice(fn, "hand_on", hand_on, ("winner", "activity"))
        stream, output = need(fn, rng), self.layers[-1].output
        kind, read = output.reader(fn, readout, width)
        if kind == 4 and empty == "skip":
            raise check.fail(fn, "empty", empty, "'redraw' with readout = 'activity'")
        keys = np.array([stream.stream("layer", i + 1).key for i in range(len(self.layers))], np.uint64)
        winners, attempts = np.zeros((count, len(self.layers)), np.uint32), ctypes.c_uint64(0)
        room = [np.empty(net.output.n) for net in self.layers]
        ys = np.array([address(y) for y in room], np.uintp)
        activities = []
        with ExitStack() as plans:
            opened, _kept = self._open(fn, plans, x, release, stages, normaliser, active, empty)
            layers = np.array(opened, np.uintp)
            first = stream.take(fn, count)
            for d, winner in enumerate(winners):
                status = core.ves_chain_draw(address(layers), layers.size, what, address(keys), first + d, address(ys),
                                             address(winner), ctypes.byref(attempts))
                if status == ESILENT:
                    raise _silent(fn)
                ok(fn, status)
                if kind >= 2 and winner[-1] > 0:
                    activities.append(room[-1].copy())
        positions = winners.astype(np.int64) - 1
        kept = positions[positions[:, -1] >= 0, -1]
        if kind < 2:
            values = output.centers[kept] if kind == 0 else kept.astype(np.float64)
        else:
            values = read(np.array(activities)) if activities else np.empty(0)
        return Passed(values, positions, (count - kept.size) / count, attempts.value)

    def exact(self, x: ArrayLike, *, release: Sequence[Any] | None = None, stages: int = 1,
              normaliser: str | None = None, active: float = 1e-3, empty: str = "redraw") -> tuple[Array, float]:
        """The exact distribution of the winner of the last layer if winners are handed on: the
        product of the layers' transition matrices; and the probability that the draw is left out, 0
        unless with 'skip'. In one stage the first layer has up to 6 active inputs. [eq:chain]"""
        fn = "chain.exact"
        with ExitStack() as plans:
            layers, _kept = self._open(fn, plans, x, release, stages, normaliser, active, empty)
            p = np.empty(self.layers[0].output.n)
            status = core.ves_layer_exact(layers[0], address(p))
            for net, layer in zip(self.layers[1:], layers[1:]):
                if status == 0:
                    below, p = p, np.empty(net.output.n)
                    status = core.ves_layer_exact_pass(layer, address(below), address(p))
        if status == ESILENT:
            raise _silent(fn)
        if status == ESIZE:
            raise check.fail(fn, "x", x, f"at most {INPUTS_MAX} active inputs (or stages = 2)")
        ok(fn, status)
        total = 0.0
        for probability in p.tolist():
            total += probability
        return p, 1 - total if empty == "skip" and total < 1 else 0.0
