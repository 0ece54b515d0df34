"""Does every conversion agree with ml_dtypes and NumPy? Exhaustive for formats up to 16 bits."""

import ml_dtypes
import numpy as np
import pytest
from trainyard._core import numerics

FORMATS = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float8_e3m4": ml_dtypes.float8_e3m4,
    "float8_e4m3": ml_dtypes.float8_e4m3,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "float4_e2m1fn": ml_dtypes.float4_e2m1fn,
}
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]


def patterns(name: str) -> np.ndarray:
    """Every stored pattern of a format, as an array of that dtype."""
    if name == "float4_e2m1fn":
        return np.arange(16, dtype=np.uint8).view(FORMATS[name])
    unsigned = np.dtype(f"u{np.dtype(FORMATS[name]).itemsize}")
    return np.arange(2 ** (8 * unsigned.itemsize), dtype=unsigned).view(FORMATS[name])


def stored(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(np.uint8)


def assert_same_floats(found: np.ndarray, expected: np.ndarray) -> None:
    """Bit for bit, where any two NaNs of one sign are the same."""
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    assert np.array_equal(np.signbit(found), np.signbit(expected))
    numbers = ~np.isnan(expected)
    assert np.array_equal(found[numbers], expected[numbers])


def comparable(name: str, values: np.ndarray) -> np.ndarray:
    """Where ml_dtypes rounds to the nearest: its E8M0 sends all between 2^-127 and 2^-126 up."""
    if name != "float8_e8m0fnu":
        return np.ones(values.shape, bool)
    return ~((values > 2.0**-127) & (values < 1.5 * 2.0**-127))


def assert_same_bits(name: str, found: np.ndarray, expected: np.ndarray) -> None:
    found = found.view(FORMATS[name]).astype(np.float32)
    assert_same_floats(found, expected.astype(np.float32))


def neighbourhoods(name: str) -> np.ndarray:
    """Every value of a format, every midpoint, and the floats next to both."""
    with np.errstate(all="ignore"):
        values = np.unique(patterns(name).astype(np.float64))
        values = values[np.isfinite(values)]
        step_beyond = 2 * values[-1] - values[-2]
        values = np.concatenate([[-step_beyond], values, [step_beyond]])
        midpoints = (values[1:] + values[:-1]) / 2
        centers = np.concatenate([values, midpoints, [0.0, -0.0]]).astype(np.float32)
        infinity = np.float32(np.inf)
        around = [centers, np.nextafter(centers, infinity), np.nextafter(centers, -infinity)]
        return np.concatenate([*around, np.float32([np.inf, -np.inf])])


@pytest.mark.parametrize("name", FORMATS)
def test_every_pattern_has_the_value_of_ml_dtypes(name):
    every = patterns(name)
    assert_same_floats(numerics.to_float(name, stored(every)), every.astype(np.float32))


@pytest.mark.parametrize("name", FORMATS)
def test_values_and_midpoints_round_as_in_ml_dtypes(name):
    values = neighbourhoods(name)
    values = values[comparable(name, values)]
    with np.errstate(all="ignore"):
        expected = values.astype(FORMATS[name])
    assert_same_bits(name, numerics.from_float(name, values), expected)


@pytest.mark.parametrize("name", FORMATS)
def test_random_floats_round_as_in_ml_dtypes(name):
    bits = np.random.default_rng(1).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    values = bits.view(np.float32)
    values = values[~np.isnan(values) & comparable(name, values)]
    with np.errstate(all="ignore"):
        expected = values.astype(FORMATS[name])
    assert_same_bits(name, numerics.from_float(name, values), expected)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_every_pattern_converts_between_formats_as_in_ml_dtypes(source, to):
    every = patterns(source)
    with np.errstate(all="ignore"):
        values = every.astype(np.float32)
        expected = values.astype(FORMATS[to])
    numbers = ~np.isnan(values) & comparable(to, values)
    found = numerics.convert(source, stored(every), to).view(FORMATS[to])
    assert_same_bits(to, found[numbers], expected[numbers])


def test_e8m0_rounds_to_the_nearest_power_where_ml_dtypes_does_not():
    values = np.float32([1.25, 1.49, 1.5, 1.75]) * np.float32(2.0**-127)
    assert numerics.from_float("float8_e8m0fnu", values).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("name", [n for n in FORMATS if n != "float4_e2m1fn"])
def test_nan_stays_nan_and_keeps_its_sign(name):
    nans = np.uint32([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF]).view(np.float32)
    found = numerics.from_float(name, nans).view(FORMATS[name]).astype(np.float32)
    assert np.isnan(found).all()
    if name != "float8_e8m0fnu":
        assert np.array_equal(np.signbit(found), np.signbit(nans))


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        ("float8_e4m3", 240),
        ("float8_e4m3fn", 448),
        ("float8_e5m2", 57344),
        ("float8_e3m4", 15.5),
        ("float16", 65504),
        ("float4_e2m1fn", 6),
    ],
)
def test_saturating_casts_stop_at_the_largest_number(name, largest):
    values = np.float32([1e30, -1e30, np.inf, -np.inf])
    found = numerics.from_float(name, values, saturate=True).view(FORMATS[name])
    assert found.astype(np.float32).tolist() == [largest, -largest, largest, -largest]


