"""Published measurements beside simulated ones: prints a table and writes them as JSON.

The C++ program `fidelity` simulates what a micro-program can reproduce (single instructions,
packets, peaks); kernels.py simulates whole kernels, collectives_table.py collectives; models.py
asks the analytic model. Each row is {id, machine, what, published, simulated, unit, error, source};
error is simulated / published - 1. The exit status is 1 when a row has left its band in bands.csv,
is no longer simulated, is off by more than a quarter and neither DEVIATIONS.md names it nor its
`cause` an entry of docs/deviations.md, or is not what docs/validation.md shows (validation.csv).
--record writes the bands anew, for a change that means to move them: the change's description says
why.
"""

import argparse
import csv
import json
import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import models

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/tests/fidelity/fidelity"
BANDS = Path(__file__).with_name("bands.csv")
STORED = Path(__file__).with_name("validation.csv")
# How far an error may move, as a share of what is published: rounding, not another model.
MARGIN = 0.005


def micro_programs(program: Path) -> list[dict]:
    """The rows of the C++ program."""
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def whole_kernels() -> list[dict]:
    """The rows of kernels.py."""
    import kernels

    return kernels.rows()


def whole_systems() -> list[dict]:
    """The rows of collectives_table.py."""
    sys.path.insert(0, str(Path(__file__).parent))
    import collectives_table

    found = list(collectives_table.rows())
    print(collectives_table.summary(found))
    return found


def deviations() -> str:
    """What is written about differences from silicon: the table and its details."""
    return "".join((ROOT / name).read_text() for name in ("DEVIATIONS.md", "docs/deviations.md"))


def documented(text: str) -> set[str]:
    """The words of a text, rows' ids among them."""
    return set(re.sub(r"[`,()\[\]:]", " ", text).split())


def entries(text: str) -> set[str]:
    """The headings of docs/deviations.md, which rows name as causes."""
    return set(re.findall(r"(?m)^## (\S+)$", text))


def table(rows: list[dict]) -> str:
    """One line a row, worst last."""
    heads = f"{'id':30}{'machine':8}{'published':>12}{'simulated':>12}"
    lines = [f"{heads} {'unit':15}{'error':>8}  what"]
    for row in sorted(rows, key=lambda row: abs(row["error"])):
        lines.append(
            f"{row['id']:30}{row['machine']:8}{row['published']:>12.6g}{row['simulated']:>12.6g} "
            f"{row['unit']:15}{100 * row['error']:>+7.1f}%  {row['what']}"
        )
    return "\n".join(lines)


def far_off(rows: list[dict]) -> list[dict]:
    """The rows beyond a quarter."""
    return [row for row in rows if abs(row["error"]) > 0.25]


def unexplained(rows: list[dict], text: str) -> list[str]:
    """Those that the text about differences does not name, and whose cause is no entry of it."""
    known, causes = documented(text), entries(text)
    return [
        row["id"]
        for row in far_off(rows)
        if row["id"] not in known and row.get("cause") not in causes
    ]


def key(row: dict) -> tuple[str, str, str]:
    """What tells rows apart."""
    return row["id"], row["machine"], row["what"]


def recorded(path: Path = BANDS) -> dict[tuple[str, str, str], float]:
    """The errors that bands.csv holds, by row."""
    with path.open(newline="", encoding="utf-8") as file:
        return {key(row): float(row["error"]) for row in csv.DictReader(file)}


def record(rows: list[dict], path: Path = BANDS) -> None:
    """Writes bands.csv."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["id", "machine", "what", "error"])
        out.writerows([*key(row), f"{row['error']:.4f}"] for row in sorted(rows, key=key))


def moved(rows: list[dict], bands: dict[tuple[str, str, str], float]) -> list[str]:
    """What is to be said of the rows that have left their bands, and of those that have none."""
    found = []
    for row in rows:
        band = bands.get(key(row))
        if band is None:
            found.append(f"{row['id']} ({row['what']}) has no band")
        elif abs(row["error"] - band) > MARGIN:
            found.append(
                f"{row['id']} ({row['what']}) was {100 * band:+.1f} % off and is "
                f"{100 * row['error']:+.1f} %"
            )
    return found


def gone(rows: list[dict], bands: dict[tuple[str, str, str], float]) -> list[str]:
    """What is to be said of bands whose rows nobody simulates any more."""
    simulated = {key(row) for row in rows}
    return [
        f"{id} ({what}) has a band and no row"
        for id, machine, what in bands
        if (id, machine, what) not in simulated
    ]


def outdated(rows: list[dict], path: Path = STORED) -> list[str]:
    """What is to be said where docs/validation.md shows rows of another build."""
    with path.open(newline="", encoding="utf-8") as file:
        stored = {key(row): float(row["simulated"]) for row in csv.DictReader(file)}
    old = [
        row["id"]
        for row in rows
        if abs(stored.get(key(row), 0.0) - row["simulated"]) > MARGIN * abs(row["simulated"])
    ]
    if not old:
        return []
    return [
        f"{len(old)} rows of validation.csv are not what is simulated ({', '.join(old[:3])}): "
        "python tools/validation_page.py --rows build/fidelity.json"
    ]


def headline(page: Path = ROOT / "docs/validation.md") -> str:
    """The result that docs/validation.md begins with."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((f"{page.name}: {line}" for line in lines if " stored rows; " in line), "")


def summary(rows: list[dict]) -> str:
    """The median error and the rows beyond a quarter."""
    errors = [abs(row["error"]) for row in rows]
    far = far_off(rows)
    causes = Counter(row["cause"] for row in far if row.get("cause"))
    named = [row["id"] for row in far if not row.get("cause")]
    named += [f"{count} by {cause}" for cause, count in causes.items()]
    text = (
        f"{len(rows)} measurements: median error {100 * statistics.median(errors):.1f} %, "
        f"{sum(error > 0.1 for error in errors)} beyond 10 %, {len(far)} beyond 25 %"
    )
    if far:
        text += f" ({', '.join(named)}: see DEVIATIONS.md)"
    return text


def complaints_of(
    rows: list[dict], bands: dict[tuple[str, str, str], float], whole: bool
) -> list[str]:
    """All that is to be said; `whole`: these are all rows that there are."""
    found = moved(rows, bands) + (gone(rows, bands) if whole else [])
    for name in unexplained(rows, deviations()):
        found.append(f"{name} is off by more than 25 % without a row in DEVIATIONS.md")
    return found + outdated(rows)


def main() -> int:
    """Simulates, writes and prints; 1 when a row is where nobody said it would be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "build/fidelity.json")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--micro", action="store_true", help="leave the whole kernels out")
    parser.add_argument("--record", action="store_true", help="write bands.csv anew")
    arguments = parser.parse_args()
    if arguments.record and arguments.micro:
        parser.error("--record needs all rows")
    rows = micro_programs(arguments.program)
    if not arguments.micro:
        rows += whole_kernels()
        rows += whole_systems()
    modelled = models.rows()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(rows + modelled, indent=1) + "\n")
    print(table(rows))
    print()
    print(summary(rows))
    print(headline())
    print("\nWhole models, by the analytic model (docs/reference/model_fidelity.md)")
    print("\n".join(models.summary(modelled)))
    if arguments.record:
        record(rows + modelled)
    complaints = complaints_of(rows + modelled, recorded(), whole=not arguments.micro)
    for complaint in complaints:
        print(f"fidelity: {complaint}", file=sys.stderr)
    if complaints:
        print("fidelity: if the change means to move bands, run it with --record", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
