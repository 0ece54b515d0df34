"""trainyard cost: dollars and joules of a model's work, or of a run that was simulated."""

from __future__ import annotations

import argparse
from typing import Any

import trainyard
from trainyard.commands import compare, exit_codes, fit, output
from trainyard.files import read_json
from trainyard.planner.results import Cost

NAME = "cost"
HELP = "price a model's serving or training, or a simulated run, with the source of each rate"
EXAMPLES = (
    ("trainyard cost llama3-70b --on trn1 --phase training --tokens 15e12", "a training run"),
    ("trainyard cost llama3-70b --on trn2 --price spot --region us-east-2", "serving, rented"),
    ("trainyard cost run.json", "a report that `trainyard profile` has saved"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "what",
        help="a model, or a run: its saved report, or what `trainyard time --json` printed (.json)",
    )
    parser.add_argument("--on", metavar="MACHINE", help="one of the compared machines, of a model")
    compare.add_answers(parser)
    fit.add_workload(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    reports = [] if options.on else _reports(options.what)
    if options.on:
        asked = fit.workload_of(options, (*fit.WORKLOAD, *compare.PLAN))
        results = [trainyard.cost(options.what, options.on, options.phase, **asked)]
    elif reports:
        results = [
            trainyard.cost_of_run(report, options.price or "", options.region or "")
            for report in reports
        ]
    else:
        raise trainyard.UsageError("cost needs --on MACHINE for a model, or the report of a run")
    documents = [_document(result) for result in results]
    document = documents[0] if len(documents) == 1 else {"runs": documents}
    output.show(options.json, "trainyard.cost/1", document, [str(result) for result in results])
    unknown = any(result.unknown for result in results)
    return exit_codes.INVALID_INPUT if unknown else exit_codes.OK


def _document(result: Cost) -> dict[str, Any]:
    values = {
        name: vars(one) | {"moved_by": [vars(by) for by in one.moved_by]}
        for name, one in result.values.items()
    }
    return {"what": result.what, "values": values, "unknown": result.unknown, "rates": result.rates}


def _reports(path: str) -> list[dict[str, Any]]:
    """Those of a file: a saved report, or what another command's --json printed."""
    if not path.endswith(".json"):
        return []
    document = read_json(path)
    if not isinstance(document, dict):
        return []
    if "duration_ns" in document:
        return [document]
    kernels = document.get("kernels")
    runs = (
        [one.get("report") for one in kernels if isinstance(one, dict)]
        if isinstance(kernels, list)
        else []
    )
    if runs and not any(runs):
        raise trainyard.UsageError(
            f"{path} holds no timed run: cost takes what `trainyard time --json` prints"
        )
    return [one for one in runs if isinstance(one, dict) and "duration_ns" in one]
