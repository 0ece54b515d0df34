"""trainyard run: values only, with checks."""

from __future__ import annotations

import argparse
import sys

from trainyard.commands import output, scripts
from trainyard.result import Result

NAME = "run"
HELP = "run a script's kernels on the simulated machine, with values and checks"
EXAMPLES = (
    ("trainyard run attention_test.py", "what the script prints, from simulated kernels"),
    ("trainyard run --machine trn2 script.py --its-own-option", "options of ours come first"),
    (
        "trainyard run kernels.py:softmax 'x=float32[128,512]'",
        "one kernel on random data: is anything wrong with it?",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--save-programs",
        metavar="DIR",
        help="also write each compiled program to DIR as KERNEL.typrog, for trainyard isa "
        "disassemble; later calls of the same kernel are KERNEL.1, KERNEL.2 ...",
    )
    scripts.add_check_arguments(parser, optional=True)
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    checking = scripts.check_settings(options)
    checked = "checks passed" if checking["checks"] else "not checked"

    stems = scripts.Stems(options.save_programs) if options.save_programs else None

    def show(result: Result) -> None:
        if stems is not None:
            for path in result.save_programs(stems.next(result.name)):
                print(f"wrote {path}", file=sys.stderr)
        executed = sum(each.instructions for each in result.runs)
        line = f"{result.name}: {output.count(executed, 'instruction')}, {checked}"
        if ".py:" in options.script and not options.json:
            print(line, flush=True)
        scripts.tell_findings(result)

    return scripts.execute(options, show, **checking).finish(options)
