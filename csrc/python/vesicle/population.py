"""Population codes: a number as the firing rates of neurons with Gaussian tuning curves."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import check
from .check import Array
from .library import Code as Core
from .library import Decoder, address, core
from .library import check as ok

SPACINGS = ("ends", "bins", "open")


class Code:
    """n neurons with Gaussian tuning curves of height 1, centred at equal distances on [lo, hi]. A
    curve is exactly 0 beyond 8.5 sigma. With spacing "ends" lo and hi are the first and the last
    centre, with "bins" the centres are the middles of n equal bins, with "open" their lower ends.
    [eq:tuning]"""

    def __init__(self, n: int, lo: float, hi: float, sigma: float, spacing: str = "ends") -> None:
        fn = "code"
        self.core = Core()
        self.n = check.integer(fn, "n", n, 1, 2**31 - 1)
        self.lo, self.hi = check.number(fn, "lo", lo, "coordinate"), check.number(fn, "hi", hi, "coordinate")
        self.sigma, self.spacing = check.number(fn, "sigma", sigma, "positive"), spacing
        if not self.lo < self.hi:
            raise check.fail(fn, "hi", hi, f"a number greater than lo = {lo:g}")
        where = check.choice(fn, "spacing", spacing, SPACINGS)
        ok(fn, core.ves_code_alloc(ctypes.byref(self.core), self.n, self.lo, self.hi, self.sigma, where))
        #: the n centres, ascending
        self.centers: Array = np.ctypeslib.as_array(self.core.centers, shape=(self.n,)).copy()

    def __del__(self) -> None:
        if "core" in self.__dict__ and core is not None:
            core.ves_code_free(ctypes.byref(self.core))

    def __repr__(self) -> str:
        return f"code of {self.n} neurons on [{self.lo:g}, {self.hi:g}], sigma {self.sigma:g}"

    def encode(self, x: ArrayLike) -> Array:
        """The firing rates that represent x: n of them; of a vector, a matrix with one row each.
        [eq:tuning]"""
        values = check.array("code.encode", "x", x, ndim=(0, 1))
        rates = np.empty(values.shape + (self.n,))
        for value, row in zip(values.flat, rates.reshape(-1, self.n)):
            core.ves_code_encode(ctypes.byref(self.core), value, address(row))
        return rates

    def reader(self, fn: str, readout: str, width: float | None) -> tuple[int, Any]:
        """Which readout it is, and for those of the whole activity the function that reads it."""
        kind = check.choice(fn, "readout", readout, ("winner", "index", "mean", "decode", "activity"))
        if width is not None and kind != 3:
            raise check.fail(fn, "width", width, "no such parameter without readout = 'decode'")
        kernel = None if width is None else check.number(fn, "width", width, "positive")
        return kind, {2: self.mean, 4: np.asarray}.get(kind, lambda y: self.decode(y, width=kernel))

    def _read(self, fn: str, y: ArrayLike, read: Any, reader: Any) -> Any:
        activity = check.array(fn, "y", y, "activity")
        if activity.shape[-1] != self.n:
            raise check.fail(fn, "y", activity, f"a vector of {self.n}, or a matrix with {self.n} columns")
        rows, value = activity.reshape(-1, self.n), ctypes.c_double()
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            status = read(reader, address(row), ctypes.byref(value))
            if status == 2:
                raise ValueError(f"{fn}: row {i} of 'y' has no activity to read: expected some > 0")
            ok(fn, status)
            out[i] = value.value
        return float(out[0]) if activity.ndim == 1 else out

    def mean(self, y: ArrayLike) -> Any:
        """The mean of the centres, weighted by the activity: a number; of a matrix, one for each row.
        [readout:mean]"""
        return self._read("code.mean", y, core.ves_code_mean, ctypes.byref(self.core))

    def decode(self, y: ArrayLike, *, grid: int | None = None, width: float | None = None) -> Any:
        """The number that an activity represents: where the weighted sum of Gaussian kernels of this
        width (sigma unless given) is largest, among `grid` equally spaced points (12 n + 1 unless
        given). [eq:decode]"""
        fn = "code.decode"
        usual = core.ves_code_default_grid(ctypes.byref(self.core))
        points = usual if grid is None else check.integer(fn, "grid", grid, 2, 2**31 - 1)
        kernel = self.sigma if width is None else check.number(fn, "width", width, "positive")
        decoder = Decoder()
        ok(fn, core.ves_decoder_alloc(ctypes.byref(decoder), ctypes.byref(self.core), kernel, points))
        try:
            return self._read(fn, y, core.ves_decoder_decode, ctypes.byref(decoder))
        finally:
            core.ves_decoder_free(ctypes.byref(decoder))
