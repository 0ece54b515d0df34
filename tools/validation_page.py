"""Writes docs/validation.md: published measurements beside simulated ones, ladder by ladder.

    python tools/validation_page.py                       from the stored rows
    python tools/validation_page.py --rows FILE ...       stores the rows of these runs first
    python tools/validation_page.py --check               exit code 1 where the page is not fresh

FILE is what `make fidelity` writes (build/fidelity.json), or `tools/nki_suite --time --json`. The
stored rows, tests/fidelity/validation.csv, say when and by which version they were simulated.
"""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

import argparse
import csv
import datetime
import json
import re
import statistics
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from silicon.report import rank_correlation

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/validation.md"
STORED = ROOT / "tests/fidelity/validation.csv"
SUITE = ROOT / "docs/nki_suite.md"
COLUMNS = ("ladder", "id", "machine", "what", "published", "simulated", "unit", "source", "made")
# Ladders of make fidelity: (name, ids that begin so, what was measured).
LADDERS = (
    ("GEMM of operatorx", ("T3GEMM",)),
    ("single instructions: traces", ("T2TRACE", "T2II")),
    ("single instructions: cost tables", ("ISACOST", "T1INS", "T3INS", "T3OPS", "rmsnorm", "perf")),
    ("DMA", ("T2DMA", "DMAG", "T3DMA")),
    ("peaks of units and memories", ("peak", "semaphore")),
    ("collectives", ("CCX", "T3CC", "NCCOM", "T2KEVM")),
    ("matrix multiplication tutorials", ("T1MM", "T2MM", "AGT")),
)
# Of the analytic model.
MODELS, MODEL_COLLECTIVES = "whole models", "collectives, analytic model"
OTHERS = "other kernels"
FITTED = ("single instructions", "peaks", "collectives, device >= 1 MiB")
PARTLY = ("DMA", "collectives, device < 1 MiB", MODELS, MODEL_COLLECTIVES)

HEAD = """\
# Validation: published measurements beside simulated ones

Made by `tools/validation_page.py` from [stored rows](../tests/fidelity/validation.csv); do not edit. Each row was measured on real
silicon by somebody else, published with its source, and simulated here. Error is simulated / published - 1. Rank is Spearman's
correlation of a ladder: do the faster cases come out faster? `fitted` says whether figures of the [machine files](../machines) were
taken from such rows, as far as their sources tell: these test the arithmetic but not the figures. `make fidelity` fails where a row leaves its band, or is
off by more than 25 % and neither its id nor its cause stands in [DEVIATIONS.md](../DEVIATIONS.md).

"""

SUITE_HEAD = """\

## Whole kernels of public repositories

`tools/nki_suite --time` runs kernels as their authors published them; [nki_suite.md](nki_suite.md) says how, and has this table.

"""

TAIL = """\

## The errors of others

No other simulator publishes errors against Trainium. On other machines, as a yardstick for what errors are usual:

| simulator | measured on | mean absolute error | source |
|---|---|---|---|
| PyTorchSim | TPUv3, 16 kernels and models | 11.5 % | its own README |
| MAESTRO | the same | 47.3 % | recomputed from PyTorchSim's artifact, `baseline_cycle.csv` |
| SCALE-Sim v3 | the same | 55.2 % | the same |
| Timeloop | the same | 60.1 % | the same |
| mNPUsim | the same | 123.8 % | the same |
| LLMCompass | A100, operators and end to end | 10.4 %, 4.1 % | its own claim |

## What is not modelled

[DEVIATIONS.md](../DEVIATIONS.md) lists every known difference. The largest for times: the order that AWS's compiler chooses is not
published, and we choose our own; the overhead of MX matrix instructions is known from one profile only; latency of single requests on
a host, before the device starts, is not part of a kernel's time.
"""


def ladder_of(row: dict) -> str:
    """The ladder of a row, by its id."""
    if "phase" in row:
        return MODEL_COLLECTIVES if row["phase"] == "collective" else MODELS
    if row.get("class"):
        return f"collectives, {row['class']}"
    for name, beginnings in LADDERS:
        if row["id"].startswith(beginnings):
            return name
    return OTHERS


def read(path: Path, made: str) -> list[dict]:
    """The rows of a run."""
    rows = []
    for row in json.loads(path.read_text()):
        if row.get("reason"):
            continue  # not simulated; the tool that made the file says why
        kernel = "published_us" in row
        rows.append(
            {
                "ladder": row["ladder"] if kernel else ladder_of(row),
                "id": row["id"],
                "machine": row["machine"],
                "what": row["what"],
                "published": f"{row['published_us' if kernel else 'published']:.6g}",
                "simulated": f"{row['simulated_us' if kernel else 'simulated']:.6g}",
                "unit": "us" if kernel else row["unit"],
                "source": row["source"],
                "made": made,
            }
        )
    return rows


