"""trainyard time: how long kernels take, and what bounds them."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import trainyard
from trainyard import differences, interrupts, questions
from trainyard.commands import diff, exit_codes, scripts, terminal, time_trace
from trainyard.differences import conditions
from trainyard.differences.runs import diff_runs
from trainyard.result import Result

NAME = "time"
HELP = "simulate a script's kernels in time and print each one's duration, bound and engine use"
EXAMPLES = (
    (
        "trainyard time kernels.py:softmax 'x=float32[128,512]'",
        "how long one kernel takes on random data, and why",
    ),
    (
        "trainyard time --set hbm.bandwidth=x2 script.py",
        "would twice the memory bandwidth help?",
    ),
    (
        "trainyard time --what-if all --interval kernels.py:softmax 'x=float32[128,512]'",
        "what would help most, and how certain is the time?",
    ),
    ("trainyard time --no-values --json script.py", "faster, and as data"),
    (
        "trainyard time --machine trn3-gen2 --ranks 64 trace.et cast=bf16",
        "a Chakra execution trace of a GPU's training step, on 64 chips",
    ),
    (
        "trainyard time --baseline main.json --fail-if 'time>+2%' script.py",
        "for continuous integration: compare with an earlier output of trainyard time "
        "--json, and exit with code 1 if a kernel takes over 2 % longer",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add_no_values(parser)
    scripts.add_check_arguments(parser, optional=True)
    add_questions(parser)
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="compare each kernel call with the same call of an earlier run: the output of "
        "trainyard time --json, or a report of trainyard profile",
    )
    diff.add_fail_if(parser)
    scripts.add_arguments(parser)


def add_questions(parser: argparse.ArgumentParser) -> None:
    """What can be asked about each kernel's time."""
    parser.add_argument(
        "--interval",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="show the range of the time over the documented ranges of unpublished figures "
        "(default: only in profile, if it takes a few seconds at most)",
    )
    parser.add_argument(
        "--what-if",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="also time the same program on a changed machine, for example hbm.bandwidth=x1.5 "
        "or a=1,b=2; 'all' uses a built-in list; may be repeated; gains are ranked",
    )


@contextlib.contextmanager
def asked(options: argparse.Namespace, result: Result, unasked_max: int = 0) -> Iterator[None]:
    """Asks what to try next, and what the options say; without a word about the interval, where it
    is cheap enough.

    Ctrl-C ends the questions at once, and the command once the block has told of the result.
    """
    unasked = options.interval is None and unasked_max > 0
    interrupted = None
    try:
        result.ask(advice=True, instructions_max=questions.UNASKED_MAX)
        result.ask(
            interval=bool(options.interval) or unasked,
            what_if=options.what_if,
            instructions_max=unasked_max if unasked else 0,
        )
    except KeyboardInterrupt as error:
        interrupted = error
        print(
            f"{result.name}: finished, but the further questions were interrupted", file=sys.stderr
        )
    with interrupts.held():
        yield
    if interrupted is not None:
        raise interrupted


def add_no_values(parser: argparse.ArgumentParser) -> None:
    """The option that leaves the arithmetic out."""
    parser.add_argument(
        "--no-values",
        action="store_true",
        help="skip the arithmetic, and with it the checks: faster, and outputs are zeros",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if time_trace.is_trace(options.script):
        return time_trace.run(options)
    wanted = conditions.parsed(options.fail_if)
    if options.baseline is None and (relative := [one.text for one in wanted if one.relative]):
        raise trainyard.UsageError(f"{relative[0]!r} needs --baseline FILE to compare with")
    baseline = None if options.baseline is None else differences.runs_of(options.baseline)

    def show(result: Result) -> None:
        with asked(options, result):
            if not options.json:
                print(terminal.shown(str(result), sys.stdout), flush=True)
            scripts.tell_findings(result)

    outcome = scripts.execute(
        options,
        show,
        timed=True,
        values=not options.no_values,
        **scripts.check_settings(options),
    )
    more, code = _compared(options, outcome, baseline, wanted)
    return outcome.finish(options, more) or code


def _compared(
    options: argparse.Namespace,
    outcome: scripts.Outcome,
    baseline: list[differences.Run] | None,
    wanted: list[differences.Condition],
) -> tuple[dict[str, Any], int]:
    """Fields of the JSON document that say what changed, which conditions hold; the exit code."""
    if not outcome.results or (baseline is None and not wanted):
        return {}, exit_codes.OK
    runs = differences.runs_of(outcome.results)
    more: dict[str, Any] = {}
    if baseline is None:
        judgements = differences.judge(wanted, runs)
    else:
        found = diff_runs(baseline, runs)
        judgements = found.judge(wanted)
        more["baseline"] = found.as_dict()
        if not options.json:
            print(f"Against {options.baseline}\n")
            text = found.text(width=terminal.width(sys.stdout))
            print(terminal.shown(text, sys.stdout), end="")
    more["conditions"] = [one.as_dict() for one in judgements]
    return more, diff.tell(judgements)
