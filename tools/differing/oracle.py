"""A program of JAX evaluated on the CPU: floats in float64, each result rounded to its format.

Elementwise primitives are NumPy's (numpy_rules.py); what has a structure of its own (products,
convolutions, sorts, gathers) is XLA's in float64. Nothing is fused or reordered. Repeated with
other roundings, it tells how far errors of the formats move each element of the results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core

from differing.formats import UNIT, Rounding, grid, hold, is_complex, is_float
from differing.images import convolve
from differing.numpy_rules import RULES, Result, size, sum_error

Values = list[Any]
TURNS_MAX = 3000


class NotEvaluated(Exception):
    """The program holds something that has no meaning here."""


def evaluate(closed: Any, arguments: Sequence[np.ndarray], run: int) -> Values:
    """The results, held in float64. Run 0 rounds to nearest, others as their number says."""
    with jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]), np.errstate(all="ignore"):
        return _Evaluation(Rounding(run)).closed(closed, [hold(a) for a in arguments])


def _held(value: Any) -> Any:
    if jnp.issubdtype(value.dtype, jax.dtypes.extended):
        return value
    return hold(np.asarray(value))


def _chosen(which: np.ndarray, new: np.ndarray, old: np.ndarray) -> np.ndarray:
    """Of a loop under vmap: the rows that go on change."""
    return np.where(which.reshape(which.shape + (1,) * (new.ndim - which.ndim)), new, old)


class _Evaluation:
    def __init__(self, rounding: Rounding) -> None:
        self.round = rounding

    def closed(self, closed: Any, arguments: Values) -> Values:
        return self.jaxpr(closed.jaxpr, [_held(c) for c in closed.consts], arguments)

    def jaxpr(self, jaxpr: Any, constants: Values, arguments: Values) -> Values:
        values: dict[Any, Any] = {}
        values.update(zip(jaxpr.constvars, constants, strict=True))
        values.update(zip(jaxpr.invars, arguments, strict=True))

        def read(variable: Any) -> Any:
            if isinstance(variable, core.Literal):
                return hold(np.asarray(variable.val, variable.aval.dtype))
            return values[variable]

        for equation in jaxpr.eqns:
            found = self.equation(equation, [read(v) for v in equation.invars])
            values.update(zip(equation.outvars, found, strict=True))
        return [read(v) for v in jaxpr.outvars]

    def equation(self, equation: Any, operands: Values) -> Values:
        name, parameters = equation.primitive.name, equation.params
        if handler := STRUCTURES.get(name):
            return handler(self, parameters, operands)
        if name in CALLS:
            return self.call(parameters.get("jaxpr") or parameters["call_jaxpr"], operands)
        dtypes = [v.aval.dtype for v in equation.outvars]
        if any(jnp.issubdtype(x.dtype, jax.dtypes.extended) for x in operands):
            return self.by_xla(equation.primitive, parameters, operands)
        if name in RULES and name not in SPECIAL:
            return [self.elementwise(name, parameters, operands, dtypes[0])]
        if special := SPECIAL.get(name):
            found = special(self, equation, operands)
        else:
            found = self.by_xla(equation.primitive, parameters, operands)
        return [self.rounded(f, d) for f, d in zip(found, dtypes, strict=True)]

    def rounded(self, value: Any, dtype: Any) -> Any:
        if jnp.issubdtype(dtype, jax.dtypes.extended):
            return value
        if isinstance(value, Result):
            return self.round(value.value, dtype, value.error, value.units)
        value = np.asarray(value)
        return self.round(hold(value), dtype) if is_float(dtype) or is_complex(dtype) else value

    def elementwise(self, name: str, parameters: Any, operands: Values, dtype: np.dtype) -> Any:
        rule = RULES[name]
        is_named = "name" in rule.__code__.co_varnames[: rule.__code__.co_argcount]
        named = {"name": name} if is_named else {}
        found = rule(parameters, *operands, **named)
        found = found if isinstance(found, Result) else Result(found)
        value = np.asarray(found.value)
        if is_float(dtype) or is_complex(dtype):
            return self.round(value, dtype, found.error, found.units)
        return value if value.dtype == dtype else value.astype(dtype)

    def call(self, inner: Any, operands: Values) -> Values:
        if hasattr(inner, "consts"):
            return self.closed(inner, operands)
        return self.jaxpr(inner, [], operands)

    def by_xla(self, primitive: Any, parameters: dict[str, Any], operands: Values) -> Values:
        """As it is, in float64."""
        found = primitive.bind(*operands, **widened(parameters))
        return list(found) if primitive.multiple_results else [found]

    # --- control flow ---

    def scan(self, p: Any, operands: Values) -> Values:
        fixed, carried = p["num_consts"], p["num_carry"]
        constants, carry = operands[:fixed], operands[fixed : fixed + carried]
        rows, collected = operands[fixed + carried :], []
        for turn in range(p["length"])[:: -1 if p["reverse"] else 1]:
            found = self.closed(p["jaxpr"], [*constants, *carry, *(x[turn] for x in rows)])
            carry = found[:carried]
            collected.append(found[carried:])
        if p["reverse"]:
            collected.reverse()
        shapes = p["jaxpr"].out_avals[carried:]
        if collected:
            return [*carry, *(np.stack(each) for each in zip(*collected, strict=True))]
        return [*carry, *(hold(np.zeros((0, *s.shape), s.dtype)) for s in shapes)]

    def while_loop(self, p: Any, operands: Values) -> Values:
        tests, bodies = p["cond_nconsts"], p["body_nconsts"]
        of_test, of_body = operands[:tests], operands[tests : tests + bodies]
        state = operands[tests + bodies :]
        for _ in range(TURNS_MAX):
            goes_on = self.closed(p["cond_jaxpr"], [*of_test, *state])[0]
            if not np.any(goes_on):
                return state
            new = self.closed(p["body_jaxpr"], [*of_body, *state])
            state = [_chosen(goes_on, n, s) for n, s in zip(new, state, strict=True)]
        raise NotEvaluated("a loop of many turns")

    def cond(self, p: Any, operands: Values) -> Values:
        which = min(max(int(operands[0]), 0), len(p["branches"]) - 1)
        return self.closed(p["branches"][which], operands[1:])

    def linear_solve(self, p: Any, operands: Values) -> Values:
        lengths = p["const_lengths"]
        before = lengths.matvec + lengths.vecmat
        constants = operands[before : before + lengths.solve]
        right = operands[sum(lengths) :]
        return self.closed(p["jaxprs"].solve, [*constants, *right])

    def converted(self, p: Any, operands: Values) -> Values:
        (x,), to = operands, p["new_dtype"]
        if is_float(to) or is_complex(to):
            wide = np.complex128 if is_complex(to) or np.iscomplexobj(x) else np.float64
            x = np.asarray(x, wide)
            return [self.round(x if is_complex(to) else x.real, to)]
        if np.issubdtype(to, np.bool_):
            return [x != 0]
        if not np.issubdtype(x.dtype, np.inexact):
            return [x.astype(to)]
        limits = np.iinfo(to)
        whole = np.clip(np.nan_to_num(np.trunc(x.real), nan=0.0), limits.min, limits.max)
        return [whole.astype(np.int64).astype(to)]

    def precision(self, p: Any, operands: Values) -> Values:
        return [
            hold(
                np.asarray(
                    lax.reduce_precision(
                        jnp.asarray(operands[0], jnp.float64),
                        p["exponent_bits"],
                        p["mantissa_bits"],
                    )
                )
            )
        ]


def widened(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters that say a type: float64 for every float."""

    def wide(value: Any) -> Any:
        if isinstance(value, np.dtype) and is_float(value):
            return np.dtype(np.float64)
        if isinstance(value, np.dtype) and is_complex(value):
            return np.dtype(np.complex128)
        return value

    return {key: wide(value) for key, value in parameters.items()}


