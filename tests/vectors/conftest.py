"""The vector tests share oracle.py and lab.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
