"""trainyard machine: what the machine files say, and where each number comes from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

import trainyard
from trainyard import _core, questions, topology
from trainyard.commands import output
from trainyard.commands.actions import Actions
from trainyard.files import write_whole

NAME = "machine"
HELP = "list machines, show their numbers with sources, explain one number"
EXAMPLES = (
    (
        "trainyard machine show trn3 --provenance",
        "every number, its kind, what it changes and where it comes from",
    ),
    ("trainyard machine explain trn3 hbm.bandwidth", "one number: meaning, value, source, range"),
    ("trainyard machine show trn3 --set hbm.bandwidth=6TB/s --json", "an altered machine as data"),
    ("trainyard machine show trn3-gen2 --topology", "levels, links, lanes and bisection"),
    ("trainyard machine show trn3-gen2 --topology --svg gen2.svg", "the same as a picture"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = Actions(parser)
    actions.add_document("list", "the machines that can be named")
    show = actions.add_document("show", "every number of a machine")
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
    show.add_argument(
        "--topology",
        action="store_true",
        help="how the chips of a system are joined, or what a chip consists of; also for "
        "compared machines such as b200",
    )
    show.add_argument("--svg", metavar="FILE", help="with --topology: draw it")
    explain = actions.add_document("explain", "one number: meaning, value, source, range")
    explain.add_argument("name", help="a machine name or a .toml file")
    explain.add_argument("key", help="for example hbm.bandwidth")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if options.action == "list":
        names, systems = trainyard.machines(), trainyard.systems()
        document = {"machines": names, "systems": systems}
        lines = [*names, *(f"{name} (system)" for name in systems)]
        return output.show(options.json, "trainyard.machines/1", document, lines)
    if options.name in trainyard.systems():
        return _system(options)
    if options.action == "show" and options.svg:
        raise trainyard.UsageError(
            f"--svg draws systems: {', '.join(trainyard.systems())}; {options.name} is none of them"
        )
    if options.action == "show" and options.topology and options.name not in trainyard.machines():
        return _compared(options)
    machine = trainyard.load_machine(options.name)
    return _explain(machine, options) if options.action == "explain" else _show(machine, options)


def _system(options: argparse.Namespace) -> int:
    system = trainyard.load_system(options.name)
    if options.action == "explain":
        figures = {figure["key"]: figure for figure in system.provenance()}
        if options.key not in figures:
            return _explain(system.chip, options)
        figure = figures[options.key]
        text = (
            f"{figure['key']} = {figure['value']} {figure['unit']} ({figure['kind']})\n"
            f"  range: {figure['low']} .. {figure['high']} {figure['unit']}\n"
            f"  source: {figure['source']}"
        )
        document = {"machine": system.name, "figure": figure}
        return output.show(options.json, "trainyard.figure/1", document, [text])
    system = system.with_overrides(options.overrides)
    drawn = topology.describe(system)
    if options.svg:
        write_whole(options.svg, topology.svg(drawn).encode())
    figures = system.provenance()
    lines = list(topology.lines(drawn))
    if options.provenance or not options.topology:
        lines += ["", *_lines(figures, options.provenance)]
    return output.show(
        options.json, "trainyard.system/1", {"topology": drawn, "figures": figures}, lines
    )


def _compared(options: argparse.Namespace) -> int:
    """A machine that is only compared with: its levels, as its file has them."""
    if options.name not in _core.accelerators():
        trainyard.load_machine(options.name)  # says which there are
    document = json.loads(_core.accelerator_document(options.name))
    lines = topology.compared_lines(document)
    return output.show(options.json, "trainyard.compared_topology/1", document, lines)


def _show(machine: Any, options: argparse.Namespace) -> int:
    if options.overrides:
        machine = machine.with_overrides(options.overrides)
    if options.topology:
        chip = topology.chip(machine)
        return output.show(
            options.json, "trainyard.chip/1", chip, topology.chip_lines(machine.title, chip)
        )
    warnings = questions.warnings_of(options.overrides, machine)
    output.warn(warnings)
    figures = machine.provenance()
    document = {
        "name": machine.name,
        "title": machine.title,
        "hash": f"{machine.hash:016x}",
        "figures": figures,
        "warnings": warnings,
    }
    lines = [f"{machine.name}: {output.plain(machine.title)}", *_lines(figures, options.provenance)]
    return output.show(options.json, "trainyard.machine/1", document, lines)


def _lines(figures: list[dict[str, Any]], provenance: bool) -> Iterator[str]:
    width = max(len(figure["key"]) for figure in figures)
    for figure in figures:
        line = f"{figure['key']:{width}}  {figure['value']} {figure['unit']}".rstrip()
        if provenance:
            effect = figure.get("effect", "timing")
            changes = "no effect" if effect == "none" else effect
            line = f"{line:{width + 24}}  {figure['kind']:9}  {changes:10}  {figure['source']}"
        yield line


def _explain(machine: Any, options: argparse.Namespace) -> int:
    text = machine.explain(options.key)
    figure = next(figure for figure in machine.provenance() if figure["key"] == options.key)
    document = {"machine": machine.name, "figure": figure}
    return output.show(options.json, "trainyard.figure/1", document, [text])
