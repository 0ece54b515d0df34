"""Are values cut into tiles that engines and DMA like, whatever operands repeat or lie apart?"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from trainyard import model

RANDOM = np.random.default_rng(2)
DMA = 614e9  # bytes a second of one core


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def turned(x, cosine, sine):
    """Rotary embedding of x [tokens, heads, depth], in halves."""
    low, high = jnp.split(x, 2, -1)
    cosine, sine = cosine[:, None], sine[:, None]
    return jnp.concatenate([low * cosine - high * sine, high * cosine + low * sine], -1)


def turned_pairs(x, cosine, sine):
    """Rotary embedding of neighbours."""
    even, odd = x[..., ::2], x[..., 1::2]
    cosine, sine = cosine[:, None], sine[:, None]
    both = [even * cosine - odd * sine, odd * cosine + even * sine]
    return jnp.stack(both, -1).reshape(x.shape)


GROUPS = {
    "rotary embedding": (turned, [(256, 8, 64), (256, 32), (256, 32)]),
    "rotary embedding of 3 heads": (turned, [(130, 3, 128), (130, 64), (130, 64)]),
    "rotary embedding of pairs": (turned_pairs, [(256, 8, 64), (256, 32), (256, 32)]),
    "a row for every group": (lambda x, y: x * y, [(128, 4, 32, 16), (128, 1, 32, 1)]),
    "a factor for every channel": (lambda x, y: x * y[:, None, None], [(4, 48, 7, 7), (48, 1, 1)]),
    "channels last": (lambda x, y: x + y, [(2, 14, 14, 40), (40,)]),
    "a column and a row": (lambda x, y, z: x * y + z, [(300, 200), (300, 1), (1, 200)]),
    "a slice of every row": (lambda x: x[:, :, 3:19] * 2, [(200, 6, 24)]),
    "the end of every row": (lambda x: x[:, :, 8:] + x[:, :, :16], [(130, 5, 24)]),
    "every other run": (lambda x: x.reshape(130, 8, 2, 9)[:, 1:, 1] + 1, [(130, 144)]),
}


@pytest.mark.parametrize("name", GROUPS)
def test_gives_the_numbers_of_the_cpu(name):
    function, shapes = GROUPS[name]
    inputs = [normal(*shape) for shape in shapes]
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = np.asarray(function(*map(jnp.asarray, inputs)))
    found = np.asarray(model.compile(function, *inputs)(*inputs))
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


def test_a_rotary_embedding_takes_a_few_times_what_dma_allows():
    inputs = [np.zeros(shape, jnp.bfloat16) for shape in [(2048, 32, 128), (2048, 64), (2048, 64)]]
    run = model.compile(turned, *inputs).run(*inputs, timed=True, values=False)
    assert run.seconds < 4 * 2 * inputs[0].nbytes / DMA


def adamw(p, m, v, g):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 0.001 * ((m / 0.9) / (jnp.sqrt(v / 0.99) + 1e-8) + 0.0001 * p), m, v


def test_an_optimiser_step_uses_both_engines_and_both_memories():
    shapes = [(512, 2048)] * 4
    inputs = [abs(normal(*shape)) for shape in shapes]
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = jax.jit(adamw)(*map(jnp.asarray, inputs))
    compiled = model.compile(adamw, *inputs)
    for one, other in zip(compiled(*inputs), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    run = compiled.run(*inputs, timed=True, values=False)
    assert run.seconds < 3.6 * 7 * inputs[0].nbytes / DMA
