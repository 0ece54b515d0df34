"""Writes docs/reference/checks.md and errors.md from the tables in src/checks and src/isa.

PYTHONPATH=build/release/python python tools/checks_reference.py
"""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

from pathlib import Path

from trainyard import _core, findings
from trainyard.commands import explain

REFERENCE = Path(__file__).resolve().parents[1] / "docs/reference"

HEAD = """\
# Checks

Made from the table in `src/checks` by `tools/checks_reference.py`; do not edit.

Checks are on whenever a kernel computes values: in calls, `trainyard run`, `time`, `profile`, `check`, and `kernel.bench` with
`values=True`. They change neither values nor time. One switch turns them off: `--no-checks`, `TRAINYARD_CHECKS=0` in the
environment, or `settings.using(checks=False)` in a script.

An **error** raises an exception at once; `trainyard check` lists all of them instead. **Warnings** and **notes** never stop a run
unless asked: `--fail-on warning`, or `settings.using(stop_at="warning")`. A kernel's `Result.findings` holds them all. In plain
Python each warning is a `trainyard.FindingWarning` at its source line, as any Python warning: shown once, hidden by
`warnings.simplefilter("ignore", trainyard.FindingWarning)`, an exception with `"error"`; its `finding` is the dictionary.

A finding says which rule is broken, at which source line with call stack and loop indices, what was found, the
instructions involved (which wrote, which read, on which engine or queue and, in a timed run, when), and a fix. Findings at the same lines are counted together.

To suppress findings, write `# trainyard: ignore[ID]` at the end of the line (its own line, or any line of its call stack; separate
several ids by commas; without brackets, all checks), or pass `--suppress ID` or `settings.using(suppress=("ID",))`. An id may be a family.
InputErrors (trace, compile) cannot be suppressed, since there is no program to run.

`trainyard explain ID` prints the entry of one check. Exit codes, and the JSON and SARIF forms: [command.md](command.md).
"""


def page() -> str:
    """The page docs/reference/checks.md."""
    checks = list(findings.registry().values())
    lines = [HEAD, "| id | severity | found | title |", "|---|---|---|---|"]
    lines += [
        f"| [{check['id']}](#{check['id'].replace('.', '')}) | {check['severity']} | "
        f"{check['stage']} | {check['title']} |"
        for check in checks
    ]
    for check in checks:
        lines += [
            "",
            f"## {check['id']}",
            "",
            f"**{check['title']}** ({check['severity']}). {_sentence(check['rule'])}",
            check["why"],
            "",
            f"* fix: {check['fix']}",
            f"* found: {explain.STAGES[check['stage']]}",
            f"* source: {check['source']}",
        ]
        if check["example"]:
            lines += ["", "```python", check["example"].rstrip("\n"), "```"]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


ERRORS_HEAD = """\
# Errors

Made from the tables in `src/checks` and `src/isa/instructions` by `tools/checks_reference.py`; do not edit.

An error begins with a label: the name of the rule that is broken, the same in the text, in `error.violations`, in JSON and here.
`trainyard explain LABEL` prints its rule, the reason, a fix and an example. Labels of findings: [checks.md](checks.md).
"""


def errors_page() -> str:
    """The page docs/reference/errors.md."""
    lines = [ERRORS_HEAD]
    for label in _core.error_labels():
        lines += [
            f"## {label['id']}",
            "",
            f"{_sentence(label['rule'])} {label['why']}",
            "",
            f"* fix: {label['fix']}",
            f"* breaks it: `{label['example']}`",
            "",
        ]
    lines += ["## Rules of instructions", "", "| label | rule | fix |", "|---|---|---|"]
    lines += [
        f"| {label} | {_in_a_cell(rule)} | {_in_a_cell(instruction['fixes'][label])} |"
        for instruction in _core.instruction_schema()
        for label, rule in instruction["constraints"]
    ]
    return "\n".join(lines) + "\n"


def _in_a_cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    (REFERENCE / "checks.md").write_text(page())
    (REFERENCE / "errors.md").write_text(errors_page())
