"""trainyard run: values only, with checks."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes, scripts

NAME = "run"
HELP = "run a script's kernels on the simulated machine, with values and checks"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("--no-checks", action="store_true", help="skip the memory and race checks")
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    results = scripts.execute(options, checks=not options.no_checks)
    if options.json:
        scripts.print_json(results)
    return exit_codes.OK
