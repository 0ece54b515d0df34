"""trainyard profile: the full trace, the report and a Perfetto file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from trainyard.commands import exit_codes, scripts

NAME = "profile"
HELP = (
    "record a script's kernels: a trace, a Perfetto file and a report that says why they take as "
    "long as they do"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--output",
        default=".",
        metavar="DIR",
        help="where KERNEL.tytrace, KERNEL.pftrace and KERNEL.json go (default: here)",
    )
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="skip the arithmetic: faster, and outputs are zeros",
    )
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    results = scripts.execute(
        options, timed=True, values=not options.no_values, checks=False, record=True
    )
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    for number, result in enumerate(results):
        stem = result.name if number == 0 else f"{result.name}.{number}"
        for path in result.save(folder / stem):
            print(f"wrote {path}", file=sys.stderr)
        if not options.json:
            print(result)
    if options.json:
        scripts.print_json(results)
    return exit_codes.OK
