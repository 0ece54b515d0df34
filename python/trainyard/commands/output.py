"""What subcommands print, for people and as JSON."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Iterable
from typing import Any

from trainyard import interrupts
from trainyard.commands import exit_codes


class InterruptedBehindDocument(KeyboardInterrupt):
    """Ctrl-C, which waited for the end of a document on stdout: nothing may follow it."""


class _Unbuffered(io.FileIO):
    """A standard output without a buffer, which remembers that a write failed."""

    has_failed = False

    def write(self, data: Any) -> int | None:
        try:
            return super().write(data)
        except OSError:
            self.has_failed = True
            raise


def _shown(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a stream cannot write: \\xNN for a byte of a file's name."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    escaped = (f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in text)
    shown = "".join(escaped).encode(error.encoding, "backslashreplace")
    return shown.decode(error.encoding), error.end


codecs.register_error("trainyard.shown", _shown)


def watch_streams() -> None:
    """Makes has_failed() work where Python has no buffer that keeps what was not written, and
    names of files in any encoding printable as `shown_name` has them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "backslashreplace"):
            stream.reconfigure(errors="trainyard.shown")
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.FileIO):
        watched = _Unbuffered(raw.fileno(), "w", closefd=False)
        watched.name = raw.name
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        sys.stdout = io.TextIOWrapper(watched, encoding, errors, write_through=True)


def has_failed() -> bool:
    """Whether something could not be written to the standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return getattr(getattr(sys.stdout, "buffer", None), "has_failed", False)


def write_json(schema: str, fields: dict[str, Any]) -> None:
    """Prints a document whose first field, `schema`, names its form and version."""
    write_document({"schema": schema} | fields)


def write_document(document: dict[str, Any]) -> None:
    """Prints a document whose form others have defined, whole, or nothing."""
    text = json.dumps(document, indent=1)
    try:
        with interrupts.held():
            print(text, flush=True)
    except KeyboardInterrupt as error:
        raise InterruptedBehindDocument from error


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
