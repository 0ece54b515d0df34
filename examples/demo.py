"""Runs two NKI kernels on one simulated Trainium3 core: right, how fast, and why?

  python examples/demo.py            causal attention over 2,048 tokens; an MXFP8 product of 2,048
                                     x 2,048 x 2,048
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

BF16_UNIT = 2.0**-9  # largest relative error of rounding to bfloat16
FP32_UNIT = 2.0**-24
E4M3_UNIT = 2.0**-4
E4M3_SMALLEST = 2.0**-10  # half the distance between the smallest E4M3 numbers
BLOCK = (8, 4)  # partitions x packed elements that share an MX scale


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
    """The exact product of the unquantised matrices in float64, and the error MXFP8 (E4M3) allows.

    Budget: an element moves by at most 1/16 of itself, or by half the smallest step at its block's
    scale; the scale is at most the block's largest magnitude divided by 128 (the largest quotient
    lies in [128, 256)).
    """
    exact_a, exact_b = a.astype(np.float64), b.astype(np.float64)
    moved_a, moved_b = _quantisation_error(exact_a), _quantisation_error(exact_b)
    exact = exact_a.T @ exact_b
    spread = np.abs(exact_a).T @ np.abs(exact_b)
    budget = moved_a.T @ np.abs(exact_b) + np.abs(exact_a).T @ moved_b + moved_a.T @ moved_b
    return exact, budget + len(a) * FP32_UNIT * spread + BF16_UNIT * (np.abs(exact) + budget)


def _quantisation_error(x: np.ndarray) -> np.ndarray:
    """For each element of [K, N] the largest error of its quantisation.

    Row k is slot (k mod 512) div 128 of a partition.
    """
    depth, columns = x.shape
    # [slices, slot, partition group, partition, column]
    grid = np.abs(x).reshape(depth // 512, BLOCK[1], 128 // BLOCK[0], BLOCK[0], columns)
    scale = grid.max(axis=(1, 3), keepdims=True) / 128
    return np.maximum(E4M3_UNIT * grid, E4M3_SMALLEST * scale).reshape(depth, columns)


def judge(name: str, found: np.ndarray, exact: np.ndarray, budget: np.ndarray) -> bool:
    """Prints how far a result is from exact beside what its formats allow; whether it is within."""
    error = np.abs(found.astype(np.float64) - exact)
    used = (error / budget).max()
    print(f"{name}: agreement with float64 NumPy")
    allowed = budget[np.unravel_index(error.argmax(), error.shape)]
    relative = np.linalg.norm(error) / np.linalg.norm(exact)
    verdict = "within" if used <= 1 else "OVER"
    print(f"  largest absolute error  {error.max():.3e}   (the formats allow {allowed:.3e} there)")
    print(f"  relative error          {relative:.3e}   (norm of the error over norm of the result)")
    print(f"  error budget used       {used:.1%} at the worst element: {verdict} the budget")
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
        print(result)
        for path in result.save(folder / kernel.__name__):
            print(f"wrote {path}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
