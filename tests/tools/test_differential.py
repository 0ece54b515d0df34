"""tools/differential: do random programs agree with float64, and is a run gone on with?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
SEED, PARTS, PROGRAMS = 20, 8, 14  # some two minutes of processor time


def run(*arguments):
    command = [sys.executable, "tools/differential", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_sample_agrees(part):
    first = part * PROGRAMS
    done = run("--seed", SEED, "--first", first, "--count", PROGRAMS, "--reduce-seconds", 60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= PROGRAMS - 3, done.stdout


def test_what_is_there_is_not_judged_again(tmp_path):
    results = tmp_path / "results.jsonl"
    finding = {"label": "machine values", "words": "planted"}
    kept = {"number": 0, "end": "judged", "findings": [finding], "words": "planted"}
    results.write_text(json.dumps(kept) + '\n{"number": 1, "en')  # a line that was cut
    done = run("--seed", 2, "--count", 2, "--output", results)
    assert done.returncode == 1 and "0: machine values | planted" in done.stdout
    assert [json.loads(line)["number"] for line in results.read_text().splitlines()] == [0, 1]


def test_a_program_is_the_same_each_time_and_survives_json():
    from differing.programs import from_json, program

    for number in range(5):
        once, again = program(3, number), program(3, number)
        assert once.source() == again.source() == from_json(once.to_json()).source()
        assert [a.tobytes() for a in once.arguments] == [a.tobytes() for a in again.arguments]
