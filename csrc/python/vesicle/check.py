"""Arguments: what is accepted, and messages that name function, argument, value and expectation."""

from __future__ import annotations

import difflib
from typing import Any, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

TINY = 5e-324

#: What numbers are acceptable: bounds, and how they are called. Not-a-number never is.
DOMAINS: dict[str, tuple[float, float, str]] = {
    "finite": (-1.7976931348623157e308, 1.7976931348623157e308, "a finite number"),
    "positive": (TINY, 1.7976931348623157e308, "a number > 0"),
    "nonnegative": (0.0, 1.7976931348623157e308, "a number >= 0"),
    "probability": (0.0, 1.0, "a number in [0, 1]"),
    "fraction": (TINY, 1.0, "a number in (0, 1]"),
    "inside": (TINY, 1.0 - 2.0**-53, "a number in (0, 1)"),
    "weight": (0.0, 1e200, "a number in [0, 1e200]"),
    "activity": (0.0, 1e100, "a number in [0, 1e100]"),
    "coordinate": (-1e100, 1e100, "a number in [-1e100, 1e100]"),
    "salience": (0.0, 1048576.0, "a number in [0, 1048576]"),
    "shape": (1e-100, 1e100, "a number in [1e-100, 1e100]"),
}


def show(value: Any) -> str:
    """A value in a message: arrays by their shape, everything else in at most 60 characters."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def fail(fn: str, name: str, value: Any, expected: str) -> ValueError:
    """The error of one argument; to be raised."""
    return ValueError(f"{fn}: '{name}' = {show(value)}: expected {expected}")


def number(fn: str, name: str, value: Any, domain: str = "finite") -> float:
    """A number of a domain."""
    lo, hi, expected = DOMAINS[domain]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise fail(fn, name, value, expected)
    if not lo <= value <= hi:
        raise fail(fn, name, value, expected)
    return float(value)


def integer(fn: str, name: str, value: Any, lo: int, hi: int) -> int:
    """A whole number in [lo, hi]; a float with a whole value is one."""
    expected = f"an integer in [{lo}, {hi}]"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise fail(fn, name, value, expected)
    if value != value or not lo <= value <= hi or value != int(value):
        raise fail(fn, name, value, expected)
    return int(value)


def choice(fn: str, name: str, value: Any, words: Iterable[str]) -> int:
    """The position of a word in a list; a near miss is suggested."""
    known = list(words)
    if value in known:
        return known.index(value)
    near = difflib.get_close_matches(str(value), known, n=1)
    meant = f" (did you mean '{near[0]}'?)" if near else ""
    raise fail(fn, name, value, "one of " + ", ".join(f"'{word}'" for word in known) + meant)


def array(fn: str, name: str, value: ArrayLike, domain: str = "finite", ndim: tuple[int, ...] = (1, 2)) -> Array:
    """A vector or matrix of doubles in C order, without a copy where it already is one."""
    kinds = {(1,): "a vector", (2,): "a matrix", (1, 2): "a vector or a matrix", (0, 1): "a number or a vector",
             (0, 1, 2): "a number, a vector or a matrix"}
    lo, hi, expected = DOMAINS[domain]
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "iuf":
            raise TypeError
        result = np.ascontiguousarray(given, dtype=np.float64).reshape(given.shape)
    except (TypeError, ValueError):
        raise fail(fn, name, value, f"{kinds[ndim]} of numbers") from None
    if result.ndim not in ndim or result.size == 0:
        raise fail(fn, name, value, f"{kinds[ndim]} of numbers, not empty")
    bad = ~((result >= lo) & (result <= hi))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        place = name + "".join(f"[{i}]" for i in where)
        raise fail(fn, place, float(result[where]), expected)
    return result


def like(fn: str, name: str, value: ArrayLike, shape: tuple[int, ...], domain: str = "finite") -> Array:
    """An array of a given shape."""
    result = array(fn, name, value, domain, ndim=(len(shape),))  # type: ignore[arg-type]
    if result.shape != shape:
        raise fail(fn, name, result, f"an array of shape {shape}")
    return result
