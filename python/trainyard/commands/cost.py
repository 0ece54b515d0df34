"""trainyard cost: dollars and joules of a model's work, or of a run that was simulated."""

from __future__ import annotations

import argparse
import json
from typing import Any

import trainyard
from trainyard.commands import compare, exit_codes, fit, output
from trainyard.files import read_whole

NAME = "cost"
HELP = "price a model's serving or training, or a simulated run, with the source of each rate"
EXAMPLES = (
    ("trainyard cost llama3-70b --on trn1 --phase training --tokens 15e12", "a training run"),
    ("trainyard cost llama3-70b --on trn2 --price spot --region us-east-2", "serving, rented"),
    ("trainyard cost run.json", "a report that `trainyard profile` has saved"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("what", help="a model, or the saved report of a run (.json)")
    parser.add_argument("--on", metavar="MACHINE", help="one of the compared machines, of a model")
    compare.add_answers(parser)
    fit.add_workload(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    report = None if options.on else _report(options.what)
    if report is not None:
        result = trainyard.cost_of_run(report, options.price or "", options.region or "")
    elif options.on:
        asked = fit.workload_of(options, (*fit.WORKLOAD, *compare.PLAN))
        result = trainyard.cost(options.what, options.on, options.phase, **asked)
    else:
        raise trainyard.UsageError("cost needs --on MACHINE for a model, or the report of a run")
    values = {
        name: vars(one) | {"moved_by": [vars(by) for by in one.moved_by]}
        for name, one in result.values.items()
    }
    document = {
        "what": result.what,
        "values": values,
        "unknown": result.unknown,
        "rates": result.rates,
    }
    output.show(options.json, "trainyard.cost/1", document, [str(result)])
    return exit_codes.INVALID_INPUT if result.unknown else exit_codes.OK


def _report(path: str) -> dict[str, Any] | None:
    if not path.endswith(".json"):
        return None
    try:
        document = json.loads(read_whole(path))
    except ValueError as error:
        raise trainyard.UsageError(f"{path} is no JSON: {error}") from None
    return document if isinstance(document, dict) and "duration_ns" in document else None
