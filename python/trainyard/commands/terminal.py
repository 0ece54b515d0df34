"""Text on a terminal: colour where there is one, and lines that fit its width.

Where the output is no terminal nothing changes, so what a program reads stays the same. NO_COLOR
(not empty) and TERM=dumb turn colour off.
"""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from typing import TextIO

_BOLD, _RED, _YELLOW, _GREEN, _CYAN = "1", "1;31", "1;33", "32", "36"
_STYLES = (
    (re.compile(r"^(?:trainyard: )?error(?=:)"), _RED),
    (re.compile(r"^(?:trainyard: )?warning(?=:)"), _YELLOW),
    (re.compile(r"^note(?=:)"), _CYAN),
    (re.compile(r"^  (?:fix|try next)(?=:)"), _GREEN),
    (re.compile(r"^  (?:at|found|rule)(?=:)"), _CYAN),
    (re.compile(r"^[A-Z][^:]*(?= \(|,|$)"), _BOLD),  # the title of a table
)
_COLUMNS = re.compile(r"\S {2,}\S")


def width(stream: TextIO, otherwise: int = 120) -> int:
    """The columns of the terminal behind a stream; `otherwise` where there is none."""
    if not stream.isatty():
        return otherwise
    return max(40, shutil.get_terminal_size((otherwise, 24)).columns)


def has_colour(stream: TextIO) -> bool:
    """Whether colour is wanted on a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def shown(text: str, stream: TextIO) -> str:
    """A text as it is written to a stream."""
    if not stream.isatty():
        return text
    columns = width(stream)
    lines = [part for line in text.split("\n") for part in fitted(line, columns)]
    return "\n".join(map(coloured, lines) if has_colour(stream) else lines)


def fitted(line: str, columns: int) -> list[str]:
    """A line as lines of at most `columns`: a table's row is cut, a sentence is wrapped."""
    if len(line) <= columns:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    if _COLUMNS.search(line):
        return [f"{line[: columns - 3].rstrip()}..."]
    return textwrap.wrap(line, columns, subsequent_indent=f"{indent}  ", break_on_hyphens=False)


def coloured(line: str) -> str:
    """A line with its first word, or the title of a table, in colour."""
    for pattern, style in _STYLES:
        if found := pattern.search(line):
            end = found.end()
            return f"\x1b[{style}m{line[:end]}\x1b[0m{line[end:]}"
    return line
