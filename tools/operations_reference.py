"""Writes docs/reference/operations.md: what the compiler makes of each StableHLO operation.

PYTHONPATH=build/release/python python tools/operations_reference.py
"""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

from pathlib import Path

from trainyard import legality

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/operations.md"

HEAD = """\
# Operations of tensor programs

Made from the compiler's tables by `tools/operations_reference.py`; do not edit. `trainyard compile --legality` prints the same.

**Read.** Every operation of StableHLO 1.20 in portable artifacts from 0.9 on and in text; its operands, results, attributes and
regions are checked against StableHLO's rules (`graph.verify` in [errors.md](errors.md)).

**Lowered.** Shapes must be static (`lower.dynamic`). Below, by the type of an operation's elements (of `compare` and `is_finite`
its operands; of `convert` to `f32`):
"""


def page() -> str:
    """The whole page."""
    table = legality.table()
    lines = [HEAD]
    lines += [f"* *{answer}*: {meaning}" for answer, meaning in legality.MEANINGS.items()]
    lines += ["", "| column | element types |", "|---|---|"]
    lines += [f"| {n} | {', '.join(f'`{one}`' for one in g)} |" for n, g in _numbered(table)]
    heads = " | ".join(str(number) for number, _ in _numbered(table))
    lines += ["", f"| operation | {heads} |", "|---|" + "---|" * len(table.groups)]
    lines += [f"| `{name}` | {' | '.join(answers)} |" for name, answers in table.rows.items()]
    return "\n".join(lines) + "\n"


def _numbered(table: legality.Legality) -> list[tuple[int, list[str]]]:
    return list(enumerate(table.groups, 1))


if __name__ == "__main__":
    PAGE.write_text(page())
