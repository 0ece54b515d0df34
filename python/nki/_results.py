"""What a kernel returns: is it what a caller can get, and does it return anything?"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

from nki import _calls, _context
from nki.language._types import MemoryRegion


def check_returned(returned: Any, alike: _calls.Traced | None, name: str) -> None:
    """Refuses results that are no tensors of the caller's, or others than those of core 0."""
    for item in _calls.closed_in(returned):
        if hasattr(item, "close"):
            item.close()  # a coroutine warns otherwise that nobody waited for it
        _context.refuse(
            "kernel.output",
            "a kernel returns tensors, or tuples, lists, dictionaries or NKIObjects of them",
            f"{name} returns a {type(item).__name__}",
            "return the tensors in a tuple; a kernel is no generator and not async",
        )
    own = _calls.outline(returned)
    first = _calls.outline(alike.returned) if alike else own
    for item in {**first, **own}:
        if first.get(item) != own.get(item):
            there, here = first.get(item, "nothing"), own.get(item, "nothing")
            _context.refuse(
                "kernel.output",
                "all cores of a grid return the same structure",
                f"{item} of {name} is {there} on core 0, {here} on another",
                "return the same shared HBM tensors on every core",
            )


def mark_outputs(context: _context.Context, outputs: list[Any], function: Any) -> None:
    """Makes tensors results of the kernel. Raises InputError "kernel.output" for others than HBM's.

    A kernel on one core may return a tensor of nl.hbm, as in NKI 0.2, with a warning, unless it
    asks for a level; in a grid each core has its own.
    """
    given = {one.tensor._id for one in context.inputs}
    for tensor in outputs:
        is_own = tensor._space == "hbm" and tensor._id not in given
        may_be_private = is_own and context.num_programs == 1 and not context.strict
        if may_be_private and tensor.buffer is MemoryRegion.private_hbm:
            context.trace.share(tensor)
            text = "it returns a tensor of nl.hbm, as NKI 0.2 had it; NKI 0.3 asks for shared_hbm"
            _warn(function, text, DeprecationWarning)
        context.trace.mark_output(tensor)


def warn_of_lost(function: Callable[..., Any], traced: list[_calls.Traced]) -> None:
    """Warns of a kernel that stores results which nobody gets: most often a forgotten return."""
    stored = dict.fromkeys(name for one in traced for name in one.lost)
    if stored and not any(one.written_inputs or one.prints for one in traced):
        text = f"it stores to HBM ({', '.join(stored)}) and returns nothing: is a return missing?"
        _warn(function, text)


def _warn(function: Callable[..., Any], text: str, category: type[Warning] = UserWarning) -> None:
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:  # of a functools.partial or the like
        warnings.warn(text, category, stacklevel=5)
        return
    message = f"{code.co_name}: {text}"
    warnings.warn_explicit(message, category, code.co_filename, code.co_firstlineno)
