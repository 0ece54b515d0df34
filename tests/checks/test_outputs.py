"""Are suppressions, thresholds, SARIF and explain what docs/reference/checks.md says?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import trainyard
from harness import example_input, findings_of, from_source, ids
from trainyard import findings, sarif, settings

CHECKS = findings.registry()
KERNEL = """
def count(tile):
    nisa.iota(tile, pattern=[[1, tile.shape[1]]], offset=0){at_call}

def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    count(tile){at_caller}
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""


def found(at_call="", at_caller="", **options):
    source = KERNEL.format(at_call=at_call, at_caller=at_caller)
    return ids(findings_of(from_source(source, file=str(hash(source))), example_input(), **options))


@pytest.mark.parametrize(
    ("comment", "drops"),
    [
        ("", False),
        ("  # trainyard: ignore[memory.dead_store]", True),
        ("  # trainyard: ignore[dma, memory]", True),
        ("  # trainyard: ignore", True),
        ("  # trainyard: ignore[memory.unused]", False),
        ("  # ignore[memory.dead_store]", False),
    ],
)
def test_a_comment_on_any_line_of_the_call_stack_suppresses(comment, drops):
    for where in ("at_call", "at_caller"):
        assert ("memory.dead_store" in found(**{where: comment})) != drops


def test_settings_suppress_a_check_or_a_family():
    assert "memory.dead_store" not in found(suppress=("memory.dead_store",))
    assert "memory.dead_store" not in found(suppress=("memory",))
    assert "memory.dead_store" in found(suppress=("perf",))


def test_a_suppressed_error_does_not_stop_the_kernel():
    source = """
    def kernel(x):
        tile = nl.ndarray(x.shape, x.dtype)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=tile)  # trainyard: ignore[memory.unwritten]
        return out
    """
    from_source(source, file="suppressed.py")(example_input())
    with pytest.raises(trainyard.Fault):
        from_source(source.replace("ignore", "keep"), file="kept.py")(example_input())


def test_a_warning_stops_a_kernel_when_asked():
    kernel = from_source(KERNEL.format(at_call="", at_caller=""), file="stops.py")
    kernel(example_input())
    with (
        settings.using(stop_at="warning"),
        pytest.raises(trainyard.Fault, match=r"memory\.dead_store"),
    ):
        kernel(example_input())
    with settings.using(stop_at="none"), pytest.raises(trainyard.InputError):
        kernel(example_input())


def test_findings_at_the_same_lines_are_counted_together():
    kernel = from_source(CHECKS["dma.small"]["example"], file="small.py")
    counts = [one["count"] for one in findings_of(kernel, example_input())]
    assert counts == [32, 32]


# What the schema of SARIF 2.1.0 requires of the objects that we write (sections 3.13 to 3.54).
def check_sarif(log):
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        rules = [rule["id"] for rule in driver["rules"]]
        assert driver["name"] and len(set(rules)) == len(rules)
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]
            level = rule.get("defaultConfiguration", {"level": "error"})["level"]
            assert level in ("none", "note", "warning", "error")
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
        for result in run["results"]:
            assert result["message"]["text"] and result["occurrenceCount"] >= 1
            assert result["level"] in ("none", "note", "warning", "error")
            assert rules[result["ruleIndex"]] == result["ruleId"]
            for location in [*result["locations"], *result.get("relatedLocations", [])]:
                place = location["physicalLocation"]
                assert place["region"]["startLine"] >= 1
                assert " " not in place["artifactLocation"]["uri"]
            for stack in result.get("stacks", []):
                assert all(frame["location"]["physicalLocation"] for frame in stack["frames"])


def test_sarif_has_what_the_standard_requires():
    everything = [
        one
        for check in CHECKS.values()
        if check["example"]
        for one in findings_of(from_source(check["example"], file=check["id"]), example_input())
    ]
    log = json.loads(json.dumps(sarif.document(everything)))
    check_sarif(log)
    assert len(log["runs"][0]["results"]) == len(everything)
    assert sarif.document([])["runs"][0]["results"] == []


def test_sarif_names_the_lines_of_the_stack_and_of_the_other_side(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finding = {
        "severity": "warning",
        "label": "memory.dead_store",
        "rule": "r",
        "found": "f",
        "fix": "x",
        "count": 3,
        "place": f"{tmp_path}/my kernel.py:7 in inner, k=3, m=0\n    called from k.py:9 in outer",
        "sides": [
            {
                "role": "overwrites",
                "actor": "vector engine",
                "what": "memset",
                "place": "k.py:12 in outer",
                "time_ns": 5.0,
                "run": None,
            }
        ],
    }
    (result,) = sarif.document([finding])["runs"][0]["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "my%20kernel.py"
    assert place["physicalLocation"]["region"] == {"startLine": 7}
    assert place["logicalLocations"][0]["name"] == "inner"
    lines = [
        frame["location"]["physicalLocation"]["region"]["startLine"]
        for frame in result["stacks"][0]["frames"]
    ]
    assert lines == [7, 9]
    (other,) = result["relatedLocations"]
    assert other["physicalLocation"]["region"]["startLine"] == 12
    assert other["message"]["text"] == (
        "overwrites: memset on the vector engine at 5.0 ns, k.py:12 in outer"
    )


def command(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "trainyard", *arguments], cwd=cwd, capture_output=True, text=True
    )


@pytest.fixture
def script(tmp_path) -> Path:
    text = "import nki\nimport nki.isa as nisa\nimport nki.language as nl\n"
    text += KERNEL.format(at_call="", at_caller="")
    (tmp_path / "k.py").write_text(text)
    return tmp_path


def test_exit_codes_follow_the_severity_that_counts(script):
    kernel = ("k.py:kernel", "x=float32[128,512]")
    assert command("check", *kernel, cwd=script).returncode == 0
    failing = command("check", "--fail-on", "warning", *kernel, cwd=script)
    assert failing.returncode == 1
    assert "warning: memory.dead_store" in failing.stdout
    quiet = command("check", "--fail-on=warning", "--suppress=memory", *kernel, cwd=script)
    assert (quiet.returncode, quiet.stdout) == (0, "1 kernel call finished, no findings\n")
    assert command("run", "--fail-on=warning", *kernel, cwd=script).returncode == 5
    run = command("run", *kernel, cwd=script)
    assert run.returncode == 0 and "kernel: 1 warning (" in run.stderr
    unknown = command("check", "--suppress=memory.nothing", *kernel, cwd=script)
    assert unknown.returncode == 2 and "no check memory.nothing" in unknown.stderr


def test_check_writes_sarif(script):
    done = command("check", "--sarif", "k.py:kernel", "x=float32[128,512]", cwd=script)
    log = json.loads(done.stdout)
    check_sarif(log)
    (result,) = log["runs"][0]["results"]
    assert result["ruleId"] == "memory.dead_store"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "k.py"


def test_explain_lists_and_explains(tmp_path):
    listed = command("explain", cwd=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(CHECKS)
    for name in ("memory.race", "nc_matmul.c17"):
        text = command("explain", name, cwd=tmp_path).stdout
        assert text.startswith(f"{name} (error): ") and "Source: " in text
    listed = command("explain", "tensor_scalar", cwd=tmp_path).stdout.splitlines()
    assert any(line.startswith("tensor_scalar.c16 ") and "integers" in line for line in listed)
    family = command("explain", "--json", "dma", cwd=tmp_path)
    assert all(check["family"] == "dma" for check in json.loads(family.stdout)["checks"])
    missing = command("explain", "memory.unwriten", cwd=tmp_path)
    assert missing.returncode == 2 and "did you mean memory.unwritten?" in missing.stderr
