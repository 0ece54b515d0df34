"""Models of other packages, compiled for the device `neuron` beside the CPU: forward, and training
steps whose losses and first gradients are compared.

    python tools/torch_suite/models.py transformers          a suite of tools/torch_suite/suites
    python tools/torch_suite/models.py PATH/cases.py --steps 10 --optimizer AdamW   any other
    python tools/torch_suite/models.py timm --only resnet --verbose                 one model
    python tools/torch_suite/models.py timm --report                                totals

A suite is a Python file with `cases`: a dictionary of functions that return a model and what it is
called with. It is read up to that assignment; what comes behind is the file's own affair. Each case
runs in a process of its own. A run goes on where it was stopped. Exit code 1: numbers were wrong.
"""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import torch._dynamo
import torch_neuronx
from torch.utils._pytree import tree_flatten, tree_map

SUITES = Path(__file__).parent / "suites"
OUTPUT = Path("build/torch")
LOSS_TOLERANCE = 1e-4  # relative where a loss is larger than 1
# Of a tensor's largest element: results of float32 whose sums have another order.
RESULT_TOLERANCE = 1e-3
PARTS = ("forward", "step")
# How often inputs are changed, and by how much of each number: a few units in the last place.
SHAKES, SHAKE = 8, 5e-7
Case = Callable[[], tuple[torch.nn.Module, dict[str, Any]]]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", help="a name of tools/torch_suite/suites, or a path")
    parser.add_argument("--output", type=Path, help="rows (build/torch/SUITE.jsonl)")
    parser.add_argument("--only", action="append", default=[], help="a case's name; repeat")
    parser.add_argument("--count", type=int, help="the first cases alone")
    parser.add_argument("--steps", type=int, default=2, help="training steps (2)")
    parser.add_argument("--optimizer", default="SGD", help="of torch.optim (SGD)")
    parser.add_argument("--rate", type=float, default=1e-3, help="its lr (0.001)")
    parser.add_argument("--seconds", type=int, default=300, help="that a case has at most (300)")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--again", action="store_true", help="what failed before, too")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def suite_path(name: str) -> Path:
    path = Path(name) if name.endswith(".py") else SUITES / f"{name}_suite.py"
    if not path.is_file():
        known = ", ".join(sorted(each.stem.removesuffix("_suite") for each in SUITES.glob("*.py")))
        sys.exit(f"models.py: there is no suite {path}: give a path, or one of {known}")
    return path


def read_cases(path: Path) -> dict[str, Case]:
    """The file's `cases`; nothing behind that assignment is run."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for number, node in enumerate(tree.body):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(each, ast.Name) and each.id == "cases" for each in targets):
            tree.body = tree.body[: number + 1]
            scope: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
            exec(compile(tree, str(path), "exec"), scope)
            return scope["cases"]
    sys.exit(f"models.py: {path} assigns no `cases`")


def without_dropout(model: torch.nn.Module) -> torch.nn.Module:
    """Random numbers are not the CPU's: nothing is dropped."""
    for module in model.modules():
        for name, value in vars(module).items():
            if isinstance(value, float) and "drop" in name.replace("p", "drop", name == "p"):
                setattr(module, name, 0.0)
    return model


def floats_of(made: Any) -> list[torch.Tensor]:
    """The tensors of real numbers that a model returned."""
    made = made.to_tuple() if hasattr(made, "to_tuple") else made
    flat = tree_flatten(made)[0]
    return [x for x in flat if isinstance(x, torch.Tensor) and x.is_floating_point()]


def loss_of(made: Any) -> torch.Tensor:
    """The model's own where it has one, else a weighted mean of what it returned. Of squares the
    mean would be nearly the same whatever the parameters, where a norm comes last."""
    loss = getattr(made, "loss", None)
    if isinstance(loss, torch.Tensor):
        return loss.mean()
    total = torch.zeros(())
    for x in floats_of(made):
        weights = torch.arange(x.numel()).cos().reshape(x.shape).to(x.device)
        total = total.to(x.device) + (x.float() * weights).mean()
    return total


