"""Instructions of the machine, one function each. Made from the instruction schema.

Source of names and parameters: nki.isa, NKI 0.7.
"""

from __future__ import annotations

from trainyard._core import InputError as NkiValidationError

from nki import _context, _enums, _instructions, _isa, _target
from nki._enums import nc_version
from nki._hints import missing as _missing
from nki._registers import (
    VirtualRegister,
    register_alloc,
    register_load,
    register_move,
    register_store,
)
from nki._scalars import NkiScalar, scalar_load, scalar_store
from nki.language._operators import OPERATORS

NkiInstruction = _instructions.NkiInstruction


def get_nc_version() -> nc_version:
    """The generation of the NeuronCore that kernels are traced for."""
    context = _context.current()
    machine = context.machine if context else _target.machine()
    return nc_version(machine.generation)


def get_nc_sub_version() -> int:
    """The silicon revision: 0 is the first."""
    return 0


_names = {**_enums.OF_OPERANDS, **OPERATORS}
_functions = {
    mnemonic: _isa.FUNCTIONS.get(mnemonic) or _instructions.make(mnemonic, _names)
    for mnemonic in _instructions.of_interface(_instructions.Interface.ISA)
}
globals().update(_functions, **_enums.EXPORTED)
__getattr__ = _missing("nki.isa", lambda: globals())


__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]  the stub lists them
    "NkiInstruction",
    "NkiScalar",
    "NkiValidationError",
    "VirtualRegister",
    "get_nc_sub_version",
    "get_nc_version",
    "register_alloc",
    "register_load",
    "register_move",
    "register_store",
    "scalar_load",
    "scalar_store",
    *_enums.EXPORTED,
    *_functions,
]
