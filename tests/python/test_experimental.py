"""Do the instructions that AWS's API lacks compute what the hardware is said to compute?"""

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError, experimental, load_machine

RNG = np.random.default_rng(23)
COLUMNS, WIDTH = 16, 40


def sparse_matrix(rows, columns, pattern, dtype=np.float32):
    dense = RNG.integers(1, 8, (rows, columns)) * RNG.choice([-1, 1], (rows, columns))
    return experimental.prune(dense.astype(dtype), pattern)


@pytest.mark.parametrize("pattern", experimental.PATTERNS, ids=lambda p: f"{p[0]}:{p[1]}")
class TestPatterns:
    def test_pruning_keeps_the_largest(self, pattern):
        kept, of = pattern
        dense = RNG.permuted(np.arange(1, of + 1, dtype=np.float32)[:, None].repeat(3, 1), axis=0)
        pruned = experimental.prune(dense, pattern)
        for column in pruned.T:
            assert sorted(column[column != 0]) == list(range(of - kept + 1, of + 1))

    def test_what_is_compressed_expands_to_itself(self, pattern):
        matrix = sparse_matrix(pattern[1] * 5, 8, pattern)
        matrix[:, 0] = 0  # a column without any element
        elements, tags = experimental.compress(matrix, pattern)
        assert elements.shape == (5 * pattern[0], 8) and tags.shape == (5 * pattern[0], 2)
        assert tags.dtype == np.uint16
        np.testing.assert_array_equal(experimental.expand(elements, tags, pattern), matrix)

    def test_too_many_elements_are_refused(self, pattern):
        matrix = sparse_matrix(pattern[1] * 2, 4, pattern)
        matrix[pattern[1] :, 3] = 1
        with pytest.raises(ValueError, match=rf"column 3 have {pattern[1]} elements"):
            experimental.compress(matrix, pattern)

    @pytest.mark.parametrize("machine", ["trn2", "trn3"])
    def test_the_product_is_that_of_the_dense_matrix(self, pattern, machine):
        ratio = pattern[1] // pattern[0]
        partitions = 24
        weights = sparse_matrix(partitions * ratio, COLUMNS, pattern)
        x = RNG.integers(-4, 5, (partitions * ratio, WIDTH)).astype(np.float32)
        found = product(weights, x, pattern, machine=machine)[0]
        np.testing.assert_array_equal(found, weights.T @ x)


def product(weights, x, pattern, tags=None, dtype=ml_dtypes.bfloat16, accumulate=1, **options):
    options.setdefault("machine", "trn3")
    elements, own = experimental.compress(weights, pattern)
    ratio = pattern[1] // pattern[0]

    @nki.jit
    def kernel(elements, tags, x):
        product = nl.ndarray((elements.shape[1], x.shape[2]), nl.float32, buffer=nl.psum)
        operands = [nl.load(each) for each in (elements, tags, x)]
        for _ in range(accumulate):
            experimental.nc_matmul_sparse(product, *operands, pattern=pattern)
        out = nl.ndarray(product.shape, nl.float32, buffer=nl.shared_hbm)
        nl.store(out, nl.copy(product))
        return out

    dense = x.reshape(-1, ratio, x.shape[1]).astype(dtype)
    options["machine"] = load_machine(options["machine"])
    return kernel.run(elements.astype(dtype), own if tags is None else tags, dense, **options)


def test_sums_accumulate():
    weights, x = sparse_matrix(64, 8, (4, 16)), RNG.integers(-4, 5, (64, 12)).astype(np.float32)
    found, _ = product(weights, x, (4, 16), accumulate=3)
    np.testing.assert_array_equal(found, 3 * weights.T @ x)


def test_infinities_that_no_weight_selects_do_not_count():
    weights = np.zeros((16, 4), np.float32)
    weights[[1, 5, 9, 13]] = 1
    x = np.full((16, 8), np.inf, np.float32)
    x[[1, 5, 9, 13]] = 2
    found, _ = product(weights, x, (4, 16))
    np.testing.assert_array_equal(found, np.full((4, 8), 8, np.float32))


@pytest.mark.parametrize("tag", [0x0000, 0xFFFF])
def test_tags_outside_the_pattern_stop_the_run(tag):
    weights, x = sparse_matrix(16, 4, (4, 8)), np.ones((16, 8), np.float32)
    with pytest.raises(Fault, match=r"nc_matmul_sparse.tag"):
        product(weights, x, (4, 8), tags=np.full((8, 1), tag, np.uint16))


