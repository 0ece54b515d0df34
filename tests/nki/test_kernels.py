"""Do kernels take and return what their callers have, alone, nested, and on a grid?"""

import dataclasses
from enum import Enum
from pathlib import Path

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from nki import _values
from trainyard import InputError

RNG = np.random.default_rng(5)
DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "uint8",
    "uint16",
    "uint32",
    "float16",
    "float32",
    "bfloat16",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e8m0fnu",
]


def out_like(x):
    return nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)


@nki.jit
def through(x):
    out = out_like(x)
    nl.store(out, nl.load(x))
    return out


def arrays_equal(found, wanted):
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found.view(np.uint8), np.ascontiguousarray(wanted).view(np.uint8))


class TestArrays:
    @pytest.mark.parametrize("name", DTYPES)
    def test_every_dtype_goes_in_and_out_bit_for_bit(self, name):
        dtype = np.dtype(name)
        bits = RNG.integers(0, 2 if name == "bool" else 256, (16, 8 * dtype.itemsize), np.uint8)
        x = bits.view(dtype)
        seen = []

        @nki.jit
        def kernel(a):
            seen.append(a.dtype)
            return through(a)

        arrays_equal(kernel(x), x)
        assert seen == [name] and getattr(nl, f"{name}_" if name == "bool" else name) == name

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("float8_e4m3fn_x4", np.uint32),
            ("float8_e5m2_x4", np.uint32),
            ("float4_e2m1fn_x4", np.uint16),
        ],
    )
    def test_packed_data_are_words(self, name, words):
        x = RNG.integers(0, 2**16, (32, 8)).astype(words)
        found = through(_values.packed(x, name))
        np.testing.assert_array_equal(found.view(words), x)
        assert str(found.dtype) == name == _values.dtype_name(found)

        @nki.jit
        def viewed(a):
            assert a.view(name).shape == a.shape
            return through(a.view(name))

        np.testing.assert_array_equal(viewed(x).view(words), x)

    def test_packed_dtypes_are_numpy_dtypes_that_only_move(self):
        x = np.zeros((2, 3), nl.float8_e4m3fn_x4)
        x.view(np.uint32)[...] = np.arange(6, dtype=np.uint32).reshape(2, 3)
        turned = np.concatenate([x.T, x.T]).copy()
        assert turned.dtype == x.dtype == nl.float8_e4m3fn_x4
        np.testing.assert_array_equal(turned.view(np.uint32)[4], [1, 4])
        with pytest.raises(TypeError):
            x.astype(np.float32)

    def test_float64_is_refused(self):
        with pytest.raises(TypeError, match="no float64"):
            through(np.zeros((4, 4)))

    def test_arrays_need_not_be_contiguous(self):
        x = RNG.standard_normal((12, 20)).astype(np.float32)
        arrays_equal(through(x.T), np.ascontiguousarray(x.T))
        arrays_equal(through(x[::2, ::3]), np.ascontiguousarray(x[::2, ::3]))

    def test_results_keep_their_structure(self):
        @nki.jit
        def kernel(x, pair, named):
            return {"x": through(x), "list": [through(pair[0]), (through(named["y"]), 3)]}

        x, y, z = (RNG.standard_normal((4, 6)).astype(np.float32) for _ in range(3))
        found = kernel(x, (y, "text"), {"y": z, "n": None})
        arrays_equal(found["x"], x)
        assert isinstance(found["list"], list) and isinstance(found["list"][1], tuple)
        arrays_equal(found["list"][0], y)
        arrays_equal(found["list"][1][0], z)
        assert found["list"][1][1] == 3

    def test_views_of_outputs_and_inputs_are_results(self):
        @nki.jit
        def kernel(x):
            out = through(x)
            return out[1:3, ::2], out.reshape((6, 4)), out, x

        x = RNG.standard_normal((4, 6)).astype(np.float32)
        part, reshaped, whole, same = kernel(x)
        arrays_equal(part, np.ascontiguousarray(x[1:3, ::2]))
        arrays_equal(reshaped, x.reshape(6, 4))
        arrays_equal(whole, x)
        arrays_equal(same, x)


