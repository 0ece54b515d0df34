"""Does `make fidelity` fail when a simulated figure is far off and nobody says why?"""

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[1] / "fidelity/run.py"
SPEC = importlib.util.spec_from_file_location("fidelity_run", PATH)
assert SPEC is not None and SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


@pytest.mark.parametrize(
    ("error", "deviations", "found"),
    [
        (0.24, "", []),
        (0.26, "", ["matmul.one"]),
        (-0.26, "", ["matmul.one"]),
        (-0.26, "| `matmul.one` | why |", []),
    ],
)
def test_a_row_beyond_a_quarter_needs_a_deviation(error, deviations, found):
    row = {"id": "matmul.one", "machine": "trn2", "error": error}
    assert run.unexplained([row], deviations) == found
