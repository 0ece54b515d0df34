"""Instructions of the machine, one function each. Made from the instruction schema.

Source of names and parameters: nki.isa, NKI 0.6.
"""

from __future__ import annotations

from trainyard._core import InputError as NkiValidationError
from trainyard._core import VirtualRegister

from nki import _context
from nki.isa import _schema
from nki.isa._enums import (
    dge_mode,
    dma_engine,
    engine,
    gpsimd_engine,
    matmul_perf_mode,
    nc_version,
    oob_mode,
    reduce_cmd,
    scalar_engine,
    tensor_engine,
    unknown_engine,
    vector_engine,
)
from nki.isa._registers import (
    fori_loop,
    register_alloc,
    register_load,
    register_move,
    register_store,
    while_loop,
)
from nki.isa._schema import NkiInstruction


def get_nc_version() -> nc_version:
    """The generation of the NeuronCore that kernels are traced for."""
    from nki import _target

    machine = _context.current.machine if _context.current else _target.machine()
    return nc_version(machine.generation)


def get_nc_sub_version() -> int:
    """The silicon revision: 0 is the first."""
    return 0


def _make_all() -> dict[str, object]:
    from nki import language
    from nki.language._operators import OPERATORS

    names = {name: getattr(language, name) for name in OPERATORS}
    names |= {
        "engine": engine,
        "reduce_cmd": reduce_cmd,
        "dge_mode": dge_mode,
        "oob_mode": oob_mode,
        "matmul_perf_mode": matmul_perf_mode,
    }
    return {
        mnemonic: _schema.make(mnemonic, names)
        for mnemonic, entry in _schema.SCHEMA.items()
        if entry["kind"] != 2  # control instructions have functions of their own
    }


_functions = _make_all()
globals().update(_functions)

_NOT_BUILT = ("core_barrier", "sendrecv")


def __getattr__(name: str) -> object:
    if name in _NOT_BUILT:
        raise AttributeError(f"nki.isa.{name} is not built: there is no instruction for it yet")
    raise AttributeError(f"module 'nki.isa' has no attribute {name!r}")


__all__ = [
    "NkiInstruction",
    "NkiValidationError",
    "VirtualRegister",
    "dge_mode",
    "dma_engine",
    "engine",
    "fori_loop",
    "get_nc_sub_version",
    "get_nc_version",
    "gpsimd_engine",
    "matmul_perf_mode",
    "nc_version",
    "oob_mode",
    "reduce_cmd",
    "register_alloc",
    "register_load",
    "register_move",
    "register_store",
    "scalar_engine",
    "tensor_engine",
    "unknown_engine",
    "vector_engine",
    "while_loop",
    *_functions,
]
