"""Do products take operands that lie the other way from the DMA engines, with the same bits as from
the array, and faster?"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from trainyard import _core

RANDOM = np.random.default_rng(5)
VARIATIONS = [words for words, _ in _core.compiler_variations()]
ARRAY = VARIATIONS.index("operands turned by the array")
SIZES = {"few": (16, 256, 96), "odd": (197, 330, 77), "one left over": (129, 129, 257)}


def product(left, right):
    """[rows, depth] by [columns, depth]: both lie the other way."""
    return jax.lax.dot_general(left, right, (((1,), (1,)), ((), ())))


def compiled(function, operands, variation, cores=1):
    exported = export.export(jax.jit(function), platforms=["cpu"])(*operands)
    module = _core.graph_read(exported.mlir_module_serialized)
    machine = _core.load_machine("trn3")
    return _core.compile_model(module, machine, variation=variation, cores=cores)


def normal(dtype, *shape):
    return RANDOM.normal(size=shape).astype(dtype)


def seconds(operands, variation, cores=1):
    made = compiled(product, operands, variation, cores)
    return made.run([], timed=True, values=False).nanoseconds


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float32])
@pytest.mark.parametrize("size", SIZES)
def test_who_turns_changes_no_bit(size, dtype, cores):
    rows, depth, columns = SIZES[size]
    operands = normal(dtype, rows, depth), normal(dtype, columns, depth)
    contents = []
    for variation in (0, ARRAY):
        made = compiled(product, operands, variation, cores)
        inputs = [made.buffer(i, each.tobytes()) for i, each in enumerate(operands)]
        contents += made.run(inputs).take_outputs()
    assert contents[0] == contents[1]
    found = np.frombuffer(contents[0], dtype).reshape(rows, columns).astype(np.float32)
    wanted = operands[0].astype(np.float32) @ operands[1].astype(np.float32).T
    np.testing.assert_allclose(found, wanted, rtol=0.01, atol=0.3)


@pytest.mark.parametrize("rows, depth, columns", [(2048, 4096, 1024), (512, 384, 1536)])
def test_transfers_turn_both_operands_as_fast_as_they_bring_ones_that_lie_well(
    rows, depth, columns
):
    shapes = [
        jax.ShapeDtypeStruct(each, jnp.bfloat16) for each in [(rows, depth), (columns, depth)]
    ]
    by_depth = [jax.ShapeDtypeStruct(each.shape[::-1], each.dtype) for each in shapes]
    made = compiled(lambda a, b: product(a.T, b.T), by_depth, 0)
    lying_well = made.run([], timed=True, values=False).nanoseconds
    assert seconds(shapes, 0) < 1.02 * lying_well
    assert seconds(shapes, ARRAY) > 1.05 * lying_well


def test_a_matrix_at_an_address_in_a_register_is_turned_by_the_array():
    def layers(x, weights):
        return jax.lax.scan(lambda x, w: (jnp.tanh(product(x, w)), None), x, weights)[0]

    operands = normal(np.float32, 64, 256), normal(np.float32, 5, 256, 256) / 16
    contents = []
    for variation in (0, ARRAY):
        made = compiled(layers, operands, variation)
        inputs = [made.buffer(i, each.tobytes()) for i, each in enumerate(operands)]
        contents += made.run(inputs).take_outputs()
    assert contents[0] == contents[1]
