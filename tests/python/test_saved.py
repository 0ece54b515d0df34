"""Do results, kernels and machines survive pickle, so that process pools can sweep?"""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import neuronxcc.nki as older
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard

X = np.linspace(-1, 1, 128 * 64, dtype=np.float32).reshape(128, 64)


@nki.jit
def scaled(x, factor=2.0):
    """x times a number."""
    tile = nl.load(x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
    nl.store(out, tile)
    return out


@older.jit
def of_the_first_generation(x):
    import neuronxcc.nki.language as language

    return language.load(x) * 3.0


def plain(x):
    return nl.load(x)


def copy_of(value):
    return pickle.loads(pickle.dumps(value))


def test_a_result_tells_the_same_as_before(tmp_path):
    _, result = scaled.run(X, timed=True, record=True)
    other = copy_of(result)
    assert str(other) == str(result) and repr(other) == repr(result)
    assert other.as_dict() == result.as_dict()
    assert (other.time_ns, other.cycles, other.bound) == (
        result.time_ns,
        result.cycles,
        result.bound,
    )
    assert other.rank_times_ns == result.rank_times_ns
    assert other.timeline == result.timeline
    assert other._repr_html_() == result._repr_html_()
    for save in ("save", "save_programs", "save_plots"):
        before = [p.read_bytes() for p in getattr(result, save)(tmp_path / "a")]
        assert [p.read_bytes() for p in getattr(other, save)(tmp_path / "b")] == before
    assert copy_of(other).as_dict() == result.as_dict()


def test_a_result_without_time(tmp_path):
    _, result = scaled.run(X, timed=False)
    assert str(copy_of(result)) == str(result)
    assert copy_of(result).as_dict() == result.as_dict()


def test_a_pickled_result_answers_what_was_asked_before():
    result = scaled.bench(X, what_if=["hbm.bandwidth=x2"])
    other = copy_of(result)
    assert other.what_ifs == result.what_ifs
    with pytest.raises(ValueError, match="before pickling"):
        other.ask(what_if=["hbm.bandwidth=x4"])


def test_kernels_are_found_by_their_name():
    kernel = copy_of(scaled[2])
    assert kernel.grid == 2 and kernel.function is scaled.function
    np.testing.assert_array_equal(copy_of(scaled)(X), 2 * X)
    np.testing.assert_array_equal(copy_of(of_the_first_generation)(X), 3 * X)
    assert copy_of(nki.jit(plain, compatibility="0.5"))._compatibility == "0.5"


def test_a_kernel_without_a_name_says_so():
    for kernel in (nki.jit(lambda x: x), older.jit(lambda x: x)):
        with pytest.raises(pickle.PicklingError, match="top of a module"):
            pickle.dumps(kernel)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_kernel_without_a_name_is_copied_all_the_same(copied):
    def kernel(x):
        return older.language.load(x)

    np.testing.assert_array_equal(copied(older.jit(kernel))(X), X)
    assert copied(nki.jit(kernel)[2]).grid == 2


def test_machines_keep_their_changes():
    machine = trainyard.load_machine("trn2").with_overrides(["hbm.bandwidth=1TB/s"])
    other = copy_of(machine)
    assert other.hash == machine.hash and other.name == "trn2"
    assert scaled.bench(X, machine=other).time_ns == scaled.bench(X, machine=machine).time_ns


def test_a_process_pool_sweeps():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(scaled.bench, [X, X[:, :8]]))
    assert [one.time_ns for one in found] == [scaled.bench(x).time_ns for x in (X, X[:, :8])]
