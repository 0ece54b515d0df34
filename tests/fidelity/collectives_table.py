"""Public timings of collectives beside simulated ones; rows in collectives.csv.

What is in the file, and what is not, follows four rules:
1. The generation, the ranks and their place, the operation and the size are stated. So no rows of
   manuals without an instance (NCCOM, NCCOMX), of a plot whose operation is inferred (torch-xla,
   CCX-089 to -154), of several collectives or a product in one time (T2CB, CCX-220 to -251,
   CCX-324 to -340), of waits for late ranks (CCX-854 to -910), of host memory or RDMA without a
   collective (CCX-177 to -190, CCX-862 to -865).
2. Device time counts from 1 KiB up. Host time counts where a launch is a small part of it: from
   16 MiB with torch.distributed, from 128 MiB with 64 ranks or 8 of one core, from 1 MiB for a
   kernel of its own. So no rows of a launch alone or of 32 KiB in one (T2XLA, CCX-192 to -303,
   CCX-757 to -842).
3. Of rows that contradict one another on one configuration, device time stands and host time
   does not: all-reduces of 8 ranks of one core (CCX-366: 124 GB/s of bus bandwidth by nccom, 64
   at most by torch.distributed). A host row whose rate is more than FALL below that of a smaller
   one of the same sweep is contradicted by it: some operations of torch.distributed lose up to
   half of their rate beyond 256 MiB, which nothing on the device explains. Others keep theirs.
4. Host time is device time and one launch of its software stack.

A row that is off by more than a quarter names its `cause`, an entry of docs/deviations.md.
"""

import csv
import statistics
from collections.abc import Iterator
from pathlib import Path

from trainyard import collectives

TABLE = Path(__file__).with_name("collectives.csv")
LAUNCH_US = {"torch.distributed": 280.0, "nki in one NEFF": 110.0}
MIB = 1 << 20


# The share of a sweep's rate that repeated measurements differ by.
FALL = 0.15


def _configuration(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[key] for key in ("system", "lnc", "ranks", "nodes", "groups", "operation"))


def _rate(row: dict[str, str]) -> float:
    return int(row["bytes"]) / float(row["us"])


def contradicted(table: list[dict[str, str]]) -> set[str]:
    """The ids of the rows that rule 3 leaves out."""
    out = set()
    for row in table:
        if row["clock"] == "device":
            continue
        quoted = (row["ranks"], row["lnc"], row["operation"]) == ("8", "1", "all_reduce")
        same = [one for one in table if _configuration(one) == _configuration(row)]
        smaller = [
            one
            for one in same
            if one["stack"] == row["stack"] and int(one["bytes"]) < int(row["bytes"])
        ]
        falls = any(_rate(row) < (1 - FALL) * _rate(one) for one in smaller)
        if quoted or falls:
            out.add(row["id"])
    return out


def simulated(row: dict[str, str]) -> float:
    """Microseconds."""
    setting = collectives.Setting(row["system"], int(row["lnc"]))
    ranks, groups = int(row["ranks"]), int(row["groups"])
    places = collectives.group_of(setting, ranks * groups, int(row["nodes"]))
    split = [places[i * ranks : (i + 1) * ranks] for i in range(groups)]
    request = collectives.Request(row["operation"], float(row["bytes"]), split)
    found = collectives.price(setting, request, interval=False)["time_us"]
    return float(found) + LAUNCH_US.get(row["stack"], 0.0)


def rows() -> Iterator[dict]:
    """Rows as run.py prints them."""
    with TABLE.open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
        out = contradicted(table)
        for row in table:
            if row["id"] in out:
                continue
            ours, theirs = simulated(row), float(row["us"])
            size = f"{int(row['bytes']) / MIB:g} MiB"
            yield {
                "id": row["id"],
                "machine": row["system"].split("-")[0],
                "what": f"{row['operation']} {size}, {row['ranks']} ranks of {row['lnc']}, "
                f"{row['clock']} time, {row['stack']}",
                "published": theirs,
                "simulated": ours,
                "unit": "us",
                "error": ours / theirs - 1,
                "source": row["source"],
                "cause": row["cause"],
                "class": f"{row['clock']} {'>=' if int(row['bytes']) >= MIB else '<'} 1 MiB",
            }


def summary(found: list[dict]) -> str:
    """The median error of each class, and below it of each machine and source."""
    listed = [row for row in found if "class" in row]
    lines = []
    for name in sorted({row["class"] for row in listed}):
        of_class = [row for row in listed if row["class"] == name]
        lines.append(_line(f"collectives, {name}", of_class))
        for part in sorted({_origin(row) for row in of_class}):
            lines.append(_line(f"  {part}", [row for row in of_class if _origin(row) == part]))
    return "\n".join(lines)


def _origin(row: dict) -> str:
    words = row["source"].replace(" branch neuron-pytorch-native", "").split()
    return f"{row['machine']}, {row['what'].rsplit(', ', 1)[1]}: {' '.join(words[:2])[:48]}"


def _line(name: str, rows: list[dict]) -> str:
    errors = [abs(row["error"]) for row in rows]
    middle, worst = statistics.median(errors), max(errors)
    return f"{name}: {len(rows)} rows, median {middle:.1%}, worst {worst:.1%}"


if __name__ == "__main__":
    listed = list(rows())
    for one in listed:
        print(
            f"{one['id']:10} {one['published']:10.1f} {one['simulated']:10.1f} "
            f"{one['error']:+7.1%}  {one['what']}"
        )
    print(summary(listed))
