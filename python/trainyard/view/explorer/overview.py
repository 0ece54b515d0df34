"""Tables of one row or a few: the machine, the run, and its sums."""

from __future__ import annotations

import numpy as np

from trainyard.view.explorer.recorded import Columns, Recorded, bf16_flops, merged

_ENGINES = ("tensor", "vector", "scalar", "gpsimd", "sync")


def tables_of(
    recorded: Recorded, made: dict[str, Columns], schema_version: str
) -> dict[str, Columns]:
    """The rows that say something of the whole; sums follow from the tables that are `made`."""
    return {
        "ExecutionInfo": _execution_info(recorded),
        "Metadata": _metadata(recorded, schema_version),
        "Summary": _summary(recorded, made),
        "Warning": _warnings(recorded),
    }


# What a run has, and a trace does not hold.
_NOT_RECORDED = {
    "DmaPacket": "a row is all that one engine moves of one transfer, its bytes shared out by "
    "time; crc is 0",
    "DmaQueuesInfo": "AXI ports and DRAM channels are not published, so they are -1",
}


def _warnings(recorded: Recorded) -> Columns:
    rows = [f"{table}: {why}" for table, why in _NOT_RECORDED.items()]
    if recorded.semaphores is None:
        rows.append("SemaphoreUpdate has no row: the run was saved by an older version")
    return {"message": rows, "category": ["Missing Data"] * len(rows)}


def _metadata(recorded: Recorded, schema_version: str) -> Columns:
    machine, run = recorded.machine, recorded.report["run"]
    row = {
        "profile_schema_version": schema_version,
        "ntff_version": 0,  # there is no NTFF
        "num_physical_cores": 1
        + int(max(recorded.cores(np.arange(len(recorded.timeline.tracks))))),
        "first_hw_timestamp": 0,
        "last_hw_timestamp": int(recorded.ns(recorded.timeline.end)),
        "first_ts": "1970-01-01 00:00:00+00:00",  # simulated time begins at 0
        "last_ts": _unix_text(int(recorded.ns(recorded.timeline.end))),
        "dma_ddr_bandwidth": machine["dma_bytes_per_second"],
        "num_dma_engines_per_neuroncore": int(machine["dma_engines"]),
        "hbm_ddr_bandwidth": machine["hbm_stack_bytes_per_second"],
        "tensor_engine_num_rows": int(machine["array_rows"]),
        "tensor_engine_num_cols": int(machine["array_columns"]),
        "neuroncore_clock_freq": machine["vector_ghz"],
        "ticks_per_nanosec": recorded.timeline.ticks_per_ns,
        "instance_type": run["machine"],
        "explorer_version": f"trainyard {run['trainyard']}",
        "profile_name": recorded.name,
        "is_simulation": True,
    }
    row["vnc_enabled"] = row["num_physical_cores"] > 1
    for engine in _ENGINES[:4]:
        row[f"{engine}_engine_clock_freq"] = machine[f"{engine}_ghz"]
    for engine in _ENGINES[1:4]:
        row[f"{engine}_engine_num_channels"] = int(machine["partitions"])
    return {key: [value] for key, value in row.items()}


def _unix_text(ns: int) -> str:
    seconds, rest = divmod(ns, 10**9)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"1970-01-{1 + days:02}T{hours:02}:{minutes:02}:{seconds:02}.{rest:09}+00:00".replace(
        "T", " "
    )


def _execution_info(recorded: Recorded) -> Columns:
    rows = len(recorded.engines) + len(recorded.queues)
    return {
        "execution_index": [0],
        "neff_name": [recorded.name],
        "execution_start_ts": [0],
        "execution_end_ts": [int(recorded.ns(recorded.timeline.end))],
        "num_subgraphs": [1],
        "row_count": [rows],
    }


def _summary(recorded: Recorded, made: dict[str, Columns]) -> Columns:
    instructions, transfers = made["Instruction"], made["DmaPacketAggregated"]
    length = recorded.timeline.end / recorded.timeline.ticks_per_ns / 1e9
    row: dict[str, float] = {
        "total_time": length,
        "total_exec_time": length,
        "neuroncore_cycle_count": round(length * recorded.machine["vector_ghz"] * 1e9),
        "psum_read_sbuf_write_count": 0,
        "psum_read_sbuf_write_bytes": 0,
    }
    of_engine = np.array(instructions["engine"])
    spans: list[tuple[np.ndarray, np.ndarray]] = []
    for engine in _ENGINES:
        which = np.flatnonzero(of_engine == engine)
        begin, end = recorded.engines.begin[which], recorded.engines.end[which]
        spans.append((begin, end))
        row |= _busy(recorded, f"{engine}_engine", begin, end)
        row[f"{engine}_engine_instruction_time"] = _seconds(recorded, (end - begin).sum())
        row[f"{engine}_engine_instruction_count"] = len(which)
    row |= _arithmetic(recorded, row)
    row |= _bytes(recorded, instructions, transfers)
    row |= _dma(recorded, transfers, length)
    spans.append((recorded.queues.begin, recorded.queues.end))
    spans.append((recorded.collectives.begin, recorded.collectives.end))
    row |= _busy(recorded, "cc_op", recorded.collectives.begin, recorded.collectives.end)
    row["cc_op_count"] = len(recorded.collectives)
    row["cc_op_time"] = _seconds(
        recorded, (recorded.collectives.end - recorded.collectives.begin).sum()
    )
    row |= _busy(recorded, "total", *map(np.concatenate, zip(*spans, strict=True)))
    return {key: [value] for key, value in row.items()}


