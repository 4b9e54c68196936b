"""Draws of a network one by one: where the whole activity is read, or sites or stages take part."""

from __future__ import annotations

from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from . import check
from .check import Array
from .library import Owned, address, core

ATTEMPTS = 1000000  #: at one draw, as in the core
SITES_MAX = 65536  #: release sites of a synapse


class Synapses(NamedTuple):
    """Those of the active inputs, one row each."""

    effective: Array  #: weights times activities
    release: Array  #: after division among the inputs
    chosen: np.ndarray  #: which inputs they are
    n: int  #: outputs


class Found(NamedTuple):
    """The draws in which something transmitted, and how many attempts were made at all of them."""

    winner: np.ndarray
    activity: Array
    attempts: int


def silent(fn: str) -> ValueError:
    """The error of a network in which nothing can transmit; to be raised."""
    return ValueError(f"{fn}: nothing transmits, however often a draw is repeated: expected some release > 0 "
                      "on a synapse with a weight (or empty = 'skip')")


def share(fn: str, release: Array, phi: Array, chosen: np.ndarray) -> Array:
    """What the sites of each synapse have in common: its release over that of a site. [eq:sites]"""
    common = release[chosen] / phi[chosen]
    if (common > 1 + 1e-9).any():
        row, column = (int(i) for i in np.argwhere(common > 1 + 1e-9)[0])
        place = (int(chosen[row]), column)
        raise check.fail(fn, f"release[{place[0]}][{place[1]}]", float(release[place]),
                         "a product with that of a site, so not above 'rescale'")
    return np.minimum(common, 1.0)


class Mechanism:
    """How one draw is made: by all synapses together, by sites that are open or shut, in two
    stages, or in two stages with sites. To be used in a `with`."""

    def __init__(self, fn: str, synapses: Synapses) -> None:
        self.fn, self.synapses = fn, synapses
        self.plans = ExitStack()
        self.sampler: int | None = None
        self.sites: int | None = None
        self.stages: int | None = None
        self.hold = 0  #: draws for which open sites stay open; 0: for one attempt

    def __enter__(self) -> Mechanism:
        return self

    def __exit__(self, *_: object) -> None:
        self.plans.close()

    def use_all(self) -> None:
        """All active inputs transmit together. [alg:sample]"""
        e, q, chosen, n = self.synapses
        self.sampler = self.plans.enter_context(
            Owned(self.fn, "ves_sampler", address(e), address(q), address(chosen), len(chosen), n))

    def use_sites(self, phi: Array, each: int, hold: int) -> None:
        """Each synapse has so many sites of release phi, which stay open for `hold` draws if that is
        not 0. [eq:sites] [eq:held]"""
        e, q, chosen, n = self.synapses
        self.hold = hold
        self.sites = self.plans.enter_context(
            Owned(self.fn, "ves_sites", address(e), address(phi), address(q), address(chosen), len(chosen), n, each))

    def use_stages(self, w: Array, x: Array, first: Array | None, skip: bool) -> None:
        """Inputs compete first, with x times the largest amplitude of their row of w, by releases
        that are given or by the mapping; then the winner's row transmits alone. [eq:two-stage]"""
        _, q, chosen, n = self.synapses
        strength = np.array([x[i] * core.ves_stages_strength(address(w[i]), address(q[i]), n) for i in range(len(chosen))])
        by, order = np.empty(len(chosen)), np.empty(len(chosen), np.uintp)
        core.ves_release_analytic(address(strength), by.size, address(order), address(by))
        if first is not None:
            by = np.ascontiguousarray(first[chosen])
        if not skip and not ((strength > 0) & (by > 0)).any():
            raise silent(self.fn)
        self.stages = self.plans.enter_context(
            Owned(self.fn, "ves_stages", address(strength), address(by), address(w), address(q), address(chosen),
                  len(chosen), n))

    def attempt(self, key: int, draw: int, y: int) -> int:
        """One attempt at a draw: 1 + the winner, or 0 if nothing was transmitted."""
        if self.sites is not None and self.hold == 0:
            core.ves_sites_open(self.sites, key, draw)
        if self.stages is not None and self.sites is not None:
            remains = core.ves_stages_input(self.stages, key, draw)
            return core.ves_sites_draw_row(self.sites, remains - 1, key, draw, y) if remains > 0 else 0
        if self.stages is not None:
            return core.ves_stages_draw(self.stages, key, draw, y)
        if self.sites is not None:
            return core.ves_sites_draw(self.sites, key, draw, y)
        return core.ves_sampler_draw(self.sampler, key, draw, None, y)

    def open_bout(self, key: int, draw: int) -> int:
        """Opens sites for a bout, again should nothing be able to transmit; how often in vain."""
        failed, at = 0, key
        while not core.ves_sites_open(self.sites, at, draw):
            failed += 1
            if failed == ATTEMPTS:
                raise silent(self.fn)
            at = core.ves_sampler_redraw_key(key, failed)
        return failed

    def run(self, key: int, draws: range, skip: bool) -> Found:
        """All draws: an empty one is repeated, or skipped. [eq:redraw]"""
        winners, activities, attempts = [], [], 0
        for d, draw in enumerate(draws):
            if self.hold > 0 and d % self.hold == 0:
                attempts += self.open_bout(key, draw)
            y, failed, at = np.empty(self.synapses.n), 0, key
            while (winner := self.attempt(at, draw, y.ctypes.data)) == 0 and not skip:
                failed += 1
                if failed == ATTEMPTS:
                    raise silent(self.fn)
                at = core.ves_sampler_redraw_key(key, failed)
            attempts += failed + 1
            if winner > 0:
                winners.append(winner)
                activities.append(y)
        return Found(np.array(winners, np.uint32), np.array(activities).reshape(-1, self.synapses.n), attempts)