def prepare(
    case: Case, device: str, dtype: torch.dtype | None = None
) -> tuple[torch.nn.Module, dict[str, Any]]:
    """dtype: of the real numbers, others than the case's."""
    torch.manual_seed(0)
    model, given = case()

    def moved(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        return x.to(device, dtype if dtype and x.is_floating_point() else x.dtype)

    return without_dropout(model).to(device, dtype), tree_map(moved, given)


def run_forward(case: Case, device: str) -> list[torch.Tensor]:
    model, given = prepare(case, device)
    used = compiled(model.eval(), device)
    with torch.no_grad():
        return [x.detach().cpu() for x in floats_of(used(**given))]


def run_steps(
    case: Case,
    device: str,
    options: argparse.Namespace,
    seed: int = 0,
    dtype: torch.dtype | None = None,
) -> tuple[list[Any], list[Any]]:
    """Losses, and the gradients of the first step."""
    model, given = prepare(case, device, dtype)
    torch.manual_seed(seed)
    used = compiled(model.train(), device)
    parameters = [each for each in model.parameters() if each.requires_grad]
    optimizer = getattr(torch.optim, options.optimizer)(parameters, lr=options.rate)
    losses: list[float] = []
    gradients: list[Any] = []
    for _ in range(options.steps):
        optimizer.zero_grad()
        loss = loss_of(used(**given))
        loss.backward()
        if not losses and device == "neuron":
            options.graphs = count_graphs()  # later ones are of guards that failed
        if not gradients:
            gradients = [None if x.grad is None else x.grad.detach().cpu() for x in parameters]
        optimizer.step()
        losses.append(loss.item())
    return losses, gradients


def compiled(model: torch.nn.Module, device: str) -> Any:
    if device == "cpu":
        return model
    torch._dynamo.reset()
    return torch.compile(model, backend="neuron")


def difference(ours: list[Any], theirs: list[Any]) -> str:
    """What differs, or nothing. Tensors are compared by the largest number of all."""
    if len(ours) != len(theirs):
        return f"{len(ours)} tensors, not {len(theirs)}"
    largest = max((float(x.abs().max()) for x in theirs if x is not None and x.numel()), default=0)
    for a, b in zip(ours, theirs, strict=True):
        if (a is None) != (b is None):
            return "a gradient is missing"
        if a is None or a.numel() == 0:
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        scale = max(float(torch.nan_to_num(b).abs().max()), 1e-2 * largest, 1e-6)
        try:
            torch.testing.assert_close(a, b, rtol=0, atol=RESULT_TOLERANCE * scale, equal_nan=True)
        except AssertionError as error:
            return "numbers: " + " ".join(str(error).split())[:160]
    return ""


def loss_difference(ours: list[float], theirs: list[float]) -> str:
    for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if not abs(a - b) <= LOSS_TOLERANCE * max(1, abs(b)) and not (a != a and b != b):
            return f"loss {number + 1} of {len(theirs)} is {a:.7g}, not {b:.7g}"
    return ""


def count_graphs() -> int:
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]


def is_as_close(ours: Any, theirs: Any, exact: Any) -> bool:
    """Whether losses and gradients are as close to those of float64 as the CPU's are, which are
    also those of float32; rounding may have bad luck, within reason."""

    def error(made: Any) -> tuple[float, float]:
        losses = max(abs(a - b) for a, b in zip(made[0], exact[0], strict=True))
        pairs = [(a, b) for a, b in zip(made[1], exact[1], strict=True) if a is not None]
        scale = max(float(b.abs().max()) for _, b in pairs if b.numel())
        return losses, max(float((a - b).abs().max()) for a, b in pairs if b.numel()) / scale

    our_loss, our_gradient = error(ours)
    their_loss, their_gradient = error(theirs)
    return our_loss <= 4 * their_loss and our_gradient <= max(4 * their_gradient, 1e-5)


def is_shaken_as_far(case: Case, ours: Any, theirs: Any, options: argparse.Namespace) -> bool:
    """Whether the CPU's own losses and gradients move as far where its inputs change by some units
    in their last place: a step whose rounding decides is no test of numbers."""

    def moved(a: Any, b: Any) -> float:
        losses = max(abs(x - y) for x, y in zip(a[0], b[0], strict=True))
        pairs = [(x, y) for x, y in zip(a[1], b[1], strict=True) if x is not None and x.numel()]
        scale = max(float(y.abs().max()) for _, y in pairs)
        return max(losses, max(float((x - y).abs().max()) for x, y in pairs) / scale)

    for seed in range(SHAKES):
        draw = torch.Generator().manual_seed(seed)

        def shaken(draw: torch.Generator = draw) -> tuple[torch.nn.Module, dict[str, Any]]:
            model, given = case()

            def shake(x: Any) -> Any:
                if not isinstance(x, torch.Tensor) or not x.is_floating_point():
                    return x
                return x * (1 + SHAKE * torch.randn(x.shape, generator=draw))

            return model, tree_map(shake, given)

        if 2 * moved(run_steps(shaken, "cpu", options), theirs) >= moved(ours, theirs):
            return True
    return False


def check_forward(case: Case, options: argparse.Namespace) -> tuple[str, str]:
    different = difference(run_forward(case, "neuron"), run_forward(case, "cpu"))
    return ("wrong", different) if different else ("ok", "")


def check_step(case: Case, options: argparse.Namespace) -> tuple[str, str]:
    losses, gradients = run_steps(case, "neuron", options)
    theirs, others = run_steps(case, "cpu", options)
    different = loss_difference(losses, theirs) or difference(gradients, others)
    if different:
        again = run_steps(case, "cpu", options, seed=1)
        if loss_difference(again[0], theirs) or difference(again[1], others):
            return "ok", "draws random numbers: not compared"
        exact = run_steps(case, "cpu", options, dtype=torch.float64)
        if is_as_close((losses, gradients), (theirs, others), exact):
            return "ok", "steps amplify rounding: no further from float64 than the CPU"
        if is_shaken_as_far(case, (losses, gradients), (theirs, others), options):
            return "ok", "steps amplify rounding: the CPU's move as far with its inputs' last bits"
        return "wrong", different
    return "ok", f"{max(abs(a - b) for a, b in zip(losses, theirs, strict=True)):.1e}"


