"""Elementwise operations, casts and choices."""

from __future__ import annotations

from differing.drawing import FLOATS, INTEGERS, NARROW, SIGNED, Draw, need, operation

SMOOTH = [
    *(f"jnp.{f}({{0}})" for f in ("exp", "exp2", "log", "log1p", "expm1", "sin", "cos", "tan")),
    *(f"jnp.{f}({{0}})" for f in ("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "sqrt")),
    *(f"jnp.{f}({{0}})" for f in ("arcsinh", "arccosh", "arctanh", "cbrt", "sinc", "reciprocal")),
    *(f"jnp.{f}({{0}})" for f in ("square", "negative", "abs", "deg2rad", "log2", "log10")),
    *(f"lax.{f}({{0}})" for f in ("rsqrt", "logistic", "erf", "erfc", "erf_inv", "lgamma")),
    *(f"lax.{f}({{0}})" for f in ("digamma", "bessel_i1e", "bessel_i0e")),
    *(f"jax.nn.{f}({{0}})" for f in ("relu", "gelu", "silu", "softplus", "elu", "selu", "celu")),
    *(f"jax.nn.{f}({{0}})" for f in ("leaky_relu", "relu6", "hard_tanh", "soft_sign", "mish")),
    *(f"jax.nn.{f}({{0}})" for f in ("log_sigmoid", "hard_sigmoid", "hard_swish", "squareplus")),
    "jax.nn.gelu({0}, approximate=False)",
    *(f"{{0}} ** {n}" for n in ("2", "3", "-1", "-2", "0.5", "1.5", "0", "5")),
    *("lax.integer_pow({0}, 4)", "jnp.nan_to_num({0})", "jnp.clip({0}, -1, 2)"),
    *("jnp.maximum({0}, 0)", "1 / ({0} + 2)", "{0} * {0}", "{0} - {0} / 3", "2 - {0}"),
]
STEPS = [
    *(f"jnp.{f}({{0}})" for f in ("floor", "ceil", "round", "trunc", "rint", "sign", "isnan")),
    *(f"jnp.{f}({{0}})" for f in ("isinf", "isfinite", "signbit")),
    *("jnp.frexp({0})[0]", "jnp.frexp({0})[1]", "jnp.modf({0})[0]", "jnp.modf({0})[1]"),
    *("lax.round({0}, lax.RoundingMethod.AWAY_FROM_ZERO)", "jnp.round({0}, 1)"),
    *("lax.reduce_precision({0}, 5, 6)", "lax.reduce_precision({0}, 4, 3)"),
    *("lax.stop_gradient({0})", "{0} > 0", "({0} == 0).astype({0}.dtype)"),
]
REAL_PAIRS = [
    *("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{1} - {0}", "{1} / {0}"),
    *(f"jnp.{f}({{0}}, {{1}})" for f in ("maximum", "minimum", "arctan2", "logaddexp", "hypot")),
    *(f"jnp.{f}({{0}}, {{1}})" for f in ("copysign", "nextafter", "fmod", "mod", "floor_divide")),
    *(f"jnp.{f}({{0}}, {{1}})" for f in ("heaviside", "remainder", "fmax", "fmin", "logaddexp2")),
    *("jnp.power(jnp.abs({0}) + 0.1, jnp.clip({1}, -3, 3))", "jax.scipy.special.xlogy({0}, {1})"),
    *("{0} / (jnp.abs({1}) + 1)", "{0} * jax.nn.sigmoid({1})", "jnp.power({0}, {1})"),
    *("{0} + 0.5 * {1}", "({0} - {1}) ** 2", "jnp.abs({0} - {1})", "jnp.true_divide({0}, {1})"),
]
COMPARED = ("==", "!=", "<", "<=", ">", ">=")
INTEGER_PAIRS = [
    *("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} & {1}", "{0} | {1}", "{0} ^ {1}"),
    *("{0} // {1}", "{0} % {1}", "jnp.maximum({0}, {1})", "jnp.minimum({0}, {1})"),
    *("jnp.fmod({0}, {1})", "jnp.gcd({0}, {1})", "{0} / {1}", "jnp.float_power({0}, 2)"),
]
INTEGER_ONE = [
    *("-{0}", "~{0}", "jnp.abs({0})", "jnp.sign({0})", "{0} ** 2", "{0} ** 3", "{0} * 3 + 1"),
    *("lax.population_count({0})", "lax.clz({0})", "{0} // 3", "{0} % 5", "-{0} // 4"),
    *("{0} % -3", "jnp.clip({0}, 2, 9)", "{0} == 3", "{0} >> 1", "{0} << 2", "{0} / 7"),
    *("jnp.right_shift({0}, 3)", "jnp.sqrt({0})", "jnp.bitwise_not({0})", "{0} + 1000"),
]


@operation(5)
def smooth(draw: Draw) -> str:
    return draw.choice(SMOOTH).format(draw.real().name)


@operation(2)
def steps(draw: Draw) -> str:
    return draw.choice(STEPS).format(draw.real().name)


@operation(5)
def real_pair(draw: Draw) -> str:
    x = draw.real()
    return draw.choice(REAL_PAIRS).format(x.name, draw.partner(x).name)


@operation(2)
def compared(draw: Draw) -> str:
    x = draw.number()
    return f"{x.name} {draw.choice(COMPARED)} {draw.partner(x).name}"


@operation(3)
def integer_pair(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_integer, INTEGERS)
    return draw.choice(INTEGER_PAIRS).format(x.name, draw.partner(x).name)


@operation(2)
def integer_one(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_integer, INTEGERS)
    return draw.choice(INTEGER_ONE).format(x.name)


@operation(1)
def shift(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_integer, INTEGERS)
    name = draw.choice(("shift_left", "shift_right_logical", "shift_right_arithmetic"))
    by = draw.partner(x).name if draw.chance(0.3) else str(draw.integer(0, 33))
    return f"lax.{name}({x.name}, jnp.broadcast_to(jnp.asarray({by}, {x.name}.dtype), {x.shape}))"


@operation(1)
def truth(draw: Draw) -> str:
    x = draw.value(lambda v: v.dtype == "bool", ("bool",))
    texts = ("~{0}", "{0} & {1}", "{0} ^ {1}", "jnp.logical_or({0}, {1})", "{0} == {1}")
    texts += ("{0}.astype(jnp.float32) * 2 - 1", "{0} + {1}", "{0} * {1}", "{0} < {1}")
    return draw.choice(texts).format(x.name, draw.partner(x).name)


@operation(3)
def cast(draw: Draw) -> str:
    x = draw.anything()
    to = draw.choice((*FLOATS, *FLOATS, *INTEGERS, "bool", *NARROW[:2], draw.choice(NARROW)))
    return f"{x.name}.astype(jnp.{'bool_' if to == 'bool' else to})"


@operation(1)
def narrow(draw: Draw) -> str:
    """Through a format of 8 bits, with little computed in it."""
    x = draw.real()
    y = f"{x.name}.astype(jnp.{draw.choice(NARROW)})"
    texts = ("{0}.astype(jnp.float32)", "-{0}", "({0} > 0)", "jnp.abs({0}).astype(jnp.bfloat16)")
    texts += ("({0} + {0}).astype(jnp.float32)", "jnp.maximum({0}, -{0}).astype(jnp.float16)")
    texts += ("({0} * {0}).astype(jnp.float32)", "jnp.isnan({0})", "{0}.astype(jnp.int32)")
    return draw.choice(texts).format(y)


@operation(1)
def narrow_one(draw: Draw) -> str:
    x = draw.value(lambda v: v.dtype in NARROW, NARROW)
    to = draw.choice((*FLOATS, "int32", "int8"))
    return draw.choice((f"{x.name}.astype(jnp.{to})", f"-{x.name}", f"{x.name} == {x.name}"))


@operation(1)
def bits(draw: Draw) -> str:
    same = {"float32": ("int32", "uint32"), "bfloat16": ("int16", "uint16", "float16")}
    same |= {"float16": ("uint16",), "int32": ("float32",), "uint32": ("float32",)}
    same |= {"int16": ("bfloat16",), "uint8": ("int8",), "int8": ("float8_e5m2",)}
    x = draw.value(lambda v: v.dtype in same, tuple(same))
    return f"lax.bitcast_convert_type({x.name}, jnp.{draw.choice(same[x.dtype])})"


@operation(3)
def where(draw: Draw) -> str:
    x = draw.anything()
    need(x.dtype != "bool")
    y = draw.partner(x).name if draw.chance(0.7) else draw.choice(("0", "1", "3"))
    masks = [v for v in draw.values if v.dtype == "bool" and v.shape == x.shape]
    mask = draw.choice(masks).name if masks else f"({x.name} > {draw.choice((0, 1, 2))})"
    if masks and draw.chance(0.3):
        return f"jnp.where({mask}, {y}, {x.name})"
    return f"jnp.where({mask}, {x.name}, {y})"


@operation(1)
def clamp(draw: Draw) -> str:
    x = draw.number()
    low, high = draw.partner(x), draw.partner(x)
    return f"jnp.clip({x.name}, {low.name}, {high.name})"


@operation(1)
def narrowed_integer(draw: Draw) -> str:
    """A float that is cast to an integer and back, as in quantisation."""
    x = draw.real()
    to = draw.choice((*SIGNED, "uint8"))
    scale = draw.choice(("", " * 16", " / 4"))
    rounded = draw.choice(("jnp.round({0}{1})", "{0}{1}", "jnp.clip(jnp.round({0}{1}), -128, 127)"))
    return f"{rounded.format(x.name, scale)}.astype(jnp.{to})"


@operation(1)
def index(draw: Draw) -> str:
    x = draw.number(rank=1)
    dtype = draw.choice(("int32", "float32", "uint8", "bfloat16"))
    return f"lax.broadcasted_iota(jnp.{dtype}, {x.shape}, {draw.axis(x) % x.rank})"


@operation(0.5)
def complex_numbers(draw: Draw) -> str:
    x = draw.value(lambda v: v.dtype == "float32")
    y = draw.partner(x).name
    made = f"lax.complex({x.name}, jnp.broadcast_to({y}, {x.shape}))"
    texts = ("jnp.abs({0})", "({0} * {0}).real", "jnp.exp({0} * 0.1).imag", "jnp.angle({0})")
    texts += ("jnp.conj({0}).imag", "({0} / (2 + 1j)).real", "({0} + 1).imag", "({0} == {0})")
    return draw.choice(texts).format(made)
