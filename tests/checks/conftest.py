"""The tests of the checks share harness.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
