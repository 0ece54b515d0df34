"""What an exception means to who typed the command: whose fault it is, in words, as data, as an
exit code."""

from __future__ import annotations

import errno
import sys
import sysconfig
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trainyard
from trainyard import files, interrupts
from trainyard.commands import exit_codes, output
from trainyard.findings import of_violation
from trainyard.result import violation_as_dict
from trainyard.tracebacks import FULL_HINT, is_ours, wants_all


class ScriptError(Exception):
    """The user's script raised its `__cause__`."""


@dataclass
class Failure:
    """An exception, explained."""

    code: int
    # "usage", "input", "fault", "script", "interrupted", "timeout", "terminated", "output",
    # "memory", "internal"
    kind: str
    text: str  # what goes to stderr
    violations: list[dict[str, str]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)  # the same with a severity

    def as_dict(self) -> dict[str, Any]:
        """For the field `error` of JSON documents."""
        return {
            "kind": self.kind,
            "exit_code": self.code,
            "message": self.text,
            "violations": self.violations,
        }


def explain(error: BaseException) -> Failure:
    """What `error`, raised anywhere in the command, means."""
    if isinstance(error, ScriptError):
        return _explain_script(error.__cause__ or error)
    if isinstance(error, trainyard.UsageError):
        return Failure(exit_codes.USAGE, "usage", f"trainyard: {error}")
    if isinstance(error, trainyard.InputError):
        violations = [violation_as_dict(violation) for violation in error.violations]
        capacity = any(v["label"] in exit_codes.CAPACITY_LABELS for v in violations)
        code = exit_codes.DOES_NOT_FIT if capacity else exit_codes.INVALID_INPUT
        found = [of_violation(violation) for violation in error.violations]
        return Failure(code, "input", f"error: {error}".rstrip(), violations, found)
    if isinstance(error, trainyard.Fault):
        violations = [violation_as_dict(violation) for violation in error.violations]
        refused = error.category in ("unsupported", "unimplemented", "missing_specification")
        code = exit_codes.DOES_NOT_FIT if refused else exit_codes.FAULT
        found = [of_violation(violation, error.category) for violation in error.violations]
        return Failure(code, "fault", f"error: {error}".rstrip(), violations, found)
    if isinstance(error, KeyboardInterrupt):
        return _explain_interrupt(error)
    if isinstance(error, BrokenPipeError):
        return Failure(exit_codes.CLOSED_PIPE, "output", "")
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        name = str(error.filename)[:40]
        return Failure(exit_codes.USAGE, "usage", f"trainyard: {name}... is too long for a file")
    if isinstance(error, OSError):
        what = error.filename or "the standard output"
        return Failure(
            exit_codes.CANNOT_WRITE, "output", f"trainyard: cannot write {what}: {error.strerror}"
        )
    if isinstance(error, MemoryError):
        text = "trainyard: the memory of this computer, or what it grants, does not suffice"
        return Failure(exit_codes.DOES_NOT_FIT, "memory", text)
    text = "".join(traceback.format_exception(error))
    return Failure(
        exit_codes.INTERNAL,
        "internal",
        f"{text}trainyard {trainyard.__version__}: this is a bug of Trainyard; please report the "
        f"text above and the command: {' '.join(sys.argv)}",
    )


def _explain_interrupt(error: KeyboardInterrupt) -> Failure:
    """What ended the command, and where the run or the script was."""
    code, kind, why = exit_codes.INTERRUPTED, "interrupted", "interrupted"
    if isinstance(error, interrupts.TimedOut):
        code, kind, why = exit_codes.TIMED_OUT, "timeout", str(error)
    elif isinstance(error, interrupts.Terminated):
        code, kind, why = exit_codes.TERMINATED, "terminated", str(error)
    frames = traceback.extract_tb(error.__traceback__)
    library = sysconfig.get_path("stdlib")
    users = [
        frame
        for frame in frames
        if not is_ours(frame.filename) and not frame.filename.startswith(library)
    ]
    notes = getattr(error, "__notes__", [])
    if not notes and users:
        notes = [f"the script was at {users[-1].filename}:{users[-1].lineno}"]
    return Failure(code, kind, ": ".join([f"trainyard: {why}", *notes[:1]]))


def _explain_script(error: BaseException) -> Failure:
    if isinstance(error, (trainyard.InputError, trainyard.Fault, KeyboardInterrupt)):
        return explain(error)
    if isinstance(error, RuntimeError) and str(error).startswith("internal error"):
        return explain(error)
    if isinstance(error, OSError) and error.filename is None and output.has_failed():
        return explain(error)
    if isinstance(error, files.WriteError) or _is_our_lack_of_memory(error):
        return explain(error)
    if isinstance(error, SystemExit):
        why = f"exited with {error.code}" if isinstance(error.code, int) else str(error.code)
        return Failure(exit_codes.SCRIPT_FAILED, "script", f"trainyard: the script {why}")
    return Failure(
        exit_codes.SCRIPT_FAILED,
        "script",
        f"{_traceback_of_the_script(error)}trainyard: the script failed, see above{FULL_HINT}",
    )


def _is_our_lack_of_memory(error: BaseException) -> bool:
    """Whether memory ran out in the core or in a line of Trainyard's, not in one of the script."""
    if not isinstance(error, MemoryError):
        return False
    files_of_lines = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    deciding = [file for file in files_of_lines if is_ours(file) or not _is_of_a_library(file)]
    return str(error) == "std::bad_alloc" or (bool(deciding) and is_ours(deciding[-1]))


def _is_of_a_library(file: str) -> bool:
    """Whether a line is of Python's library, an installed package or compiled code."""
    paths = (sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    return file.startswith(tuple(paths)) or not Path(file).exists()


def _traceback_of_the_script(error: BaseException) -> str:
    """The traceback with the user's lines only, unless the environment asks for all of them."""
    shown = traceback.TracebackException.from_exception(error)
    if not wants_all():
        pending = [shown]
        while pending:
            one = pending.pop()
            users = [frame for frame in one.stack if not is_ours(frame.filename)]
            one.stack = traceback.StackSummary.from_list(users)
            pending += [other for other in (one.__cause__, one.__context__) if other is not None]
    return "".join(shown.format())
