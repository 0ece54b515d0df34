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
   does not: all-reduces of 8 ranks of one core (124 GB/s by nccom, 64 by torch.distributed).
   Where only host rows contradict one another, none stands: reduce-scatters, gathers and
   broadcasts beyond 256 MiB lose up to half of the rate that the same sweep shows below.
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


def is_contradicted(row: dict[str, str]) -> bool:
    """Rule 3."""
    if row["clock"] == "device":
        return False
    if row["ranks"] == "8" and row["lnc"] == "1" and row["operation"] == "all_reduce":
        return True
    drops = row["operation"] in ("reduce_scatter", "all_gather", "broadcast")
    return drops and int(row["bytes"]) > 256 * MIB and row["nodes"] == "1"


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
        for row in csv.DictReader(file):
            if is_contradicted(row):
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
