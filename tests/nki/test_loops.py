"""Do hardware loops, registers and run-time indices do on the machine what they say?"""

import warnings

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError

RNG = np.random.default_rng(3)

# Loops as releases before 0.7 have them, which are warned of: tests/nki/test_level_0_7.py.
pytestmark = pytest.mark.filterwarnings("ignore:.*removed in NKI 0.7:DeprecationWarning")


def hbm(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.shared_hbm)


def loaded_register(value):
    """A register with the one integer of an HBM tensor."""
    tile = nl.ndarray((1, 1), nl.int32)
    nisa.dma_copy(dst=tile, src=value)
    register = nisa.register_alloc()
    nisa.register_load(register, tile)
    return register


def double_rows_with(loop):
    @nki.jit
    def kernel(data, count):
        out = hbm(data.shape, data.dtype)
        for row in range(data.shape[0]):
            nisa.dma_copy(dst=out[row : row + 1], src=data[row : row + 1])

        def body(i):
            tile = nl.ndarray((1, data.shape[1]), data.dtype)
            nisa.dma_copy(dst=tile, src=data.select(0, i).expand_dim(0))
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
            nisa.dma_copy(dst=out.select(0, i).expand_dim(0), src=tile)

        loop(count, body)
        return out

    return kernel


def with_fori(count, body):
    nl.fori_loop(0, loaded_register(count), body)


def with_fori_from_two(count, body):
    nl.fori_loop(2, loaded_register(count), body, step=3)


def with_range(count, body):
    for i in nl.dynamic_range(loaded_register(count)):
        body(i)


def with_range_of_registers(count, body):
    for i in nl.dynamic_range(nisa.register_alloc(1), loaded_register(count), 2):
        body(i)


def with_range_of_a_tensor(count, body):
    tile = nl.ndarray((1, 1), nl.int32)
    nisa.dma_copy(dst=tile, src=count)
    for i in nl.dynamic_range(nisa.register_alloc(tile[0, 0])):
        body(i)


def with_constants(count, body):
    for i in nl.dynamic_range(3):
        body(i)


LOOPS = [
    (with_fori, lambda n: range(n)),
    (with_range_of_a_tensor, lambda n: range(n)),
    (with_fori_from_two, lambda n: range(2, n, 3)),
    (with_range, lambda n: range(n)),
    (with_range_of_registers, lambda n: range(1, n, 2)),
    (with_constants, lambda n: range(3)),
]


@pytest.mark.parametrize("count", [0, 1, 5, 8])
@pytest.mark.parametrize(("loop", "rows"), LOOPS, ids=[loop.__name__ for loop, _ in LOOPS])
def test_counted_loops_run_their_body_for_each_count(loop, rows, count):
    data = RNG.standard_normal((8, 6)).astype(np.float32)
    wanted = data.copy()
    wanted[list(rows(count))] *= 2
    found = double_rows_with(loop)(data, np.array([[count]], np.int32))
    np.testing.assert_array_equal(found, wanted)


def test_a_while_loop_runs_until_its_register_is_zero():
    @nki.jit
    def kernel(value, count):
        total = nl.zeros((1, 1), nl.float32)
        step = nl.load(value)
        left = nl.load(count)
        one = nl.full((1, 1), 1, nl.int32)
        condition = nisa.register_alloc()
        nisa.register_load(condition, left)

        def body(r):
            nisa.tensor_tensor(dst=total, data1=total, data2=step, op=nl.add)
            nisa.tensor_tensor(dst=left, data1=left, data2=one, op=nl.subtract)
            nisa.register_load(r, left)
            return r

        nl.while_loop(condition, body)
        out = hbm((1, 1))
        nl.store(out, total)
        return out

    for count in (0, 1, 7):
        found = kernel(np.array([[1.5]], np.float32), np.array([[count]], np.int32))
        assert found[0, 0] == 1.5 * count


def test_one_that_does_not_end_is_ended():
    @nki.jit
    def kernel(x):
        nl.while_loop(nisa.register_alloc(1), lambda condition: condition)
        return x

    with pytest.raises(Fault, match=r"(?s)run\.endless.*test_loops\.py:\d+"):
        kernel(np.zeros((1, 1), np.float32))


