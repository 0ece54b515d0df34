"""A process that os.fork() makes after JAX ran: JAX cannot compile there, and says so.

The threads that JAX compiles with stay in the parent, so that a compilation in the child would wait
for ever (on JAX's CPU, too). What is compiled already runs there, and so do copies.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

# Of JAX's modules: where a program is begun, whose pool of threads is the parent's, and where it is
# handed to a platform.
_REFUSED = (
    ("jax._src.interpreters.mlir", "make_ir_context"),
    ("jax._src.compiler", "backend_compile_and_load"),
)


def register(platform: str) -> None:
    """To be called once, when the platform is registered."""
    os.register_at_fork(after_in_child=lambda: _refuse_to_compile(platform))


def _refuse_to_compile(platform: str) -> None:
    """In the child: nothing where JAX has not started the platform, whose threads begin then."""
    import sys

    bridge: Any = sys.modules.get("jax._src.xla_bridge")
    if platform not in getattr(bridge, "_backends", ()):
        return
    for module, function in _REFUSED:
        if hasattr(sys.modules.get(module), function):
            setattr(sys.modules[module], function, _refuse)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError(
        "JAX cannot compile in a process that os.fork() made after JAX ran: the threads that it "
        "compiles with stayed in the parent, and this process would wait for them for ever. Start "
        'processes by multiprocessing.get_context("spawn"), or fork before the first use of JAX'
    )
