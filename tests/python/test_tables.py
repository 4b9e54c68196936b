"""Tables and journals of an experiment, as data frames."""

import math
import os
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
import vesicle as ves  # noqa: E402

OUT = Path(os.environ["EXPERIMENT_OUT"])


def test_a_table():
    table = ves.read_table(OUT / "frames" / "values.tsv")
    assert list(table.columns) == ["name", "x", "y"]
    assert table["x"].tolist() == [0.1, 1 / 3, 1e300] and table["name"].tolist()[:2] == ["a", "None"]
    assert math.isnan(table["y"][1]) and isinstance(table["name"][2], float)
    assert table.attrs["parameters"]["sd"] == 2.5 and table.attrs["parameters"]["kind"] == "wide"
    assert table.attrs["columns"]["x"] == "a number" and table.attrs["seed"] == "20211118"


def test_a_journal():
    frame = ves.read_journal(OUT / "frames.sqlite", "main")
    assert frame["number"].tolist() == [1, 2, 3] and set(frame["phase"]) == {"main"}
    assert frame["parameter.sd"].tolist() == [2.5] * 3
    assert all(len(quartiles) == 2 for quartiles in frame["quartiles"])
    assert frame["none"].isna().all() and math.isinf(frame["huge"][0])
    assert isinstance(frame["mean"][0], float)
    single = ves.read_journal(OUT / "frames.sqlite", "single")
    assert single["result"].tolist() == [2, 4]
    assert len(ves.read_journal(OUT / "frames.sqlite")) == 5
    with pytest.raises(ValueError, match="'name' = 'mian': expected one of main, single"):
        ves.read_journal(OUT / "frames.sqlite", "mian")


def rows(path):
    """The call of docs/data.md: genfromtxt takes the first line for names, whether it begins with # or not. Texts and
    missing values are nan."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return np.genfromtxt(lines, names=True, delimiter="\t")


def test_as_numpy_reads_it():
    table = rows(OUT / "frames" / "numeric.tsv")
    assert table.dtype.names == ("x", "y") and table["x"].tolist() == [0.1, 1 / 3, 1e300]
    mixed = rows(OUT / "frames" / "values.tsv")
    assert mixed["x"].tolist() == [0.1, 1 / 3, 1e300] and math.isnan(mixed["y"][1])


def test_as_a_spreadsheet_reads_it():
    """Plain lines of as many cells each; no cell needs quoting in a table of tabs."""
    for path in sorted((OUT / "frames").glob("*.tsv")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert len({line.count("\t") for line in lines}) == 1 and not any('"' in line for line in lines), path
