"""What the checks found, as dictionaries: how they are merged, put into words, and suppressed.

A finding has `severity` ("error", "warning", "note"), `category` (of a Fault), `label` (the id of
the check), `rule`, `place`, `found`, `fix`, `count` (how often at its source lines) and `sides`:
who wrote, who read, what was created, each with `role`, `actor`, `what`, `place`, `time_ns`, `run`.

From plain Python a finding that does not stop the kernel, and is at least as bad as "warning", is a
Python warning of category FindingWarning at the author's line, once for each line as Python's
filters have it. `warnings.simplefilter("error", trainyard.FindingWarning)` makes it an exception,
"ignore" hides it; `# trainyard: ignore[ID]` in the kernel and settings.suppress do away with it.
The command and the pytest plug-in show findings in their own way instead.
"""

from __future__ import annotations

import functools
import linecache
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from trainyard import _core

Finding = dict[str, Any]

SEVERITIES = ("note", "warning", "error")
_COMMENT = re.compile(r"#\s*trainyard:\s*ignore(?:\[([^\]]*)\])?")
_PLACE = re.compile(r"(?P<file>.+):(?P<line>\d+) in ")


class FindingWarning(UserWarning):
    """A check found something in a kernel that ran to its end. `finding` is the dictionary."""

    def __init__(self, text: str, finding: Finding | None = None) -> None:
        super().__init__(text)
        self.finding = finding or {}


def warn(findings: Iterable[Finding], kernel: Callable[..., Any]) -> None:
    """Makes warnings of those that are at least as bad as "warning"."""
    code = getattr(kernel, "__code__", None)
    known = getattr(kernel, "__globals__", {}).setdefault("__warningregistry__", {})
    for one in at_least(findings, "warning"):
        place = _PLACE.match(one["place"])
        file = place["file"] if place else getattr(code, "co_filename", "kernel")
        line = int(place["line"]) if place else getattr(code, "co_firstlineno", 1)
        name = getattr(kernel, "__name__", "kernel")
        text = describe(one).removeprefix(f"{one['severity']}: ")
        message = FindingWarning(f"{name}: {text}", one)
        warnings.warn_explicit(message, FindingWarning, file, line, registry=known)


@functools.cache
def registry() -> dict[str, dict[str, str]]:
    """The checks by id, in the order of their families."""
    return {check["id"]: check for check in _core.checks()}


def of_violation(violation: Any, category: str = "") -> Finding:
    """A rule that stopped a kernel, as a finding."""
    parts = {part: getattr(violation, part) for part in ("label", "rule", "place", "found", "fix")}
    sides = violation.sides or _who(parts["place"])
    return {"severity": "error", "category": category} | parts | {"count": 1, "sides": sides}


def _who(place: str) -> list[dict[str, Any]]:
    """The author's function as the one side of a rule that knows no other."""
    if " in " not in place:
        return []
    function = place.splitlines()[0].split(" in ", 1)[1].split(",")[0]
    who = {"role": "runs", "actor": "", "what": function, "place": place}
    return [who | {"time_ns": None, "run": None}]


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Equal findings, as those of the cores of one grid, counted together."""
    known: dict[tuple, Finding] = {}
    for finding in findings:
        key = (finding["label"], finding["place"], finding["found"])
        if key in known:
            known[key]["count"] += finding["count"]
        else:
            known[key] = dict(finding)
    return list(known.values())


def at_least(findings: Iterable[Finding], severity: str) -> list[Finding]:
    """Those that are as bad as `severity`, or worse."""
    least = SEVERITIES.index(severity)
    return [one for one in findings if SEVERITIES.index(one["severity"]) >= least]


def summary(findings: Iterable[Finding]) -> str:
    """ "1 error, 2 warnings", or "no findings"."""
    severities = [finding["severity"] for finding in findings]
    words = [
        f"{number} {severity}{'' if number == 1 else 's'}"
        for severity in reversed(SEVERITIES)
        if (number := severities.count(severity))
    ]
    return ", ".join(words) or "no findings"


def describe(finding: Finding) -> str:
    """A finding as the lines a person reads: what was found, then the rule that it breaks."""
    fault = finding["found"] or finding["rule"]
    lines = [f"{finding['severity']}: {finding['label']}: {fault}"]
    if finding["place"]:
        lines.append(f"  at: {finding['place']}")
    if finding["found"]:
        lines.append(f"  rule: {finding['rule']}")
    lines += [
        f"  {side['role']}: {describe_side(side, side['place'] != finding['place'])}"
        for side in finding["sides"]
    ]
    if finding["fix"]:
        lines.append(f"  fix: {finding['fix']}")
    if finding["count"] > 1:
        lines.append(f"  {finding['count']} times in all; this is the first")
    return "\n".join(lines)


def describe_side(side: dict[str, Any], with_place: bool = True) -> str:
    """One party of a finding in a line."""
    words = side["what"] if side["actor"] else f"'{side['what']}'"
    if side["actor"]:
        words += f" on the {side['actor']}"
    if side["time_ns"] is not None:
        words += f" at {side['time_ns']:.1f} ns"
    if side["run"] is not None:
        words += f", run {side['run']}"
    return f"{words}, {side['place']}" if with_place and side["place"] else words


def comments_in(file: str) -> list[tuple[str, int]]:
    """The suppressions in a source file: (id, line); an id of "" means every check."""
    found = []
    for number, line in enumerate(linecache.getlines(file), 1):
        comment = _COMMENT.search(line) if "trainyard" in line else None
        if comment is not None:
            ids = comment[1].split(",") if comment[1] is not None else [""]
            found += [(one.strip(), number) for one in ids]
    return found


def unknown_ids(ids: Iterable[str]) -> list[str]:
    """Those that are neither a check nor a family."""
    known = set(registry()) | {check["family"] for check in registry().values()}
    return [one for one in ids if one not in known]
