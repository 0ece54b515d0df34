"""Does a diff say what changed between two runs, and does a condition fail when it should?"""

import json
import math

import pytest
import trainyard as package
from command_line import KERNELS, X, run
from trainyard.differences import Condition, Run, judge
from trainyard.differences.align import aligned

KERNEL = """
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def k(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
MULTIPLY = "    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)\n"
MORE = "    nisa.activation(dst=tile, op=nl.exp, data=tile)\n"


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    """Reports and traces of a kernel, and of the same with two lines above and one more inside."""
    folder = tmp_path_factory.mktemp("versions")
    for name, text in (
        ("before", KERNEL),
        ("after", "# one\n# two\n" + KERNEL.replace(MULTIPLY, MULTIPLY + MORE)),
    ):
        (folder / name).mkdir()
        (folder / name / "kernel.py").write_text(text)
        done = run("profile", "--output", name, f"{name}/kernel.py:k", X, cwd=folder)
        assert done.code == 0, done.err
    return folder


def diff(folder, *arguments):
    """The command, run where the files are."""
    return run("diff", *arguments, cwd=folder)


def line(number, text, mnemonics="dma_copy", file="a.py"):
    return {"place": f"{file}:{number}", "source": text, "mnemonics": mnemonics}


def numbers(pairs):
    return [tuple(one and int(one["place"].rpartition(":")[2]) for one in pair) for pair in pairs]


def test_lines_that_moved_stay_the_same_lines():
    before = [line(1, "load(x)"), line(2, "f(x)", "activation"), line(3, "store(x)")]
    after = [line(4, "load(x)"), line(6, "f(x)", "activation"), line(9, "store(x)")]
    assert numbers(aligned(before, after)) == [(1, 4), (2, 6), (3, 9)]


def test_an_edited_line_is_one_changed_line_and_a_new_one_is_new():
    before = [line(1, "load(x)"), line(2, "f(x, 1)", "activation"), line(3, "store(x)")]
    after = [
        line(1, "load(x)"),
        line(2, "f(x, 2)", "activation"),
        line(3, "g(x)", "nc_matmul"),
        line(4, "store(x)"),
    ]
    assert numbers(aligned(before, after)) == [(1, 1), (2, 2), (None, 3), (3, 4)]


def test_without_text_lines_are_matched_by_their_instructions():
    before = [line(1, ""), line(2, "", "activation")]
    after = [line(7, "", "memset"), line(8, ""), line(9, "", "activation")]
    assert sorted(numbers(aligned(before, after)), key=lambda p: p[1]) == [
        (None, 7),
        (1, 8),
        (2, 9),
    ]


def test_files_of_two_names_are_matched_and_extra_ones_are_new():
    before = [line(1, "load(x)", file="old.py"), line(5, "f(x)", file="lib.py")]
    after = [line(3, "load(x)", file="new.py"), line(5, "f(x)", file="x/lib.py")]
    assert sorted(numbers(aligned(before, after))) == [(1, 3), (5, 5)]
    assert sorted(numbers(aligned(before[:1], after)), key=str) == [(1, 3), (None, 5)]


def test_a_diff_of_profiles_accounts_for_the_whole_change(versions):
    done = diff(versions, "--json", "before/k.json", "after/k.json")
    assert done.code == 0, done.err
    (one,) = done.data["kernels"]
    assert done.data["schema"] == "trainyard.diff/1"
    reports = [json.loads((versions / name / "k.json").read_text()) for name in ("before", "after")]
    change = reports[1]["duration_ns"] - reports[0]["duration_ns"]
    assert change > 0
    assert one["time_ns"]["difference"] == pytest.approx(change)
    path = sum(row["critical_path_ns"]["difference"] for row in one["lines"])
    assert path == pytest.approx(change)  # nothing is left unexplained, nothing said twice
    new = [row for row in one["lines"] if row["place_before"] is None]
    assert [row["source"] for row in new] == [MORE.strip()]
    assert [row["place_after"].rpartition(":")[2] for row in new] == ["15"]
    kept = {row["place_before"].rpartition("/")[2] for row in one["lines"] if row not in new}
    assert kept >= {"kernel.py:11", "kernel.py:13"}
    counts = {row["mnemonics"]: row["executions"] for row in one["instructions"]}
    assert counts["activation"] == {"before": None, "after": 1, "difference": 1}
    sbuf = [row["bytes"]["difference"] for row in one["bytes"] if row["memory"] == "sbuf"]
    assert sbuf == [128 * 64 * 2] * 2  # the new line reads and writes the tile once
    hbm = [row["bytes"]["difference"] for row in one["bytes"] if row["memory"] == "hbm"]
    assert hbm == [0, 0]


def test_a_trace_is_compared_like_the_report_of_the_same_run(versions):
    traces = diff(versions, "--json", "before/k.tytrace", "after/k.tytrace").data
    reports = diff(versions, "--json", "before/k.json", "after/k.json").data
    (a,), (b,) = traces["kernels"], reports["kernels"]
    assert (a["time_ns"], a["waits"], a["bound"]) == (b["time_ns"], b["waits"], b["bound"])
    assert a["bytes"] == []  # which a trace does not hold
    mixed = diff(versions, "--json", "before/k.tytrace", "before/k.json").data["kernels"][0]
    assert mixed["time_ns"]["difference"] == 0
    assert mixed["waits"] == []


def test_text_and_markdown_show_the_change(versions):
    text = diff(versions, "before/k.json", "after/k.json").out
    assert text.startswith("k: ") and " longer\n" in text
    assert "kernel.py:15 (new)" in text and "nisa.activation(" in text
    page = diff(versions, "--markdown", "before/k.json", "after/k.json").out
    assert page.startswith("### k: ")
    assert "| `nisa.activation(dst=tile, op=nl.exp, data=tile)` |" in page
    tables = [block for block in page.split("\n\n") if block.startswith("|")]
    assert len(tables) == 4
    for table in tables:
        assert len({row.count("|") for row in table.splitlines()}) == 1, table


def test_the_same_run_has_no_differences(versions):
    done = diff(versions, "before/k.json", "before/k.json")
    assert "in both" in done.out and "the compiled program is the same" in done.out
    assert "Source lines" not in done.out


def test_results_are_compared_in_python():
    import nki
    import nki.isa as nisa
    import nki.language as nl
    import numpy as np

    @nki.jit
    def twice(x, repeats):
        tile = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(dst=tile, src=x)
        for _ in range(repeats):
            nisa.activation(dst=tile, op=nl.exp, data=tile)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=tile)
        return out

    x = np.zeros((128, 64), np.float32)
    short, long = twice.bench(x, repeats=1), twice.bench(x, repeats=4)
    found = package.diff(short, long)
    assert found.runs[0].time.before == short.time_ns
    assert found.runs[0].time.after == long.time_ns
    (line,) = [one for one in found.runs[0].lines if "activation" in one.mnemonics]
    assert (line.executions.before, line.executions.after) == (1, 4)
    assert "nisa.activation" in line.source
    assert [one.holds for one in found.judge(["time>+2%", "instructions>+3", "time<1ns"])] == [
        True,
        False,
        False,
    ]
    assert "<table>" in found._repr_html_()


def a_run(ns, kernel="k", call=0, **more):
    return Run(kernel, call, {"duration_ns": ns, "ticks_per_ns": 168} | more)


@pytest.mark.parametrize(
    ("condition", "ns", "holds"),
    [
        ("time>230us", 230_000.0, False),
        ("time>230us", 230_000.5, True),
        ("time>=230us", 230_000.0, True),
        ("time<0.5ms", 499_999.0, True),
        ("time>+2%", 1020.0, False),
        ("time>+2%", 1020.1, True),
        ("time<-2%", 979.0, True),
        ("time<-2%", 981.0, False),
        ("time>+20ns", 1020.5, True),
        ("time>+0.02us", 1019.0, False),
        ("k:time>+2%", 1100.0, True),
        (" time > +2 % ", 1100.0, True),
        ("as_written>1us", 1001.0, True),
    ],
)
def test_a_condition_holds_where_it_should(condition, ns, holds):
    (judged,) = judge([condition], [a_run(ns)], [a_run(1000.0)])
    assert judged.holds is holds, str(judged)


def test_metrics_read_what_the_report_says():
    report = {
        "speed_of_light": {"share": 0.4},
        "energy": {"joules": {"value": 2e-3}},
        "traffic": [{"memory": "hbm", "bytes": {"read": 1024, "written": 1024}}],
        "mnemonics": [{"executions": 3}, {"executions": 4}],
    }
    values = {"light<50%": 0.4, "energy>1mJ": 2e-3, "hbm>=2KiB": 2048, "instructions>6": 7}
    for condition, value in values.items():
        (judged,) = judge([condition], [a_run(10.0, **report)])
        assert (judged.holds, judged.value) == (True, value)


def test_what_cannot_be_judged_fails():
    new = a_run(10.0, "new")
    (judged,) = judge(["time>+2%"], [new], [a_run(10.0)])
    assert judged.holds and "no such call" in judged.why
    (judged,) = judge(["hbm>1MiB"], [new])
    assert judged.holds and "the run has no hbm" in judged.why


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tme>2us", "did you mean time?"),
        ("time", "a condition is"),
        ("time>", "a condition is"),
        ("time>2", "has a unit of: ns, us, ms, s"),
        ("time>2%", "time>+2%"),
        ("time>2KiB", "has a unit"),
        ("time>nan", "a condition is"),
        ("time>1e999us", "a condition is"),
        ("time=2us", "a condition is"),
        ("", "a condition is"),
    ],
)
def test_a_wrong_condition_is_explained(text, said):
    with pytest.raises(package.UsageError) as raised:
        Condition.parse(text)
    assert said in str(raised.value)


def test_limits_are_finite():
    assert math.isfinite(Condition.parse("time>" + "9" * 300 + "ns").limit)
    with pytest.raises(package.UsageError, match="too large"):
        Condition.parse("time>" + "9" * 400 + "s")


def test_time_compares_with_a_baseline_and_sets_the_exit_code(trainyard, tmp_path):
    kernel = f"{KERNELS}:double"
    (tmp_path / "base.json").write_text(trainyard("time", "--json", kernel, X).out)
    gate = ("--baseline", "base.json", "--fail-if", "time>+2%")
    same = trainyard("time", *gate, kernel, X)
    assert (same.code, same.err) == (0, "")
    assert "Against base.json" in same.out and "in both" in same.out
    slow = trainyard("time", *gate, "--set", "vector.clock=x0.5", kernel, X)
    assert slow.code == 1
    assert "double: time>+2%" in slow.err and "the baseline's is" in slow.err
    assert "the figures of trn3 differ" in slow.out
    data = trainyard("time", "--json", *gate, "--set", "vector.clock=x0.5", kernel, X)
    assert data.code == 1
    (condition,) = data.data["conditions"]
    assert condition["holds"] is True
    assert condition["value"] == data.data["kernels"][0]["time_ns"]
    assert data.data["baseline"]["kernels"][0]["time_ns"]["difference"] > 0


def test_an_absolute_condition_needs_no_baseline(trainyard):
    kernel = f"{KERNELS}:double"
    assert trainyard("time", "--fail-if", "time>1s", kernel, X).code == 0
    done = trainyard("time", "--fail-if", "time>1ns", "--fail-if", "hbm>1B", kernel, X)
    assert done.code == 1
    assert [one.split(": ")[2] for one in done.err.splitlines()] == ["time>1ns", "hbm>1B"]


def test_wrong_conditions_and_baselines_are_refused_before_anything_runs(trainyard, tmp_path):
    kernel = f"{KERNELS}:double"
    needs = trainyard("time", "--fail-if", "time>+2%", kernel, X)
    assert (needs.code, needs.out) == (2, "")
    assert "needs --baseline" in needs.err
    wrong = trainyard("time", "--fail-if", "tim>1us", kernel, X)
    assert wrong.code == 2 and "did you mean time?" in wrong.err
    assert trainyard("time", "--baseline", "none.json", kernel, X).code == 2
    other = trainyard("time", "--fail-if", "softmax:time>1us", kernel, X)
    assert other.code == 2 and "no kernel softmax ran; these did: double" in other.err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"schema": "trainyard.report"}',
        b'{"schema": "trainyard.report", "duration_ns": true, "ticks_per_ns": 168}',
        b'{"schema": "trainyard.report", "duration_ns": 5, "ticks_per_ns": 168, "bound": 3}',
        b'{"schema": "trainyard.report", "duration_ns": 5, "ticks_per_ns": 168, "tracks": [1]}',
        b'{"schema": "trainyard.report", "duration_ns": 5, "ticks_per_ns": 168, "tracks": [],'
        b' "lines": [{"place": "a:1", "mnemonics": "x", "executions": "many", "busy_on": {}}]}',
        b'{"schema": "trainyard.report", "duration_ns": 5, "ticks_per_ns": 168, "tracks": [],'
        b' "lines": [], "run": {"more": 7}, "critical_path": {"lines": [{"ticks": "x"}]}}',
        b'{"schema": "trainyard.results/1", "kernels": 7}',
        b'{"schema": "trainyard.results/1", "kernels": []}',
        b'{"schema": "trainyard.results/1", "kernels": [{"report": 1}]}',
        b'{"schema": "trainyard.machine/1"}',
        b"TYTRACE\n",
        b"\xff\xfe",
    ],
)
def test_a_file_that_is_no_report_is_refused(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises((package.UsageError, package.InputError), match=r"bad\.json"):
        package.diff(path, path)


def test_the_command_refuses_such_a_file(trainyard, tmp_path):
    (tmp_path / "bad.json").write_text("[]")
    done = trainyard("diff", "bad.json", "bad.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("trainyard: bad.json is not a report; expected ")
