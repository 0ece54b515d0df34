"""Runs every benchmark and prints a table: what was measured beside the host's own limit.

Two kinds. The C++ programs of benchmarks/CMakeLists.txt report a rate by `report_rate`; a second
benchmark named "... | host limit" is the limit of the first. Python files benchmarks/bench_*.py
have a function `rows()` that returns a list of {name, value, unit, host_limit}, the last optional.
Other simulators are called where peers.py finds them.
The result is also written as JSON: a list of {name, value, unit, host_limit, ratio}. What a row is
meant to reach stands in goals.py, and beside it in the table.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import traceback
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import measure
import peers
from goals import GOALS, goal_of

ROOT = Path(__file__).resolve().parents[1]
LIMIT = " | host limit"
CORETYPE = "OPENBLAS_CORETYPE"
# The first is OpenBLAS's own choice; in place of a name of another processor it makes one, too.
KERNELS = ("", "SKYLAKEX", "COOPERLAKE", "SAPPHIRERAPIDS", "ZEN", "HASWELL", "NEOVERSEN1", "ARMV8")
ASK_OPENBLAS = """
import ctypes
core = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
core.restype = ctypes.c_char_p
print(core().decode())
"""
SGEMM = "^host: OpenBLAS SGEMM 1024$"
PEAK = "host: peak of fused multiply-adds"
SGEMM_MIN = 0.7  # of the peak; below, it says more about OpenBLAS than about the core


@dataclass
class Row:
    """One line of the table; `host_limit` has the same unit, and is None where there is none."""

    name: str
    value: float
    unit: str
    host_limit: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.host_limit is None else self.value / self.host_limit


def rows_of(report: dict) -> list[Row]:
    """The rows in one report of Google Benchmark: medians of the repetitions."""
    rates: dict[str, list[float]] = defaultdict(list)
    units: dict[str, str] = {}
    for run in report["benchmarks"]:
        if run.get("error_occurred"):
            raise RuntimeError(f"{run['name']}: {run['error_message']}")
        if run["run_type"] == "iteration":
            name = run["run_name"]
            rates[name].append(run["rate"])
            units[name] = run["label"]
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return [
        Row(name, value, units[name], medians.get(name + LIMIT))
        for name, value in medians.items()
        if not name.endswith(LIMIT)
    ]


def with_kernels(name: str) -> dict[str, str]:
    """The environment in which OpenBLAS is asked for these kernels."""
    return os.environ | ({CORETYPE: name} if name else {})


def kernels_of(name: str) -> str:
    """The kernels that OpenBLAS runs where it is asked for these; by its own name."""
    ask = [sys.executable, "-c", ASK_OPENBLAS]
    answer = subprocess.run(ask, check=True, capture_output=True, text=True, env=with_kernels(name))
    return answer.stdout.strip()


def run_program(
    program: Path, wanted: str, repetitions: int, openblas_kernels: str | None = None
) -> list[Row]:
    """The rows of one C++ program; `openblas_kernels`: OPENBLAS_CORETYPE for it."""
    environment = with_kernels(openblas_kernels or "")
    command = [program, "--benchmark_format=json", f"--benchmark_repetitions={repetitions}"]
    command += ["--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.1"]
    command += [f"--benchmark_filter={wanted}"] if wanted else []
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    # With a filter that nothing matches, Google Benchmark prints no JSON at all.
    if not result.stdout.startswith("{"):
        return []
    # The order of an interleaved run is random.
    return sorted(rows_of(json.loads(result.stdout)), key=lambda row: row.name)


def sgemm_rows(build: Path, given: str | None) -> list[Row]:
    """SGEMM with each set of kernels that OpenBLAS has and this processor runs, fastest first.

    Left to itself, Debian's OpenBLAS runs its oldest kernels on processors that it does not know.
    """
    program = build / "benchmarks/benchmark_tensor_engine"
    if not program.exists():
        return []
    rows = []
    for kernels in dict.fromkeys(kernels_of(name) for name in [*KERNELS, given or ""]):
        try:
            found = run_program(program, SGEMM, 1, kernels)
        except subprocess.CalledProcessError:  # an instruction that this processor does not have
            continue
        rows += [replace(row, name=f"{row.name}, {CORETYPE}={kernels}") for row in found]
    return sorted(rows, key=lambda row: -row.value)


def is_judged(rows: list[Row]) -> bool:
    """Whether SGEMM is near enough to the core's own peak to be a limit for others."""
    peak = next((row.value for row in rows if row.name == PEAK), None)
    sgemm = max((row.value for row in rows if row.name.startswith("host: OpenBLAS")), default=None)
    return peak is None or sgemm is None or sgemm >= SGEMM_MIN * peak


