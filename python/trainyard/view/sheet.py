"""Sheets: pages of words, tables and charts about what is not one run, in the look of the page.

A sheet is a document, {"schema": "trainyard.sheet", "version": 1, ...}; docs/formats/view.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import write_whole
from trainyard.view import page

SCHEMA, VERSION = "trainyard.sheet", 1


def quantity(text: str, value: float, note: str = "") -> dict[str, Any]:
    """A cell that shows a text and is sorted by a number; `note` stands below, such as a range."""
    return {"text": text, "value": value} | ({"note": note} if note else {})


class Sheet:
    """The parts of a page, in the order in which they are added. All texts are shown as text."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[dict[str, Any]] = []

    def heading(self, text: str, note: str = "") -> None:
        """A heading, and what is said beside it."""
        self.parts.append({"kind": "heading", "text": text} | ({"note": note} if note else {}))

    def text(self, text: str) -> None:
        """A paragraph."""
        self.parts.append({"kind": "text", "text": text})

    def code(self, text: str) -> None:
        """Lines that keep their spaces."""
        self.parts.append({"kind": "code", "text": text})

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[Any]], folded: str | None = None
    ) -> None:
        """A table of texts, numbers and quantities; under a title that unfolds it, if given."""
        part = {"kind": "table", "heads": list(heads), "rows": [list(row) for row in rows]}
        if folded is not None:
            part |= {"title": folded, "isFolded": True}
        self.parts.append(part)

    def bars(self, title: str, bars: Mapping[str, tuple[str, float, float, float] | None]) -> None:
        """A bar for each name: a text, the value and its range. None: there is no answer."""
        made: list[dict[str, Any]] = []
        for name, bar in bars.items():
            if bar is None:
                made.append({"name": name, "text": "no answer"})
            else:
                made.append(dict(zip(("text", "value", "low", "high"), bar, strict=True)))
                made[-1]["name"] = name
        self.parts.append({"kind": "bars", "title": title, "bars": made})

    def tornado(self, title: str, value: float, ends: Iterable[tuple[str, float, float]]) -> None:
        """How far each of some figures alone moves a value: the two ends that it takes it to."""
        bars = [
            {"name": name, "low": min(one, other), "high": max(one, other)}
            for name, one, other in ends
        ]
        self.parts.append({"kind": "tornado", "title": title, "value": value, "bars": bars})

    def lines(
        self,
        title: str,
        x: str,
        y: str,
        series: Mapping[str, Sequence[tuple[float, float]]],
    ) -> None:
        """Lines over two axes of powers of ten; what is not above zero is left out."""
        made = [{"name": name, "points": list(points)} for name, points in series.items()]
        self.parts.append({"kind": "lines", "title": title, "x": x, "y": y, "series": made})

    def as_dict(self) -> dict[str, Any]:
        """The document."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "trainyard": _core.__version__,
            "title": self.title,
            "parts": [_finite(part) for part in self.parts],
        }

    def page(self) -> str:
        """The page, which needs no other file."""
        return page.filled(page.embedded(self.as_dict()), self.title)

    def save(self, path: str | Path) -> None:
        """Writes the page. Raises OSError."""
        write_whole(path, self.page().encode())


def _finite(value: Any) -> Any:
    """The same with texts for numbers that JSON has not."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, (list, tuple)) else value
