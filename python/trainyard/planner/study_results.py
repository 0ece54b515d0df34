"""The results of a study: an SQLite file that is right whatever ends the program that writes it.

Table `points`: each point that was answered, with its options and what was told of it. Table
`answers`: a row for each value of a point. A point is there with all its values, or not at all.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trainyard.files import hold_alone, shown_name
from trainyard.planner import frames
from trainyard.usage import UsageError

Json = dict[str, Any]
FORMAT = "trainyard.study/1"
_TABLES = """
create table if not exists meta (name text primary key, value text not null) without rowid;
create table if not exists points (
  id integer primary key, point text not null unique, state text not null, why text not null,
  plan text not null, seconds real not null);
create table if not exists answers (
  id integer not null references points (id), name text not null, value real, low real, p10 real,
  p90 real, high real, unit text not null, primary key (id, name)) without rowid;
"""
_ENDS = ("value", "low", "p10", "p90", "high")

# What the system did not let SQLite do, by its primary result code.
_SYSTEM = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
}


def _explained(error: sqlite3.Error, path: Path) -> OSError | UsageError:
    """What an error of SQLite's means: of the disk, or of the file's content."""
    code = _SYSTEM.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if code is None:
        return UsageError(f"{shown_name(path)} is no results file: {error}")
    return OSError(code, f"{os.strerror(code)} ({error})", str(path))


class Results:
    """One results file, open for one writer."""

    def __init__(self, path: str | Path, figures: str) -> None:
        """`figures` names what answers depend on beside the point: a file made with others is
        refused, since one table would hold two truths. Raises UsageError."""
        self.path = Path(path)
        self._lock = hold_alone(self.path)
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None)
            # A commit is on the disk before the next point counts; the log takes what was begun.
            self._database.execute("pragma journal_mode = wal")
            self._database.execute("pragma synchronous = full")
            self._database.executescript(_TABLES)
            self._check("format", FORMAT, "it is no study of this version")
            self._check(
                "figures",
                figures,
                "it was answered with other figures or another version of Trainyard: name another "
                "file, or delete it",
            )
        except sqlite3.DatabaseError as error:
            self.close()
            raise _explained(error, self.path) from None
        except UsageError:
            self.close()
            raise

    def _check(self, name: str, value: str, otherwise: str) -> None:
        self._database.execute("insert or ignore into meta values (?, ?)", (name, value))
        (found,) = self._database.execute(
            "select value from meta where name = ?", (name,)
        ).fetchone()
        if found != value:
            raise UsageError(f"{shown_name(self.path)}: {otherwise}")

    def close(self) -> None:
        """Lets another program write."""
        if hasattr(self, "_database"):
            self._database.close()
        os.close(self._lock)

    def known(self) -> set[str]:
        """The points that are answered."""
        return {point for (point,) in self._database.execute("select point from points")}

    def add(self, answered: Iterable[tuple[str, Json, float]]) -> None:
        """Points with their answers and what these took, all of them or none."""
        with self._transaction():
            for point, found, seconds in answered:
                row = (
                    point,
                    found["state"],
                    found.get("why", ""),
                    json.dumps(found.get("plan", {})),
                    seconds,
                )
                cursor = self._database.execute(
                    "insert into points (point, state, why, plan, seconds) values (?, ?, ?, ?, ?)",
                    row,
                )
                self._database.executemany(
                    "insert into answers values (?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (cursor.lastrowid, name, *(one.get(end) for end in _ENDS), one["unit"])
                        for name, one in found["values"].items()
                    ],
                )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._database.execute("begin immediate")
            try:
                yield
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # it may be over already: the disk is full
                    self._database.execute("rollback")
                raise
            self._database.execute("commit")
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path) from None

    def counts(self, points: Iterable[str]) -> dict[str, int]:
        """Of `points` those in each state."""
        states = dict(self._database.execute("select point, state from points"))
        result = {"answered": 0, "none": 0, "refused": 0, "crashed": 0}
        for point in points:
            if point in states:
                result[states[point]] += 1
        return result

    def rows(self, points: Iterable[str]) -> list[Json]:
        """A flat row for each of `points` that is there: options, state, values with their P10 and
        P90."""
        wanted = set(points)
        result: dict[int, Json] = {}
        for id_, point, state, why in self._database.execute(
            "select id, point, state, why from points order by id"
        ):
            if point in wanted:
                result[id_] = json.loads(point) | {"state": state, "why": why}
        for id_, name, value, p10, p90 in self._database.execute(
            "select id, name, value, p10, p90 from answers"
        ):
            if id_ not in result:
                continue
            result[id_][name] = value
            if p10 is not None and p10 != p90:
                result[id_] |= {f"{name}_p10": p10, f"{name}_p90": p90}
        return list(result.values())


def as_csv(rows: list[Json]) -> str:
    """A line for each row."""
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def frame(rows: list[Json]) -> Any:
    """A pandas.DataFrame where pandas is installed, else the rows."""
    return frames.frame(rows)
