"""Runs every benchmark and prints a table: what was measured beside the host's own limit.

Two kinds. The C++ programs of benchmarks/CMakeLists.txt report a rate by `report_rate`; a second
benchmark named "... | host limit" is the limit of the first ("... | host peak" where the limit is
the core's peak of multiply-adds). Python files benchmarks/bench_*.py have a function `rows()` that
returns a list of {name, value, unit, host_limit}, the last optional. Other simulators are called
where peers.py finds them.
The result is also written as JSON: a list of {name, value, unit, host_limit, of_peak, ratio}. What
a row is meant to reach stands in goals.py, and beside it in the table.
The exit code is 1 where a file failed; with --strict also where a row misses its goal and
docs/deviations.md doesn't say why, or could not be judged.
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
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

# None of these brings NumPy, which is imported when its matrix product has its environment.
import peers
from goals import GOALS, goal_of
from host_products import CORETYPE, KERNELS, THREADS, kernels_of, numpy_rates, with_kernels

ROOT = Path(__file__).resolve().parents[1]
LIMIT, PEAK_LIMIT = " | host limit", " | host peak"
SGEMM = "^host: OpenBLAS SGEMM 1024$"
OPENBLAS, NUMPY = "host: OpenBLAS SGEMM", "host: NumPy SGEMM"
UNIT = "G multiply-adds/s"
PEAK = "host: peak of fused multiply-adds"
SGEMM_MIN = 0.7  # of the peak; below, it says more about OpenBLAS than about the core


@dataclass
class Row:
    """One line of the table; `host_limit` has the same unit, and is None where there is none.

    `of_peak`: that limit is the core's peak of multiply-adds, and not SGEMM.
    """

    name: str
    value: float
    unit: str
    host_limit: float | None = None
    of_peak: bool = False

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
        Row(
            name,
            value,
            units[name],
            medians.get(name + LIMIT, medians.get(name + PEAK_LIMIT)),
            of_peak=name + PEAK_LIMIT in medians,
        )
        for name, value in medians.items()
        if not name.endswith((LIMIT, PEAK_LIMIT))
    ]


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
    """SGEMM with each set of kernels that Debian's OpenBLAS has and this processor runs, fastest
    first."""
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


def numpy_rows(given: str | None) -> list[Row]:
    """The same by NumPy's own OpenBLAS."""
    return [
        Row(f"{NUMPY} 1024, {CORETYPE}={kernels}", rate, UNIT)
        for kernels, rate in numpy_rates(given).items()
    ]


def fastest(tried: Sequence[Row]) -> str | None:
    """The kernels of the first of these rows; says on stderr which."""
    if not tried:
        return None
    library, _, kernels = tried[0].name.partition(f" 1024, {CORETYPE}=")
    print(f"{library} runs its kernels for {kernels}", file=sys.stderr)
    return kernels


def is_judged(rows: Sequence[Row], sgemm: str) -> bool:
    """Whether that SGEMM is near enough to the core's own peak to be a limit for others. Where one
    of both was not measured, nobody knows."""
    peak = next((row.value for row in rows if row.name == PEAK), None)
    rate = max((row.value for row in rows if row.name.startswith(sgemm)), default=None)
    return peak is not None and rate is not None and rate >= SGEMM_MIN * peak


def leans_on(row: Row) -> str | None:
    """The SGEMM that is the row's limit, if one is."""
    if "beside SGEMM" in row.name:
        return NUMPY
    has_limit = row.host_limit is not None and not row.of_peak
    return OPENBLAS if has_limit and row.unit == UNIT else None


def rows_measured(name: str) -> list[Row]:
    """What the Python file of that name beside this one measures."""
    return [Row(**row) for row in importlib.import_module(name).rows()]


def python_rows(given: str | None, nki_library: Path | None) -> tuple[list[Row], list[str]]:
    """What the Python files measure, NumPy's products first, and the names of those that failed."""
    rows = numpy_rows(given)
    if (kernels := fastest(rows)) is not None:
        os.environ[CORETYPE] = kernels
    importlib.import_module("measure").nki_library = nki_library  # brings NumPy: not before
    failed = []
    for path in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        print(f"{path.name} ...", file=sys.stderr)
        try:
            rows += rows_measured(path.stem)
        except Exception:  # what the others measure is not lost
            traceback.print_exc()
            failed.append(path.name)
    return rows, failed


