"""What subcommands print, for people and as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any


def write_json(schema: str, fields: dict[str, Any]) -> None:
    """Prints a document whose first field, `schema`, names its form and version."""
    write_document({"schema": schema} | fields)


def write_document(document: dict[str, Any]) -> None:
    """Prints a document whose form others have defined."""
    json.dump(document, sys.stdout, indent=1)
    sys.stdout.write("\n")


def warn(warnings: list[str]) -> None:
    """Says each on stderr."""
    for warning in warnings:
        print(f"trainyard: warning: {warning}", file=sys.stderr)


def count(number: int, noun: str) -> str:
    """ "1 finding", "2 findings", "no findings"."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
