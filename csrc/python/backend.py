"""Packs the Python package into a wheel, for pip: its sources, and the shared library of this tree.

A backend of one's own, in a few lines of the standard library, so that installation needs neither
setuptools nor a network. The version is the Makefile's.
"""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[1]
METADATA = """Metadata-Version: 2.1
Name: vesicle
Version: {version}
Summary: Synaptic failure as Bayesian inference: the core of vesicle, from Python
License: GPL-3.0-or-later
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: tables
Requires-Dist: pandas; extra == 'tables'
"""
WHEEL = """Wheel-Version: 1.0
Generator: vesicle
Root-Is-Purelib: false
Tag: {tag}
"""


def _version():
    return re.search(r"^VERSION := (\S+)", (TREE / "Makefile").read_text(), re.M).group(1)


def _library():
    """The shared library: that of VESICLE_LIBRARY, or of this tree, made if need be."""
    chosen = os.environ.get("VESICLE_LIBRARY")
    if chosen:
        return Path(chosen)
    subprocess.run(["make", "-s", "-C", str(TREE), "lib"], check=True)
    return TREE / "build" / "libvesicle.so"


def _write(wheel, record, name, data):
    entry = zipfile.ZipInfo(name)  # of a fixed date: the same sources give the same wheel
    entry.external_attr = 0o644 << 16
    wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(data)}")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """What pip calls: the name of the wheel it wrote."""
    version = _version()
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    name, info, record = f"vesicle-{version}-{tag}.whl", f"vesicle-{version}.dist-info", []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for path in sorted((HERE / "vesicle").iterdir()):
            if path.suffix in (".py", ".h", ".typed"):
                _write(wheel, record, f"vesicle/{path.name}", path.read_bytes())
        _write(wheel, record, "vesicle/libvesicle.so", _library().read_bytes())
        _write(wheel, record, f"{info}/METADATA", METADATA.format(version=version).encode())
        _write(wheel, record, f"{info}/WHEEL", WHEEL.format(tag=tag).encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return name
