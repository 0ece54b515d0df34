"""The structure tests share sources.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
