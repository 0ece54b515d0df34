"""Causal self-attention forward on one NeuronCore, as an NKI kernel.

out = softmax(causal(q @ k.T / sqrt(d))) @ v for one head, by a running softmax over chunks of keys.
Three chunks are in flight at once, one in each stage (weights, turned weights, product), so that
no engine asks for what another one has only just begun. docs/tutorial/4-attention.md builds it
step by step.
"""

import math
from dataclasses import dataclass

import nki
import nki.isa as nisa
import nki.language as nl

P = 128  # partitions: queries of a tile, and the width of a transposed block
BANK = 512  # fp32 elements in one PSUM bank
CHUNK = 2 * BANK  # keys handled at once: two PSUM banks of scores
MASKED = -30000.0  # added to forbidden scores; its exponential is 0


@dataclass
class Step:
    """128 queries against one chunk of keys."""

    tile: int  # queries tile * 128 ... tile * 128 + 127
    first: int  # first key
    width: int  # keys, a multiple of 128
    opens: bool  # the first chunk of its queries
    closes: bool  # the last one, which holds the diagonal


def steps_of(seq):
    """All steps in the order they are computed."""
    steps = []
    for tile in range(seq // P):
        visible = (tile + 1) * P
        for first in range(0, visible, CHUNK):
            width = min(CHUNK, visible - first)
            steps.append(Step(tile, first, width, first == 0, first + width == visible))
    return steps


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


def scores_of(step, queries, keys):
    """q @ k.T of a step in PSUM."""
    scores = nl.ndarray((P, step.width), nl.float32, buffer=nl.psum)
    rows = nl.ds(step.tile * P, P)
    for at in range(0, step.width, BANK):
        width = min(BANK, step.width - at)
        nisa.nc_matmul(
            dst=scores[:, nl.ds(at, width)],
            stationary=queries[:, rows],
            moving=keys[:, nl.ds(step.first + at, width)],
        )
    return scores


@dataclass
class Softmax:
    """The softmax of 128 queries over the keys of a step."""

    weights: nl.NkiTensor  # [128, width] bf16, exp(score - largest so far), not normalised
    lowest: nl.NkiTensor  # [128, 1] minus the largest scaled score so far
    part: nl.NkiTensor  # [128, 1] sum of the weights of this step
    shrink: nl.NkiTensor | None  # [128, 1] what earlier sums are multiplied by


def softmax_of(step, scores, mask, before):
    """Weights of a step from its scores; before is the softmax of the step before, if any."""
    if step.closes:
        diagonal = scores[:, nl.ds(step.width - P, P)]
        nisa.tensor_tensor(dst=diagonal, data1=diagonal, data2=mask, op=nl.add)
    scale = 1 / math.sqrt(P)
    lowest = nl.ndarray((P, 1), nl.float32)
    nisa.tensor_reduce(dst=lowest, op=nl.maximum, data=scores, axis=1, negate=True)
    shrink = None
    if before is None:
        nisa.tensor_scalar(dst=lowest, data=lowest, op0=nl.multiply, operand0=scale)
    else:
        nisa.tensor_scalar(
            dst=lowest,
            data=lowest,
            op0=nl.multiply,
            operand0=scale,
            op1=nl.minimum,
            operand1=before.lowest,
        )
        shrink = nl.ndarray((P, 1), nl.float32)
        nisa.activation(dst=shrink, op=nl.exp, data=before.lowest, scale=-1.0, bias=lowest)
    weights = nl.ndarray((P, step.width), nl.bfloat16)
    part = nl.ndarray((P, 1), nl.float32)
    nisa.activation(
        dst=weights,
        op=nl.exp,
        data=scores,
        bias=lowest,
        scale=scale,
        reduce_op=nl.add,
        reduce_res=part,
        reduce_cmd=nisa.reduce_cmd.reset_reduce,
    )
    return Softmax(weights, lowest, part, shrink)


def rescaled_sum(old, shrink, new):
    """old * shrink + new in SBUF, fp32."""
    result = nl.ndarray(old.shape, nl.float32)
    nisa.scalar_tensor_tensor(
        dst=result, data=old, op0=nl.multiply, operand0=shrink, op1=nl.add, operand1=new
    )
    return result


def store(out, step, sums, total):
    """Divides the sums of finished queries by their totals and writes them to HBM."""
    divisor = nl.ndarray((P, 1), nl.float32)
    nisa.reciprocal(dst=divisor, data=total)
    result = nl.ndarray((P, P), out.dtype)
    nisa.tensor_scalar(dst=result, data=sums, op0=nl.multiply, operand0=divisor)
    nisa.dma_copy(dst=out[nl.ds(step.tile * P, P), :], src=result)


def turned_of(step, weights, identity):
    """The weights of a step, each block of 128 keys transposed by the tensor engine: in SBUF."""
    blocks = []
    for group in range(0, step.width, BANK):
        width = min(BANK, step.width - group)
        flipped = nl.ndarray((P, width), nl.bfloat16, buffer=nl.psum)
        for at in range(0, width, P):
            nisa.nc_matmul(
                dst=flipped[:, nl.ds(at, P)],
                stationary=weights[:, nl.ds(group + at, P)],
                moving=identity,
                is_transpose=True,
            )
        copied = nl.ndarray((P, width), nl.bfloat16)
        nisa.tensor_copy(dst=copied, src=flipped, engine=nisa.engine.vector)
        blocks += [copied[:, nl.ds(at, P)] for at in range(0, width, P)]
    return blocks


def product_of(step, turned, values):
    """weights @ v of a step in PSUM."""
    product = nl.ndarray((P, P), nl.float32, buffer=nl.psum)
    for block, weights in enumerate(turned):
        rows = values[:, step.first // P + block, :]
        nisa.nc_matmul(dst=product, stationary=weights, moving=rows)
    return product


@nki.jit
def attention(q, k, v):
    """q, k: [d, seq] bf16 (transposed: d lies on the partitions); v: [seq, d] bf16.

    Returns [seq, d] bf16. d is 128 and seq a multiple of 512.
    """
    d, seq = q.shape
    assert d == P and seq % BANK == 0, "d is 128 and seq a multiple of 512"
    out = nl.ndarray((seq, d), q.dtype, buffer=nl.shared_hbm)
    mask = causal_mask()
    identity = nl.shared_identity_matrix(P, nl.bfloat16)
    queries = nl.ndarray((d, seq), nl.bfloat16)
    keys = nl.ndarray((d, seq), nl.bfloat16)
    values = nl.ndarray((P, seq // P, d), nl.bfloat16)
    for first in range(0, seq, BANK):
        part = nl.ds(first, BANK)
        nisa.dma_copy(dst=keys[:, part], src=k[:, part])
        nisa.dma_copy(dst=queries[:, part], src=q[:, part])
        blocks = v[part, :].reshape((BANK // P, P, d)).permute((1, 0, 2))
        nisa.dma_copy(dst=values[:, nl.ds(first // P, BANK // P), :], src=blocks)

    steps = steps_of(seq)
    softmaxes, turned, total, sums = {}, {}, None, None
    for number in range(-1, len(steps) + 1):
        if number + 1 < len(steps):
            step = steps[number + 1]
            scores = scores_of(step, queries, keys)
            before = None if step.opens else softmaxes[number]
            softmaxes[number + 1] = softmax_of(step, scores, mask, before)
        if number >= 1:
            step, softmax = steps[number - 1], softmaxes.pop(number - 1)
            product = product_of(step, turned.pop(number - 1), values)
            if step.opens:
                total, sums = softmax.part, product if step.closes else nl.copy(product)
            else:
                total = rescaled_sum(total, softmax.shrink, softmax.part)
                sums = rescaled_sum(sums, softmax.shrink, product)
            if step.closes:
                store(out, step, sums, total)
        if 0 <= number < len(steps):
            turned[number] = turned_of(steps[number], softmaxes[number].weights, identity)
    return out
