"""Runs a kernel with every check on and says what was found."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Callable
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import trainyard
from nki.kernel import Kernel
from trainyard import findings, settings

PRELUDE = "import nki\nimport nki.isa as nisa\nimport nki.language as nl\n\n\n"


def from_source(source: str, name: str = "kernel", file: str = "example.py") -> Kernel:
    """The kernel of that name in a piece of source, whose lines can be named in findings."""
    text = textwrap.dedent(source)
    text = text if "import nki" in text else PRELUDE + text
    file = f"<checks/{file}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names)
    return nki.jit(names[name])


def findings_of(kernel: Callable[..., Any], *inputs: Any, **options: Any) -> list[dict[str, Any]]:
    """All findings of one call; what stops the kernel is one of them."""
    options = {"timed": True, "stop_at": None, "checks": True, "overflows": True} | options
    with settings.using(**options):
        try:
            return kernel.run(*inputs)[1].findings
        except trainyard.InputError as error:
            return [findings.of_violation(one) for one in error.violations]
        except trainyard.Fault as error:
            return [findings.of_violation(one, error.category) for one in error.violations]


def ids(found: list[dict[str, Any]], least: str = "note") -> set[str]:
    """The checks that found something."""
    return {one["label"] for one in findings.at_least(found, least)}


def example_input() -> np.ndarray:
    """The x of the registry's examples."""
    return np.random.default_rng(7).standard_normal((128, 512), dtype=np.float32)


def tile(shape: tuple[int, ...], dtype: object = nl.float32, buffer: Any = nl.sbuf) -> Any:
    """A new tile of the kernel being traced."""
    return nl.ndarray(shape, dtype, buffer=buffer)


def loaded(source: Any) -> Any:
    """All of an HBM tensor as a tile."""
    result = tile(source.shape, source.dtype)
    nisa.dma_copy(dst=result, src=source)
    return result


def all_but(x: Any, row: int, column: int, dtype: object = nl.float32) -> Any:
    """A tile of all of x but one element, which is never written."""
    rows, columns = x.shape
    source = tile((rows, columns), dtype)
    for part in (
        (slice(0, rows), slice(0, column)),
        (slice(0, rows), slice(column + 1, columns)),
        (slice(0, row), slice(column, column + 1)),
        (slice(row + 1, rows), slice(column, column + 1)),
    ):
        nisa.dma_copy(dst=source[part], src=x[part])
    return source
