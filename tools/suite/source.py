"""Python files of a checkout, executed by their path."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def module_of(file: Path) -> ModuleType:
    """The file as a module, executed anew and not kept in sys.modules."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
