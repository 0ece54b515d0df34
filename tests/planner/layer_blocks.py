"""Blocks by hand, for tests of their programs."""

from trainyard.planner.programs import Block


def attention(rows, hidden, heads, keys, head, **changes):
    matrices = (("qkv", hidden, (heads + 2 * keys) * head), ("out", heads * head, hidden))
    how = {"matrices": matrices, "heads": heads, "keys": keys, "head": head}
    return Block("attention", rows, hidden, **(how | changes))


def latent(rows, hidden, heads, rank, q_rank, nope, rope, values, **changes):
    matrices = (
        ("q_down", hidden, q_rank),
        ("q", q_rank, heads * (nope + rope)),
        ("kv_down", hidden, rank + rope),
        ("kv", rank, heads * (nope + values)),
        ("out", heads * values, hidden),
    )
    of = {"rank": rank, "nope": nope, "rope": rope, "values": values}
    how = {"matrices": matrices, "heads": heads, "keys": heads}
    return Block("attention", rows, hidden, **(how | of | changes))


def feed_forward(rows, hidden, inner, gated=True, **changes):
    first = ("up", "gate") if gated else ("up",)
    matrices = (*((name, hidden, inner) for name in first), ("down", inner, hidden))
    return Block("feed_forward", rows, hidden, matrices, **changes)


def experts(rows, hidden, experts, chosen, local, inner, every=False, **changes):
    matrices = (("router", hidden, experts), *feed_forward(rows, hidden, inner).matrices)
    capacity = rows if every else max(1, -(-rows * chosen // experts))
    how = {"experts": experts, "chosen": chosen, "local": local}
    how |= {"capacity": capacity, "every": every}
    return Block("experts", rows, hidden, matrices, **(how | changes))


def norm(rows, hidden, centred=False, **changes):
    return Block("norm", rows, hidden, centred=centred, **changes)
