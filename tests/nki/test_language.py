"""Do the functions of nki.language compute what their names say? NumPy in float64 is the judge."""

import math

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import scipy.special
from trainyard import InputError

RNG = np.random.default_rng(7)
SHAPE = (64, 96)


def normal(*shape, scale=1.0):
    return (RNG.standard_normal(shape or SHAPE) * scale).astype(np.float32)


def positive(*shape):
    return np.abs(normal(*shape)) + np.float32(0.125)


def apply(function, *arrays):
    """The result of `function` on SBUF tiles holding the arrays, as an array."""

    @nki.jit
    def kernel(*inputs):
        result = function(*(nl.load(i) for i in inputs))
        out = nl.ndarray(result.shape, result.dtype, buffer=nl.shared_hbm)
        nl.store(out, result if result.buffer == nl.sbuf else nl.copy(result))
        return out

    return kernel(*arrays)


def close(found, wanted, rtol=2e-6, atol=2e-6):
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.asarray(wanted, np.float64), rtol=rtol, atol=atol)


BINARY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "abs_max": lambda x, y: np.where(np.abs(x) > np.abs(y), x, y),
    "abs_min": lambda x, y: np.where(np.abs(x) < np.abs(y), x, y),
}


@pytest.mark.parametrize("name", BINARY)
class TestBinary:
    def test_of_two_tiles(self, name):
        x, y = normal(), normal()
        y[:, ::3] = x[:, ::3]  # some equal elements
        close(apply(getattr(nl, name), x, y), BINARY[name](x.astype(float), y))

    def test_of_a_tile_and_a_number(self, name):
        x = normal()
        close(apply(lambda t: getattr(nl, name)(t, 0.75), x), BINARY[name](x.astype(float), 0.75))

    def test_of_a_number_and_a_tile(self, name):
        x = positive()
        close(apply(lambda t: getattr(nl, name)(0.75, t), x), BINARY[name](0.75, x.astype(float)))


@pytest.mark.parametrize(
    "name", sorted(BINARY.keys() - {"abs_max", "abs_min"})
)  # documented with (P, 1)
def test_binary_functions_do_not_broadcast(trace, name):
    with pytest.raises(InputError, match=r"language\.shape"):
        getattr(nl, name)(nl.ndarray((8, 4), nl.float32), nl.ndarray((8, 1), nl.float32))


def test_power_takes_tiles_and_numbers():
    x, y = positive(), normal()
    close(apply(nl.power, x, y), x.astype(float) ** y, rtol=1e-5)
    close(apply(lambda t: nl.power(t, 3.0), x), x.astype(float) ** 3, rtol=1e-5)
    close(apply(lambda t: nl.power(2.0, t), y), 2.0 ** y.astype(float), rtol=1e-5)


def test_abs_max_takes_a_column():
    x = np.full((128, 8), -5, np.float32)
    for value, wanted in ((3, -5), (5, 5), (-7, -7)):
        column = np.full((128, 1), value, np.float32)
        assert (apply(nl.abs_max, x, column) == wanted).all()


BITS = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint32])
@pytest.mark.parametrize("name", BITS)
def test_bits(name, dtype):
    x, y = (RNG.integers(0, 120, SHAPE).astype(dtype) for _ in range(2))
    np.testing.assert_array_equal(apply(getattr(nl, name), x, y), BITS[name](x, y))


def test_shifts_and_invert():
    x = RNG.integers(0, 2**32, SHAPE, np.uint32)
    np.testing.assert_array_equal(apply(lambda t: nl.left_shift(t, 3), x), x << np.uint32(3))
    np.testing.assert_array_equal(apply(lambda t: nl.right_shift(t, 5), x), x >> np.uint32(5))
    np.testing.assert_array_equal(apply(nl.invert, x), ~x)


def test_logic_on_zeros_and_ones():
    x, y = (RNG.integers(0, 2, SHAPE).astype(np.float32) for _ in range(2))
    for name in ("and", "or", "xor"):
        wanted = getattr(np, f"logical_{name}")(x, y)
        np.testing.assert_array_equal(apply(getattr(nl, f"logical_{name}"), x, y), wanted)
    np.testing.assert_array_equal(apply(nl.logical_not, x), 1 - x)


