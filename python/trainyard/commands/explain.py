"""trainyard explain: what a check, a rule or the label of an error means, and what to do."""

from __future__ import annotations

import argparse
import difflib
import textwrap
from typing import Any

import trainyard
from trainyard import _core, findings
from trainyard.commands import exit_codes, output

NAME = "explain"
HELP = "explain a check, a rule or an error's label: what must hold, why, a fix, an example"
EXAMPLES = (
    ("trainyard explain", "every check in one line"),
    ("trainyard explain memory.unwritten", "what it means, with a kernel that has the mistake"),
    ("trainyard explain nc_matmul.c17", "a rule of an instruction"),
    ("trainyard explain view.reshape", "any other label that an error begins with"),
)

STAGES = {
    "trace": "while the kernel's function runs; the line raises InputError",
    "compile": "before the program runs; raises InputError",
    "lint": "on the compiled program of every checked run",
    "run": "while values are computed; the first error raises a Fault",
    "error": "where the mistake is; raises InputError",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("id", nargs="?", help="a check, a rule or a label, or a family of them")
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
    known = everything()
    found = [one for one in known.values() if name in (one["family"], one["id"])]
    if not found:
        near = difflib.get_close_matches(name, list(known), 1)
        advice = f"did you mean {near[0]}?" if near else "see trainyard explain"
        raise trainyard.UsageError(f"there is no check {name}; {advice}")
    return found


def everything() -> dict[str, dict[str, Any]]:
    """All that an error or a finding can be called, by id, each in the form of a check."""
    return findings.registry() | {one["id"]: one for one in [*_rules(), *_labels()]}


def _labels() -> list[dict[str, Any]]:
    """The labels of errors that are no checks and no instructions' rules."""
    return [
        {
            **label,
            "family": label["id"].split(".")[0],
            "severity": "error",
            "stage": "error",
            "title": label["rule"],
            "source": "",
        }
        for label in _core.error_labels()
    ]


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
            "fix": instruction["fixes"][label],
            "example": _call(instruction),
        }
        for instruction in _core.instruction_schema()
        for label, rule in instruction["constraints"]
    ]


def _call(instruction: dict[str, Any]) -> str:
    """How an instruction is called, the operands that need not be given left out."""
    needed = [one["name"] for one in instruction["operands"] if not one["default"]]
    return f"{instruction['mnemonic']}({', '.join(f'{name}={name}' for name in needed)})"


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
    lines.append(f"Found: {STAGES[check['stage']]}.")
    if check["source"]:
        lines.append(f"Source: {check['source']}.")
    if check["example"]:
        of_x = ", of x, float32 [128, 512]" if "\n" in check["example"] else ""
        lines += ["", f"For example{of_x}:", ""]
        lines += textwrap.indent(check["example"].rstrip("\n"), "    ").splitlines()
    return "\n".join(lines)
