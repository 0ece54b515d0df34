"""What instructions of sequences, selects, searches, gathers and random numbers do to a core."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle import randoms, searches, selects
from oracle.core import Core, dtype_of
from oracle.program import Tile
from oracle.values import F32, from_patterns, rows

Operands = dict[str, Any]


def _pattern(o: Operands) -> list[tuple[int, int]]:
    """(step, count), slowest first; a step of 1 is not written."""
    return [item if isinstance(item, tuple) else (1, item) for item in o["pattern"]]


def iota(core: Core, o: Operands) -> None:
    dst = o["dst"]
    offset, multiplier = core.number(o.get("offset")), o.get("channel_multiplier", 0)
    value = selects.affine(dst.partitions, _pattern(o), offset, multiplier)
    if dst.dtype in ("int32", "uint32"):
        value = np.maximum(value, 0) if dst.dtype == "uint32" else value
        return core.write(dst, value.astype(dtype_of(dst)))
    core.store(dst, value.astype(F32))


def affine_select(core: Core, o: Operands) -> None:
    dst, data = o["dst"], o["on_true_tile"]
    value = selects.affine(
        dst.partitions, _pattern(o), core.number(o.get("offset")), o.get("channel_multiplier", 0)
    )
    chosen = selects.OPERATORS[o.get("cmp_op", "equal")](value, 0) != 0
    other = o.get("on_false_value", 0.0)
    if data.dtype == dst.dtype:
        true = rows(core.read(data))
        core.store(dst, np.full(chosen.shape, other, F32))
        core.write(dst, np.where(chosen, true, rows(core.read(dst))))
    else:
        core.store(dst, np.where(chosen, rows(core.floats(data)), F32(other)))


def nc_stream_shuffle(core: Core, o: Operands) -> None:
    dst, src = o["dst"], o["src"]
    old, new = rows(core.read(dst)), rows(core.read(src))
    mask = o["shuffle_mask"]
    for p in range(len(old)):
        source = mask[p % 32]
        if source != 255:
            old[p] = new[p // 32 * 32 + source]
    core.write(dst, old)


def max8(core: Core, o: Operands) -> None:
    core.store(o["dst"], searches.max8(rows(core.floats(o["src"])), F32))


def nc_find_index8(core: Core, o: Operands) -> None:
    data, vals = (rows(core.floats(o[name])) for name in ("data", "vals"))
    core.write(o["dst"], searches.nc_find_index8(data, vals, dtype_of(o["dst"])))


def nc_match_replace8(core: Core, o: Operands) -> None:
    dst, data, vals = o["dst"], o["data"], rows(core.floats(o["vals"]))
    x, imm = rows(core.floats(data)), F32(o.get("imm", 0))
    replaced, index = searches.nc_match_replace8(x, vals, imm)
    if dst.dtype == data.dtype:
        bits = rows(core.read(data))
        core.store(dst, np.full(x.shape, imm))
        for p, found in enumerate(index):
            at = found[found != 2**32 - 1]
            bits[p, at] = rows(core.read(dst))[p, at]
        core.write(dst, bits)
    else:
        core.store(dst, replaced)
    if o.get("dst_idx") is not None:
        core.write(o["dst_idx"], index.astype(dtype_of(o["dst_idx"])))


def local_gather(core: Core, o: Operands) -> None:
    index, length = rows(core.read(o["index"])), o.get("num_elem_per_idx", 1)
    valid = o.get("num_valid_indices", 0) or 16 * index.shape[1]
    core.write(o["dst"], searches.local_gather(core.read(o["src_buffer"]), index, length, valid))


def nc_n_gather(core: Core, o: Operands) -> None:
    core.write(o["dst"], searches.nc_n_gather(core.read(o["data"]), core.read(o["indices"])))


def nonzero_with_count(core: Core, o: Operands) -> None:
    old, src = rows(core.read(o["dst"])), rows(core.read(o["src"]))
    offset, padding = o.get("index_offset", 0), o.get("padding_val", -1)
    core.write(o["dst"], searches.nonzero_with_count(old, src, offset, padding))


def sequence_bounds(core: Core, o: Operands) -> None:
    ids = rows(core.floats(o["segment_ids"]))
    core.store(o["dst"], searches.sequence_bounds(ids, F32))


def topk(core: Core, o: Operands) -> None:
    old = rows(core.read(o["val_dst"])), rows(core.read(o["idx_dst"]))
    values, index = searches.topk(*old, rows(core.read(o["src"])), o["n"])
    core.write(o["val_dst"], values)
    core.write(o["idx_dst"], index)


# --- random numbers: a lane's states outlive an instruction


def _who(core: Core) -> str:
    return "gpsimd" if core.engine == "gpsimd" else "vector"


def _words(core: Core, tile: Tile, who: str) -> np.ndarray:
    """As many words for each lane as the tile has columns; its states go on."""
    if who == "vector" and core.program.generation < 4:
        raise NotImplementedError("the oracle does not know the shift register of older machines")
    lanes = slice(tile.start, tile.start + tile.partitions)
    states = core.states[who][lanes]
    for lane, state in enumerate(states, tile.start):
        if not state.any():
            state[:] = randoms.seeded(0, lane, len(state))
    count = int(np.prod([n for _, n in tile.dims]))
    words, core.states[who][lanes] = randoms.random_words(states, count)
    return words


def rng(core: Core, o: Operands) -> None:
    words = _words(core, o["dst"], _who(core))
    core.write(o["dst"], from_patterns(words, dtype_of(o["dst"])))


def rand2(core: Core, o: Operands) -> None:
    low, high = (np.asarray(core.scalar(o.get(k), d), F32) for k, d in (("min", 0), ("max", 1)))
    unit = _words(core, o["dst"], "vector").astype(F32) * F32(2.0**-32)
    core.store(o["dst"], low + (high - low) * unit)


def dropout(core: Core, o: Operands) -> None:
    words = _words(core, o["data"], "vector")
    dropped = words < np.asarray(core.scalar(o.get("prob")), np.float64) * 2.0**32
    x = rows(core.read(o["data"]))
    core.write(o["dst"], np.where(dropped, np.zeros((), x.dtype), x))


def rand_get_state(core: Core, o: Operands) -> None:
    dst, states = o["dst"], core.states["vector" if core.engine == "vector" else "gpsimd"]
    core.write(dst, states[dst.start : dst.start + dst.partitions])


def rand_set_state(core: Core, o: Operands) -> None:
    src, states = o["src_seeds"], core.states["vector" if core.engine == "vector" else "gpsimd"]
    states[src.start : src.start + src.partitions] = rows(core.read(src))


def set_rng_seed(core: Core, o: Operands) -> None:
    seed = int(core.read(o["src_seeds"]).view(np.uint32).reshape(-1)[0])
    states = core.states["vector"]
    for lane in range(len(states)):
        states[lane] = randoms.seeded(seed, lane, states.shape[1])
