"""Products of matrices, einsums, convolutions, transforms, linear algebra."""

from __future__ import annotations

from differing.drawing import ELEMENTS_MAX, NARROW, Draw, need, operation


@operation(3)
def matmul(draw: Draw) -> str:
    x = draw.number(rank=1)
    to = draw.size()
    shape = (x.shape[-1], to) if draw.chance(0.8) else (x.shape[-1],)
    need(x.size * to <= 1 << 22 and shape[0] * to <= ELEMENTS_MAX)
    w = draw.argument(shape, x.dtype)
    return f"{x.name} @ {w.name}"


@operation(2)
def batched(draw: Draw) -> str:
    x = draw.full(rank=2)
    need(x.size * max(x.shape[-2:]) <= 1 << 22)
    forms = (
        "jnp.einsum('...ij,...kj->...ik', {0}, {0})",
        "jnp.einsum('...ji,...jk->...ik', {0}, {0})",
    )
    forms += ("{0} @ jnp.swapaxes({0}, -1, -2)", "jnp.einsum('...ij,...ij->...i', {0}, {0})")
    forms += ("jnp.einsum('...ij->...j', {0})", "jnp.vdot({0}, {0})", "jnp.inner({0}, {0})")
    return draw.choice(forms).format(x.name)


@operation(3)
def einsum(draw: Draw) -> str:
    """Axes of both operands in any order: batch, contracted, free, summed on one side."""
    x = draw.full(rank=1)
    letters = "abcd"[: x.rank]
    roles = {letter: draw.choice(("batch", "sum", "sum", "left")) for letter in letters}
    right = [letter for letter in letters if roles[letter] in ("batch", "sum")]
    sizes = dict(zip(letters, x.shape, strict=True))
    for letter in "xy"[: draw.choice((0, 1, 1, 2))]:
        sizes[letter] = draw.choice((1, 2, 3, 5, 17, 33))
        right.append(letter)
    draw.random.shuffle(right)
    out = [n for n in sizes if roles.get(n, "right") != "sum"]
    draw.random.shuffle(out)
    total = 1
    for n in sizes.values():
        total *= n
    need(total <= 1 << 22)
    w = draw.argument(tuple(sizes[n] for n in right), x.dtype)
    form = f"{letters},{''.join(right)}->{''.join(out)}"
    return f"jnp.einsum('{form}', {x.name}, {w.name})"


def dot_text(left: str, right: str, rank: int, sums: str) -> str:
    dimensions = f"((({rank - 1},), (0,)), ((), ()))"
    return f"lax.dot_general({left}, {right}, {dimensions}, preferred_element_type=jnp.{sums})"


@operation(1)
def narrow_product(draw: Draw) -> str:
    """Operands of 8 bits, or sums in another type."""
    x = draw.value(lambda v: v.is_number and v.rank >= 1 and v.size > 0)
    to = draw.choice((1, 3, 16, 65))
    if draw.chance(0.5):
        dtype = draw.choice(("int8", "uint8"))
        w = draw.argument((x.shape[-1], to), dtype)
        left = f"({x.name} * 3).astype(jnp.{dtype})"
        return dot_text(left, w.name, x.rank, "int32")
    dtype = draw.choice((*NARROW[:2], "bfloat16", "float16"))
    w = draw.argument((x.shape[-1], to), dtype)
    sums = draw.choice(("float32", "float32", "bfloat16"))
    return dot_text(f"{x.name}.astype(jnp.{dtype})", w.name, x.rank, sums)


@operation(1)
def dense(draw: Draw) -> str:
    """A product with what follows it."""
    x = draw.full(rank=2)
    to = draw.choice((1, 7, 32, 129))
    need(x.size * to <= 1 << 22 and x.shape[-1] * to <= ELEMENTS_MAX)
    w, b = draw.argument((x.shape[-1], to), x.dtype), draw.argument((to,), x.dtype)
    of = draw.choice(("jax.nn.relu", "jax.nn.gelu", "jnp.tanh", "jax.nn.silu", "jax.nn.softmax"))
    return f"{of}({x.name} @ {w.name} + {b.name})"


@operation(1)
def attention(draw: Draw) -> str:
    batch, queries, keys, depth = (
        draw.choice(s) for s in ((1, 2, 3), (1, 5, 33, 130), (1, 7, 40, 129), (4, 8, 16))
    )
    dtype = draw.choice(("float32", "bfloat16", "float16"))
    q = draw.argument((batch, queries, depth), dtype)
    k, v = (draw.argument((batch, keys, depth), dtype) for _ in range(2))
    scores = f"jnp.einsum('bqd,bkd->bqk', {q.name}, {k.name}) * {draw.choice((0.25, 1.0))}"
    mask = f"jnp.arange({queries})[:, None] + {draw.integer(0, 5)} >= jnp.arange({keys})"
    if draw.chance(0.5):
        scores = f"jnp.where({mask}, {scores}, {draw.choice(('-jnp.inf', '-1e9', '-30000.0'))})"
        scores += f".astype(jnp.{dtype})"
    return f"jnp.einsum('bqk,bkd->bqd', jax.nn.softmax({scores}), {v.name})"


