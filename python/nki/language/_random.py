"""Random numbers of nki.language. Source: nki.language, NKI 0.6."""

from __future__ import annotations

from typing import Any

from nki import _context, _dtypes
from nki import _isa as nisa
from nki.language._memory import by_rows, ndarray
from nki.language._operators import copy, multiply, new_tile, on_chip_tile, right_shift
from nki.language._tensor import NkiTensor
from nki.language._types import MemoryRegion, is_on_chip, sbuf

_FRACTION_BITS = 24  # of a float32 number in [0.5, 1)


def random_seed(seed: NkiTensor) -> None:
    """Starts the Vector engine's random numbers from a [1, 1] tile of 32 bits."""
    nisa.set_rng_seed(src_seeds=seed)


def rand(
    shape: tuple[int, ...], dtype: object, buffer: MemoryRegion = sbuf, name: str = ""
) -> NkiTensor:
    """A new tensor of random numbers from [0, 1)."""
    result = ndarray(shape, dtype, buffer, name)
    if is_on_chip(buffer):
        _fill(result)
        return result
    for rows in by_rows(result):
        tile = ndarray(rows.shape, dtype)
        _fill(tile)
        nisa.dma_copy(dst=rows, src=tile)
    return result


def _fill(tile: NkiTensor) -> None:
    """Random numbers by rand2 where the machine has it, else from the bits of rng."""
    if _context.context().machine.generation >= 4:  # rand2
        nisa.rand2(dst=tile, min=0.0, max=1.0)
        return
    bits = ndarray(tile.shape, "uint32")
    nisa.rng(dst=bits)
    high = new_tile(bits)
    nisa.tensor_scalar(dst=high, data=bits, op0=right_shift, operand0=32 - _FRACTION_BITS)
    nisa.tensor_scalar(dst=tile, data=high, op0=multiply, operand0=2.0**-_FRACTION_BITS)


def dropout(x: NkiTensor, rate: Any, dtype: object = None) -> NkiTensor:
    """x with each element replaced by 0 with probability `rate`; the others are not scaled.

    rate: a number, or a [P, 1] float32 tile.
    """
    on_chip_tile(x, "dropout")
    if not isinstance(rate, NkiTensor) and not 0 <= rate <= 1:
        _context.refuse("language.rate", "a probability lies in [0, 1]", f"rate={rate}")
    result = new_tile(x)
    nisa.dropout(dst=result, data=x, prob=rate)
    return result if dtype is None or _dtypes.name_of(dtype) == x.dtype else copy(result, dtype)