UNARY = {
    "abs": np.abs,
    "square": np.square,
    "negative": np.negative,
    "sign": np.sign,
    "exp": np.exp,
    "tanh": np.tanh,
    "sigmoid": scipy.special.expit,
    "relu": lambda x: np.maximum(x, 0),
    "erf": scipy.special.erf,
    "silu": lambda x: x * scipy.special.expit(x),
    "gelu": lambda x: x * scipy.special.ndtr(x),
    "softplus": lambda x: np.logaddexp(x, 0),
    "sin": np.sin,
    "cos": np.cos,
    "ceil": np.ceil,
    "floor": np.floor,
    "trunc": np.trunc,
    "copy": lambda x: x,
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    x = normal(scale=3.0)
    close(apply(getattr(nl, name), x), UNARY[name](x.astype(float)), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "log", "reciprocal"])
def test_unary_of_positive_numbers(name):
    x = positive()
    wanted = {"rsqrt": lambda v: v**-0.5, "reciprocal": lambda v: 1 / v}
    close(apply(getattr(nl, name), x), wanted.get(name, getattr(np, name, None))(x.astype(float)))


def test_trigonometry_of_large_angles():
    x = RNG.uniform(-3e4, 3e4, SHAPE).astype(np.float32)
    close(apply(nl.sin, x), np.sin(x.astype(float)), atol=1e-5)
    close(apply(nl.cos, x), np.cos(x.astype(float)), atol=1e-5)
    near = normal()
    close(apply(nl.tan, near), np.tan(near.astype(float)), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["ceil", "floor", "trunc"])
def test_rounding_where_it_is_delicate(name):
    special = [0.0, -0.5, 0.5, 1.5, 2.5, -1.0, 3.2, -3.7, 8388607.5, -8388607.5, 8388609.0]
    special += [2.0**31, -(2.0**31), 3e9, 1e30, -1e30, 0.99999994, -0.99999994, 1e-30]
    x = np.array(special, np.float32).reshape(1, -1)
    np.testing.assert_array_equal(apply(getattr(nl, name), x), getattr(np, name)(x))
    half = x[:, :6].astype(ml_dtypes.bfloat16)
    found = apply(getattr(nl, name), half)
    assert found.dtype == half.dtype
    np.testing.assert_array_equal(found.astype(float), getattr(np, name)(half.astype(float)))


def test_where_chooses_tiles_and_numbers():
    condition = (normal() > 0).astype(np.float32)
    x, y = normal(), normal()
    wanted = np.where(condition, x, y)
    np.testing.assert_array_equal(apply(nl.where, condition, x, y), wanted)
    np.testing.assert_array_equal(
        apply(lambda c, t: nl.where(c, t, -1.0), condition, x), np.where(condition, x, -1)
    )
    np.testing.assert_array_equal(
        apply(lambda c, t: nl.where(c, 2.0, t), condition, y), np.where(condition, 2, y)
    )


REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod, "mean": np.mean}
AXES = [(1, (32, 24)), (-1, (32, 24)), (2, (32, 4, 6)), ((1, 2), (32, 4, 6)), ([2, 1], (32, 4, 6))]


@pytest.mark.parametrize(("axis", "shape"), AXES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, axis, shape):
    x = positive(*shape) if name == "prod" else normal(*shape)
    numpy_axis = axis if isinstance(axis, int) else tuple(axis)
    wanted = REDUCTIONS[name](x.astype(float), axis=numpy_axis)
    found = apply(lambda t: getattr(nl, name)(t, axis), x)
    assert found.shape == (wanted.shape if wanted.ndim > 1 else (*wanted.shape, 1))
    close(found.reshape(wanted.shape), wanted, rtol=1e-5, atol=1e-5)
    kept = apply(lambda t: getattr(nl, name)(t, axis, keepdims=True), x)
    assert kept.shape == REDUCTIONS[name](x, axis=numpy_axis, keepdims=True).shape
    np.testing.assert_array_equal(kept.ravel(), found.ravel())


