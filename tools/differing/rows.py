"""Reductions, running sums, windows, sorts, norms."""

from __future__ import annotations

from differing.drawing import FLOATS, INTEGERS, Draw, Value, need, operation

REDUCED = ("sum", "max", "min", "prod", "mean", "var", "std", "argmax", "argmin", "ptp")
REDUCED += ("nansum", "nanmax", "nanmean", "median", "count_nonzero", "average")


@operation(4)
def reduce(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.size)
    name = draw.choice(REDUCED[:7] + REDUCED)
    if name in ("argmax", "argmin", "median"):
        return f"jnp.{name}({x.name}, axis={draw.axis(x)})"
    axes = draw.axes(x) or (draw.axis(x),)
    keep = f", keepdims={draw.chance(0.4)}" if name != "nansum" else ""
    return f"jnp.{name}({x.name}, axis={axes}{keep})"


@operation(1)
def reduce_none(draw: Draw) -> str:
    """Over everything, or over no elements."""
    x = draw.number()
    names = ("sum", "prod") if not x.size else ("sum", "prod", "max", "min", "mean")
    return f"jnp.{draw.choice(names)}({x.name})"


@operation(1)
def reduce_truth(draw: Draw) -> str:
    x = draw.value(lambda v: v.dtype == "bool" and v.rank, ("bool",))
    name = draw.choice(("any", "all", "sum", "argmax", "cumsum", "mean"))
    if name == "argmax":
        need(x.size)
    return f"jnp.{name}({x.name}, axis={draw.axis(x)})"


@operation(1)
def reduce_own(draw: Draw) -> str:
    """`lax.reduce` by a computation of its own."""
    x = draw.full(rank=1)
    of, start = draw.choice(
        (
            ("lax.max(a, b)", "-jnp.inf"),
            ("a + b", "0"),
            ("a * b", "1"),
            ("lax.min(a, b)", "jnp.inf"),
            ("a + b", "2"),
            ("lax.max(a, b)", "0"),
        )
    )
    start = f"jnp.asarray({start}, {x.name}.dtype)"
    return f"lax.reduce({x.name}, {start}, lambda a, b: {of}, {(draw.axis(x) % x.rank,)})"


@operation(1)
def integer_reduce(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_integer and v.size and v.rank, INTEGERS)
    of = draw.choice(("reduce_and", "reduce_or", "reduce_xor", "reduce_max", "reduce_min"))
    axes = {draw.axis(x) % x.rank}
    return f"lax.{of}({x.name}, axes={tuple(axes)})"


@operation(2)
def running(draw: Draw) -> str:
    x = draw.number(rank=1)
    name = draw.choice(("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"))
    need(name != "cumlogsumexp" or x.is_real)
    text = f"jnp.clip({x.name}, -2, 2)" if name == "cumprod" and x.is_real else x.name
    return f"lax.{name}({text}, axis={draw.axis(x) % x.rank}, reverse={draw.chance(0.3)})"


@operation(2)
def normalised(draw: Draw) -> str:
    x = draw.full(rank=1)
    axis = draw.axis(x)
    texts = ("jax.nn.softmax({0}, axis={1})", "jax.nn.log_softmax({0}, axis={1})")
    texts += ("jax.nn.logsumexp({0}, axis={1})", "jax.nn.standardize({0}, axis={1})")
    texts += ("{0} * lax.rsqrt(jnp.mean({0} * {0}, {1}, keepdims=True) + 1e-5)",)
    texts += ("({0} - {0}.mean({1}, keepdims=True)) / ({0}.std({1}, keepdims=True) + 1e-3)",)
    texts += (
        "{0} / jnp.linalg.norm({0}, axis={1}, keepdims=True)",
        "{0} - jnp.max({0}, {1}, keepdims=True)",
    )
    texts += ("{0} / jnp.sum(jnp.abs({0}), {1}, keepdims=True)", "jnp.linalg.norm({0}, axis={1})")
    texts += ("jax.nn.glu(jnp.concatenate([{0}, {0}], {1}), axis={1})",)
    return draw.choice(texts).format(x.name, axis)


@operation(2)
def sort(draw: Draw) -> str:
    x = draw.number(rank=1)
    text = draw.choice(("sort", "argsort"))
    return f"jnp.{text}({x.name}, axis={draw.axis(x)}, descending={draw.chance(0.3)})"


@operation(1)
def sort_many(draw: Draw) -> str:
    x = draw.number(rank=1)
    y = draw.argument(x.shape, draw.choice((*FLOATS, *INTEGERS)))
    keys, which = draw.integer(1, 2), draw.integer(0, 1)
    axis = draw.axis(x) % x.rank
    return f"lax.sort(({x.name}, {y.name}), dimension={axis}, num_keys={keys})[{which}]"


