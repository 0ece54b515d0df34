"""The tests of programs share compare.py and random_kernels.py, and the oracle of all tests."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests"), str(ROOT / "examples")]
