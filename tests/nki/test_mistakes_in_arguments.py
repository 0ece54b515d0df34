"""Is what an author passes by mistake refused, with the argument and what is wrong with it?"""

import collections
import dataclasses
import types

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki import collectives
from trainyard import InputError

X = np.ones((4, 8), np.float32)


@nki.jit
def copied(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.load(x))
    return out


@pytest.mark.parametrize("use", [lambda t: t == 0, lambda t: t != 1.5, lambda t: np.int32(3) == t])
def test_python_does_not_compare_tensors_with_numbers(trace, use):
    tile = nl.ndarray((4, 8), nl.float32)
    with pytest.raises(TypeError, match="Python does not compare a tensor"):
        use(tile)


def test_tensors_are_found_in_containers(trace):
    one, other = (nl.ndarray((4, 8), nl.float32) for _ in range(2))
    assert other in [one, other] and other not in [one, None] and other in {other: 1}
    assert other != one and other != None  # noqa: E711 (as kernels write it)


class TestSizes:
    @pytest.mark.parametrize("shape", [(4, 63 / 2), (True, 4), (4, np.True_), (4, "8"), (4, None)])
    def test_are_integers(self, trace, shape):
        with pytest.raises(InputError, match=r"(?s)tensor\.shape: shape \(.*is an integer"):
            nl.ndarray(shape, nl.float32)

    @pytest.mark.parametrize("shape", [(2**61,), (2**40, 2**40), (4, 2**70), (4, -(2**70))])
    def test_have_a_product_of_64_bits(self, trace, shape):
        with pytest.raises(InputError, match=r"(?s)tensor\.shape.*64-bit"):
            nl.ndarray(shape, nl.float32, buffer=nl.shared_hbm)

    def test_may_be_numpys(self, trace):
        assert nl.ndarray((np.int64(4), np.uint8(3)), nl.float32).shape == (4, 3)


@pytest.mark.parametrize("address", [(0,), 3, (0, 1.5), (0, 2**70), (None, 0)])
def test_addresses_are_pairs_of_integers(trace, address):
    with pytest.raises(InputError, match=r"(?s)memory\.address.*address="):
        nl.ndarray((4, 8), nl.float32, address=address)


@pytest.mark.parametrize("buffer", [nl.shared_hbm, nl.private_hbm])
def test_an_address_in_hbm_is_refused(trace, buffer):
    with pytest.raises(InputError, match=r"(?s)memory\.address: .*\(0, 64\) in HBM.*on-chip"):
        nl.ndarray((4, 8), nl.float32, buffer=buffer, address=(0, 64))


@pytest.mark.parametrize("grid", [0, 3, 1.5, 2.0, True, "2", None, (2, 2), (1, True)])
def test_grids_are_integers(grid):
    with pytest.raises(ValueError, match="1 or 2 logical cores"):
        copied[grid]


def test_grids_may_have_dimensions():
    assert copied[np.int64(2)].grid == copied[2, 1].grid == 2


class TestMachines:
    def test_may_be_names(self):
        for result in (copied.run(X, machine="trn2")[1], copied.bench(X, machine="trn2")):
            assert result.machine.name == trainyard.load_machine("trn2").name

    def test_are_machines(self):
        with pytest.raises(TypeError, match=r"machine is a name.*not 2"):
            copied.run(X, machine=2)
        with pytest.raises(TypeError, match=r"machine is a name.*not 2"):
            nki.use_machine(2)


@pytest.mark.parametrize("option", ["timed", "values", "checks", "record"])
def test_options_are_true_or_false(option):
    with pytest.raises(TypeError, match=f"{option} is True or False, not 1"):
        copied.run(X, **{option: 1})


def test_a_schedule_is_a_name():
    with pytest.raises(TypeError, match="schedule is 'author', 'list' or 'free', not 3"):
        copied.run(X, schedule=3)


@dataclasses.dataclass
class Box:
    tensor: object


async def later(x):
    return copied(x)


def one_by_one(x):
    yield copied(x)


RESULTS = {
    "set": lambda x: {copied(x)},
    "Box": lambda x: [Box(copied(x))],
    "SimpleNamespace": lambda x: types.SimpleNamespace(tensor=copied(x)),
    "deque": lambda x: collections.deque([copied(x)]),
    "map": lambda x: {"all": map(copied, [x])},
    "generator": one_by_one,
    "coroutine": later,
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_tensors_in_containers(name):
    with pytest.raises(InputError, match=rf"(?s)kernel\.output.*returns a {name}"):
        nki.jit(RESULTS[name])(X)


class TestCoresOfAGrid:
    OTHERS = (
        lambda one, other: None,
        lambda one, other: (one,),
        lambda one, other: (one, one),
        lambda one, other: {"other": one},
        lambda one, other: (one, other),
    )

    @pytest.mark.parametrize("returned", OTHERS)
    def test_return_the_same_structure(self, returned):
        def kernel(x):
            one = nl.ndarray((4, 8), nl.float32, buffer=nl.shared_hbm)
            other = nl.ndarray((4, 4), nl.float32, buffer=nl.shared_hbm)
            return returned(one, other) if nl.program_id() else [other, one]

        with pytest.raises(InputError, match=r"(?s)kernel\.output.*result.*core 0.*same structure"):
            nki.jit(kernel)[2](X)

    def test_may_return_other_numbers(self):
        assert nki.jit(lambda x: {"core": nl.program_id()})[2](X) == {"core": 0}


@pytest.mark.parametrize("value", [2**32, -(2**31) - 1, 2**70, np.int64(2**40)])
def test_registers_hold_32_bits(trace, value):
    register = nisa.register_alloc(-(2**31))
    for use in (nisa.register_alloc, lambda v: nisa.register_move(register, v)):
        with pytest.raises(InputError, match=r"(?s)register\.value.*32 bits"):
            use(value)


class TestListsOfTensors:
    def test_of_dma_compute(self, trace):
        x = nl.ndarray((4, 8), nl.float32)
        with pytest.raises(InputError, match=r"(?s)argument\.type.*NkiTensor.*'srcs' is a list"):
            nisa.dma_compute(dst=x, srcs=x, reduce_op=nl.add, scales=[1.0])

    @pytest.mark.parametrize("wrong", [lambda x: x, lambda x: [1], lambda x: None])
    @pytest.mark.parametrize("name", ["srcs", "dsts"])
    def test_of_collectives(self, trace, wrong, name):
        x = nl.ndarray((4, 8), nl.float32, buffer=nl.shared_hbm)
        lists = {"srcs": [x], "dsts": [x]} | {name: wrong(x)}
        group = collectives.ReplicaGroup([[0]])
        with pytest.raises(InputError, match=rf"(?s)collective\.tensors.*{name}="):
            collectives.all_reduce(**lists, replica_group=group, op=nl.add)
        with pytest.raises(InputError, match=rf"(?s)collective\.tensors.*{name}="):
            collectives.collective_permute(**lists, source_target_pairs=[(0, 0)])


def test_producers_are_instructions(trace):
    tile = nl.ndarray((4, 8), nl.float32)
    one = nisa.memset(tile, 0)
    for wrong in (None, [one], "memset"):
        with pytest.raises(InputError, match=r"(?s)depends_on\.producers.*instructions"):
            nisa.memset(tile, 1).depends_on(wrong)
