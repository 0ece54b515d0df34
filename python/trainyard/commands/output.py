"""What subcommands print, for people and as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from trainyard.commands import exit_codes


def write_json(schema: str, fields: dict[str, Any]) -> None:
    """Prints a document whose first field, `schema`, names its form and version."""
    write_document({"schema": schema} | fields)


def write_document(document: dict[str, Any]) -> None:
    """Prints a document whose form others have defined."""
    json.dump(document, sys.stdout, indent=1)
    sys.stdout.write("\n")


def show(as_json: bool, schema: str, fields: dict[str, Any], text: Iterable[str]) -> int:
    """Prints a document as JSON, or else its lines for people. Returns the exit code."""
    if as_json:
        write_json(schema, fields)
    else:
        print("\n".join(text))
    return exit_codes.OK


def plain(text: str) -> str:
    """Text of a file with its control characters escaped: none may steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def warn(warnings: list[str]) -> None:
    """Says each on stderr."""
    for warning in warnings:
        print(f"trainyard: warning: {warning}", file=sys.stderr)


def count(number: int, noun: str) -> str:
    """ "1 finding", "2 findings", "no findings"."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
