"""Claims that the analytic model answers: whole models on whole systems, with prices and power.

Nothing here is a simulation of every instruction: each answer is a bracket of the planner.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from trainyard import _core, planner
from trainyard.claims.table import Answer, Answers, judged

ULTRASERVERS = ("trn3-gen2", "trn2-ultraserver")


def hinges_of(estimate: planner.Estimate) -> str:
    """The three figures that move an answer most."""
    return ", ".join(by.key for by in estimate.moved_by[:3])


def _judged(
    estimate: planner.Estimate,
    claimed: tuple[float, float],
    text: str,
    *,
    scale: float = 1,
    unit: str = "x",
) -> Answer:
    low, high = estimate.low, estimate.high
    if estimate.p10 is not None and estimate.p90 is not None:
        low, high = min(estimate.p10, estimate.value), max(estimate.p90, estimate.value)
    return judged(
        "model",
        (scale * low, scale * estimate.value, scale * high),
        claimed,
        text,
        unit=unit,
        hinges=hinges_of(estimate),
        chance=estimate.chance(claimed[0] / scale, claimed[1] / scale),
    )


def _ratio(
    claimed: tuple[float, float],
    text: str,
    value: str,
    *,
    model: str = "llama3-70b",
    of: tuple[str, str] = ULTRASERVERS,
    phase: str = "serving",
    scale: float = 1,
    **options: object,
) -> Callable[[], Answer]:
    """An answer to "so many times", of the first of two machines over the second."""

    def answer() -> Answer:
        found = planner.ratio(model, *of, phase=phase, **options)[value]
        return _judged(found, claimed, text, scale=scale)

    return answer


def _seventy_billion() -> Answer:
    row = planner.compare("llama3-70b", ["trn3-gen2"], tp=16, batch=8)["trn3-gen2"]
    text = "Llama 3.1 70B in FP8 on 16 chips, 8 requests of 1k/1k at once, prefills included"
    return _judged(row.values["mean_tpot"], (0, 30), text, scale=1000, unit="ms")


def _ownership() -> Answer:
    rate = planner.ratio("llama3-8b", "trn3-gen2", "gb300-nvl72", tp=1, batch=1)["usd_per_gpu_hour"]
    text = (
        "owner's cost of a chip and hour over its marketed FP8, both by the same formula; the "
        "capital cost of Trainium3 was itself derived from this claim, so this only checks that "
        "the price list is consistent"
    )
    return _judged(rate, (0.65, 0.75), text, scale=5000 / 2517)


def _manufacturing() -> Answer:
    ours, theirs = (_core.manufacturing(chip)["total"] for chip in ("trn3", "b200"))
    interval = (ours[0] / theirs[2], ours[1] / theirs[1], ours[2] / theirs[0])
    text = f"{ours[1]:,.0f} over {theirs[1]:,.0f} USD: dies, memory, package, test; no margin"
    return judged("model", interval, (0.45, 0.55), text, hinges="bom.trn3.die_area, bom.hbm_price")


def _utilisation() -> Answer:
    row = planner.compare(
        "llama3-70b", ["trn3-gen2"], phase="training", chips=576, global_batch=1152
    )
    text = (
        "model FLOPs utilisation of a BF16 training step on 576 chips; public GPU runs 38 to 43 %"
    )
    return _judged(row["trn3-gen2"].values["mfu"], (95, 100), text, scale=100, unit="%")


def _four_bits() -> Answer:
    sizes = {
        weights: planner.fit("llama3-405b", on="trn3-gen2", weights=weights).serving
        for weights in ("fp8", "fp4")
    }
    cost = {
        weights: planner.compare("llama3-405b", ["trn3-gen2"], weights=weights)["trn3-gen2"].values[
            "usd_per_million_output_tokens"
        ]
        for weights in sizes
    }
    ratio = cost["fp4"].value / cost["fp8"].value
    chips = {weights: layout.plan["chips"] for weights, layout in sizes.items()}
    text = (
        f"Llama 405B fits {chips['fp8']:.0f} chips in FP8 and {chips['fp4']:.0f} in FP4, and a "
        f"token costs {ratio:.2f}x where memory bounds decoding; MXFP4 computes at the rate of "
        "MXFP8, so a prefill gains nothing"
    )
    return judged(
        "model",
        (ratio, ratio, ratio),
        (0.45, 0.55),
        text,
        hinges="point estimate: both sides share every figure; reach.memory, reach.prefill",
    )


def _four_bit_training() -> Answer:
    of = {
        form: planner.compare(
            "llama3-70b",
            ["trn3-gen2"],
            "training",
            chips=576,
            global_batch=1152,
            training_format=form,
        )["trn3-gen2"].values["tokens_per_second"]
        for form in ("fp8", "fp4")
    }
    saved = 100 * (1 - of["fp8"].value / of["fp4"].value)
    text = "time saved by FP4 against FP8: MXFP4 has the rate of MXFP8 on Trainium3"
    return judged("model", (saved, saved, saved), (30, 40), text, unit="%", hinges="compute.fp4")


def _largest() -> Answer:
    fit = planner.fit("moe-1t", on="trn3-gen2", weights="fp8").serving
    chips = fit.plan["chips"]
    text = f"a trillion parameters in FP8 fit {chips:.0f} of the 144 chips for serving"
    return judged("model", (chips, chips, chips), (1, 144), text, unit="chips")


def _experts() -> Answer:
    """The same exchange of experts, plan and batch on both fabrics."""
    seconds = {}
    for machine in ULTRASERVERS:
        row = planner.compare("deepseek-v3", [machine], tp=1, dp=64, batch=2048)[machine]
        seconds[machine] = row.document["phases"]["decode"]["collective"]
    ratio = seconds["trn2-ultraserver"] / seconds["trn3-gen2"]
    text = (
        "collectives of a decode step of DeepSeek-V3 with experts over 64 chips, by link rates; "
        "the torus forwards (3 hops on average), the switches do not, but half of the exchange of "
        "72 chips and more crosses the rack at 128 GB/s a chip"
    )
    return judged(
        "model",
        (ratio, ratio, ratio),
        (1.05, math.inf),
        text,
        hinges="point estimate by link bound: scale_up.all_to_all, fixed.collective",
    )


_TRAINING = {"phase": "training", "chips": 576, "global_batch": 1152, "training_format": "fp8"}

ANSWERS: Answers = {
    "C03": _ratio(
        (4, math.inf),
        "joules of an output token, Trn2 over Trn3: estimated energies, not measured",
        "joules_per_output_token",
        of=("trn2-ultraserver", "trn3-gen2"),
    ),
    "C04": _ratio(
        (1.95, math.inf),
        "output tokens a provisioned megawatt, Llama 70B at 30 tok/s a user",
        "output_tput_per_mw",
        of=("trn3-gen2", "trn2"),
    ),
    "C14": _experts,
    "C15": _ratio(
        (3.9, math.inf),
        "Llama 70B training in FP8, both with 576 chips, times 144 over 64 for the UltraServers",
        "tokens_per_second_per_gpu",
        scale=144 / 64,
        **_TRAINING,
    ),
    "C16": _ratio(
        (3.8, math.inf),
        "ViT-Large images a second and chip in BF16, whose rate did not change",
        "samples_per_second_per_gpu",
        model="vit-large",
        of=("trn3-gen2", "trn2"),
    ),
    "C17": _ratio(
        (3.9, math.inf),
        "time of a token of Llama 70B on 16 chips, one request, Trn2 over Trn3",
        "mean_tpot",
        of=("trn2-ultraserver", "trn3-gen2"),
        tp=16,
        batch=1,
    ),
    "C18": _ratio(
        (2.9, math.inf),
        "output a chip of gpt-oss 120B at 30 tok/s a user",
        "output_tput_per_gpu",
        model="gpt-oss-120b",
        of=("trn3-gen2", "trn2"),
    ),
    "C19": _ratio(
        (5, math.inf),
        "output tokens of gpt-oss 120B a provisioned megawatt, at 30 tok/s a user",
        "output_tput_per_mw",
        model="gpt-oss-120b",
    ),
    "C20": _seventy_billion,
    "C21": _ratio(
        (0, 0.5),
        "owner's dollars a million output tokens of Llama 70B, Trn3 over B200; 'up to' 50 % lower",
        "usd_per_million_output_tokens",
        of=("trn3-gen2", "b200"),
    ),
    "C22": _ratio(
        (0.6, 0.7),
        "Capacity Block dollars a million output tokens of Llama 70B, Trn2 over H200: 30 to 40 % "
        "better is 0.6 to 0.7",
        "usd_per_million_output_tokens",
        of=("trn2", "h200"),
        price="capacity_block",
    ),
    "C24": _ownership,
    "C27": _ratio(
        (0, 0.6),
        "provisioned joules of an output token of Llama 70B, Trn3 over Trn2",
        "provisioned_joules_per_output_token",
    ),
    "C28": _manufacturing,
    "C29": _utilisation,
    "C30": _four_bits,
    "C31": _four_bit_training,
    "C32": _ratio(
        (3.9, math.inf),
        "videos a second and chip of Wan 2.1 14B in BF16 against H100; the customer's model and "
        "GPU are not stated",
        "samples_per_second_per_gpu",
        model="wan-14b",
        of=("trn3-gen2", "h100"),
    ),
    "C33": _largest,
}
