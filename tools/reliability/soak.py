"""The command line of tools/soak: random trials for some time; see the trials for what must hold.

Trial number N of seed S is the same each time: `tools/soak --replay S:N` runs it again, alone.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from reliability.trials import TRIALS


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="default: the time of day")
    parser.add_argument(
        "--seconds",
        type=float,
        default=float(os.environ.get("SOAK_SECONDS") or 7200),
        help="how long (default: SOAK_SECONDS, else 7200)",
    )
    parser.add_argument("--replay", metavar="SEED:NUMBER", help="one trial again")
    parser.add_argument("--only", choices=sorted(TRIALS), action="append", help="kinds of trials")
    parser.add_argument("--failures-max", type=int, default=20, help="end after so many")
    options = parser.parse_args(given)
    if options.seed is None:
        options.seed = int(time.time())
    return options


def trial(seed: int, number: int, folder: Path, only: list[str] | None = None) -> tuple[str, list]:
    """The kind of a trial and what did not hold."""
    draw = random.Random(f"{seed}:{number}")
    kind = draw.choice(sorted(TRIALS))
    while only and kind not in only:
        kind = draw.choice(sorted(TRIALS))
    own = folder / "trial"
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    try:
        return kind, TRIALS[kind](draw, own)
    except Exception as error:  # of the trial itself, which is to be seen, too
        return kind, [f"{kind}: {type(error).__name__}: {error}"]


def main(given: list[str] | None = None) -> int:
    """0: everything held; 1: something did not, and how to run it again stands on stderr."""
    options = arguments(given)
    with tempfile.TemporaryDirectory(prefix="trainyard-soak-") as temporary:
        folder = Path(temporary)
        if options.replay:
            seed, number = map(int, options.replay.split(":"))
            kind, found = trial(seed, number, folder, options.only)
            print("\n".join(found) or f"{kind}: everything held")
            return 1 if found else 0
        return _run(options, folder)


def _run(options: argparse.Namespace, folder: Path) -> int:
    ends, ran, failed = time.monotonic() + options.seconds, Counter[str](), 0
    only = "".join(f" --only {kind}" for kind in options.only or ())
    number = 0
    while time.monotonic() < ends and failed < options.failures_max:
        kind, found = trial(options.seed, number, folder, options.only)
        ran[kind] += 1
        if found:
            failed += 1
            print(f"tools/soak --replay {options.seed}:{number}{only}", *found, sep="\n  ")
            sys.stdout.flush()
        number += 1
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(ran.items()))
    print(f"seed {options.seed}: {number} trials ({told}), {failed} failed")
    return 1 if failed else 0
