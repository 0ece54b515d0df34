"""trainyard plan train: the best ways to train a model on a number of chips."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import trainyard
from trainyard.commands import exit_codes, given, output
from trainyard.commands.amounts import amount
from trainyard.commands.progress import Progress
from trainyard.files import write_whole

HELP = "the fastest layouts of a training run: memory, time by parts, days, energy and dollars"
EXAMPLES = (
    (
        "trainyard plan train llama3-405b --on trn3-gen2 --chips 16384 --tokens 15.6e12",
        "every layout over 16,384 chips, the best by parts, with interruptions",
    ),
    (
        "trainyard plan train llama3-70b --on trn2 --chips 1024,2048,4096 --tokens 15e12 "
        "--figure days.svg",
        "days against dollars for three sizes of cluster",
    ),
    (
        "trainyard plan train llama3-70b --on trn1 --chips 512 --tokens 15e12 --zero 1 "
        "--schedule 1f1b --nxd plan.yaml",
        "the best plan that NeuronX Distributed Training runs, as its configuration",
    ),
    (
        "trainyard plan train llama3-8b --on h100 --chips 64 --tokens 1e12 --plan train.toml",
        "what a TorchTitan configuration would take",
    ),
)
_CHOSEN = ("recompute", "schedule", "placement")
ALIKE = ("training_format", "settings", "sum_fp32", "pads_heads")  # of a step, as it was searched
# What plan_training() calls it, and what it is called here.
NAMES = {"training_format": "format", "idle_share": "idle", "kept": "top"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this action's arguments."""
    add = parser.add_argument
    add("model", help="a name (see trainyard compare --list) or a config.json")
    add("--on", required=True, metavar="MACHINE", help="one of the compared machines")
    add("--chips", required=True, metavar="N[,N]", help="chips of the run, or several to compare")
    add("--tokens", type=amount, required=True, metavar="N", help="of the whole run")
    add("--global-batch", type=int, metavar="N", help="sequences of a step; 16 Mi tokens of them")
    add("--sequence", type=int, metavar="TOKENS", help="of a sequence; 8192")
    add("--format", metavar="FORMAT", help="of products: bf16, fp8 or fp4; bf16")
    add("--gradients", metavar="FORMAT", help="that microbatches add to: fp32 or bf16; fp32")
    add("--moments", metavar="FORMAT", help="of the optimizer: fp32 or bf16; fp32")
    add("--sum-fp32", action="store_true", default=None, help="add tensor parallel sums in fp32")
    add("--pads-heads", action="store_true", default=None, help="let tp pad heads")
    _add_fixed(parser)
    add("--price", metavar="BASIS", help="own, on_demand, spot, contract, ...; own")
    add("--region", metavar="NAME", help="a region of the price list")
    add("--set", action="append", metavar="KEY=NUMBER", dest="settings", help="override a figure")
    add("--calibrate", metavar="FILE", help="measurements of your own that figures are fitted to")
    add("--exact", action="store_true", help="simulate the layers of the best three; needs JAX")
    add("--top", type=int, default=100, metavar="N", help="plans in --csv and --json; 100")
    add("--csv", metavar="FILE", help="write every plan, one a line")
    add("--figure", metavar="FILE", help="write dollars over days as FILE.svg or FILE.png")
    add("--tornado", metavar="FILE", help="write what moves the days as FILE.svg or FILE.png")
    add("--page", metavar="FILE.html", help="write one page with plots and inputs")
    add("--plan", metavar="FILE", help="take a plan: TorchTitan's TOML, or nxd's YAML or JSON")
    add("--torchtitan", metavar="FILE", help="write the best plan as TorchTitan's TOML")
    add("--nxd", metavar="FILE", help="write the best plan as nxd's YAML, or JSON for FILE.json")
    parser.set_defaults(names=NAMES)


