"""trainyard migrate: what changes in a PyTorch script for CUDA."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from trainyard import migration
from trainyard.commands import exit_codes, output
from trainyard.files import read_whole, shown_name, write_whole
from trainyard.usage import UsageError

NAME = "migrate"
HELP = "what changes in a PyTorch script for CUDA, so that it runs on the device neuron"
EXAMPLES = (
    ("trainyard migrate train.py", "list what changes, with its line"),
    ("trainyard migrate train.py --write", "make the changes in the file"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("script", help="a Python file; it is read, not run")
    parser.add_argument("--write", action="store_true", help="make the changes in the file")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand: FINDINGS where something is refused, or changes are not made yet."""
    path = Path(options.script)
    name = shown_name(path)
    try:
        source = read_whole(path).decode("utf-8")
        made = migration.read(source)
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"{name} is no Python script: {error}") from None
    if options.write and made.source != source:
        write_whole(path, made.source.encode("utf-8"))
    changes, refused = made.of_kind("change"), made.of_kind("refused")
    lines = [
        f"{name}:{each.line}:{each.column + 1}: {each.kind}: "
        + (f"{each.old} -> {each.text}" if each.kind == "change" and each.old else "")
        + (f"add {each.text}" if each.kind == "change" and not each.old else "")
        + (f"{each.old}: {each.text}" if each.kind != "change" else "")
        for each in made.findings
    ]
    verb = "made" if options.write else "to make"
    lines.append(
        f"{len(changes)} changes {verb}, {len(refused)} refused, {len(made.of_kind('note'))} notes"
    )
    document = {"written": options.write, "findings": [asdict(each) for each in made.findings]}
    output.show(options.json, "trainyard.migrate/1", document, lines)
    return exit_codes.FINDINGS if refused or (changes and not options.write) else exit_codes.OK
