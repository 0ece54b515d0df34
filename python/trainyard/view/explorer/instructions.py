"""Tables about instructions: what ran when on which engine, and what it waited for."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainyard.view import timeline
from trainyard.view.explorer import places
from trainyard.view.explorer.recorded import (
    ACTIVE,
    Columns,
    Recorded,
    bf16_flops,
    kernel_names,
    merged,
)

_THROTTLE = timeline.REASONS.index("throttle")


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """Instruction and the tables that follow from it."""
    return {
        "ActiveTime": _active_time(recorded),
        "AssemblyInstruction": _assembly(recorded),
        "Flow": _flow(recorded),
        "Instruction": _instructions(recorded),
        "OpcodeSummary": _opcodes(recorded),
        "Throttle": _throttle(recorded),
        "ThrottleSummary": _throttle_summary(recorded),
    }


def _instructions(recorded: Recorded) -> Columns:
    found = recorded.engines
    which, count = found.instruction, len(found)
    names = [recorded.mnemonics[i] for i in which]
    operands = [recorded.operands[i] for i in which]
    lines, stacks = places.places_of(recorded)
    flops = 2 * recorded.moved(which, "macs")
    transposes = recorded.per_run["transposes"][which].astype(bool)
    is_tensor = np.array(recorded.names(found.track)) == "tensor"
    elements = recorded.moved(which, "elements")
    kinds = ["TRANSPOSE" if one else "REGULAR" for one in transposes]
    return recorded.span(found) | {
        "engine": recorded.names(found.track),
        "timeline_track": recorded.names(found.track),
        "pcore_idx": recorded.cores(found.track),
        "opcode": names,
        "operands": operands,
        "compiler_opcode": names,
        "compiler_operands": operands,
        "id": np.arange(count),
        "pc": which,
        "compiler_pc": which,
        "bir_id": [str(i) for i in which],
        "raw_bir_id": which,
        "bir_instruction_name": [f"I-{i}" for i in which],
        "kernel_instruction_name": kernel_names(found),
        "evt_wait_time_ns": recorded.ns(found.semaphore_wait),
        "dma_wait_time_ns": recorded.ns(found.dma_wait),
        "stack_frame_ids": [stacks[i] for i in which],
        "nki_source_location": [lines[i] or None for i in which],
        "hbm_read_bytes": recorded.moved(which, "hbm_read"),
        "hbm_write_bytes": recorded.moved(which, "hbm_written"),
        "sbuf_read_bytes": recorded.moved(which, "sbuf_read"),
        "sbuf_write_bytes": recorded.moved(which, "sbuf_written"),
        "psum_read_bytes": recorded.moved(which, "psum_read"),
        "psum_write_bytes": recorded.moved(which, "psum_written"),
        "tensor_instruction_type": _where(kinds, is_tensor),
        "tensor_elements": _where(elements, is_tensor),
        "raw_flops": _where(flops, is_tensor),
        "adjusted_flops": _where(bf16_flops(recorded, flops, which), is_tensor),
        "tensor_elements_transpose": _where(elements * transposes, is_tensor),
        "flops_transpose": _where(flops * transposes, is_tensor),
        "adjusted_flops_transpose": _where(
            bf16_flops(recorded, flops, which) * transposes, is_tensor
        ),
    }


def _where(values: Any, kept: np.ndarray) -> list[Any]:
    """The values, and nulls where they mean nothing."""
    values = values.tolist() if isinstance(values, np.ndarray) else values
    return [one if keep else None for one, keep in zip(values, kept, strict=True)]


def _assembly(recorded: Recorded) -> Columns:
    found = recorded.engines
    return {
        "instruction_id": np.arange(len(found)),
        "compiler_opcode": [recorded.mnemonics[i] for i in found.instruction],
        "compiler_operands": [recorded.operands[i] for i in found.instruction],
        "compiler_pc": found.instruction,
    }


def _active_time(recorded: Recorded) -> Columns:
    parts = []
    for number, track in enumerate(recorded.timeline.tracks):
        if track.kind == "engine":
            active = np.isin(track.rows["reason"], ACTIVE)
            begin, end = merged(track.rows["begin"][active], track.rows["end"][active])
            parts.append((begin, end, np.full(len(begin), number)))
    begin, end, tracks = (np.concatenate(part) for part in zip(*parts, strict=True))
    begin, end = recorded.ns(begin), recorded.ns(end)
    return {
        "start_ts": begin,
        "end_ts": end,
        "duration_ns": end - begin,
        "engine": recorded.names(tracks),
        "pcore_idx": recorded.cores(tracks),
    }


def _opcodes(recorded: Recorded) -> Columns:
    found = recorded.engines
    groups: dict[tuple[str, str], list[int]] = {}
    names = recorded.names(found.track)
    for i, engine in enumerate(names):
        groups.setdefault((engine, recorded.mnemonics[found.instruction[i]]), []).append(i)
    rows = []
    for (engine, opcode), which in sorted(groups.items()):
        begin, end = found.begin[which], found.end[which]
        together = merged(begin, end)
        active = int((together[1] - together[0]).sum())
        share = 100 * active / recorded.timeline.end
        length = recorded.ns((end - begin).sum())
        rows.append((engine, opcode, len(which), length, recorded.ns(active), share))
    heads = ("engine", "opcode", "instruction_count", "instruction_time_ns", "active_time_ns")
    return dict(
        zip((*heads, "active_time_percent"), map(list, zip(*rows, strict=True)), strict=True)
    )


def _flow(recorded: Recorded) -> Columns:
    """What ended each wait: from the last work on the track that did to the one that waited."""
    kinds = [
        ("Instruction", recorded.engines),
        ("DmaPacketAggregated", recorded.queues),
        ("CcOp", recorded.collectives),
    ]
    by_track: dict[int, tuple[str, np.ndarray, np.ndarray]] = {}
    at: dict[tuple[int, int, int], tuple[str, int]] = {}
    for table, found in kinds:
        for track in np.unique(found.track).tolist():
            ids = np.flatnonzero(found.track == track)
            order = ids[np.argsort(found.end[ids], kind="stable")]
            by_track[track] = (table, order, found.end[order])
        keys = zip(found.track, found.instruction, found.iteration, strict=True)
        at |= {(int(t), int(k), int(n)): (table, i) for i, (t, k, n) in enumerate(keys)}
    begins = {table: found.begin for table, found in kinds}
    rows = []
    for number, track in enumerate(recorded.timeline.tracks):
        waits = np.flatnonzero(track.rows["cause"] != timeline.NONE)
        for row in waits.tolist():
            cause, stop, why, i, n = (
                int(track.rows[key][row])
                for key in ("cause", "end", "reason", "instruction", "iteration")
            )
            target = at.get((number, i, n))
            if target is None or cause not in by_track:
                continue
            table, order, ends = by_track[cause]
            k = int(np.searchsorted(ends, stop, side="right")) - 1
            if k < 0:
                continue
            gap = max(int(begins[target[0]][target[1]] - ends[k]), 0)
            source = int(order[k])
            rows.append((source, target[1], table, target[0], timeline.REASONS[why], gap))
    heads = ("in_id", "out_id", "in_table", "out_table", "dependency_type", "gap_time")
    made = dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    return made | ({"gap_time": recorded.ns(made["gap_time"])} if rows else {})


def _throttled(recorded: Recorded) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Begin, end and track of the stretches in which an activity limit held an engine back."""
    parts = []
    for number, track in enumerate(recorded.timeline.tracks):
        held = track.rows["reason"] == _THROTTLE
        begin, end = merged(track.rows["begin"][held], track.rows["end"][held])
        parts.append((begin, end, np.full(len(begin), number)))
    begin, end, tracks = (np.concatenate(part) for part in zip(*parts, strict=True))
    return begin, end, tracks


def _throttle(recorded: Recorded) -> Columns:
    begin, end, tracks = _throttled(recorded)
    count = len(begin)
    return {
        "timestamp": recorded.ns(begin),
        "duration": recorded.ns(end) - recorded.ns(begin),
        "k": [int(recorded.machine["throttle_low"])] * count,
        "n": [int(recorded.machine["throttle_denominator"])] * count,
        "type": ["activity_0"] * count,
        "pcore_idx": recorded.cores(tracks),
    }


def _throttle_summary(recorded: Recorded) -> Columns:
    begin, end, _ = _throttled(recorded)
    spent = int((end - begin).sum())
    return {
        "nc_idx": [0],
        "throttle_type": ["activity_0"],
        "throttle_active_time_ns": [int(recorded.ns(spent))],
        "throttle_active_time_percent": [100 * spent / recorded.timeline.end],
    }