def cause_of(error: BaseException) -> tuple[str, str]:
    """ "refused" or "error", and why, without what differs from model to model."""
    error = getattr(error, "inner_exception", error)  # of Dynamo's BackendCompilerFailed
    if isinstance(error, torch_neuronx.TorchError):
        return "refused", error.found[:200]
    lines = str(error).strip().splitlines() or [""]
    return "error", f"{type(error).__name__}: {lines[0].strip()[:200]}"


def run_case(case: Case, options: argparse.Namespace, pipe: Connection) -> None:
    """In a process of its own: sends (part, kind, cause) and graph counts as they come."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with_cpu = {"forward": run_forward, "step": run_steps}
    for part, check in (("forward", check_forward), ("step", check_step)):
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        started = time.monotonic()
        options.graphs = 0
        try:
            outcome = check(case, options)
        except Exception as error:
            outcome = cause_of(error)
            if options.verbose:
                import traceback

                traceback.print_exc()
            try:
                arguments = (options,) if part == "step" else ()
                with_cpu[part](case, "cpu", *arguments)
            except Exception as theirs:
                outcome = ("not on the CPU", f"{type(theirs).__name__}: {str(theirs)[:160]}")
        counters = torch._dynamo.utils.counters
        pipe.send(
            {
                "part": part,
                "kind": outcome[0],
                "cause": outcome[1],
                "graphs": options.graphs or count_graphs(),
                "breaks": [" ".join(str(each).split())[:120] for each in counters["graph_break"]],
                "seconds": round(time.monotonic() - started, 1),
            }
        )


def run_apart(name: str, case: Case, options: argparse.Namespace) -> dict[str, Any]:
    """The case's row."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=run_case, args=(case, options, there))
    process.start()
    there.close()
    row: dict[str, Any] = {"case": name}
    limit = time.monotonic() + options.seconds
    try:
        while here.poll(max(limit - time.monotonic(), 0)):
            told = here.recv()
            row[told.pop("part")] = told
        lost = ("slow", f"over {options.seconds} s")
    except EOFError:
        process.join()
        lost = ("error", f"the process ended with {process.exitcode}")
    process.kill()
    process.join()
    for part in PARTS:
        row.setdefault(part, {"kind": lost[0], "cause": lost[1]})
    return row


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The last row of each case."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["case"]: row for row in rows}


def is_done(row: dict[str, Any] | None, again: bool) -> bool:
    if row is None:
        return False
    return not again or all(row[part]["kind"] in ("ok", "not on the CPU") for part in PARTS)


def main() -> int:
    options = parse()
    warnings.simplefilter("ignore")
    path = suite_path(options.suite)
    output = options.output or OUTPUT / f"{path.stem.removesuffix('_suite')}.jsonl"
    output.parent.mkdir(parents=True, exist_ok=True)
    rows = read(output)
    if options.report:
        return report(rows)
    cases = read_cases(path)
    names = [name for name in options.only or cases if name in cases][: options.count]
    with output.open("a", encoding="utf-8") as file:
        for name in names:
            if not options.only and is_done(rows.get(name), options.again):
                continue
            row = run_apart(name, cases[name], options)
            rows[name] = row
            file.write(json.dumps(row) + "\n")
            file.flush()
            print(line_of(row), flush=True)
    return report({name: row for name, row in rows.items() if name in names or not options.only})


def line_of(row: dict[str, Any]) -> str:
    parts = []
    for part in PARTS:
        told = row[part]
        parts.append(
            f"{part} {told['kind']} {told['cause']} "
            f"({told.get('graphs', '?')} graphs, {told.get('seconds', '?')} s)"
        )
    return f"{row['case']}: " + "; ".join(parts)


def report(rows: dict[str, dict[str, Any]]) -> int:
    """Totals by outcome and by cause. 1 where numbers are wrong."""
    wrong = 0
    for part in PARTS:
        kinds = Counter(row[part]["kind"] for row in rows.values())
        total = sum(kinds.values()) - kinds.pop("not on the CPU", 0)
        print(f"{part}: {total} models")
        for kind, count in kinds.most_common():
            print(f"  {kind:<8} {count:5}  {100 * count / max(total, 1):5.1f} %")
        causes = Counter(
            (row[part]["kind"], row[part]["cause"])
            for row in rows.values()
            if row[part]["kind"] not in ("ok", "not on the CPU")
        )
        for (kind, cause), count in causes.most_common(60):
            print(f"  {count:5}  {kind}: {cause}")
        graphs = Counter(row[part].get("graphs") for row in rows.values())
        several = ", ".join(f"{count} of {n}" for n, count in graphs.most_common() if n)
        print(f"  graphs: {several}")
        wrong += kinds["wrong"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