def leans_on_sgemm(row: Row) -> bool:
    """Whether SGEMM is the limit that the row stands beside."""
    by_limit = row.host_limit is not None and row.unit == "G multiply-adds/s"
    return by_limit or "beside SGEMM" in row.name


def rows_measured(name: str) -> list[Row]:
    """What the Python file of that name beside this one measures."""
    return [Row(**row) for row in importlib.import_module(name).rows()]


def show(rows: list[Row], limits: Sequence[Row] = (), complete: bool = True) -> str:
    """The table; `limits`: of the host, which are judged by and are not in it."""
    width = max((len(row.name) for row in rows), default=0)
    judged = is_judged([*rows, *limits])
    head = f"{'':{width}}  {'value':>10}  {'host limit':>10}  {'ratio':>6}  {'goal':>11}  unit"
    lines = [head]
    for row in rows:
        limit = "" if row.host_limit is None else f"{row.host_limit:10.3g}"
        ratio = "" if row.ratio is None else f"{row.ratio:6.0%}"
        goal = goal_of(row.name)
        mark = "" if goal is None or goal.met(row.value, row.ratio) else " !"
        if not judged and leans_on_sgemm(row):
            mark = " ?"
        wanted = "" if goal is None else f"{goal}{mark}"
        numbers = f"{row.value:10.3g}  {limit:>10}  {ratio:>6}  {wanted:11}"
        lines.append(f"{row.name:{width}}  {numbers}  {row.unit}")
    missed = sum(" !" in line for line in lines)
    lines.append(f"{len(rows)} rows; {missed} miss their goal (marked !)")
    if not judged:
        lines.append(
            f"SGEMM reaches less than {SGEMM_MIN:.0%} of the core's multiply-adds, whatever its "
            "kernels: nothing is judged by it (marked ?)"
        )
    found = {goal_of(row.name) for row in rows}
    lines += [f"not measured: {goal.names}" for goal in GOALS if complete and goal not in found]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--output", type=Path, help="also write the rows as JSON to this file")
    parser.add_argument("--only", default="", help="a regular expression of C++ benchmark names")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--nki-library", type=Path, help="a checkout, to compare its kernels")
    parser.add_argument(
        "--peers", type=Path, default=ROOT / "build/peers", help="other simulators, see peers.py"
    )
    arguments = parser.parse_args()
    measure.nki_library = arguments.nki_library
    # Before anything imports NumPy: the host's matrix products run on one thread, as ours do, and
    # by its fastest kernels.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    given = os.environ.pop(CORETYPE, None)

    tried = sgemm_rows(arguments.build, given)
    if tried:
        os.environ[CORETYPE] = tried[0].name.partition("=")[2]
        print(f"OpenBLAS runs its kernels for {os.environ[CORETYPE]}", file=sys.stderr)
    host = arguments.build / "benchmarks/benchmark_host"
    limits = [*run_program(host, f"^{PEAK}$", 1), *tried] if arguments.only and tried else []
    rows: list[Row] = [] if arguments.only else tried
    for program in sorted((arguments.build / "benchmarks").glob("benchmark_*")):
        print(f"{program.name} ...", file=sys.stderr)
        rows += run_program(program, arguments.only, arguments.repetitions)
    failed = []
    for path in [] if arguments.only else sorted((ROOT / "benchmarks").glob("bench_*.py")):
        print(f"{path.name} ...", file=sys.stderr)
        try:
            rows += rows_measured(path.stem)
        except Exception:  # what the others measure is not lost
            traceback.print_exc()
            failed.append(path.name)
    rows += [Row(**row) for row in peers.rows(arguments.peers)]
    if arguments.output:
        content = [{**asdict(row), "ratio": row.ratio} for row in rows]
        arguments.output.write_text(json.dumps(content, indent=1) + "\n")
    print(show(rows, limits, complete=not arguments.only))
    if failed:
        print(f"not measured, for the errors above: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