def test_4_of_16_is_four_times_as_fast_as_dense():
    """One sparse matmul against the four dense ones that cover the same contraction."""
    weights = sparse_matrix(512, 128, (4, 16))
    x = RNG.standard_normal((512, 512)).astype(np.float32)
    repeats = 64

    @nki.jit
    def dense(weights, x):
        product = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
        stationary = [nl.load(weights[128 * k : 128 * k + 128]) for k in range(4)]
        moving = [nl.load(x[128 * k : 128 * k + 128]) for k in range(4)]
        for _ in range(repeats):
            for k in range(4):
                nisa.nc_matmul(product, stationary[k], moving[k])
        out = nl.ndarray(product.shape, nl.float32, buffer=nl.shared_hbm)
        nl.store(out, nl.copy(product))
        return out

    bf16 = ml_dtypes.bfloat16
    times = {}
    for count in (repeats, 2 * repeats):
        _, run = product(weights, x, (4, 16), accumulate=count, timed=True, values=False)
        times[count] = run.time_ns
    sparse_time = (times[2 * repeats] - times[repeats]) / repeats
    machine = load_machine("trn3")
    first = dense.run(
        weights.astype(bf16), x.astype(bf16), machine=machine, timed=True, values=False
    )
    repeats *= 2
    second = dense.run(
        weights.astype(bf16), x.astype(bf16), machine=machine, timed=True, values=False
    )
    dense_time = (second[1].time_ns - first[1].time_ns) / (repeats / 2)
    assert dense_time / sparse_time == pytest.approx(4, rel=0.02)


def adds(traffic=None):
    @nki.jit
    def kernel(a, b):
        tile = nl.load(a)
        experimental.dma_read_add_write(tile, b, priority=traffic)
        out = nl.ndarray(a.shape, a.dtype, buffer=nl.shared_hbm)
        nl.store(out, tile)
        return out

    return kernel


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_dma_adds_to_sbuf(dtype):
    a, b = (RNG.standard_normal((128, 70)).astype(dtype) for _ in range(2))
    wanted = (a.astype(np.float32) + b.astype(np.float32)).astype(dtype)
    np.testing.assert_array_equal(adds()(a, b), wanted)


def test_adding_takes_as_long_as_copying():
    a = RNG.standard_normal((128, 4096)).astype(np.float32)

    @nki.jit
    def copies(a, b):
        tile = nl.load(a)
        nisa.dma_copy(dst=tile, src=b)
        out = nl.ndarray(a.shape, a.dtype, buffer=nl.shared_hbm)
        nl.store(out, tile)
        return out

    times = [
        kernel.run(a, a, timed=True, values=False, checks=False)[1].time_ns
        for kernel in (adds(), copies)
    ]
    assert times[0] == times[1]


def test_before_gen4_there_is_no_such_addition():
    a = np.ones((4, 4), np.float32)
    with pytest.raises(InputError) as caught:
        adds().run(a, a, machine=load_machine("trn2"))
    assert "dma_read_add_write.c1" in {v.label for v in caught.value.violations}


@nki.jit
def urgent_and_not(x):
    """A load of the lowest class, one of the highest, and long work on the latter."""
    # Short runs make many packets, which take turns.
    parts = [x[k, :, :, 0:64] for k in range(2)]
    tiles = [nl.ndarray(parts[0].shape, x.dtype) for _ in range(2)]
    for tile, source, traffic, issuer in zip(
        tiles, parts, (3, 0), (nisa.engine.sync, nisa.engine.scalar), strict=True
    ):
        nisa.dma_copy(
            dst=tile, src=source, priority=traffic, engine=issuer, dge_mode=nisa.dge_mode.hwdge
        )
    for _ in range(4):
        nisa.reciprocal(dst=tiles[1], data=tiles[1])
    out = nl.ndarray((2, *tiles[0].shape), x.dtype, buffer=nl.shared_hbm)
    for k in range(2):
        nisa.dma_copy(dst=out[k], src=tiles[k])
    return out


def test_traffic_classes_share_the_bandwidth_as_told():
    x = np.zeros((2, 128, 64, 128), np.float32)

    def time(machine):
        result = urgent_and_not.run(x, machine=machine, timed=True, values=False, checks=False)[1]
        return result.time_ns

    strict = time(load_machine("trn3"))
    with experimental.traffic_shares(8, 4, 2, 1) as machine:
        shaped = time(machine)
    with experimental.traffic_shares(1, 1, 1, 1) as machine:
        even = time(machine)
    assert strict < shaped < even
    # The urgent load is alone, or has 8/9 or half of the bandwidth.
    assert (shaped - strict) / (even - strict) == pytest.approx(1 / 8, rel=0.2)


def test_shares_are_positive():
    with pytest.raises(InputError), experimental.traffic_shares(0, 1, 1, 1):
        pass
