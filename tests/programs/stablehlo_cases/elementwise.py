"""Elementwise operations: each one, on each kind of type, and chains of them on shapes that need
more than 128 partitions, more than one tile, or neither."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .case import EXACT, add, draw, given, positive, real, scalar, ties, whole

SPECIAL = given(
    "f32",
    "nan",
    "inf",
    "-inf",
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "-2.5",
    "3.5",
    "7.888609052210118e-31",
    "100",
)

SIGNLESS_ZERO = 1e-30  # compiled code rounds -0.5 and -0 to +0

UNARY = {
    "abs": (jnp.abs, EXACT),
    "negate": (lax.neg, EXACT),
    "floor": (jnp.floor, SIGNLESS_ZERO),
    "ceil": (jnp.ceil, SIGNLESS_ZERO),
    "round_even": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), SIGNLESS_ZERO),
    "round_away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), EXACT),
    "sign": (jnp.sign, EXACT),
    "is_finite": (lax.is_finite, EXACT),
    "exp": (jnp.exp, None),
    "expm1": (jnp.expm1, None),
    "tanh": (jnp.tanh, None),
    "logistic": (jax.nn.sigmoid, None),
    "sine": (jnp.sin, None),
    "cosine": (jnp.cos, None),
    "tan": (jnp.tan, 1e-4),
    "erf": (lax.erf, None),
}
for name, (function, tolerance) in UNARY.items():
    add(
        f"elementwise_{name}",
        function,
        draw("f32", 3, 50, first=-5, step=2.0**-18, count=2621441),
        tolerance=tolerance,
    )
for name in ("abs", "negate", "floor", "ceil", "round_even", "sign", "is_finite", "tanh", "exp"):
    add(f"elementwise_{name}_special", UNARY[name][0], SPECIAL, tolerance=UNARY[name][1])

for name, function in {
    "log": jnp.log,
    "log1p": jnp.log1p,
    "sqrt": jnp.sqrt,
    "rsqrt": lax.rsqrt,
    "cbrt": jnp.cbrt,
    "reciprocal": lambda x: 1 / x,
    "erf_inv": lambda x: lax.erf_inv(x / 4),
    "lgamma": lax.lgamma,
    "digamma": lax.digamma,
    "atan2": lambda x: jnp.arctan2(x - 1, x[::-1] - 1),
    "power": lambda x: jnp.power(x, x[::-1] - 1),
    "remainder": lambda x: lax.rem(x * 7 - 5, x[::-1]),
}.items():
    slow = name in ("lgamma", "digamma")
    add(f"elementwise_{name}", function, positive(37, 5), tolerance=1e-4 if slow else None)

for name, function in {
    "add": lax.add,
    "subtract": lax.sub,
    "multiply": lax.mul,
    "maximum": lax.max,
    "minimum": lax.min,
}.items():
    add(f"elementwise_{name}", function, real(130, 7), real(130, 7, seed=2), tolerance=EXACT)
    add(
        f"elementwise_{name}_bf16",
        function,
        draw("bf16", 9, 31),
        draw("bf16", 9, 31, seed=2),
        tolerance=EXACT,
    )
    add(
        f"elementwise_{name}_f16",
        function,
        draw("f16", 200),
        draw("f16", 200, seed=2),
        tolerance=EXACT,
    )
    add(
        f"elementwise_{name}_i32",
        function,
        whole("i32", 11, 13, first=-(2**31), count=2**32),
        whole("i32", 11, 13, seed=2, first=-3, count=7),
    )
    add(
        f"elementwise_{name}_ui8",
        function,
        whole("ui8", 77, first=0, count=256),
        whole("ui8", 77, seed=2, first=0, count=256),
    )
add(
    "elementwise_maximum_nan",
    lambda x, y: (lax.max(x, y), lax.min(x, y)),
    SPECIAL,
    given(
        "f32",
        "1",
        "nan",
        "2",
        "-0",
        "0",
        "1",
        "-3",
        "inf",
        "-inf",
        "3",
        "-7.888609052210118e-31",
        "nan",
    ),
)

for element in ("i8", "i16", "i32", "ui8", "ui16", "ui32"):
    low = 0 if element.startswith("u") else -(1 << (int(element.lstrip("ui")) - 1))
    count = 1 << int(element.lstrip("ui"))
    wide = [whole(element, 5, 30, seed=s, first=low, count=count) for s in (1, 2)]
    add(
        f"elementwise_bits_{element}",
        lambda x, y: (x & y, x | y, x ^ y, ~x, lax.population_count(x), lax.clz(y)),
        *wide,
    )
    bits = int(element.lstrip("ui"))
    add(
        f"elementwise_shifts_{element}",
        lambda x, n: (
            lax.shift_left(x, n),
            lax.shift_right_logical(x, n),
            lax.shift_right_arithmetic(x, n),
        ),
        wide[0],
        whole(element, 5, 30, seed=3, first=0, count=bits),
    )
    small = whole(element, 5, 30, seed=4, first=1, count=9)
    add(
        f"elementwise_quotients_{element}",
        lambda x, y: (lax.div(x, y), lax.rem(x, y)),
        wide[0],
        small,
    )
    add(
        f"elementwise_signs_{element}",
        (
            lambda x: (
                lax.sign(x),
                lax.clamp(jnp.asarray(2, x.dtype), x, jnp.asarray(9, x.dtype)),
                x * x,
            )
        ),
        wide[0],
    )
add(
    "elementwise_words_exact",
    lambda x, y: (x * y, x + y, x - y, lax.max(x, y)),
    whole("ui32", 300, first=0, count=2**32),
    whole("ui32", 300, seed=2, first=0, count=2**32),
)
add(
    "elementwise_power_i32",
    lambda x: lax.integer_pow(x, 3) + lax.integer_pow(x, 4),
    whole("i32", 50),
)

for order in ("eq", "ne", "lt", "le", "gt", "ge"):
    compare = getattr(lax, order)
    add(f"elementwise_compare_{order}", compare, ties(20, 9), ties(20, 9, seed=2))
    add(
        f"elementwise_compare_{order}_i16",
        compare,
        ties(90, element="i16"),
        ties(90, seed=2, element="i16"),
    )
    add(
        f"elementwise_compare_{order}_words",
        compare,
        given("ui32", 0, 1, 4294967295, 4294967294, 16777217, 16777216, 5, 2147483648),
        given("ui32", 0, 2, 4294967294, 4294967295, 16777216, 16777217, 5, 2147483647),
    )
add(
    "elementwise_compare_special",
    lambda x, y: (x < y, x == y, x != y, x >= y),
    SPECIAL,
    given("f32", "nan", "inf", "inf", "-0", "0", "1", "nan", "0.5", "-2", "3.5", "0", "-inf"),
)
add(
    "elementwise_compare_total",
    """
