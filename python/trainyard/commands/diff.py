"""trainyard diff: two runs side by side."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from trainyard.commands import exit_codes, output, terminal
from trainyard.differences import Judgement, conditions, diff, words

NAME = "diff"
HELP = "compare two runs: time, bound, waits, bytes, source lines and instructions"
EXAMPLES = (
    (
        "trainyard diff before/softmax.json after/softmax.json",
        "two reports of trainyard profile; with critical paths, whose change adds up to the run's",
    ),
    (
        "trainyard diff --markdown main.json branch.json",
        "what trainyard time --json printed on two branches, for a comment on a pull request",
    ),
    (
        "trainyard diff --page changes.html main.json branch.json",
        "one page; trainyard view of two traces aligns their timelines by source line, too",
    ),
    (
        "trainyard diff --fail-if 'time>+2%' main.json branch.json",
        "exit code 1 if a kernel takes over 2 % longer",
    ),
)
FILES = (
    "a report (.json of trainyard profile), the output of trainyard time --json, or a trace "
    "(.tytrace)"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("before", help=FILES)
    parser.add_argument("after", help="the run to compare with it: the same kinds of file")
    parser.add_argument(
        "--rows",
        type=_positive,
        default=words.ROWS_MAX,
        metavar="N",
        help=f"show the N largest changes of each table (default: {words.ROWS_MAX})",
    )
    parser.add_argument("--markdown", action="store_true", help="Markdown, for a pull request")
    parser.add_argument("--page", metavar="FILE.html", help="also write it as one page")
    add_fail_if(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")


def add_fail_if(parser: argparse.ArgumentParser) -> None:
    """The option that makes a condition on a run an exit code."""
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help=f"exit with code {exit_codes.FINDINGS} where a kernel call meets this condition: "
        f"{conditions.GRAMMAR.replace('%', '%%')}; may be repeated",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 row")
    return number


def tell(judgements: Iterable[Judgement]) -> int:
    """Says on stderr which conditions hold; the exit code that follows."""
    bad = [one for one in judgements if one.holds]
    for one in bad:
        print(f"trainyard: {one}", file=sys.stderr)
    return exit_codes.FINDINGS if bad else exit_codes.OK


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    wanted = conditions.parsed(options.fail_if)
    found = diff(options.before, options.after)
    judgements = found.judge(wanted)
    if options.page:
        words.sheet_of(found).save(options.page)
    if options.json:
        judged = [one.as_dict() for one in judgements]
        output.write_json("trainyard.diff/1", found.as_dict() | {"conditions": judged})
    elif options.markdown:
        print(found.markdown(rows_max=options.rows), end="")
    else:
        text = found.text(rows_max=options.rows, width=terminal.width(sys.stdout))
        print(terminal.shown(text, sys.stdout), end="")
    return tell(judgements)