@pytest.mark.parametrize("shape", [(16, 40), (16, 1300)])
def test_variance_keeps_its_dimensions(shape):
    x = normal(*shape)
    found = apply(lambda t: nl.var(t, 1), x)
    close(found, x.astype(float).var(axis=1, keepdims=True), rtol=1e-5)
    y = normal(8, 3, 20)
    close(apply(lambda t: nl.var(t, 2), y), y.astype(float).var(axis=2, keepdims=True), rtol=1e-5)


def test_all_is_one_where_nothing_is_zero():
    x = np.ones((4, 8), np.float32)
    x[1, 3] = 0
    np.testing.assert_array_equal(apply(lambda t: nl.all(t, 1), x), [[1], [0], [1], [1]])


@pytest.mark.parametrize(("axis", "shape"), AXES)
def test_softmax(axis, shape):
    x = normal(*shape, scale=4.0)
    wanted = scipy.special.softmax(
        x.astype(float), axis=axis if isinstance(axis, int) else tuple(axis)
    )
    close(apply(lambda t: nl.softmax(t, axis), x), wanted, rtol=1e-5)


def test_rms_norm():
    x, w = normal(16, 48), normal(16, 48)
    wanted = x / np.sqrt((x.astype(float) ** 2).sum(1, keepdims=True) / 48 + 1e-6) * w
    close(apply(lambda a, b: nl.rms_norm(a, b, axis=1, n=48), x, w), wanted, rtol=1e-5)


def test_dtype_of_a_result_is_that_of_the_first_tile_or_the_one_asked_for():
    x = normal().astype(ml_dtypes.bfloat16)
    assert apply(nl.exp, x).dtype == ml_dtypes.bfloat16
    assert apply(lambda t: nl.exp(t, dtype=nl.float32), x).dtype == np.float32
    assert apply(lambda t: nl.sum(t, 1, dtype=nl.float32), x).dtype == np.float32
    assert apply(lambda t: nl.add(t, 1.0, dtype=np.float16), x).dtype == np.float16
    assert apply(lambda t: nl.less(t, 1.0, dtype=nl.uint8), x).dtype == np.uint8


def test_matmul_with_and_without_a_transposed_operand():
    x, y = normal(64, 96), normal(64, 128)
    close(
        apply(lambda a, b: nl.matmul(a, b, transpose_x=True), x, y),
        x.T.astype(float) @ y,
        1e-4,
        1e-4,
    )
    left = normal(48, 64)
    close(apply(nl.matmul, left, y), left.astype(float) @ y, 1e-4, 1e-4)


def test_transpose_swaps_partitions_and_columns():
    x = normal(48, 96)
    np.testing.assert_array_equal(apply(nl.transpose, x), x.T)
    found = apply(lambda t: nl.transpose(t, dtype=nl.bfloat16), x)
    np.testing.assert_array_equal(found, x.T.astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    ("shape", "wanted"), [((8, 1), (8, 24)), ((1, 24), (100, 24)), ((1, 1, 3), (128, 5, 3))]
)
def test_broadcast_to_repeats_dimensions_of_one_element(shape, wanted):
    x = normal(*shape)
    np.testing.assert_array_equal(
        apply(lambda t: nl.broadcast_to(t, wanted), x), np.broadcast_to(x, wanted)
    )


