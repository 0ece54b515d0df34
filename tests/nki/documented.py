"""What the tests of documented facts share: generations, tiles, and calls that are refused."""

import nki
import nki.isa as nisa
import nki.language as nl
import pytest
from nki import _context, _target
from trainyard import InputError

MACHINES = {2: "trn1", 3: "trn2", 4: "trn3"}
ALL, NEW, V4 = (2, 3, 4), (3, 4), (4,)


def sbuf(*shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.sbuf)


def psum(*shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.psum)


def hbm(*shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.shared_hbm)


def loaded(array):
    """An array of the caller in SBUF."""
    tile = sbuf(*array.shape, dtype=array.dtype)
    nisa.dma_copy(dst=tile, src=array)
    return tile


def stored(tile):
    """An SBUF tile as a result of the kernel."""
    out = hbm(*tile.shape, dtype=tile.dtype)
    nisa.dma_copy(dst=out, src=tile)
    return out


def tracing(generation):
    """A trace for the NeuronCore of a generation, without a kernel around it."""
    nki.use_machine(MACHINES[generation])
    return _context.tracing(_context.new_context(_target.machine(), "documented"))


def accept(generation, call):
    with tracing(generation):
        call()


def refuse(generation, call, label):
    with tracing(generation), pytest.raises(InputError) as caught:
        call()
    assert label in [violation.label for violation in caught.value.violations]


def cases(table):
    """Rows (name, generations, ...) as parameters (generation, ...), one for each generation."""
    return [
        pytest.param(generation, *rest, id=f"gen{generation}-{name}-{i}")
        for i, (name, generations, *rest) in enumerate(table)
        for generation in generations
    ]
