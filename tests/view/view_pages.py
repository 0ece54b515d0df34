"""Kernels by the name of their file, and pages about their results."""

import importlib.util
import sys
from pathlib import Path

from trainyard import view

HERE = Path(__file__).parent


def module(name: str):
    """A module beside the tests, or one of examples/."""
    if name not in sys.modules:
        files = (HERE / f"{name}.py", HERE.parents[1] / f"examples/{name}.py")
        spec = importlib.util.spec_from_file_location(name, next(f for f in files if f.is_file()))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def page_at(path: Path, result) -> Path:
    """The page about a result."""
    result.ask(advice=True)
    path.write_text(view.page_of(view.document_of([view.of_result(result)])))
    return path
