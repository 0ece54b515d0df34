"""Placements of activations as MaxText and others write them, with the values of one device."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

BATCH, TOKENS, HIDDEN, HEADS, DEPTH, FFN, VOCABULARY, EXPERTS = 4, 16, 16, 4, 8, 32, 32, 8
DATA, MODEL, BOTH = "data", "model", ("data", "model")
RANDOM = np.random.default_rng(3)

WEIGHTS = {
    "norm": ((HIDDEN,), P()),
    "q": ((HIDDEN, HEADS, DEPTH), P(None, MODEL)),
    "k": ((HIDDEN, HEADS, DEPTH), P(None, MODEL)),
    "v": ((HIDDEN, HEADS, DEPTH), P(None, MODEL)),
    "o": ((HEADS, DEPTH, HIDDEN), P(MODEL)),
    "mlp_norm": ((HIDDEN,), P()),
    "up": ((HIDDEN, FFN), P(None, MODEL)),
    "down": ((FFN, HIDDEN), P(MODEL)),
}
X = ((BATCH, TOKENS, HIDDEN), P(DATA))


def on(x, *axes):
    """Only where a mesh is set: one device has none of these axes."""
    if jax.sharding.get_abstract_mesh().empty:
        return x
    return lax.with_sharding_constraint(x, P(*axes))


def norm(x, weight):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * weight


def attend(q, k, v, seen):
    scores = jnp.einsum("btnd,bsnd->bnts", q, k) * q.shape[-1] ** -0.5
    scores = jnp.where(seen, scores, -1e9)
    return jnp.einsum("bnts,bsnd->btnd", jax.nn.softmax(scores, -1), v)


def causal(x):
    return jnp.tril(jnp.ones((x.shape[1],) * 2, bool))


def projected(h, p):
    return (jnp.einsum("bth,hnd->btnd", h, p[name]) for name in "qkv")


def block(x, p, inner=None, heads=None, hidden=None, tokens=MODEL):
    """`tokens`: their axis between products; `inner`, `heads`, `hidden`: of what is computed."""
    to = lambda y, axes: y if axes is None else on(y, *axes)  # noqa: E731
    q, k, v = (to(y, heads) for y in projected(to(norm(x, p["norm"]), inner), p))
    x = on(x + jnp.einsum("btnd,ndh->bth", attend(q, k, v, causal(x)), p["o"]), DATA, tokens)
    h = to(norm(x, p["mlp_norm"]), inner)
    return on(x + to(jax.nn.silu(h @ p["up"]), hidden) @ p["down"], DATA, tokens)


def gradients(of):
    return jax.value_and_grad(lambda p, x: jnp.mean(jnp.square(of(p, x))))


def sequence_parallel(p, x):
    return block(on(x, DATA, MODEL), p)


def tensor_parallel(p, x):
    return block(x, p, tokens=None)


def as_maxtext(p, x):
    return block(x, p, (DATA, None, None), (DATA, None, MODEL), (DATA, None, MODEL))


def scanned(p, x):
    one = jax.checkpoint(block)
    return lax.scan(lambda x, w: (one(x, w), None), on(x, DATA, MODEL), p)[0]


def over_one_axis(p, x):
    h = on(norm(on(x, BOTH), p["norm"]), BOTH)
    return on(on(jnp.cumsum(h, 1), None, BOTH) @ p["up"], None, BOTH)


def gathered_keys(p, x):
    x = on(x, DATA, MODEL)
    q, k, v = (on(y, DATA, MODEL) for y in projected(norm(x, p["norm"]), p))
    mixed = attend(q, on(k, DATA), on(v, DATA), causal(x))
    return on(x + jnp.einsum("btnd,ndh->bth", mixed, p["o"]), DATA, MODEL)


def heads_for_tokens(p, x):
    """DeepSpeed Ulysses: all_to_all before and behind attention."""
    x = on(x, DATA, MODEL)
    q, k, v = (on(on(y, DATA, MODEL), DATA, None, MODEL) for y in projected(x, p))
    mixed = on(on(attend(q, k, v, causal(x)), DATA, None, MODEL), DATA, MODEL)
    return on(x + jnp.einsum("btnd,ndh->bth", mixed, p["o"]), DATA, MODEL)


def cross_entropy(p, ids, x):
    x = on(norm(on(x, DATA, MODEL), p["norm"]), DATA, None, None)
    logits = on(x @ p["head"], DATA, None, MODEL)
    wanted = jax.nn.one_hot(jnp.roll(ids, -1, 1), VOCABULARY)
    return jnp.sum(jax.nn.log_softmax(logits) * wanted, -1)


def looked_up(p, ids):
    return cross_entropy(p, ids, p["table"][ids])


def multiplied(p, ids):
    return cross_entropy(p, ids, jax.nn.one_hot(ids, VOCABULARY) @ p["table"])


def dropping_experts(p, x):
    """Rows of each sequence go to slots of experts, which lie along both axes, by products."""
    x = on(x, BOTH)
    gate = jax.nn.softmax(x @ p["router"], -1)
    hot = jax.nn.one_hot(jnp.argmax(gate, -1), EXPERTS)
    place = jnp.sum((jnp.cumsum(hot, 1) - 1) * hot, -1).astype(jnp.int32)
    slot = jax.nn.one_hot(place, TOKENS // 2)[:, :, None] * hot[..., None]
    sent = on(jnp.einsum("btec,bth->ebch", slot, x), BOTH)
    hidden = jax.nn.silu(jnp.einsum("ebch,ehf->ebcf", sent, p["up"]))
    made = on(jnp.einsum("ebcf,efh->ebch", hidden, p["down"]), BOTH)
    return on(jnp.einsum("btec,ebch->bth", slot * gate.max(-1)[..., None, None], made), BOTH)


def decoded(rows, lie):
    """New tokens behind those of a cache that lies along heads or tokens."""

    def decode(p, given):
        q, k, v = projected(given["x"], p)
        keys, values = (
            on(lax.dynamic_update_slice(given[name], new, (0, given["at"], 0, 0)), *lie)
            for name, new in (("keys", k), ("values", v))
        )
        seen = jnp.arange(TOKENS) <= given["at"] + jnp.arange(rows)[:, None]
        return jnp.einsum("btnd,ndh->bth", attend(q, keys, values, seen), p["o"]), keys, values

    cache = ((BATCH, TOKENS, HEADS, DEPTH), P(*lie))
    x = ((BATCH, rows, HIDDEN), P(DATA))
    return decode, {"x": x, "keys": cache, "values": cache, "at": ((), P())}


def some(*names, **changed):
    return {name: WEIGHTS[name] for name in names} | changed


STACKED = {name: ((2, *shape), P(None, *spec)) for name, (shape, spec) in WEIGHTS.items()}
WHOLE = {name: (shape, P()) for name, (shape, _) in WEIGHTS.items()}
TABLES = {
    "table": ((VOCABULARY, HIDDEN), P(MODEL)),
    "norm": ((HIDDEN,), P()),
    "head": ((HIDDEN, VOCABULARY), P(None, MODEL)),
}
OF_EXPERTS = {
    "router": ((HIDDEN, EXPERTS), P()),
    "up": ((EXPERTS, HIDDEN, FFN), P(BOTH)),
    "down": ((EXPERTS, FFN, HIDDEN), P(BOTH)),
}
IDS = ((BATCH, TOKENS), P(DATA))
ALONG_HEADS, ALONG_TOKENS = (DATA, None, MODEL), (DATA, MODEL)

# Name: the function, its weights and its input.
FORMS = {
    "sequence parallel": (gradients(sequence_parallel), WEIGHTS, X),
    "sequence parallel as in MaxText": (gradients(as_maxtext), WEIGHTS, X),
    "sequence parallel in a scan": (gradients(scanned), STACKED, X),
    "batch and tokens over one axis": (gradients(over_one_axis), WHOLE, X),
    "keys and values gathered": (gradients(gathered_keys), WHOLE, X),
    "heads for tokens": (gradients(heads_for_tokens), WHOLE, X),
    "vocabulary, looked up": (gradients(looked_up), TABLES, IDS),
    "vocabulary, multiplied": (gradients(multiplied), TABLES, IDS),
    "experts over both axes": (gradients(dropping_experts), OF_EXPERTS, X),
    "a cache along heads": (decoded(1, ALONG_HEADS)[0], WEIGHTS, decoded(1, ALONG_HEADS)[1]),
    "a cache along tokens": (decoded(1, ALONG_TOKENS)[0], WEIGHTS, decoded(1, ALONG_TOKENS)[1]),
    "four tokens for a cache": (decoded(4, ALONG_TOKENS)[0], WEIGHTS, decoded(4, ALONG_TOKENS)[1]),
}


def is_given(leaf):
    return isinstance(leaf, tuple) and isinstance(leaf[-1], P)


def values_of(given):
    def one(leaf):
        shape, _ = leaf
        if shape == ():
            return np.int32(TOKENS // 2 - 2)  # four from here on lie in two devices' parts
        if leaf == IDS:
            return RANDOM.integers(0, VOCABULARY, shape).astype(np.int32)
        return RANDOM.normal(size=shape).astype(np.float32) * (0.3 if len(shape) > 1 else 1)

    return jax.tree.map(one, given, is_leaf=is_given)


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("neuron")).reshape(2, 2), BOTH)


def laid(mesh, values, given):
    def put(leaf, value):
        return jax.device_put(value, NamedSharding(mesh, leaf[1]))

    return jax.tree.map(put, given, values, is_leaf=is_given)


@pytest.mark.parametrize("name", FORMS)
def test_the_values_are_those_of_one_device(mesh, name, capfd):
    function, *given = FORMS[name]
    values = [values_of(each) for each in given]
    expected = jax.jit(function)(*values)
    with jax.set_mesh(mesh):
        arguments = [laid(mesh, *each) for each in zip(values, given, strict=True)]
        got = jax.jit(function, compiler_options={"mode": "reference"})(*arguments)
    for one, several in zip(jax.tree.leaves(expected), jax.tree.leaves(got), strict=True):
        np.testing.assert_allclose(several, one, rtol=2e-5, atol=2e-5)
    assert "computed whole" not in capfd.readouterr().err


def costs(mesh, form, scale):
    """Of gradients of a form, with hidden dimensions and tokens scaled."""

    def one(leaf):
        shape = tuple(
            n if n in (BATCH, HEADS) and i < 2 else n * scale for i, n in enumerate(leaf[0])
        )
        return jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=NamedSharding(mesh, leaf[1]))

    with jax.set_mesh(mesh):
        shapes = jax.tree.map(one, [WEIGHTS, X], is_leaf=is_given)
        step = jax.jit(gradients(form), compiler_options={"mode": "machine"})
        return step.lower(*shapes).compile().cost_analysis()


def test_sequence_parallel_costs_no_more_than_tensor_parallel(mesh):
    plain = costs(mesh, tensor_parallel, 32)
    for form in (sequence_parallel, as_maxtext):
        assert costs(mesh, form, 32)["seconds"] < 1.1 * plain["seconds"]
