"""The command line of tools/jax_suite."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

from jax_cases.causes import OUTSIDE, cause_of
from jax_cases.run import FileResult, run_file

# The files that docs/jax.md counts.
FILES = (
    "lax_test", "lax_numpy_test", "nn_test", "random_lax_test", "lax_control_flow_test", "api_test",
)  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="jax_suite", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of JAX, at the tag of its package")
    parser.add_argument(
        "--file", action="append", help="a test file by name, or `harnesses`; default: FILES"
    )
    parser.add_argument("--select", "-k", help="only tests whose name matches, as pytest's -k")
    parser.add_argument("--cases", type=int, default=1, help="generated cases of each test")
    parser.add_argument("--every", type=int, default=1, help="take every n-th harness")
    parser.add_argument("--seconds", type=float, default=1800, help="limit of one process")
    parser.add_argument("--test-seconds", type=float, default=120, help="limit of one test")
    parser.add_argument("--platform", default="neuron,cpu", help="the platform under test")
    parser.add_argument("--output", type=Path, help="write outcomes and reports as JSON")
    parser.add_argument("--list", action="store_true", help="name each failed test and its cause")
    return parser.parse_args()


def totals(result: FileResult) -> dict[str, int | dict[str, int]]:
    causes = Counter(map(cause_of, result.failed.values()))
    return {
        "passed": len(result.passed),
        "failed": len(result.failed),
        "skipped": len(result.skipped),
        "causes": dict(causes.most_common()),
    }


def share(passed: int, failed: int) -> str:
    return f"{100 * passed / (passed + failed):.1f} %" if passed + failed else "-"


def report(results: list[FileResult], list_failures: bool) -> None:
    causes: Counter[str] = Counter()
    passed = failed = 0
    for result in results:
        causes.update(map(cause_of, result.failed.values()))
        passed, failed = passed + len(result.passed), failed + len(result.failed)
        print(
            f"{result.name:<24} {len(result.passed):>5} passed {len(result.failed):>5} failed "
            f"{len(result.skipped):>5} skipped  {share(len(result.passed), len(result.failed))}"
        )
        if list_failures:
            for name, text in sorted(result.failed.items()):
                print(f"    {cause_of(text)}: {name.split('::', 1)[-1]}")
    for cause, number in causes.most_common():
        print(f"  {number:>5} {cause}")
    outside = sum(causes[cause] for cause in OUTSIDE)
    print(f"all: {passed} of {passed + failed} pass, {share(passed, failed)}")
    print(
        f"without complex, float64, LAPACK: {passed} of {passed + failed - outside}, "
        f"{share(passed, failed - outside)}"
    )


def path_of(name: str, tests: Path) -> Path:
    """Of a test file; the harnesses are in the wheel, and a file here runs them."""
    return Path(__file__).with_name("harnesses.py") if name == "harnesses" else tests / f"{name}.py"


def main() -> int:
    options = arguments()
    tests = options.checkout / "tests"
    paths = [path_of(name.removesuffix(".py"), tests) for name in options.file or FILES]
    if missing := [str(path) for path in paths if not path.is_file()]:
        print(f"jax_suite: no such test file: {', '.join(missing)}")
        return 2
    results = []
    with tempfile.TemporaryDirectory() as work:
        for path in paths:
            result = run_file(
                path, Path(work), seconds=options.seconds,
                test_seconds=options.test_seconds, select=options.select,
                cases=options.cases, every=options.every, platform=options.platform,
            )  # fmt: skip
            results.append(result)
            if options.output:
                document = {r.name: totals(r) | {"reports": r.failed} for r in results}
                options.output.write_text(json.dumps(document, indent=1) + "\n")
    report(results, options.list)
    return 0 if any(result.passed for result in results) else 1
