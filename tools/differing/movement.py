"""Operations that move elements: transposes, reshapes, slices, padding, concatenations."""

from __future__ import annotations

from differing.drawing import ELEMENTS_MAX, Draw, Value, need, operation


@operation(2)
def transpose(draw: Draw) -> str:
    x = draw.anything(rank=2)
    order = draw.random.sample(range(x.rank), x.rank)
    return f"jnp.transpose({x.name}, {tuple(order)})"


def factored(draw: Draw, size: int) -> tuple[int, ...]:
    left, sizes = size, []
    while left > 1 and len(sizes) < 3:
        sizes.append(draw.choice([n for n in range(2, left + 1) if left % n == 0]))
        left //= sizes[-1]
    sizes = [*sizes, left] if left > 1 or draw.chance(0.3) else sizes
    draw.random.shuffle(sizes)
    return tuple(sizes)


@operation(2)
def reshape(draw: Draw) -> str:
    x = draw.anything()
    need(x.size)
    return f"{x.name}.reshape({factored(draw, x.size)})"


@operation(1)
def flatten(draw: Draw) -> str:
    x = draw.anything(rank=2)
    need(x.size)
    at = draw.integer(0, x.rank - 2)
    sizes = [*x.shape[:at], x.shape[at] * x.shape[at + 1], *x.shape[at + 2 :]]
    return f"{x.name}.reshape({tuple(sizes)})"


@operation(1)
def broadcast(draw: Draw) -> str:
    x = draw.anything()
    count = draw.integer(1, 4)
    need(x.size * count <= ELEMENTS_MAX)
    if x.rank and draw.chance(0.5):
        at = draw.integer(0, x.rank)
        sizes = [*x.shape[:at], count, *x.shape[at:]]
        return f"jnp.broadcast_to(jnp.expand_dims({x.name}, {at}), {tuple(sizes)})"
    return f"jnp.broadcast_to({x.name}, {(count, *x.shape)})"


def bounds(draw: Draw, size: int) -> str:
    if size == 0 or draw.chance(0.3):
        return ":"
    first = draw.integer(0, size - 1)
    last = draw.integer(first + (0 if draw.chance(0.03) else 1), size)
    step = draw.choice((1, 1, 2, 3, -1))
    if step < 0:
        return f"{last - 1}:{first - 1 if first else ''}:-1" if last > first else "::-1"
    return f"{first}:{last}:{step}" if step > 1 else f"{first}:{last}"


@operation(3)
def cut(draw: Draw) -> str:
    x = draw.anything(rank=1)
    return f"{x.name}[{', '.join(bounds(draw, n) for n in x.shape)}]"


@operation(1)
def pick(draw: Draw) -> str:
    x = draw.anything(rank=1)
    need(x.size)
    axis = draw.axis(x) % x.rank
    at = draw.integer(-x.shape[axis], x.shape[axis] - 1)
    return f"{x.name}[{', '.join(str(at) if i == axis else ':' for i in range(x.rank))}]"


@operation(1.5)
def pad(draw: Draw) -> str:
    x = draw.anything(rank=1)
    need(x.rank < 4)
    edges = [
        (
            draw.integer(-1 if n > 2 else 0, 4),
            draw.integer(-1 if n > 2 else 0, 3),
            draw.choice((0, 0, 1, 2)),
        )
        for n in x.shape
    ]
    fill = draw.choice((0, 1))
    return f"lax.pad({x.name}, jnp.asarray({fill}, {x.name}.dtype), {edges})"


@operation(1)
def pad_mode(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.rank < 4 and min(x.shape) > 2)
    edges = [(draw.integer(0, 2), draw.integer(0, 2)) for _ in x.shape]
    mode = draw.choice(("edge", "reflect", "wrap", "symmetric", "constant"))
    return f'jnp.pad({x.name}, {edges}, mode="{mode}")'


@operation(1)
def flip(draw: Draw) -> str:
    x = draw.anything(rank=1)
    return f"jnp.flip({x.name}, {draw.axes(x) or draw.axis(x)})"


@operation(1)
def roll(draw: Draw) -> str:
    x = draw.anything(rank=1)
    return f"jnp.roll({x.name}, {draw.integer(-5, 5)}, {draw.axis(x)})"


@operation(1.5)
def concatenate(draw: Draw) -> str:
    x = draw.anything(rank=1)
    axis = draw.axis(x) % x.rank
    parts = [x.name]
    for _ in range(draw.integer(1, 2)):
        parts.append(_beside(draw, x, axis))
    draw.random.shuffle(parts)
    return f"jnp.concatenate([{', '.join(parts)}], {axis})"


def _beside(draw: Draw, x: Value, axis: int) -> str:
    fits = [
        v
        for v in draw.values
        if v.dtype == x.dtype
        and v.rank == x.rank
        and all(n == m for i, (n, m) in enumerate(zip(v.shape, x.shape, strict=True)) if i != axis)
    ]
    if fits and draw.chance(0.7):
        return draw.choice(fits).name
    return f"jnp.zeros_like({x.name})" if draw.chance(0.5) else f"jnp.flip({x.name}, {axis})"


@operation(1)
def stack(draw: Draw) -> str:
    x = draw.anything()
    need(2 * x.size <= ELEMENTS_MAX)
    fits = [v.name for v in draw.values if (v.dtype, v.shape) == (x.dtype, x.shape)]
    return f"jnp.stack([{x.name}, {draw.choice(fits)}], {draw.integer(0, x.rank)})"


MOVED = [
    *("jnp.moveaxis({0}, 0, -1)", "jnp.swapaxes({0}, -1, -2)", "jnp.rot90({0})", "jnp.tril({0})"),
    *("jnp.triu({0}, 1)", "jnp.tril({0}, -1)", "jnp.diagonal({0})", "jnp.trace({0})"),
    *("jnp.tile({0}, 2)", "jnp.repeat({0}, 2, axis=-1)", "jnp.repeat({0}, 3, axis=0)"),
    *("jnp.array_split({0}, 2, axis=0)[0]", "jnp.array_split({0}, 3, axis=-1)[1]"),
    *("jnp.diff({0}, axis=-1)", "jnp.diff({0}, axis=0)", "jnp.expand_dims({0}, 1)"),
    *("jnp.atleast_3d({0})", "jnp.ravel({0})", "jnp.squeeze({0})", "jnp.flipud({0})"),
    *(
        "{0}.reshape(-1, {0}.shape[-1])",
        "{0}.T",
        "jnp.append({0}, {0}, axis=0)",
        "jnp.vander({0}.ravel()[:5])",
    ),
]


@operation(3)
def moved(draw: Draw) -> str:
    x = draw.anything(rank=2)
    need(x.size * 3 <= ELEMENTS_MAX)
    text = draw.choice(MOVED)
    need(x.dtype != "bool" or ("diff" not in text and "trace" not in text))
    return text.format(x.name)


@operation(0.7)
def diagonal(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.rank == 1 and x.size < 80)
    return f"jnp.diag({x.name}, {draw.integer(-1, 1)})"


@operation(0.7)
def doubled_turn(draw: Draw) -> str:
    """A transpose between two reshapes, as of heads and patches."""
    x = draw.anything(rank=2)
    need(x.size)
    last = x.shape[-1]
    parts = draw.choice([n for n in range(1, last + 1) if last % n == 0])
    lead = x.size // last
    return (
        f"{x.name}.reshape({lead}, {parts}, {last // parts})"
        f".transpose({draw.choice(((1, 0, 2), (1, 2, 0), (0, 2, 1), (2, 1, 0)))})"
    )
