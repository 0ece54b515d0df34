"""Why a test did not pass, told from what it printed."""

from __future__ import annotations

import re

# (cause, expression); the first that is found counts. The groups that the goal leaves out come
# first: they hide whatever else a test would show.
CAUSES: tuple[tuple[str, str], ...] = (
    ("crash", r"^the process ended"),
    ("timeout", r"^the time was up"),
    (
        "LAPACK",
        r"lapack|LAPACK|[Cc]holesky|triangular_solve|householder|eigh?\b|svd|found: (Qr|Lu|Eigh)\b",
    ),
    ("complex", r"complex<|complex64|complex128"),
    ("float64", r"f64|float64"),
    ("more devices", r"a program for \d+ devices"),
    ("callback or debug print", r"callback|debug_print"),
    ("no lowering for neuron", r"not found for platform neuron"),
    ("compiler option", r"No such compile option"),
    ("refused by the evaluator", r"UNIMPLEMENTED|graph\.\w+"),
    ("out of memory", r"RESOURCE_EXHAUSTED"),
    ("other error of the plugin", r"JaxRuntimeError|INVALID_ARGUMENT|INTERNAL"),
    ("numbers differ", r"Not equal to tolerance|Arrays are not equal|Mismatched elements"),
    ("assertion", r"AssertionError"),
)
# What platforms of this kind do not have.
OUTSIDE = frozenset({"complex", "float64", "LAPACK"})


def cause_of(text: str) -> str:
    """The cause of a failure, from the end of its report."""
    for cause, expression in CAUSES:
        if re.search(expression, text, re.MULTILINE):
            return cause
    return "other"
