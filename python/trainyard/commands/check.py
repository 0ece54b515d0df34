"""trainyard check: memory, accumulation and race checks."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes, output, scripts

NAME = "check"
HELP = (
    "run a script's kernels with every check and list what is wrong; exit code 1 when anything is"
)
EXAMPLES = (
    (
        "trainyard check kernels.py:softmax 'x=float32[128,512]'",
        "reads of unwritten memory, races, misuse of PSUM, indices out of bounds",
    ),
    ("trainyard check --json script.py", "the findings as data, for editors and CI"),
)
FINDINGS_MAX = 1000  # of one kernel call


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    outcome = scripts.execute(options, timed=True, checks=True, keep_findings=FINDINGS_MAX)
    findings = [finding for result in outcome.results for finding in result.findings]
    failure = outcome.failure
    if failure is not None and failure.violations:  # what stops a kernel is a finding like others
        findings += failure.violations
        outcome.failure = failure = None
    if options.json:
        output.write_json(
            "trainyard.check/1",
            {
                "kernels": len(outcome.results),
                "findings": findings,
                "error": failure.as_dict() if failure else None,
            },
        )
    else:
        for finding in findings:
            print(output.describe_finding(finding))
        calls = output.count(len(outcome.results), "kernel call")
        unfinished = ", then the script failed" if failure else ""
        print(f"{calls} finished, {output.count(len(findings), 'finding')}{unfinished}")
    outcome.complain()
    if failure is not None:
        return failure.code
    return exit_codes.FINDINGS if findings else exit_codes.OK
