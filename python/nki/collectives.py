"""Collectives between ranks, each of which is a logical core. Source: nki.collectives, NKI 0.7.

A kernel runs on several ranks by nki.Kernel.run_ranks. A collective on HBM tensors that the cores
of a logical core share is one for all of them: it begins when every core of every rank of the group
is there. On other tensors each core meets those with its number in the other ranks.

What a collective takes is said by the rules of the instruction that it emits, such as all_reduce.c1
(docs/reference/isa.md). The functions only check what is no operand of it: that lists hold tensors
(collective.tensors), for instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

import nki.isa as nisa
from nki import _collective_rules as rules
from nki import _context, _registers
from nki._collective_rules import ReplicaGroup
from nki._instructions import NkiInstruction
from nki._registers import VirtualRegister
from nki._scalars import NkiScalar
from nki.language._memory import ndarray, shared_constant
from nki.language._tensor import NkiTensor


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
    common = rules.common(replica_group, priority) | {"op": op}
    return rules.emit_all("all_reduce", name, srcs, dsts, common)


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
    common = rules.common(replica_group, priority) | {"collective_dim": collective_dim}
    return rules.emit_all("all_gather", name, srcs, dsts, common)


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
    common = rules.common(replica_group, priority) | {"collective_dim": collective_dim, "op": op}
    return rules.emit_all("reduce_scatter", name, srcs, dsts, common)


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
    common = rules.common(replica_group, priority) | {"collective_dim": collective_dim}
    return rules.emit_all("all_to_all", name, srcs, dsts, common)


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
    return rules.emit("all_gather_v", name, **(call | {"priority": priority}))


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
    return rules.emit("all_to_all_v", name, **(call | {"priority": priority}))


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
    context = _context.context()
    # A NeuronSwitch joins the chips of a Trn3 UltraServer; one chip has none.
    switched = context.machine.is_switched and context.ranks > context.trace.ranks_per_chip
    rules.supported(not switched, "no collective is prepared behind a NeuronSwitch", "Trn3")
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
    return rules.emit(mnemonic, name, **waiting.values).depends_on(prepared)


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
    common = rules.common(replica_group, None)
    rules.supported(
        not has_rdispls, "has_rdispls is not supported by all_gather_v", "has_rdispls=True"
    )
    rows = rules.rows(metadata_tensor, 3)
    counts = {} if recv_counts_known else {"recv_counts": rows(2, 3)}
    return {**rules.only(srcs, dsts), **common, **counts, "sends": rows(0, 2)}


def _to_all_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool,
    has_rdispls: bool,
) -> dict[str, Any]:
    common = rules.common(replica_group, None)
    rules.check_level(common["groups"], has_rdispls)
    rows = rules.rows(metadata_tensor, 4 if has_rdispls else 3)
    counts = {} if recv_counts_known else {"recv_counts": rows(2, 3)}
    displacements = {"recv_displs": rows(3, 4)} if has_rdispls else {}
    return {**rules.only(srcs, dsts), **common, **counts, **displacements, "sends": rows(0, 2)}


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
    rules.no_stream()
    context = _context.context()
    pairs = [(int(source), int(target)) for source, target in source_target_pairs]
    group = sorted({rank for pair in pairs for rank in pair})
    place = rules.only(srcs, dsts)
    # Pairs of which no rank runs the kernel are refused by the instruction's rules.
    nobody_runs = bool(group) and not any(0 <= rank < context.ranks for rank in group)
    if context.rank not in group and not nobody_runs:
        return
    rules.emit(
        "collective_permute",
        name,
        **place,
        groups=[group],
        pairs=pairs,
        sends=any(source == context.rank for source, _ in pairs),
        receives=any(target == context.rank for _, target in pairs),
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
    group = rules.own_group(rules.all_groups(replica_group))
    if channel_id < 0:
        rules.bad_channels([channel_id])
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
    rules.no_stream()
    common = rules.common(replica_group, priority)
    channels = len(channel_ids)
    if list(channel_ids) != list(range(channels)):
        rules.bad_channels(channel_ids)
    lists = [srcs0, dsts] if srcs1 is None else [srcs0, srcs1, dsts]
    if any(len(one) != channels for one in lists):
        rules.bad_tensors(
            "there is a list of tensors for each channel", [len(one) for one in lists]
        )
    common |= {"op": op, "channels": channels}
    for channel in range(channels):
        place = rules.only(srcs0[channel], dsts[channel])
        if srcs1 is not None:
            place["src1"] = rules.only(srcs1[channel], dsts[channel])["src"]
        rules.emit("collective_permute", name, **place, **common, channel=channel)
