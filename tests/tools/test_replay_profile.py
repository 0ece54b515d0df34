"""Does tools/replay_profile give a profile's instructions to the machine as they are?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "replay_profile"
LOAD = (
    "semaphore=24 sem_increment=16  src_elem_size=2048 dst_elem_size=2048 src_pattern=[2048,1]"
    "[128,1] dst_pattern=[262144,1][128,1] src_addr_imm=0x800000000000 dst_addr_imm=0x802000004000"
)
EXP = (
    "S[24] (qSyncDynamicHW)>=16 S[4] (Scalar)++@complete EXP bias_ptr=fp32@0x8000 "
    "src=fp32@0x4000[1,1,1][512,1,1] dst=fp32@0x5000[1,1,1][512,1,1] channels=128 scale=1.000000 "
    "imm=0.000000 accumulator_cmd=IDLE"
)
SUM = (
    "S[4] (Scalar)>=1 S[6] (Vector)++@complete op=ADD dim=X src=fp32@0x5000[1,1,1,1][512,1,1,1] "
    "dst=fp32@0x6000[1,1,1,1][1,1,1,1] channels=128"
)


def row(engine, opcode, timestamp, duration, operands):
    return {
        "subgraph": "sg00",
        "subgroup": engine,
        "opcode": opcode,
        "timestamp": timestamp,
        "duration": duration,
        "operands": operands,
    }


def replay(tmp_path, rows, *options):
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"instruction": rows, "ham": []}))
    command = [sys.executable, TOOL, path, "--json", tmp_path / "rows.json", *options]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def rows():
    return [
        row("Sync", "DMA_DIRECT2D", 1000, 520, LOAD),
        row("Scalar", "ACTIVATE", 4000, 700, EXP),
        row("Vector", "TENSOR_REDUCE", 4740, 685, SUM),
    ]


def test_instructions_wait_for_whom_the_profile_says(tmp_path, rows):
    done = replay(tmp_path, rows)
    assert done.returncode == 0, done.stderr
    assert "3 instructions, measured 3740 ns" in done.stdout
    found = json.loads((tmp_path / "rows.json").read_text())[0]["rows"]
    load, exp, total = (entry["simulated_ns"] for entry in found)
    assert load < 1000 < exp  # 256 KiB take longer than being issued
    assert 600 < total - exp < 800  # 512 columns of exp, and a semaphore


def test_blocks_in_hbm_may_lie_as_far_apart_as_partitions(tmp_path, rows):
    rows[0]["operands"] = LOAD.replace("[2048,1][128,1]", "[262144,2048][2,128]").replace(
        "[262144,1][128,1]", "[2048,262144][2,128]"
    )
    done = replay(tmp_path, rows)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "rows.json").read_text())[0]["rows"]
    load, exp, _ = (entry["simulated_ns"] for entry in found)
    assert exp - load > 2900  # 512 KiB out of HBM; a store of as many takes 2,500 ns


def test_what_an_instruction_inherits_is_not_its_own(tmp_path, rows):
    for entry in rows[1:]:
        entry["timestamp"] += 5000
    done = replay(tmp_path, rows, "--tolerance", "1000", "--rows")
    found = json.loads((tmp_path / "rows.json").read_text())[0]
    assert found["first_divergence"]["opcode"] == "ACTIVATE"
    assert abs(found["rows"][2]["gap_ns"]) > 4000 and abs(found["rows"][2]["own_gap_ns"]) < 100
    assert done.stdout.count("ACTIVATE") == 2


def test_an_unknown_instruction_is_named(tmp_path, rows):
    done = replay(tmp_path, [*rows, row("Vector", "MYSTERY", 9000, 10, SUM)])
    assert done.returncode == 2 and "MYSTERY" in done.stderr


def test_a_file_that_is_no_profile(tmp_path):
    done = replay(tmp_path, [])
    assert done.returncode == 2 and "no list 'instruction'" in done.stderr


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        ("{", (), "cannot be replayed"),
        ("null", (), "no list 'instruction'"),
        ("[]", (), "no list 'instruction'"),
        ('{"instruction": [1]}', (), "instruction 0 has no 'subgraph'"),
        ('{"instruction": [{"subgraph": "a", "subgroup": 1}]}', (), "instruction 0 has no"),
        ("{}", ("--json", "."), "no file that results can be written to"),
        ("{}", ("--machine", "trn9"), "trn9"),
        ("{}", ("--tolerance", "0"), "no number above 0"),
    ],
)
def test_wrong_files_and_arguments_are_refused(tmp_path, text, arguments, told):
    (tmp_path / "profile.json").write_text(text)
    command = [sys.executable, TOOL, "profile.json", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
