"""Groups of ranks as nccom-test's files have them: {"replica_groups": [[0, 1], [2, 3]]}, with one
more list around the groups or without.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeGuard

from trainyard.files import read_json
from trainyard.usage import UsageError

RANKS_MAX = 2**31


def read(path: Path) -> list[list[int]]:
    """The groups of a file. Raises UsageError."""
    document = read_json(path, "a JSON file of groups")
    found = document.get("replica_groups") if isinstance(document, dict) else document
    if isinstance(found, list) and len(found) == 1 and _is_list_of(found[0], list):
        found = found[0]
    if not (_is_list_of(found, list) and all(_is_list_of(group, int) for group in found)):
        raise UsageError(
            f'{path} has no groups: write {{"replica_groups": [[0, 1], [2, 3]]}}, ranks by number'
        )
    if wrong := [rank for group in found for rank in group if not 0 <= rank < RANKS_MAX]:
        raise UsageError(f"{path}: {wrong[0]} is no rank: they are counted from 0")
    if len({len(group) for group in found}) > 1:
        raise UsageError(f"{path}: groups of one collective have the same number of ranks")
    return found


def of_size(ranks: list[int], size: int) -> list[list[int]]:
    """The ranks in groups of `size` that follow one another."""
    if size < 2 or len(ranks) % size:
        raise UsageError(
            f"--data-parallel-dimension {size}: groups have 2 ranks or more and divide {len(ranks)}"
        )
    return [ranks[i : i + size] for i in range(0, len(ranks), size)]


def _is_list_of(value: Any, kind: type) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and bool(value) and all(type(one) is kind for one in value)
