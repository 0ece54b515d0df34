"""Do kernels whose tensors do not fit on chip compute the same as if they did?"""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest
from trainyard import InputError

# Of float32: 280 KiB of each partition, in more than half of the partitions.
TILES, ROWS, COLUMNS = 70, 65, 1024
RNG = np.random.default_rng(9)


def numbers(*shape):
    return RNG.integers(-100, 100, shape).astype(np.float32)


def test_a_sum_over_iterations_goes_on_where_it_was():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((TILES, ROWS, COLUMNS), nl.float32, buffer=nl.shared_hbm)
        sums = nl.full((TILES, nl.par_dim(ROWS), COLUMNS), fill_value=0, dtype=nl.float32)
        for step in nl.sequential_range(3):
            for tile in nl.affine_range(TILES):
                sums[tile] = nl.loop_reduce(nl.load(x[step, tile]), op=np.add, loop_indices=[step])
        for tile in nl.affine_range(TILES):
            nl.store(out[tile], sums[tile])
        return out

    x = numbers(3, TILES, ROWS, COLUMNS)
    np.testing.assert_array_equal(kernel(x), x.sum(axis=0))


def test_what_a_predicate_leaves_stays():
    @nki.jit
    def kernel(x, y, chosen):
        out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
        kept = nl.ndarray((TILES, nl.par_dim(ROWS), COLUMNS), dtype=nl.float32)
        predicate = nl.load(chosen)
        for tile in nl.affine_range(TILES):
            kept[tile] = nl.load(x[tile])
        for tile in nl.affine_range(TILES):
            nisa.tensor_copy_predicated(dst=kept[tile], src=nl.load(y[tile]), predicate=predicate)
        for tile in nl.affine_range(TILES):
            nl.store(out[tile], kept[tile])
        return out

    x, y = numbers(TILES, ROWS, COLUMNS), numbers(TILES, ROWS, COLUMNS)
    chosen = RNG.integers(0, 2, (ROWS, COLUMNS)).astype(np.uint8)
    np.testing.assert_array_equal(kernel(x, y, chosen), np.where(chosen, y, x))


def halves(x):
    """Each half of a tile is used long after it was written, and after the other one."""
    out = nl.ndarray((TILES, ROWS, COLUMNS), nl.float32, buffer=nl.shared_hbm)
    kept = nl.ndarray((TILES, nl.par_dim(ROWS), COLUMNS), dtype=nl.float32)
    half = COLUMNS // 2
    for tile in nl.affine_range(TILES):
        kept[tile] = nl.load(x[tile])
    for part in nl.affine_range(2):
        for tile in nl.affine_range(TILES):
            columns = nl.ds(part * half, half)
            nl.store(out[tile, :, columns], kept[tile, :, columns] * 2.0)
    return out


def test_of_a_tile_only_what_is_read_is_loaded_again():
    x = numbers(TILES, ROWS, COLUMNS)
    out, result = nki.jit(halves).run(x, timed=True)
    np.testing.assert_array_equal(out, 2 * x)
    # Once to be stored, and once half by half.
    (stack,) = (row["bytes"] for row in result.report["traffic"] if row["memory"] == "hbm")
    assert stack["read"] == 2 * x.nbytes


@pytest.mark.found("dma.element_wise")
def test_a_view_with_gaps_leaves_what_is_between():
    @nki.jit
    def kernel(x, y):
        out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
        kept = nl.ndarray((TILES, nl.par_dim(ROWS), COLUMNS), dtype=nl.float32)
        for tile in nl.affine_range(TILES):
            kept[tile] = nl.load(x[tile])
        even = 2 * nl.arange(COLUMNS // 2)[None, :]
        rows = nl.arange(ROWS)[:, None]
        for tile in nl.affine_range(TILES):
            kept[tile, rows, even] = nl.load(y[tile])
        for tile in nl.affine_range(TILES):
            nl.store(out[tile], kept[tile])
        return out

    x, y = numbers(TILES, ROWS, COLUMNS), numbers(TILES, ROWS, COLUMNS // 2)
    expected = x.copy()
    expected[:, :, ::2] = y
    np.testing.assert_array_equal(kernel(x, y), expected)


def test_they_are_kept_in_hbm_without_checks_too(recwarn):
    x = numbers(TILES, ROWS, COLUMNS)
    out, result = nki.jit(halves).run(x, timed=False, checks=False)
    np.testing.assert_array_equal(out, 2 * x)
    assert result.machine.sbuf_bytes_per_partition < x.nbytes // ROWS
    assert not recwarn.list


def sum_of_scans(decay, x, weights):
    """As the public fused Mamba has it: whole rows of results between loads and a sum."""
    out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
    total = nl.zeros(x.shape, nl.float32)
    rates, rows = nl.load(decay), nl.load(x)
    for k in nl.affine_range(weights.shape[0]):
        kept = nisa.activation(op=nl.exp, data=rates, scale=-1.0 - k)
        given = nl.load(weights[k : k + 1, :])
        moved = nisa.tensor_tensor(rates, rows, op=nl.multiply)
        moved = nisa.tensor_tensor(moved, given.broadcast_to(x.shape), op=nl.multiply)
        states = nisa.tensor_tensor_scan(kept, moved, initial=0, op0=np.multiply, op1=np.add)
        total += nisa.tensor_tensor(states, given.broadcast_to(x.shape), op=nl.multiply)
    nl.store(out, total)
    return out


# Of a partition's 176 KiB on trn1 a row of float32 takes a ninth, a seventh, and more than a fifth.
@pytest.mark.parametrize("length", [4096, 7168, 8192])
def test_results_of_instructions_leave_the_chip_where_declarations_do_not_suffice(length):
    decay = RNG.uniform(0, 0.1, (128, length)).astype(np.float32)
    x, weights = numbers(128, length), numbers(4, length)
    found, result = nki.jit(sum_of_scans).run(decay, x, weights, timed=True, machine="trn1")
    wanted = np.zeros(x.shape)
    for k, row in enumerate(weights.astype(np.float64)):
        state, moved = np.zeros(128), decay * x * row
        for t, kept in enumerate(np.exp(decay.astype(np.float64) * (-1.0 - k)).T):
            state = kept * state + moved[:, t]
            wanted[:, t] += state * row[t]
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())
    least = decay.nbytes + x.nbytes + weights.nbytes
    (stack,) = (row["bytes"] for row in result.report["traffic"] if row["memory"] == "hbm")
    assert (stack["read"] > 2 * least) == (length > 4096), "rows are loaded again where they must"


def test_a_kernel_whose_one_instruction_does_not_fit_is_still_refused():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
        nl.store(out, nl.add(nl.load(x), nl.exp(nl.load(x))))
        return out

    with pytest.raises(InputError, match=r"sbuf\.capacity"):
        kernel.run(np.zeros((128, 32768), np.float32), machine="trn1")
