"""Models of other packages, compiled for the device `neuron` beside the CPU: forward, and training
steps whose losses are, and the first one's gradients and changes of parameters and statistics.
judge.py says what is right.

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
import itertools
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
import judge
import numpy
import sums
import torch
import torch._dynamo
import torch_neuronx
from functorch.compile import make_boxed_func
from made import Made, changes, copies, stepped
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch.utils._pytree import tree_flatten, tree_map
from totals import PARTS, is_done, line_of, read, report

SUITES = Path(__file__).parent / "suites"
OUTPUT = Path("build/torch")
SHAKE = 1.2e-7  # of each number: about a unit in the last place
WAIT = 8  # times the processor time: for a process that waits, or a host that others load
LATER = "later losses"  # which a first step may send anywhere, where it is long
Case = Callable[[], tuple[torch.nn.Module, dict[str, Any]]]
Run = Callable[[Case, str, Any], dict[str, "Made"]]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", help="a name of tools/torch_suite/suites, or a path")
    parser.add_argument("--output", type=Path, help="rows (build/torch/SUITE.jsonl)")
    parser.add_argument("--only", action="append", default=[], help="a case's name; repeat")
    parser.add_argument("--count", type=int, help="the first cases alone")
    parser.add_argument("--seed", type=int, help="in an order drawn by it: --count is a sample")
    parser.add_argument("--part", action="append", choices=PARTS, help="that alone (both)")
    parser.add_argument("--steps", type=int, default=2, help="training steps (2)")
    parser.add_argument("--optimizer", default="SGD", help="of torch.optim (SGD)")
    parser.add_argument("--rate", type=float, default=1e-3, help="its lr (0.001)")
    parser.add_argument(
        "--seconds", type=int, default=300, help="of processor time that a case has at most (300)"
    )
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--again", action="store_true", help="what failed before, too")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.part = options.part or PARTS
    return options


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
    """The model's own where it has one, else a weighted mean of a function of what it returned that
    is positive, so that its terms do not cancel. Of squares the mean would be nearly the same
    whatever the parameters, where a norm comes last."""
    loss = getattr(made, "loss", None)
    if isinstance(loss, torch.Tensor):
        return loss.mean()
    total = torch.zeros(())
    for x in floats_of(made):
        x = x if x.dtype == torch.float64 else x.float()
        weights = (torch.arange(x.numel()).cos() + 1.5).reshape(x.shape).to(x.device)
        total = total.to(x.device) + (torch.nn.functional.softplus(x) * weights).mean()
    return total


@dataclass(frozen=True)
class How:
    """How a case is run: the seed of what it draws; the type of its real numbers, if another;
    shake: 0, or which change of their last places; strength: how many times as much; whether batch
    norms have fixed statistics; whether operators are taken apart on the CPU, too, whose
    own may sum in float64, and their sums are taken one number after the other."""

    draw: int = 0
    fixes_norms: bool = False
    dtype: torch.dtype | None = None
    shake: int = 0
    strength: int = 1
    decomposes: bool = False
    in_sequence: bool = False


def prepare(case: Case, device: str, how: How) -> tuple[torch.nn.Module, dict[str, Any]]:
    torch.manual_seed(0)
    model, given = case()
    awake(model)
    if how.shake:
        draw = torch.Generator().manual_seed(how.shake)
        for each in model.parameters():
            each.data = shaken(each.data, draw, how.strength)
        given = tree_map(lambda x: shaken(x, draw, how.strength), given)

    def moved(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        return x.to(device, how.dtype if how.dtype and x.is_floating_point() else x.dtype)

    return without_dropout(model).to(device, how.dtype), tree_map(moved, given)


def awake(model: torch.nn.Module) -> None:
    """Weights that begin at zero, or scales of layers at 1e-6, would hide what is before them."""
    for name, each in model.named_parameters():
        if each.numel() and not name.endswith("bias") and float(each.detach().abs().max()) < 1e-3:
            torch.nn.init.normal_(each, std=0.1)


def shaken(x: Any, draw: torch.Generator, strength: int) -> Any:
    if not isinstance(x, torch.Tensor) or not x.is_floating_point():
        return x
    return x * (1 + strength * SHAKE * torch.randn(x.shape, generator=draw))


def seed(number: int) -> None:
    torch.manual_seed(number)
    numpy.random.seed(number)  # by which transformers draws what is masked


def run_forward(case: Case, device: str, how: How) -> dict[str, Made]:
    model, given = prepare(case, device, how)
    used = compiled(model.eval(), device, how)
    seed(how.draw)
    with torch.no_grad():
        return {"results": Made([x.detach().cpu() for x in floats_of(used(**given))])}


def run_steps(case: Case, device: str, how: How, options: argparse.Namespace) -> dict[str, Made]:
    model, given = prepare(case, device, how)
    seed(how.draw)
    model.train()
    for each in model.modules():
        if how.fixes_norms and isinstance(each, torch.nn.modules.batchnorm._BatchNorm):
            each.eval()
    used = compiled(model, device, how)
    parameters = [each for each in model.parameters() if each.requires_grad]
    statistics = [x for x in model.buffers() if x.is_floating_point()]
    before = copies(parameters), copies(statistics)
    optimizer = getattr(torch.optim, options.optimizer)(parameters, lr=options.rate)
    losses: list[Any] = []
    gradients: list[Any] = []
    after: tuple[list[Any], ...] = ()
    for _ in range(options.steps):
        optimizer.zero_grad()
        loss = loss_of(used(**given))
        loss.backward()
        if not losses and device == "neuron":
            options.graphs = count_graphs()  # later ones are of guards that failed
        if not gradients:
            gradients = [None if x.grad is None else x.grad.detach().cpu() for x in parameters]
        optimizer.step()
        after = after or (copies(parameters), copies(statistics))
        losses.append(loss.detach().cpu())
    right = (
        stepped(before[0], gradients, options.optimizer, options.rate)
        if device == "neuron"
        else None
    )
    return {
        "loss": Made(losses[:1]),
        "gradients": Made(gradients),
        "changes": changes(before[0], after[0], right),
        "statistics": changes(before[1], after[1]),
        LATER: Made(losses[1:]),
    }


def compiled(model: torch.nn.Module, device: str, how: How) -> Any:
    if device != "cpu":
        torch._dynamo.reset()
        torch._dynamo.utils.counters["stats"].clear()  # of a run before, whose graphs are the same
        return torch.compile(model, backend="neuron")
    if not how.decomposes:
        return model
    torch._dynamo.reset()

    def as_it_is(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        if how.in_sequence:
            sums.take_in_sequence(graph)
        return make_boxed_func(graph.forward)

    apart = aot_autograd(fw_compiler=as_it_is, decompositions=core_aten_decompositions())
    return torch.compile(model, backend=apart)


def count_graphs() -> int:
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]


def check(run: Run, case: Case) -> tuple[str, str]:
    """What became of a case: see judge.py. Where float32 does not determine what batch norms of few
    numbers make of it, which shows little, their statistics are fixed instead."""
    kind, cause = check_with(How(), run, case)
    if kind == "unstable":
        kind, words = check_with(How(fixes_norms=True), run, case)
        cause = f"fixed statistics of norms: {words} ({cause})"
    return kind, cause


def check_with(how: How, run: Run, case: Case) -> tuple[str, str]:
    ours = run(case, "neuron", how)
    plain = run(case, "cpu", how)
    _leave_out_zeros(ours, plain)
    for name, made in ours.items():
        kinds = [[None if x is None else x.dtype for x in y.tensors] for y in (made, plain[name])]
        if kinds[0] != kinds[1]:
            return "wrong", f"{name}: {kinds[0]}, not {kinds[1]}"[:200]
    exact = run_exact(run, case, how)
    runs = CpuRuns(run, case, how, plain, exact is None)
    notes = []
    for name, made in ours.items():
        right = (exact or plain)[name]
        if made.right is not None:
            verdict = judge.judge(made.tensors, made.right, (), made.wholes)
        else:
            verdict = judge.judge(made.tensors, right.tensors, runs.of(name), right.wholes)
        if verdict.kind == "unstable" and name == LATER:
            notes.append(f"{name} not determined by float32")
            continue
        if verdict.kind != "ok":
            if draws(run, case, how, plain):
                return "not compared", "draws random numbers"
            return verdict.kind, f"{name}: {verdict.cause}"
        noise = "" if verdict.noise is None else f" (the CPU's {verdict.noise:.0e})"
        notes.append(f"{name} {verdict.error:.0e}{noise}")
    return "ok", ", ".join(notes)


def _leave_out_zeros(ours: dict[str, Made], plain: dict[str, Made]) -> None:
    """AOTAutograd gives zeros to what a later graph does not use, where autograd gives nothing."""
    for name, made in ours.items():
        for i, right in enumerate(plain[name].tensors):
            if right is None and made.tensors[i] is not None and not made.tensors[i].any():
                made.tensors[i] = None


def run_exact(run: Run, case: Case, how: How) -> dict[str, Made] | None:
    """In float64; None for a model that has no such, as where a mask in float32 is made of
    float64's lowest number."""
    try:
        made = run(case, "cpu", replace(how, dtype=torch.float64))
    except Exception:
        return None
    return made if all(map(_is_finite, made.values())) else None


