"""The command line: find out what a checkout is, run its cases in its Python, sum them up."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from suite import layouts, results
from suite.outcome import STATUSES
from suite.refusal import Refused, above_zero, at_least_one, to_write, told

ROOT = Path(__file__).resolve().parents[2]

EPILOG = """exit codes: 0 every case passed (or was skipped by the checkout itself); 1 some did not;
2 wrong arguments, a checkout we do not know, or one whose tests cannot be collected; 3 the chosen
Python lacks something the checkout needs (the message says how to get it)."""


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="nki_suite",
        description="Runs the NKI tests or kernels of a checkout on Trainyard, unchanged.",
        epilog=EPILOG,
    )
    parser.add_argument("path", type=Path, help="the checkout")
    parser.add_argument("--machine", default="trn3", choices=("trn1", "trn2", "trn3"))
    _which_cases(parser)
    _how_they_run(parser)
    parser.add_argument("--quiet", action="store_true", help="no line for each case")
    return parser


def _which_cases(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="TEXT",
        help="only cases whose id holds TEXT, such as test_x.py; may be given more than once",
    )
    parser.add_argument(
        "--sample", type=at_least_one, default=1, metavar="N", help="every N-th case only"
    )
    parser.add_argument(
        "--each",
        type=at_least_one,
        default=0,
        metavar="N",
        help="at most N cases of each test function",
    )
    parser.add_argument(
        "--all", action="store_true", help="also what the checkout leaves out as slow"
    )


def _how_they_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=at_least_one, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument(
        "--timeout",
        type=above_zero,
        default=300,
        metavar="S",
        help="processor seconds a case may spend in kernels",
    )
    parser.add_argument(
        "--own-timeout",
        type=above_zero,
        default=600,
        metavar="S",
        help="processor seconds a case may spend in its checkout's own code, such as references",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep the results file and run only cases it has no record of",
    )
    parser.add_argument(
        "--again",
        action="append",
        default=[],
        choices=STATUSES,
        metavar="STATUS",
        help="with --resume, also the cases whose record says STATUS, such as too_large",
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="where results go, a line of JSON a case (default: build/nki_suite/...)",
    )
    parser.add_argument(
        "--checks",
        action="store_true",
        help="a finding of a check (unwritten reads, races) fails the case",
    )
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter that runs the checkout"
    )
    parser.add_argument(
        "--summary", action="store_true", help="run nothing; sum up the results file"
    )
    parser.add_argument(
        "--memory",
        type=above_zero,
        default=0,
        metavar="GIB",
        help="memory a case may use (default: its share of what the host has free)",
    )


def environment(machine: str, scratch: str) -> dict[str, str]:
    """The environment of the suite's process: our packages, one thread each, no files left."""
    built = [str(path) for path in (ROOT / "build").glob("*/python") if path.is_dir()]
    chosen = os.environ.get("PYTHONPATH", "") or os.pathsep.join(sorted(built)[:1])
    return {
        **os.environ,
        "PYTHONPATH": chosen,
        "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "nki_suite_pycache"),
        "PYTHONHASHSEED": "0",
        "NEURON_PYTHONHASHSEED": "0",
        "NEURON_PLATFORM_TARGET_OVERRIDE": machine,
        "TRAINYARD_NKI": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "NKI_SUITE_SCRATCH": scratch,
        # Large pages: the references are large arrays that are used once or twice.
        "GLIBC_TUNABLES": os.environ.get("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"),
    }


def to_collect(checkout: Path, paths: Sequence[str], filters: Sequence[str]) -> list[str]:
    """The paths to look for cases in: all, or just the files that the filters name."""
    folders = [checkout / one for one in paths if (checkout / one).exists()]
    if not filters or not all(".py" in text for text in filters):
        return [str(folder) for folder in folders]
    named = {text.split(".py")[0] + ".py" for text in filters}
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return [str(path) for path in files if any(str(path).endswith(name) for name in named)]


def free_memory() -> float:
    """GiB that the host has to give without taking them from others."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 2**20
    return 16.0


def importable(python: str, names: tuple[str, ...], env: dict[str, str]) -> set[str]:
    """Which of the modules the interpreter finds."""
    code = (
        "import importlib.util, sys\n"
        "print([n for n in sys.argv[1:] if importlib.util.find_spec(n) is not None])"
    )
    try:
        run = subprocess.run(
            [python, "-c", code, *names], env=env, check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Refused(f"--python {python} is no Python that runs: {error}", 3) from error
    return set(json.loads(run.stdout.replace("'", '"')))


def main(argv: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    given = arguments().parse_args(argv)
    return told("nki_suite", lambda: _main(given))


def _main(given: argparse.Namespace) -> int:
    checkout = given.path.resolve()
    layout = layouts.detect(checkout) if checkout.is_dir() else None
    if layout is None:
        raise Refused(
            f"{given.path} is no checkout of a layout we know: "
            f"{', '.join(one.name for one in layouts.LAYOUTS)}"
        )
    name = f"{checkout.name}-{given.machine}.jsonl"
    path = given.json or ROOT / "build" / "nki_suite" / name
    if not given.summary:
        path = to_write(path)
        with tempfile.TemporaryDirectory(prefix="nki_suite_") as scratch:
            code = _run(given, checkout, layout, path, scratch)
        if code:
            return code
    records = list(results.read(path).values())
    if not records:
        raise Refused(
            f"{path} holds no results yet"
            if given.summary
            else f"{given.path} has no case{' that a --filter names' if given.filter else ''}"
        )
    print(results.summary(records))
    print(f"results: {path}")
    count = results.counted(records)
    return 0 if records and count["pass"] + count["skip"] == len(records) else 1


def _run(
    given: argparse.Namespace, checkout: Path, layout: layouts.Layout, path: Path, scratch: str
) -> int:
    env = environment(given.machine, scratch)
    needs = (*layout.needs, "trainyard", "nki")
    have = importable(given.python, needs, env)
    if {"trainyard", "nki"} - have:
        raise Refused(
            f"{given.python} does not find Trainyard: install it there, or build it and set "
            "PYTHONPATH to build/<preset>/python",
            3,
        )
    if lacking := layouts.missing(layout, have):
        raise Refused(layouts.how_to_get(lacking, given.python), 3)
    if given.resume:
        results.read(path)  # refused here, not in the middle of the run
    elif path.exists():
        path.replace(path.with_name(f"{path.name}.old"))
    orders = {
        "checkout": str(checkout),
        "layout": layout.name,
        "glue": layout.glue,
        "older": layout.older,
        "cases": layout.cases,
        "scripts": layout.scripts,
        "tests": to_collect(checkout, layout.tests, given.filter),
        "kernels": to_collect(checkout, layout.kernels, ()),
        "on_path": [str(checkout / one) for one in layout.on_path if (checkout / one).exists()],
        "machine": given.machine,
        "filter": given.filter,
        "sample": given.sample,
        "each": given.each,
        "jobs": given.jobs,
        "timeout": given.timeout,
        "own_timeout": given.own_timeout,
        "memory": given.memory or free_memory() / given.jobs,
        "resume": given.resume,
        "again": given.again,
        "results": str(path),
        "scratch": scratch,
        "log": str(path.with_suffix(".log")),
        "verbose": not given.quiet,
        "all": given.all,
        "checks": given.checks,
    }
    command = [given.python, str(Path(__file__).parent / "serve.py"), json.dumps(orders)]
    return subprocess.run(command, env=env, check=False, start_new_session=True).returncode
