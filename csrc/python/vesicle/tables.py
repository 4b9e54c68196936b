"""What experiments wrote, as data frames: tables, and the journal of every replicate."""

from __future__ import annotations

import json
import math
import os
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """A table of an experiment, bit for bit. What its lines after # say is in `.attrs`: a dictionary
    with experiment, seed, ..., and below `parameters` and `columns` the settings of the run and the
    meaning of each column."""
    import pandas as pd

    facts: dict[str, Any] = {"parameters": {}, "columns": {}, "comments": []}
    comments, rows = [], 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            if not line.startswith("#"):
                rows += 1
                if rows == 2:  # they stand above or below the names
                    break
                continue
            comments.append(number)
            key, colon, value = line[1:].strip().partition(": ")
            if not colon:
                facts["comments"].append(key)
            elif key == "parameter":
                name, _, rest = value.partition(" = ")
                facts["parameters"][name] = _setting(rest)
            elif key == "column":
                name, _, meaning = value.partition(": ")
                facts["columns"][name] = meaning
            else:
                facts[key] = value
    separator = "," if str(path).endswith(".csv") else "\t"
    frame = pd.read_csv(path, sep=separator, skiprows=comments, na_values=["NA"], keep_default_na=False,
                        float_precision="round_trip")
    frame.attrs.update(facts)
    return frame


def _setting(text: str) -> Any:
    """The value of a parameter, without what it means."""
    value = text.partition(" (")[0]
    if re.fullmatch("-?[0-9]+", value):
        return int(value)
    if re.fullmatch(r"-?[0-9]+\.?[0-9]*(e[+-]?[0-9]+)?", value):
        return float(value)
    return {"true": True, "false": False}.get(value, value)


def read_journal(path: str | os.PathLike[str], name: str | None = None) -> pd.DataFrame:
    """What every finished replicate returned: one row each, with `phase` (the name of its
    `E:replicate` call), `number`, a column for each parameter as `parameter.NAME`, and a column for
    each field of the result, or `result` if that is a single value. Vectors are lists. `name`
    chooses one call."""
    import pandas as pd

    journal = sqlite3.connect(Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    try:
        rows = journal.execute("SELECT name, description, number, result FROM replicate JOIN phase USING (phase) "
                               "ORDER BY phase, number").fetchall()
    finally:
        journal.close()
    names = sorted({row[0] for row in rows})
    if name is not None and name not in names:
        raise ValueError(f"read_journal: 'name' = {name!r}: expected one of {', '.join(names) or 'none'}")
    records = []
    for phase, description, number, result in rows:
        if name in (None, phase):
            value = _finite(json.loads(result))
            settings = json.loads(description).get("parameters", {})
            record = {"phase": phase, "number": number}
            record.update({f"parameter.{key}": setting for key, setting in sorted(settings.items())})
            record.update(value if isinstance(value, dict) else {"result": value})
            records.append(record)
    return pd.DataFrame.from_records(records)


def _finite(value: Any) -> Any:
    """Not-a-number is null in a journal."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return math.nan if value is None else value