func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>) {
  %a = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %b = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %a, %b : tensor<6xi1>, tensor<6xi1>
}""",
    given("f32", "-0", "0", "nan", "inf", "1", "2"),
    given("f32", "0", "-0", "nan", "nan", "1", "1"),
)

add(
    "elementwise_logic",
    lambda a, b: (a & b, a | b, a ^ b, ~a, jnp.where(a, 1.5, -2.5), a == b),
    ties(40, 5, element="i32"),
    ties(40, 5, seed=2, element="i32"),
)
add(
    "elementwise_predicates",
    lambda x, y: ((x > 2) & (y > 3), (x > 2) ^ (y > 3), ~(x > 2)),
    ties(40, 5),
    ties(40, 5, seed=2),
)
add(
    "elementwise_select",
    lambda p, x, y: jnp.where(p > 3, x, y),
    ties(150, 3),
    real(150, 3),
    real(150, 3, seed=2),
    tolerance=EXACT,
)
add(
    "elementwise_select_words",
    lambda p, x, y: jnp.where(p > 3, x, y),
    ties(50),
    whole("i32", 50, first=-(2**31), count=2**32),
    whole("i32", 50, seed=2),
    tolerance=EXACT,
)
add("elementwise_clamp", lambda x: lax.clamp(-0.25, x, 0.5), real(65, 3), tolerance=EXACT)
add(
    "elementwise_clamp_tensors",
    lax.clamp,
    draw("f32", 70, first=-2),
    real(70, seed=2),
    draw("f32", 70, seed=3, first=0),
    tolerance=EXACT,
)

# --- Chains, which become one pass over memory ---
for shape in [
    (),
    (1,),
    (7,),
    (1000,),
    (3, 5),
    (129, 2),
    (257, 33),
    (2, 3, 4, 5),
    (1, 2100),
    (128, 64),
]:
    label = "x".join(map(str, shape)) or "scalar"
    add(
        f"elementwise_chain_{label}",
        lambda x, y: jnp.tanh((x + y) * 2 - x * y) + 1.5,
        real(*shape),
        real(*shape, seed=2),
    )
add(
    "elementwise_two_results",
    lambda x, y: ((x + y) * x, (x + y) - y),
    real(140, 40),
    real(140, 40, seed=2),
)
add(
    "elementwise_row_and_column",
    lambda x, r, c: (x + r) * c[:, None],
    real(140, 30),
    real(30, seed=2),
    real(140, seed=3),
    tolerance=EXACT,
)
add(
    "elementwise_middle_broadcast",
    lambda x, m: x * m[:, None, :] + m[:, None, :1],
    real(3, 40, 17),
    real(3, 17, seed=2),
)
add(
    "elementwise_scalar_argument",
    lambda x, s: x * s + s,
    real(33, 9),
    scalar("f32", 1.75),
    tolerance=EXACT,
)
add(
    "elementwise_of_transposed", lambda x, y: jnp.exp(x.T) + y, real(40, 150), real(150, 40, seed=2)
)
add("elementwise_of_slices", lambda x: x[1:, ::2] * x[:-1, 1::2] - x[:1, :20], real(21, 40))
add(
    "elementwise_of_concatenated",
    lambda x, y: jnp.concatenate([x, y * 2], 1) + 1,
    real(20, 9),
    real(20, 14, seed=2),
)
add(
    "elementwise_gelu",
    lambda x: jax.nn.gelu(x, approximate=False),
    draw("f32", 40, 60, first=-4, step=2.0**-18, count=2**21),
)
add("elementwise_gelu_tanh", jax.nn.gelu, draw("f32", 40, 60, first=-4, step=2.0**-18, count=2**21))
add(
    "elementwise_gelu_gradient",
    jax.grad(lambda x: (jax.nn.gelu(x) * x).sum()),
    draw("f32", 20, 60, first=-4, step=2.0**-18, count=2**21),
    tolerance=1e-4,
)
add(
    "elementwise_gelu_exact_gradient",
    jax.grad(lambda x: jax.nn.gelu(x, approximate=False).sum()),
    draw("f32", 20, 60, first=-4, step=2.0**-18, count=2**21),
    tolerance=1e-4,
)
add("elementwise_silu", jax.nn.silu, draw("f32", 30, 33, first=-4, step=2.0**-18, count=2**21))
add("elementwise_silu_bf16", jax.nn.silu, draw("bf16", 30, 33, first=-2, step=1 / 64))
add(
    "elementwise_softplus",
    jax.nn.softplus,
    draw("f32", 30, 33, first=-4, step=2.0**-18, count=2**21),
)
add("elementwise_relu", jax.nn.relu, real(300, 5), tolerance=EXACT)
add("elementwise_swiglu", lambda x, y: jax.nn.silu(x) * y, real(65, 40), real(65, 40, seed=2))
add(
    "elementwise_adam",
    lambda p, m, v, g: (
        p - 0.01 * m / (jnp.sqrt(v) + 1e-3),
        0.9 * m + 0.1 * g,
        0.99 * v + 0.01 * g * g,
    ),
    real(9, 70),
    real(9, 70, seed=2),
    positive(9, 70, seed=3),
    real(9, 70, seed=4),
)
add(
    "elementwise_mixed_types",
    lambda x, y: (x.astype(jnp.float32) * 0.5 + y.astype(jnp.float32)).astype(jnp.bfloat16),
    draw("bf16", 40, 20),
    whole("i8", 40, 20),
    tolerance=1e-2,
)
add(
    "elementwise_iota",
    lambda x: (
        x
        + lax.broadcasted_iota(jnp.float32, (150, 12), 0)
        - 3 * lax.broadcasted_iota(jnp.float32, (150, 12), 1)
    ),
    real(150, 12),
)
add(
    "elementwise_iota_words",
    lambda x: x + lax.broadcasted_iota(jnp.int32, (6, 150), 1),
    whole("i32", 6, 150),
)
add(
    "elementwise_constants",
    lambda x: (
        x * np.linspace(-1, 1, 35, dtype=np.float32).reshape(5, 7) + np.arange(7, dtype=np.float32)
    ),
    real(5, 7),
)
add(
    "elementwise_reduce_precision",
    lambda x: (lax.reduce_precision(x, 8, 7), lax.reduce_precision(x, 5, 3)),
    draw("f32", 100, first=-40, step=2.0**-14, count=1310721),
    tolerance=EXACT,
)
add("elementwise_next_after", lambda x: lax.nextafter(x, x[::-1]), real(30), tolerance=EXACT)
add(
    "elementwise_complex",
    """
