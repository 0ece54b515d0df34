"""Rows as a data frame, where pandas is there."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


def frame(rows: list[dict[str, Any]]) -> Any:
    """A pandas.DataFrame of the rows; the rows themselves where pandas is not installed."""
    if importlib.util.find_spec("pandas") is None:
        return rows
    return importlib.import_module("pandas").DataFrame(rows)
