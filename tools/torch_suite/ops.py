"""PyTorch's own samples of its operators (op_db), on the device `neuron` beside the CPU.

    python tools/torch_suite/ops.py --output build/torch/ops.jsonl   all: goes on where it stopped
    python tools/torch_suite/ops.py --every 10 --samples 1           a fixed tenth of the operators
    python tools/torch_suite/ops.py --only softmax --verbose         one operator
    python tools/torch_suite/ops.py --report                         totals of what was run

Each operator runs in float32, bfloat16, int64 and bool where it takes them, forward, and backward
in float32. Exit code 1: numbers were wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("PYTORCH_TESTING_DEVICE_ONLY_FOR", "cpu")
import torch
import torch_neuronx
from torch.testing._internal import common_methods_invocations
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import SampleInput
from torch.utils._pytree import tree_flatten, tree_map

DTYPES = (torch.float32, torch.bfloat16, torch.int64, torch.bool)
# Left out: what is complex or sparse, and what has no values to compare.
FAMILIES_OUT = ("sparse.", "torch.ops.aten._efficient")
NAMES_OUT = {
    "empty",
    "empty_like",
    "empty_strided",
    "empty_permuted",
    "new_empty",
    "new_empty_strided",
    "view_as_complex",
    "view_as_real",
    "complex",
    "polar",
    "stft",
    "istft",
    "to_sparse",
    "resize_",
    "resize_as_",
    "cdouble",
    "cfloat",
    "chalf",
    "double",
}
SECONDS_MAX = 40
TOLERANCES = {
    torch.float32: (2e-4, 2e-4),
    torch.bfloat16: (4e-2, 4e-2),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (2e-4, 2e-4),
}
# Which of equal elements they name is not said: their values are compared alone.
TIES = {"sort", "argsort", "topk", "kthvalue", "mode", "median", "nanmedian", "msort"}


# Samples of random operators set a seed of their own, so that two runs would look alike.
common_methods_invocations.wrapper_set_seed = lambda op, *args, **kwargs: op(*args, **kwargs)
SPLITS = {"tensor_split"}


class Slow(Exception):
    """A sample took too long."""


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/torch/ops.jsonl"))
    parser.add_argument("--only", action="append", default=[], help="an operator's name; repeat")
    parser.add_argument("--every", type=int, default=1, help="each n-th operator")
    parser.add_argument("--samples", type=int, default=3, help="of each operator and type (3)")
    parser.add_argument("--seed", type=int, default=0, help="of samples, and which n-th (0)")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def chosen(options: argparse.Namespace) -> list[Any]:
    """The operators to run."""
    found = [
        op for op in op_db if op.name not in NAMES_OUT and not op.name.startswith(FAMILIES_OUT)
    ]
    if options.only:
        return [op for op in found if {op.name, full_name(op)} & set(options.only)]
    return found[options.seed % options.every :: options.every]


def full_name(op: Any) -> str:
    """With the variant: "polygamma.polygamma_n_1"."""
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def samples_of(op: Any, dtype: torch.dtype, count: int, seed: int) -> Iterator[Any]:
    torch.manual_seed(seed)
    grad = dtype is torch.float32 and op.supports_autograd
    # By themselves they draw from a seed of PyTorch's.
    given = {"requires_grad": grad, "set_seed": seed == 0}
    for i, sample in enumerate(op.sample_inputs("cpu", dtype, **given)):
        if i == count:
            return
        yield sample


def moved(tree: Any, device: str) -> Any:
    def one(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        size = x.untyped_storage().nbytes() // max(x.itemsize, 1)
        if x.numel() < size:  # a view: of the same place in what it is a view of
            whole = x.detach().as_strided((size,), (1,), 0).to(device)
            made = whole.as_strided(x.shape, x.stride(), x.storage_offset())
        else:
            made = x.detach().to(device, copy=True)
        return made.requires_grad_(x.requires_grad)

    return tree_map(one, tree)


def compute(op: Any, sample: Any, device: str) -> tuple[list[Any], list[Any]]:
    """Results and gradients, on the host."""
    where = "cpu" if op.name in SPLITS else device  # PyTorch wants these places on the host
    given = (moved(sample.input, device), moved(sample.args, where), moved(sample.kwargs, where))
    kwargs = {k: device if k == "device" else v for k, v in given[2].items()}
    torch.manual_seed(0)
    made = op(given[0], *given[1], **kwargs)
    if op.name.startswith("linalg."):  # of factors, whose signs are not said, what is determined
        made = sample.output_process_fn_grad(made)
    tensors = [x for x in tree_flatten(made)[0] if isinstance(x, torch.Tensor)]
    gradients: list[Any] = []
    inputs = [x for x in tree_flatten(given)[0] if isinstance(x, torch.Tensor) and x.requires_grad]
    wanted = [x for x in tensors if x.requires_grad]
    if inputs and wanted:
        total = sum(x.float().sum() for x in wanted)
        gradients = [
            None if g is None else g.detach().cpu()
            for g in torch.autograd.grad(total, inputs, allow_unused=True)
        ]
    return [x.detach().cpu() for x in tensors], gradients


def is_random(op: Any, sample: Any) -> bool:
    """Whether runs on the CPU with different seeds differ."""
    made = []
    for seed in range(1, 9):
        torch.manual_seed(seed)
        given = moved((sample.input, sample.args, sample.kwargs), "cpu")
        flat = tree_flatten(op(given[0], *given[1], **given[2]))[0]
        made.append([x.detach() for x in flat if isinstance(x, torch.Tensor)])
    return any(
        a.shape == b.shape and not torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
        for other in made[1:]
        for a, b in zip(made[0], other, strict=True)
    )


def compare(ours: list[Any], theirs: list[Any], values: bool) -> str:
    """What differs, or nothing."""
    if len(ours) != len(theirs):
        return f"{len(ours)} results, not {len(theirs)}"
    for a, b in zip(ours, theirs, strict=True):
        if (a is None) != (b is None):
            return "a gradient is missing"
        if a is None:
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        if not values:
            continue
        relative, absolute = TOLERANCES.get(a.dtype, (0, 0))
        try:
            torch.testing.assert_close(a, b, rtol=relative, atol=absolute, equal_nan=True)
        except AssertionError as error:
            return "numbers: " + " ".join(str(error).split())[:160]
    return ""


def run_sample(op: Any, sample: Any) -> tuple[str, str]:
    """What became of it: "ok", "refused", "wrong", "error" or "slow", and why."""
    try:
        theirs = compute(op, sample, "cpu")
    except Exception:
        return "not on the CPU", ""
    try:
        random = is_random(op, sample)
    except Exception:
        random = False
    signal.alarm(SECONDS_MAX)
    try:
        ours = compute(op, sample, "neuron")
    except Slow:
        return "slow", f"over {SECONDS_MAX} s"
    except torch_neuronx.TorchError as error:
        return "refused", error.found
    except Exception as error:
        return (
            "error",
            f"{type(error).__name__}: {first_line(error)}",
        )
    finally:
        signal.alarm(0)
        torch_neuronx.discard()
    if op.name in TIES and len(theirs[0]) == 2:
        ours, theirs = (ours[0][:1], ours[1]), (theirs[0][:1], theirs[1])
    if op.name == "argsort" and sample.input.dim() > 0:
        dim = (*sample.args, sample.kwargs.get("dim", -1))[0]
        ours, theirs = (
            ([sample.input.detach().gather(dim, each[0][0])], each[1]) for each in (ours, theirs)
        )
    different = differs(ours, theirs, random)
    if different.startswith("numbers") and ours[0][0].dtype == torch.bfloat16:
        # What the CPU computes in bfloat16 may be further off than what is rounded once.
        wide = tuple(
            [each.bfloat16() for each in part] for part in compute(op, widened(sample), "cpu")
        )
        different = differs(ours, wide, random) and different
    return ("wrong", different) if different else ("ok", "")


def differs(ours: Any, theirs: Any, random: bool) -> str:
    for name, (a, b) in zip(("", "gradient: "), zip(ours, theirs, strict=True), strict=True):
        if different := compare(a, b, not random):
            return name + different
    return ""


def widened(sample: Any) -> Any:
    """The same numbers in float32."""

    def wide(x: Any) -> Any:
        if isinstance(x, torch.Tensor) and x.dtype == torch.bfloat16:
            return x.detach().float()
        return torch.float32 if x is torch.bfloat16 else x

    x, args, kwargs = tree_map(wide, (sample.input, sample.args, sample.kwargs))
    return SampleInput(x, args=args, kwargs=kwargs)


def first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0][:160]


def main() -> int:
    options = parse()
    warnings.simplefilter("ignore")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    done = read(options.output) if not options.only else []
    if options.report:
        return report(done)
    known = {(row["op"], row["dtype"]) for row in done}

    def slow(*_: Any) -> None:
        raise Slow

    signal.signal(signal.SIGALRM, slow)
    rows = list(done)
    with options.output.open("a", encoding="utf-8") as file:
        for op in chosen(options):
            for dtype in DTYPES:
                name = full_name(op)
                key = (name, str(dtype).removeprefix("torch."))
                if dtype not in op.dtypes or key in known:
                    continue
                try:
                    samples = list(samples_of(op, dtype, options.samples, options.seed))
                except Exception:
                    continue
                outcomes = [run_sample(op, sample) for sample in samples]
                row = {"op": name, "dtype": key[1], "samples": outcomes}
                rows.append(row)
                if not options.only:
                    file.write(json.dumps(row) + "\n")
                    file.flush()
                if options.verbose or any(kind == "wrong" for kind, _ in outcomes):
                    print(name, key[1], outcomes, flush=True)
    return report(rows)


def read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def report(rows: list[dict[str, Any]]) -> int:
    """Totals by outcome and by cause. 1 where numbers are wrong."""
    kinds: Counter[str] = Counter()
    causes: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for kind, cause in row["samples"]:
            kinds[kind] += 1
            if kind not in ("ok", "not on the CPU"):
                causes[kind, cause] += 1
    total = sum(count for kind, count in kinds.items() if kind != "not on the CPU")
    print(f"{len(rows)} operators by type, {total} samples")
    for kind, count in kinds.most_common():
        if kind != "not on the CPU":
            print(f"  {kind:<8} {count:6}  {100 * count / max(total, 1):5.1f} %")
    for (kind, cause), count in causes.most_common(60):
        print(f"  {count:5}  {kind}: {cause}")
    return 1 if kinds["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
