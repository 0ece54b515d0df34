"""tools/stablehlo_suite PATH: StableHLO's artifacts, interpreter tests and data programs.

PATH is a checkout of StableHLO. Its compatibility artifacts are read; its interpreter tests and
data programs are read as text, and as the artifacts that jaxlib's bindings make of them, which must
be the same module, and run on the golden evaluator, or with --machine through the compiler and the
simulated core. Totals are printed by cause; --failures lists
what failed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from stablehlo import compare, programs
from stablehlo.convert import convert_all


def main() -> int:
    """Runs the tool."""
    options = _options()
    root = Path(options.path) / "stablehlo"
    if not (root / "tests").is_dir():
        print(f"stablehlo_suite: {options.path} is no checkout of StableHLO", file=sys.stderr)
        return 2
    bad = _artifacts(root, options) + _texts(root, options)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(options.work or scratch)
        for title, list_of in (("interpreter", _interpreter(root)), ("data", _data(root, options))):
            chosen = [p for p in list_of if re.search(options.only, p.name)]
            bad += _run(title, chosen, work / title, options)
    return 1 if bad else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="stablehlo_suite", description=__doc__)
    parser.add_argument("path", help="a checkout of StableHLO")
    parser.add_argument("--every", type=int, default=1, help="run every N-th data program")
    parser.add_argument("--only", default="", help="programs whose names match this expression")
    parser.add_argument("--work", help="keep the artifacts in this folder, and use those there")
    parser.add_argument("--machine", help="run compiled programs on this machine (trn3)")
    parser.add_argument("--failures", action="store_true", help="list what failed")
    return parser.parse_args()


def _artifacts(root: Path, options: argparse.Namespace) -> int:
    import trainyard
    from trainyard import graph

    files = sorted((root / "tests/vhlo").glob("*.mlir.bc"))
    read, refused = 0, []
    for path in files:
        try:
            graph.read_file(path)
            read += 1
        except trainyard.InputError as error:
            refused.append(f"{path.name}: {error}")
    # The artifact of a version to come holds an operation that is not; upstream refuses it too.
    unexpected = [line for line in refused if not line.startswith("invalid_vhlo_future")]
    print(
        f"artifacts: {read} of {len(files)} read, {len(refused)} refused, {len(unexpected)} wrongly"
    )
    if options.failures:
        print("\n".join(unexpected))
    return len(unexpected)


def _texts(root: Path, options: argparse.Namespace) -> int:
    """Reads every program as text, but those with operations of the interpreter's own tests."""
    import trainyard
    from trainyard import graph

    chosen = [p for p in (*_interpreter(root), *_data(root, options)) if _is_stablehlo(p.text)]
    refused = []
    for program in chosen:
        try:
            graph.read(program.text.encode())
        except trainyard.InputError as error:
            refused.append(f"{program.name}: {error}")
    print(f"texts: {len(chosen) - len(refused)} of {len(chosen)} read")
    if options.failures:
        print("\n".join(refused))
    return len(refused)


def _is_stablehlo(text: str) -> bool:
    return re.search(r"\binterpreter\.|\bcheck\.\w+ %", text) is None


def _interpreter(root: Path) -> list[programs.Program]:
    files = sorted((root / "tests/interpret").glob("*.mlir"))
    return [program for path in files for program in programs.interpreter_programs(path)]


def _data(root: Path, options: argparse.Namespace) -> list[programs.Program]:
    files = sorted((root / "testdata").glob("*.mlir"))
    return [programs.data_program(path) for path in files[:: options.every]]


def _run(title: str, chosen: list, folder: Path, options: argparse.Namespace) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    stems = {}
    for program in chosen:
        stems[program.name] = folder / program.name.replace(".mlir", "").replace(":", "_")
        text = stems[program.name].with_name(stems[program.name].name + ".mlir")
        if not text.exists():
            text.write_text(program.text)
    convert_all(folder)
    causes: Counter = Counter()
    failures = []
    routines: Counter = Counter()
    for program in chosen:
        began = time.perf_counter()
        cause, detail = _outcome(program, stems[program.name], options.machine, routines)
        causes[cause] += 1
        if cause not in ("passed", *_NOT_OURS):
            failures.append(f"  {program.name}: {cause}: {detail}")
        if (seconds := time.perf_counter() - began) > 5:
            print(f"  {program.name}: {seconds:.0f} s")
    counted = sum(n for cause, n in causes.items() if cause not in _NOT_OURS)
    share = 100 * causes["passed"] / counted if counted else 100.0
    print(f"{title}: {causes['passed']} of {counted} passed ({share:.1f} %)")
    for cause, count in causes.most_common():
        print(f"  {count:5}  {cause}")
    if options.machine:
        found = ", ".join(f"{name} {count}" for name, count in routines.most_common())
        print(f"  programs with a routine of GpSimd: {found or 'none'}")
    if options.failures:
        print("\n".join(failures))
    return len(failures)


# Programs that are no question to the evaluator, or to the machine.
_NOT_OURS = (
    "no artifact (the bindings refuse the text)",
    "several devices",
    "dynamic shapes",
    "quantised types",
    "nothing to check",
    "complex numbers, different values",
    "64-bit types or complex numbers",
)
_ATTRIBUTE = re.compile(r"= dense<[^>]*> : tensor<[^>]*>")
_NO_FORMAT = re.compile(r"tensor<[^>]*(i64|f64|complex)")  # of the machine's engines


def _outcome(
    program: programs.Program, stem: Path, machine: str | None, routines: Counter
) -> tuple[str, str]:
    import trainyard
    from trainyard import graph

    artifact = stem.with_name(stem.name + ".bc")
    if "run_parallel" in program.text:
        return "several devices", ""
    if not artifact.exists():
        return "no artifact (the bindings refuse the text)", ""
    if not program.checks:
        return "nothing to check", ""
    try:
        module = graph.read(artifact.read_bytes())
        if re.search(r"tensor<[^>]*\?", program.text):
            return "dynamic shapes", ""
        if "!quant." in program.text:
            return "quantised types", ""
        if graph.read(program.text.encode()).text() != module.text():
            return "text and artifact differ", ""
        if machine is None:
            outputs = graph.evaluate(module)
        elif _NO_FORMAT.search(_ATTRIBUTE.sub("", program.text)):
            return "64-bit types or complex numbers", ""
        else:
            outputs = _on_machine(artifact.read_bytes(), machine, routines)
    except (trainyard.InputError, trainyard.UsageError) as error:
        return "refused", " ".join(str(error).split())[:200]
    for number, (rule, tolerance) in enumerate(program.checks):
        actual, wanted = outputs[2 * number : 2 * number + 2]
        near = not (machine is None and program.exact) and compare.near(actual, wanted)
        if not near and not compare.holds(rule, tolerance, actual, wanted):
            cause = "complex numbers, d" if actual.dtype.kind == "c" else "d"
            return f"{cause}ifferent values", f"check {number} ({rule})"
    return "passed", ""


def _on_machine(artifact: bytes, machine: str, routines: Counter) -> list:
    """The results of main on the simulated core; counts the program under each routine it has."""
    from trainyard import model

    compiled = model.Model(artifact, machine)
    routines.update(name for name, _, _ in compiled.routines)
    return compiled()