@pytest.mark.parametrize("timed", [False, True])
def test_a_condition_that_nothing_changes_is_found_at_once(timed):
    @nki.jit
    def kernel(x):
        tile = nl.load(x)

        def body(condition):
            nisa.tensor_tensor(dst=tile, data1=tile, data2=tile, op=nl.add)
            return condition

        nl.while_loop(nisa.register_alloc(1), body)
        return x

    found = "iteration 2 starts like iteration 1: all registers are the same"
    with pytest.raises(Fault, match=rf"(?s)run\.endless.*{found}"):
        kernel.run(np.ones((1, 1), np.float32), timed=timed)


def test_a_flag_that_is_loaded_again_and_again_is_found_at_once():
    @nki.jit
    def kernel(x, flag):
        tile, other, kept = nl.load(x), nl.load(x), nl.load(flag)
        condition = nisa.register_alloc(1)

        def body(r):
            nisa.tensor_copy(dst=other, src=tile)
            nisa.register_load(r, kept)
            return r

        nl.while_loop(condition, body)
        return x

    with pytest.raises(
        Fault, match=r"(?s)run\.endless.*all registers, and what the body writes, are the same"
    ):
        kernel(np.ones((1, 1), np.float32), np.array([[1]], np.int32))


def test_a_flag_that_stays_the_same_for_some_turns_is_no_endless_loop():
    @nki.jit
    def kernel(count):
        left = nl.load(count)
        flag = nl.full((1, 1), 1, nl.int32)
        turns = nl.full((1, 1), 0, nl.int32)
        condition = nisa.register_alloc(1)

        def body(r):
            nisa.tensor_scalar(dst=turns, data=turns, op0=nl.add, operand0=1)
            nisa.tensor_scalar(dst=left, data=left, op0=nl.subtract, operand0=1)
            nisa.tensor_scalar(dst=flag, data=left, op0=nl.greater, operand0=0)
            nisa.register_load(r, flag)
            return r

        nl.while_loop(condition, body)
        out = hbm((1, 1), nl.int32)
        nl.store(out, turns)
        return out

    for count in (1, 2, 3, 100, 1000):
        assert kernel(np.array([[count]], np.int32))[0, 0] == count


def test_while_on_a_register_is_a_hardware_loop():
    @nki.jit
    def kernel(count):
        total, left = nl.zeros((1, 1), nl.int32), nl.load(count)
        outer = nisa.register_alloc()
        nisa.register_load(outer, left)
        while outer:
            inner = nisa.register_alloc(3)
            three = nl.full((1, 1), 3, nl.int32)
            while inner:
                nisa.tensor_scalar(dst=total, data=total, op0=nl.add, operand0=1)
                nisa.tensor_scalar(dst=three, data=three, op0=nl.subtract, operand0=1)
                nisa.register_load(inner, three)
            nisa.tensor_scalar(dst=left, data=left, op0=nl.subtract, operand0=1)
            nisa.register_load(outer, left)
        out = hbm((1, 1), nl.int32)
        nl.store(out, total)
        return out

    for count in (0, 1, 4):
        assert kernel(np.array([[count]], np.int32))[0, 0] == 3 * count


def test_nested_loops_with_registers_as_indices():
    data = RNG.standard_normal((4, 3, 8)).astype(np.float32)

    @nki.jit
    def kernel(a):
        out = hbm((3, 4, 8))

        def outer(i):
            def inner(j):
                tile = nl.ndarray((3, 8), nl.float32)
                nisa.dma_copy(dst=tile, src=a[i])
                one = nl.ndarray((1, 8), nl.float32)
                nisa.dma_copy(dst=one, src=a.ap([[8, 1], [1, 8]], scalar_offset=j, indirect_dim=1))
                nisa.dma_copy(dst=out[j, 0:1], src=one)
                nisa.dma_copy(dst=out[0:3, i], src=tile)

            nl.fori_loop(0, 3, inner)

        nl.fori_loop(0, 4, outer)
        return out

    np.testing.assert_array_equal(kernel(data), data.swapaxes(0, 1))


def test_a_register_indexes_dimensions_on_chip_and_in_hbm():
    data = RNG.standard_normal((16, 4, 10)).astype(np.float32)

    @nki.jit
    def kernel(a):
        tile = nl.load(a)
        column, slices, strided = hbm((16, 4, 10)), hbm((16, 3, 2)), hbm((4, 16, 10))

        def body(i):
            nisa.dma_copy(dst=strided[i], src=a[:, i, :])
            nisa.dma_copy(dst=column[:, i], src=nl.copy(tile[:, i, :]))

        nl.fori_loop(0, 4, body)
        start = nisa.register_alloc(5)
        nisa.dma_copy(dst=slices, src=nl.copy(tile[:, 1:4, nl.ds(start, 2)]))
        return column, slices, strided

    column, slices, strided = kernel(data)
    np.testing.assert_array_equal(column, data)
    np.testing.assert_array_equal(slices, data[:, 1:4, 5:7])
    np.testing.assert_array_equal(strided, data.swapaxes(0, 1))


