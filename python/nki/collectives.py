"""Collectives between ranks, each of which is a logical core. Source: nki.collectives, NKI 0.7.

A kernel runs on several ranks by nki.Kernel.run_ranks. A collective on HBM tensors that the cores
of a logical core share is one for all of them: it begins when every core of every rank of the group
is there. On other tensors each core meets those with its number in the other ranks.

What all functions check, with the label of the rule: that lists hold tensors (collective.tensors),
that a group has this rank once and only ranks that run (collective.group, collective.ranks), and
shapes (collective.shape, collective.dim). Memories, dtypes and operators are checked by the
instruction that each of them emits, such as all_reduce.c1 (docs/reference/isa.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from trainyard._core import NkiTensor, VirtualRegister

from nki import _context, _instructions, _level, _registers
from nki._instructions import NkiInstruction
from nki._scalars import NkiScalar
from nki.language import NKIObject
from nki.language._memory import shared_constant

_CHANNELS_OF_ALL, _CHANNELS_OF_SOME = 4, 2
_NOBODY = -1


class ReplicaGroup(NKIObject):
    """The ranks that take part in a collective, in groups that have no rank in common."""

    replica_groups: Any


def all_reduce(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    op: object,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Every dst becomes `op` (nl.add, nl.minimum, nl.maximum) over the src of all ranks.

    Elements are combined in the order of the group, in float32 with one cast at the end; 32-bit
    integers as such. Several tensors only in HBM.
    """
    common = _common(replica_group, priority) | {"op": op}
    made = []
    for place in _pairs(srcs, dsts):
        _same_shape(place)
        made.append(_emit("all_reduce", name, **place, **common))
    return made[0]


def all_gather(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Every dst becomes the src of all ranks, side by side along `collective_dim`.

    collective_dim is 0; in SBUF, where tensors have two dimensions, also 1.
    """
    common = _common(replica_group, priority) | {"collective_dim": collective_dim}
    made = []
    for place in _pairs(srcs, dsts):
        _dimension(collective_dim, (0,) if place["src"]._space == "hbm" else (0, 1))
        _multiple(place["dst"], place["src"], len(common["group"]), collective_dim)
        made.append(_emit("all_gather", name, **place, **common))
    return made[0]


def reduce_scatter(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    op: object,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """The i-th rank's dst becomes the i-th part of `op` over the src of all ranks.

    Parts are along dimension 0, the only collective_dim there is. Arithmetic as in all_reduce.
    """
    common = _common(replica_group, priority) | {"collective_dim": collective_dim, "op": op}
    _dimension(collective_dim, (0,))
    made = []
    for place in _pairs(srcs, dsts):
        _multiple(place["src"], place["dst"], len(common["group"]), 0)
        made.append(_emit("reduce_scatter", name, **place, **common))
    return made[0]


def all_to_all(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """The i-th rank's dst becomes the i-th parts of the src of all ranks, side by side.

    Tensors are in HBM, and parts along dimension 0, the only collective_dim there is.
    """
    common = _common(replica_group, priority) | {"collective_dim": collective_dim}
    _dimension(collective_dim, (0,))
    made = []
    for place in _pairs(srcs, dsts):
        _same_shape(place)
        if place["src"].shape[0] % len(common["group"]):
            _bad_shape("dimension 0 has a part for each rank of the group", place["src"])
        made.append(_emit("all_to_all", name, **place, **common))
    return made[0]


def all_gather_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Every rank gets a chunk of each of them, whose length is known at run time.

    The chunk of a rank is src[displ : displ + count] by the first column of rows 1 and 0 of its
    `metadata_tensor`, uint32 [3, ranks] in HBM or [1, 3, ranks] in SBUF. It lands at the start of
    the sender's slot of dst, which has one of the same size for each rank. Row 2 gets the counts
    that came, unless `recv_counts_known`. NKI 0.6 has this for groups of 4 ranks of one chip at
    LNC 2, without has_rdispls.
    """
    call = _gather_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls)
    return _emit("all_gather_v", name, **(call | {"priority": priority}))


