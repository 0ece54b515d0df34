"""Runs a user's script, or one kernel of a file, and collects the result of every kernel call."""

from __future__ import annotations

import argparse
import importlib.util
import json
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import trainyard
from trainyard import settings
from trainyard.result import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every subcommand that runs kernels takes."""
    parser.add_argument(
        "script", help="a Python file that calls kernels, or FILE:KERNEL to call one kernel"
    )
    parser.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        help="arguments of the script; for FILE:KERNEL its inputs, as NAME=DTYPE[SHAPE] (random "
        "data), NAME=FILE.npy or NAME=VALUE",
    )
    add_machine_arguments(parser)
    parser.add_argument(
        "--schedule",
        choices=("author", "list"),
        default="author",
        help="keep the author's order (default), or let a list scheduler reorder independent "
        "instructions",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="of the random inputs of FILE:KERNEL (default 0)"
    )


def add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    """Which machine, and overrides of its numbers."""
    parser.add_argument(
        "--machine",
        default=None,
        metavar="NAME",
        help="a machine name or a .toml file (default: NEURON_PLATFORM_TARGET_OVERRIDE, else trn3)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="override a number of the machine, e.g. hbm.bandwidth=6TB/s or dma.link=x1.5; may be "
        "repeated",
    )
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def machine_of(options: argparse.Namespace) -> Any:
    """The machine that the options choose."""
    from nki import _target

    machine = (
        _target.machine() if options.machine is None else trainyard.load_machine(options.machine)
    )
    return machine.with_overrides(options.overrides) if options.overrides else machine


@contextmanager
def _argv(path: str, arguments: list[str]) -> Iterator[None]:
    saved, sys.argv = sys.argv, [path, *arguments]
    sys.path.insert(0, str(Path(path).resolve().parent))
    try:
        yield
    finally:
        sys.argv = saved
        sys.path.pop(0)


def execute(options: argparse.Namespace, **changes: Any) -> list[Result]:
    """Runs what the options name with changed settings; the Result of each call, in order."""
    results: list[Result] = []
    path, _, kernel = (
        options.script.partition(":") if ".py:" in options.script else (options.script, "", "")
    )
    if not Path(path).is_file():
        raise trainyard.UsageError(f"there is no script {path}")
    trainyard.install_nki()  # who runs a script by this command wants it simulated
    with (
        settings.using(
            machine=machine_of(options),
            schedule=options.schedule,
            listeners=[results.append],
            **changes,
        ),
        _argv(path, options.arguments),
    ):
        if kernel:
            _call(path, kernel, options)
        else:
            runpy.run_path(path, run_name="__main__")
    return results


def _call(path: str, name: str, options: argparse.Namespace) -> None:
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise trainyard.UsageError(f"{path} has no kernel {name}")
    generator = np.random.default_rng(options.seed)
    inputs = dict(_input(text, generator) for text in options.arguments)
    import nki

    nki.jit(getattr(module, name))(**inputs)


def _input(text: str, generator: np.random.Generator) -> tuple[str, Any]:
    """NAME=bfloat16[128,512], NAME=file.npy or NAME=3.5 as (name, value)."""
    from nki import _dtypes

    name, sign, value = text.partition("=")
    if not sign:
        raise trainyard.UsageError(
            f"an input is NAME=DTYPE[SHAPE], NAME=FILE.npy or NAME=VALUE, not {text!r}"
        )
    if value.endswith(".npy"):
        return name, np.load(value)
    if value.endswith("]") and "[" in value:
        dtype, _, shape = value[:-1].partition("[")
        sizes = tuple(int(n) for n in shape.split(","))
        storage = _dtypes.numpy_dtype(_dtypes.name_of(dtype))
        if storage.kind in "iu":
            return name, generator.integers(0, 100, sizes).astype(storage)
        return name, generator.standard_normal(sizes, dtype=np.float32).astype(storage)
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, {"True": True, "False": False, "None": None}.get(value, value)


def describe_finding(finding: dict[str, str]) -> str:
    """A finding as the lines a person reads."""
    lines = [f"{finding['label']}: {finding['rule']}"]
    lines += [
        f"  {part}: {finding[key]}"
        for key, part in (("place", "at"), ("found", "found"), ("fix", "fix"))
        if finding[key]
    ]
    return "\n".join(lines)


def write_json(value: object) -> None:
    """Prints a value as indented JSON."""
    json.dump(value, sys.stdout, indent=1)
    print()


def print_json(results: list[Result]) -> None:
    """Prints the results of all kernel calls as one JSON document."""
    write_json(
        {"schema": "trainyard.results/1", "kernels": [result.as_dict() for result in results]}
    )
