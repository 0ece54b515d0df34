"""Loops, branches, derivatives of one's own, vmap, random numbers."""

from __future__ import annotations

from differing.drawing import Draw, need, operation

STEPS = ("c * 0.5 + x", "jnp.tanh(c) + x", "jnp.maximum(c, x)", "c - x * x", "c + jnp.sin(x)")
STEPS += (
    "jnp.where(x > 0, c, x)",
    "c[::-1] + x",
    "jax.nn.sigmoid(x) * c + (1 - jax.nn.sigmoid(x)) * x",
)


@operation(2)
def scan(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_real and v.rank >= 2 and 0 < v.shape[0] <= 20)
    step = draw.choice(STEPS)
    need(x.rank >= 2)
    out = draw.choice(("c", "c * x", "c + 1", "jnp.sum(c)"))
    part = draw.choice((1, 1, 0))
    body = f"lambda c, x: (({step}).astype(c.dtype), {out})"
    rest = f"jnp.zeros_like({x.name}[0]), {x.name}, reverse={draw.chance(0.2)}"
    return f"lax.scan({body}, {rest})[{part}]"


@operation(1)
def scan_integers(draw: Draw) -> str:
    x = draw.value(
        lambda v: v.is_integer and v.rank >= 1 and 0 < v.shape[0] <= 20, ("int32", "uint32")
    )
    step = draw.choice(
        ("c * 3 + x", "c ^ x", "jnp.maximum(c, x) - 1", "(c + x) % 7", "c | (x << 1)")
    )
    body = f"lambda c, x: (({step}).astype(c.dtype), c)"
    return f"lax.scan({body}, jnp.zeros_like({x.name}[0]), {x.name})[1]"


@operation(1)
def scan_weights(draw: Draw) -> str:
    """Layers whose weights are stacked."""
    x = draw.value(lambda v: v.is_real and v.rank == 2 and 0 < v.shape[1] <= 40 and v.size > 0)
    layers = draw.choice((1, 2, 3, 5))
    w = draw.argument((layers, x.shape[1], x.shape[1]), x.dtype)
    of = draw.choice(("jnp.tanh(c @ w)", "c + jax.nn.relu(c @ w)", "c @ w * 0.2"))
    wrap = draw.choice(("{0}", "jax.checkpoint({0})"))
    body = wrap.format(f"lambda c, w: (({of}).astype(c.dtype), None)")
    return f"lax.scan({body}, {x.name}, {w.name})[0]"


@operation(1)
def scan_updates(draw: Draw) -> str:
    """A buffer that is written a row a turn."""
    x = draw.full(rank=1)
    turns = draw.choice((1, 3, 6))
    at = draw.choice(("i", f"{turns} - 1 - i", "(i * 2) % 3", "i + 1"))
    row = draw.choice(("b[i] * 0.5 + i", "b[0] + 1", "b[-1] - b[i]"))
    how = draw.choice(("set", "add"))
    return (
        f"lax.fori_loop(0, {turns}, lambda i, b: b.at[{at}].{how}("
        f"({row}).astype(b.dtype)), {x.name})"
    )


@operation(1)
def while_loop(draw: Draw) -> str:
    x = draw.full()
    body = draw.choice(("s[1] * 0.5", "jnp.sqrt(jnp.abs(s[1]) + 1)", "s[1] - 1", "jnp.sin(s[1])"))
    until = draw.choice(("s[0] < 4", "(s[0] < 5) & (jnp.max(s[1]) > 0.1)", "s[0] < 0"))
    return (
        f"lax.while_loop(lambda s: {until}, lambda s: (s[0] + 1, ({body}).astype(s[1].dtype)), "
        f"(0, {x.name}))[1]"
    )


@operation(1)
def fori(draw: Draw) -> str:
    x = draw.full()
    body = draw.choice(
        ("v * 0.5 + i", "jnp.tanh(v) - 0.1 * i", "v + v[::-1]" if x.rank else "v + 1")
    )
    last = draw.choice(("3", "0", "1", "5"))
    if draw.chance(0.3):
        i = draw.argument((), "int32", "ties")
        last = f"{i.name}"
    return f"lax.fori_loop(0, {last}, lambda i, v: ({body}).astype(v.dtype), {x.name})"


@operation(1)
def branch(draw: Draw) -> str:
    x = draw.full()
    sides = draw.random.sample(
        ("jnp.sin(v)", "v * 2", "v - 1", "jnp.zeros_like(v)", "jnp.abs(v)"), 3
    )
    parts = ", ".join(f"lambda v: {s}" for s in sides)
    if draw.chance(0.5):
        i = draw.argument((), "int32", "around3")
        return f"lax.switch({i.name}, [{parts}], {x.name})"
    test = draw.choice((f"jnp.sum({x.name}.astype(jnp.float32)) > 0", f"{x.name}.ravel()[0] > 0"))
    return f"lax.cond({test}, lambda v: {sides[0]}, lambda v: {sides[1]}, {x.name})"


@operation(0.7)
def mapped(draw: Draw) -> str:
    x = draw.full(rank=2)
    need(x.shape[0] <= 12)
    return f"lax.map(lambda v: {_inner(draw, 'v')}, {x.name})"


