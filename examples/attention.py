"""Causal self-attention forward on one NeuronCore, as an NKI kernel.

out = softmax(causal(q @ k.T / sqrt(d))) @ v for one head. Queries are handled 128 at a time, so
that the running softmax needs no rescaling: a row of scores fits into PSUM for sequences of up to
2,048.
"""

import math

import nki
import nki.isa as nisa
import nki.language as nl

P = 128  # partitions: queries of a tile, and the width of a transposed block
BANK = 512  # fp32 elements in one PSUM bank
MASKED = -30000.0  # added to forbidden scores; its exponential is 0 in bf16 and fp32


def causal_mask():
    """[128, 128] fp32 in SBUF: 0 where key <= query inside the diagonal block, else MASKED."""
    zeros = nl.ndarray((P, P), nl.float32)
    nisa.memset(dst=zeros, value=0.0)
    mask = nl.ndarray((P, P), nl.float32)
    nisa.affine_select(
        dst=mask,
        pattern=[[-1, P]],
        channel_multiplier=1,
        on_true_tile=zeros,
        on_false_value=MASKED,
        cmp_op=nl.greater_equal,
    )
    return mask


@nki.jit
def attention(q, k, v):
    """q, k: [d, seq] bf16 (transposed: d lies on the partitions); v: [seq, d] bf16; d is 128.

    Returns [seq, d] bf16. seq is a multiple of 128, at most 2,048.
    """
    d, seq = q.shape
    assert d == P and seq % P == 0 and seq <= 4 * BANK, (
        "d is 128 and seq a multiple of 128 up to 2,048"
    )
    out = nl.ndarray((seq, d), q.dtype, buffer=nl.shared_hbm)
    mask = causal_mask()
    identity = nl.shared_identity_matrix(P, nl.bfloat16)

    queries = nl.ndarray((d, seq), nl.bfloat16)
    keys = nl.ndarray((d, seq), nl.bfloat16)
    values = nl.ndarray((P, seq // P, d), nl.bfloat16)
    for first in range(0, seq, BANK):
        part = nl.ds(first, min(BANK, seq - first))
        nisa.dma_copy(dst=keys[:, part], src=k[:, part])
        nisa.dma_copy(dst=queries[:, part], src=q[:, part])
    for block in range(seq // P):
        nisa.dma_copy(dst=values[:, block, :], src=v[block * P : (block + 1) * P, :])

    for tile in range(seq // P):
        rows = nl.ds(tile * P, P)
        visible = (tile + 1) * P

        scores = nl.ndarray((P, visible), nl.float32, buffer=nl.psum)
        for first in range(0, visible, BANK):
            part = nl.ds(first, min(BANK, visible - first))
            nisa.nc_matmul(dst=scores[:, part], stationary=queries[:, rows], moving=keys[:, part])
        diagonal = scores[:, rows]
        nisa.tensor_tensor(dst=diagonal, data1=diagonal, data2=mask, op=nl.add)

        # exp(scores / sqrt(d) - max / sqrt(d)), summed along the row while it is computed.
        shift = nl.ndarray((P, 1), nl.float32)
        nisa.tensor_reduce(dst=shift, op=nl.maximum, data=scores, axis=1, negate=True)
        nisa.tensor_scalar(dst=shift, data=shift, op0=nl.multiply, operand0=1 / math.sqrt(d))
        weights = nl.ndarray((P, visible), nl.bfloat16)
        total = nl.ndarray((P, 1), nl.float32)
        nisa.activation(
            dst=weights,
            op=nl.exp,
            data=scores,
            bias=shift,
            scale=1 / math.sqrt(d),
            reduce_op=nl.add,
            reduce_res=total,
            reduce_cmd=nisa.reduce_cmd.reset_reduce,
        )
        scale = nl.ndarray((P, 1), nl.float32)
        nisa.reciprocal(dst=scale, data=total)

        product = nl.ndarray((P, d), nl.float32, buffer=nl.psum)
        for group in range(0, visible, BANK):
            width = min(BANK, visible - group)
            flipped = nl.ndarray((P, width), nl.bfloat16, buffer=nl.psum)
            for block in range(width // P):
                at = nl.ds(block * P, P)
                nisa.nc_matmul(
                    dst=flipped[:, at],
                    stationary=weights[:, nl.ds(group + block * P, P)],
                    moving=identity,
                    is_transpose=True,
                )
            turned = nl.ndarray((P, width), nl.bfloat16)
            nisa.tensor_copy(dst=turned, src=flipped, engine=nisa.engine.vector)
            for block in range(width // P):
                nisa.nc_matmul(
                    dst=product,
                    stationary=turned[:, nl.ds(block * P, P)],
                    moving=values[:, group // P + block, :],
                )
        result = nl.ndarray((P, d), out.dtype)
        nisa.tensor_scalar(dst=result, data=product, op0=nl.multiply, operand0=scale)
        nisa.dma_copy(dst=out[rows, :], src=result)
    return out