STRUCTURES: dict[str, Callable[[_Evaluation, Any, Values], Values]] = {
    "scan": _Evaluation.scan,
    "while": _Evaluation.while_loop,
    "cond": _Evaluation.cond,
    "custom_linear_solve": _Evaluation.linear_solve,
    "convert_element_type": _Evaluation.converted,
    "reduce_precision": _Evaluation.precision,
    "optimization_barrier": lambda e, p, operands: operands,
}
CALLS = ("pjit", "jit", "closed_call", "core_call", "remat", "remat2", "checkpoint")
CALLS += ("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_lin", "run_state")


# --- Primitives whose sums or inner steps round ---


def dot(e: _Evaluation, equation: Any, operands: Values) -> Values:
    p = widened(equation.params) | {"precision": None}
    a, b = operands[:2]
    if not np.issubdtype(np.result_type(a, b), np.inexact):
        return e.by_xla(equation.primitive, p, operands)
    (found,) = e.by_xla(equation.primitive, p, [np.asarray(hold(a)), np.asarray(hold(b))])
    (sizes,) = e.by_xla(equation.primitive, p, [size(hold(a)), size(hold(b))])
    (left, _), _ = p["dimension_numbers"]
    count = math.prod(a.shape[i] for i in left)
    return [Result(np.asarray(found), error=sum_error(np.asarray(sizes), count, a, b))]


