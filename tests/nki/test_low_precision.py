"""Does policy.low_precision=float32 keep float32 values beside bfloat16 and FP8 tensors through
every way that values take, and leave their bits, layouts and rules as they are?
"""

import ml_dtypes
import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki.collectives import ReplicaGroup
from trainyard import InputError

RNG = np.random.default_rng(5)
BF16 = ml_dtypes.bfloat16
SHAPE = (32, 64)
WIDE = trainyard.load_machine("trn3").with_overrides(["policy.low_precision=float32"])
THIRD = np.float32(1) / np.float32(3)  # no format of low precision has it


def inputs(shape=SHAPE):
    return RNG.standard_normal(shape).astype(BF16)


def run(kernel, *args, **options):
    options = {"machine": WIDE, "checks": True, **options}
    return nki.jit(kernel).run(*args, **options)[0]


def third_of(x):
    """A bfloat16 tile of x / 3, which is rounded where tiles hold what their formats can."""
    tile = nl.ndarray(x.shape, nl.bfloat16)
    nisa.tensor_scalar(tile, nl.load(x), op0=nl.multiply, operand0=float(THIRD))
    return tile


def returned(tile):
    out = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out


def returned_as_float32(tile):
    wide = nl.ndarray(tile.shape, nl.float32)
    nisa.tensor_copy(wide, tile)
    return returned(wide)


def thirds(x):
    return x.astype(np.float32) * THIRD


# --- Ways that values take ---


def in_hbm(tile):
    there = nl.ndarray(tile.shape, tile.dtype, buffer=nl.private_hbm)
    nisa.dma_copy(there, tile)
    return there


def through_hbm(tile):
    back = nl.ndarray(tile.shape, tile.dtype)
    nisa.dma_copy(back, in_hbm(tile))
    return back


def through_copies(tile):
    for copy in (nisa.tensor_copy, nisa.dma_copy):
        other = nl.ndarray(tile.shape, tile.dtype)
        copy(other, tile)
        tile = other
    return tile


def transposed_twice(tile):
    rows, columns = tile.shape
    turned = nl.ndarray((columns, rows), tile.dtype, buffer=nl.psum)
    nisa.nc_transpose(turned, tile)
    kept = nl.ndarray((columns, rows), tile.dtype)
    nisa.tensor_copy(kept, turned)
    back = nl.ndarray((rows, columns), tile.dtype)
    nisa.dma_transpose(back, kept)
    return back


def in_strides(tile):
    pairs = nl.ndarray((tile.shape[0], 2 * tile.shape[1]), tile.dtype)
    nisa.memset(pairs, value=0)
    nisa.tensor_copy(pairs[:, 0 : pairs.shape[1] : 2], tile)
    other = nl.ndarray(tile.shape, tile.dtype)
    nisa.tensor_copy(other, pairs[:, 0 : pairs.shape[1] : 2])
    return other


def shuffled(tile):
    other = nl.ndarray(tile.shape, tile.dtype)
    nisa.nc_stream_shuffle(other, tile, list(range(31, -1, -1)))
    nisa.nc_stream_shuffle(tile, other, list(range(31, -1, -1)))
    return tile


def from_partition_64(tile):
    tall = nl.ndarray((128, tile.shape[1]), tile.dtype)
    nisa.tensor_copy(tall[64:96], tile)
    other = nl.ndarray(tile.shape, tile.dtype)
    nisa.tensor_copy(other, tall[64:96])
    return other


WAYS = [through_hbm, through_copies, transposed_twice, in_strides, shuffled, from_partition_64]


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_values_stay_on_their_way(way, timed):
    x = inputs()

    def kernel(x):
        return returned_as_float32(way(third_of(x)))

    np.testing.assert_array_equal(run(kernel, x, timed=timed), thirds(x))
    rounded = run(kernel, x, timed=timed, machine=trainyard.load_machine("trn3"))
    np.testing.assert_array_equal(rounded, thirds(x).astype(BF16))


def test_sums_in_bfloat16_psum_are_not_rounded():
    x, y = inputs((128, 128)), inputs((128, 512))

    def kernel(x, y):
        left, right = nl.load(x), nl.load(y)
        sums = nl.ndarray((128, 512), nl.bfloat16, buffer=nl.psum)
        for _ in range(3):
            nisa.nc_matmul(sums, left, right)
        out = nl.ndarray((128, 512), nl.bfloat16)
        nisa.tensor_copy(out, sums)
        return returned_as_float32(out)

    wanted = 3 * (x.astype(float).T @ y.astype(float))
    np.testing.assert_allclose(run(kernel, x, y), wanted, rtol=1e-4, atol=1e-4)


