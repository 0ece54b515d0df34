"""trainyard time: how long kernels take, and what bounds them."""

from __future__ import annotations

import argparse

from trainyard.commands import scripts
from trainyard.result import Result

NAME = "time"
HELP = "simulate a script's kernels in time and print each one's duration, bound and engine use"
EXAMPLES = (
    (
        "trainyard time kernels.py:softmax 'x=float32[128,512]'",
        "how long one kernel takes on random data, and why",
    ),
    (
        "trainyard time --set hbm.bandwidth=x2 script.py",
        "would twice the memory bandwidth help? (with the machine otherwise as it is)",
    ),
    ("trainyard time --no-values --json script.py", "faster, and for programs to read"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add_no_values(parser)
    scripts.add_check_arguments(parser, optional=True)
    scripts.add_arguments(parser)


def add_no_values(parser: argparse.ArgumentParser) -> None:
    """The option that leaves the arithmetic out."""
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="skip the arithmetic, and with it the checks: faster, and outputs are zeros",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""

    def show(result: Result) -> None:
        if not options.json:
            print(result, flush=True)
        scripts.tell_findings(result)

    return scripts.execute(
        options,
        show,
        timed=True,
        values=not options.no_values,
        **scripts.check_settings(options),
    ).finish(options)