def all_to_all_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Every rank sends a chunk to each of them, the lengths of which are known at run time.

    Of `metadata_tensor`, uint32 [rows, ranks] in HBM or [1, rows, ranks] in SBUF, row 0 has the
    count and row 1 the displacement in src of the chunk for each rank, in elements. A chunk lands
    at the start of its sender's slot of dst, or with `has_rdispls` where row 3 says. Row 2 gets
    the counts that came, unless `recv_counts_known`. Behind a NeuronSwitch (Trn3) this is for
    groups of whole chips at LNC 2, more than one chip. Elsewhere NKI 0.6 has it for groups of ranks
    with the same place on different nodes, without has_rdispls; NKI 0.7 for all groups, with
    has_rdispls for those of the same place.
    """
    call = _to_all_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls)
    return _emit("all_to_all_v", name, **(call | {"priority": priority}))


def all_gather_v_prepare(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Reads the metadata of an all_gather_v that all_gather_v_trigger begins; see that call."""
    call = _gather_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls)
    return _prepare("all_gather_v", call | {"priority": priority}, name)


def all_to_all_v_prepare(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Reads the metadata of an all_to_all_v that all_to_all_v_trigger begins; see that call."""
    call = _to_all_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known, has_rdispls)
    return _prepare("all_to_all_v", call | {"priority": priority}, name)


def all_gather_v_trigger(prepare_instr: NkiInstruction, name: str | None = None) -> NkiInstruction:
    """Begins the all_gather_v that all_gather_v_prepare returned: now srcs and dsts are used.

    There is one slot: each prepare has exactly one trigger, before the next prepare of either kind.
    """
    return _trigger("all_gather_v", prepare_instr, name)


def all_to_all_v_trigger(prepare_instr: NkiInstruction, name: str | None = None) -> NkiInstruction:
    """Begins the all_to_all_v that all_to_all_v_prepare returned: now srcs and dsts are used.

    There is one slot: each prepare has exactly one trigger, before the next prepare of either kind.
    """
    return _trigger("all_to_all_v", prepare_instr, name)


@dataclass
class _Prepared:
    """A collective whose metadata has been read."""

    mnemonic: str
    values: dict[str, Any]
    instruction: NkiInstruction


def _prepare(mnemonic: str, values: dict[str, Any], name: str | None) -> NkiInstruction:
    """Reads the metadata into a tensor of our own, which the trigger takes."""
    import nki.isa as nisa
    from nki.language._memory import ndarray

    context = _context.context()
    # A NeuronSwitch joins the chips of a Trn3 UltraServer; one chip has none.
    switched = context.machine.generation >= 4 and context.ranks > _ranks_per_chip()
    _supported(not switched, "no collective is prepared behind a NeuronSwitch", "Trn3")
    if context.prepared is not None:
        _bad_slot(f"{context.prepared.mnemonic}_prepare still waits for its trigger")
    given = values["sends"]
    kept = ndarray(given.shape, given.dtype, given.buffer)
    copy = nisa.tensor_copy if given._space == "sbuf" else nisa.dma_copy
    instruction = copy(dst=kept, src=given, name=name)
    context.prepared = _Prepared(mnemonic, values | {"sends": kept}, instruction)
    return instruction


def _trigger(mnemonic: str, prepared: NkiInstruction, name: str | None) -> NkiInstruction:
    context = _context.context()
    waiting = context.prepared
    if waiting is None or waiting.instruction is not prepared or waiting.mnemonic != mnemonic:
        _bad_slot(f"{mnemonic}_trigger of {prepared!r}")
    context.prepared = None
    return _emit(mnemonic, name, **waiting.values).depends_on(prepared)


def check_triggered(context: _context.Context) -> None:
    """Refuses a kernel that ends between a prepare and its trigger."""
    if context.prepared is not None:
        _bad_slot(f"the kernel ends after {context.prepared.mnemonic}_prepare")


def _bad_slot(found: str) -> NoReturn:
    _context.refuse(
        "collective.slot",
        "each prepare has exactly one trigger of its kind, before the next prepare",
        found,
        "trigger what has been prepared first",
    )


def _gather_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool,
    has_rdispls: bool,
) -> dict[str, Any]:
    common = _common(replica_group, None)
    _supported(not has_rdispls, "has_rdispls is not supported by all_gather_v", "has_rdispls=True")
    group = common["group"]
    per_chip = _ranks_per_chip()
    one_chip = len({rank // per_chip for rank in group}) == 1
    _supported(
        len(group) == 4 and one_chip and _context.context().num_programs == 2,
        "all_gather_v is for 4 ranks of one chip at LNC 2",
        f"ranks {group} at LNC {_context.context().num_programs}",
    )
    rows = _rows(metadata_tensor, len(group), 3)
    counts = {} if recv_counts_known else {"recv_counts": rows(2, 3)}
    return {**_only(srcs, dsts), **common, **counts, "sends": rows(0, 2)}


def _to_all_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool,
    has_rdispls: bool,
) -> dict[str, Any]:
    common = _common(replica_group, None)
    _check_chips(common["group"], has_rdispls)
    rows = _rows(metadata_tensor, len(common["group"]), 4 if has_rdispls else 3)
    counts = {} if recv_counts_known else {"recv_counts": rows(2, 3)}
    displacements = {"recv_displs": rows(3, 4)} if has_rdispls else {}
    return {**_only(srcs, dsts), **common, **counts, **displacements, "sends": rows(0, 2)}


def collective_permute(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    source_target_pairs: list[tuple[int, int]],
    priority: int | None = None,
    name: str | None = None,
) -> None:
    """Ranks send src to the dst of others, as the pairs (source, target) say.

    A rank is a source at most once, and a target at most once. The dst of a rank that is no target
    stays as it is. Tensors are in HBM.
    """
    context = _context.context()
    pairs = [(int(source), int(target)) for source, target in source_target_pairs]
    for side in zip(*pairs, strict=True):
        if len(set(side)) != len(side):
            _bad_group("a rank is a source at most once, and a target at most once", pairs)
    group = sorted({rank for pair in pairs for rank in pair})
    _check_ranks(group)
    if context.rank not in group:
        return
    place = _only(srcs, dsts)
    if place["src"]._space != "hbm":
        _context.refuse(
            "collective.memory",
            "collective_permute works on HBM tensors",
            f"a tensor in {place['src']._space}",
            "use collective_permute_implicit, or copy the data to HBM first",
        )
    _same_shape(place)
    _emit(
        "collective_permute",
        name,
        **place,
        group=group,
        rank=context.rank,
        send_to=dict(pairs).get(context.rank, _NOBODY),
        receive_from={target: source for source, target in pairs}.get(context.rank, _NOBODY),
        priority=priority,
    )


def collective_permute_implicit(
    srcs_by_channel: list[list[NkiTensor]],
    dsts_by_channel: list[list[NkiTensor]],
    replica_group: ReplicaGroup,
    channel_ids: list[int] = [0],  # noqa: B006 (the published default)
    priority: int | None = None,
    name: str | None = None,
) -> None:
    """Every rank sends src to its successor in the ring and gets its predecessor's in dst.

    The ring of every channel is the order of the group's list. Channels move side by side.
    """
    _ring(srcs_by_channel, None, dsts_by_channel, replica_group, None, channel_ids, priority, name)


def collective_permute_implicit_reduce(
    srcs0_by_channel: list[list[NkiTensor]],
    srcs1_by_channel: list[list[NkiTensor]],
    dsts_by_channel: list[list[NkiTensor]],
    replica_group: ReplicaGroup,
    op: object,
    channel_ids: list[int] = [0],  # noqa: B006 (the published default)
    priority: int | None = None,
    name: str | None = None,
) -> None:
    """As collective_permute_implicit; what a rank sends is op(src0, src1)."""
    sources = srcs0_by_channel, srcs1_by_channel
    _ring(*sources, dsts_by_channel, replica_group, op, channel_ids, priority, name)


def collective_permute_implicit_current_processing_rank_id(
    iteration_id: int | VirtualRegister | NkiScalar,
    replica_group: ReplicaGroup,
    channel_id: int = 0,
    name: str | None = None,
) -> VirtualRegister:
    """A register with the rank whose data is there after `iteration_id` steps of the ring.

    This rank's own at 0, then that of the predecessor, and so on. A register as iteration_id (of a
    hardware loop) is below the number of ranks.
    """
    del name
    group = _own_group(replica_group)
    if channel_id not in range(_channels_max(group)):
        _bad_channels([channel_id], group)
    at = group.index(_context.context().rank)
    if isinstance(iteration_id, int):
        return _registers.register_alloc(group[(at - iteration_id) % len(group)])
    passed = [group[(at - i) % len(group)] for i in range(len(group))]
    table = shared_constant(np.array([[rank] for rank in passed], np.int32))
    result = _registers.register_alloc()
    entry = table.ap([[1, 1], [1, 1]], scalar_offset=iteration_id, indirect_dim=0)
    _registers.register_load(result, entry)
    return result


def rank_id(name: str | None = None) -> VirtualRegister:
    """A register with the number of the rank that runs the kernel."""
    del name
    return _registers.register_alloc(_context.context().rank)


def _emit(mnemonic: str, name: str | None, **values: Any) -> NkiInstruction:
    entry = _instructions.SCHEMA[mnemonic]
    ordered = tuple(values.get(operand["name"]) for operand in entry["operands"])
    return _instructions.emit(entry["opcode"], ordered, None, name)


def _ring(
    srcs0: list[list[NkiTensor]],
    srcs1: list[list[NkiTensor]] | None,
    dsts: list[list[NkiTensor]],
    replica_group: ReplicaGroup,
    op: object,
    channel_ids: list[int],
    priority: int | None,
    name: str | None,
) -> None:
    common = _common(replica_group, priority)
    group, channels = common["group"], len(channel_ids)
    if list(channel_ids) != list(range(channels)) or channels > _channels_max(group):
        _bad_channels(channel_ids, group)
    lists = [srcs0, dsts] if srcs1 is None else [srcs0, srcs1, dsts]
    if any(len(one) != channels for one in lists):
        _bad_tensors("there is a list of tensors for each channel", [len(one) for one in lists])
    at = group.index(common["rank"])
    common |= {
        "send_to": group[(at + 1) % len(group)],
        "receive_from": group[at - 1],
        "op": op,
        "channels": channels,
    }
    for channel in range(channels):
        place = _only(srcs0[channel], dsts[channel])
        _same_shape(place)
        if srcs1 is not None:
            place["src1"] = _only(srcs1[channel], dsts[channel])["src"]
        _emit("collective_permute", name, **place, **common, channel=channel)


def _common(replica_group: ReplicaGroup, priority: int | None) -> dict[str, Any]:
    rank = _context.context().rank
    return {"group": _own_group(replica_group), "rank": rank, "priority": priority}


def _own_group(replica_group: ReplicaGroup) -> list[int]:
    """The ranks of the group that this rank is in."""
    if not isinstance(replica_group, ReplicaGroup):
        raise TypeError(f"replica_group is a ReplicaGroup, not {replica_group!r}")
    groups = [[int(rank) for rank in group] for group in replica_group.replica_groups]
    everybody = [rank for group in groups for rank in group]
    if len(set(everybody)) != len(everybody):
        _bad_group("the groups of a ReplicaGroup have no rank in common, nor one twice", groups)
    _check_ranks(everybody)
    rank = _context.context().rank
    for group in groups:
        if rank in group:
            return group
    return _bad_group(f"the rank that runs a collective is in a group (here: rank {rank})", groups)


def _check_ranks(ranks: Iterable[int]) -> None:
    there = _context.context().ranks
    missing = sorted(rank for rank in ranks if not 0 <= rank < there)
    if missing:
        _context.refuse(
            "collective.ranks",
            "the ranks of a group run the kernel",
            f"rank {missing[0]} where {there} rank{'s run' if there > 1 else ' runs'}",
            "run the kernel on more ranks: kernel.run_ranks([inputs of rank 0, ...])",
        )


def _pairs(srcs: Sequence[NkiTensor], dsts: Sequence[NkiTensor]) -> list[dict[str, Any]]:
    """The tensors of a collective one by one; those behind the first are part of it."""
    _check_lists(srcs, dsts)
    if not srcs or len(srcs) != len(dsts):
        _bad_tensors("srcs and dsts hold as many tensors, one or more", [len(srcs), len(dsts)])
    if len(srcs) > 1 and any(one._space != "hbm" for one in (*srcs, *dsts)):
        _bad_tensors("several tensors in one collective are in HBM", [one._space for one in srcs])
    pairs = zip(srcs, dsts, strict=True)
    return [{"src": src, "dst": dst, "follows": i > 0} for i, (src, dst) in enumerate(pairs)]


def _check_lists(srcs: Any, dsts: Any) -> None:
    for name, given in (("srcs", srcs), ("dsts", dsts)):
        is_list = isinstance(given, (list, tuple))
        if not is_list or not all(isinstance(one, NkiTensor) for one in given):
            _context.refuse(
                "collective.tensors",
                "srcs and dsts are lists of tensors",
                f"{name}={given!r}",
                f"pass {name}=[tensor]",
            )


def _only(srcs: Sequence[NkiTensor], dsts: Sequence[NkiTensor]) -> dict[str, Any]:
    _check_lists(srcs, dsts)
    if len(srcs) != 1 or len(dsts) != 1:
        _bad_tensors("srcs and dsts hold one tensor each", [len(srcs), len(dsts)])
    return {"src": srcs[0], "dst": dsts[0]}


def _rows(metadata: NkiTensor, ranks: int, count: int) -> Any:
    """Slices of the rows of a metadata tensor."""
    on_chip = metadata._space == "sbuf"
    wanted = (1, count, ranks) if on_chip else (count, ranks)
    if metadata.shape != wanted:
        rule = f"the metadata tensor has the shape {wanted} in {'SBUF' if on_chip else 'HBM'}"
        _bad_shape(rule, metadata)
    return lambda begin, end: metadata[0:1, begin:end, :] if on_chip else metadata[begin:end, :]


def _same_shape(place: dict[str, Any]) -> None:
    if place["src"].shape != place["dst"].shape:
        _bad_shape("src and dst have the same shape", place["src"], place["dst"])


def _multiple(large: NkiTensor, small: NkiTensor, times: int, dim: int) -> None:
    wanted = tuple(n * (times if d == dim else 1) for d, n in enumerate(small.shape))
    if large.shape != wanted:
        rule = f"dimension {dim} of one is that of the other for each of {times} ranks"
        _bad_shape(rule, large, small)


def _dimension(given: object, allowed: tuple[int, ...]) -> None:
    if given not in allowed:
        _context.refuse(
            "collective.dim",
            "collective_dim is 0, or 1 for all_gather in SBUF",
            repr(given),
            "rearrange the tensor so that the ranks' parts are along dimension 0",
        )


def _ranks_per_chip() -> int:
    context = _context.context()
    return max(1, context.machine.cores // context.num_programs)


def _check_chips(group: list[int], has_rdispls: bool) -> None:
    """Who may take part in an all_to_all_v."""
    context = _context.context()
    per_chip = _ranks_per_chip()
    chips = {rank // per_chip for rank in group}
    if context.machine.generation >= 4:
        whole = sorted(group) == list(range(min(group), max(group) + 1))
        whole = whole and len(group) == per_chip * len(chips)
        _supported(
            whole and len(chips) > 1 and context.num_programs == 2,
            "all_to_all_v is for all ranks of two or more neighbouring chips at LNC 2",
            f"ranks {group} at LNC {context.num_programs}",
        )
        return
    newer = _level.has("all_to_all_v")
    alike = len(chips) == len(group) and len({rank % per_chip for rank in group}) == 1
    _supported(
        alike or (newer and not has_rdispls),
        "without a NeuronSwitch, all_to_all_v"
        + (" with has_rdispls" if newer else "")
        + " is for ranks with the same place on other nodes",
        f"ranks {group}",
    )
    _supported(newer or not has_rdispls, "has_rdispls needs a NeuronSwitch", "has_rdispls=True")


def _channels_max(group: list[int]) -> int:
    return _CHANNELS_OF_ALL if len(group) == _context.context().ranks else _CHANNELS_OF_SOME


def _bad_channels(channels: Sequence[int], group: list[int]) -> None:
    _context.refuse(
        "collective.channels",
        "channels are 0, 1, ...: up to 4 in a group of all ranks, else up to 2",
        f"channels {list(channels)} for ranks {group}",
        "use fewer channels, and number them from 0 on",
    )


def _bad_tensors(rule: str, found: object) -> None:
    _context.refuse("collective.tensors", rule, f"{found}", "call the collective once for each")


def _bad_shape(rule: str, *tensors: NkiTensor) -> None:
    found = " and ".join(str(tensor.shape) for tensor in tensors)
    _context.refuse("collective.shape", rule, found, "give the destination the size of the result")


def _bad_group(rule: str, found: object) -> Any:
    _context.refuse("collective.group", rule, f"{found}", "list every rank in one group")


def _supported(holds: bool, rule: str, found: str) -> None:
    if not holds:
        _context.refuse(
            "collective.supported", rule, found, "use all_gather or all_to_all with padded parts"
        )
