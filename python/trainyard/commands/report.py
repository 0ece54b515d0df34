"""trainyard report: what a recorded trace tells."""

from __future__ import annotations

import argparse
import json
import sys

from trainyard import _core
from trainyard.commands import exit_codes, output, terminal
from trainyard.files import read_whole, shown_name, write_whole

NAME = "report"
HELP = "read a .tytrace file again: where the time went, by engine and by source line"
EXAMPLES = (
    ("trainyard report build/profile/softmax.tytrace", "the tables of the profile, later"),
    (
        "trainyard report --perfetto softmax.pftrace softmax.tytrace",
        "also write it for ui.perfetto.dev",
    ),
)
FIELDS = ("run", "duration_ns", "duration_ticks", "ticks_per_ns", "bound", "tracks", "lines")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("file", help="a trace, as written by trainyard profile")
    parser.add_argument("--perfetto", metavar="FILE", help="also write a Perfetto file there")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    content = read_whole(options.file)
    if options.json:
        report = json.loads(_core.trace_json(content, shown_name(options.file)))
        output.write_json("trainyard.trace/1", {field: report[field] for field in FIELDS})
    else:
        text = _core.trace_text(content, shown_name(options.file))
        print(terminal.shown(text, sys.stdout), end="")
    if options.perfetto:
        write_whole(options.perfetto, _core.trace_perfetto(content, shown_name(options.file)))
        print(f"wrote {options.perfetto}", file=sys.stderr)
    return exit_codes.OK
