"""trainyard check: memory, accumulation and race checks."""

from __future__ import annotations

import argparse

import trainyard
from trainyard import findings, sarif
from trainyard.commands import exit_codes, output, scripts

NAME = "check"
HELP = (
    "run a script's kernels with every check and list the findings; exit code 1 if one is "
    "an error (with --fail-on warning: or a warning)"
)
EXAMPLES = (
    (
        "trainyard check kernels.py:softmax 'x=float32[128,512]'",
        "reads of unwritten memory, races, misuse of PSUM, indices out of bounds",
    ),
    ("trainyard check --json script.py", "the findings as data"),
    (
        "trainyard check --sarif --suppress dma script.py",
        "for code hosts and editors, without the DMA checks",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--sarif", action="store_true", help="one SARIF 2.1.0 document on stdout (OASIS)"
    )
    parser.add_argument(
        "--least",
        choices=findings.SEVERITIES,
        default="note",
        help="list findings of this severity and worse (default: note, all of them)",
    )
    scripts.add_check_arguments(parser)
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if options.json and options.sarif:
        raise trainyard.UsageError("--json and --sarif are two documents; ask for one of them")
    options.json = options.json or options.sarif
    options.schedule = options.schedule or "author"  # the order that one reads
    outcome = scripts.execute(options, timed=True, checks=True, stop_at=None, overflows=True)
    found = [one for result in outcome.results for one in result.findings]
    failure = outcome.failure
    if failure is not None and failure.violations:  # what stops a kernel is a finding like others
        found += failure.findings
        outcome.failure = failure = None
    bad = findings.at_least(found, options.fail_on)
    shown = findings.at_least(found, options.least)
    if options.sarif:
        output.write_document(sarif.document(shown))
    elif options.json:
        output.write_json(
            "trainyard.check/1",
            {
                "kernels": len(outcome.results),
                "findings": shown,
                "error": failure.as_dict() if failure else None,
            },
        )
    else:
        for one in sorted(shown, key=lambda one: -findings.SEVERITIES.index(one["severity"])):
            print(findings.describe(one))
        calls = output.count(len(outcome.results), "kernel call")
        unfinished = ", then the script failed" if failure else ""
        print(f"{calls} finished, {findings.summary(found)}{unfinished}")
    outcome.complain()
    if failure is not None:
        return failure.code
    return exit_codes.FINDINGS if bad else exit_codes.OK
