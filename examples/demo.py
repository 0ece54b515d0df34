"""Runs two NKI kernels on one simulated Trainium3 core: are they right, how fast, and why?

  python examples/demo.py            causal attention over 2,048 tokens; an MXFP8 product of
                                     2,048 x 2,048 x 2,048
  python examples/demo.py --small    1,024 tokens and 512 x 512 x 1,024, for tests

For each kernel: agreement with a float64 NumPy reference beside the error the formats allow, then
the report of the timed run. Traces for Perfetto (ui.perfetto.dev) go to build/demo.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from attention import attention
from mx_matmul import mx_matmul

BF16_UNIT = 2.0**-8  # largest relative error of rounding to bfloat16
FP32_UNIT = 2.0**-24


def attention_reference(
    q: np.ndarray, k: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The exact result in float64, and for each element the error that bf16 allows.

    Budget: weights are rounded to bf16 (half a unit of each), the result once more, and every score
    carries the rounding of an fp32 sum of d products, which the exponential turns into a relative
    error of the weight.
    """
    queries, keys, values = q.astype(np.float64).T, k.astype(np.float64).T, v.astype(np.float64)
    d = queries.shape[1]
    scores = queries @ keys.T / np.sqrt(d)
    scores[np.triu_indices(len(scores), 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    exact = weights @ values
    spread = weights @ np.abs(values)
    score_error = FP32_UNIT * d * (np.abs(queries) @ np.abs(keys).T).max() / np.sqrt(d)
    relative = BF16_UNIT + 2 * score_error + len(scores) * FP32_UNIT
    return exact, relative * spread + BF16_UNIT * np.abs(exact)


def mx_reference(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The product of the quantised matrices in float64, and the error that its formats allow.

    The matrices are quantised here by NumPy and ml_dtypes, not by the machine.
    """
    left, right = _quantised(a.astype(np.float64)), _quantised(b.astype(np.float64))
    exact = left.T @ right
    spread = np.abs(left).T @ np.abs(right)
    return exact, len(a) * FP32_UNIT * spread + BF16_UNIT * np.abs(exact)


def _quantised(x: np.ndarray) -> np.ndarray:
    """[K, N] rounded to MXFP8 E4M3 and back.

    Row k is slot (k mod 512) div 128 of partition k mod 128. A block of 8 partitions x 4 slots has
    the scale 2^(floor(log2 of its largest magnitude) - 7), the rule of NKI 0.5.
    """
    depth, columns = x.shape
    # slice, slot, partition group, partition, column
    blocks = x.reshape(depth // 512, 4, 16, 8, columns)
    largest = np.abs(blocks).max(axis=(1, 3), keepdims=True)
    scale = 2.0 ** (np.floor(np.log2(largest)) - 7)
    return ((blocks / scale).astype(ml_dtypes.float8_e4m3fn).astype(np.float64) * scale).reshape(
        depth, columns
    )


def judge(name: str, found: np.ndarray, exact: np.ndarray, budget: np.ndarray) -> bool:
    """Prints how far a result is from exact beside what its formats allow; whether it is within."""
    error = np.abs(found.astype(np.float64) - exact)
    used = (error / budget).max()
    worst = np.unravel_index(error.argmax(), error.shape)
    relative = np.linalg.norm(error) / np.linalg.norm(exact)
    print(f"{name}: agreement with float64 NumPy")
    allowed = budget[worst]
    print(f"  largest absolute error  {error.max():.3e}   (its formats allow {allowed:.3e} there)")
    print(f"  relative error          {relative:.3e}   (norm of the error over norm of the result)")
    verdict = "within the budget" if used <= 1 else "OVER the budget"
    print(f"  error budget used       {used:.1%} at the worst element: {verdict}")
    return used <= 1


def main() -> int:
    """Runs the demonstration; 0 when both kernels agree with their references."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="smaller problems, for tests")
    parser.add_argument(
        "--output",
        default="build/demo",
        metavar="DIR",
        help="where the traces go (default build/demo)",
    )
    options = parser.parse_args()
    tokens, shape = (1024, (1024, 512, 512)) if options.small else (2048, (2048, 2048, 2048))
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(2026)

    def random(*sizes: int) -> np.ndarray:
        return generator.standard_normal(sizes, dtype=np.float32).astype(ml_dtypes.bfloat16)

    agree = True
    q, k, v = random(128, tokens), random(128, tokens), random(tokens, 128)
    a, b = random(shape[0], shape[1]), random(shape[0], shape[2])
    for title, kernel, inputs, reference in (
        (
            f"causal attention, {tokens} tokens, head 128, bf16",
            attention,
            (q, k, v),
            attention_reference,
        ),
        (
            f"MXFP8 product {shape[1]} x {shape[0]} x {shape[2]}, quantised on the device",
            mx_matmul,
            (a, b),
            mx_reference,
        ),
    ):
        print(f"\n=== {title} ===")
        found, result = kernel.run(*inputs, timed=True, record=True)
        agree &= judge(kernel.__name__, found, *reference(*inputs))
        if kernel is mx_matmul:
            unquantised = a.astype(np.float64).T @ b.astype(np.float64)
            lost = found.astype(np.float64) - unquantised
            loss = np.linalg.norm(lost) / np.linalg.norm(unquantised)
            print(f"  lost to MXFP8           {loss:.3e}   (against the unquantised product)")
        print(result)
        for path in result.save(folder / kernel.__name__):
            print(f"wrote {path}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