@pytest.mark.parametrize("name", INTEGERS)
def test_float_to_integer_rounds_to_even_and_saturates(name):
    """NKI 0.6.0 corrected this in its simulator, which had truncated and wrapped as NumPy does."""
    limits = np.iinfo(name)
    rng = np.random.default_rng(2)
    ties = rng.integers(-200_000, 200_000, 100_000) / 2
    wide = rng.integers(0, 2**32, 500_000, dtype=np.uint32).view(np.float32)
    values = np.concatenate([ties.astype(np.float32), wide, np.float32([np.inf, -np.inf])])
    values = values[~np.isnan(values)]
    expected = np.clip(np.rint(values.astype(np.float64)), limits.min, limits.max).astype(name)
    assert np.array_equal(numerics.from_float(name, values).view(name), expected)
    assert numerics.from_float(name, np.float32([np.nan])).view(name) == 0


@pytest.mark.parametrize("name", [*INTEGERS, "int64", "uint64"])
def test_integers_widen_to_the_nearest_float(name):
    limits = np.iinfo(name)
    rng = np.random.default_rng(3)
    values = rng.integers(limits.min, limits.max, 200_000, dtype=name, endpoint=True)
    if np.dtype(name).itemsize <= 2:
        values = np.arange(limits.min, limits.max + 1, dtype=name)
    found = numerics.to_float(name, stored(values))
    assert np.array_equal(found, values.astype(np.float32))


def test_equal_dtypes_copy_bit_for_bit():
    """NKI 0.4.0: integers once lost their low bits to a cast through float32 in AWS's simulator."""
    values = np.int32([2**24 + 1, -(2**31), 2**31 - 1])
    copied = numerics.convert("int32", stored(values), "int32")
    assert np.array_equal(copied.view(np.int32), values)
    through = numerics.convert("int32", stored(values), "uint32").view(np.uint32)
    assert through.tolist() == [2**24, 0, 2**31]


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3", "float8_e5m2"])
def test_the_smallest_float32_narrows_to_minus_infinity(name):
    """nki.isa.range_select: what is masked out becomes -inf in 16- and 8-bit outputs."""
    lowest = np.float32([np.finfo(np.float32).min])
    found = numerics.from_float(name, lowest).view(FORMATS[name]).astype(np.float32)
    assert found.tolist() == [-np.inf]


def test_stochastic_rounding_is_unbiased():
    rng = np.random.default_rng(4)
    random = rng.integers(0, 2**32, 200_000, dtype=np.uint32)
    values = np.full(random.size, 1 + 0.3 * 2**-7, np.float32)
    found = numerics.from_float("bfloat16", values, random=random).view(ml_dtypes.bfloat16)
    up = (found.astype(np.float32) > 1).mean()
    assert set(found.astype(np.float32)) == {1.0, 1 + 2**-7}
    assert abs(up - 0.3) < 5 * (0.3 * 0.7 / random.size) ** 0.5


@pytest.mark.parametrize(
    ("packed", "element"),
    [
        ("float8_e4m3fn_x4", "float8_e4m3fn"),
        ("float8_e5m2_x4", "float8_e5m2"),
        ("float4_e2m1fn_x4", "float4_e2m1fn"),
    ],
)
def test_packed_words_hold_element_zero_lowest(packed, element):
    elements = stored(patterns(element))
    words = numerics.pack(packed, elements)
    bits = 4 if element == "float4_e2m1fn" else 8
    words = words.view(np.uint16 if bits == 4 else np.uint32).astype(np.uint64)
    expected = elements.reshape(-1, 4).astype(np.uint64)
    shifts = np.arange(4, dtype=np.uint64) * np.uint64(bits)
    assert np.array_equal(words, (expected << shifts).sum(axis=1, dtype=np.uint64))
    assert np.array_equal(numerics.unpack(packed, numerics.pack(packed, elements)), elements)


def test_an_unknown_name_is_the_users_mistake():
    with pytest.raises(Exception, match=r"dtype\.name"):
        numerics.to_float("float12", np.zeros(4, np.uint8))
