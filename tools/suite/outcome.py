"""What became of a case: from an exception to a status, a reason and a cause to count by."""

from __future__ import annotations

import re
import traceback
from dataclasses import asdict, dataclass

STATUSES = ("pass", "numerics", "unsupported", "error", "timeout", "too_large", "crash", "skip")

# Texts that say a value was compared and differed, of numpy, torch, pytest and nki-library.
_NUMERIC = (
    "Validation failed for",
    "Not equal to tolerance",
    "Arrays are not equal",
    "Arrays are not almost equal",
    "Tensor-likes are not close",
    "allclose",
    "array_equal",
)
# In these the quoted name is the cause.
_NAMED = ("ModuleNotFoundError", "AttributeError", "TypeError", "ImportError")
_UNSUPPORTED = ("not built", "is not supported by Trainyard", "missing_specification")


@dataclass
class Outcome:
    """The end of one case. `cause` is the reason without what differs from case to case."""

    status: str
    reason: str = ""
    cause: str = ""
    where: str = ""

    def as_record(self) -> dict[str, str]:
        """The fields that are not empty."""
        return {key: value for key, value in asdict(self).items() if value}


def of_exception(error: BaseException, checkout: str) -> Outcome:
    """The outcome of a case that raised `error`. Looks through the exceptions that caused it."""
    root = _root(error)
    text = f"{type(root).__name__}: {root}".replace(checkout + "/", "")
    status = _status(root, text)
    reason = _first_lines(text)
    return Outcome(status, reason, cause_of(reason), _where(root, checkout))


def cause_of(reason: str) -> str:
    """The reason with numbers and quoted names taken out, so that like cases count together."""
    line = reason.split(" | ", 2)
    kept = " | ".join(line[:2]) if line[0].startswith(("InputError", "Fault")) else line[0]
    if not kept.startswith(_NAMED):
        kept = re.sub(r"'[^']{0,80}'", "'..'", kept)
    kept = re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?(e[-+]?\d+)?", "N", kept)
    kept = re.sub(r"(\(|\[)N(, N)*,?(\)|\])", "(N)", kept)
    return kept[:200]


def _root(error: BaseException) -> BaseException:
    seen = {id(error)}
    while True:
        inner = error.__cause__
        if inner is None or id(inner) in seen:
            return error
        seen.add(id(inner))
        error = inner


def _status(error: BaseException, text: str) -> str:
    if isinstance(error, ModuleNotFoundError) and "neuronxcc" in text:
        return "unsupported"
    if isinstance(error, NotImplementedError) or any(mark in text for mark in _UNSUPPORTED):
        return "unsupported"
    if isinstance(error, AssertionError) and any(mark in text for mark in _NUMERIC):
        return "numerics"
    if isinstance(error, MemoryError):
        return "too_large"
    return "error"


def _first_lines(text: str) -> str:
    """The message in one line: the rule, place and finding of ours, else the first two lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " | ".join(lines[:6])[:1200]


def _where(error: BaseException, checkout: str) -> str:
    """The innermost frames that belong to the checkout, as file:line in function."""
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(checkout)
    ]
    texts = [
        f"{f.filename[len(checkout) :].lstrip('/')}:{f.lineno} in {f.name}" for f in frames[-3:]
    ]
    return ", called from ".join(reversed(texts))