@operation(1.5)
def top_k(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.size)
    k = draw.integer(1, min(x.shape[-1], draw.choice((3, 8, 9, 40))))
    return f"lax.top_k({x.name}, {k})[{draw.integer(0, 1)}]"


@operation(1)
def search(draw: Draw) -> str:
    x = draw.number(rank=1)
    y = draw.argument((draw.size(),), x.dtype)
    side = draw.choice(("left", "right"))
    method = draw.choice(("scan", "scan_unrolled", "sort", "compare_all"))
    return f'jnp.searchsorted(jnp.sort({y.name}), {x.name}, side="{side}", method="{method}")'


@operation(1)
def counted(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_integer and v.rank, INTEGERS)
    texts = ("jnp.bincount({0}.ravel() % 7, length=9)", "jax.nn.one_hot({0}, 5)")
    texts += ("jax.nn.one_hot({0} % 4, 4, dtype=jnp.bfloat16)", "jnp.unique({0}, size=4)")
    texts += ("jnp.nonzero({0}.ravel() > 0, size=6, fill_value=-1)[0]",)
    return draw.choice(texts).format(x.name)


@operation(1)
def statistics(draw: Draw) -> str:
    x = draw.full(rank=1)
    axis = draw.axis(x)
    texts = ("jnp.quantile({0}.astype(jnp.float32), 0.3, axis={1})", "jnp.nanmax({0}, axis={1})")
    texts += ("jnp.percentile({0}.astype(jnp.float32), 75, axis={1})",)
    texts += ("jnp.gradient({0}, axis={1})",) if x.shape[axis] > 1 else ()
    texts += (
        "jnp.histogram({0}.astype(jnp.float32), 5, (-2, 2))[0]",
        "jnp.corrcoef({0}.astype(jnp.float32).reshape(-1)[:6].reshape(2, -1))",
    )
    return draw.choice(texts).format(x.name, axis)


def window_of(draw: Draw, x: Value) -> str:
    size = [min(n, draw.choice((1, 2, 3))) for n in x.shape]
    strides = [draw.choice((1, 1, 2, 3)) for _ in x.shape]
    if draw.chance(0.5):
        padding = draw.choice(('"SAME"', '"VALID"'))
        return f"{tuple(size)}, {tuple(strides)}, {padding}"
    edges = [(draw.integer(0, w - 1), draw.integer(0, w - 1)) for w in size]
    dilations = [
        draw.choice((1, 1, 2)) if n > 2 * w else 1 for n, w in zip(x.shape, size, strict=True)
    ]
    base = [draw.choice((1, 1, 1, 2)) for _ in size]
    return f"{tuple(size)}, {tuple(strides)}, {edges}, {tuple(base)}, {tuple(dilations)}"


@operation(2)
def window(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.rank <= 4 and x.size)
    choices = [("lax.add", "0"), ("lax.mul", "1")]
    if x.is_real:
        choices += [("lax.max", "-jnp.inf"), ("lax.min", "jnp.inf"), ("lax.max", "-jnp.inf")]
    else:
        choices += [("lax.max", f"jnp.iinfo({x.name}.dtype).min")]
    of, start = draw.choice(choices)
    start = f"jnp.asarray({start}, {x.name}.dtype)"
    return f"lax.reduce_window({x.name}, {start}, {of}, {window_of(draw, x)})"


@operation(1)
def pooling_gradient(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_real and v.size and 2 <= v.rank <= 4)
    of = draw.choice(("lax.max, -jnp.inf", "lax.add, 0.0"))
    function, start = of.split(", ")
    size = [min(n, draw.choice((1, 2, 3))) for n in x.shape]
    strides = [draw.choice((1, 2, 3)) for _ in x.shape]
    pool = (
        f"lax.reduce_window(v, jnp.asarray({start}, v.dtype), {function}, "
        f'{tuple(size)}, {tuple(strides)}, "{draw.choice(("SAME", "VALID"))}")'
    )
    return f"jax.grad(lambda v: jnp.sum({pool}.astype(jnp.float32) ** 2))({x.name})"


@operation(1)
def associative(draw: Draw) -> str:
    x = draw.full(rank=1)
    of = draw.choice(("lambda a, b: 0.5 * a + b", "jnp.maximum", "lambda a, b: a + b"))
    axis = draw.axis(x) % x.rank
    return f"lax.associative_scan({of}, {x.name}, axis={axis}, reverse={draw.chance(0.3)})"