def convolution(e: _Evaluation, equation: Any, operands: Values) -> Values:
    p, (image, kernel) = equation.params, operands
    if not np.issubdtype(image.dtype, np.inexact):
        return e.by_xla(equation.primitive, p, operands)
    sizes = convolve(p, size(image), size(kernel))
    return [Result(convolve(p, image, kernel), error=sum_error(sizes, kernel.size, image, kernel))]


def summed(count: Callable[[Any, Values], int]) -> Callable[..., Values]:
    """Of a primitive that adds up elements of its floating operands."""

    def special(e: _Evaluation, equation: Any, operands: Values) -> Values:
        found = e.by_xla(equation.primitive, equation.params, operands)
        floats = [x for x in operands if np.issubdtype(x.dtype, np.inexact)]
        if not floats:
            return found
        sizes = e.by_xla(equation.primitive, equation.params, [size(x) for x in operands])
        n = count(equation.params, operands)
        return [
            Result(np.asarray(f), error=sum_error(np.asarray(s), n, *floats))
            for f, s in zip(found, sizes, strict=True)
        ]

    return special


def scatter_add(e: _Evaluation, equation: Any, operands: Values) -> Values:
    x, i, updates = operands
    found, sizes = (
        lax.scatter_add(
            a,
            i,
            b,
            equation.params["dimension_numbers"],
            indices_are_sorted=equation.params["indices_are_sorted"],
            unique_indices=equation.params["unique_indices"],
            mode=equation.params["mode"],
        )
        for a, b in ((x, updates), (size(x), size(updates)))
    )
    found, sizes = np.asarray(found), np.asarray(sizes)
    if not np.issubdtype(x.dtype, np.inexact):
        return [found]
    if not np.isfinite(updates).all():  # it spreads (DEVIATIONS.md, scatter-add)
        return [Result(found, error=np.inf)]
    return [Result(found, error=sum_error(sizes, updates.size, x, updates))]


def scatter_by(function: Callable[..., Any], units: float) -> Callable[..., Values]:
    def special(e: _Evaluation, equation: Any, operands: Values) -> Values:
        p = equation.params
        keys = ("indices_are_sorted", "unique_indices", "mode")
        found = function(*operands, p["dimension_numbers"], **{k: p[k] for k in keys})
        return [Result(np.asarray(found), units)]

    return special


def running_product(e: _Evaluation, equation: Any, operands: Values) -> Values:
    (found,) = e.by_xla(equation.primitive, equation.params, operands)
    return [Result(np.asarray(found), 2.0 * operands[0].shape[equation.params["axis"]])]


def running_log(e: _Evaluation, equation: Any, operands: Values) -> Values:
    (found,) = e.by_xla(equation.primitive, equation.params, operands)
    count = operands[0].shape[equation.params["axis"]]
    return [
        Result(np.asarray(found), 4.0 * count, 4 * UNIT * count * (1 + np.abs(np.asarray(found))))
    ]


def fourier(e: _Evaluation, equation: Any, operands: Values) -> Values:
    """What an infinity or a NaN gives depends on the order of sums, in all of its transform."""
    (x,) = operands
    (found,) = e.by_xla(equation.primitive, equation.params, [x])
    axes = tuple(range(x.ndim - len(equation.params["fft_lengths"]), x.ndim))
    sizes = np.where(np.isfinite(x), np.abs(x), 0).sum(axes, keepdims=True)
    error = np.where(np.isfinite(x).all(axes, keepdims=True), 8 * UNIT * sizes, -np.inf)
    return [Result(np.asarray(found), error=error)]


