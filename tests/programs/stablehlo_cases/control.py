"""Loops, branches, calls; constants, random bits, dynamic shapes, collectives over one device."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, given, positive, real, scalar, whole

add(
    "control_fori",
    lambda x, w: lax.fori_loop(0, 5, lambda i, x: jnp.tanh(x @ w), x),
    real(20, 30),
    real(30, 30, seed=2),
    tolerance=1e-4,
)
add(
    "control_fori_index",
    lambda x: lax.fori_loop(2, 7, lambda i, x: x.at[i].add(i * 1.5), x),
    real(9, 5),
    tolerance=1e-5,
)
add(
    "control_fori_dynamic",
    lambda x, n: lax.fori_loop(0, n, lambda i, x: x * 0.5 + i, x),
    real(33, 5),
    scalar("i32", 6),
    tolerance=1e-5,
)
add(
    "control_no_turn",
    lambda x, n: lax.fori_loop(0, n, lambda i, x: x * 2, x),
    real(9),
    scalar("i32", 0),
    tolerance=EXACT,
)
add(
    "control_while",
    lambda x: lax.while_loop(
        lambda c: c[1].sum() < 50, lambda c: (c[0] + 1, c[1] * 2), (jnp.int32(0), x)
    ),
    positive(9),
    tolerance=1e-5,
)
add(
    "control_scan",
    lambda x: lax.scan(lambda c, x: (c * 0.5 + x, c), jnp.zeros(6), x),
    real(9, 6),
    tolerance=1e-5,
)
add(
    "control_scan_reverse",
    lambda x: lax.scan(lambda c, x: (c * 0.5 + x, c * x), jnp.ones(6), x, reverse=True),
    real(9, 6),
    tolerance=1e-5,
)
add(
    "control_rnn",
    lambda x, w, u: lax.scan(lambda h, x: (jnp.tanh(h @ w + x @ u),) * 2, jnp.zeros((4, 16)), x)[1],
    real(6, 4, 8),
    real(16, 16, seed=2),
    real(8, 16, seed=3),
    tolerance=1e-4,
)
add(
    "control_layers_in_scan",
    lambda x, w: lax.scan(lambda x, w: (jax.nn.relu(x @ w) + x, None), x, w)[0],
    real(20, 16),
    draw("f32", 4, 16, 16, seed=2, step=1 / 512),
    tolerance=1e-4,
)
add(
    "control_scan_gradient",
    jax.grad(
        lambda w, x: lax.scan(lambda h, x: (jnp.tanh(h * w + x), None), jnp.zeros(8), x)[0].sum()
    ),
    real(8),
    real(5, 8, seed=2),
    tolerance=1e-4,
)
add(
    "control_nested_loops",
    lambda x: lax.fori_loop(
        0, 3, lambda i, x: lax.fori_loop(0, 2, lambda j, x: x * 0.9 + i + j, x), x
    ),
    real(12),
    tolerance=1e-5,
)
for choice in (-1, 0, 1, 2, 9):
    label = str(choice).replace("-", "minus_")
    add(
        f"control_switch_{label}",
        lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda x: x * 2], x),
        scalar("i32", choice),
        real(20),
    )
for choice in (0, 1):
    add(
        f"control_cond_{choice}",
        lambda p, x, y: lax.cond(p, lambda x, y: (x @ y, x), lambda x, y: (x - y, y), x, y),
        scalar("i1", choice),
        real(20, 20),
        real(20, 20, seed=2),
        tolerance=1e-4,
    )
add(
    "control_cond_of_value",
    lambda x: lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x),
    real(20, 9),
    tolerance=EXACT,
)
add(
    "control_calls",
    """
