"""Does the comparison read rows and rank ladders as it says?"""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from silicon import autocomp, moe_megakernel, nki_autotune, nki_library, report  # noqa: E402
from silicon.__main__ import main  # noqa: E402
from silicon.case import LAUNCH_US, Case, NotReproducibleError  # noqa: E402
from silicon.rows import Row, parameters, read  # noqa: E402

HEAD = "id,gen,level,config,workload,metric,value,unit,source,reproducible,notes\n"


def test_rows_are_times_of_reproducible_kernels_in_microseconds(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        HEAD
        + 'A-1,trn2,kernel,"Trn2, LNC2",k: d=64,time,1.5,ms,s,yes,\n'
        + "A-2,trn2,instr,c,w,time,1,us,s,yes,\n"
        + "A-3,trn2,kernel,c,w,time,1,us,s,partly,\n"
        + "A-4,trn2,kernel,c,w,active,1,%,s,yes,\n"
    )
    assert [(row.id, row.published_us, row.collection) for row in read(path)] == [
        ("A-1", 1500.0, "A")
    ]


def test_an_interrupted_comparison_keeps_the_rows_that_it_has(tmp_path, monkeypatch, capsys):
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + "".join(f"A-{i},trn2,kernel,c,w,time,1,us,s,yes,\n" for i in (1, 2, 3)))

    def run(row, *_):
        if row.id == "A-3":
            raise KeyboardInterrupt
        return report.Result(row.id, row.machine, "", row.workload, row.published_us)

    monkeypatch.setattr("silicon.__main__.run", run)
    with pytest.raises(KeyboardInterrupt):
        main([str(path), "--json", str(tmp_path / "out.json")])
    assert [one["id"] for one in json.loads((tmp_path / "out.json").read_text())] == ["A-1", "A-2"]
    assert capsys.readouterr().out.rstrip().endswith("all")


def test_a_workload_names_its_parameters():
    assert parameters("attention_cte (x): bs=2 dtype=bfloat16 sink=True") == {
        "bs": "2",
        "dtype": "bfloat16",
        "sink": "True",
    }


def test_equal_values_share_a_rank():
    assert report.ranks([30, 10, 10, 20]) == [4, 1.5, 1.5, 3]


@pytest.mark.parametrize(
    ("other", "expected"), [([1, 2, 3], 1), ([9, 8, 7], -1), ([5, 5, 5], 0), ([1, 3, 2], 0.5)]
)
def test_rank_correlation(other, expected):
    assert report.rank_correlation([10, 20, 30], other) == pytest.approx(expected)


def test_a_row_without_a_builder_says_so():
    row = Row("N-1", "trn2", "Trn2, LNC1", "unheard_of: d=1", "time", 1.0, "", "")
    with pytest.raises(NotReproducibleError, match="unheard_of"):
        nki_library.case_of(row)


def test_of_nki_autotune_only_the_timed_product_has_a_builder(tmp_path):
    row = Row("A-1", "trn2", "c", "matmul lhsT 2048^3 bf16, hand written", "MFU", 1.0, "", "")
    with pytest.raises(NotReproducibleError, match="nki-autotune"):
        nki_autotune.finder(tmp_path)(row)


@pytest.mark.parametrize(
    ("workload", "version"),
    [
        ("decode kernel, T=1 H=2048, v12i", "v12i"),
        ("decode kernel, v15c (packed scales, HWDGE)", "v15c"),
        ("fused prefill attention S=640, kernel_v3_bf16", "kernel_v3_bf16"),
    ],
)
def test_the_version_of_a_row_may_have_commas_behind_it(workload, version):
    assert moe_megakernel.version_of(workload) == version


def test_a_row_without_a_version_is_not_reproducible():
    with pytest.raises(NotReproducibleError, match="version"):
        moe_megakernel.version_of("decode kernel, T=1")


@pytest.mark.parametrize(
    ("family", "cores"),
    [("no_cp_unit", 1), ("no_cp_vnc_unit", 2), ("no_cp_vnc_unit: vnc_degree=1", 1)],
)
def test_tests_that_leave_the_cores_to_the_framework_run_on_one(monkeypatch, family, cores):
    def build(p):
        return Case(None, {}, grid=p.number("vnc_degree", 2))

    monkeypatch.setitem(nki_library.BUILDERS, "attention_cte", build)
    workload = (
        f"attention_cte ({family}): bs=1" if ":" not in family else f"attention_cte ({family}"
    )
    row = Row("N-1", "trn2", "Trn2, LNC2", workload, "time", 1.0, "s", "")
    case = nki_library.case_of(row)
    assert case.grid == cores
    assert case.launch_us == (LAUNCH_US if cores == 1 else nki_library.TWO_CORE_LAUNCH_US)


