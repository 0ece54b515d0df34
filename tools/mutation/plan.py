"""Where lines of C++ can be made wrong, and which of those places a seed picks."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDERS = ("src/graph", "src/compiler")
# What a line holds besides statements: text, comments and what the preprocessor reads.
MASKED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|^#[^\n]*', re.MULTILINE)
NAME = r"[A-Za-z_][\w.]*(?:->\w+)*(?:\(\)|\[\w+\])?"
OPERAND = rf"(?:{NAME}|\d+)"

# One wrong form of each: what to look for, and what stands there instead. clang-format puts spaces
# around binary operators and none around the brackets of templates.
Change = Callable[[re.Match], str]


def _swap(a: str, b: str) -> Change:
    return lambda found: b if found[0] == a else a


KINDS: dict[str, list[tuple[str, Change]]] = {
    "sign": [
        (r"(?<=[\w)\]] )[+-](?= [\w(])", _swap("+", "-")),
        (r"(?<=[\w)\]] )[+-]=(?= )", _swap("+=", "-=")),
        (r"(?<=[(,=] )-(?=[\w(])|(?<=[(])-(?=[\w(])", lambda _: ""),
    ],
    "bound": [
        (r"(?<= )<=?(?= )", _swap("<", "<=")),
        (r"(?<= )>=?(?= )", _swap(">", ">=")),
        (r" [+-] 1(?=[;),\]])", lambda _: ""),
        (r"\bstd::m(?:in|ax)\b", _swap("std::min", "std::max")),
    ],
    "constant": [
        (r"(?<![\w.'])\d+(?=[;),\]} ])(?!\.)", lambda found: str(int(found[0]) + 1)),
        (r"\btrue\b|\bfalse\b", _swap("true", "false")),
    ],
    "condition": [
        (r"(?<= )[!=]=(?= )", _swap("==", "!=")),
        (r"(?<= )(?:&&|\|\|)(?= )", _swap("&&", "||")),
        (r"(?<=[( ])!(?=[a-z])", lambda _: ""),
    ],
    "operation": [
        (r"(?<=[\w)\]] )[*/](?= [\w(])", _swap("*", "/")),
        (r"(?<=[\w)\]] )%(?= [\w(])", lambda _: "/"),
        (r"\bOpKind::(?:add|subtract)\b", _swap("OpKind::add", "OpKind::subtract")),
        (r"\bOpKind::m(?:ax|in)imum\b", _swap("OpKind::maximum", "OpKind::minimum")),
    ],
    "order": [
        (rf"(?<=[ (])({OPERAND}) ([-/%]) ({OPERAND})(?=[;), ])", lambda f: f"{f[3]} {f[2]} {f[1]}"),
        (rf"(?<=\()({NAME}), ({NAME})(?=[,)])", lambda f: f"{f[2]}, {f[1]}"),
        (rf"(?<=, )({NAME}), ({NAME})(?=\))", lambda f: f"{f[2]}, {f[1]}"),
    ],
    "dropped": [
        (rf"({OPERAND}) [+*-] {OPERAND}(?=[;),\]])", lambda found: found[1]),
        (rf" && !?{NAME}(?=[;)])", lambda _: ""),
        (r"(?m)^ +[a-z_]\w*(?:\.\w+)? [+|*-]?= [^;\n{}]+;$", lambda _: ";"),
    ],
}


@dataclass(frozen=True)
class Mutant:
    """One wrong line: `line` counts from 1, `column` from 0."""

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str

    def apply(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1]
        end = self.column + len(self.before)
        if line[self.column : end] != self.before:
            raise ValueError(f"{self.file}:{self.line} no longer reads {self.before!r}")
        lines[self.line - 1] = line[: self.column] + self.after + line[end:]
        return "".join(lines)

    def record(self) -> dict:
        return asdict(self)


def mask(text: str) -> str:
    """The text with everything blank that is no statement."""
    return MASKED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def find_sites(file: str, text: str) -> Iterator[Mutant]:
    both = zip(mask(text).split("\n"), text.split("\n"), strict=True)
    for number, (line, whole) in enumerate(both, start=1):
        if re.match(r"\s*(?:using|namespace|static_assert|template|case)\b", line):
            continue
        for kind, forms in KINDS.items():
            for pattern, change in forms:
                for found in re.finditer(pattern, line):
                    before, after = whole[found.start() : found.end()], change(found)
                    if after != before:
                        yield Mutant(file, number, found.start(), kind, before, after)


@functools.cache
def all_sites(root: Path) -> dict[str, dict[tuple[str, int], list[Mutant]]]:
    """By kind, then by line."""
    sites: dict[str, dict[tuple[str, int], list[Mutant]]] = {kind: {} for kind in KINDS}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.cpp")):
            name = str(path.relative_to(root))
            for site in find_sites(name, path.read_text(encoding="utf-8")):
                sites[site.kind].setdefault((name, site.line), []).append(site)
    return sites


def draw(root: Path, seed: int) -> Iterator[Mutant]:
    """All that the seed picks: first a kind, then a line, then a place on it."""
    source = random.Random(seed)
    sites = all_sites(root)
    lines = {kind: sorted(of_kind) for kind, of_kind in sites.items()}
    drawn = set()
    while True:
        kind = source.choice(sorted(KINDS))
        mutant = source.choice(sites[kind][source.choice(lines[kind])])
        if (mutant.file, mutant.line) not in drawn:
            drawn.add((mutant.file, mutant.line))
            yield mutant
