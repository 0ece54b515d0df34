"""Published throughput and latency of whole models beside what the analytic model says.

model_rows.toml holds the rows. The reach of a machine (machines/compared) was fitted to those whose
ids hash even; the others were held out.
"""

import hashlib
import json
import statistics
import tomllib
from collections.abc import Iterable
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


def half_of(id: str, same: Iterable[str] = ()) -> str:
    """ "fit" or "held out", by the id alone; rows of the `same` published value stay together."""
    first = min((id, *same))
    return "held out" if int(hashlib.sha256(first.encode()).hexdigest(), 16) % 2 else "fit"


def same_values(found: dict[str, dict]) -> dict[str, list[str]]:
    """For each row the ids that print the same value of the same phase of a machine and model."""
    by_value: dict[tuple, list[str]] = {}
    for id, row in found.items():
        key = row["machine"], row.get("model"), row["phase"], float(f"{row['value']:.3g}")
        by_value.setdefault(key, []).append(id)
    return {id: ids for ids in by_value.values() for id in ids}


# A row states its whole configuration; what its `ask` leaves out is this.
STATED = {
    "serving": {"pp": 1, "dp": 1, "batch": 1},
    "training": {"tp": 1, "pp": 1, "dp": 1, "microbatch": 1, "recompute": "selective"},
}


def stated(row: dict) -> dict:
    """The options of a row; of the best plan at a speed, no more than it says."""
    if row["phase"] in ("serving", "served"):  # the best plan, or the best batch of a plan
        return row["ask"] | {"intervals": False}
    phase = "training" if row["phase"] == "training" else "serving"
    # Neuron's libraries pad heads that their cores do not divide.
    padded = {"pads_heads": row["machine"] in ("trn1", "inf2", "trn2", "trn3-gen1")}
    return padded | STATED[phase] | row["ask"] | {"intervals": False}


def _without_plans(row: dict, plan: dict) -> dict:
    """A row of one of the plans that the publisher ran, the batch free."""
    return {k: v for k, v in row.items() if k != "plans"} | {"ask": row["ask"] | plan}


class DoesNotFit(ValueError):
    """A row whose configuration our memory check refuses."""


def _answer(ask, row: dict, options) -> dict:
    answer = json.loads(ask(row["model"], row["machine"], options))
    if answer["plan"] is None:
        raise DoesNotFit(f"{row['model']} on {row['machine']}: {answer['why']}")
    return answer


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
    if "plans" in row:
        best = [simulated(_without_plans(row, plan)) for plan in row["plans"]]
        return max(best)
    options = options_of(stated(row))
    if row["phase"] == "training":
        answer = _answer(_core.training_document, row, options)
        if row["unit"] == "TFLOPS/chip":
            return answer["values"]["mfu"]["value"] * PEAK_H100
        return answer["values"]["sequences_per_second"]["value"]
    try:
        answer = _answer(_core.serving_document, row, options)
    except DoesNotFit:
        if row["phase"] in ("serving", "served"):  # not at this speed
            return 0.0
        raise
    if row["phase"] == "served":
        return answer["values"]["tput_per_gpu"]["value"]
    if row["phase"] == "serving":  # of all tokens, as InferenceX counts
        values = answer["values"]
        share = values["tput_per_gpu"]["value"] / values["output_tput_per_gpu"]["value"]
        return values["output_tput_per_mw"]["value"] * share
    if row["phase"] == "tpot":  # of a server under load, whose steps wait for prefills
        return answer["values"]["mean_tpot"]["value"]
    if row["phase"] == "layer":
        return answer["phases"]["prefill"]["seconds"] / answer["model"]["layers"]
    return answer["phases"][row["phase"]]["seconds"]


# Stacks of software that are not the machine's usual one, by the figures they set. Of nki-llama,
# the script of a contest: the host works between steps (docs/deviations.md#a-contest-baseline);
# the median of its seven rows that were not held out asks for this step.
STACKS = {"nki-llama": ["fixed.step=3.79e6"]}  # ns


def with_software(row: dict) -> float:
    """simulated() as the machine's stack of software measures it (software.* of the machine)."""
    if row["phase"] not in ("prefill", "decode", "tpot", "layer"):
        return simulated(row)
    settings = STACKS[row["stack"]] if "stack" in row else []
    asked = {"software": True, "settings": [*row["ask"].get("settings", []), *settings]}
    return simulated(row | {"ask": row["ask"] | asked})


def published() -> dict[str, dict]:
    """The rows of the files by id; those of a GPU that was measured here come last."""
    found = tomllib.loads(DATA.read_text())
    if MEASURED.is_file():
        found |= tomllib.loads(MEASURED.read_text())
    return found


def rows() -> list[dict]:
    """Every row in the form of run.py, with `half` and `phase` besides."""
    found = []
    same = same_values(published())
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
                "software_error": with_software(row) / row["value"] - 1,
                "source": row["source"],
                "phase": row["phase"],
                "half": "derived" if row["phase"] == "collective" else half_of(id, same[id]),
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
