"""Tensor indirection (.indirect(), gen4): which operands may be gathered or scattered, where their
tiles and indices stand, and what they mean. Source: the "Tensor indirection" sections of nki.isa.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from documented import accept, cases, loaded, psum, refuse, sbuf, stored

RNG = np.random.default_rng(41)
RC, EN = nisa.reduce_cmd, nisa.engine


@pytest.fixture(autouse=True)
def any_machine():
    yield
    nki.use_machine(None)


def indices(partitions=32, columns=1):
    return sbuf(partitions, columns, dtype=nl.uint16)


def view(n=16, of=sbuf, dtype=nl.float32):
    return of(32, 64, dtype=dtype).indirect(indices(), n)


def plain(dtype=nl.float32):
    return sbuf(32, 16, dtype=dtype)


def columns_of_16():
    return sbuf(128, 256, dtype=nl.bfloat16).indirect(indices(128), 32)


TAKE_IT = [
    ("tensor_copy", lambda: nisa.tensor_copy(view(), view())),
    ("tensor_copy", lambda: nisa.tensor_copy(plain(), view(), engine=EN.scalar)),
    ("tensor_scalar", lambda: nisa.tensor_scalar(view(), view(), nl.add, 1.0)),
    ("tensor_tensor", lambda: nisa.tensor_tensor(view(), view(), plain(), nl.add)),
    (
        "tensor_tensor",
        lambda: nisa.tensor_tensor(view(), view(), plain(), nl.add, engine=EN.gpsimd),
    ),
    ("tensor_reduce", lambda: nisa.tensor_reduce(sbuf(32, 1), nl.add, view(), 1)),
    ("activation", lambda: nisa.activation(view(), nl.exp, view())),
    (
        "activation_reduce",
        lambda: nisa.activation_reduce(view(), nl.exp, view(), nl.add, sbuf(32, 1)),
    ),
    (
        "tensor_scalar_reduce",
        lambda: nisa.tensor_scalar_reduce(view(), view(), nl.add, 1.0, nl.add, sbuf(32, 1)),
    ),
    (
        "tensor_scalar_cumulative",
        lambda: nisa.tensor_scalar_cumulative(view(), view(), nl.add, nl.add, 1.0),
    ),
    (
        "tensor_copy_predicated",
        lambda: nisa.tensor_copy_predicated(view(), plain(), view(dtype=nl.uint8)),
    ),
    (
        "nc_matmul",
        lambda: nisa.nc_matmul(psum(32, 64), columns_of_16(), sbuf(128, 64, dtype=nl.bfloat16)),
    ),
    (
        "nc_matmul",
        lambda: nisa.nc_matmul(psum(64, 32), sbuf(128, 64, dtype=nl.bfloat16), columns_of_16()),
    ),
]
ONLY_V4 = [
    ("exponential", (4,), lambda: nisa.exponential(view(), view())),
    ("activate2", (4,), lambda: nisa.activate2(view(), nl.exp, view(), 1, 0, nl.add, nl.bypass)),
]

DO_NOT_TAKE_IT = [
    lambda: nisa.tensor_tensor(plain(), plain(), view(), nl.add),
    lambda: nisa.tensor_scalar(plain(), plain(), nl.add, view(1)),
    lambda: nisa.activation(plain(), nl.exp, plain(), bias=view(1)),
    lambda: nisa.activation(plain(), nl.exp, plain(), scale=view(1)),
    lambda: nisa.activation(plain(), nl.exp, plain(), None, 1.0, nl.add, view(1), RC.reduce),
    lambda: nisa.activate2(plain(), nl.exp, plain(), view(1), 0.0, nl.multiply, nl.add),
    lambda: nisa.tensor_copy_predicated(plain(), view(), plain(nl.uint8)),
    lambda: nisa.exponential(plain(), plain(), view(1)),
    lambda: nisa.scalar_tensor_tensor(plain(), view(), nl.add, 1.0, nl.add, plain()),
    lambda: nisa.tensor_tensor_scan(plain(), view(), plain(), 0.0, nl.add, nl.add),
    lambda: nisa.select_reduce(plain(), plain(nl.uint8), view(), 0.0),
    lambda: nisa.range_select(plain(), view(), nl.less, nl.less, sbuf(32, 1), sbuf(32, 1)),
    lambda: nisa.memset(view(), 0.0),
    lambda: nisa.iota(view(), [[1, 16]]),
    lambda: nisa.reciprocal(plain(), view()),
    lambda: nisa.bn_stats(sbuf(32, 6), view()),
    lambda: nisa.max8(sbuf(32, 8), view()),
    lambda: nisa.nc_transpose(psum(16, 32), view()),
    lambda: nisa.dropout(plain(), view(), 0.5),
    lambda: nisa.dma_copy(plain(), view()),
]


@pytest.mark.parametrize(
    ("generation", "call"), cases([(name, (4,), call) for name, call in TAKE_IT] + ONLY_V4)
)
def test_these_operands_may_be_gathered_and_scattered(generation, call):
    accept(generation, call)


@pytest.mark.parametrize(
    ("generation", "call"), cases([(name, (2, 3), call) for name, call in TAKE_IT])
)
def test_before_v4_nothing_may(generation, call):
    refuse(generation, call, "tile.indirect_machine")


@pytest.mark.parametrize("call", DO_NOT_TAKE_IT)
def test_no_other_operand_may(call):
    refuse(4, call, "tile.indirect_operand")


def gathering(index_start, data_start):
    data, index = sbuf(128, 64), indices(128)
    part = data[data_start : data_start + 32]
    nisa.tensor_copy(plain(), part.indirect(index[index_start : index_start + 32], 16))


def scattering(index_start, source, of=sbuf):
    data, dst, index = of(128, 64), of(128, 64), indices(128)
    src = data[32:64, 0:16]
    if source == "gathered":
        src = data[32:64].indirect(index[32:64], 16)
    target = sbuf(128, 64)[96:128].indirect(index[index_start : index_start + 32], 16)
    nisa.tensor_copy(target, src)
    return dst


def product(*, dtype=nl.bfloat16, rows=128, transposed=False, **options):
    moving = sbuf(rows, 256, dtype=dtype).indirect(indices(rows), 32)
    dst = psum(32, 32, dtype=dtype if transposed else nl.float32)
    stationary = sbuf(rows, 32, dtype=dtype)
    nisa.nc_matmul(dst, stationary, moving, is_transpose=transposed, **options)


ALIGNMENT = [
    (None, lambda: gathering(32, 32)),
    ("tile.indirect_start", lambda: gathering(64, 32)),
    (None, lambda: scattering(32, "plain")),
    ("tile.scatter_start", lambda: scattering(64, "plain")),
    (None, lambda: scattering(64, "plain", psum)),
    (None, lambda: scattering(32, "gathered", psum)),
    ("tile.scatter_start", lambda: scattering(64, "gathered", psum)),
    (None, lambda: nisa.tensor_copy(view(of=psum), plain(), engine=EN.vector)),
    ("tile.scatter_psum", lambda: nisa.tensor_copy(view(of=psum), plain(), engine=EN.scalar)),
    ("tile.scatter_psum", lambda: nisa.activation(view(of=psum), nl.exp, plain())),
    ("tensor_copy.c6", lambda: nisa.tensor_copy(plain(), view(), engine=EN.gpsimd)),
    (
        "tensor_scalar.c15",
        lambda: nisa.tensor_scalar(plain(nl.int32), view(dtype=nl.int32), nl.add, 1),
    ),
    ("nc_matmul.c28", lambda: product(dtype=nl.float32)),
    ("nc_matmul.c29", lambda: product(transposed=True)),
    ("nc_matmul.c30", lambda: product(rows=64, tile_position=(64, 0), tile_size=(64, 128))),
    (None, lambda: product(rows=64, tile_position=(0, 0), tile_size=(64, 128))),
    ("tile.indirect_count", lambda: nisa.tensor_copy(sbuf(32, 17), view(17))),
    ("tile.indirect_count", lambda: short_group(16)),
    (None, lambda: short_group(8)),
]


def short_group(n):
    """40 partitions: two lists of 16 indices a column, and one of 8."""
    nisa.tensor_copy(sbuf(40, n), sbuf(40, 64).indirect(indices(40), n))


@pytest.mark.parametrize(("label", "call"), ALIGNMENT)
def test_tiles_and_indices_stand_where_the_pages_say(label, call):
    if label is None:
        accept(4, call)
    else:
        refuse(4, call, label)


@pytest.mark.parametrize("n", [16, 20, 48])
def test_offset_i_of_a_group_of_16_partitions_is_in_row_i_mod_16_column_i_div_16(n):
    columns = -(-n // 16)
    data = RNG.standard_normal((64, 100)).astype(np.float32)
    lists = np.stack([RNG.permutation(100)[: 16 * columns] for _ in range(4)])
    index = lists.reshape(4, columns, 16).transpose(0, 2, 1).reshape(64, columns)
    rows = np.repeat(lists[:, :n], 16, axis=0)

    @nki.jit
    def kernel(x, at):
        tile, lists = loaded(x), loaded(at)
        gathered, scattered = sbuf(64, n), sbuf(64, 100)
        nisa.memset(scattered, 7.0)
        nisa.tensor_copy(gathered, tile.indirect(lists, n))
        nisa.tensor_scalar(scattered.indirect(lists, n), tile[:, 0:n], nl.multiply, 2.0)
        return stored(gathered), stored(scattered)

    gathered, scattered = kernel(data, index.astype(np.uint16))
    np.testing.assert_array_equal(gathered, np.take_along_axis(data, rows, 1))
    wanted = np.full((64, 100), 7, np.float32)
    np.put_along_axis(wanted, rows, 2 * data[:, :n], 1)
    np.testing.assert_array_equal(scattered, wanted)


def test_the_tensor_engine_has_groups_of_32_partitions():
    stationary = RNG.integers(-4, 5, (64, 100)).astype(np.float16)
    moving = RNG.integers(-4, 5, (64, 24)).astype(np.float16)
    chosen = RNG.integers(0, 100, 32)

    @nki.jit
    def kernel(left, right, at):
        result, out = psum(32, 24), sbuf(32, 24)
        nisa.nc_matmul(result, loaded(left).indirect(loaded(at), 32), loaded(right))
        nisa.tensor_copy(out, result)
        return stored(out)

    index = np.tile(chosen.astype(np.uint16), 2).reshape(64, 1)
    wanted = stationary[:, chosen].astype(np.float32).T @ moving.astype(np.float32)
    np.testing.assert_array_equal(kernel(stationary, moving, index), wanted)
