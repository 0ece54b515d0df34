"""Perceptrons of experts, of which each token takes some, in plain JAX."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from trainyard.serving.products import rounded


@dataclass(frozen=True)
class Experts:
    """of: how many there are; taken: by each token; inner: hidden units of one.

    renormalised: shares are those among the experts taken. bound: GPT-OSS's gate, whose halves are
    clamped to it; None: silu. spread: a mesh of devices, of which each has some experts whole and
    all tokens; None: they are not told apart here. exchanged: the name and size of an axis of
    devices, of which each has some experts and tokens of its own; None: it has all. within: the
    name and size of another axis, of devices that have the same tokens, and together those experts:
    some whole (is_whole) or a part of each one.
    """

    of: int
    taken: int
    inner: int
    renormalised: bool = True
    bound: float | None = None
    spread: Any = None
    exchanged: tuple[str, int] | None = None
    within: tuple[str, int] | None = None
    is_whole: bool = False


WEIGHTS = ("ffn_router", "ffn_gate", "ffn_up", "ffn_down")


ALPHA = 1.702  # of GPT-OSS's gate (swiglu_alpha)


def perceptron(experts: Experts, named: Any, x: Any) -> Any:
    """What the chosen experts make of x [tokens, hidden]. named(name): a weight of the layer, or
    None: ffn_router [hidden, experts], ffn_gate and ffn_up [experts, hidden, inner], ffn_down
    [experts, inner, hidden], and biases of each.

    Few tokens read the matrices of their own experts, in place; more are sorted by expert. A
    token's sum is in the order of its experts either way. Where they are spread, each device adds
    up those that it has, and the sums are added; where they are exchanged, rows of x go to the
    devices that have their experts and sums come back.
    """
    import jax.numpy as jnp

    if experts.spread is not None:
        return _spread(experts, named, x)
    if experts.exchanged is not None:
        return _exchanged(experts, named, x)
    tokens = x.shape[0]
    share, chosen = _route(experts, named, x)
    if tokens * experts.taken <= experts.of:
        order = jnp.argsort(chosen, -1)
        chosen = jnp.take_along_axis(chosen, order, -1)
        share = jnp.take_along_axis(share, order, -1)
        rows = jnp.repeat(x, experts.taken, 0, total_repeat_length=tokens * experts.taken)
        made = _made(experts, named, rows, chosen.reshape(-1), None)
        made = made.reshape(tokens, experts.taken, -1)
        return (made * share[..., None].astype(x.dtype)).sum(1)
    flat = chosen.reshape(-1)
    order = jnp.argsort(flat)
    sizes = jnp.bincount(flat, length=experts.of).astype(jnp.int32)
    made = _made(experts, named, x[order // experts.taken], flat[order], sizes)
    made = made * share.reshape(-1)[order][:, None].astype(x.dtype)
    return jnp.zeros_like(x).at[order // experts.taken].add(made)


def _spread(experts: Experts, named: Any, x: Any) -> Any:
    """perceptron() where each device of a mesh of one axis has experts.of / devices of them."""
    import jax
    from jax.sharding import PartitionSpec as P

    (axis,), held = experts.spread.axis_names, experts.of // experts.spread.size
    every = (f"{base}{what}" for base in WEIGHTS for what in ("", "_bias", "_scale"))
    weights = {name: value for name in every if (value := named(name)) is not None}
    places = {name: P() if name.startswith("ffn_router") else P(axis) for name in weights}
    alone = replace(experts, spread=None)

    def own(weights: Any, x: Any) -> Any:
        share, chosen = _route(alone, weights.get, x)
        sums = _own_sums(alone, weights.get, x, share, chosen, axis, held)
        return jax.lax.psum(sums, axis)

    spread = jax.shard_map(own, mesh=experts.spread, in_specs=(places, P()), out_specs=P())
    return spread(weights, x)


def _exchanged(experts: Experts, named: Any, x: Any) -> Any:
    """perceptron() where each device has experts of its own, and each its own tokens x: a token
    goes to each device that has one of its experts, and its sums come back, by an all-to-all each
    way. Nobody knows before how many go where, so that there is room for all of them."""
    import jax
    import jax.numpy as jnp

    assert experts.exchanged is not None
    axis, devices = experts.exchanged
    alone = replace(experts, exchanged=None)
    owners, held = axis, experts.of // devices
    share, chosen = _route(alone, named, x)
    receivers = jnp.arange(devices, dtype=chosen.dtype)[:, None, None]
    goes = (chosen[None] // held == receivers).any(-1)
    if experts.within is not None and experts.is_whole:
        owners, held = (axis, experts.within[0]), held // experts.within[1]

    def exchange(rows: Any) -> Any:
        return jax.lax.all_to_all(rows, axis, 0, 0)

    def come(rows: Any, nothing: int = 0) -> Any:
        """The same of all devices: [devices x tokens, ...]."""
        sent = jnp.where(goes[..., None], rows[None], jnp.full_like(rows, nothing)[None])
        return exchange(sent).reshape(-1, rows.shape[-1])

    sums = _own_sums(alone, named, come(x), come(share), come(chosen, -1), owners, held)
    sums = exchange(sums.reshape(devices, *x.shape)).sum(0)
    return sums if experts.within is None else jax.lax.psum(sums, experts.within[0])


def _own_sums(
    experts: Experts, named: Any, x: Any, share: Any, chosen: Any, axis: Any, held: int
) -> Any:
    """What the `held` experts of this device add to each token. named: of their weights. axis: of
    devices that have others."""
    import jax
    import jax.numpy as jnp

    owners = chosen.reshape(-1) - jax.lax.axis_index(axis) * held
    # Rows of others' experts go behind those of the last own one, where no product is.
    owners = jnp.where((owners >= 0) & (owners < held), owners, held)
    order = jnp.argsort(owners)
    sorted_owners = owners[order]
    sizes = jnp.bincount(owners, length=held + 1)[:held].astype(jnp.int32)
    within = jnp.minimum(sorted_owners, held - 1)
    made = _made(experts, named, x[order // experts.taken], within, sizes)
    parts = share.reshape(-1)[order][:, None].astype(x.dtype)
    made = jnp.where((sorted_owners < held)[:, None], made * parts, 0)
    return jnp.zeros_like(x).at[order // experts.taken].add(made)


def _route(experts: Experts, named: Any, x: Any) -> tuple[Any, Any]:
    """Shares in float32 and experts, [tokens, taken], the largest first."""
    import jax
    import jax.numpy as jnp

    logits = jnp.matmul(x, named("ffn_router"), preferred_element_type=jnp.float32)
    if (bias := named("ffn_router_bias")) is not None:
        logits = logits + bias.astype(jnp.float32)
    if experts.renormalised:
        top, chosen = jax.lax.top_k(logits, experts.taken)
        return jax.nn.softmax(top), chosen
    top, chosen = jax.lax.top_k(jax.nn.softmax(logits), experts.taken)
    return top, chosen


def _made(experts: Experts, named: Any, rows: Any, owners: Any, sizes: Any) -> Any:
    """Each row by its owner; sizes: of the runs of equal owners, where rows are sorted so."""
    import jax
    import jax.numpy as jnp

    # Of devices that have a part of each expert each.
    parts = experts.within[0] if experts.within and not experts.is_whole else ""

    def multiplied(rows: Any, weight: Any, kind: Any) -> Any:
        if sizes is None:
            own = weight[owners]
            return jnp.einsum("rh,rhi->ri", rows, own, preferred_element_type=kind)
        return jax.lax.ragged_dot(rows, weight, sizes, preferred_element_type=kind)

    def times(name: str, rows: Any) -> Any:
        weight, scale, bias = (named(f"{name}{what}") for what in ("", "_scale", "_bias"))
        axis = parts if name == "ffn_down" else ""
        if scale is None:
            made = multiplied(rows, weight, rows.dtype)
        else:
            narrow, own = rounded(rows, axis)
            made = multiplied(narrow, weight, jnp.float32) * own * scale[owners]
            made = made.astype(rows.dtype)
        if bias is not None and axis:  # one of them adds it
            bias = jnp.where(jax.lax.axis_index(axis) == 0, bias, 0)
        return made if bias is None else made + bias[owners]

    gate, up = times("ffn_gate", rows), times("ffn_up", rows)
    if experts.bound is None:
        return times("ffn_down", jax.nn.silu(gate) * up)
    gate = jnp.minimum(gate, experts.bound)
    up = jnp.clip(up, -experts.bound, experts.bound)
    return times("ffn_down", (up + 1) * (gate * jax.nn.sigmoid(gate * ALPHA)))
