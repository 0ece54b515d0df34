"""Gathers, scatters, slices at places that data gives, in every mode."""

from __future__ import annotations

from differing.drawing import Draw, Value, need, operation

MODES = ("clip", "fill", "wrap", "promise_in_bounds")


def indices(
    draw: Draw, size: int, shape: tuple[int, ...] | None = None, strict: bool = False
) -> Value:
    """Some of them out of range, unless strict."""
    shape = tuple(draw.integer(1, 6) for _ in range(draw.integer(0, 2))) if shape is None else shape
    dtype = draw.choice(("int32", "int32", "int32", "uint8", "int16", "uint32"))
    flavour = f"below{size}" if strict or draw.chance(0.4) else f"around{size}"
    need(size > 0 and (size < 100 or dtype not in ("uint8", "int8")))
    return draw.argument(shape, dtype, flavour)


@operation(2)
def take(draw: Draw) -> str:
    x = draw.anything(rank=1)
    axis = draw.axis(x)
    mode = draw.choice(MODES)
    i = indices(draw, x.shape[axis], strict=mode == "promise_in_bounds")
    return f'jnp.take({x.name}, {i.name}, axis={axis}, mode="{mode}")'


@operation(2)
def indexed(draw: Draw) -> str:
    """x[i], x[:, i], x[i, j], x[i, :, j]."""
    x = draw.anything(rank=1)
    need(x.size)
    shape = (draw.integer(1, 5),)
    parts, count = [], 0
    for n in x.shape:
        if draw.chance(0.55):
            parts.append(indices(draw, n, shape).name)
            count += 1
        else:
            parts.append(":" if draw.chance(0.8) or n < 2 else "1:")
    need(count)
    if draw.chance(0.2):
        mode = draw.choice(MODES[:2])
        fill = draw.choice(("0", "1"))
        return f'{x.name}.at[{", ".join(parts)}].get(mode="{mode}", fill_value={fill})'
    return f"{x.name}[{', '.join(parts)}]"


@operation(1)
def take_along(draw: Draw) -> str:
    x = draw.anything(rank=1)
    axis = draw.axis(x) % x.rank
    shape = tuple(draw.integer(1, 4) if i == axis else n for i, n in enumerate(x.shape))
    i = indices(draw, x.shape[axis], shape)
    mode = draw.choice(('"clip"', '"fill"', "None"))
    return f"jnp.take_along_axis({x.name}, {i.name}, axis={axis}, mode={mode})"


@operation(3)
def scatter(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.size)
    axis = draw.axis(x) % x.rank
    n = x.shape[axis]
    of = draw.choice(("set", "add", "add", "multiply", "min", "max"))
    shape = (draw.integer(1, 6),)
    # Which of two writes to one place comes last is not said.
    if of == "set":
        i = draw.argument((min(shape[0], n),), "int32", f"distinct{n}")
    else:
        i = indices(draw, n, shape)
    lead = ":, " * axis
    window = [x.shape[a] for a in range(x.rank) if a != axis]
    updates = [*window[:axis], *i.shape, *window[axis:]]
    what = draw.argument(tuple(updates), x.dtype).name if draw.chance(0.6) else "2"
    mode = draw.choice(("", "", ', mode="drop"', ', mode="clip"' if of != "set" else ""))
    return f"{x.name}.at[{lead}{i.name}].{of}({what}{mode})"


@operation(1.5)
def scatter_points(draw: Draw) -> str:
    x = draw.number(rank=2)
    need(x.size)
    shape = (draw.integer(1, 7),)
    of = draw.choice(("add", "add", "max", "min", "multiply"))
    i, j = (indices(draw, n, shape).name for n in (x.shape[0], x.shape[-1]))
    if x.rank == 2:
        what = draw.argument(shape, x.dtype).name if draw.chance(0.6) else "1"
        return f"{x.name}.at[{i}, {j}].{of}({what})"
    return f"{x.name}.at[{i}, ..., {j}].{of}(1)"


@operation(1)
def scatter_window(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.size and x.shape[0] > 1)
    first = draw.integer(0, x.shape[0] - 1)
    last = draw.integer(first + 1, x.shape[0])
    of = draw.choice(("set", "add", "max"))
    step = draw.choice(("", ":2"))
    return f"{x.name}.at[{first}:{last}{step}].{of}(3)"


@operation(1)
def segments(draw: Draw) -> str:
    x = draw.number(rank=1)
    need(x.size)
    count = draw.integer(1, 6)
    i = indices(draw, count, (x.shape[0],))
    of = draw.choice(("sum", "max", "min", "prod"))
    return f"jax.ops.segment_{of}({x.name}, {i.name}, {count})"


@operation(2)
def dynamic(draw: Draw) -> str:
    x = draw.anything(rank=1)
    need(x.size)
    starts = []
    for n in x.shape:
        starts.append(indices(draw, n, ()).name if draw.chance(0.6) else str(draw.integer(-1, n)))
    sizes = tuple(draw.integer(1, n) for n in x.shape)
    starts = [f"jnp.asarray({s}, jnp.int32)" for s in starts]
    if draw.chance(0.5):
        return f"lax.dynamic_slice({x.name}, [{', '.join(starts)}], {sizes})"
    part = ", ".join(f":{n}" for n in sizes)
    return f"lax.dynamic_update_slice({x.name}, {x.name}[{part}], [{', '.join(starts)}])"


@operation(1)
def dynamic_row(draw: Draw) -> str:
    x = draw.anything(rank=1)
    need(x.size)
    axis = draw.axis(x) % x.rank
    i = indices(draw, x.shape[axis], ())
    if draw.chance(0.5):
        return f"lax.dynamic_index_in_dim({x.name}, {i.name}, {axis}, keepdims={draw.chance(0.5)})"
    need(x.dtype != "bool")
    row = f"jnp.asarray(2, {x.name}.dtype)"
    return f"lax.dynamic_update_index_in_dim({x.name}, {row}, {i.name}, {axis})"


@operation(1)
def by_values(draw: Draw) -> str:
    """Indices that the program computes."""
    x = draw.value(lambda v: v.is_real and v.rank >= 1 and v.size > 0)
    texts = (
        "{0}[jnp.argsort({0}, axis=0).reshape(-1)[:4] % {1}]",
        "jnp.take_along_axis({0}, jnp.argsort({0}, axis=-1), axis=-1)",
    )
    texts += (
        "{0}[jnp.argmax({0}) % {1}]",
        "jnp.take({0}, jnp.floor({0}.reshape(-1)[:5]).astype(jnp.int32), axis=0, mode='clip')",
    )
    texts += ("{0}.at[jnp.clip({0}.reshape(-1)[:3], 0, 5).astype(jnp.int32)].add(1)",)
    texts += (
        "{0}[(jnp.arange(3) * 5) % {1}]",
        "{0}[jnp.arange({1})[::-1]]",
        "{0}.at[jnp.arange({1}) // 2].add({0})",
    )
    return draw.choice(texts).format(x.name, x.shape[0])