def test_sums_of_transfers_are_not_rounded():
    x, y = inputs(), inputs()

    def kernel(x, y):
        sums = nl.ndarray(x.shape, nl.bfloat16, buffer=nl.private_hbm)
        nisa.dma_compute(sums, [x, y], nl.add)
        return returned_as_float32(nl.load(sums))

    np.testing.assert_array_equal(run(kernel, x, y), x.astype(np.float32) + y.astype(np.float32))


def test_double_row_products_of_what_no_fp8_holds():
    x, y = inputs((64, 2, 32)), inputs((64, 2, 128))

    def kernel(x, y):
        tiles = []
        for given in (x, y):
            tile = nl.ndarray(given.shape, nl.float8_e4m3)
            nisa.tensor_copy(tile, nl.load(given))
            tiles.append(tile)
        sums = nl.ndarray((32, 128), nl.float32, buffer=nl.psum)
        nisa.nc_matmul(sums, *tiles, perf_mode="double_row")
        out = nl.ndarray((32, 128), nl.float32)
        nisa.tensor_copy(out, sums)
        return returned(out)

    wanted = np.einsum("krm,krn->mn", x.astype(float), y.astype(float))
    np.testing.assert_allclose(run(kernel, x, y), wanted, rtol=1e-4, atol=1e-4)


def test_blocks_are_quantized_from_values():
    tie = 1.0625  # halfway between neighbours in FP8 with three bits of mantissa, 1 and 1.125

    def kernel(x):
        tile = nl.ndarray(x.shape, nl.bfloat16)
        nisa.tensor_scalar(tile, nl.load(x), op0=nl.add, operand0=2.0**-12)
        data = nl.ndarray((32, 32), nl.float8_e4m3fn_x4)
        scale = nl.ndarray((4, 32), nl.uint8)
        nisa.quantize_mx(dst=data, src=tile, dst_scale=scale)
        return returned(data.view(nl.uint32))

    x = np.full((32, 128), tie, BF16)
    stored = run(kernel, x, machine=trainyard.load_machine("trn3"))
    np.testing.assert_array_equal(run(kernel, x), stored + 0x01010101)


def test_a_value_beyond_the_format_stays_unless_casts_saturate():
    def kernel(x):
        tile = nl.ndarray(x.shape, nl.float8_e4m3)
        nisa.tensor_copy(tile, nl.load(x))
        back = nl.ndarray(x.shape, nl.float32)
        nisa.tensor_copy(back, tile)
        return returned(back)

    x = np.float32([[1e6, -700, 448, 1e-30]])
    np.testing.assert_array_equal(run(kernel, x), x)
    saturating = WIDE.with_overrides(["policy.cast_overflow=saturate"])
    np.testing.assert_array_equal(run(kernel, x, machine=saturating), x.clip(-240, 240))