@operation(2)
def convolution(draw: Draw) -> str:
    rank = draw.choice((1, 2, 2, 2, 3))
    images = [v for v in draw.values if v.is_real and v.rank == rank + 2 and 0 < v.size < 6000]
    groups = draw.choice((1, 1, 1, 2, 3))
    images = [v for v in images if v.shape[1] % groups == 0]
    if images:
        x = draw.choice(images)
    else:
        sizes = [draw.choice((1, 2, 4, 5, 7, 9, 16)) for _ in range(rank)]
        channels = groups * draw.choice((1, 2, 3, 4, 16))
        shape = (draw.choice((1, 2, 3)), channels, *sizes)
        x = draw.argument(shape, draw.choice(("float32", "bfloat16", "float16")))
    depthwise = draw.chance(0.2)
    groups = x.shape[1] if depthwise else groups
    taps = [draw.choice((1, 2, 3, 4)) for _ in range(rank)]
    out = groups * draw.choice((1, 2, 5))
    w = draw.argument((out, x.shape[1] // groups, *taps), x.dtype)
    strides = tuple(draw.choice((1, 1, 2, 3)) for _ in range(rank))
    edges = [(draw.integer(-1 if draw.chance(0.1) else 0, t), draw.integer(0, t)) for t in taps]
    padding = draw.choice(('"SAME"', '"VALID"', str(edges), str(edges)))
    base = tuple(draw.choice((1, 1, 1, 2)) for _ in range(rank)) if padding[0] == "[" else None
    holes = tuple(draw.choice((1, 1, 2)) for _ in range(rank))
    text = (
        f"lax.conv_general_dilated({x.name}, {w.name}, {strides}, {padding}, lhs_dilation={base}, "
    )
    text += f"rhs_dilation={holes}, feature_group_count={groups}"
    if groups == 1 and x.shape[0] % 2 == 0 and out % 2 == 0 and draw.chance(0.2):
        text += ", batch_group_count=2"
    return text + ")"


@operation(1)
def image_last(draw: Draw) -> str:
    """Channels last, as public models have them, and transposed convolutions."""
    sizes = (
        draw.choice((1, 2)),
        draw.choice((3, 5, 8)),
        draw.choice((4, 7)),
        draw.choice((1, 3, 8)),
    )
    x = draw.argument(sizes, draw.choice(("float32", "bfloat16")))
    taps, out = draw.choice((1, 2, 3)), draw.choice((1, 4, 9))
    w = draw.argument((taps, taps, sizes[-1], out), x.dtype)
    stride = draw.choice((1, 2))
    of = "conv_transpose" if draw.chance(0.4) else "conv_general_dilated"
    rest = f"({stride}, {stride}), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')"
    return f"lax.{of}({x.name}, {w.name}, {rest})"


@operation(0.7)
def convolve(draw: Draw) -> str:
    x = draw.value(lambda v: v.is_real and v.rank == 1 and v.size > 0)
    w = draw.argument((draw.integer(1, 5),), x.dtype)
    mode = draw.choice(("full", "same", "valid"))
    return f'jnp.convolve({x.name}, {w.name}, mode="{mode}")'


@operation(0.7)
def ragged(draw: Draw) -> str:
    rows, depth, out, groups = (
        draw.choice(s) for s in ((5, 16, 65), (3, 8, 33), (1, 8, 20), (1, 3, 4))
    )
    x = draw.argument((rows, depth), draw.choice(("float32", "bfloat16")))
    w = draw.argument((groups, depth, out), x.dtype)
    cuts = sorted(draw.integer(0, rows) for _ in range(groups - 1))
    sizes = [b - a for a, b in zip([0, *cuts], [*cuts, rows], strict=True)]
    return f"lax.ragged_dot({x.name}, {w.name}, jnp.array({sizes}, jnp.int32))"


@operation(1)
def fourier(draw: Draw) -> str:
    x = draw.value(lambda v: v.dtype == "float32" and v.rank >= 1 and v.size > 0)
    texts = ("jnp.fft.fft({0}).real", "jnp.fft.rfft({0}).imag", "jnp.abs(jnp.fft.fft({0}))")
    texts += ("jnp.fft.irfft(jnp.fft.rfft({0}), {1})", "jnp.fft.ifft({0}).imag")
    texts += (
        "jnp.fft.fftshift({0})",
        "jnp.fft.fft2({0}).real" if x.rank > 1 else "jnp.fft.rfft({0}).real",
    )
    return draw.choice(texts).format(x.name, x.shape[-1])


SOLVED = [
    "jnp.linalg.cholesky({0})",
    "jnp.linalg.inv({0})",
    "jnp.linalg.det({0} * 0.1)",
    "jnp.linalg.slogdet({0})[1]",
    "jnp.linalg.solve({0}, {0}[..., :1] + 1)",
    "jnp.linalg.eigvalsh({0})",
    "jnp.linalg.svd({0}, compute_uv=False)",
    "jnp.abs(jnp.linalg.qr({0})[1])",
    "jnp.linalg.matrix_power({0} * 0.1, 3)",
    "lax.linalg.triangular_solve({0}, {0}, left_side=True, lower=True)",
    "jax.scipy.linalg.solve_triangular({0}, {0}[..., 0])",
    "jax.scipy.linalg.expm({0} * 0.05)",
    "jnp.linalg.pinv({0})",
    "jax.scipy.linalg.cho_solve((jnp.linalg.cholesky({0}), True), {0}[..., :1])",
]


@operation(1)
def solved(draw: Draw) -> str:
    """Of a matrix that is well conditioned."""
    size = draw.choice((1, 2, 3, 5, 8, 17, 33))
    batch = draw.choice(((), (), (2,)))
    text = draw.choice(SOLVED)
    need(not batch or ("scipy" not in text and "[..., 0]" not in text))
    x = draw.argument((*batch, size, size), "float32", "unit")
    return text.format(f"({x.name} @ jnp.swapaxes({x.name}, -1, -2) + 2 * jnp.eye({size}))")
