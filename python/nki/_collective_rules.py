"""What all collectives check of their arguments and emit; nki.collectives has the functions that
kernels call. What an instruction takes is checked by the rules of its definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainyard import streams
from trainyard._core import TensorView

from nki import _context, _instructions, _level
from nki._instructions import NkiInstruction
from nki.language import NKIObject


class ReplicaGroup(NKIObject):
    """The ranks that take part in a collective, in groups that have no rank in common."""

    replica_groups: Any


def emit(mnemonic: str, name: str | None, **values: Any) -> NkiInstruction:
    """Appends the instruction of a collective."""
    entry = _instructions.SCHEMA[mnemonic]
    ordered = tuple(values.get(operand["name"]) for operand in entry["operands"])
    return _instructions.emit(entry["opcode"], ordered, None, name)


def emit_all(
    mnemonic: str,
    name: str | None,
    srcs: Sequence[TensorView],
    dsts: Sequence[TensorView],
    common: dict[str, Any],
) -> NkiInstruction:
    """A collective of several tensors: its first instruction, which the others follow."""
    check_lists(srcs, dsts)
    if not srcs or len(srcs) != len(dsts):
        bad_tensors("srcs and dsts hold as many tensors, one or more", [len(srcs), len(dsts)])
    pairs = zip(srcs, dsts, strict=True)
    made = [
        emit(mnemonic, name, src=src, dst=dst, follows=i > 0, **common)
        for i, (src, dst) in enumerate(pairs)
    ]
    return made[0]


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
    return [[int(rank) for rank in group] for group in replica_group.replica_groups]


def own_group(groups: list[list[int]]) -> list[int]:
    """The ranks of the group that this rank is in."""
    rank = _context.context().rank
    for group in groups:
        if rank in group:
            return group
    return bad_group(f"the rank that runs a collective is in a group (here: rank {rank})", groups)


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


def rows(metadata: TensorView, count: int) -> Any:
    """Slices of the rows of a metadata tensor."""
    on_chip = metadata._space == "sbuf"
    if metadata.shape[:-1] != ((1, count) if on_chip else (count,)):
        _context.refuse(
            "collective.metadata",
            f"the metadata tensor is [{count}, ranks] in HBM, [1, {count}, ranks] in SBUF",
            f"{metadata.shape} in {metadata._space}",
            "declare a row each for counts, displacements, counts received and, with has_rdispls, "
            "displacements received",
        )
    return lambda begin, end: metadata[0:1, begin:end, :] if on_chip else metadata[begin:end, :]


def check_level(groups: list[list[int]], has_rdispls: bool) -> None:
    """What all_to_all_v took without a NeuronSwitch before NKI 0.7."""
    context = _context.context()
    if context.machine.is_switched or _level.has("displacements between nodes"):
        return
    per_chip = context.trace.ranks_per_chip
    group = own_group(groups)
    supported(
        len({rank % per_chip for rank in group}) == 1 and not has_rdispls,
        "without a NeuronSwitch, NKI 0.6 has all_to_all_v for ranks with the same place on other "
        "nodes, without has_rdispls",
        f"ranks {group}, has_rdispls={has_rdispls}",
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


def bad_channels(channels: Sequence[int]) -> None:
    """Refuses the numbers of channels."""
    _context.refuse(
        "collective.channels",
        "channels are numbered from 0 on",
        f"channels {list(channels)}",
        "pass channel_ids=[0], or [0, 1] for two",
    )


def bad_tensors(rule: str, found: object) -> None:
    """Refuses lists of tensors."""
    _context.refuse("collective.tensors", rule, f"{found}", "call the collective once for each")


def bad_group(rule: str, found: object) -> Any:
    """Refuses a group."""
    _context.refuse("collective.group", rule, f"{found}", "list every rank in one group")


def supported(holds: bool, rule: str, found: str) -> None:
    """Refuses what AWS documents as unsupported."""
    if not holds:
        _context.refuse(
            "collective.supported", rule, found, "use all_gather or all_to_all with padded parts"
        )
