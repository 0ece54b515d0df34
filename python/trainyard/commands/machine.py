"""trainyard machine: what the machine files say, and where each number comes from."""

from __future__ import annotations

import argparse
from typing import Any

import trainyard
from trainyard import questions
from trainyard.commands import exit_codes, output
from trainyard.commands.actions import Actions

NAME = "machine"
HELP = "list machines, show their numbers with sources, explain one number"
EXAMPLES = (
    (
        "trainyard machine show trn3 --provenance",
        "every number, its kind, what it changes and where it comes from",
    ),
    ("trainyard machine explain trn3 hbm.bandwidth", "one number: meaning, value, source, range"),
    ("trainyard machine show trn3 --set hbm.bandwidth=6TB/s --json", "an altered machine as data"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = Actions(parser)
    listing = actions.add("list", "the machines that can be named")
    listing.add_argument("--json", action="store_true", help="machine-readable output")
    show = actions.add("show", "every number of a machine")
    show.add_argument("name", help="a machine name or a .toml file")
    show.add_argument(
        "--provenance", action="store_true", help="with kind, what it changes, and source"
    )
    show.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="override a number",
    )
    show.add_argument("--json", action="store_true", help="machine-readable output")
    explain = actions.add("explain", "one number: meaning, value, source, range")
    explain.add_argument("name", help="a machine name or a .toml file")
    explain.add_argument("key", help="for example hbm.bandwidth")
    explain.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if options.action == "list":
        names = trainyard.machines()
        if options.json:
            output.write_json("trainyard.machines/1", {"machines": names})
        else:
            print("\n".join(names))
        return exit_codes.OK
    machine = trainyard.load_machine(options.name)
    if options.action == "explain":
        return _explain(machine, options)
    if options.overrides:
        machine = machine.with_overrides(options.overrides)
    warnings = questions.warnings_of(options.overrides, machine)
    output.warn(warnings)
    figures = machine.provenance()
    if options.json:
        output.write_json(
            "trainyard.machine/1",
            {
                "name": machine.name,
                "title": machine.title,
                "hash": f"{machine.hash:016x}",
                "figures": figures,
                "warnings": warnings,
            },
        )
        return exit_codes.OK
    print(f"{machine.name}: {machine.title}")
    width = max(len(figure["key"]) for figure in figures)
    for figure in figures:
        line = f"{figure['key']:{width}}  {figure['value']} {figure['unit']}".rstrip()
        if options.provenance:
            changes = "no effect" if figure["effect"] == "none" else figure["effect"]
            line = f"{line:{width + 24}}  {figure['kind']:9}  {changes:10}  {figure['source']}"
        print(line)
    return exit_codes.OK


def _explain(machine: Any, options: argparse.Namespace) -> int:
    text = machine.explain(options.key)
    if options.json:
        figure = next(figure for figure in machine.provenance() if figure["key"] == options.key)
        output.write_json("trainyard.figure/1", {"machine": machine.name, "figure": figure})
    else:
        print(text)
    return exit_codes.OK