func.func @main(%x: tensor<20x9xf32>, %y: tensor<20x9xf32>) -> (tensor<20x9xf32>, tensor<20x9xf32>) {
  %a:2 = call @swap(%x, %y) : (tensor<20x9xf32>, tensor<20x9xf32>) -> (tensor<20x9xf32>, tensor<20x9xf32>)
  %b = call @less(%a#0, %a#1) : (tensor<20x9xf32>, tensor<20x9xf32>) -> tensor<20x9xf32>
  %c = call @less(%b, %a#0) : (tensor<20x9xf32>, tensor<20x9xf32>) -> tensor<20x9xf32>
  return %b, %c : tensor<20x9xf32>, tensor<20x9xf32>
}
func.func private @swap(%p: tensor<20x9xf32>, %q: tensor<20x9xf32>) -> (tensor<20x9xf32>, tensor<20x9xf32>) {
  return %q, %p : tensor<20x9xf32>, tensor<20x9xf32>
}
func.func private @less(%p: tensor<20x9xf32>, %q: tensor<20x9xf32>) -> tensor<20x9xf32> {
  %r = stablehlo.subtract %p, %q : tensor<20x9xf32>
  return %r : tensor<20x9xf32>
}""",
    real(20, 9),
    real(20, 9, seed=2),
    tolerance=EXACT,
)
add(
    "control_equal_layers",
    lambda x, *w: _layers(x, w),
    real(24, 16),
    *(draw("f32", 16, 16, seed=s, step=1 / 512) for s in range(2, 8)),
    tolerance=1e-4,
)
add(
    "control_map",
    """
func.func @main(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %z = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %b : tensor<f32>
    %d = stablehlo.subtract %c, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  return %z : tensor<5x7xf32>
}""",
    real(5, 7),
    real(5, 7, seed=2),
    tolerance=1e-6,
)
add(
    "control_tuple",
    """
func.func @main(%x: tensor<5xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<5xf32>) {
  %t = stablehlo.tuple %x, %y : tuple<tensor<5xf32>, tensor<3xi32>>
  %a = stablehlo.get_tuple_element %t[1] : (tuple<tensor<5xf32>, tensor<3xi32>>) -> tensor<3xi32>
  %b = stablehlo.get_tuple_element %t[0] : (tuple<tensor<5xf32>, tensor<3xi32>>) -> tensor<5xf32>
  return %a, %b : tensor<3xi32>, tensor<5xf32>
}""",
    real(5),
    whole("i32", 3),
    tolerance=EXACT,
    only=True,
)
add(
    "control_composite",
    """
func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = stablehlo.composite "some.twice" %x {decomposition = @twice} : (tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
func.func private @twice(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = stablehlo.add %x, %x : tensor<9xf32>
  return %y : tensor<9xf32>
}""",
    real(9),
    tolerance=EXACT,
)
add(
    "control_barrier",
    """
func.func @main(%x: tensor<9xf32>, %y: tensor<4xi32>) -> (tensor<9xf32>, tensor<4xi32>) {
  %a:2 = stablehlo.optimization_barrier %x, %y : tensor<9xf32>, tensor<4xi32>
  return %a#0, %a#1 : tensor<9xf32>, tensor<4xi32>
}""",
    real(9),
    whole("i32", 4),
    tolerance=EXACT,
)
add(
    "control_argument_returned",
    lambda x, y: (y, x, x + y),
    real(9, 3),
    real(9, 3, seed=2),
    tolerance=EXACT,
)
add(
    "control_constants_only",
    lambda: (jnp.arange(12).reshape(3, 4), jnp.full((130, 2), 2.5), jnp.eye(4)),
    tolerance=EXACT,
)
add(
    "control_folded",
    lambda x: x * (jnp.arange(20.0) * 2 + jnp.sum(jnp.ones(3)))[:, None],
    real(20, 3),
    tolerance=1e-5,
)
add("control_repeats", lambda x: jnp.exp(x) + jnp.exp(x) * jnp.sin(jnp.exp(x)), real(20, 30))
add(
    "control_unread",
    lambda x, y: (x + 1, jnp.tanh(y @ x))[0],
    real(20, 20),
    real(20, 20, seed=2),
    tolerance=EXACT,
)
add(
    "control_optimiser_step",
    (
        lambda a, b, x, y: jax.grad(
            lambda a, b: jnp.mean(jnp.square(jnp.tanh(x @ a) @ b - y)), (0, 1)
        )(a, b)
    ),
    real(9, 20),
    real(20, 3, seed=2),
    real(30, 9, seed=3),
    real(30, 3, seed=4),
    tolerance=2e-4,
)

# --- Random bits ---
add(
    "control_threefry",
    lambda k: jax.random.bits(jax.random.wrap_key_data(k), (7, 5), "uint32"),
    given("ui32", 12, 34),
)
add(
    "control_uniform",
    lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (40,)),
    given("ui32", 12, 34),
    tolerance=1e-6,
)
add(
    "control_normal",
    lambda k: jax.random.normal(jax.random.wrap_key_data(k), (40,)),
    given("ui32", 5, 6),
    tolerance=1e-4,
)
add(
    "control_dropout",
    lambda k, x: jnp.where(
        jax.random.bernoulli(jax.random.wrap_key_data(k), 0.7, x.shape), x / 0.7, 0
    ),
    given("ui32", 5, 6),
    real(20, 30),
    tolerance=1e-5,
)
for algorithm in ("DEFAULT", "THREE_FRY", "PHILOX"):
    for element, shape in (("ui32", "3x5"), ("ui8", "2x9"), ("ui64", "7")):
        words = 2
        add(
            f"control_bits_{algorithm.lower()}_{element}",
            f"""
func.func @main(%s: tensor<{words}xui64>) -> (tensor<{words}xui64>, tensor<{shape}x{element}>) {{
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : (tensor<{words}xui64>) -> (tensor<{words}xui64>, tensor<{shape}x{element}>)
  return %t, %b : tensor<{words}xui64>, tensor<{shape}x{element}>
}}""",
            given("ui64", 1, 2),
            only=True,
        )

# --- What only the evaluator and GpSimd's routines compute ---
for lower in ("true", "false"):
    for side in ("true", "false"):
        for turned in ("NO_TRANSPOSE", "TRANSPOSE"):
            add(
                f"control_triangular_{lower}_{side}_{turned.lower()}",
                f"""
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {{
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {{left_side = {side}, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose {turned}>}} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}}""",
                real(2, 4, 4),
                real(2, 4, 4, seed=2),
                tolerance=1e-4,
                routines="triangular_solve",
            )
for lower in ("true", "false"):
    add(
        f"control_cholesky_{lower}",
        f"""
func.func @main(%a: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {{
  %b = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare {"GE" if lower == "true" else "LE"}, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %e = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %f = stablehlo.convert %e : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
  %g = stablehlo.add %b, %f : tensor<2x4x4xf32>
  %x = stablehlo.cholesky %g, lower = {lower} : tensor<2x4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<2x4x4xf32>
  %y = stablehlo.select %d, %x, %z : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}}""",
        real(2, 4, 4),
        tolerance=1e-4,
        routines="cholesky",
    )
for kind, types in {
    "FFT": ("complex<f32>", "3x8", "complex<f32>", "3x8", 8),
    "IFFT": ("complex<f32>", "3x6", "complex<f32>", "3x6", 6),
    "RFFT": ("f32", "3x8", "complex<f32>", "3x5", 8),
    "IRFFT": ("complex<f32>", "3x5", "f32", "3x8", 8),
}.items():
    a, s, b, t, n = types
    add(
        f"control_{kind.lower()}",
        f"""
func.func @main(%x: tensor<{s}x{a}>) -> tensor<{t}x{b}> {{
  %y = stablehlo.fft %x, type = {kind}, length = [{n}] : (tensor<{s}x{a}>) -> tensor<{t}x{b}>
  return %y : tensor<{t}x{b}>
}}""",
        draw(a, *(int(v) for v in s.split("x"))),
        tolerance=1e-5,
        only=True,
    )
add(
    "control_fft_of_two",
    """
func.func @main(%x: tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [4, 6] : (tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  return %y : tensor<2x4x6xcomplex<f32>>
}""",
    draw("complex<f32>", 2, 4, 6),
    tolerance=1e-5,
    only=True,
)
add(
    "control_dynamic_shapes",
    """
func.func @main(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<i32>, tensor<2x3xf32>, tensor<9x8xf32>, tensor<3xi32>) {
  %s = stablehlo.constant dense<[6, 4]> : tensor<2xi32>
  %a = stablehlo.dynamic_reshape %x, %s : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<6x4xf32>
  %t = stablehlo.constant dense<[2, 4, 6]> : tensor<3xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %t, dims = [1, 2] : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<2x4x6xf32>
  %c = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  %l = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %u = stablehlo.constant dense<[3, 6]> : tensor<2xi32>
  %p = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = "stablehlo.real_dynamic_slice"(%x, %l, %u, %p) : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  %v = stablehlo.constant dense<1.5> : tensor<f32>
  %q = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %e = stablehlo.dynamic_pad %x, %v, %q, %p, %l : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<9x8xf32>
  %n = stablehlo.constant dense<[3]> : tensor<1xi32>
  %f = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
  return %a, %b, %c, %d, %e, %f : tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<i32>, tensor<2x3xf32>, tensor<9x8xf32>, tensor<3xi32>
}""",
    real(4, 6),
    tolerance=EXACT,
    only=True,
)


# As shard_map writes them for a mesh of one device: nothing of it is left.
add(
    "control_lone_ranks",
    """
func.func @main(%x: tensor<20x9xf32>) -> tensor<20x9xf32> {
  %a = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %c = stablehlo.multiply %b, %x : tensor<20x9xf32>
  %d = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %e = stablehlo.add %d, %a : tensor<20x9xf32>
  return %e : tensor<20x9xf32>
}""",
    real(20, 9),
    tolerance=1e-6,
)


def _layers(x, weights):
    for w in weights:
        x = jax.nn.relu(x @ w) + x
    return x
