"""Does a matmul without `accumulate` overwrite each element first and add to it afterwards?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard._core import load_machine

K, M = 32, 16
RNG = np.random.default_rng(11)


def integers(*shape):
    return RNG.integers(-4, 5, shape).astype(np.float32)


def run(machine, body, columns, left, right, dtype=nl.float32, rows=M, **options):
    """What `body(product, left, right)` leaves in a PSUM tile of [rows, columns]."""

    @nki.jit
    def kernel(a, b):
        product = nl.ndarray((rows, columns), dtype, buffer=nl.psum)
        body(product, nl.load(a), nl.load(b))
        out = nl.ndarray(product.shape, nl.float32, buffer=nl.shared_hbm)
        nl.store(out, nl.copy(product, nl.float32))
        return out

    return kernel.run(left, right, machine=load_machine(machine), **options)


@pytest.fixture(params=["trn1", "trn2", "trn3"])
def machine(request):
    return request.param


WIDTH = 40
STARTS = [0, 24, 8, 60, 30]


def shifted(product, a, b):
    """A convolution: every product lands a little further on."""
    for k, start in enumerate(STARTS):
        nisa.nc_matmul(product[:, start : start + WIDTH], a[:, k], b)


def test_overlapping_destinations_add_where_they_overlap(machine):
    a, b = integers(K, len(STARTS), M), integers(K, WIDTH)
    wanted = np.zeros((M, 100), np.float32)
    for k, start in enumerate(STARTS):
        wanted[:, start : start + WIDTH] += a[:, k].T @ b
    found, _ = run(machine, shifted, 100, a, b)
    np.testing.assert_array_equal(found, wanted)


def test_strided_destinations_and_fewer_partitions(machine):
    a, b = integers(K, M), integers(K, 50)

    def body(product, a, b):
        nisa.nc_matmul(product[:8, ::2], a[:, :8], b)
        nisa.nc_matmul(product[:, 25:75], a, b)
        nisa.nc_matmul(product.reshape((M, 10, 10))[:, 3:8], a, b)
        nisa.nc_matmul(product[:, 0:50], a, b)
        nisa.nc_matmul(product[:, 50:100], a, b)

    whole = a.T @ b
    wanted = np.zeros((M, 100), np.float32)
    wanted[:8, ::2] += whole[:8]
    wanted[:, 25:75] += whole
    wanted.reshape(M, 10, 10)[:, 3:8] += whole.reshape(M, 5, 10)
    wanted[:, :50] += whole
    wanted[:, 50:] += whole
    found, _ = run(machine, body, 100, a, b)
    np.testing.assert_array_equal(found, wanted)


def test_the_first_write_keeps_minus_zero():
    a, b = np.zeros((K, M), np.float32), integers(K, 20)
    b[:] = -1

    def body(product, a, b):
        nisa.tensor_scalar(dst=a, data=a, op0=nl.multiply, operand0=0.0)
        nisa.nc_matmul(product[:, 0:20], a, b, accumulate=False)
        nisa.nc_matmul(product[:, 10:30], a, b)

    found, _ = run("trn3", body, 30, a, b)
    # The array's own sum starts at +0, so overwriting leaves +0 and so does the partial overwrite.
    assert not np.signbit(found).any()


def test_bfloat16_sums_round_as_separate_matmuls_do():
    a, b = RNG.standard_normal((K, M)).astype(np.float32), integers(K, 40)

    def mixed(product, a, b):
        nisa.nc_matmul(product[:, :40], a, b)
        nisa.nc_matmul(product[:, 20:60], a, b)

    def apart(product, a, b):
        nisa.nc_matmul(product[:, :40], a, b)
        nisa.nc_matmul(product[:, 20:40], a, b[:, :20], accumulate=True)
        nisa.nc_matmul(product[:, 40:60], a, b[:, 20:], accumulate=False)

    found = [run("trn3", body, 60, a, b, nl.bfloat16)[0] for body in (mixed, apart)]
    np.testing.assert_array_equal(*found)


def test_clearing_is_part_of_the_matmul_and_takes_no_time():
    a, b = integers(K, len(STARTS), M), integers(K, WIDTH)

    def overwriting(product, a, b):
        for k, start in enumerate(STARTS):
            nisa.nc_matmul(product[:, start : start + WIDTH], a[:, k], b, accumulate=False)

    runs = [
        run("trn3", body, 100, a, b, values=False, timed=True, checks=False)[1]
        for body in (shifted, overwriting)
    ]
    assert runs[0].time_ns == runs[1].time_ns


def test_elements_that_no_matmul_wrote_stay_unwritten():
    a, b = integers(K, M), integers(K, 20)

    def body(product, a, b):
        nisa.nc_matmul(product[:, :20], a, b)
        nisa.nc_matmul(product[:, 10:30], a, b)

    with pytest.raises(Exception, match=r"memory.unwritten"):
        run("trn3", body, 31, a, b)


@pytest.mark.parametrize("loops", [1, 2])
def test_a_sum_that_outlives_a_hardware_loop_grows_with_every_iteration(machine, loops):
    a, b = integers(K, M), integers(K, 20)

    def body(product, a, b):
        def iteration(_):
            nisa.nc_matmul(product[:, :20], a, b)

        if loops == 1:
            nl.fori_loop(0, 3, iteration)
        else:
            nl.fori_loop(0, 2, lambda _: nl.fori_loop(0, 3, iteration))

    found, _ = run(machine, body, 20, a, b)
    np.testing.assert_array_equal(found, (3 if loops == 1 else 6) * (a.T @ b))


def test_a_sum_made_inside_a_hardware_loop_starts_anew(machine):
    a, b = integers(K, M), integers(K, 20)

    @nki.jit
    def kernel(a, b):
        out = nl.ndarray((M, 30), nl.float32, buffer=nl.shared_hbm)
        a, b = nl.load(a), nl.load(b)

        def body(_):
            product = nl.ndarray((M, 30), nl.float32, buffer=nl.psum)
            nisa.nc_matmul(product[:, :20], a, b)
            nisa.nc_matmul(product[:, 10:], a, b)
            nl.store(out, nl.copy(product))

        nl.fori_loop(0, 3, body)
        return out

    wanted = np.zeros((M, 30), np.float32)
    wanted[:, :20] += a.T @ b
    wanted[:, 10:] += a.T @ b
    found, _ = kernel.run(a, b, machine=load_machine(machine))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.found("memory.unused")
def test_zeros_before_a_hardware_loop_do_not_make_its_sums_outlive_it(machine):
    """Every tensor written in part gets a memset before it, which moves what is behind."""
    a, b = integers(K, M), integers(K, 20)

    @nki.jit
    def kernel(a, b):
        out = nl.ndarray((M, 20), nl.float32, buffer=nl.shared_hbm)
        a, b = nl.load(a), nl.load(b)
        for _ in range(4):
            nisa.memset(nl.ndarray((K, 8), nl.float32, buffer=nl.sbuf)[:, :4], 0)

        def body(_):
            product = nl.ndarray((M, 20), nl.float32, buffer=nl.psum)
            nisa.nc_matmul(product, a, b)
            nl.store(out, nl.copy(product))

        nl.fori_loop(0, 3, body)
        return out

    chosen = load_machine(machine).with_overrides(["policy.unwritten=zero"])
    found, _ = kernel.run(a, b, machine=chosen)
    np.testing.assert_array_equal(found, a.T @ b)


def test_a_tile_of_zeros_is_added_to(machine):
    """The pattern that the architecture guide of Trainium1 prints."""
    a, b = integers(K, M), integers(K, 20)

    @nki.jit
    def kernel(a, b):
        product = nl.zeros((M, 20), nl.float32, buffer=nl.psum)
        a, b = nl.load(a), nl.load(b)
        for _ in nl.affine_range(3):
            nisa.nc_matmul(product, a, b)
        out = nl.ndarray(product.shape, nl.float32, buffer=nl.shared_hbm)
        nl.store(out, nl.copy(product))
        return out

    found, _ = kernel.run(a, b, machine=load_machine(machine))
    np.testing.assert_array_equal(found, 3 * (a.T @ b))


@pytest.mark.found("psum.lost_sum")
def test_transposes_overwrite():
    x = integers(K, M)

    def body(product, a, identity):
        for _ in range(2):
            nisa.nc_matmul(product, a, identity, is_transpose=True)

    found, _ = run("trn3", body, K, x, np.eye(K, dtype=np.float32))
    np.testing.assert_array_equal(found, x.T)