def test_broadcast_to_its_own_shape_is_the_tile_itself(trace):
    x = nl.ndarray((8, 4), nl.float32)
    assert nl.broadcast_to(x, (8, 4)) is x
    assert nl.broadcast_to(x, (8, 4), dtype=nl.bfloat16).dtype == "bfloat16"
    with pytest.raises(InputError, match=r"language\.shape"):
        nl.broadcast_to(x, (8, 8))
    with pytest.raises(InputError, match=r"language\.shape"):
        nl.broadcast_to(x, (8, 4, 1))


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_load_transpose2d(dtype):
    x = normal(48, 96).astype(dtype)

    @nki.jit
    def kernel(a):
        same, cast = nl.load_transpose2d(a), nl.load_transpose2d(a, dtype=nl.float16)
        outs = [nl.ndarray(t.shape, t.dtype, buffer=nl.shared_hbm) for t in (same, cast)]
        for out, tile in zip(outs, (same, cast), strict=True):
            nl.store(out, tile)
        return outs

    same, cast = kernel(x)
    np.testing.assert_array_equal(same, x.T)
    np.testing.assert_array_equal(cast, x.T.astype(np.float32).astype(np.float16))


@pytest.mark.found("memory.unused")
def test_constants_and_identities():
    array = RNG.integers(0, 2**32, (8, 6), np.uint32)

    @nki.jit
    def kernel():
        held = nl.load(nl.shared_constant(array))
        identity = nl.shared_identity_matrix(64, nl.bfloat16)
        assert nl.shared_identity_matrix(64, nl.bfloat16) is identity
        assert nl.shared_identity_matrix(32, nl.bfloat16) is not identity
        given = nl.ndarray((16, 16), nl.uint8)
        assert nl.shared_identity_matrix(16, dst=given) is given
        outs = []
        for tile in (held, identity, given):
            outs.append(nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm))
            nl.store(outs[-1], tile)
        return outs

    held, identity, given = kernel()
    np.testing.assert_array_equal(held, array)
    np.testing.assert_array_equal(identity.astype(float), np.eye(64))
    np.testing.assert_array_equal(given, np.eye(16))


def test_a_constant_may_be_a_file(tmp_path):
    x = normal(4, 6)
    np.save(tmp_path / "x.npy", x)

    @nki.jit
    def kernel():
        return nl.shared_constant(str(tmp_path / "x.npy"))

    np.testing.assert_array_equal(kernel(), x)


def test_expand_dims_is_a_view(trace):
    assert nl.expand_dims(nl.ndarray((8, 4), nl.float32), 1).shape == (8, 1, 4)


def test_gather_flattened():
    x = normal(16, 4, 8)
    at = RNG.integers(0, 32, (16, 20), np.uint32)
    wanted = np.take_along_axis(x.reshape(16, 32), at.astype(np.int64), axis=1)
    np.testing.assert_array_equal(apply(nl.gather_flattened, x, at), wanted)


@pytest.mark.parametrize("buffer", [nl.sbuf, nl.psum, nl.private_hbm])
def test_filled_tensors(buffer):
    @nki.jit
    def kernel():
        made = []
        for tile in (
            nl.full((200 if nl.is_hbm(buffer) else 100, 6), 2.5, nl.float32, buffer=buffer),
            nl.zeros((4, 6), nl.int32, buffer=buffer),
            nl.ones((4, 6), nl.bfloat16, buffer=buffer),
        ):
            out = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=nl.copy(tile) if nl.is_psum(buffer) else tile)
            made.append(out)
        return tuple(made)

    full, zeros, ones = kernel()
    assert (full == 2.5).all() and (zeros == 0).all() and (ones == 1).all()


def test_like_another(trace):
    x = nl.ndarray((8, 4), nl.bfloat16, buffer=nl.psum)
    for made in (nl.empty_like(x), nl.zeros_like(x)):
        assert (made.shape, made.dtype, made.buffer) == (x.shape, x.dtype, x.buffer)
    assert nl.empty_like(x, dtype=nl.float32, buffer=nl.sbuf).buffer == nl.sbuf