func.func @main(%x: tensor<5xcomplex<f32>>, %y: tensor<5xcomplex<f32>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>) {
  %a = stablehlo.multiply %x, %y : tensor<5xcomplex<f32>>
  %b = stablehlo.divide %a, %y : tensor<5xcomplex<f32>>
  %c = stablehlo.real %a : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %d = stablehlo.imag %b : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %e = stablehlo.abs %x : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %f = stablehlo.complex %c, %d : tensor<5xcomplex<f32>>
  %g = stablehlo.exponential %f : tensor<5xcomplex<f32>>
  return %a, %b, %c, %d, %e, %g : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>
}""",
    draw("complex<f32>", 5),
    draw("complex<f32>", 5, seed=2),
    tolerance=1e-5,
    only=True,
)
for op in (
    "sqrt",
    "rsqrt",
    "log",
    "log_plus_one",
    "exponential_minus_one",
    "tanh",
    "sine",
    "cosine",
    "negate",
    "logistic",
    "tan",
):
    add(
        f"elementwise_complex_{op}",
        f"""
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {{
  %y = stablehlo.{op} %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}}""",
        draw("complex<f32>", 8),
        tolerance=1e-5,
        only=True,
    )
for op in ("add", "subtract", "multiply", "divide", "maximum", "power", "atan2", "remainder"):
    add(
        f"elementwise_f64_{op}",
        f"""
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {{
  %z = stablehlo.{op} %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}}""",
        draw("f64", 9, first=0.5),
        draw("f64", 9, seed=2, first=0.75),
        only=True,
    )
for op in (
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "remainder",
    "and",
    "or",
    "xor",
    "power",
):
    for element in ("i64", "ui64"):
        add(
            f"elementwise_{element}_{op}",
            f"""
