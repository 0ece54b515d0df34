"""How the checkouts we know are laid out, and what each needs to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TORCH = ("torch", "filelock", "typing_extensions", "sympy", "networkx", "jinja2", "fsspec")


@dataclass(frozen=True)
class Layout:
    """A kind of checkout: how to recognise it, which cases it has, what it imports.

    `marks` are paths of which one tells the kind; pytest collects the paths `tests`; the kernels
    in the files of the paths `kernels` are run by our own drivers; `needs` are modules that must
    be importable and are no glue; `older` checkouts are written in NKI 0.2;
    `cases` is the module of this package that lists the cases of a benchmark; `scripts` are
    commands, a file and its arguments each.
    """

    name: str
    marks: tuple[str, ...]
    tests: tuple[str, ...]
    kernels: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    on_path: tuple[str, ...] = ()
    glue: str = ""
    older: bool = False
    cases: str = ""
    scripts: tuple[tuple[str, ...], ...] = ()


LAYOUTS = (
    Layout(
        "nki-library",
        ("test/utils/simulation_setup.py",),
        ("test/integration",),
        (),
        ("numpy", "scipy", "ml_dtypes", "pytest", "xdist", "allpairspy", "attr", *TORCH),
        ("src",),
        "nki_library",
    ),
    Layout(
        "aws-docs",
        ("nki/api/nki", "api/nki"),
        ("nki/test", "test"),
        ("nki/examples", "nki/deep-dives", "examples", "deep-dives"),
        ("numpy", "ml_dtypes", "pytest"),
    ),
    Layout(
        "nki-samples",
        ("src/nki_samples",),
        ("test/unit",),
        ("src/nki_samples", "contributed"),
        ("numpy", "ml_dtypes", "pytest"),
        ("src",),
        older=True,
    ),
    Layout(
        "nkibench",
        ("NKIBench/summary.json",),
        (),
        (),
        ("numpy", "ml_dtypes", "pydantic"),
        cases="nkibench",
    ),
    Layout(
        "autocomp",
        ("harnesses/trn-advanced-nki1",),
        (),
        (),
        ("numpy", "ml_dtypes", "scipy", "torch"),
        cases="autocomp",
    ),
    Layout(
        "cs149-asst4",  # part 2 and the transpose are left to students
        ("part1/run_benchmark.py",),
        (),
        (),
        ("numpy", "ml_dtypes"),
        scripts=tuple(
            ("part1/run_benchmark.py", "--kernel", kernel, "-n", size)
            for kernel, size in (("naive", "128"), ("tiled", "25600"), ("stream", "25600"))
        ),
    ),
    Layout(
        "nki-moe",
        ("nki_tensor_add_example.py",),
        (),
        (),
        ("numpy", "ml_dtypes", "torch"),
        (".",),
        older=True,
        scripts=(("nki_tensor_add_example.py",), ("nki_custom_rmsnorm.py",)),
    ),
    Layout(
        "pytest",
        ("tests", "test", "conftest.py", "pytest.ini"),
        (".",),
        (),
        ("numpy", "ml_dtypes", "pytest"),
        (".", "src"),
    ),
)


def detect(path: Path) -> Layout | None:
    """The layout of a checkout, or None when it is none we know."""
    for layout in LAYOUTS:
        if any((path / mark).exists() for mark in layout.marks):
            return layout
    has_tests = any(path.glob("test_*.py")) or any(path.glob("*_test.py"))
    return LAYOUTS[-1] if has_tests else None


def missing(layout: Layout, importable: set[str]) -> list[str]:
    """The needs of a layout that the chosen Python does not have."""
    return [name for name in layout.needs if name not in importable]


def how_to_get(names: list[str], python: str) -> str:
    """Instructions for what is missing, for the reader of an error message."""
    packages = [{"xdist": "pytest-xdist", "attr": "attrs"}.get(name, name) for name in names]
    return (
        f"{python} lacks {', '.join(packages)}. Make an environment of its own for the suite and "
        "pass it with --python, for example:\n"
        "  python3 -m venv ~/nki-suite\n"
        f"  ~/nki-suite/bin/pip install numpy scipy ml_dtypes {' '.join(packages)}\n"
        "  tools/nki_suite PATH --python ~/nki-suite/bin/python\n"
        "A CPU build of torch is enough (--index-url https://download.pytorch.org/whl/cpu); the "
        "Python version must be the one Trainyard's extension was built for."
    )
