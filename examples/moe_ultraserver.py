"""A mixture of experts over a whole simulated Gen2 UltraServer, with values.

  python examples/moe_ultraserver.py            144 chips, an expert on each, 288 tokens a chip
  python examples/moe_ultraserver.py --chips 8  fewer, for tests

Each chip routes its tokens to two experts, sends them there (dispatch, an all-to-all), runs its own
expert on what it got with an NKI kernel, sends the results back (combine) and adds them. Both
exchanges move real bytes through the schedule that is timed. The result is compared with NumPy.
"""

from __future__ import annotations

import argparse
import sys

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
from trainyard import collectives

HIDDEN = 128


@nki.jit
def expert(tokens, weights):
    """tokens [128, n], a column a token; weights [128, 128]. Returns max(weights.T x tokens, 0)."""
    moving = nl.ndarray(tokens.shape, tokens.dtype)
    stationary = nl.ndarray(weights.shape, weights.dtype)
    nisa.dma_copy(dst=moving, src=tokens)
    nisa.dma_copy(dst=stationary, src=weights)
    product = nl.ndarray(tokens.shape, nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=product, stationary=stationary, moving=moving)
    result = nl.ndarray(tokens.shape, tokens.dtype)
    nisa.activation(dst=result, op=nl.relu, data=product)
    out = nl.ndarray(tokens.shape, tokens.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=result)
    return out


def exchange(fabric: object, buffers: np.ndarray, group: list[int]) -> np.ndarray:
    """All-to-all of buffers[rank, peer, ...] on values, by the schedule that is timed."""
    sent = [row.tobytes() for row in buffers]
    got = fabric.execute("all_to_all", "float32", sent, group)  # type: ignore[attr-defined]
    shape = buffers.shape[1:]
    return np.stack([np.frombuffer(row, dtype=np.float32).reshape(shape) for row in got])


def route(gates: np.ndarray, capacity: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two experts of each token, their weights, and each token's slot there; -1: no room left."""
    chips, tokens, experts = gates.shape
    chosen = np.argsort(-gates, axis=2, kind="stable")[:, :, :2]
    picked = np.take_along_axis(gates, chosen, axis=2)
    shares = np.exp(picked) / np.exp(picked).sum(axis=2, keepdims=True)
    slots = np.full(chosen.shape, -1)
    for chip in range(chips):
        used = np.zeros(experts, dtype=int)
        for token in range(tokens):
            for k in range(2):
                target = chosen[chip, token, k]
                if used[target] < capacity:
                    slots[chip, token, k] = used[target]
                    used[target] += 1
    return chosen, shares.astype(np.float32), slots


def main() -> int:
    """Runs the layer; 1 where it differs from NumPy."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chips", type=int, default=144)
    parser.add_argument("--tokens", type=int, default=288, help="of a chip")
    options = parser.parse_args()
    chips, tokens = options.chips, options.tokens
    setting = collectives.Setting("trn3-gen2", 8)
    group = collectives.group_of(setting, chips)
    fabric = setting.fabric()
    random = np.random.default_rng(2026)
    x = random.standard_normal((chips, tokens, HIDDEN), dtype=np.float32)
    weights = random.standard_normal((chips, HIDDEN, HIDDEN), dtype=np.float32) / 12
    capacity = max(4 * tokens // chips, 4)
    chosen, shares, slots = route(
        random.standard_normal((chips, tokens, chips), dtype=np.float32), capacity
    )

    send = np.zeros((chips, chips, capacity, HIDDEN), dtype=np.float32)
    kept = np.argwhere(slots >= 0)
    for chip, token, k in kept:
        send[chip, chosen[chip, token, k], slots[chip, token, k]] = x[chip, token]
    received = exchange(fabric, send, group)
    # One kernel for every chip: its own expert on all tokens that came.
    done = np.stack(
        [
            expert(np.ascontiguousarray(received[e].reshape(-1, HIDDEN).T), weights[e]).T
            for e in range(chips)
        ]
    ).reshape(received.shape)
    back = exchange(fabric, np.ascontiguousarray(done), group)
    found = np.zeros_like(x)
    for chip, token, k in kept:
        found[chip, token] += (
            shares[chip, token, k] * back[chip, chosen[chip, token, k], slots[chip, token, k]]
        )

    exact = np.zeros(x.shape)
    for chip, token, k in kept:
        e = chosen[chip, token, k]
        exact[chip, token] += shares[chip, token, k] * np.maximum(
            weights[e].T.astype(np.float64) @ x[chip, token], 0
        )
    error = float(np.abs(found - exact).max())
    bytes_ = send[0].nbytes
    times = collectives.price(setting, collectives.Request("all_to_all", bytes_, [group]))
    print(f"{chips} chips, {tokens} tokens each, two of {chips} experts a token")
    print(f"kept {len(kept)} of {chips * tokens * 2} assignments, {capacity} slots a pair of chips")
    print(f"largest difference to NumPy: {error:.2e}")
    print(
        f"dispatch, and combine: {bytes_:,} B a chip, {times['time_us']:.1f} us each "
        f"({times['low_us']:.1f} to {times['high_us']:.1f}), busiest {times['loads'][0]['kind']} "
        f"{times['loads'][0]['share']:.0%}"
    )
    return 0 if error < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
