"""trainyard time: how long kernels take, and what bounds them."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes, scripts

NAME = "time"
HELP = "simulate a script's kernels in time and print each one's duration, bound and engine use"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="skip the arithmetic: faster, and outputs are zeros",
    )
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    results = scripts.execute(options, timed=True, values=not options.no_values, checks=False)
    if options.json:
        scripts.print_json(results)
    else:
        for result in results:
            print(result)
    return exit_codes.OK