def test_a_prefill_has_a_row_for_each_token_and_later_versions_transposed_weights():
    early = moe_megakernel._tensors(kv_heads=4, prefilled=640)
    late = moe_megakernel._tensors(kv_heads=4, prefilled=640, transposed=True)
    assert early["hidden_states"].shape == (1, 640, 2048)
    assert early["cos"].shape == (640, 128)
    assert (early["Wk"].shape, late["Wk"].shape) == ((512, 2048), (2048, 512))


def test_a_function_that_takes_a_manager_becomes_a_kernel_of_its_tensors():
    def function(x, y, out_sb=None, sbm=None):
        raise NotImplementedError

    kernel = moe_megakernel._with_manager(function)
    assert list(inspect.signature(kernel).parameters) == ["x", "y"]


def test_the_table_has_the_median_of_each_ladder_and_the_reasons():
    rows = [
        report.Result("A-1", "trn2", "x", "w", 10, 12),
        report.Result("A-2", "trn2", "x", "w", 20, 21),
        report.Result("A-3", "trn2", "x", "w", 30, reason="no builder"),
    ]
    text = report.text(rows)
    assert "12.5%" in text and "1.00   +20%  trn2 x" in text and " 1 no builder" in text


def test_sources_are_counted_with_what_was_not_simulated():
    rows = [
        report.Result("A-1", "trn2", "x", "w", 10, 12, source="one/library"),
        report.Result("A-2", "trn2", "x", "w", 20, reason="no builder", source="one/library"),
        report.Result("B-1", "trn2", "", "w", 20, reason="no checkout", source="other/library"),
    ]
    lines = report.sources(rows)
    assert lines[1].split() == ["2", "1", "20.0%", "+20%", "one/library"]
    assert lines[3].split() == ["1", "0", "-", "-", "other/library"]
    assert lines[-1].split()[:2] == ["3", "1"]


def test_a_source_is_what_stands_before_the_colon():
    row = Row("N-1", "trn2", "c", "w", "time", 1.0, "one/library:path.py@abc; log", "")
    assert row.repository == "one/library"


def test_the_steps_of_a_trace_come_first_to_last():
    trace = (
        "Candidate(parent=Candidate(parent=None, code='a', score=2), plan='p', code='b', score=1)"
    )
    assert autocomp.steps(trace) == ["a", "b"]


@pytest.mark.parametrize(
    ("cores", "launch_us"), [(1, LAUNCH_US), (2, nki_library.TWO_CORE_LAUNCH_US)]
)
def test_a_level_of_two_cores_holds_a_launch_of_its_own(cores, launch_us, monkeypatch):
    builder = {"k": lambda p: Case(print, grid=p.number("lnc"))}
    monkeypatch.setattr(nki_library, "BUILDERS", builder)
    row = Row("NKILIB-1", "trn2", f"Trn2, LNC{cores}", f"k: lnc={cores}", "time", 1.0, "", "")
    assert nki_library.case_of(row).launch_us == launch_us


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.csv"], "cannot read missing.csv"),
        (["other.csv"], "no column 'gen'"),
        (["broken.csv"], "line 3: a time of 'fast'"),
        (["rows.csv", "--only", "Z"], "no time of rows.csv"),
        (["rows.csv", "--json", "."], "no file that results can be written to"),
        (["rows.csv", "--nki-library", "nowhere"], "--nki-library nowhere: there is no such"),
        (["rows.csv", "--accelopt", "."], "no checkout of zhang677/AccelOpt: NKIBench/kernels"),
        (["rows.csv", "--neuron-sdk", "."], "no checkout of aws-neuron/aws-neuron-sdk"),
        (["rows.csv", "--moe-megakernel", "."], "no checkout of KevGomes1403/nki-moe-megakernel"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    row = "A-{},trn2,kernel,c,w,time,{},us,s,yes,\n"
    Path("rows.csv").write_text(HEAD + row.format(1, 1))
    Path("broken.csv").write_text(HEAD + row.format(1, 1) + row.format(2, "fast"))
    Path("other.csv").write_text("id,value\n1,2\n")
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("--every", "0"), ("--seconds", "soon")])
def test_numbers_are_whole_and_positive(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["rows.csv", *arguments])
    assert "is no whole number of at least 1" in capsys.readouterr().err


def test_a_python_that_lacks_a_module_is_told(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError(name='numpy')\n")
    done = subprocess.run(
        [sys.executable, ROOT / "tools/nki_suite", "--time", "rows.csv"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "has no module 'numpy'" in done.stderr
    assert "Traceback" not in done.stderr


def test_results_of_old_kernels_are_shared_and_nothing_else_is():
    kernel = (
        "def kernel(x):\n"
        "    apart = nl.ndarray((2, 2), dtype=x.dtype, buffer=nl.hbm)\n"
        "    output = nl.ndarray((2, 2), dtype=x.dtype, buffer=nl.{})\n"
        "    return output\n"
    )
    assert moe_megakernel.shared_results(kernel.format("hbm")) == kernel.format("shared_hbm")
