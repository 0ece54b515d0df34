"""Recorded arrivals: the columns of the Azure LLM inference traces and of the Mooncake traces.

Azure: CSV with TIMESTAMP, ContextTokens, GeneratedTokens. Mooncake: a JSON object a line with
timestamp (ms), input_length, output_length, hash_ids (a name for each 512 tokens of the prompt).
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import read_whole
from trainyard.usage import UsageError

DAYS = 366  # from the first arrival to the last, at most
MOONCAKE_BLOCK = 512  # tokens of the prompt that one hash id stands for
AZURE = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")
COLUMNS = f"a trace has the columns {', '.join(AZURE)} (Azure) or a JSON object a line (Mooncake)"
STAMP = re.compile(
    r"(?P<whole>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(\.(?P<fraction>\d{1,9}))?(Z|\+00:00)?", re.A
)
DIGITS = re.compile(r"\d{1,9}", re.A)


@dataclass(frozen=True)
class Trace:
    """Requests, sorted by arrival: (ticks, prompt, output, names of the prompt's blocks)."""

    name: str
    rows: tuple[tuple[int, int, int, tuple[int, ...]], ...]
    content_tokens: int = 0  # that one name stands for; 0: nothing is known of the prompts

    @property
    def seconds(self) -> float:
        """From the first arrival to the last."""
        return self.rows[-1][0] / _core.TICKS_PER_SECOND

    @property
    def rate(self) -> float:
        """Requests a second, in the mean; of arrivals all at once infinite."""
        return (len(self.rows) - 1) / self.seconds if self.seconds else math.inf

    def at_rate(self, rate: float) -> Trace:
        """The same requests with their gaps stretched to that mean rate."""
        if not self.seconds:
            raise UsageError(
                f"{self.name}: all requests arrive at once, there are no gaps to scale"
            )
        stretch = self.rate / rate
        _check_span(self.name, self.seconds * stretch)
        rows = tuple((round(row[0] * stretch), *row[1:]) for row in self.rows)
        return Trace(self.name, rows, self.content_tokens)

    @property
    def longest(self) -> int:
        """Tokens of the longest prompt with its answer."""
        return max(prompt + output for _, prompt, output, _ in self.rows)

    def mean(self, column: int) -> float:
        """Of prompts (1) or answers (2)."""
        return sum(row[column] for row in self.rows) / len(self.rows)  # type: ignore[arg-type]


def read_trace(path: str | Path) -> Trace:
    """The requests of a file. Raises UsageError, naming the line and what is wrong with it."""
    try:
        text = read_whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text: {error}") from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    read = _mooncake if first.lstrip().startswith("{") else _azure
    rows, block = read(str(path), text)
    if not rows:
        raise UsageError(f"{path} holds no request")
    rows.sort(key=lambda row: row[0])
    start = rows[0][0]
    _check_span(str(path), rows[-1][0] - start)
    moved = ((round((row[0] - start) * _core.TICKS_PER_SECOND), *row[1:]) for row in rows)
    return Trace(str(path), tuple(moved), block)


def _check_span(name: str, seconds: float) -> None:
    if not seconds <= DAYS * 86400:
        raise UsageError(f"{name}: its arrivals are {seconds / 86400:,.0f} days, above {DAYS}")


_Row = tuple[float, int, int, tuple[int, ...]]


def _azure(path: str, text: str) -> tuple[list[_Row], int]:
    reader = csv.reader(io.StringIO(text))
    rows: list[_Row] = []
    places: list[int] = []
    width = 0
    try:
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if not width:
                places, width = _places(where, row), len(row)
            elif row:
                if len(row) != width:
                    raise UsageError(f"{where}: {len(row)} values under {width} names")
                stamp, *lengths = (row[place] for place in places)
                prompt, output = map(partial(_length, where), AZURE[1:], lengths)
                rows.append((_seconds(where, stamp), prompt, output, ()))
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from None
    if not width:
        raise UsageError(f"{path} is empty: {COLUMNS}")
    return rows, 0


def _places(where: str, names: list[str]) -> list[int]:
    """Of the columns that are read. Raises UsageError where one is missing."""
    missing = [name for name in AZURE if name not in names]
    if missing:
        raise UsageError(f"{where}: {COLUMNS}; {missing[0]} is missing")
    if more := [name for name in names if name not in AZURE]:
        raise UsageError(f"{where}: a column {more[0]!r} is not served; leave it out of the table")
    return [names.index(name) for name in AZURE]


def _mooncake(path: str, text: str) -> tuple[list[_Row], int]:
    rows: list[_Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            found = json.loads(line)
            stamp = found["timestamp"]
            ids = tuple(found.get("hash_ids") or ())
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise UsageError(f"{where}: no request of a Mooncake trace: {error!r}") from None
        if not all(type(one) is int and 0 <= one < 2**64 for one in ids):
            raise UsageError(f"{where}: hash_ids are whole numbers below 2^64")
        if type(stamp) not in (int, float) or not 0 <= stamp < 1e12:
            raise UsageError(f"{where}: timestamp is milliseconds from 0, not {stamp!r}")
        names = "input_length", "output_length"
        prompt, output = (_length(where, name, found.get(name)) for name in names)
        rows.append((stamp / 1e3, prompt, output, ids))
    return rows, MOONCAKE_BLOCK


def _seconds(where: str, text: str) -> float:
    """Of a time as Azure writes it, with up to seven digits of a second, or of plain seconds."""
    found = STAMP.fullmatch(text.strip())
    try:
        if found is None:
            seconds = float(text)
        else:
            moment = datetime.fromisoformat(found["whole"]) - datetime(2020, 1, 1)
            seconds = moment.total_seconds() + float(f"0.{found['fraction'] or 0}")
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise UsageError(f"{where}: TIMESTAMP {text[:40]!r} is no time")
    return seconds


def _length(where: str, name: str, value: Any) -> int:
    """Tokens: digits of a table, or a whole number of JSON."""
    if isinstance(value, str):
        length = int(value) if DIGITS.fullmatch(value.strip()) else 0
    else:
        length = value if type(value) is int else 0
    if not 1 <= length <= 10_000_000:
        raise UsageError(f"{where}: {name} is 1 to 10,000,000 tokens, not {str(value)[:40]!r}")
    return length
