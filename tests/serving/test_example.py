"""Does the example of ten requests print its table?"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_ten_requests_have_a_row_each():
    done = subprocess.run(
        [sys.executable, ROOT / "examples/serve_ten.py", "--small"],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    title, _, *rows, last = done.stdout.splitlines()
    assert "simulated times" in title and len(rows) == 10
    for row in rows:
        wait, ttft, _, joules = row.split()[-4:]
        assert 0 <= float(wait) < float(ttft) and float(joules) > 0
    assert "USD a million tokens" in last
