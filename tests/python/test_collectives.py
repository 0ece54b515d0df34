"""Are simulated collectives near to the public timings, and do examples agree with NumPy?"""

import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def fidelity():
    sys.path.insert(0, str(ROOT / "tests/fidelity"))
    import collectives_table

    return list(collectives_table.rows())


def median(rows, name):
    errors = [abs(row["error"]) for row in rows if row["class"] == name]
    assert len(errors) >= 40
    return statistics.median(errors)


def test_device_times_are_near(fidelity):
    assert median(fidelity, "device >= 1 MiB") <= 0.08
    assert median(fidelity, "device < 1 MiB") <= 0.08


def test_algorithms_change_near_the_sizes_where_silicon_changes(fidelity):
    """Rows around the changes from mesh to ring, at 1 to 2, 2 to 4 and 4 to 8 MiB."""
    for name in ("CCX-033", "CCX-034", "CCX-056", "CCX-057", "CCX-079", "CCX-080"):
        (row,) = (row for row in fidelity if row["id"] == name)
        assert abs(row["error"]) <= 0.16, row


def test_the_mixture_of_experts_agrees_with_numpy():
    done = subprocess.run(
        [sys.executable, ROOT / "examples/moe_ultraserver.py", "--chips", "6", "--tokens", "24"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "largest difference to NumPy" in done.stdout


def test_the_table_of_systems_sets_switches_beside_the_torus():
    done = subprocess.run(
        [sys.executable, ROOT / "examples/systems_table.py", "--bytes", "1048576"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("trn2-ultraserver") == 2
    assert "1.00x the torus" in done.stdout
