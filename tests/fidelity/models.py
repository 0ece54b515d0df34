"""Published throughput and latency of whole models beside what the analytic model says.

model_rows.toml holds the rows. The reach of a machine (machines/compared) was fitted to those whose
ids hash even; the others were held out.
"""

import hashlib
import json
import statistics
import tomllib
from pathlib import Path

from trainyard import _core
from trainyard.planner.calls import options_of

DATA = Path(__file__).with_name("model_rows.toml")
MEASURED = Path(__file__).with_name("gpu_rows.toml")  # by tools/measure_gpu, where a GPU was
PEAK_H100 = 989  # TFLOPS: what the rows in TFLOPS a chip are a share of


# Single kernels of tools/measure_gpu: the figures whose product is their rate.
KERNELS = {
    "gemm": ("compute.{format}", "reach.prefill"),
    "attention": ("compute.bf16", "reach.attention"),
    "memory": ("memory.bandwidth", "reach.memory"),
}


def _kernel(row: dict) -> float:
    """TFLOPS, or GB/s of a copy."""
    figures = {
        one["key"]: one["value"]
        for one in json.loads(_core.accelerator_document(row["machine"]))["figures"]
    }
    peak, reach = (key.format(**row["ask"]) for key in KERNELS[row["phase"]])
    return figures[peak] * figures[reach]


# A row that is further off than this names its cause.
EXPLAINED = 0.25


def half_of(id: str) -> str:
    """ "fit" or "held out", by the id alone."""
    return "held out" if int(hashlib.sha256(id.encode()).hexdigest(), 16) % 2 else "fit"


def simulated(row: dict) -> float:
    """What the analytic model says, in the row's unit."""
    if row["phase"] in KERNELS:
        return _kernel(row)
    if row["phase"] == "collective":
        ask = row["ask"]
        found = _core.collective_document(
            row["machine"], ask["operation"], float(ask["bytes"]), ask["chips"]
        )
        return json.loads(found)["values"]["collective_seconds"]["value"]
    options = options_of(row["ask"] | {"intervals": False})
    if row["phase"] == "training":
        answer = json.loads(_core.training_document(row["model"], row["machine"], options))
        if row["unit"] == "TFLOPS/chip":
            return answer["values"]["mfu"]["value"] * PEAK_H100
        return answer["values"]["sequences_per_second"]["value"]
    answer = json.loads(_core.serving_document(row["model"], row["machine"], options))
    if row["phase"] == "serving":  # of all tokens, as InferenceX counts
        values = answer["values"]
        share = values["tput_per_gpu"]["value"] / values["output_tput_per_gpu"]["value"]
        return values["output_tput_per_mw"]["value"] * share
    if row["phase"] == "layer":
        return answer["phases"]["prefill"]["seconds"] / answer["model"]["layers"]
    return answer["phases"][row["phase"]]["seconds"]


def published() -> dict[str, dict]:
    """The rows of the files by id; those of a GPU that was measured here come last."""
    found = tomllib.loads(DATA.read_text())
    if MEASURED.is_file():
        found |= tomllib.loads(MEASURED.read_text())
    return found


def rows() -> list[dict]:
    """Every row in the form of run.py, with `half` and `phase` besides."""
    found = []
    for id, row in published().items():
        ours = simulated(row)
        found.append(
            {
                "id": id,
                "machine": row["machine"],
                "what": row["what"],
                "published": row["value"],
                "simulated": ours,
                "unit": row["unit"],
                "error": ours / row["value"] - 1,
                "source": row["source"],
                "phase": row["phase"],
                "half": "derived" if row["phase"] == "collective" else half_of(id),
                "cause": row.get("cause", ""),
            }
        )
    return found


def groups(found: list[dict]) -> dict[tuple[str, str, str], list[float]]:
    """The absolute errors by machine, phase and half."""
    result: dict[tuple[str, str, str], list[float]] = {}
    for row in found:
        key = row["machine"], row["phase"], row["half"]
        result.setdefault(key, []).append(abs(row["error"]))
    return dict(sorted(result.items()))


def summary(found: list[dict]) -> list[str]:
    """One line a machine, phase and half."""
    return [
        f"{machine:13}{phase:12}{half:10}{len(errors):>4} rows  median "
        f"{100 * statistics.median(errors):5.1f} %  largest {100 * max(errors):5.1f} %"
        for (machine, phase, half), errors in groups(found).items()
    ]


def unchecked(found: list[dict]) -> list[str]:
    """The compared machines without any row of a whole model."""
    checked = {row["machine"] for row in found if row["phase"] != "collective"}
    return sorted(set(_core.accelerators()) - checked)
