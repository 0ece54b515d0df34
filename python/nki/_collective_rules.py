"""What all collectives check and emit; nki.collectives has the functions that kernels call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from trainyard import streams
from trainyard._core import TensorView

from nki import _context, _instructions, _level
from nki._instructions import NkiInstruction
from nki.language import NKIObject

_CHANNELS_OF_ALL, _CHANNELS_OF_SOME = 4, 2
_STREAMS_A_CORE = 2  # CCOVL: two collective cores a core, so that LNC 2 has four streams


class ReplicaGroup(NKIObject):
    """The ranks that take part in a collective, in groups that have no rank in common."""

    replica_groups: Any


def emit(mnemonic: str, name: str | None, **values: Any) -> NkiInstruction:
    """Appends the instruction of a collective."""
    entry = _instructions.SCHEMA[mnemonic]
    ordered = tuple(values.get(operand["name"]) for operand in entry["operands"])
    return _instructions.emit(entry["opcode"], ordered, None, name)


def common(replica_group: ReplicaGroup, priority: int | None) -> dict[str, Any]:
    """The groups, priority and stream that every collective has."""
    return {
        "groups": all_groups(replica_group),
        "priority": priority,
        "stream": streams.current(),
    }


def all_groups(replica_group: ReplicaGroup) -> list[list[int]]:
    """The ranks of each group."""
    if not isinstance(replica_group, ReplicaGroup):
        raise TypeError(f"replica_group is a ReplicaGroup, not {replica_group!r}")
    groups = [[int(rank) for rank in group] for group in replica_group.replica_groups]
    everybody = [rank for group in groups for rank in group]
    if len(set(everybody)) != len(everybody):
        bad_group("the groups of a ReplicaGroup have no rank in common, nor one twice", groups)
    check_ranks(everybody)
    own_group(groups)
    return groups


def own_group(groups: list[list[int]]) -> list[int]:
    """The ranks of the group that this rank is in."""
    rank = _context.context().rank
    for group in groups:
        if rank in group:
            return group
    return bad_group(f"the rank that runs a collective is in a group (here: rank {rank})", groups)


def ranks_of(common: dict[str, Any]) -> int:
    """How many ranks take part in what common() is of."""
    return len(own_group(common["groups"]))


def check_ranks(ranks: Iterable[int]) -> None:
    """Refuses ranks that do not run the kernel."""
    there = _context.context().ranks
    missing = sorted(rank for rank in ranks if not 0 <= rank < there)
    if missing:
        _context.refuse(
            "collective.ranks",
            "the ranks of a group run the kernel",
            f"rank {missing[0]} where {there} rank{'s run' if there > 1 else ' runs'}",
            "run the kernel on more ranks: kernel.run_ranks([inputs of rank 0, ...])",
        )


def pairs(srcs: Sequence[TensorView], dsts: Sequence[TensorView]) -> list[dict[str, Any]]:
    """The tensors of a collective one by one; those behind the first are part of it."""
    check_lists(srcs, dsts)
    if not srcs or len(srcs) != len(dsts):
        bad_tensors("srcs and dsts hold as many tensors, one or more", [len(srcs), len(dsts)])
    if len(srcs) > 1 and any(one._space != "hbm" for one in (*srcs, *dsts)):
        bad_tensors("several tensors in one collective are in HBM", [one._space for one in srcs])
    pairs = zip(srcs, dsts, strict=True)
    return [{"src": src, "dst": dst, "follows": i > 0} for i, (src, dst) in enumerate(pairs)]


def check_lists(srcs: Any, dsts: Any) -> None:
    """Refuses what is no list of tensors."""
    for name, given in (("srcs", srcs), ("dsts", dsts)):
        is_list = isinstance(given, (list, tuple))
        if not is_list or not all(isinstance(one, TensorView) for one in given):
            _context.refuse(
                "collective.tensors",
                "srcs and dsts are lists of tensors",
                f"{name}={given!r}",
                f"pass {name}=[tensor]",
            )


def only(srcs: Sequence[TensorView], dsts: Sequence[TensorView]) -> dict[str, Any]:
    """The one tensor on each side of a collective."""
    check_lists(srcs, dsts)
    if len(srcs) != 1 or len(dsts) != 1:
        bad_tensors("srcs and dsts hold one tensor each", [len(srcs), len(dsts)])
    return {"src": srcs[0], "dst": dsts[0]}


def rows(metadata: TensorView, ranks: int, count: int) -> Any:
    """Slices of the rows of a metadata tensor."""
    on_chip = metadata._space == "sbuf"
    wanted = (1, count, ranks) if on_chip else (count, ranks)
    if metadata.shape != wanted:
        rule = f"the metadata tensor has the shape {wanted} in {'SBUF' if on_chip else 'HBM'}"
        bad_shape(rule, metadata)
    return lambda begin, end: metadata[0:1, begin:end, :] if on_chip else metadata[begin:end, :]


def same_shape(place: dict[str, Any]) -> None:
    """Refuses tensors of different shapes."""
    if place["src"].shape != place["dst"].shape:
        bad_shape("src and dst have the same shape", place["src"], place["dst"])


def multiple(large: TensorView, small: TensorView, times: int, dim: int) -> None:
    """Refuses a tensor that is not so many times another one along a dimension."""
    wanted = tuple(n * (times if d == dim else 1) for d, n in enumerate(small.shape))
    if large.shape != wanted:
        rule = f"dimension {dim} of one is that of the other for each of {times} ranks"
        bad_shape(rule, large, small)


def dimension(given: object, allowed: tuple[int, ...]) -> None:
    """Refuses a dimension that a collective does not have."""
    if given not in allowed:
        _context.refuse(
            "collective.dim",
            "collective_dim is 0, or 1 for all_gather in SBUF",
            repr(given),
            "rearrange the tensor so that the ranks' parts are along dimension 0",
        )


def ranks_per_chip() -> int:
    """How many ranks a chip holds at this LNC."""
    context = _context.context()
    return max(1, context.machine.cores // context.num_programs)


def check_chips(group: list[int], has_rdispls: bool) -> None:
    """Who may take part in an all_to_all_v."""
    context = _context.context()
    per_chip = ranks_per_chip()
    chips = {rank // per_chip for rank in group}
    if context.machine.generation >= 4:
        whole = sorted(group) == list(range(min(group), max(group) + 1))
        whole = whole and len(group) == per_chip * len(chips)
        supported(
            whole and len(chips) > 1 and context.num_programs == 2,
            "all_to_all_v is for all ranks of two or more neighbouring chips at LNC 2",
            f"ranks {group} at LNC {context.num_programs}",
        )
        return
    newer = _level.has("displacements between nodes")
    alike = len(chips) == len(group) and len({rank % per_chip for rank in group}) == 1
    supported(
        alike or (newer and not has_rdispls),
        "without a NeuronSwitch, all_to_all_v"
        + (" with has_rdispls" if newer else "")
        + " is for ranks with the same place on other nodes",
        f"ranks {group}",
    )
    supported(newer or not has_rdispls, "has_rdispls needs a NeuronSwitch", "has_rdispls=True")


def check_stream(number: object) -> None:
    """Refuses a stream that this logical core does not have."""
    context = _context.context()
    cores = context.num_programs
    streams = _STREAMS_A_CORE * cores
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < streams:
        _context.refuse(
            "collective.stream",
            "a core of a rank has two collective cores, each runs a stream",
            f"stream {number!r} where a rank of {cores} core{'s' if cores > 1 else ''} "
            f"has {streams}",
            f"use streams 0 to {streams - 1}" + ("" if cores > 1 else "; kernel[2] has four"),
        )


def no_stream() -> None:
    """Refuses a permute on a stream: its channels are what streams are."""
    stream = streams.current()
    if stream != 0:
        _context.refuse(
            "collective.stream",
            "permutes run on the streams that their channels name",
            f"a permute within collective_stream({stream})",
            "move it out of the block; channel_ids says what runs side by side",
        )


def channels_max(group: list[int]) -> int:
    """How many channels a group may use."""
    return _CHANNELS_OF_ALL if len(group) == _context.context().ranks else _CHANNELS_OF_SOME


def bad_channels(channels: Sequence[int], group: list[int]) -> None:
    """Refuses channels."""
    _context.refuse(
        "collective.channels",
        "channels are 0, 1, ...: up to 4 in a group of all ranks, else up to 2",
        f"channels {list(channels)} for ranks {group}",
        "use fewer channels, and number them from 0 on",
    )


def bad_tensors(rule: str, found: object) -> None:
    """Refuses lists of tensors."""
    _context.refuse("collective.tensors", rule, f"{found}", "call the collective once for each")


def bad_shape(rule: str, *tensors: TensorView) -> None:
    """Refuses shapes."""
    found = " and ".join(str(tensor.shape) for tensor in tensors)
    _context.refuse("collective.shape", rule, found, "give the destination the size of the result")


def bad_group(rule: str, found: object) -> Any:
    """Refuses a group."""
    _context.refuse("collective.group", rule, f"{found}", "list every rank in one group")


def supported(holds: bool, rule: str, found: str) -> None:
    """Refuses what AWS documents as unsupported."""
    if not holds:
        _context.refuse(
            "collective.supported", rule, found, "use all_gather or all_to_all with padded parts"
        )
