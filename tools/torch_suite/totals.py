"""What models.py found: rows of a file, each of a case, and totals of them."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

PARTS = ("forward", "step")


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Of each case what was last found of each part."""
    rows: dict[str, dict[str, Any]] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for row in map(json.loads, lines):
        rows.setdefault(row["case"], {}).update(row)
    return rows


def is_done(row: dict[str, Any], options: argparse.Namespace) -> bool:
    fine = ("ok", "not on the CPU")
    found = [row[part]["kind"] for part in options.part if part in row]
    return len(found) == len(options.part) and (
        not options.again or all(kind in fine for kind in found)
    )


def line_of(row: dict[str, Any]) -> str:
    parts = []
    for part in filter(row.__contains__, PARTS):
        told = row[part]
        parts.append(
            f"{part} {told['kind']} {told['cause']} "
            f"({told.get('graphs', '?')} graphs, {told.get('seconds', '?')} s)"
        )
    return f"{row['case']}: " + "; ".join(parts)


def report(rows: dict[str, dict[str, Any]]) -> int:
    """Totals by outcome and by cause. 1 where numbers are wrong."""
    wrong = 0
    for part in PARTS:
        told = [row[part] for row in rows.values() if part in row]
        kinds = Counter(each["kind"] for each in told)
        total = sum(kinds.values()) - kinds.pop("not on the CPU", 0)
        print(f"{part}: {total} models")
        for kind, count in kinds.most_common():
            print(f"  {kind:<8} {count:5}  {100 * count / max(total, 1):5.1f} %")
        causes = Counter(
            (each["kind"], each["cause"])
            for each in told
            if each["kind"] not in ("ok", "not on the CPU")
        )
        for (kind, cause), count in causes.most_common(60):
            print(f"  {count:5}  {kind}: {cause}")
        graphs = Counter(each.get("graphs") for each in told)
        several = ", ".join(f"{count} of {n}" for n, count in graphs.most_common() if n)
        print(f"  graphs: {several}")
        wrong += kinds["wrong"]
    return 1 if wrong else 0
