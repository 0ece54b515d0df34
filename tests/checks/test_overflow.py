"""Is a result that its format does not hold told, with its number and first place, and nothing
else?"""

import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from harness import findings_of, ids, loaded, tile
from nki import jit
from trainyard import settings

LARGE = np.full((128, 8), 1.0, np.float32)
LARGE[3, 5:] = 1e5


def stored(source, dtype):
    out = nl.ndarray(source.shape, dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=source)
    return out


@jit
def copied(x, dtype=nl.float16):
    narrow = tile(x.shape, dtype)
    nisa.tensor_copy(dst=narrow, src=loaded(x))
    return stored(narrow, dtype)


@jit
def multiplied(x, dtype=nl.float16):
    narrow = tile(x.shape, dtype)
    nisa.tensor_scalar(dst=narrow, data=loaded(x), op0=nl.multiply, operand0=1.0)
    return stored(narrow, dtype)


@jit
def moved(x, dtype=nl.float16):
    narrow = tile(x.shape, dtype)
    nisa.dma_copy(dst=narrow, src=x)
    return stored(narrow, dtype)


@jit
def squared(x):
    wide = tile(x.shape, nl.int32)
    nisa.tensor_copy(dst=wide, src=loaded(x))
    nisa.tensor_tensor(dst=wide, data1=wide, data2=wide, op=nl.multiply, engine=nisa.gpsimd_engine)
    return stored(wide, nl.int32)


NARROW = [nl.float16, nl.float8_e4m3, nl.float8_e4m3fn, nl.float8_e5m2, nl.int16]


@pytest.mark.parametrize("dtype", NARROW, ids=str)
@pytest.mark.parametrize("kernel", [copied, multiplied])
def test_a_value_beyond_the_format_is_told_with_its_place(kernel, dtype):
    (one,) = [
        one for one in findings_of(kernel, LARGE, dtype) if one["label"] == "numerics.overflow"
    ]
    assert "100000 " in one["found"] and "partition 3, element 5" in one["found"]
    assert "3 of 1024 values" in one["found"]


def test_a_transfer_that_casts_is_told():
    assert "numerics.overflow" in ids(findings_of(moved, LARGE))


@pytest.mark.parametrize("dtype", [nl.float32, nl.bfloat16, nl.int32, nl.int8], ids=str)
def test_formats_that_hold_it_and_8_bits_are_not(dtype):
    assert "numerics.overflow" not in ids(findings_of(copied, LARGE, dtype))


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_the_largest_value_is_held(dtype):
    held = LARGE.copy()
    held[held > 1] = 240
    assert "numerics.overflow" not in ids(findings_of(multiplied, held, dtype))


def test_infinity_itself_is_no_overflow():
    held = LARGE.copy()
    held[held > 1] = np.inf
    assert "numerics.overflow" not in ids(findings_of(copied, held, nl.float16))


def test_native_integers_that_wrap_are_told():
    found = findings_of(squared, np.full((128, 8), 60_000, np.float32))
    (one,) = [one for one in found if one["label"] == "numerics.overflow"]
    assert "3.6e+09 wraps around" in one["found"]
    assert "numerics.overflow" not in ids(findings_of(squared, np.full((128, 8), 40_000.0, "f4")))


def test_a_plain_run_does_not_look():
    with settings.using(stop_at="warning"):
        copied(LARGE)
    with settings.using(stop_at="warning", overflows=True), pytest.raises(trainyard.Fault):
        copied(LARGE)


@pytest.mark.parametrize("dtype", [nl.float8_e4m3fn], ids=str)
def test_a_cast_that_makes_nan_is_the_first_nan(dtype):
    assert "numerics.nan" in ids(findings_of(copied, LARGE, dtype))


@jit
def difference(x):
    narrow = tile(x.shape, nl.float8_e5m2)
    nisa.tensor_copy(dst=narrow, src=loaded(x))
    result = tile(x.shape)
    nisa.tensor_tensor(dst=result, data1=narrow, data2=narrow, op=nl.subtract)
    return stored(result, nl.float32)


def test_infinity_minus_infinity_of_fp8_is_the_first_nan():
    assert "numerics.nan" in ids(findings_of(difference, LARGE))