def mark_of(row: Row, unjudged: Collection[str]) -> str:
    """What stands behind the row's goal: "!" where it is missed, "?" where nobody can say."""
    goal = goal_of(row.name)
    if goal is None:
        return ""
    if leans_on(row) in unjudged:
        return "?"
    return "" if goal.met(row.value, row.ratio) else "!"


def unjudged_by(rows: Sequence[Row], limits: Sequence[Row]) -> list[str]:
    """The SGEMMs that rows lean on and that are no limit."""
    leaned_on = {leans_on(row) for row in rows}
    return [
        sgemm
        for sgemm in (OPENBLAS, NUMPY)
        if sgemm in leaned_on and not is_judged([*rows, *limits], sgemm)
    ]


def show(rows: list[Row], limits: Sequence[Row] = (), complete: bool = True) -> str:
    """The table; `limits`: of the host, which are judged by and are not in it."""
    width = max((len(row.name) for row in rows), default=0)
    unjudged = unjudged_by(rows, limits)
    head = f"{'':{width}}  {'value':>10}  {'host limit':>10}  {'ratio':>6}  {'goal':>11}  unit"
    lines = [head]
    marks = [mark_of(row, unjudged) for row in rows]
    for row, mark in zip(rows, marks, strict=True):
        limit = "" if row.host_limit is None else f"{row.host_limit:10.3g}"
        ratio = "" if row.ratio is None else f"{row.ratio:6.0%}"
        goal = goal_of(row.name)
        wanted = "" if goal is None else f"{goal} {mark}".rstrip()
        numbers = f"{row.value:10.3g}  {limit:>10}  {ratio:>6}  {wanted:11}"
        unit = f"{row.unit}, beside the core's peak" if row.of_peak else row.unit
        lines.append(f"{row.name:{width}}  {numbers}  {unit}")
    missed = [goal_of(row.name) for row, mark in zip(rows, marks, strict=True) if mark == "!"]
    lines.append(f"{len(rows)} rows; {len(missed)} miss their goal (marked !)")
    known = {goal.deviation for goal in missed if goal is not None and goal.deviation}
    lines += [f"docs/deviations.md#{entry} says why some do" for entry in sorted(known)]
    lines += [
        f"{sgemm.removeprefix('host: ')} was not measured, or reaches less than {SGEMM_MIN:.0%} of "
        "the core's multiply-adds, whatever its kernels: nothing is judged by it (marked ?)"
        for sgemm in unjudged
    ]
    found = {goal_of(row.name) for row in rows}
    lines += [f"not measured: {goal.names}" for goal in GOALS if complete and goal not in found]
    return "\n".join(lines)


def is_met(rows: list[Row], limits: Sequence[Row] = ()) -> bool:
    """Whether each row reaches its goal, but for those of which docs/deviations.md says why."""
    unjudged = unjudged_by(rows, limits)
    for row in rows:
        mark, goal = mark_of(row, unjudged), goal_of(row.name)
        if mark == "?" or (mark == "!" and goal is not None and not goal.deviation):
            return False
    return True


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
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a goal is missed")
    arguments = parser.parse_args()
    # The host's matrix products run on one thread, as ours do, and by its fastest kernels.
    os.environ[THREADS] = "1"
    given = os.environ.pop(CORETYPE, None)

    tried = sgemm_rows(arguments.build, given)
    kernels = fastest(tried)
    host = arguments.build / "benchmarks/benchmark_host"
    limits = [*run_program(host, f"^{PEAK}$", 1), *tried] if arguments.only and tried else []
    rows: list[Row] = [] if arguments.only else tried
    for program in sorted((arguments.build / "benchmarks").glob("benchmark_*")):
        print(f"{program.name} ...", file=sys.stderr)
        rows += run_program(program, arguments.only, arguments.repetitions, kernels)
    measured, failed = ([], []) if arguments.only else python_rows(given, arguments.nki_library)
    rows += measured
    rows += [Row(**row) for row in peers.rows(arguments.peers)]
    if arguments.output:
        content = [{**asdict(row), "ratio": row.ratio} for row in rows]
        arguments.output.write_text(json.dumps(content, indent=1) + "\n")
    print(show(rows, limits, complete=not arguments.only))
    if failed:
        print(f"not measured, for the errors above: {', '.join(failed)}", file=sys.stderr)
    missed = arguments.strict and not is_met(rows, limits)
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
