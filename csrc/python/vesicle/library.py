"""The core as a shared library: where it is, how it is called, what its errors become."""

from __future__ import annotations

import ctypes
import os
import re
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np

# ---- structures, as in the headers; a test compares sizes and offsets with the compiler's ----


class Code(ctypes.Structure):
    """ves_code"""

    _fields_ = [
        ("n", ctypes.c_size_t),
        ("lo", ctypes.c_double),
        ("hi", ctypes.c_double),
        ("spacing", ctypes.c_int),
        ("sigma", ctypes.c_double),
        ("centers", ctypes.POINTER(ctypes.c_double)),
        ("near", ctypes.c_double),
        ("far", ctypes.c_double),
        ("per_unit", ctypes.c_double),
        ("reach", ctypes.c_size_t),
    ]


class LearnOptions(ctypes.Structure):
    """ves_learn_options"""

    _fields_ = [
        ("algorithm", ctypes.c_int),
        ("rule", ctypes.c_int),
        ("psi", ctypes.c_double),
        ("subtract", ctypes.c_double),
        ("over_subset", ctypes.c_bool),
        ("rate", ctypes.c_double),
        ("decay", ctypes.c_double),
        ("iterations", ctypes.c_uint64),
        ("floor", ctypes.c_double),
        ("ceiling", ctypes.c_double),
        ("target", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("trace", ctypes.c_uint64),
        ("targets", ctypes.c_void_p),
    ]


class AmplitudeOptions(ctypes.Structure):
    """ves_amplitude_options"""

    _fields_ = [
        ("algorithm", ctypes.c_int),
        ("order", ctypes.c_int),
        ("average", ctypes.c_bool),
        ("rate", ctypes.c_double),
        ("decay", ctypes.c_double),
        ("rate_floor", ctypes.c_double),
        ("iterations", ctypes.c_uint64),
        ("trace", ctypes.c_uint64),
        ("updates", ctypes.c_void_p),
        ("winner", ctypes.c_void_p),
    ]


class Presentation(ctypes.Structure):
    """ves_presentation"""

    _fields_ = [("count", ctypes.c_size_t), ("synapse", ctypes.c_void_p), ("weight", ctypes.c_void_p)]


class StagesState(ctypes.Structure):
    """ves_stages_state"""

    _fields_ = [
        ("row", ctypes.c_void_p),
        ("row_updates", ctypes.c_void_p),
        ("input", ctypes.c_void_p),
        ("input_updates", ctypes.c_void_p),
    ]


class LayerOptions(ctypes.Structure):
    """ves_layer_options"""

    _fields_ = [
        ("stages", ctypes.c_bool),
        ("normaliser", ctypes.c_int),
        ("active", ctypes.c_double),
        ("empty", ctypes.c_int),
    ]


class SpikeOptions(ctypes.Structure):
    """ves_spike_options"""

    _fields_ = [
        ("membrane", ctypes.c_double),
        ("synapse", ctypes.c_double),
        ("decay", ctypes.c_double),
        ("refractory", ctypes.c_double),
        ("threshold", ctypes.c_double),
        ("gain", ctypes.c_double),
        ("delay", ctypes.c_double),
        ("strength", ctypes.c_double),
        ("noise", ctypes.c_double),
        ("jitter", ctypes.c_double),
        ("window", ctypes.c_double),
        ("sites", ctypes.c_size_t),
    ]


class SpikeResult(ctypes.Structure):
    """ves_spike_result"""

    _fields_ = [
        ("first", ctypes.c_uint32),
        ("time", ctypes.c_double),
        ("spikes", ctypes.c_size_t),
        ("fired", ctypes.c_size_t),
    ]


class Evidence(ctypes.Structure):
    """Room for a ves_evidence, into which nobody here looks."""

    _fields_ = [("room", ctypes.c_uint64 * 64)]


class Decoder(ctypes.Structure):
    """Room for a ves_decoder."""

    _fields_ = [("room", ctypes.c_uint64 * 64)]


STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "ves_code": Code,
    "ves_learn_options": LearnOptions,
    "ves_amplitude_options": AmplitudeOptions,
    "ves_presentation": Presentation,
    "ves_stages_state": StagesState,
    "ves_layer_options": LayerOptions,
    "ves_spike_options": SpikeOptions,
    "ves_spike_result": SpikeResult,
    "ves_evidence": Evidence,
    "ves_decoder": Decoder,
}

