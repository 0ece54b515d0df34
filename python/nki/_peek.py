"""What tensors and registers hold while a kernel is traced, for people who look.

A trace has no values, so the program up to here is run, without time and without checks, and what
was asked for is read at its end. Each look runs everything before it again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from trainyard import _core

from nki import _context, _values


def values(what: Any) -> np.ndarray | int:
    """The values of a tensor of the kernel being traced, at this place; of a register, an int.

    What nothing has written yet reads as zero. Raises TypeError, InputError "peek.loop" inside of a
    hardware loop, whose iterations differ, and "peek.grid" where another core is needed.
    """
    context = _context.context()
    if hasattr(what, "_access"):
        what = what.nki()  # of first-generation kernels
    register = isinstance(what, _core.Register)
    if not register and not isinstance(what, _core.TensorView):
        raise TypeError(f"a tensor or a register of the kernel being traced, not {what!r}")
    if context.open_loops:
        _refuse("peek.loop", "values are known outside of hardware loops", context.open_loops[-1])
    program, kept = context.trace.peek_register(what) if register else context.trace.peek(what)
    if context.num_programs * context.ranks > 1 and program.meets():
        _refuse(
            "peek.grid",
            "values are known before the cores of a grid, or ranks, meet",
            "a core_barrier, sendrecv or collective came before",
        )
    array = _run(context, program, kept)
    return int(array[0]) if register else array


def _refuse(label: str, rule: str, found: str) -> None:
    _context.refuse(label, rule, found, "use nl.device_print, which prints after the run")


def _run(context: _context.Context, program: Any, kept: Any) -> np.ndarray:
    options = _core.RunOptions()
    options.timed = options.checks = options.record = False
    options.values = True
    session = _core.Session(context.machine)
    instance = session.load(program)
    for source in context.inputs:
        session.write(instance, source.tensor._id, _values.as_bytes(source.array))
    session.run([instance], options)
    return _values.read(session, instance, kept)
