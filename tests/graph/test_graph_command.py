"""Does `trainyard graph` show what an artifact holds?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "fuzz/corpus/artifact"


def trainyard(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "trainyard", "graph", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_show_prints_the_program():
    done = trainyard("show", str(CORPUS / "loop_1.17.0.bc"), "--locations")
    assert done.returncode == 0, done.stderr
    assert '"stablehlo.while"' in done.stdout
    assert "jit(_loop)/while" in done.stdout


def test_summary_counts_operations():
    done = trainyard("summary", str(CORPUS / "sort_1.13.7.bc"), "--json")
    assert done.returncode == 0, done.stderr
    module = json.loads(done.stdout)["module"]
    assert module["operations"]["sort"] == 1
    assert module["functions"][0]["inputs"] == ["tensor<5x3xf32>"]


def test_a_file_that_is_no_artifact_is_a_clear_error(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    done = trainyard("show", str(path))
    assert done.returncode != 0
    assert "a text is StableHLO as MLIR prints it" in done.stderr
    assert "Traceback" not in done.stderr
