"""The page in a notebook's cell, as an anywidget: the same file that `trainyard view` writes."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from importlib import resources
from typing import Any

from trainyard.usage import UsageError
from trainyard.view import document, page

HEIGHT = 720  # pixels of a cell
INSTALL = "pip install anywidget"


def is_installed() -> bool:
    """Whether a notebook can show the page."""
    return importlib.util.find_spec("anywidget") is not None


def widget_of(results: list[Any], height: int = HEIGHT) -> Any:
    """A widget that shows recorded results in one page.

    Its `selection` follows the slice that the reader selects: None, or a dict of `run`, `track`,
    `instruction`, `mnemonic`, `operands`, `place`, `indices`, `begin_ns` and `end_ns`. Raises
    UsageError where anywidget is not installed.
    """
    if not is_installed():
        raise UsageError(f"a page in a notebook needs anywidget: {INSTALL}")
    runs = [document.of_result(result) for result in results]
    return _kind()(page=page.page_of(document.document_of(runs)), height=height)


@functools.cache
def _kind() -> type:
    """The class of the widget, which needs anywidget."""
    anywidget, traitlets = map(importlib.import_module, ("anywidget", "traitlets"))
    script = resources.files("trainyard.view").joinpath("widget.js").read_text(encoding="utf-8")
    members = {
        "_esm": script,
        "page": traitlets.Unicode().tag(sync=True),
        "height": traitlets.Int(HEIGHT).tag(sync=True),
        "selection": traitlets.Dict(allow_none=True, default_value=None).tag(sync=True),
        "__doc__": "A page about runs; `selection` is what its reader selected.",
    }
    return type("View", (anywidget.AnyWidget,), members)
