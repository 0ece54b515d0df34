"""A script, what is found in it, and its text with the changes."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

CHANGE, NOTE, REFUSED = "change", "note", "refused"


@dataclass(frozen=True, order=True)
class Finding:
    """`kind`: "change" is made by --write, "note" says what behaves otherwise, "refused" does not
    run and is left as it is. `old` and `text`: the source, and what stands for it or is to do."""

    line: int
    column: int
    kind: str
    old: str
    text: str


@dataclass
class Migration:
    """The findings in order, and the script with every change made."""

    findings: list[Finding]
    source: str

    def of_kind(self, kind: str) -> list[Finding]:
        return [each for each in self.findings if each.kind == kind]


@dataclass
class Script:
    """The source with the places of its lines, and edits that are to be made."""

    source: str
    findings: list[Finding] = field(default_factory=list)
    _edits: list[tuple[int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.source)
        self._bytes = self.source.encode()
        self._starts = [0]
        for line in self._bytes.split(b"\n"):
            self._starts.append(min(self._starts[-1] + len(line) + 1, len(self._bytes)))

    def place(self, line: int, column: int) -> int:
        """In bytes, as the columns of a tree are."""
        return self._starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        begin = self.place(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return begin, self.place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def text(self, node: ast.AST) -> str:
        begin, end = self.span(node)
        return self._bytes[begin:end].decode()

    def between(self, begin: int, end: int) -> str:
        return self._bytes[begin:end].decode()

    def add(self, node: ast.AST, kind: str, text: str) -> None:
        """A finding without an edit."""
        old = " ".join(self.text(node).split())
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        shown = old if len(old) <= 72 else old[:69] + "..."
        finding = Finding(line, column, kind, shown, text)
        if finding not in self.findings:
            self.findings.append(finding)

    def add_within(self, node: ast.AST, found: Finding) -> None:
        """A finding of the node's text by itself, which stood in brackets."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        column = column + found.column - 1 if found.line == 1 else found.column
        placed = replace(found, line=line + found.line - 1, column=column)
        if placed not in self.findings:
            self.findings.append(placed)

    def has_place(self, node: ast.expr) -> bool:
        """Whether the node is where its tree says."""
        try:
            return ast.dump(ast.parse(self.text(node).join("()"), mode="eval").body) == ast.dump(
                node
            )
        except (SyntaxError, UnicodeDecodeError):
            return False

    def change(self, node: ast.AST, new: str) -> None:
        """Another text for the node."""
        self.add(node, CHANGE, " ".join(new.split()))
        self._edits.append((*self.span(node), new))

    def drop_line(self, node: ast.stmt) -> None:
        """The lines of a statement, where nothing else stands on them."""
        begin, end = self._starts[node.lineno - 1], self._starts[node.end_lineno or node.lineno]
        if self.between(begin, end).strip() == self.text(node):
            self._edits.append((begin, end, ""))

    def insert_line(self, line: int, text: str) -> None:
        """A line of its own before this one."""
        place = self._starts[min(line - 1, len(self._starts) - 1)]
        behind = self._bytes[:place]
        start = "" if not behind or behind.endswith(b"\n") else "\n"
        self._edits.append((place, place, f"{start}{text}\n"))

    def result(self) -> str:
        """The source with the edits: of those that overlap, the outer one, which was made with the
        inner ones in mind."""
        made, at = [], 0
        for begin, end, new in sorted(self._edits, key=lambda e: (e[0], e[0] != e[1], -e[1])):
            if begin < at:
                continue
            made += [self._bytes[at:begin], new.encode()]
            at = end
        return b"".join([*made, self._bytes[at:]]).decode()
