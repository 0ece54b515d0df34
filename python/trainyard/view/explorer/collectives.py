"""Tables about collectives: what each moved between ranks, by which algorithm, how fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainyard import InputError, _core
from trainyard.view.explorer.places import places_of
from trainyard.view.explorer.recorded import Columns, Recorded


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """CcOp, and the streams that it names."""
    found = recorded.collectives
    if not len(found):
        return {}
    operations = [_operation(recorded, k) for k in range(len(found))]
    columns = {name: [one[name] for one in operations] for name in operations[0]}
    streams = sorted(set(columns["stream_id"]))
    return {
        "CcOp": recorded.span(found) | columns,
        "CcStream": {
            "stream_id": streams,
            "stream_index": streams,
            "cc_core_ids": ["[]"] * len(streams),  # the model has no cores of their own
        },
    }


def _operation(recorded: Recorded, k: int) -> dict[str, Any]:
    """What one run of a collective is, but for its times."""
    found = recorded.collectives
    i = int(found.instruction[k])
    mnemonic, place = recorded.mnemonics[i], places_of(recorded)[0][i]
    told = next(
        (
            one
            for one in recorded.report.get("collectives") or []
            if (one["place"], one["mnemonic"]) == (place, mnemonic)
        ),
        {"algorithm": "", "ranks": 0},
    )
    read, written = (
        recorded.tiles[recorded.transfers[side][recorded.transfers["instruction"].index(i)]]
        for side in ("read", "written")
    )
    sizes = [
        int(recorded.moved(np.array([i]), *(f"{space}_{side}" for space in ("hbm", "sbuf")))[0])
        for side in ("read", "written")
    ]
    begin, end = (int(recorded.ns(edge[k])) for edge in (found.begin, found.end))
    bandwidth = max(sizes) / max(end - begin, 1) * 1e9
    trigger = _trigger(recorded, i, int(found.iteration[k]))
    stream = int(recorded.timeline.tracks[int(found.track[k])].name.rpartition(" ")[2])
    return {
        "operation": "".join(word.capitalize() for word in mnemonic.split("_")),
        "algorithm": told["algorithm"],
        "num_elements": int(np.prod(read["counts"], dtype=np.int64))
        * read.get("partitions", (0, 1))[1],
        "dtype": written["dtype"],
        "op_id": k,
        "stream_id": stream,
        "stream_index": stream,
        "trigger_engine": trigger[0],
        "input_size": sizes[0],
        "output_size": sizes[1],
        "algorithm_bandwidth": bandwidth,
        "bus_bandwidth": _bus_bandwidth(mnemonic, told["ranks"], bandwidth),
        "trigger_start_ts": trigger[1],
        "cc_trigger_start_delay": None if trigger[1] is None else begin - trigger[1],
    }


def _bus_bandwidth(operation: str, ranks: int, bandwidth: float) -> float | None:
    """By nccom-test's factor; None of what it has none for."""
    try:
        return bandwidth * _core.bus_factor(operation, ranks) if ranks else None
    except InputError:
        return None


def _trigger(recorded: Recorded, instruction: int, iteration: int) -> tuple[str, int | None]:
    """The engine that issued a run of an instruction, and when."""
    engines = recorded.engines
    same = (engines.instruction == instruction) & (engines.iteration == iteration)
    rows = np.flatnonzero(same)
    if not len(rows):
        return "", None
    row = int(rows[0])
    return recorded.timeline.tracks[int(engines.track[row])].name, int(
        recorded.ns(engines.begin[row])
    )