def test_state_of_the_engines_is_the_one_of_the_core():
    x = inputs()

    def kernel(x):
        tile, sums = third_of(x), nl.ndarray((SHAPE[0], 1), nl.float32)
        other = nl.ndarray(x.shape, nl.bfloat16)
        for k in range(2):
            nisa.activation(
                other,
                op=nl.copy,
                data=tile,
                scale=2.0,
                reduce_op=nl.add,
                reduce_res=sums if k else None,
                reduce_cmd=nisa.reduce_cmd.reduce if k else nisa.reduce_cmd.reset_reduce,
            )
        return returned(sums)

    wanted = 4 * thirds(x).astype(float).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(run(kernel, x), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("timed", [False, True])
def test_cores_send_values(timed):
    x = inputs()

    @nki.jit
    def kernel(x):
        mine, theirs = third_of(x), nl.ndarray(x.shape, nl.bfloat16)
        other = 1 - nl.program_id(0)
        nisa.sendrecv(src=mine, dst=theirs, send_to_rank=other, recv_from_rank=other, pipe_id=0)
        wide = nl.ndarray(x.shape, nl.float32)
        nisa.tensor_copy(wide, theirs)
        out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
        nisa.dma_copy(out[16 * (1 - other) : 16 * (2 - other)], wide[0:16])
        return out

    found = kernel[2].run(x, machine=WIDE, timed=timed, checks=True)[0]
    np.testing.assert_array_equal(found, np.concatenate([thirds(x)[:16]] * 2))


@pytest.mark.parametrize("timed", [False, True])
def test_cores_share_values_in_hbm(timed):
    x = inputs()

    @nki.jit
    def kernel(x):
        shared = nl.ndarray((2, *x.shape), nl.bfloat16, buffer=nl.shared_hbm)
        out = nl.ndarray((2, *x.shape), nl.float32, buffer=nl.shared_hbm)
        core = nl.program_id(0)
        nisa.dma_copy(shared[core], third_of(x))
        nisa.core_barrier(shared, (0, 1))
        wide = nl.ndarray(x.shape, nl.float32)
        nisa.tensor_copy(wide, nl.load(shared[1 - core]))
        nisa.dma_copy(out[core], wide)
        return out

    found = kernel[2].run(x, machine=WIDE, timed=timed, checks=True)[0]
    np.testing.assert_array_equal(found, np.stack([thirds(x)] * 2))


@pytest.mark.parametrize("timed", [False, True])
def test_ranks_reduce_values(timed):
    x = [inputs(), inputs()]

    @nki.jit
    def kernel(x):
        mine = nl.ndarray(x.shape, nl.bfloat16, buffer=nl.private_hbm)
        nisa.dma_copy(mine, third_of(x))
        sums = nl.ndarray(x.shape, nl.bfloat16, buffer=nl.private_hbm)
        ncc.all_reduce(srcs=[mine], dsts=[sums], replica_group=ReplicaGroup([[0, 1]]), op=nl.add)
        return returned_as_float32(nl.load(sums))

    found, _ = kernel.run_ranks([(one,) for one in x], machine=WIDE, timed=timed, checks=True)
    for one in found:
        np.testing.assert_array_equal(one, thirds(x[0]) + thirds(x[1]))


# --- Bits ---


def test_bits_and_results_are_those_of_the_format():
    x = inputs()

    def kernel(x):
        tile = third_of(x)
        return returned(tile), returned(tile.view(nl.uint16))

    result, bits = run(kernel, x)
    assert result.dtype == BF16
    np.testing.assert_array_equal(result, thirds(x).astype(BF16))
    np.testing.assert_array_equal(bits, thirds(x).astype(BF16).view(np.uint16))


def test_bits_written_as_another_dtype_count():
    x = inputs()

    def kernel(x, bits):
        tile = third_of(x)
        nisa.dma_copy(tile.view(nl.uint16)[0:16], bits)
        return returned_as_float32(tile)

    wanted = thirds(x)
    new = inputs((16, SHAPE[1]))
    found = run(kernel, x, new.view(np.uint16))
    np.testing.assert_array_equal(found[:16], new.astype(np.float32))
    np.testing.assert_array_equal(found[16:], wanted[16:])


def test_bits_count_where_values_beyond_the_format_were_before():
    # Both are stored as infinity.
    infinite = np.full((32, 8), np.inf, ml_dtypes.float8_e4m3)

    def kernel(x, bits):
        tile = nl.ndarray((32, 64), nl.float8_e4m3)
        nisa.tensor_copy(tile, nl.load(x))
        nisa.dma_copy(tile.view(nl.uint8)[:, 0:8], bits)  # bytes
        nisa.dma_copy(tile.view(nl.uint32)[:, 4:6], bits.view(nl.uint32))  # words of four
        nisa.tensor_copy(tile.view(nl.uint8)[:, 32:48:2], nl.load(bits))  # every second one
        nisa.dma_copy(tile[:, 48:56], bits.view(nl.float8_e4m3))  # of the same format
        return returned_as_float32(tile)

    found = run(kernel, np.full((32, 64), 1e6, np.float32), infinite.view(np.uint8))
    replaced = np.zeros((32, 64), bool)
    replaced[:, 0:8] = replaced[:, 16:24] = replaced[:, 32:48:2] = replaced[:, 48:56] = True
    np.testing.assert_array_equal(found, np.where(replaced, np.inf, 1e6))


def test_half_of_an_element_that_is_written_makes_it_one_of_the_format():
    x = inputs()

    def kernel(x):
        tile = third_of(x)
        low = tile.view(nl.uint8)[:, 0:64:2]
        nisa.tensor_copy(low, low)
        return returned_as_float32(tile)

    wanted = thirds(x)
    wanted[:, 0:32] = wanted[:, 0:32].astype(BF16)
    np.testing.assert_array_equal(run(kernel, x), wanted)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"])
def test_data_that_looks_like_nan_keeps_its_bits(dtype):
    width = 2 if dtype == "bfloat16" else 1
    words = np.uint16 if width == 2 else np.uint8
    patterns = np.arange(1 << (8 * width)).astype(words).reshape(64, -1)

    def kernel(x):
        tile = nl.ndarray(x.shape, dtype)
        nisa.dma_copy(tile, x.view(dtype))
        other = nl.ndarray(x.shape, dtype)
        nisa.tensor_copy(other, tile)
        chosen = nl.ndarray(x.shape, dtype)
        nisa.nc_stream_shuffle(chosen, other, list(range(32)))
        return returned(through_hbm(chosen).view("uint16" if width == 2 else "uint8"))

    np.testing.assert_array_equal(run(kernel, patterns), patterns)


def test_a_nan_is_one_in_float32():
    x = np.full((1, 4), np.nan, BF16)

    def kernel(x):
        tile = nl.ndarray(x.shape, nl.float32)
        nisa.tensor_copy(tile, nl.load(x))
        return returned(tile)

    assert (run(kernel, x).view(np.uint32) == 0x7FC00000).all()


# --- Index lists ---


def rows_of(there, index):
    """The rows of an HBM tensor that an index list names."""
    count, columns = index.shape[0], there.shape[1]
    return there.ap([[columns, count], [1, columns]], vector_offset=index, indirect_dim=0)


def gathered_rows(tile, index):
    other = nl.ndarray(tile.shape, tile.dtype)
    nisa.dma_copy(other, rows_of(in_hbm(tile), index))
    return other


def scattered_rows(tile, index):
    there = in_hbm(tile)
    nisa.dma_copy(rows_of(there, index), tile)
    return nl.load(there)


def summed_rows(tile, index):
    other = nl.ndarray(tile.shape, tile.dtype)
    nisa.memset(other, value=0)
    nisa.dma_compute(other, [other, rows_of(in_hbm(tile), index)], nl.add)
    return other


def turned_rows(tile, index):
    turned = nl.ndarray(tile.shape[::-1], tile.dtype)
    nisa.dma_transpose(turned, rows_of(in_hbm(tile), index))
    back = nl.ndarray(tile.shape, tile.dtype)
    nisa.dma_transpose(back, turned)
    return back


ROWS = RNG.permutation(SHAPE[0]).astype(np.uint32)[:, None]


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("way", [gathered_rows, scattered_rows, summed_rows, turned_rows])
def test_values_stay_in_rows_that_an_index_list_chooses(way, timed):
    x = inputs()

    def kernel(x, rows):
        return returned_as_float32(way(third_of(x), nl.load(rows)))

    order = np.argsort(ROWS[:, 0]) if way is scattered_rows else ROWS[:, 0]
    np.testing.assert_array_equal(run(kernel, x, ROWS, timed=timed), thirds(x)[order])
    rounded = run(kernel, x, ROWS, timed=timed, machine=trainyard.load_machine("trn3"))
    np.testing.assert_array_equal(rounded, thirds(x).astype(BF16)[order])


def test_rows_of_a_transfer_that_leaves_some_out_are_those_of_the_format():
    x = inputs()

    def kernel(x, rows):
        other = nl.ndarray(x.shape, nl.bfloat16)
        nisa.memset(other, value=0)
        nisa.dma_copy(
            other, rows_of(in_hbm(third_of(x)), nl.load(rows)), oob_mode=nisa.oob_mode.skip
        )
        return returned_as_float32(other)

    rows = np.arange(SHAPE[0], dtype=np.int32)[:, None]
    rows[5] = 1000
    wanted = thirds(x).astype(BF16).astype(np.float32)
    wanted[5] = 0
    np.testing.assert_array_equal(run(kernel, x, rows), wanted)


def gathered_elements(tile, index):
    other = nl.ndarray((tile.shape[0], 16), tile.dtype)
    nisa.tensor_copy(other, tile.indirect(index, 16))
    return other


def scattered_elements(tile, index):
    nisa.tensor_scalar(tile.indirect(index, 16), tile[:, 0:16], op0=nl.multiply, operand0=2.0)
    return tile


LISTS = np.arange(SHAPE[0], dtype=np.uint16)[:, None] % 16 * 3 % 16 + 16  # the columns 16 to 31


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("way", [gathered_elements, scattered_elements])
def test_values_stay_where_an_index_list_chooses_elements(way, timed):
    x = inputs()

    def kernel(x, lists):
        return returned_as_float32(way(third_of(x), nl.load(lists)))

    def wanted(values):
        chosen = LISTS[:16, 0]
        if way is gathered_elements:
            return values[:, chosen]
        values[:, chosen] = 2 * values[:, 0:16]
        return values

    np.testing.assert_array_equal(run(kernel, x, LISTS, timed=timed), wanted(thirds(x)))
    rounded = run(kernel, x, LISTS, timed=timed, machine=trainyard.load_machine("trn3"))
    np.testing.assert_array_equal(rounded, wanted(thirds(x).astype(BF16).astype(np.float32)))


def test_elements_that_an_index_list_overwrites_are_those_that_came():
    x = inputs()

    def kernel(x, lists):
        tile, exact = third_of(x), nl.load(x)
        nisa.tensor_copy(tile.indirect(nl.load(lists), 16), exact[:, 0:16])
        return returned_as_float32(tile)

    wanted = thirds(x)
    wanted[:, LISTS[:16, 0]] = x[:, 0:16]
    np.testing.assert_array_equal(run(kernel, x, LISTS), wanted)


def test_rules_are_those_of_the_format():
    def kernel(x):
        wide = nl.ndarray(x.shape, nl.float32)
        nisa.nc_matmul(nl.ndarray((64, 64), nl.float32, buffer=nl.psum), nl.load(x), wide)

    with pytest.raises(InputError, match=r"nc_matmul\.c5"):
        run(kernel, inputs())
