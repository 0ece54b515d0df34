"""The instructions as functions, without those that take an operator of nki.language by default,
and the enumerations of their operands.

nki.language is written with these; nki.isa has them all.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nki import _enums, _instructions


def _takes_an_operator(mnemonic: str) -> bool:
    defaults = [operand["default"] for operand in _instructions.SCHEMA[mnemonic]["operands"]]
    return any(one and one.isidentifier() and not keyword.iskeyword(one) for one in defaults)


FUNCTIONS: dict[str, Callable[..., _instructions.NkiInstruction]] = {
    mnemonic: _instructions.make(mnemonic, _enums.OF_OPERANDS)
    for mnemonic in _instructions.of_interface(_instructions.Interface.ISA)
    if not _takes_an_operator(mnemonic)
}
globals().update(FUNCTIONS, **_enums.OF_OPERANDS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