# ---- finding and declaring ----

NUMBERS: dict[str, Any] = {
    "void": None,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "bool": ctypes.c_bool,
}


def places() -> list[str]:
    """Where the library is looked for: VESICLE_LIBRARY alone if set; else beside the package, in
    the tree the package stands in, and wherever the system looks."""
    chosen = os.environ.get("VESICLE_LIBRARY")
    if chosen:
        return [chosen]
    here = Path(__file__).resolve().parent
    local = [here / "libvesicle.so", here.parents[2] / "build" / "libvesicle.so"]
    return [str(path) for path in local if path.exists()] + ["libvesicle.so.0"]


def _type(declared: str) -> Any:
    """The ctypes type of a C type; enumerations are ints, and all pointers but text are addresses."""
    declared = declared.strip()
    if declared == "const char *":
        return ctypes.c_char_p
    if declared.endswith("*"):
        return ctypes.c_void_p
    return NUMBERS[declared] if declared in NUMBERS else STRUCTURES.get(declared, ctypes.c_int)


def _declare(library: ctypes.CDLL, prototypes: str) -> None:
    for result, name, arguments in re.findall(r"^(\w[\w ]*?[ *]+)(ves_\w+)\(([^)]*)\);", prototypes, re.M):
        function = getattr(library, name)
        function.restype = _type(result)
        types = [re.sub(r"\w+$", "", argument.strip()) for argument in arguments.split(",")]
        function.argtypes = [] if arguments == "void" else [_type(argument) for argument in types]


def _load() -> ctypes.CDLL:
    failures = []
    for place in places():
        try:
            library = ctypes.CDLL(place)
            _declare(library, Path(__file__).with_name("prototypes.h").read_text(encoding="ascii"))
        except (OSError, AttributeError) as error:
            failures.append(str(error))
            continue
        library.gsl_set_error_handler_off()  # GSL's own would abort Python
        library.ves_simd_narrow(os.environ.get("VES_SIMD") == "avx2")
        library.ves_simd_select(os.environ.get("VES_SIMD") != "off")
        return library
    raise ImportError(
        "vesicle: no libvesicle.so: expected one beside the package, in build/ (run `make lib`), or named by "
        "VESICLE_LIBRARY (" + "; ".join(failures) + ")"
    )


core = _load()


# ---- calling ----


def address(array: np.ndarray | None) -> int | None:
    """Where an array of the right type and layout has its numbers: no copy is made."""
    return None if array is None else array.ctypes.data


def check(fn: str, status: int) -> None:
    """Raises what a status says, unless it is VES_OK."""
    if status == 1:
        raise MemoryError(f"{fn}: out of memory")
    if status != 0:
        raise ValueError(f"{fn}: {core.ves_status_message(status).decode()}")


def run(fn: str, function: Callable[..., int], *arguments: Any) -> None:
    """Calls what may take long, and checks its status. Control-C ends it: the call is made by
    another thread, so that this one can hear and raise the core's flag."""
    if threading.current_thread() is not threading.main_thread():
        check(fn, function(*arguments))
        return
    said: list[int] = []
    done = threading.Event()  # Thread.join does not wait any more once a signal has interrupted it (Python 3.11)

    def work() -> None:
        said.append(function(*arguments))
        done.set()

    threading.Thread(target=work).start()
    heard: BaseException | None = None
    while not done.is_set():
        try:
            done.wait(0.1)
        except BaseException as error:  # wait on: the core still writes to the caller's arrays
            heard = error
            core.ves_stop(True)
    if heard is not None:
        core.ves_stop(False)
        raise heard
    check(fn, said[0])


class Owned:
    """An object of the core, freed on leaving a `with`."""

    def __init__(self, fn: str, name: str, *arguments: Any) -> None:
        self.free = getattr(core, name + "_free")
        self.at = getattr(core, name + "_alloc")(*arguments)
        if not self.at:
            raise MemoryError(f"{fn}: out of memory")

    def __enter__(self) -> int:
        return self.at

    def __exit__(self, *_: object) -> None:
        self.free(self.at)
