"""Plain JAX compiled for one core of trn3 beside nki-library's hand-written kernels, on shapes of
Llama 3 8B divided between eight cores: simulated time of ours over theirs, both from this run. The
kernels come from a checkout of the user's (run.py --nki-library), as they are, and are simulated as
`bench` does."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Any

import measure
import ml_dtypes
import numpy as np
from measure import MACHINE, ROOT
from trainyard import model

BF16 = np.dtype(ml_dtypes.bfloat16)
TOKENS, HIDDEN, INNER, DEPTH = 2048, 4096, 1792, 128
HEADS, KEY_HEADS = 4, 1  # of one core
BATCH, CONTEXT = 8, 2048  # of a decode step


def zeros(*shape: int, dtype: Any = BF16) -> np.ndarray:
    return np.zeros(shape, dtype)


def norm(x: Any, weight: Any) -> Any:
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.square(wide).mean(-1, keepdims=True) + 1e-6)
    return (wide * scale).astype(x.dtype) * weight


def attention(causal: bool) -> Callable[..., Any]:
    def function(q: Any, k: Any, v: Any) -> Any:
        import jax
        import jax.numpy as jnp

        scores = jnp.einsum("qd,kd->qk", q, k, preferred_element_type=jnp.float32)
        if causal:
            scores = jnp.where(jnp.tril(jnp.ones(scores.shape, bool)), scores, -jnp.inf)
        return jax.nn.softmax(scores).astype(q.dtype) @ v

    return function


def mlp(x: Any, scale: Any, gate: Any, up: Any, down: Any) -> Any:
    import jax

    x = norm(x, scale)
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def qkv(x: Any, scale: Any, weight: Any) -> Any:
    return norm(x, scale) @ weight


def quantised_norm(x: Any, scale: Any) -> Any:
    import jax.numpy as jnp

    y = norm(x, scale).astype(jnp.float32)
    largest = jnp.abs(y).max(-1, keepdims=True)
    return (y * (240 / largest)).astype(jnp.float8_e4m3), largest / 240


def rotated(x: Any, cosine: Any, sine: Any) -> Any:
    import jax.numpy as jnp

    low, high = jnp.split(x, 2, -1)
    return jnp.concatenate([low * cosine - high * sine, high * cosine + low * sine], -1)


def decode(
    x: Any, weights: dict[str, Any], keys: Any, values: Any, cosine: Any, sine: Any, at: Any
) -> Any:
    """One token of each sequence; keys [batch, depth, context], values [batch, context, depth]."""
    import jax
    import jax.numpy as jnp

    joint = norm(x, weights["norm"]) @ weights["qkv"]
    q, k, v = jnp.split(joint, [HEADS * DEPTH, (HEADS + KEY_HEADS) * DEPTH], -1)
    q = rotated(q.reshape(-1, HEADS, DEPTH), cosine[:, None], sine[:, None])
    k = rotated(k, cosine, sine)
    rows = jnp.arange(len(x))
    keys, values = keys.at[rows, :, at].set(k), values.at[rows, at].set(v)
    scores = jnp.einsum("bhd,bdc->bhc", q, keys, preferred_element_type=jnp.float32)
    kept = jnp.arange(keys.shape[-1]) <= at[:, None]
    scores = jnp.where(kept[:, None], scores * DEPTH**-0.5, -jnp.inf)
    heads = jnp.einsum("bhc,bcd->bhd", jax.nn.softmax(scores).astype(x.dtype), values)
    x = x + heads.reshape(len(x), -1) @ weights["out"]
    return x + mlp(x, *(weights[name] for name in ("norm", "gate", "up", "down"))), keys, values


def donating(function: Callable[..., Any]) -> Any:
    """The caches of decode() are written in place, as nki-library's kernel writes them."""
    import jax

    return jax.jit(function, donate_argnums=(2, 3))


MATRICES = ("qkv", "out", "gate", "up", "down")