def _is_finite(made: Made) -> bool:
    return all(x is None or bool(torch.isfinite(x).all()) for x in made.tensors)


def draws(run: Run, case: Case, how: How, plain: dict[str, Made]) -> bool:
    """Whether the CPU's numbers depend on the generator's state."""
    other = run(case, "cpu", replace(how, draw=1))
    return any(
        a is not None and not torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
        for name in plain
        for a, b in zip(plain[name].tensors, other[name].tensors, strict=True)
    )


class CpuRuns:
    """The CPU's results in float32, made when they are asked for: as they are, then with operators
    taken apart, then with sums in sequence, then of inputs and parameters whose last places were
    changed, by one unit and by as many as ours may be off."""

    def __init__(self, run: Run, case: Case, how: How, plain: Any, skips_plain: bool) -> None:
        self._run, self._case, self._how = run, case, how
        self._made = [] if skips_plain else [(How(), plain)]
        strengths = itertools.cycle((1, judge.TIMES))
        shaken = (
            replace(how, shake=number, strength=strength)
            for number, strength in zip(itertools.count(1), strengths, strict=False)
        )
        apart = replace(how, decomposes=True)
        self._hows = itertools.chain([apart, replace(apart, in_sequence=True)], shaken)

    def of(self, name: str) -> Iterator[list[Any] | judge.Strong]:
        for number in itertools.count():
            if number == len(self._made):
                how = next(self._hows)
                self._made.append((how, self._run(self._case, "cpu", how)))
            how, made = self._made[number]
            tensors = made[name].tensors
            yield tensors if how.strength == 1 else judge.Strong(tensors)


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
    resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds + 5))
    parts: dict[str, Run] = {
        "forward": run_forward,
        "step": lambda *given: run_steps(*given, options),
    }
    for part in options.part:
        run = parts[part]
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        started = time.process_time()
        options.graphs = 0
        try:
            outcome = check(run, case)
        except Exception as error:
            outcome = cause_of(error)
            if options.verbose:
                import traceback

                traceback.print_exc()
            try:
                run(case, "cpu", How())
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
                "seconds": round(time.process_time() - started, 1),
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
    slow = ("slow", f"over {options.seconds} s of processor time")
    limit = time.monotonic() + WAIT * options.seconds
    try:
        while here.poll(max(limit - time.monotonic(), 0)):
            told = here.recv()
            row[told.pop("part")] = told
        lost = slow
    except EOFError:
        process.join()
        is_slow = process.exitcode == -signal.SIGXCPU
        lost = slow if is_slow else ("error", f"the process ended with {process.exitcode}")
    process.kill()
    process.join()
    for part in options.part:
        row.setdefault(part, {"kind": lost[0], "cause": lost[1]})
    return row


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
    names = [name for name in options.only or cases if name in cases]
    if options.seed is not None:
        random.Random(options.seed).shuffle(names)
    names = names[: options.count]
    with output.open("a", encoding="utf-8") as file:
        for name in names:
            if not options.only and is_done(rows.get(name, {}), options):
                continue
            row = run_apart(name, cases[name], options)
            rows.setdefault(name, {}).update(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
            print(line_of(row), flush=True)
    return report({name: row for name, row in rows.items() if name in names or not options.only})


if __name__ == "__main__":
    sys.exit(main())
