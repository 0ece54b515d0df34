"""Numbers as people write them: 15T tokens, 1.5e12, 64KiB."""

from __future__ import annotations

import argparse

_UNITS = {
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "K": 2**10,
    "M": 2**20,
    "G": 2**30,
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
}
_SIZE_MAX = 1 << 40
_FACTORS = {"k": 1e3, "m": 1e6, "g": 1e9, "b": 1e9, "t": 1e12}


def amount(text: str) -> float:
    """A number with or without k, M, G (or B) or T behind it. For argparse."""
    factor = _FACTORS.get(text[-1:].lower(), 0)
    try:
        return float(text[:-1]) * factor if factor else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write 15e12 or 15T") from None


def size(text: str) -> int:
    """Bytes: 1024, 64KiB, 1MB. K, M and G alone are powers of 1024, as in nccom-test."""
    digits = text.rstrip("iIbBkKmMgG")
    unit = text[len(digits) :].upper() or "B"
    try:
        number = float(digits)
    except ValueError:
        number = -1.0
    if unit not in _UNITS or not 0 <= number * _UNITS[unit] <= _SIZE_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no size from 0 to 1 TiB; write 64KiB or 1MB")
    return int(number * _UNITS[unit])
