"""Finished answers, kept in a file of SQLite: what was answered is there after the server was
killed."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

from trainyard.usage import UsageError

ROWS_MAX = 100_000  # the oldest go first
VERSION = 1
SCHEMA = """
create table if not exists answers (
  number integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  model text not null,
  body text not null
)
"""


class Store:
    """Answers by their ids, in the order in which they were finished. Safe in several threads."""

    def __init__(self, path: Path, rows_max: int = ROWS_MAX) -> None:
        """Raises UsageError where the file cannot be one."""
        self._rows_max, self._lock = rows_max, threading.Lock()
        try:
            self._core = sqlite3.connect(path, check_same_thread=False, timeout=30)
            # A commit of a write-ahead log outlives the process, if not the loss of power.
            self._core.execute("pragma journal_mode = wal")
            self._core.execute("pragma synchronous = normal")
            found = self._core.execute("pragma user_version").fetchone()[0]
            if found not in (0, VERSION):
                raise UsageError(f"{path} is of version {found}; this server writes {VERSION}")
            with self._core:
                self._core.execute(SCHEMA)
                self._core.execute(f"pragma user_version = {VERSION}")
        except sqlite3.Error as error:
            raise UsageError(f"{path} is no store of answers: {error}") from None

    def keep(self, answer: dict[str, Any]) -> None:
        """A whole answer, which is in the file when this returns."""
        row = answer["id"], answer["object"], answer["model"], json.dumps(answer)
        with self._lock, self._core:
            self._core.execute(
                "insert into answers (id, kind, model, body) values (?, ?, ?, ?)", row
            )
            self._core.execute(
                "delete from answers where number <= (select max(number) from answers) - ?",
                (self._rows_max,),
            )

    def find(self, kind: str, id_: str) -> dict[str, Any] | None:
        """An answer of a kind (its field `object`)."""
        with self._lock:
            row = self._core.execute(
                "select body from answers where id = ? and kind = ?", (id_, kind)
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def remove(self, kind: str, id_: str) -> bool:
        """Whether it was there."""
        with self._lock, self._core:
            done = self._core.execute("delete from answers where id = ? and kind = ?", (id_, kind))
        return done.rowcount > 0

    def page(
        self, kind: str, limit: int, after: str | None, is_newest_first: bool, model: str | None
    ) -> tuple[list[dict[str, Any]], bool]:
        """Up to so many, behind the one of that id, and whether there are more of them."""
        order, sign = ("desc", "<") if is_newest_first else ("asc", ">")
        where, values = ["kind = ?"], [kind]
        if after is not None:
            where.append(f"number {sign} (select number from answers where id = ?)")
            values.append(after)
        if model is not None:
            where.append("model = ?")
            values.append(model)
        asked = f"select body from answers where {' and '.join(where)} order by number {order}"
        with self._lock:
            rows = self._core.execute(f"{asked} limit ?", (*values, limit + 1)).fetchall()
        return [json.loads(row[0]) for row in rows[:limit]], len(rows) > limit

    def close(self) -> None:
        """At the end."""
        with self._lock:
            self._core.close()
