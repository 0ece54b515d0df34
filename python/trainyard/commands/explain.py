"""trainyard explain: what a check means, why it is one, and what to do."""

from __future__ import annotations

import argparse
import difflib
import textwrap
from typing import Any

import trainyard
from trainyard import _core, findings
from trainyard.commands import exit_codes, output

NAME = "explain"
HELP = "explain a check or a rule: what must hold, why, its source, a fix, an example"
EXAMPLES = (
    ("trainyard explain", "every check in one line"),
    ("trainyard explain memory.unwritten", "what it means, with a kernel that has the mistake"),
    ("trainyard explain nc_matmul.c17", "a rule of an instruction"),
)

STAGES = {
    "trace": "while the kernel's function runs; the line raises InputError",
    "compile": "before the program runs; raises InputError",
    "lint": "on the compiled program of every checked run",
    "run": "while values are computed; the first error raises a Fault",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "id", nargs="?", help="a check, a family of checks, or an instruction's rule"
    )
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    chosen = _chosen(options.id)
    if options.json:
        output.write_json("trainyard.checks/1", {"checks": chosen})
    elif len(chosen) == 1:
        print(_in_full(chosen[0]))
    else:
        for check in chosen:
            print(f"{check['id']:22} {check['severity']:8} {check['title']}")
    return exit_codes.OK


def _chosen(name: str | None) -> list[dict[str, Any]]:
    checks = findings.registry()
    if name is None:
        return list(checks.values())
    if name in checks:
        return [checks[name]]
    rules = _rules()
    found = [one for one in [*checks.values(), *rules] if name in (one["family"], one["id"])]
    if not found:
        near = difflib.get_close_matches(name, [*checks, *(one["id"] for one in rules)], 1)
        advice = f"did you mean {near[0]}?" if near else "see trainyard explain"
        raise trainyard.UsageError(f"there is no check {name}; {advice}")
    return found


def _rules() -> list[dict[str, Any]]:
    """The rules of the instructions in the form of checks; their families are the mnemonics."""
    return [
        {
            "id": label,
            "family": instruction["mnemonic"],
            "severity": "error",
            "stage": "trace",
            "title": rule,
            "rule": rule,
            "why": f"{instruction['mnemonic']}: {instruction['summary']}.",
            "source": instruction["source"],
            "fix": "",
            "example": "",
        }
        for instruction in _core.instruction_schema()
        for label, rule in instruction["constraints"]
    ]


def _in_full(check: dict[str, Any]) -> str:
    lines = [
        f"{check['id']} ({check['severity']}): {check['title']}",
        "",
        *textwrap.wrap(f"Rule: {check['rule']}." if check["rule"] != check["title"] else "", 100),
        *textwrap.wrap(check["why"], 100),
        "",
    ]
    if check["fix"]:
        lines += textwrap.wrap(f"Fix: {check['fix']}.", 100)
    lines += [f"Found: {STAGES[check['stage']]}.", f"Source: {check['source']}."]
    if check["example"]:
        lines += ["", "For example, of x, float32 [128, 512]:", ""]
        lines += textwrap.indent(check["example"].rstrip("\n"), "    ").splitlines()
    return "\n".join(lines)
