"""tools/programs_at_size: are random programs at real sizes compiled, and is a run gone on with?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments):
    command = [sys.executable, "tools/programs_at_size", "--jobs", "1", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_a_sample_compiles(tmp_path):
    results = tmp_path / "results.jsonl"
    done = run("--seed", 2, "--count", 10, "--output", results)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [json.loads(line) for line in results.read_text().splitlines()]
    assert [each["number"] for each in found] == list(range(10))
    assert {each["end"] for each in found} <= {"ok", "full", "no program"}
    assert all(each["seconds"] > 0 for each in found if each["end"] == "ok")


def test_what_is_there_is_not_compiled_again(tmp_path):
    results = tmp_path / "results.jsonl"
    kept = {"number": 0, "end": "refused", "cause": "planted"}
    results.write_text(json.dumps(kept) + '\n{"number": 1, "en')  # a line that was cut
    done = run("--seed", 2, "--count", 2, "--output", results)
    assert done.returncode == 1 and "1 planted" in done.stdout
    lines = [json.loads(line) for line in results.read_text().splitlines() if "}" in line]
    assert [each["number"] for each in lines] == [0, 1]


def test_the_limit_names_what_is_longer():
    done = run("--seed", 1, "--only", 15, "--seconds", 0.1)
    assert done.returncode == 1 and "longer than the limit" in done.stdout
