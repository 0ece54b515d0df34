"""Large numbers as people write them: 15T tokens, 1.5e12."""

from __future__ import annotations

import argparse

_FACTORS = {"k": 1e3, "m": 1e6, "g": 1e9, "b": 1e9, "t": 1e12}


def amount(text: str) -> float:
    """A number with or without k, M, G (or B) or T behind it. For argparse."""
    factor = _FACTORS.get(text[-1:].lower(), 0)
    try:
        return float(text[:-1]) * factor if factor else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write 15e12 or 15T") from None