@pytest.mark.parametrize("machine", ["trn2", "trn3"])
class TestRandom:
    def draw(self, machine, seeds=(42, 42)):
        nki.use_machine(machine)
        try:

            @nki.jit
            def kernel():
                outs = []
                for seed in seeds:
                    nl.random_seed(nl.full((1, 1), seed, dtype=nl.int32))
                    drawn = nl.rand((128, 256), dtype=nl.float32)
                    out = nl.ndarray(drawn.shape, nl.float32, buffer=nl.shared_hbm)
                    nl.store(out, drawn)
                    outs.append(out)
                return outs

            return kernel()
        finally:
            nki.use_machine(None)

    def test_a_seed_repeats_its_numbers(self, machine):
        first, second = self.draw(machine)
        np.testing.assert_array_equal(first, second)
        other, _ = self.draw(machine, (43, 42))
        assert not np.array_equal(first, other)

    def test_numbers_are_spread_over_zero_to_one(self, machine):
        drawn, _ = self.draw(machine)
        assert drawn.min() >= 0 and drawn.max() < 1
        counts, _ = np.histogram(drawn, bins=16, range=(0, 1))
        assert np.abs(counts / drawn.size - 1 / 16).max() < 0.01


def test_dropout_zeroes_a_share():
    x = positive(128, 256)
    found = apply(lambda t: nl.dropout(t, 0.25), x)
    kept = found != 0
    np.testing.assert_array_equal(found[kept], x[kept])
    assert math.isclose(kept.mean(), 0.75, abs_tol=0.02)
    assert (apply(lambda t: nl.dropout(t, 1.0), x) == 0).all()


WRONG = [
    ("language.axis", lambda: nl.sum(nl.ndarray((8, 4), nl.float32), 0)),
    ("language.axis", lambda: nl.max(nl.ndarray((8, 4, 2), nl.float32), 1)),
    ("language.axis", lambda: nl.softmax(nl.ndarray((8, 4, 2), nl.float32), (1, 1))),
    ("language.axis", lambda: nl.mean(nl.ndarray((8, 4), nl.float32), ())),
    ("language.shape", lambda: nl.transpose(nl.ndarray((8, 4, 2), nl.float32))),
    (
        "language.shape",
        lambda: nl.matmul(nl.ndarray((8, 4), nl.float32), nl.ndarray((5, 4), nl.float32)),
    ),
    ("language.tile", lambda: nl.exp(nl.ndarray((8, 4), nl.float32, buffer=nl.shared_hbm))),
    ("language.tile", lambda: nl.add(1.0, 2.0)),
    ("language.hbm", lambda: nl.load(nl.ndarray((8, 4), nl.float32))),
    ("language.hbm", lambda: nl.load_transpose2d(nl.ndarray((8, 4), nl.float32))),
    ("language.hbm", lambda: nl.store(nl.zeros((8, 4), nl.float32), nl.zeros((8, 4), nl.float32))),
    (
        "language.tile",
        lambda: nl.store(
            nl.ndarray((8, 4), nl.float32, buffer=nl.shared_hbm),
            nl.ndarray((8, 4), nl.float32, buffer=nl.psum),
        ),
    ),
    (
        "language.shape",
        lambda: nl.load_transpose2d(nl.ndarray((8, 4, 2), nl.float32, buffer=nl.shared_hbm)),
    ),
    ("language.unsupported", lambda: nl.mod(nl.ndarray((8, 4), nl.float32), 2.0)),
    ("language.unsupported", lambda: nl.fmod(nl.ndarray((8, 4), nl.float32), 2.0)),
    ("language.rate", lambda: nl.dropout(nl.ndarray((8, 4), nl.float32), 1.5)),
    ("memset.c2", lambda: nl.full((8, 4), 300, nl.uint8)),
    ("memset.value", lambda: nl.full((8, 4), 2.5, nl.int32)),
    ("memset.value", lambda: nl.full((8, 4), 2.0, nl.int32)),
]


@pytest.mark.parametrize(("label", "use"), WRONG)
def test_misuse_is_named_at_the_authors_line(trace, label, use):
    with pytest.raises(InputError) as caught:
        use()
    assert caught.value.violations[0].label == label
    assert "test_language.py" in caught.value.violations[0].place


def test_names_of_operators_are_not_functions():
    for name in (nl.prelu, nl.bypass, nl.average):
        with pytest.raises(TypeError, match="op arguments"):
            name(1)
