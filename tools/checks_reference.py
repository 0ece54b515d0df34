"""Writes docs/reference/checks.md from the table of checks.

PYTHONPATH=build/release/python python tools/checks_reference.py
"""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

from pathlib import Path

from trainyard import findings
from trainyard.commands import explain

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/checks.md"

HEAD = """\
# Checks

Made from the table in `src/checks` by `tools/checks_reference.py`; do not edit.

Checks are on wherever a kernel computes values: in calls, `trainyard run`, `time`, `profile`, `check`, and `kernel.bench` with
`values=True`. They change neither values nor time. One switch turns them off: `--no-checks`, `TRAINYARD_CHECKS=0` in the
environment, or `settings.using(checks=False)` in a script.

An **error** raises an exception at once; `trainyard check` lists all of them instead. **Warnings** and **notes** never stop a run
unless asked: `--fail-on warning`, or `settings.using(stop_at="warning")`. A kernel's `Result.findings` holds them all. In plain
Python each warning is a `trainyard.FindingWarning` at its source line, as any Python warning: shown once, hidden by
`warnings.simplefilter("ignore", trainyard.FindingWarning)`, an exception with `"error"`; its `finding` is the dictionary.

A finding says which rule is broken, at which source line with call stack and loop indices, what was found, who is involved (who
wrote, who read, on which engine or queue and, in a timed run, when), and a fix. Findings at the same lines are counted together.

To suppress findings, write `# trainyard: ignore[ID]` behind the line (its own line, or any line of its call stack; several ids
with commas; without brackets all), or pass `--suppress ID` or `settings.using(suppress=("ID",))`. An id may be a family. What
raises InputError (trace, compile) cannot be suppressed: there is no program to run.

`trainyard explain ID` prints what is below for one check. Exit codes, and the JSON and SARIF forms: [command.md](command.md).
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


if __name__ == "__main__":
    PAGE.write_text(page())
