"""Is a traced program still there when it was loaded, and is a tensor that an instance has not one
error?
"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import InputError, _core


@nki.jit
def doubled(x):
    tile = nl.ndarray(x.shape, x.dtype)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out


def one_run(session, traced, instance, x):
    session.write(instance, traced.inputs[0].tensor._id, x)
    session.run([instance], _core.RunOptions())
    result = np.zeros_like(x)
    session.read(instance, traced.outputs[0], result)
    return result


def test_a_program_is_loaded_as_often_as_one_likes():
    x = np.arange(128 * 4, dtype=np.float32).reshape(128, 4)
    traced = doubled.trace(x)
    session = _core.Session(trainyard.load_machine("trn3"))
    length = len(traced.program)
    first, second = session.load(traced.program), session.load(traced.program, rank=1)
    assert len(traced.program) == length > 0
    np.testing.assert_array_equal(one_run(session, traced, second, x), 2 * x)
    np.testing.assert_array_equal(one_run(session, traced, first, 3 * x), 6 * x)


def test_what_an_instance_has_not_is_refused():
    x = np.ones((128, 4), np.float32)
    traced = doubled.trace(x)
    session = _core.Session(trainyard.load_machine("trn3"))
    instance = session.load(traced.program, take=True)
    assert len(traced.program) == 0
    given, tile = traced.inputs[0].tensor._id, 1
    for tensor, content in ((1000, x), (tile, x), (given, x[:64])):
        with pytest.raises(InputError, match=r"run\.binding"):
            session.write(instance, tensor, content)
    empty = session.load(traced.program)
    with pytest.raises(InputError, match=r"run\.binding"):
        session.write(empty, given, x)
    with pytest.raises(InputError, match=r"run\.binding"):
        session.read(empty, traced.outputs[0], x)