class TestWrittenInputs:
    @staticmethod
    @nki.jit
    def double(x, y):
        tile = nl.load(x)
        nl.store(y, nl.multiply(tile, 2.0))

    def test_change_in_place(self):
        x, y = np.ones((4, 6), np.float32), np.zeros((4, 6), np.float32)
        assert self.double(x, y) is None
        assert (y == 2).all() and (x == 1).all()

    def test_change_in_place_when_not_contiguous(self):
        x, y = np.ones((4, 6), np.float32), np.zeros((6, 8), np.float32)
        self.double(x, y[:, ::2].T)
        assert (y[:, ::2] == 2).all() and (y[:, 1::2] == 0).all()

    def test_may_be_one_array_twice(self):
        x = np.ones((4, 6), np.float32)
        self.double(x, x)
        assert (x == 2).all()

    def test_of_a_read_only_array_are_refused(self):
        x, y = np.ones((4, 6), np.float32), np.zeros((4, 6), np.float32)
        y.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            self.double(x, y)


class TestArguments:
    def test_may_be_called_as_options_of_a_run_are(self):
        @nki.jit
        def stored(values, machine=2.0, record=None, timed=True):
            assert timed is False and record == "r"
            out = out_like(values)
            nl.store(out, nl.multiply(nl.load(values), machine))
            return out

        x = np.ones((4, 4), np.float32)
        assert (stored(values=x, machine=3.0, record="r", timed=False) == 3).all()

    def test_may_be_objects_with_arrays(self):
        @dataclasses.dataclass
        class Weights(nl.NKIObject):
            w: object
            scale: float = 1.0
            missing: object = None

        class Mode(Enum):
            plain = 1
            scaled = 2

        @nki.jit
        def kernel(x, weights, mode):
            out = out_like(x)
            product = nl.multiply(nl.load(x), nl.load(weights.w))
            nl.store(out, nl.multiply(product, weights.scale) if mode == Mode.scaled else product)
            assert weights.missing is None
            return out

        x, w = (RNG.standard_normal((4, 6)).astype(np.float32) for _ in range(2))
        arrays_equal(kernel(x, Weights(w, scale=2.0), Mode.scaled), x * w * 2)
        arrays_equal(kernel(x, Weights(w), mode=Mode.plain), x * w)


class TestKernelObjects:
    def test_look_like_their_functions(self):
        @nki.jit(mode="trace")
        def named(x, y=3):
            """What it does."""

        assert named.__name__ == "named" and named.__doc__ == "What it does."
        assert named.func is named.__wrapped__
        assert len({named, named[1], named}) == 2
        assert nki.jit(named) is named

    def test_call_each_other(self):
        @nki.jit
        def inner(tile, factor):
            return nl.multiply(tile, factor)

        @nki.jit
        def outer(x):
            out = out_like(x)
            nl.store(out, inner(nl.load(x), 3.0))
            return out

        arrays_equal(outer(np.ones((4, 4), np.float32)), np.full((4, 4), 3, np.float32))

    def test_may_be_methods(self):
        class Model:
            factor = 4.0

            @nki.jit
            def scale(self, x):
                out = out_like(x)
                nl.store(out, nl.multiply(nl.load(x), self.factor))
                return out

        assert (Model().scale(np.ones((4, 4), np.float32)) == 4).all()

    def test_simulate_wraps_plain_functions(self):
        def plain(x):
            return through(x)

        x = np.ones((4, 4), np.float32)
        arrays_equal(nki.simulate(plain)(x), x)
        arrays_equal(nki.simulate(through)(x), x)


