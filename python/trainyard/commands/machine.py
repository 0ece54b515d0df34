"""trainyard machine: what the machine files say, and where each number comes from."""

from __future__ import annotations

import argparse

import trainyard
from trainyard.commands import exit_codes, scripts

NAME = "machine"
HELP = "list machines, show their numbers with sources, explain one number"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="the machines that can be named")
    listing.add_argument("--json", action="store_true", help="machine-readable output")
    show = actions.add_parser("show", help="every number of a machine")
    show.add_argument("name", help="a machine name or a .toml file")
    show.add_argument("--provenance", action="store_true", help="with kind, range and source")
    show.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="override a number",
    )
    show.add_argument("--json", action="store_true", help="machine-readable output")
    explain = actions.add_parser("explain", help="one number: meaning, value, source, range")
    explain.add_argument("name", help="a machine name or a .toml file")
    explain.add_argument("key", help="for example hbm.bandwidth")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if options.action == "list":
        names = trainyard.machines()
        if options.json:
            scripts.write_json({"schema": "trainyard.machines/1", "machines": names})
        else:
            print("\n".join(names))
        return exit_codes.OK
    machine = trainyard.load_machine(options.name)
    if options.action == "explain":
        print(machine.explain(options.key))
        return exit_codes.OK
    if options.overrides:
        machine = machine.with_overrides(options.overrides)
    figures = machine.provenance()
    if options.json:
        scripts.write_json(
            {
                "schema": "trainyard.machine/1",
                "name": machine.name,
                "title": machine.title,
                "hash": f"{machine.hash:016x}",
                "figures": figures,
            }
        )
        return exit_codes.OK
    print(f"{machine.name}: {machine.title}")
    width = max(len(figure["key"]) for figure in figures)
    for figure in figures:
        line = f"{figure['key']:{width}}  {figure['value']} {figure['unit']}".rstrip()
        if options.provenance:
            line = f"{line:{width + 24}}  {figure['kind']:9}  {figure['source']}"
        print(line)
    return exit_codes.OK
