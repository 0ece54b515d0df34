"""Draws the pictures of README.md: timeline and roofline of the attention example.

    PYTHONPATH=build/release/python python tools/pictures.py [--check]

2,048 tokens of one head in bfloat16, on trn3, as `trainyard profile --plot` draws them. --check
writes nothing; its exit code is 1 where a picture is not fresh. Times do not depend on values.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/pictures"
TOKENS, HEAD = 2048, 128


def pictures() -> dict[Path, str]:
    """Each file's text."""
    sys.path.insert(0, str(ROOT / "examples"))
    from attention import attention
    from trainyard import plots

    shape = {"q": (HEAD, TOKENS), "k": (HEAD, TOKENS), "v": (TOKENS, HEAD)}
    inputs = {name: np.zeros(size, ml_dtypes.bfloat16) for name, size in shape.items()}
    result = attention.bench(**inputs, values=False, record=True)
    title = f"{result.name}, {TOKENS:,} tokens, on {result.machine.name}"
    roofline = plots.roofline(result.report, f"{title}: roofline")
    if roofline is None:
        raise RuntimeError("the example has no arithmetic to draw")
    return {
        FOLDER / "attention.timeline.svg": result.timeline_svg(),
        FOLDER / "attention.roofline.svg": roofline,
    }


def main() -> int:
    """Writes the pictures, or checks them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say whether they are fresh")
    check = parser.parse_args().check
    stale = [path for path, text in pictures().items() if not _is(path, text)]
    if not check:
        FOLDER.mkdir(exist_ok=True)
        for path, text in pictures().items():
            path.write_text(text)
        return 0
    for path in stale:
        print(f"{path} is out of date; run: python tools/pictures.py", file=sys.stderr)
    return 1 if stale else 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


if __name__ == "__main__":
    sys.exit(main())