class TestGrid:
    def test_instances_write_their_parts_of_shared_tensors(self):
        @nki.jit
        def kernel(x):
            assert nl.program_ndim() == 1 and nl.num_programs() == nl.num_programs(axes=0) == 2
            out = out_like(x)
            half = x.shape[0] // 2
            rows = nl.ds(nl.program_id(0) * half, half)
            private = nl.ndarray((half, x.shape[1]), x.dtype, buffer=nl.private_hbm)
            nl.store(private, nl.multiply(nl.load(x[rows]), 1.0 + nl.program_id(axis=0)))
            nl.store(out[rows], nl.load(private))
            return out

        x = RNG.standard_normal((16, 8)).astype(np.float32)
        wanted = x.copy()
        wanted[8:] *= 2
        arrays_equal(kernel[2](x), wanted)
        arrays_equal(nki.simulate(kernel)[2](x), wanted)

    def test_without_a_grid_there_is_no_dimension(self):
        seen = []

        @nki.jit
        def kernel(x):
            seen.append((nl.program_ndim(), nl.num_programs(), nl.program_id(0)))
            assert x.buffer == (nl.shared_hbm if nl.num_programs() > 1 else nl.hbm)

        x = np.ones((4, 4), np.float32)
        kernel(x), kernel[1](x), kernel[2](x)
        assert seen == [(0, 1, 0), (1, 1, 0), (1, 2, 0), (1, 2, 1)]

    def test_both_instances_may_write_an_input(self):
        @nki.jit
        def kernel(x):
            row = nl.program_id(0)
            nl.store(x[row : row + 1], nl.full((1, x.shape[1]), row + 1, x.dtype))

        x = np.zeros((2, 8), np.float32)
        kernel[2](x)
        assert (x == [[1], [2]]).all()

    @pytest.mark.found("memory.output")
    def test_instances_may_write_rows_that_only_the_run_knows(self):
        @nki.jit
        def kernel(rows):
            out = nl.ndarray((4, 8), nl.int32, buffer=nl.shared_hbm)
            row = nisa.register_alloc()
            mine = nl.load(rows[nl.program_id(0)].expand_dim(0))
            nisa.register_load(row, mine)
            tile = nl.full((1, 8), 10 + nl.program_id(0), nl.int32)
            nisa.dma_copy(dst=out[row].expand_dim(0), src=tile)
            return out

        found = kernel[2](np.array([[2], [1]], np.int32))
        assert (found[2] == 10).all() and (found[1] == 11).all()

    def test_instances_create_the_same_shared_tensors(self):
        @nki.jit
        def kernel(x):
            size = 4 * (1 + nl.program_id(0))
            nl.ndarray((size, 4), x.dtype, buffer=nl.shared_hbm)

        with pytest.raises(InputError, match=r"grid\.shared.*same order"):
            kernel[2](np.ones((4, 4), np.float32))

    @pytest.mark.parametrize("grid", [0, 3, (2, 2)])
    def test_other_sizes_are_refused(self, grid):
        with pytest.raises(ValueError, match="1 or 2"):
            through[grid]


class TestSchedule:
    @staticmethod
    def names(schedule=()):
        @nki.jit
        def kernel(x):
            tile, a, b = nl.load(x), nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype)
            nisa.reciprocal(dst=a, data=tile, name="recip")
            nisa.tensor_scalar(dst=b, data=tile, op0=nl.add, operand0=1, name="plus1")
            nisa.tensor_scalar(dst=b, data=b, op0=nl.add, operand0=1, name="twice")
            nisa.tensor_scalar(dst=b, data=b, op0=nl.add, operand0=1, name="twice")
            out = out_like(x)
            nl.store(out, nl.add(a, b))
            return out

        return kernel.with_schedule(list(schedule))

    @pytest.mark.parametrize("order", ["author", "list"])
    @pytest.mark.parametrize("edge", [("plus1", "recip"), ("recip", ["plus1"])])
    def test_edges_change_no_result(self, edge, order):
        x = np.full((4, 4), 2, np.float32)
        found, _ = self.names([edge]).run(x, schedule=order)
        assert (found == 5.5).all()

    def test_edges_name_one_instruction(self):
        x = np.ones((4, 4), np.float32)
        with pytest.raises(ValueError, match="'minus', but no instructions"):
            self.names([("plus1", "minus")])(x)
        with pytest.raises(ValueError, match="'twice', but 2 instructions"):
            self.names([("twice", "recip")])(x)

    def test_edges_that_contradict_the_data_are_refused(self):
        @nki.jit
        def kernel(x):
            tile = nl.load(x)
            first = nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1)
            second = nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2)
            first.depends_on(second)
            return through(x)

        with pytest.raises(InputError, match=r"schedule\.cycle"):
            kernel(np.ones((4, 4), np.float32))

    def test_no_reorder_orders_what_runs_under_it(self, trace):
        tiles = [nl.ndarray((4, 4), nl.float32) for _ in range(4)]

        def fill():
            for tile in tiles:
                nisa.memset(dst=tile, value=1.0)

        fill()
        with nl.no_reorder(), nl.no_reorder():
            fill()
        assert trace.trace.edges() == [(4, 5), (5, 6), (6, 7)]