def solved(e: _Evaluation, equation: Any, operands: Values) -> Values:
    shaken = [e.round.shaken(x, 16) for x in operands]
    return [
        Result(np.asarray(f), 16, 64 * UNIT * float(np.max(np.abs(f), initial=0)))
        if np.issubdtype(np.asarray(f).dtype, np.inexact)
        else f
        for f in e.by_xla(equation.primitive, equation.params, shaken)
    ]


def reduced(e: _Evaluation, equation: Any, operands: Values) -> Values:
    """By a computation of the program's own, one element after the other."""
    p = equation.params
    count = len(operands) // 2
    axes = tuple(p["dimensions"])
    rows = [np.moveaxis(x, axes, range(len(axes))) for x in operands[:count]]
    rows = [x.reshape(-1, *x.shape[len(axes) :]) for x in rows]
    state = [np.broadcast_to(s, x.shape[1:]) for s, x in zip(operands[count:], rows, strict=True)]
    for turn in range(rows[0].shape[0]):
        state = e.closed(p["jaxpr"], [*state, *(x[turn] for x in rows)])
    return [Result(np.asarray(s), 2.0 * math.sqrt(rows[0].shape[0])) for s in state]


WINDOWS = {"mul": lax.mul, "add": lax.add, "max": lax.max, "min": lax.min}


def window(e: _Evaluation, equation: Any, operands: Values) -> Values:
    """Of one operation that XLA knows."""
    p = equation.params
    steps = [each.primitive.name for each in p["jaxpr"].eqns]
    if len(steps) != 1 or steps[0] not in WINDOWS or len(operands) != 2:
        raise NotEvaluated(f"a window of {steps}")
    of = WINDOWS[steps[0]]
    found = lax.reduce_window(
        *operands, of, p["window_dimensions"], p["window_strides"], p["padding"],
        p["base_dilation"], p["window_dilation"],
    )  # fmt: skip
    return [Result(np.asarray(found), 2.0 * math.prod(p["window_dimensions"]))]


def bit_cast(e: _Evaluation, equation: Any, operands: Values) -> Values:
    source, to = equation.invars[0].aval.dtype, equation.params["new_dtype"]
    x = np.asarray(operands[0])
    native = x.astype(np.float32).astype(source) if is_float(source) else x
    if source.itemsize != to.itemsize:
        raise NotEvaluated("a bit cast of another width")
    return [np.ascontiguousarray(native).view(to).reshape(x.shape)]


def next_after(e: _Evaluation, equation: Any, operands: Values) -> Values:
    dtype = equation.outvars[0].aval.dtype
    a, b = (x.astype(np.float32).astype(dtype) for x in operands)
    return [np.nextafter(a, b)]


SPECIAL: dict[str, Callable[..., Values]] = {
    "dot_general": dot,
    "ragged_dot_general": summed(lambda p, x: x[0].shape[-1]),
    "conv_general_dilated": convolution,
    "cumsum": summed(lambda p, x: x[0].shape[p["axis"]]),
    "reduce_window_sum": summed(lambda p, x: math.prod(p["window_dimensions"])),
    "select_and_scatter_add": summed(lambda p, x: math.prod(p["window_dimensions"])),
    "cumprod": running_product,
    "cumlogsumexp": running_log,
    "scatter-add": scatter_add,
    "scatter_add": scatter_add,
    "scatter": scatter_by(lax.scatter, 0),
    "scatter-mul": scatter_by(lax.scatter_mul, 20),
    "scatter_mul": scatter_by(lax.scatter_mul, 20),
    "scatter-min": scatter_by(lax.scatter_min, 0),
    "scatter_min": scatter_by(lax.scatter_min, 0),
    "scatter-max": scatter_by(lax.scatter_max, 0),
    "scatter_max": scatter_by(lax.scatter_max, 0),
    "fft": fourier,
    "bitcast_convert_type": bit_cast,
    "nextafter": next_after,
    "reduce": reduced,
    "reduce_window": window,
    **dict.fromkeys(
        ("cholesky", "triangular_solve", "lu", "qr", "geqrf", "householder_product", "eigh", "svd"),
        solved,
    ),
}
__all__ = ["NotEvaluated", "evaluate", "grid"]