def decode_arguments(batch: int, context: int) -> tuple[Any, ...]:
    """What decode() takes, with one value for both angles."""
    weights = {
        "norm": zeros(HIDDEN),
        "qkv": zeros(HIDDEN, (HEADS + 2 * KEY_HEADS) * DEPTH),
        "out": zeros(HEADS * DEPTH, HIDDEN),
        "gate": zeros(HIDDEN, INNER),
        "up": zeros(HIDDEN, INNER),
        "down": zeros(INNER, HIDDEN),
    }
    keys, values = zeros(batch, DEPTH, context), zeros(batch, context, DEPTH)
    at = np.zeros(batch, np.int32)
    return zeros(batch, HIDDEN), weights, keys, values, zeros(batch, DEPTH // 2), at


def compiled(function: Callable[..., Any], *arguments: Any) -> float:
    """Seconds."""
    made = model.compile(function, *arguments, machine=MACHINE)
    return made.run(*arguments, timed=True, values=False).seconds


def row(name: str, ours: float, kernel: Any, *arguments: Any, **given: Any) -> dict[str, object]:
    with contextlib.redirect_stdout(io.StringIO()):
        theirs = kernel.bench(*arguments, machine=MACHINE, **given).time_ns * 1e-9
    return {
        "name": f"one core, time beside nki-library: {name}",
        "value": ours * 1e6,
        "unit": "us",
        "host_limit": theirs * 1e6,
    }


def attention_row(causal: bool) -> dict[str, object]:
    from nkilib.core.attention.attention_cte import attention_cte

    tokens = 4096
    return row(
        f"{'causal ' if causal else ''}attention of {tokens} tokens",
        compiled(attention(causal), *[zeros(tokens, DEPTH)] * 3),
        attention_cte,
        zeros(1, tokens, DEPTH),
        zeros(1, DEPTH, tokens),
        zeros(1, tokens, DEPTH),
        causal_mask=causal,
    )


def layer_rows() -> list[dict[str, object]]:
    from nkilib.core.mlp.mlp import mlp as their_mlp
    from nkilib.core.qkv.qkv import qkv as their_qkv
    from nkilib.core.rmsnorm.rmsnorm_quant import RmsNormQuantKernelArgs, rmsnorm_quant_kernel
    from nkilib.core.utils.common_types import NormType

    x, scale, wide = zeros(TOKENS, HIDDEN), zeros(HIDDEN), zeros(1, HIDDEN)
    up, down = zeros(HIDDEN, INNER), zeros(INNER, HIDDEN)
    joint = zeros(HIDDEN, (HEADS + 2 * KEY_HEADS) * DEPTH)
    return [
        row(
            "RMSNorm, MLP",
            compiled(mlp, x, scale, up, up, down),
            their_mlp,
            x[None],
            up,
            up,
            down,
            wide,
            normalization_type=NormType.RMS_NORM,
        ),
        row(
            "RMSNorm, QKV",
            compiled(qkv, x, scale, joint),
            their_qkv,
            x[None],
            joint,
            fused_norm_type=NormType.RMS_NORM,
            gamma_norm_weights=wide,
        ),
        row(
            "RMSNorm, quantised to FP8",
            compiled(quantised_norm, x, scale),
            rmsnorm_quant_kernel,
            x[None],
            wide,
            RmsNormQuantKernelArgs(),
        ),
    ]


def decode_rows() -> list[dict[str, object]]:
    import nki
    from nkilib.experimental.transformer.transformer_tkg import transformer_tkg

    @nki.jit
    def step(x: Any, weights: tuple[Any, ...], caches: tuple[Any, ...], *angles: Any) -> Any:
        single = [[each] for each in (*weights, *caches)]
        cosine, sine, mask, at = angles
        return transformer_tkg(x, *single, cosine, sine, mask, None, at, num_layers=1)

    x, weights, keys, values, angles, at = decode_arguments(BATCH, CONTEXT)
    theirs = (
        zeros(BATCH, 1, HIDDEN),
        (*(weights[name] for name in MATRICES), zeros(1, HIDDEN), zeros(1, HIDDEN)),
        (keys[:, None], values[:, None]),
        *[zeros(DEPTH // 2, BATCH, 1)] * 2,
        np.zeros((CONTEXT, BATCH, HEADS, 1), bool),
        at[:, None],
    )
    ours = (x, weights, keys, values, angles, angles, at)
    name = f"decode step of a layer, {BATCH} sequences of {CONTEXT}"
    return [
        row(name, compiled(donating(decode), *ours), step, *theirs),
        row(f"{name}, caches copied", compiled(decode, *ours), step, *theirs),
    ]


def rows() -> list[dict[str, object]]:
    if measure.nki_library is None:
        return []
    sys.path[:0] = [str(measure.nki_library / "src/nkilib_src"), str(ROOT / "tools")]
    from suite import stubs

    stubs.install(["torch"])  # which its references import, and no kernel needs
    sys.dont_write_bytecode = True
    return [attention_row(False), attention_row(True), *layer_rows(), *decode_rows()]
