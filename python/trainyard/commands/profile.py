"""trainyard profile: the full trace, the report and a Perfetto file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from trainyard import questions
from trainyard.commands import scripts, terminal, time
from trainyard.files import write_whole
from trainyard.result import Result

NAME = "profile"
HELP = "record a script's kernels: a trace, a Perfetto file and a report that explains their time"
EXAMPLES = (
    (
        "trainyard profile --what-if hbm.bandwidth=x1.5 --what-if tensor.clock=x2 script.py",
        "and what the time would be on two other machines",
    ),
    (
        "trainyard profile --output build/profile kernels.py:softmax 'x=float32[128,512]'",
        "writes softmax.json, softmax.tytrace and more, for trainyard view build/profile; "
        "softmax.pftrace opens in ui.perfetto.dev",
    ),
    (
        "trainyard profile --plot --output build/profile examples/first.py",
        "and pictures of it: half_exp.timeline.svg and half_exp.roofline.svg",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--output",
        default=".",
        metavar="DIR",
        help="where KERNEL.tytrace, KERNEL.pftrace, KERNEL.json and KERNEL.details.json go, and "
        "of a JAX program of several devices NAME.devices.json, which ui.perfetto.dev opens "
        "(default: here); later calls of the same kernel are KERNEL.1, KERNEL.2 ...",
    )
    parser.add_argument(
        "--plot",
        action="store_true",
        help="also write KERNEL.timeline.svg and KERNEL.roofline.svg",
    )
    parser.add_argument(
        "--html",
        action="store_true",
        help="also write KERNEL.html: the page of trainyard view, without other files",
    )
    time.add_no_values(parser)
    scripts.add_check_arguments(parser, optional=True)
    time.add_questions(parser)
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    stems = scripts.Stems(options.output)

    def save(result: Result) -> None:
        with time.asked(options, result, questions.UNASKED_MAX):
            if not options.json:
                print(terminal.shown(str(result), sys.stdout), flush=True)
            scripts.tell_findings(result)
            stem = stems.next(result.name)
            written = result.save(stem)
            written += result.save_plots(stem) if options.plot else []
            written += result.save_html(stem) if options.html else []
            for path in written:
                print(f"wrote {path}", file=sys.stderr)

    outcome = scripts.execute(
        options,
        save,
        timed=True,
        values=not options.no_values,
        **scripts.check_settings(options),
        record=True,
    )
    plans = scripts.Stems(options.output)
    for one in outcome.jax.devices_runs if outcome.jax else ():
        path = Path(f"{plans.next(one.name)}.devices.json")
        write_whole(path, one.trace().encode())
        print(f"wrote {path}", file=sys.stderr)
    return outcome.finish(options)
