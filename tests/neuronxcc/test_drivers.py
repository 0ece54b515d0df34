"""Do the drivers of first-generation NKI run kernels, time them and write their arguments?"""

import neuronxcc.nki as nki
import neuronxcc.nki.language as nl
import numpy as np
import pytest

X = np.random.default_rng(4).standard_normal((128, 512)).astype(np.float32)


def doubled(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.load(x) * 2.0)
    return out


@pytest.mark.parametrize(
    "driver",
    [
        nki.jit,
        nki.jit(mode="simulation", platform_target="trn2"),
        nki.baremetal,
        nki.baremetal(save_neff_name="file.neff"),
        nki.benchmark(warmup=5, iters=10),
        lambda f: nki.jit(nki.trace(f), mode="simulation"),
    ],
)
def test_a_driver_runs_the_kernel(driver):
    np.testing.assert_array_equal(driver(doubled)(X), 2 * X)


def test_a_result_may_be_in_hbm_of_any_name():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.hbm)
        nl.store(out, nl.load(x) * 2.0)
        return out

    np.testing.assert_array_equal(kernel(X), 2 * X)


def test_simulate_kernel_changes_the_arrays_a_kernel_writes():
    @nki.trace
    def kernel(x, y):
        nl.store(y, nl.load(x) * 2.0)

    y = np.zeros_like(X)
    nki.simulate_kernel(kernel, X, y)
    np.testing.assert_array_equal(y, 2 * X)


def test_benchmark_has_the_latency_of_the_timed_run():
    kernel = nki.benchmark(warmup=1, iters=1)(doubled)
    with pytest.raises(RuntimeError, match="after the kernel has been called"):
        _ = kernel.benchmark_result
    kernel(X)
    latency = kernel.benchmark_result.nc_latency
    assert latency.get_latency_percentile(50) == latency.get_latency_percentile(99)
    assert latency.time_ns == nki.jit(doubled).bench(X).time_ns
    assert latency.get_latency_percentile(50) == -(-latency.time_ns // 1000)


def test_a_platform_target_chooses_the_machine():
    times = {
        target: nki.jit(doubled, platform_target=target).bench(X).time_ns
        for target in ("trn1", "trn2")
    }
    assert times["trn1"] != times["trn2"]


def test_a_tile_on_chip_may_be_returned():
    @nki.jit
    def kernel(x):
        return nl.load(x), {"sum": nl.sum(nl.load(x), axis=1)}

    same, sums = kernel(X)
    np.testing.assert_array_equal(same, X)
    np.testing.assert_allclose(sums["sum"][:, 0], X.sum(1), rtol=1e-4, atol=1e-4)


def test_a_kernel_inside_a_kernel_is_inlined():
    inner = nki.jit(doubled)

    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, nl.load(inner(x)) + 1.0)
        return out

    np.testing.assert_array_equal(kernel(X), 2 * X + 1)


def test_functions_outside_a_kernel_say_so():
    with pytest.raises(RuntimeError, match="run inside a kernel"):
        nl.zeros((128, 4), nl.float32)


def test_a_timed_run_merges_loads_and_keeps_the_bits():
    @nki.jit
    def scaled_rows(x, w):
        out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        for i in nl.affine_range(x.shape[0] // 128):
            weights = nl.load(w)
            rows = nl.load(x[i * 128 : (i + 1) * 128, :])
            psum = nl.matmul(weights, rows)
            nl.store(out[i * 128 : (i + 1) * 128, :], nl.copy(psum, dtype=x.dtype))
        return out

    random = np.random.default_rng(1)
    x = random.standard_normal((1024, 256)).astype(np.float32)
    w = random.standard_normal((128, 128)).astype(np.float32)
    plain = scaled_rows(x, w)
    authors, first = scaled_rows.run(x, w, timed=True, schedule="author")
    merged, second = scaled_rows.run(x, w, timed=True)
    assert merged.tobytes() == authors.tobytes() == plain.tobytes()
    assert second.time_ns < first.time_ns
    counts = [
        [one.instances[0].program.mnemonic(i) for i in range(len(one.instances[0].program))]
        for one in (first, second)
    ]
    assert [names.count("dma_copy") for names in counts] == [24, 5]


def test_without_the_middle_end_a_timed_run_keeps_the_authors_order():
    def reloading(x):
        out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        for _ in nl.affine_range(8):
            nl.store(out, nl.load(x) * 2.0)
        return out

    free = nki.jit(reloading).bench(X).time_ns
    decorate = nki.compiler.skip_middle_end_transformations
    kept = decorate(nki.jit(reloading)).bench(X).time_ns
    assert free < kept
    assert nki.jit(decorate(reloading)).bench(X).time_ns == kept
    assert nki.jit(reloading).bench(X, schedule="author").time_ns == kept
