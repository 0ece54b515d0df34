"""Which source line of one version of a kernel is which line of the other.

Lines are matched in their order, file by file: first by their text (by the instructions on them
where a report does not hold the text), then, between those, by their instructions. So lines that
moved stay together, and a line that was edited is one changed line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

Line = dict[str, Any]
Pair = tuple[Line | None, Line | None]
_PLACE = re.compile(r"(?P<file>.*):(?P<line>\d+)$", re.DOTALL)


def file_and_line(line: Line) -> tuple[str, int]:
    """Where a row of `lines` of a report stands; ("", 0) where that is not known."""
    found = _PLACE.match(line["place"].splitlines()[0]) if line["place"] else None
    return (found["file"], int(found["line"])) if found else ("", 0)


def aligned(before: Sequence[Line], after: Sequence[Line]) -> list[Pair]:
    """Pairs of lines; None stands for a line that the other version does not have."""
    files_before, files_after = _by_file(before), _by_file(after)
    pairs: list[Pair] = []
    for a, b in _matched_files(list(files_before), list(files_after)):
        pairs += _aligned_file(files_before.get(a, []), files_after.get(b, []))
    return pairs


def _by_file(lines: Sequence[Line]) -> dict[str, list[Line]]:
    files: dict[str, list[Line]] = {}
    for line in sorted(lines, key=file_and_line):
        files.setdefault(file_and_line(line)[0], []).append(line)
    return files


def _matched_files(before: list[str], after: list[str]) -> list[tuple[str, str]]:
    """Files of equal path, then of equal name, then what is left in order; "" and "" match too."""
    pairs: list[tuple[str, str]] = []
    left, right = list(before), list(after)
    for same in (str, lambda path: PurePath(path).name):
        for a in list(left):
            b = next((b for b in right if same(a) == same(b)), None)
            if b is not None:
                pairs.append((a, b))
                left.remove(a)
                right.remove(b)
    known = [file for file in left if file], [file for file in right if file]
    rest = list(zip(*known, strict=False))
    alone_left = [(a, "\0") for a in left if a not in [pair[0] for pair in rest]]
    alone_right = [("\0", b) for b in right if b not in [pair[1] for pair in rest]]
    return [*pairs, *rest, *alone_left, *alone_right]


def _aligned_file(before: list[Line], after: list[Line]) -> list[Pair]:
    has_text = all(line.get("source") for line in (*before, *after))
    pairs: list[Pair] = []
    for a, b, same in _blocks(before, after, _text if has_text else _instructions):
        pairs += zip(a, b, strict=True) if same else _aligned_edits(a, b)
    return pairs


def _aligned_edits(before: list[Line], after: list[Line]) -> list[Pair]:
    pairs: list[Pair] = []
    for a, b, same in _blocks(before, after, _instructions):
        if same:
            pairs += zip(a, b, strict=True)
        else:
            pairs += [(line, None) for line in a]
            pairs += [(None, line) for line in b]
    return pairs


def _text(line: Line) -> str:
    return " ".join(str(line["source"]).split())


def _instructions(line: Line) -> str:
    return line["mnemonics"]


def _blocks(
    before: list[Line], after: list[Line], key: Callable[[Line], str]
) -> list[tuple[list[Line], list[Line], bool]]:
    matcher = SequenceMatcher(None, [*map(key, before)], [*map(key, after)], autojunk=False)
    return [
        (before[a:b], after[c:d], what == "equal") for what, a, b, c, d in matcher.get_opcodes()
    ]
