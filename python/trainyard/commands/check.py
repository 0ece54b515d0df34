"""trainyard check: memory, accumulation and race checks."""

from __future__ import annotations

import argparse

import trainyard
from trainyard.commands import exit_codes, scripts
from trainyard.result import violation_as_dict

NAME = "check"
HELP = (
    "run a script's kernels with every check and list what is wrong; exit code 1 when anything is"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    findings: list[dict[str, str]] = []
    calls = 0
    try:
        results = scripts.execute(options, timed=True, checks=True, keep_findings=1000)
        calls = len(results)
        findings = [finding for result in results for finding in result.findings]
    except (trainyard.InputError, trainyard.Fault) as error:
        findings = [violation_as_dict(violation) for violation in error.violations]
    if options.json:
        scripts.write_json({"schema": "trainyard.check/1", "kernels": calls, "findings": findings})
    else:
        for finding in findings:
            print(scripts.describe_finding(finding))
        print(f"{calls} kernel calls checked, {len(findings)} findings")
    return exit_codes.FINDINGS if findings else exit_codes.OK