def _seconds(recorded: Recorded, ticks: float) -> float:
    return float(ticks) / recorded.timeline.ticks_per_ns / 1e9


def _busy(recorded: Recorded, name: str, begin: np.ndarray, end: np.ndarray) -> dict[str, float]:
    """How long at least one of some intervals lasts, in seconds and as a share."""
    begin, end = merged(begin, end)
    spent = int((end - begin).sum())
    return {
        f"{name}_active_time": _seconds(recorded, spent),
        f"{name}_active_time_percent": 100 * spent / recorded.timeline.end,
    }


def _arithmetic(recorded: Recorded, row: dict[str, float]) -> dict[str, float]:
    """Operations of the tensor engine against its peak and that of HBM."""
    which = recorded.engines.instruction
    flops = 2 * recorded.moved(which, "macs")
    turned = flops * recorded.per_run["transposes"][which]
    moved = recorded.moved(which, "hbm_read", "hbm_written").sum()
    adjusted = bf16_flops(recorded, flops, which)
    machine = recorded.machine
    peak = 2 * machine["array_rows"] * machine["array_columns"] * machine["tensor_ghz"] * 1e9
    useful = flops.sum() - turned.sum()
    found = {
        "hardware_flops": int(flops.sum()),
        "transpose_flops": int(turned.sum()),
        "adjusted_hardware_flops": int(adjusted.sum()),
        "adjusted_transpose_flops": int(bf16_flops(recorded, turned, which).sum()),
        "peak_flops_bandwidth_ratio": peak / machine["hbm_stack_bytes_per_second"],
        "hfu_estimated_percent": 100 * float(flops.sum()) / peak / row["total_time"],
        "mfu_inst_estimated_percent": 100 * float(useful) / peak / row["total_time"],
        "matmul_instruction_count": int((recorded.moved(which, "macs") > 0).sum()),
    }
    return found | ({"mm_arithmetic_intensity": float(useful / moved)} if moved else {})


def _bytes(recorded: Recorded, instructions: Columns, transfers: Columns) -> dict[str, float]:
    """What went from and to each memory; a transfer counts where its instruction runs."""
    names = ("hbm_read", "hbm_write", "sbuf_read", "sbuf_write", "psum_read", "psum_write")
    found: dict[str, float] = {
        f"{name}_bytes": int(instructions[f"{name}_bytes"].sum()) for name in names
    }
    psum, sbuf = instructions["psum_read_bytes"], instructions["sbuf_write_bytes"]
    both = (psum > 0) & (sbuf > 0)
    found["psum_read_sbuf_write_count"] = int(both.sum())
    found["psum_read_sbuf_write_bytes"] = int(sbuf[both].sum())
    for role, keys in (("inputs_and_weights", ("input",)), ("inputs_outputs_weights", ())):
        tensors = recorded.details["memory"]["hbm"]["tensors"]
        kept = [one for one in tensors if one["role"] in (keys or ("input", "output"))]
        found[f"{role}_size_bytes"] = sum(one["bytes"] for one in kept)
    for name in ("input", "output"):
        pairs = zip(transfers["queue_type"], transfers["transfer_bytes"], strict=True)
        found[f"{name}_queue_bytes"] = sum(size for kind, size in pairs if kind == name)
    return found


def _dma(recorded: Recorded, transfers: Columns, length: float) -> dict[str, float]:
    """Time and bytes of transfers, of all and by who made their descriptors."""
    found = recorded.queues
    count = len(found)
    kinds = np.array(transfers.get("queue_type", ()), object)
    sizes = np.array(transfers.get("transfer_bytes", ()), np.int64)
    row = _busy(recorded, "dma", found.begin, found.end)
    row["dma_active_cycles"] = round(row["dma_active_time"] * recorded.machine["vector_ghz"] * 1e9)
    row["dma_transfer_time"] = _seconds(recorded, (found.end - found.begin).sum())
    row["dma_transfer_count"] = count
    row["dma_transfer_total_bytes"] = int(sizes.sum())
    row["dma_queue_count"] = len(np.unique(found.track))
    for kind in ("software_dynamic", "hardware_dynamic"):
        kept = kinds == kind
        row |= _busy(recorded, f"{kind}_dma", found.begin[kept], found.end[kept])
        row[f"{kind}_dma_size"] = int(sizes[kept].sum())
        row[f"{kind}_dma_size_percent"] = 100 * float(sizes[kept].sum() / max(sizes.sum(), 1))
    still = ~np.isin(kinds, ("software_dynamic", "hardware_dynamic"))
    row |= _busy(recorded, "static_dma", found.begin[still], found.end[still])
    row["static_dma_size"] = int(sizes[still].sum())
    row["static_dma_size_percent"] = 100 * float(sizes[still].sum() / max(sizes.sum(), 1))
    row["dynamic_dma_size_percent"] = 100 - row["static_dma_size_percent"]
    row |= {"dma_transfer_average_bytes": float(sizes.sum() / count)} if count else {}
    peak = recorded.machine["hbm_stack_bytes_per_second"]
    moved = recorded.moved(recorded.engines.instruction, "hbm_read", "hbm_written").sum()
    return row | {"mbu_estimated_percent": 100 * float(moved) / length / peak}
