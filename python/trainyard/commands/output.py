"""What subcommands print, for people and as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any


def write_json(schema: str, fields: dict[str, Any]) -> None:
    """Prints a document whose first field, `schema`, names its form and version."""
    json.dump({"schema": schema} | fields, sys.stdout, indent=1)
    sys.stdout.write("\n")


def describe_finding(finding: dict[str, str]) -> str:
    """A finding as the lines a person reads."""
    lines = [f"{finding['label']}: {finding['rule']}"]
    for part, key in (("at", "place"), ("found", "found"), ("fix", "fix")):
        if finding[key]:
            lines.append(f"  {part}: {finding[key]}")
    return "\n".join(lines)


def count(number: int, noun: str) -> str:
    """ "1 finding", "2 findings", "no findings"."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