def test_device_print_shows_the_values_of_its_moment(capsys):
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        nl.device_print("before", tile)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1.0)
        nl.device_print("after", tile)
        product = nl.matmul(tile, tile, transpose_x=True)
        nl.device_print("product", product)
        return through(x)

    kernel(np.arange(4, dtype=np.float32).reshape(2, 2))
    said = capsys.readouterr().out
    assert said.split("\n")[:9] == [
        "before",
        "[[0. 1.]",
        " [2. 3.]]",
        "after",
        "[[1. 2.]",
        " [3. 4.]]",
        "product",
        "[[10. 14.]",
        " [14. 20.]]",
    ]


class TestPlaces:
    def test_an_error_names_line_callers_and_loop_indices(self):
        def helper(tile, column):
            nisa.tensor_copy(dst=tile[:, column : column + 2], src=tile[:, 0:1])  # here

        @nki.jit
        def kernel(x):
            tile = nl.load(x)
            for i, factor in enumerate([1.0, 2.0]):
                for j in range(3):
                    if i == 1 and j == 2:
                        helper(tile, int(j * factor) - j)
            return x

        with pytest.raises(InputError) as caught:
            kernel(np.ones((4, 8), np.float32))
        violation = caught.value.violations[0]
        assert violation.label == "tensor_copy.c3"
        first, second = violation.place.split("\n")
        assert first.split(" in ")[1].endswith("helper, i=1, j=2") and "kernel" in second
        line = int(first.split(":")[1].split(" ")[0])
        assert "# here" in Path(__file__).read_text().split("\n")[line - 1]

    def test_every_instruction_has_its_place(self):
        @nki.jit
        def kernel(x):
            tile = nl.load(x)
            for k in range(2):
                nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=k)
            return through(x)

        program = kernel.trace(np.ones((4, 8), np.float32)).program
        places = [program.place(i) for i in range(len(program))]
        assert [p.endswith(f"k={k}") for k, p in enumerate(places[1:3])] == [True, True]
        assert all(__file__ in place for place in places)


class TestObjects:
    def test_missing_fields_are_none_with_and_without_dataclass(self):
        @dataclasses.dataclass
        class WithDecorator(nl.NKIObject):
            a: int
            b: int = 2
            c: list = dataclasses.field(default_factory=list)

        class Without(nl.NKIObject):
            a: int
            b: int = 2
            plain = None

            def __post_init__(self):
                self.sum = (self.a or 0) + self.b

        made = WithDecorator()
        assert (made.a, made.b, made.c) == (None, 2, [])
        assert WithDecorator(1, c=[3]).c == [3] and WithDecorator().c is not made.c
        assert Without(5).sum == 7 and Without(b=1).a is None
        assert Without(1, plain="set").plain == "set"
        for wrong in (lambda: Without(1, 2, 3), lambda: Without(d=1), lambda: Without(1, a=2)):
            with pytest.raises(TypeError):
                wrong()

    def test_frozen_and_hand_written_classes(self):
        @dataclasses.dataclass(frozen=True)
        class Frozen(nl.NKIObject):
            a: int = 1

        class Own(nl.NKIObject):
            x: int = 1

            def __init__(self, x):
                self.y = x

        assert Frozen(3).a == 3 and Frozen() == Frozen(1)
        assert Own(4).y == 4
        with pytest.raises(dataclasses.FrozenInstanceError):
            Frozen().a = 2


def test_sizes_of_the_target():
    sizes = nl.tile_size
    assert (sizes.pmax, sizes.psum_bank_fmax, sizes.psum_bank_fmax_bytes) == (128, 512, 2048)
    assert (sizes.gemm_stationary_fmax, sizes.gemm_moving_fmax, sizes.bn_stats_fmax) == (
        128,
        512,
        512,
    )
    assert sizes.sbuf_fmax * 4 == sizes.sbuf_fmax_bytes == sizes.total_available_sbuf_size
    nki.use_machine("trn1")
    try:
        assert nisa.get_nc_version() == nisa.nc_version.gen2
        assert sizes.sbuf_size_bytes == 24 * 2**20
    finally:
        nki.use_machine(None)
    assert nisa.get_nc_version() > nisa.nc_version.gen3


def test_dtypes_are_numpy_dtypes():
    assert np.zeros(2, nl.bfloat16).dtype == ml_dtypes.bfloat16 == np.dtype(nl.bfloat16)
    assert nki.dtype.float8_e5m2 == nl.float8_e5m2 == str(np.dtype(nl.float8_e5m2))
