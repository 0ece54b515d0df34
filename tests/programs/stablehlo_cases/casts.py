"""Conversions between all types, and what bits become under another type."""

from __future__ import annotations

import jax.numpy as jnp
import stablehlo_file
from jax import lax

from .case import EXACT, add, draw, given, whole

FLOATS = ("f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3", "f8E3M4")
WHOLE = ("i8", "i16", "i32", "ui8", "ui16", "ui32", "i1")


def holds(element):
    """Numbers that the type holds, and whose conversions every oracle agrees on."""
    if element == "i1":
        return whole("i1", 5, 30, first=0, count=2)
    if element in WHOLE:
        low = 0 if element.startswith("u") else -100
        return whole(element, 5, 30, first=low, count=101 - low)
    if element.startswith("f8"):
        return draw(element, 5, 30, first=-2, step=0.25, count=17)
    return draw(element, 5, 30, first=-10, step=1 / 8, count=161)


for source in FLOATS + WHOLE:
    targets = [stablehlo_file.DTYPES[target] for target in FLOATS + WHOLE if target != source]
    add(
        f"casts_from_{source.lower()}",
        lambda x, t=targets: tuple(x.astype(d) for d in t),
        holds(source),
        tolerance=EXACT,
    )
add(
    "casts_rounding_bf16",
    lambda x: x.astype(jnp.bfloat16).astype(jnp.float32),
    draw("f32", 200, first=-3, step=2.0**-12, count=24577),
    tolerance=EXACT,
)
add(
    "casts_rounding_f16",
    lambda x: x.astype(jnp.float16).astype(jnp.float32),
    draw("f32", 200, first=-3, step=2.0**-14, count=98305),
    tolerance=EXACT,
)
add(
    "casts_rounding_f8",
    lambda x: (
        x.astype(jnp.float8_e4m3fn).astype(jnp.float32),
        x.astype(jnp.float8_e5m2).astype(jnp.float32),
    ),
    draw("f32", 200, first=-3, step=2.0**-7, count=769),
    tolerance=EXACT,
)
add(
    "casts_saturation",
    lambda x: (x.astype(jnp.int8), x.astype(jnp.uint8), x.astype(jnp.int32), x.astype(jnp.uint32)),
    given("f32", 127.875, 128, -129, 300, -1, "1e10", "-1e10", 0.5, 1.5, -1.5, "4e9"),
)
add("casts_to_bool", lambda x: x.astype(jnp.bool_), given("f32", 0, "-0", 0.25, -3, "nan", "inf"))
add(
    "casts_wraps",
    lambda x: (x.astype(jnp.int8), x.astype(jnp.uint8), x.astype(jnp.int16), x.astype(jnp.uint32)),
    whole("i32", 50, first=-(2**31), count=2**32),
)
add(
    "casts_words_to_f32",
    lambda x: x.astype(jnp.float32),
    whole("ui32", 50, first=0, count=2**32),
    tolerance=EXACT,
)
for source, target in (
    ("f32", "i32"),
    ("i32", "f32"),
    ("f32", "ui32"),
    ("bf16", "ui16"),
    ("f16", "i16"),
    ("i8", "ui8"),
):
    inputs = whole(source, 5, 30, first=1, count=120) if source[0] in "iu" else draw(source, 5, 30)
    add(
        f"casts_bits_{source}_to_{target}",
        lambda x, d=stablehlo_file.DTYPES[target]: lax.bitcast_convert_type(x, d),
        inputs,
        tolerance=EXACT,
    )
add(
    "casts_bits_to_narrower",
    lambda x: lax.bitcast_convert_type(x, jnp.uint8),
    whole("ui32", 5, 6, first=0, count=2**32),
    routines="bitcast_convert",
)
add(
    "casts_bits_to_wider",
    lambda x: lax.bitcast_convert_type(x, jnp.uint32),
    whole("ui8", 5, 6, 4, first=0, count=256),
    routines="bitcast_convert",
)
for source, target in (
    ("f64", "f32"),
    ("f32", "f64"),
    ("i64", "f32"),
    ("i64", "i32"),
    ("i32", "i64"),
    ("ui64", "f64"),
    ("f64", "i64"),
    ("i8", "ui64"),
):
    inputs = (
        whole(source, 30, first=0 if source[0] == "u" else -50, count=100)
        if source[0] in "iu"
        else draw(source, 30, first=-9, step=1 / 16)
    )
    add(
        f"casts_wide_{source}_to_{target}",
        f"""
func.func @main(%x: tensor<30x{source}>) -> tensor<30x{target}> {{
  %y = stablehlo.convert %x : (tensor<30x{source}>) -> tensor<30x{target}>
  return %y : tensor<30x{target}>
}}""",
        inputs,
        tolerance=EXACT,
        only=True,
    )
add(
    "casts_complex",
    """
func.func @main(%x: tensor<6xf32>) -> tensor<6xcomplex<f32>> {
  %y = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xcomplex<f32>>
  return %y : tensor<6xcomplex<f32>>
}""",
    draw("f32", 6),
    tolerance=EXACT,
    only=True,
)
