"""Streams of random numbers with names: every draw has an address, the same as in Lua."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import check
from .library import address, core, run
from .library import check as ok

DRAWS = 2**53  #: the first draw index that is no address


def _absorb(key: int, part: Any) -> int:
    """3 and 3.0 are one name, "3" is another."""
    fn = "stream.stream"
    if isinstance(part, str):
        part = part.encode()
    if isinstance(part, bytes):
        return core.ves_key_string(key, part, len(part))
    if isinstance(part, (bool, np.bool_)) or not isinstance(part, (int, float, np.integer, np.floating)):
        raise check.fail(fn, "name", part, "a finite number or a text")
    if isinstance(part, (int, np.integer)) or (abs(part) < 2.0**63 and part == int(part)) or part == -(2.0**63):
        if not -(2**63) <= part < 2**63:
            raise check.fail(fn, "name", part, "an integer of 64 bits")
        return core.ves_key_integer(key, int(part))
    return core.ves_key_real(key, check.number(fn, "name", part))


class Stream:
    """A stream: a key, and a cursor that draws move on. Made by `vesicle.rng` and `stream`."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.cursor = 0  #: the index of the next draw

    def __repr__(self) -> str:
        return f"stream {self.key:016x} at draw {self.cursor}"

    def stream(self, *name: str | float) -> Stream:
        """The substream of a name, one or more numbers and texts. It starts at its own beginning,
        whatever has been drawn here."""
        if not name:
            raise ValueError("stream.stream: 'name' is missing: expected one or more numbers or texts")
        key = self.key
        for part in name:
            key = _absorb(key, part)
        return Stream(key)

    def seek(self, draw: int) -> Stream:
        """Moves the cursor: the next draw is the one with this index."""
        self.cursor = check.integer("stream.seek", "draw", draw, 0, DRAWS - 1)
        return self

    def take(self, fn: str, draws: int) -> int:
        """Moves the cursor on by so many draws, and returns where it was."""
        if draws > DRAWS - self.cursor:
            raise check.fail(fn, "rng", self, f"a stream with {draws} draws left: take a substream")
        first = self.cursor
        self.cursor += draws
        return first

    def _draw(self, fn: str, fill: Callable[..., int], parameters: tuple, n: int | None) -> Any:
        size = 1 if n is None else check.integer(fn, "n", n, 1, 2**31 - 1)
        out = np.empty(size)
        call = run if size > 100000 else lambda fn, fill, *arguments: ok(fn, fill(*arguments))
        call(fn, fill, self.key, self.take(fn, size), *parameters, size, address(out))
        return float(out[0]) if n is None else out

    def uniform(self, n: int | None = None) -> Any:
        """A number from the uniform distribution on [0, 1); with n, an array of n draws."""
        return self._draw("stream.uniform", core.ves_stream_uniform, (), n)

    def normal(self, mu: float | None = None, sd: float | None = None, n: int | None = None) -> Any:
        """A number from the normal distribution; with n, an array of n draws. The standard normal one if neither
        parameter is given; normal(5) is refused, since uniform(5) is five draws."""
        fn = "stream.normal"
        if mu is not None and sd is None:
            raise check.fail(fn, "sd", sd, "a number >= 0, since n comes last: rng.normal(0, 1, n)")
        mu, sd = (0.0 if mu is None else mu), (1.0 if sd is None else sd)
        parameters = (check.number(fn, "mu", mu), check.number(fn, "sd", sd, "nonnegative"))
        return self._draw(fn, core.ves_stream_normal, parameters, n)

    def beta(self, a: float, b: float, n: int | None = None) -> Any:
        """A number from the Beta distribution; with n, an array of n draws."""
        fn = "stream.beta"
        parameters = (check.number(fn, "a", a, "shape"), check.number(fn, "b", b, "shape"))
        return self._draw(fn, core.ves_stream_beta, parameters, n)

    def bernoulli(self, p: float, n: int | None = None) -> Any:
        """1 with probability p, else 0; with n, an array of n draws."""
        fn = "stream.bernoulli"
        return self._draw(fn, core.ves_stream_bernoulli, (check.number(fn, "p", p, "probability"),), n)

    def integer(self, m: int, n: int | None = None) -> Any:
        """One of 1, 2, ..., m, all equally likely; with n, an array of n draws."""
        fn = "stream.integer"
        value = self._draw(fn, core.ves_stream_integer, (check.integer(fn, "m", m, 1, DRAWS),), n)
        return int(value) if n is None else value.astype(np.int64)

    def permutation(self, n: int) -> np.ndarray:
        """The positions 0 to n - 1 in random order: one draw. Lua counts them from 1."""
        fn = "stream.permutation"
        size = check.integer(fn, "n", n, 1, 2**31 - 1)
        out = np.empty(size)
        run(fn, core.ves_stream_permutation, self.key, self.take(fn, 1), size, address(out))
        return out.astype(np.int64) - 1


def rng(seed: int) -> Stream:
    """The root stream of a seed, any 64-bit integer. Two streams of one seed and name give the same
    numbers, always, here and in Lua."""
    return Stream(core.ves_key_root(check.integer("rng", "seed", seed, -(2**63), 2**63 - 1) % 2**64))


def need(fn: str, value: Any) -> Stream:
    """A stream as an argument."""
    if not isinstance(value, Stream):
        raise check.fail(fn, "rng", value, "a stream of random numbers, as from rng(seed)")
    return value

