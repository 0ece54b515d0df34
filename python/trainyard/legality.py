"""What the compiler makes of each operation of StableHLO, by the type of its elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trainyard import _core

# Answers as they are told, and what they mean.
MEANINGS = {
    "instructions": "computed on the engines, or a view of a value that lies there",
    "instructions or routine": "on the engines where shapes and attributes allow, else a routine",
    "routine": "a routine of the GpSimd cores, whose time is estimated; reports name it",
    "control": "loops and branches are loops of the machine, or, where something in them runs as a "
    "routine, the host's; functions are inlined",
    "refused": "one clear error",
}


@dataclass(frozen=True)
class Legality:
    """Element types that the compiler treats alike, and of each operation an answer for each."""

    groups: list[list[str]]
    rows: dict[str, list[str]]


def table() -> Legality:
    """The table of the stage that lowers, operations in alphabetical order."""
    answers = _core.compiler_legality()
    columns: dict[tuple[str, ...], list[str]] = {}
    for element in next(iter(answers.values())):
        columns.setdefault(tuple(of[element] for of in answers.values()), []).append(element)
    return Legality(
        list(columns.values()),
        {name: [column[i] for column in columns] for i, name in enumerate(answers)},
    )


def lines() -> Iterator[str]:
    """The table as text."""
    legality = table()
    for number, group in enumerate(legality.groups, 1):
        yield f"{number}: {', '.join(group)}"
    heads = "".join(f"{number:<25}" for number in range(1, len(legality.groups) + 1))
    yield f"\n{'operation':<26}{heads}".rstrip()
    for name, answers in legality.rows.items():
        yield f"{name:<26}{''.join(f'{answer:<25}' for answer in answers)}".rstrip()
