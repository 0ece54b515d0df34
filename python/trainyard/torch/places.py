"""Where in the user's program an operator stands."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

_LIBRARY = str(Path(torch.__file__).parent)
_OURS = str(Path(__file__).parent)


def users_frame() -> tuple[str, int, str]:
    """Where the innermost frame outside of PyTorch is."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_LIBRARY, _OURS)) and not file.startswith("<"):
            return file, frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    return "unknown", 0, "unknown"
