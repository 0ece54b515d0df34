"""What an exception means to who typed the command: whose fault it is, in words, as data, as an
exit code."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, field
from typing import Any

import trainyard
from trainyard.commands import exit_codes
from trainyard.result import violation_as_dict


class ScriptError(Exception):
    """The user's script raised its `__cause__`."""


@dataclass
class Failure:
    """An exception, explained."""

    code: int
    kind: str  # "usage", "input", "fault", "script", "interrupted", "output", "internal"
    text: str  # what goes to stderr
    violations: list[dict[str, str]] = field(default_factory=list)

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
        return _explain_script(error.__cause__)
    if isinstance(error, trainyard.UsageError):
        return Failure(exit_codes.USAGE, "usage", f"trainyard: {error}")
    if isinstance(error, trainyard.InputError):
        violations = [violation_as_dict(violation) for violation in error.violations]
        capacity = any(v["label"] in exit_codes.CAPACITY_LABELS for v in violations)
        code = exit_codes.DOES_NOT_FIT if capacity else exit_codes.INVALID_INPUT
        return Failure(code, "input", f"error: {error}".rstrip(), violations)
    if isinstance(error, trainyard.Fault):
        violations = [violation_as_dict(violation) for violation in error.violations]
        refused = error.category in ("unsupported", "unimplemented", "missing_specification")
        code = exit_codes.DOES_NOT_FIT if refused else exit_codes.FAULT
        return Failure(code, "fault", f"error: {error}".rstrip(), violations)
    if isinstance(error, KeyboardInterrupt):
        return Failure(exit_codes.INTERRUPTED, "interrupted", "trainyard: interrupted")
    if isinstance(error, BrokenPipeError):
        return Failure(exit_codes.CLOSED_PIPE, "output", "")
    if isinstance(error, OSError):
        what = error.filename or "the standard output"
        return Failure(
            exit_codes.CANNOT_WRITE, "output", f"trainyard: cannot write {what}: {error.strerror}"
        )
    text = "".join(traceback.format_exception(error))
    return Failure(
        exit_codes.INTERNAL,
        "internal",
        f"{text}trainyard {trainyard.__version__}: this is a bug of Trainyard; please report the "
        f"text above and the command: {' '.join(sys.argv)}",
    )


def _explain_script(error: BaseException) -> Failure:
    if isinstance(error, (trainyard.InputError, trainyard.Fault, KeyboardInterrupt)):
        return explain(error)
    if isinstance(error, RuntimeError) and str(error).startswith("internal error"):
        return explain(error)
    if isinstance(error, BrokenPipeError) and _stdout_is_closed():
        return explain(error)
    if isinstance(error, SystemExit):
        why = f"exited with {error.code}" if isinstance(error.code, int) else str(error.code)
        return Failure(exit_codes.SCRIPT_FAILED, "script", f"trainyard: the script {why}")
    text = "".join(traceback.format_exception(error.with_traceback(_from_the_script(error))))
    return Failure(
        exit_codes.SCRIPT_FAILED, "script", f"{text}trainyard: the script failed, see above"
    )


def _stdout_is_closed() -> bool:
    """Whether it was our output whose reader left: what could not be written is still there."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return True
    return False


def _from_the_script(error: BaseException) -> Any:
    """The traceback without our own frames and the interpreter's between us and the script."""
    ours = ("trainyard.commands.", "runpy", "importlib.")
    frames = error.__traceback__
    while frames is not None:
        name = frames.tb_frame.f_globals.get("__name__", "")
        if not name.startswith(ours) and "<frozen" not in frames.tb_frame.f_code.co_filename:
            return frames
        frames = frames.tb_next
    return None
