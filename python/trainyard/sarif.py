"""Findings in the form that editors and code hosts read: SARIF 2.1.0 (OASIS)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from trainyard import __version__, findings

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_FRAME = re.compile(r"(?:\s*called from )?(?P<file>.+?):(?P<line>\d+) in (?P<function>[^,]+)")


def document(found: list[findings.Finding]) -> dict[str, Any]:
    """One log with one run. Places are relative to the working directory where they lie in it."""
    labels = list(dict.fromkeys(one["label"] for one in found))
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "trainyard",
                        "version": __version__,
                        "rules": [_rule(label, found) for label in labels],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, labels.index(one["label"])) for one in found],
            }
        ],
    }


def _rule(label: str, found: list[findings.Finding]) -> dict[str, Any]:
    check = findings.registry().get(label)
    if check is None:  # a rule of an instruction
        one = next(one for one in found if one["label"] == label)
        return {"id": label, "shortDescription": {"text": one["rule"]}}
    return {
        "id": label,
        "name": "".join(word.capitalize() for word in re.split(r"[._]", label)),
        "shortDescription": {"text": check["rule"]},
        "fullDescription": {"text": check["why"]},
        "help": {"text": f"{check['fix']}. Source: {check['source']}."},
        "defaultConfiguration": {"level": check["severity"]},
    }


def _result(one: findings.Finding, index: int) -> dict[str, Any]:
    text = "; ".join(part for part in (one["rule"], one["found"], one["fix"]) if part)
    result: dict[str, Any] = {
        "ruleId": one["label"],
        "ruleIndex": index,
        "level": one["severity"],
        "message": {"text": text},
        "occurrenceCount": one["count"],
        "properties": {"place": one["place"], "sides": one["sides"]},
    }
    frames = _frames(one["place"])
    if frames:
        result["locations"] = [_location(frames[0])]
        if len(frames) > 1:
            result["stacks"] = [{"frames": [{"location": _location(f)} for f in frames]}]
    related = []
    for number, side in enumerate(one["sides"], 1):
        if frames := _frames(side["place"]):
            message = f"{side['role']}: {findings.describe_side(side)}"
            related.append(_location(frames[0]) | {"id": number, "message": {"text": message}})
    if related:
        result["relatedLocations"] = related
    return result


def _frames(place: str) -> list[re.Match[str]]:
    """The call stack of a place, innermost first."""
    return [frame for line in place.splitlines() if (frame := _FRAME.match(line))]


def _location(frame: re.Match[str]) -> dict[str, Any]:
    path = Path(frame["file"])
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri},
            "region": {"startLine": int(frame["line"])},
        },
        "logicalLocations": [{"name": frame["function"].strip(), "kind": "function"}],
    }
