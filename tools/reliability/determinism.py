"""The command line of tools/determinism: the same programs in every environment that this computer
has, each in a process of its own, whose values, times and traces must be the same bytes.

Environments: another process with another seed of Python's hashes, another folder and another
locale; one thread; the builds in build/*/python (clang's, others); the installed wheel (.venv);
of each CPython the environment that `make wheel` leaves, or one on PATH that has the packages. What
cannot be compared is said with its reason. `make check PARTS=determinism` builds by clang first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKLOAD = Path(__file__).with_name("workload.py")
FAILED = "the programs failed"
VERSIONS = ("3.11", "3.12", "3.13")


@dataclass(frozen=True)
class Environment:
    """Where the programs run."""

    name: str
    python: str = sys.executable
    path: str | None = None  # PYTHONPATH; None: as here; "": none
    variables: dict[str, str] = field(default_factory=dict)
    cpus: int | None = None
    folder: str | None = None


@dataclass(frozen=True)
class Found:
    """The hash of each program, or why there is none."""

    hashes: dict[str, str] = field(default_factory=dict)
    why_not: str = ""


def environments(folder: str) -> Iterator[Environment]:
    """The first is what all others are compared with."""
    yield Environment("here")
    elsewhere = {"PYTHONHASHSEED": "12345", "LANG": "C", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    yield Environment("another process, folder, locale", variables=elsewhere, folder=folder)
    yield Environment("one thread", cpus=1)
    yield Environment("two threads", cpus=2)
    here = _build_of(os.environ.get("PYTHONPATH", ""))
    for build in sorted((ROOT / "build").glob("*/python")):
        if list(build.glob("trainyard/_core*.so")) and build.resolve() != here:
            yield Environment(f"build {build.parent.name}", path=str(build))
    yield Environment("wheel in .venv", python=str(ROOT / ".venv/bin/python"), path="")
    for version in VERSIONS:
        yield Environment(f"CPython {version}", python=_python_of(version), path="")


def _python_of(version: str) -> str:
    """That of the environment in which `make wheel` tries its wheel, or another one, or nothing."""
    tried = ROOT / f"build/wheels/fresh-{version}/bin/python"
    if tried.exists():
        return str(tried)
    unpacked = sorted((ROOT / f"build/pythons/{version}").glob(f"**/bin/python{version}"))
    return str(unpacked[0]) if unpacked else shutil.which(f"python{version}") or ""


def _build_of(path: str) -> Path | None:
    return Path(path).resolve() if path else None


def hashes(environment: Environment, with_jax: bool) -> Found:
    """What the programs give there."""
    if not environment.python or not Path(environment.python).exists():
        return Found(why_not="not installed")
    if environment.cpus is not None and len(os.sched_getaffinity(0)) < environment.cpus:
        return Found(why_not="this process may not use as many processors")
    variables = os.environ | {"TRAINYARD_TUNE": "0"} | environment.variables
    if environment.path is not None:
        variables["PYTHONPATH"] = environment.path
    if why := _cannot_import(environment.python, variables):
        return Found(why_not=f"it has no working packages ({why})")
    arguments = [environment.python, "-B", str(WORKLOAD)]
    done = subprocess.run(
        [*arguments, *(["--jax"] if with_jax else [])],
        env=variables,
        cwd=environment.folder,
        capture_output=True,
        text=True,
        preexec_fn=_limited_to(environment.cpus),
    )
    if done.returncode != 0:
        return Found(why_not=f"{FAILED}: {_last_line(done.stderr)}")
    return Found(json.loads(done.stdout))


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no word"])[-1].strip()


def _cannot_import(python: str, variables: dict[str, str]) -> str:
    """Why a Python does not have the packages, or nothing."""
    done = subprocess.run(
        [python, "-B", "-c", "import numpy, trainyard, nki"],
        env=variables,
        capture_output=True,
        text=True,
    )
    return _last_line(done.stderr) if done.returncode != 0 else ""


def _limited_to(cpus: int | None) -> Callable[[], None]:
    def limit() -> None:
        if cpus is not None:
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cpus])

    return limit


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """The programs that both have and that are not the same."""
    return [name for name in one if name in other and one[name] != other[name]]


def main(given: list[str] | None = None) -> int:
    """0: all that could be compared is the same; 1: something differs, or nothing is comparable."""
    parser = argparse.ArgumentParser(prog="determinism", description=__doc__)
    parser.add_argument("--no-jax", action="store_true", help="kernels only")
    options = parser.parse_args(given)
    failed = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        first, *others = environments(folder)
        reference = hashes(first, not options.no_jax)
        if reference.why_not:
            print(f"{first.name}: {reference.why_not}", file=sys.stderr)
            return 1
        for other in others:
            found = hashes(other, not options.no_jax)
            if found.why_not:
                print(f"{other.name}: not compared: {found.why_not}")
                failed += found.why_not.startswith(FAILED)
                continue
            wrong = differing(reference.hashes, found.hashes)
            missing = [name for name in reference.hashes if name not in found.hashes]
            compared += 1
            failed += bool(wrong)
            words = f"{', '.join(wrong)} differ" if wrong else "the same"
            less = f"; not there: {', '.join(missing)}" if missing else ""
            print(f"{other.name}: {len(found.hashes)} programs, {words}{less}", flush=True)
    print(f"{compared} environments compared with this one, {failed} failed")
    return 1 if failed or not compared else 0