def _add_fixed(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    for name, what in (
        ("tp", "chips that share each layer"),
        ("cp", "chips that share each sequence"),
        ("ep", "chips that share the experts, among cp x dp"),
        ("pp", "stages"),
        ("dp", "replicas"),
    ):
        add(f"--{name}", type=int, metavar="N", help=f"{what}; else all are tried")
    add("--zero", type=int, metavar="0-3", help="what replicas share out; else all are tried")
    add("--copies", type=int, metavar="N", help="of what ZeRO shares out (hybrid sharding); all")
    add("--microbatch", type=int, metavar="N", help="sequences of a microbatch; else 1 to 8")
    add("--interleave", type=int, metavar="N", help="pieces of a stage; else all")
    add("--recompute", metavar="WHAT", help="none, selective, mlp or full; else all")
    add("--schedule", metavar="NAME", help="1f1b, zb-h1 or zb-h2; else all")
    add("--placement", metavar="ORDER", help="tp-cp-pp-dp or tp-cp-dp-pp; else both")
    add("--idle", type=float, metavar="SHARE", help="of chips that may lack work; 0.05")
    add("--spares", type=int, metavar="N", help="chips that stand by; as many as it takes")
    add("--power-cap", type=float, metavar="KW", help="that all chips may draw, spares included")


def run(options: argparse.Namespace) -> int:
    """Runs the action."""
    from trainyard.planner import plans

    given.check_ranges(options, {"global_batch": (1, 1e12), "power_cap": (1e-6, 1e12)})
    asked = _asked(options)
    found = plans.plan_training(
        options.model, options.on, _counts(options.chips), options.tokens, **asked
    )
    checked = _simulate(options, found, asked) if options.exact and found.best else []
    if options.json:
        _write_files(options, found)
        output.write_json(
            "trainyard.plan_train/1",
            {key: one for key, one in found.as_dict().items()} | {"simulated": checked},
        )
    else:
        print(found)
        for one in checked:
            print(one["text"])
        sys.stdout.flush()
        _write_files(options, found)  # which may not be able to say what was found
    return exit_codes.OK if found.best else exit_codes.DOES_NOT_FIT


def _counts(text: str) -> list[int]:
    try:
        counts = [_whole(word) for word in text.split(",")]
    except (ValueError, OverflowError):
        raise trainyard.UsageError(f"--chips is a whole number, or several: {text!r}") from None
    if any(count < 1 for count in counts) or len(set(counts)) < len(counts):
        raise trainyard.UsageError(f"--chips are different numbers of 1 and more, not {text}")
    return counts


def _whole(word: str) -> int:
    """Of a number such as 1e5. Raises ValueError for one that is not whole."""
    if int(value := float(word)) != value:
        raise ValueError
    return int(value)


def _bytes_of(options: argparse.Namespace, name: str, sizes: dict[str, float]) -> float | None:
    word = getattr(options, name)
    if word is None:
        return None
    if word not in sizes:
        raise trainyard.UsageError(f"--{name} is {' or '.join(sizes)}, not {word}")
    return sizes[word]


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    from trainyard.planner import calibration, plan_files
    from trainyard.planner.plans import SIZES

    asked: dict[str, Any] = {}
    if options.plan:
        shape = described(options.model, options.on)
        asked = plan_files.read_plan(options.plan, shape["logical_cores"], shape["layers"])
    given = {
        name: getattr(options, name)
        for name in (
            *SIZES,
            "global_batch",
            "sequence",
            "zero",
            "copies",
            "microbatch",
            "interleave",
            *_CHOSEN,
            "spares",
            "price",
            "region",
            "sum_fp32",
            "pads_heads",
        )
    }
    given |= {
        **{name: getattr(options, one) for name, one in NAMES.items()},
        "power_cap": None if options.power_cap is None else 1e3 * options.power_cap,
        "gradient_bytes": _bytes_of(options, "gradients", {"fp32": 4.0, "bf16": 2.0}),
        "state_bytes": _bytes_of(options, "moments", {"fp32": 12.0, "bf16": 8.0}),
        "settings": calibration.settings_of(options.calibrate, options.on, options.settings),
    }
    return asked | {name: value for name, value in given.items() if value is not None}


def described(model: str, machine: str) -> dict[str, int]:
    """What files of plans need to know of a model and a machine."""
    from trainyard import _core
    from trainyard.planner.weight_files import resolve

    figures = {
        one["key"]: one["value"]
        for one in json.loads(_core.accelerator_document(machine))["figures"]
    }
    return {
        "layers": json.loads(_core.model_document(resolve(model)))["model"]["layers"],
        "logical_cores": int(figures["chip.logical_cores"]),
        "chips_of_box": int(figures["system.chips"]),
    }


def _write_files(options: argparse.Namespace, found: Any) -> None:
    from trainyard.planner import plan_files

    if options.csv:
        write_whole(options.csv, found.as_csv().encode())
    if options.figure:
        found.figure().save(options.figure)
    if options.page:
        found.save_page(options.page, shlex.join(["trainyard", *sys.argv[1:]]))
    if not found.best:
        return
    if options.tornado:
        found.tornado().save(options.tornado)
    shape = described(options.model, options.on)
    if options.torchtitan:
        text = plan_files.write_torchtitan(found.best, shape["layers"])
        write_whole(options.torchtitan, text.encode())
    if options.nxd:
        cores = shape["logical_cores"]
        document = plan_files.write_nxd(found.best, cores, cores * shape["chips_of_box"])
        is_json = Path(options.nxd).suffix.lower() == ".json"
        text = json.dumps(document, indent=1) if is_json else plan_files.as_yaml(document)
        write_whole(options.nxd, text.encode())


def _simulate(
    options: argparse.Namespace, found: Any, asked: dict[str, Any]
) -> list[dict[str, Any]]:
    """The step of each of the best three plans by simulated layers, beside the modelled one."""
    from trainyard.planner import exact

    ranked = sorted(found, key=lambda one: one.values["elapsed_days"])
    progress = Progress(None)
    result = []
    able = [one for one in ranked if one.cp * one.ep == 1][:3]
    if not able:
        why = "none of these plans is without context and expert parallelism (--cp 1 --ep 1)"
        return [{"plan": "", "why": why, "text": f"no layers were simulated: {why}"}]
    for plan in able:
        shape = {name: getattr(plan, name) for name in ("tp", "pp", "dp", "zero", "interleave")}
        same = {name: asked[name] for name in ALIKE if name in asked}
        try:
            row = exact.compare(
                options.model,
                [options.on],
                "training",
                chips=plan.chips,
                microbatch=plan.microbatch,
                recompute=plan.recompute,
                global_batch=plan.workload["global_batch"],
                sequence=plan.workload["sequence"],
                tokens=options.tokens,
                tell=progress.tell,
                plans=1,
                intervals=False,
                **shape,
                **same,
            )[options.on]
        finally:
            progress.clear()
        result.append(_checked(plan, row))
    return result


def _checked(plan: Any, row: Any) -> dict[str, Any]:
    name = f"tp {plan.tp}, pp {plan.pp}, dp {plan.dp}"
    if row.plan is None or not row.analytic:
        why = row.why or (row.exact if isinstance(row.exact, str) else "no layer was simulated")
        return {"plan": name, "why": why, "text": f"{name}: not simulated: {why}"}
    simulated = row.values["step_seconds"].value
    modelled = row.analytic["step_seconds"].value
    return {
        "plan": name,
        "simulated": simulated,
        "modelled": modelled,
        "text": f"{name}: a step of {simulated:.3f} s with simulated layers, {modelled:.3f} s "
        f"modelled ({100 * (simulated / modelled - 1):+.0f} %)",
    }
