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
    assert table.attrs["parameters"]["word"] == "1_000" and table.attrs["parameters"]["rate"] == 1e-7
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


def test_a_table_whose_comments_come_first(tmp_path):
    """So did the library write them once, and so do others."""
    names, *rest = (OUT / "frames" / "values.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    comments = [line for line in rest if line.startswith("#")]
    (tmp_path / "old.tsv").write_text("".join([*comments, names, *rest[len(comments):]]), encoding="utf-8")
    old, new = ves.read_table(tmp_path / "old.tsv"), ves.read_table(OUT / "frames" / "values.tsv")
    assert old.equals(new) and old.attrs == new.attrs and len(old) == 3


def rows(path, **options):
    """The call of docs/data.md: genfromtxt takes the first line for names. Texts and missing values are nan."""
    return np.genfromtxt(path, names=True, delimiter="\t", **options)


def test_as_numpy_reads_it():
    table = rows(OUT / "frames" / "numeric.tsv")
    assert table.dtype.names == ("x", "y") and table["x"].tolist() == [0.1, 1 / 3, 1e300]
    mixed = rows(OUT / "frames" / "values.tsv")
    assert mixed["x"].tolist() == [0.1, 1 / 3, 1e300] and math.isnan(mixed["y"][1])


@pytest.mark.parametrize("path", sorted(OUT.glob("*/*.tsv")), ids=lambda path: "/".join(path.parts[-2:]))
def test_as_numpy_reads_texts(path):
    """Every table, as it is: the names, as many rows, and the bits that the data frame has."""
    frame = ves.read_table(path)
    table = np.atleast_1d(rows(path, dtype=None, encoding="utf-8", deletechars="", missing_values="NA"))
    assert list(table.dtype.names) == list(frame.columns) and len(table) == len(frame)
    for name in frame.columns:
        if frame[name].dtype == float and table[name].dtype == float:
            assert np.array_equal(table[name], frame[name].to_numpy(), equal_nan=True)


def test_as_a_spreadsheet_reads_it():
    """Plain lines of as many cells each; no cell needs quoting in a table of tabs."""
    for path in sorted((OUT / "frames").glob("*.tsv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[1].startswith("# experiment: ")  # the names are the first row
        lines = [line for line in lines if not line.startswith("#")]
        assert len({line.count("\t") for line in lines}) == 1 and not any('"' in line for line in lines), path
