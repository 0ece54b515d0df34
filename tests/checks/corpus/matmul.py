"""A tiled product: lhs_t [K, M], rhs [K, N] -> [M, N], cast to bf16 on the chip."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128
BANK = 512


@nki.jit
def matmul(lhs_t, rhs):
    depth, m = lhs_t.shape
    n = rhs.shape[1]
    out = nl.ndarray((m, n), lhs_t.dtype, buffer=nl.shared_hbm)
    steps = depth // P
    left = load(lhs_t, steps)
    right = load(rhs, steps)
    sums = [nl.ndarray((P, BANK), nl.float32, buffer=nl.psum) for _ in range(4)]
    for i in range(m // P):
        for j in range(n // BANK):
            bank = sums[(i * (n // BANK) + j) % 4]
            for k in range(steps):
                nisa.nc_matmul(
                    dst=bank,
                    stationary=left[:, k, P * i : P * i + P],
                    moving=right[:, k, BANK * j : BANK * j + BANK],
                    accumulate=k > 0,
                )
            done = nl.ndarray((P, BANK), lhs_t.dtype)
            nisa.tensor_copy(dst=done, src=bank)
            nisa.dma_copy(dst=out[P * i : P * i + P, BANK * j : BANK * j + BANK], src=done)
    return out


def load(x, steps):
    """[steps * P, n] in HBM to bf16 [P, steps, n] in SBUF."""
    n = x.shape[1]
    narrow = nl.ndarray((P, steps, n), nl.bfloat16)
    for k in range(steps):
        wide = nl.ndarray((P, n), x.dtype)
        nisa.dma_copy(dst=wide, src=x[P * k : P * k + P, :])
        nisa.tensor_copy(dst=narrow[:, k, :], src=wide)
    return narrow