@operation(1)
def vmapped(draw: Draw) -> str:
    x = draw.full(rank=2)
    axis = draw.axis(x) % x.rank
    out = draw.integer(0, x.rank - 1)
    return f"jax.vmap(lambda v: {_inner(draw, 'v')}, in_axes={axis}, out_axes={out})({x.name})"


def _inner(draw: Draw, v: str) -> str:
    texts = ("jnp.sort({0}, axis=0)", "{0} * 2 - jnp.mean({0})", "jnp.cumsum({0}, axis=0)")
    texts += ("jax.nn.softmax({0}, axis=0)", "{0}[::-1] * {0}", "{0} / (1 + jnp.max({0}))")
    texts += ("jnp.where({0} > jnp.mean({0}), {0}, 0)", "jnp.roll({0}, 1, axis=0)")
    texts += ("lax.cond(jnp.sum({0}) > 0, lambda u: u + 1, lambda u: u * 2, {0})",)
    texts += ("{0}.at[0].set(1)", "{0}.at[jnp.argmax({0}.ravel()) % {0}.shape[0]].add(1)")
    return draw.choice(texts).format(v)


@operation(0.7)
def vmapped_pair(draw: Draw) -> str:
    x = draw.full(rank=2)
    i = draw.argument((x.shape[0],), "int32", f"around{x.shape[1]}")
    texts = (
        "v[i]",
        "v.at[i].set(1)",
        "lax.dynamic_slice_in_dim(v, i, 1)",
        "jnp.roll(v, i, axis=0)",
    )
    texts += (
        "lax.dynamic_update_slice_in_dim(v, v[:1], i, 0)",
        "jnp.where(jnp.arange(v.shape[0]) == i, 0, v.T).T",
    )
    return f"jax.vmap(lambda v, i: {draw.choice(texts)})({x.name}, {i.name})"


@operation(1)
def own_gradient(draw: Draw) -> str:
    x = draw.full()
    of = draw.choice(("jnp.sin(v) * v", "jnp.tanh(v)", "jax.nn.gelu(v)", "jnp.cumsum(v.ravel())"))
    texts = ("jax.grad(lambda v: jnp.sum(({1}).astype(jnp.float32)))({0})",)
    texts += ("jax.jvp(lambda v: {1}, ({0},), (jnp.ones_like({0}),))[1]",)
    texts += ("jax.jit(lambda v: {1})({0})", "jax.checkpoint(lambda v: {1})({0})")
    texts += ("jax.linearize(lambda v: {1}, {0})[1]({0})",)
    return draw.choice(texts).format(x.name, of)


@operation(0.7)
def custom(draw: Draw) -> str:
    """custom_vjp and custom_jvp of the script's preamble."""
    x = draw.real()
    return f"{draw.choice(('clipped_gradient', 'own_tangent'))}({x.name})"


RANDOM = [
    "jax.random.bits({0}, {1}, jnp.uint32)",
    "jax.random.bits({0}, {1}, jnp.uint8)",
    "jax.random.uniform({0}, {1})",
    "jax.random.uniform({0}, {1}, jnp.bfloat16)",
    "jax.random.normal({0}, {1})",
    "jax.random.normal({0}, {1}, jnp.float16)",
    "jax.random.bernoulli({0}, 0.3, {1})",
    "jax.random.randint({0}, {1}, -5, 17)",
    "jax.random.gumbel({0}, {1})",
    "jax.random.truncated_normal({0}, -1, 2, {1})",
    "jax.random.exponential({0}, {1})",
    "jax.random.rademacher({0}, {1})",
    "jax.random.laplace({0}, {1})",
    "jax.random.permutation({0}, 11)",
    "jax.random.randint({0}, {1}, 0, 100, jnp.uint8)",
    "jax.random.cauchy({0}, {1})",
    "jax.random.uniform(jax.random.split({0}, 3)[1], {1})",
    "jax.random.normal(jax.random.fold_in({0}, 5), {1})",
]


@operation(1.5)
def random_numbers(draw: Draw) -> str:
    shape = draw.shape()
    seed = str(draw.integer(0, 99))
    if draw.chance(0.5):
        seed = draw.argument((), draw.choice(("int32", "uint32")), "any").name
    return draw.choice(RANDOM).format(f"jax.random.key({seed})", shape)


@operation(0.7)
def random_choice(draw: Draw) -> str:
    x = draw.full(rank=1)
    key = f"jax.random.key({draw.integer(0, 99)})"
    texts = ("jax.random.permutation({1}, {0})", "jax.random.categorical({1}, {0})")
    texts += ("jnp.where(jax.random.bernoulli({1}, 0.8, {0}.shape), {0} / 0.8, 0)",)
    texts += ("{0} + jax.random.normal({1}, {0}.shape, {0}.dtype)",)
    return draw.choice(texts).format(x.name, key)


def preamble() -> str:
    """What `custom` calls."""
    return """
@jax.custom_vjp
def clipped_gradient(x):
    return x * 2


clipped_gradient.defvjp(lambda x: (x * 2, x), lambda x, g: (jnp.clip(g, -1, 1) * jnp.cos(x),))


@jax.custom_jvp
def own_tangent(x):
    return jnp.sin(x)


own_tangent.defjvp(lambda xs, ts: (jnp.sin(xs[0]), jnp.cos(xs[0]) * ts[0]))
"""