func.func @main(%x: tensor<20x{element}>, %y: tensor<20x{element}>) -> tensor<20x{element}> {{
  %z = stablehlo.{op} %x, %y : tensor<20x{element}>
  return %z : tensor<20x{element}>
}}""",
            whole(element, 20, first=2**40 + 1, count=2**20),
            whole(element, 20, seed=2, first=1, count=9),
            only=True,
        )


def rotary(x):
    """Halves of [tokens, heads, 32] turned by angles that follow from constants alone."""
    frequencies = 1 / 10000 ** (jnp.arange(16, dtype=jnp.float32) / 16)
    angles = jnp.arange(x.shape[0], dtype=jnp.float32)[:, None] * frequencies
    c, s = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    left, right = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([left * c - right * s, right * c + left * s], axis=-1)


add("elementwise_rotary", rotary, real(40, 2, 32))


def parts_multiplied(x):
    gate, up, more = x[:, :20], x[:, 20:45], x[:, 45:]
    return (jnp.tanh(gate)[:, :10] * up[:, :10] * more[:, :10]).sum()


add("elementwise_parts_gradient", jax.grad(parts_multiplied), real(30, 60))
add(
    "elementwise_spread_turned",
    lambda x, w, v: (x.T[:, None] * w[:, :, None], x.T[:, None] - v.T),
    real(256, 140, seed=1),
    real(140, 9, seed=2),
    real(256, 9, seed=3),
)
add(
    "elementwise_quotients_of_long_rows",
    lambda x, y: (x / y, 1 / (x * x + y)),
    real(40, 400),
    positive(40, 400, seed=2),
    tolerance=1e-5,
)
