"""examples/shard_llama.py: is a divided layer that of one device, and are its sums timed?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_small_layer_and_a_step():
    done = subprocess.run(
        [sys.executable, ROOT / "examples/shard_llama.py", "--small"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    differences = re.findall(r"differ by (\S+) at most", done.stdout)
    assert len(differences) == 2
    assert all(0 < float(each) < 1e-5 for each in differences)
    rows = re.findall(r"(\d) devices? .*?collectives +(\S+) +exposed +(\S+)", done.stdout)
    assert [int(count) for count, _, _ in rows] == [1, 2, 4] * 2
    for count, exchanged, exposed in rows:
        assert (float(exchanged) > 0) == (int(count) > 1)
        assert float(exposed) <= float(exchanged)
    assert "computed whole" not in done.stderr