def test_one_element_tensors_index_as_registers_do():
    data = RNG.standard_normal((6, 16, 8)).astype(np.float32)

    @nki.jit
    def kernel(a, at):
        index = nl.load(at)
        chosen, moved = hbm((16, 8)), hbm((2, 16, 8))
        nisa.dma_copy(dst=chosen, src=a.select(0, index))
        nisa.dma_copy(dst=moved, src=a.ap([[128, 2], [8, 16], [1, 8]], scalar_offset=index))
        return chosen, moved

    chosen, moved = kernel(data, np.array([[3]], np.int32))
    np.testing.assert_array_equal(chosen, data[3])
    np.testing.assert_array_equal(moved, data[3:5])


def test_rows_are_gathered_and_scattered_by_index_vectors():
    data = RNG.standard_normal((50, 12)).astype(np.float32)
    rows = RNG.permutation(50)[:20].astype(np.int32).reshape(20, 1)

    @nki.jit
    def kernel(a, at, target):
        index = nl.load(at)
        gathered = nl.ndarray((20, 12), nl.float32)
        nisa.dma_copy(dst=gathered, src=a.vector_select(0, index))
        out = hbm((20, 12))
        nl.store(out, gathered)
        pattern = [[12, 20], [1, 12]]
        nisa.dma_copy(dst=target.ap(pattern, vector_offset=index), src=gathered)
        return out

    target = np.zeros((50, 12), np.float32)
    np.testing.assert_array_equal(kernel(data, rows, target), data[rows[:, 0]])
    np.testing.assert_array_equal(target[rows[:, 0]], data[rows[:, 0]])


def test_registers_move_and_are_stored():
    @nki.jit
    def kernel(count):
        out = nl.ndarray((1, 1), nl.int32)
        first = loaded_register(count)
        second = nisa.register_alloc()
        nisa.register_move(second, first)
        nisa.register_move(first, -7)
        both = hbm((2, 1), nl.int32)
        for row, register in enumerate((first, second)):
            nisa.register_store(out, register)
            nisa.dma_copy(dst=both[row : row + 1], src=out)
        return both

    np.testing.assert_array_equal(kernel(np.array([[41]], np.int32)), [[-7], [41]])


def test_a_kernel_may_use_many_registers_one_after_the_other(trace):
    for _ in range(200):
        nisa.register_alloc(1)
        for _ in nl.dynamic_range(2):
            nisa.register_alloc(2)
    held = [_, *(nisa.register_alloc() for _ in range(63))]  # the loop variable holds one
    with pytest.raises(InputError, match=r"registers\.capacity"):
        nisa.register_alloc()
    assert len({register._index for register in held}) == 64


def test_a_register_from_outside_a_loop_is_not_used_again_inside(trace):
    outside = nisa.register_alloc(1)
    number = outside._index
    for _ in nl.dynamic_range(2):
        del outside  # the next iteration still reads it
        assert nisa.register_alloc()._index != number
    assert nisa.register_alloc()._index == number


def test_a_view_keeps_the_register_it_depends_on(trace):
    view = hbm((4, 8))[nisa.register_alloc(1)]
    assert nisa.register_alloc()._index != 0
    del view
    assert nisa.register_alloc()._index == 0


def leave_early():
    for _ in nl.dynamic_range(3):
        break


def depend_across():
    tile = nl.zeros((4, 4), nl.float32)
    for _ in nl.dynamic_range(3):
        inside = nisa.memset(dst=tile, value=1.0)
    nisa.memset(dst=tile, value=2.0).depends_on(inside)


def write_frozen():
    for i in nl.dynamic_range(3):
        nisa.register_move(i, 1)


def use_after(loop):
    def kernel():
        made = []

        def body(i):
            made.append(nl.zeros((4, 4), nl.float32))
            return i if loop is not nl.fori_loop else None

        if loop is nl.fori_loop:
            nl.fori_loop(0, 3, body)
        else:
            nl.while_loop(nisa.register_alloc(1), body)
        nisa.tensor_copy(dst=nl.zeros((4, 4), nl.float32), src=made[0])

    return kernel