def store(paths: list[Path]) -> None:
    """Writes the stored rows; those of ladders that no file has stay."""
    version = re.search(r"trainyard VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    made = f"{datetime.date.today()} {version[1] if version else ''}".strip()
    new = [row for path in paths for row in read(path, made)]
    ladders = {row["ladder"] for row in new}
    old = [row for row in stored() if row["ladder"] not in ladders] if STORED.exists() else []
    with STORED.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted([*old, *new], key=lambda row: (row["ladder"], row["id"], row["what"])))


def stored() -> list[dict]:
    """The stored rows."""
    with STORED.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def fitted(ladder: str) -> str:
    """Whether figures were taken from the rows of a ladder."""
    if ladder.startswith(FITTED):
        return "yes"
    return "partly" if ladder.startswith(PARTLY) else "no"


def error_of(row: dict) -> float:
    """Simulated / published - 1."""
    return float(row["simulated"]) / float(row["published"]) - 1


def rank(rows: list[dict]) -> str:
    """Spearman's correlation within one unit; "-" where it says nothing."""
    if len(rows) < 3 or len({row["unit"] for row in rows}) > 1:
        return "-"
    published, simulated = ([float(row[key]) for row in rows] for key in ("published", "simulated"))
    return f"{rank_correlation(published, simulated):.2f}" if len(set(published)) > 1 else "-"


def ladder_rows(rows: list[dict]) -> list[str]:
    """The table of the ladders by machine."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["ladder"], row["machine"]].append(row)
    lines = [
        "| ladder | machine | rows | median error, absolute | median | worst | rank | fitted | sources | simulated |",
        "|---|---|--:|--:|--:|--:|--:|---|---|---|",
    ]
    for (ladder, machine), group in sorted(groups.items()):
        errors = [error_of(row) for row in group]
        sources = sorted({re.split(r"[:@ ]", row["source"])[0] for row in group})
        shown = ", ".join(sources[:3]) + (
            f" and {len(sources) - 3} more" if len(sources) > 3 else ""
        )
        dates = sorted({row["made"].split()[0] for row in group})
        lines.append(
            f"| {ladder} | {machine} | {len(group)} | {100 * statistics.median(map(abs, errors)):.1f} % "
            f"| {100 * statistics.median(errors):+.1f} % | {100 * max(errors, key=abs):+.0f} % "
            f"| {rank(group)} | {fitted(ladder)} | {shown} | {', '.join(dates)} |"
        )
    return lines


def head(rows: list[dict]) -> str:
    """The result in a line; make fidelity prints it too."""
    kept = [
        abs(error_of(row))
        for row in rows
        if fitted(row["ladder"]) == "no" and "host" not in row["ladder"]
    ]
    return (
        f"{len(rows)} stored rows; of the {len(kept)} that time a device in ladders without fitted figures, the median "
        f"error is {100 * statistics.median(kept):.1f} %, {sum(e > 0.25 for e in kept)} are off by more than 25 %"
    )


def page() -> str:
    """The whole page."""
    rows = stored()
    table = re.search(r"(\| ladder \| machine \|.*?)\n\n", SUITE.read_text(), re.DOTALL)
    gemm = [row for row in rows if row["id"].startswith("T3GEMM")]
    lines = [HEAD + head(rows) + ".", "", *ladder_rows(rows)]
    if gemm:
        lines += ["", "## Outside GEMMs on Trn3, row by row", ""]
        lines += ["| id | what | published | simulated | error |", "|---|---|--:|--:|--:|"]
        lines += [
            f"| {r['id']} | {r['what']} | {r['published']} {r['unit']} | {r['simulated']} {r['unit']} "
            f"| {100 * error_of(r):+.1f} % |"
            for r in gemm
        ]
        lines += [
            "",
            "Measured by an outside laboratory, on machines we never saw; nothing is fitted to them. "
            "The program is one kernel of its authors, simulated in the list scheduler's order; the 14.3 us "
            "of a launch, which profiles count, are added, as nki_suite.md says.",
        ]
    return "\n".join(lines) + "\n" + SUITE_HEAD + (table[1] if table else "") + "\n" + TAIL


def main() -> int:
    """Stores rows where they are given; writes the page, or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, nargs="+", default=[], help="runs to store first")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    options = parser.parse_args()
    if options.check:
        if PAGE.is_file() and PAGE.read_text() == page():
            return 0
        print(f"{PAGE} is out of date; run: python tools/validation_page.py", file=sys.stderr)
        return 1
    if options.rows:
        store(options.rows)
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
