"""A run in the Parquet tables of Neuron Explorer's profile schema, so that queries, notebooks and
viewers made for profiles of hardware read it; docs/formats/explorer.md.

Every table of the schema is written: one that the run says nothing of has no row.
"""

from __future__ import annotations

import functools
import importlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from trainyard.usage import UsageError
from trainyard.view.explorer import (
    collectives,
    instructions,
    memory,
    overview,
    packets,
    places,
    semaphores,
    transfers,
)
from trainyard.view.explorer.recorded import Columns, Recorded
from trainyard.view.files import Run

INSTALL = "pip install pyarrow"


@dataclass(frozen=True)
class Field:
    """A column of a table: `type` in the schema's words, such as int64, float or [int64]."""

    name: str
    type: str
    required: bool
    unit: str


@functools.cache
def _document() -> dict[str, Any]:
    file = resources.files("trainyard.view.explorer").joinpath("schema.json")
    return json.loads(file.read_text(encoding="utf-8"))


def version() -> str:
    """The version of the schema that is written."""
    return _document()["version"]


@functools.cache
def tables() -> dict[str, tuple[Field, ...]]:
    """The fields of each table of the schema, in its order."""
    return {
        table: tuple(_field(words) for words in text.split(", "))
        for table, text in _document()["tables"].items()
    }


def _field(words: str) -> Field:
    """ "start_ts int64! nanoseconds" as a field."""
    name, kind, *unit = words.split(" ")
    return Field(name, kind.rstrip("!"), kind.endswith("!"), " ".join(unit))


def write(run: Run, directory: str | Path) -> dict[str, int]:
    """Writes TABLE.parquet of every table into a directory, and tells how many rows each has.

    Raises UsageError where pyarrow is not installed or files beside the trace are missing, and
    OSError.
    """
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise UsageError(f"Parquet needs pyarrow, which is not installed: {INSTALL}") from None
    made = rows_of(run) | {"SchemaFields": _schema_fields()}
    total = sum(_length(columns) for columns in made.values())
    made["Summary"]["total_row_count"] = [total]
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    rows = {}
    for table, fields in tables().items():
        columns = _table(table, fields, made.get(table, {}), arrow)
        parquet.write_table(columns, directory / f"{table}.parquet", compression="zstd")
        rows[table] = columns.num_rows
    return rows


def rows_of(run: Run) -> dict[str, Columns]:
    """The rows of each table that the run says something of."""
    recorded = Recorded(run)
    made: dict[str, Columns] = {}
    for part in (instructions, transfers, packets, semaphores, collectives, memory, places):
        made |= part.tables_of(recorded)
    return made | overview.tables_of(recorded, made, version())


def _length(columns: Columns) -> int:
    return len(next(iter(columns.values()), ()))


def _table(name: str, fields: tuple[Field, ...], columns: Columns, arrow: Any) -> Any:
    """An Arrow table of the schema's form; optional columns that are not there are nulls."""
    known = {field.name for field in fields}
    assert not set(columns) - known, f"{name} has no {set(columns) - known}"
    rows = _length(columns)
    arrays, shape = [], []
    for field in fields:
        kind = _arrow_type(field.type, arrow)
        found = columns.get(field.name)
        assert found is not None or not field.required or rows == 0, f"{name}.{field.name}"
        arrays.append(arrow.nulls(rows, kind) if found is None else arrow.array(found, kind))
        assert not field.required or arrays[-1].null_count == 0, f"{name}.{field.name}"
        told = {"unit": field.unit} if field.unit else None
        shape.append(arrow.field(field.name, kind, nullable=not field.required, metadata=told))
    about = {"profile_schema_version": version(), "table": name}
    return arrow.Table.from_arrays(arrays, schema=arrow.schema(shape, metadata=about))


def _arrow_type(kind: str, arrow: Any) -> Any:
    if kind.startswith("["):
        return arrow.list_(_arrow_type(kind[1:-1], arrow))
    names = {
        "int64": arrow.int64(),
        "int32": arrow.int32(),
        "float": arrow.float32(),
        "double": arrow.float64(),
        "boolean": arrow.bool_(),
        "string": arrow.string(),
        "enum": arrow.string(),
    }
    return names[kind]


# What OpenAPI calls them.
_OPEN_API = {
    "int64": ("integer", "int64"),
    "int32": ("integer", "int32"),
    "float": ("number", "float"),
    "double": ("number", "double"),
    "boolean": ("boolean", None),
    "string": ("string", None),
    "enum": ("string", None),
}


def _schema_fields() -> Columns:
    """The table that tells of all tables and columns, this one included."""
    all_fields = [(table, field) for table, fields in tables().items() for field in fields]
    enums = _document()["enums"]
    kinds = [_OPEN_API.get(field.type, ("array", None)) for _, field in all_fields]
    allowed = [enums.get(f"{table}.{field.name}") for table, field in all_fields]
    return {
        "table_name": [table for table, _ in all_fields],
        "table_description": [_words(table) for table, _ in all_fields],
        "field_name": [field.name for _, field in all_fields],
        "field_description": [field.name.replace("_", " ") for _, field in all_fields],
        "field_type": [kind for kind, _ in kinds],
        "field_format": [form for _, form in kinds],
        "field_required": [field.required for _, field in all_fields],
        "field_unit": [field.unit or None for _, field in all_fields],
        "field_enum_values": [", ".join(values) if values else None for values in allowed],
    }


def _words(name: str) -> str:
    """ "DmaPacket" as "dma packet"."""
    return "".join(f" {one.lower()}" if one.isupper() else one for one in name).strip()