def return_from_inside():
    made = []
    nl.fori_loop(0, 2, lambda i: made.append(hbm((4, 4))))
    return made[0]


def loop_in_order():
    with nl.no_reorder():
        nl.fori_loop(0, 3, lambda i: None)


WRONG = [
    ("loop.left", leave_early),
    ("depends_on.loop", depend_across),
    ("register.frozen", write_frozen),
    ("loop.no_reorder", loop_in_order),
    ("loop.step", lambda: nl.fori_loop(0, 4, lambda i: None, step=0)),
    ("loop.step", lambda: nl.fori_loop(0, 4, lambda i: None, step=nisa.register_alloc(1))),
    ("loop.scope", use_after(nl.fori_loop)),
    ("loop.scope", use_after(nl.while_loop)),
    ("loop.scope", return_from_inside),
    ("loop.result", lambda: nl.fori_loop(0, 4, lambda i: 5)),
    ("loop.condition", lambda: nl.while_loop(nisa.register_alloc(1), lambda r: None)),
]


@pytest.mark.parametrize(("label", "body"), WRONG)
def test_misuse_is_named(label, body):
    with pytest.raises(InputError) as caught:
        nki.jit(body).trace()
    assert caught.value.violations[0].label == label


def test_a_register_is_not_a_number_for_python(trace):
    register = nisa.register_alloc(1)
    for use in (int, range, lambda r: [0, 1][r], lambda r: 1 if r else 0):
        with pytest.raises(TypeError, match="not known while the kernel is traced"):
            use(register)


def test_python_does_not_calculate_with_registers(trace):
    register = nisa.register_alloc(1)
    for use in (
        lambda r: r + 1,
        lambda r: 2 * r,
        lambda r: -r,
        lambda r: 8 // r,
        lambda r: r < 3,
        lambda r: r == 3,
        lambda r: r != 3,
        lambda r: np.int32(3) == r,
        lambda r: r ^ 1,
    ):
        with pytest.raises(TypeError, match="register_load"):
            use(register)
    assert (register != None) and register in {register}  # noqa: E711 (as kernels write it)


def test_instructions_may_be_what_a_loop_body_returns():
    @nki.jit
    def kernel():
        out, tile = hbm((4, 4)), nl.zeros((4, 4), nl.float32)
        nl.fori_loop(0, 3, lambda i: nisa.tensor_scalar(tile, tile, nl.add, 1.0))
        nl.store(out, tile)
        return out

    np.testing.assert_array_equal(kernel(), np.full((4, 4), 3, np.float32))


@pytest.mark.parametrize(("level", "warns"), [("0.5", False), ("0.6", True)])
def test_loops_that_nki_0_6_deprecates_warn(level, warns):
    def of_range():
        for _ in nl.dynamic_range(2):
            pass

    def of_register():
        register = nisa.register_alloc(1)
        while register:
            nisa.register_move(register, 0)

    for function, instead in ((of_range, "fori_loop"), (of_register, "while_loop")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nki.jit(function, compatibility=level).trace()
        assert [one.filename for one in caught] == [__file__] * warns
        assert all(instead in str(one.message) for one in caught)


def test_an_index_out_of_bounds_stops_the_run():
    @nki.jit
    def kernel(a, at):
        out = hbm((8,))
        nisa.dma_copy(dst=out, src=a[loaded_register(at)])
        return out

    data = RNG.standard_normal((4, 8)).astype(np.float32)
    np.testing.assert_array_equal(kernel(data, np.array([[3]], np.int32)), data[3])
    with pytest.raises(Exception, match=r"dynamic\.bounds"):
        kernel(data, np.array([[4]], np.int32))


def test_an_offset_along_a_dimension_of_one_element_reaches_its_neighbours():
    @nki.jit
    def kernel(a, at):
        out = hbm((4, 8))
        chosen = a.reshape((4, 3, 1, 8)).ap(
            [[24, 4], [1, 8]], scalar_offset=loaded_register(at), indirect_dim=2
        )
        nisa.dma_copy(dst=out, src=chosen)
        return out

    data = RNG.standard_normal((4, 24)).astype(np.float32)
    for i in range(3):
        chosen = kernel(data, np.array([[i]], np.int32))
        np.testing.assert_array_equal(chosen, data.reshape(4, 3, 8)[:, i])
    with pytest.raises(Exception, match=r"dynamic\.bounds"):
        kernel(data, np.array([[3]], np.int32))
