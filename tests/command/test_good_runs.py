"""Does each subcommand do what its help says, for people and as JSON?"""

import json
import shlex
import subprocess
import sys

import numpy as np
import pytest
from command_line import KERNELS, X

DOUBLE = f"{KERNELS}:double"


def test_run_says_that_the_kernel_ran_and_was_checked(trainyard):
    done = trainyard("run", DOUBLE, X)
    assert (done.code, done.err) == (0, "")
    assert done.out == "double: 3 instructions, checks passed\n"


def test_a_kernel_without_inputs_is_told_no_warning(trainyard, tmp_path):
    (tmp_path / "k.py").write_text(
        "import nki, nki.isa as nisa, nki.language as nl\n@nki.jit\ndef k():\n"
        "    tile = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.sbuf)\n"
        "    out = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)\n"
        "    nisa.memset(dst=tile, value=1.0)\n    nisa.dma_copy(dst=out, src=tile)\n"
        "    return out\n"
    )
    done = trainyard("run", "k.py:k")
    assert (done.code, done.err) == (0, "")


def test_run_leaves_the_output_of_a_script_alone(trainyard, tmp_path):
    (tmp_path / "script.py").write_text(
        "import sys, numpy as np\n"
        f"sys.path.insert(0, {str(KERNELS.parent)!r})\n"
        "from kernels import double\n"
        "print(sys.argv[1:], double(np.ones((2, 2), np.float32)).sum())\n"
    )
    done = trainyard("run", "script.py", "--its-own", "7")
    assert (done.code, done.out, done.err) == (0, "['--its-own', '7'] 8.0\n", "")


def test_options_of_a_kernel_stand_before_or_after_it(trainyard):
    settings = ("--set", "hbm.bandwidth=x2", "--machine", "trn2", "--set", "dma.ring_depth=64")
    before = trainyard("time", "--json", *settings, DOUBLE, X)
    after = trainyard("time", DOUBLE, X, *settings, "--json")
    around = trainyard("time", *settings[:2], DOUBLE, *settings[2:4], X, "--json", *settings[4:])
    assert before.data["kernels"][0]["machine"] == "trn2"
    assert before.data == after.data == around.data


def test_what_a_script_prints_does_not_get_into_the_json(trainyard, tmp_path):
    (tmp_path / "script.py").write_text(
        f"import sys\nsys.path.insert(0, {str(KERNELS.parent)!r})\n"
        "import numpy as np, kernels\nprint('hello')\nkernels.double(np.ones((2, 2), np.float32))\n"
    )
    done = trainyard("run", "--json", "script.py")
    assert done.err == "hello\n"
    assert done.data["schema"] == "trainyard.results/1"
    assert done.data["error"] is None
    assert [kernel["kernel"] for kernel in done.data["kernels"]] == ["double"]


def test_time_reports_time_and_bound(trainyard):
    text = trainyard("time", DOUBLE, X)
    assert text.code == 0
    assert text.out.startswith("double on trn3: ")
    data = trainyard("time", "--json", DOUBLE, X).data
    (kernel,) = data["kernels"]
    assert kernel["time_ns"] > 0
    assert kernel["bound"]
    # Without values nothing is checked; the rest is the same.
    (unchecked,) = trainyard("time", "--json", "--no-values", DOUBLE, X).data["kernels"]
    assert unchecked["report"]["run"]["more"].pop("values") == "none"
    assert unchecked == kernel | {"findings": []}


def test_a_report_says_how_to_repeat_the_run(trainyard):
    asked = ("--set", "dma.link=x1.5", "--schedule", "list", "--nki", "0.5", "--seed", "3")
    first = trainyard("time", "--json", *asked, DOUBLE, X, "factor=3").data["kernels"][0]["report"]
    run = first["run"]
    assert run["more"]["order"] == "author: no faster order was found"
    assert {key: value for key, value in run["more"].items() if key != "order"} == {
        "schedule": "list",
        "set": "dma.link=57.6GB/s,policy.integer_rounding=toward_zero,policy.search_rule=nki_0_5",
        "nki": "0.5",
        "inputs": "'x=bfloat16[128,64]' factor=3",
        "seed": "3",
    }
    again = [part for setting in run["more"]["set"].split(",") for part in ("--set", setting)]
    again += [
        part for key in ("schedule", "nki", "seed") for part in (f"--{key}", run["more"][key])
    ]
    repeated = trainyard("time", "--json", *again, DOUBLE, *shlex.split(run["more"]["inputs"]))
    (again,) = repeated.data["kernels"]
    assert again["report"]["run"] == run
    assert again["report"]["tracks"] == first["tracks"]
    text = " ".join(trainyard("time", *asked, DOUBLE, X).out.split("Reproduce: ")[1].split())
    assert "schedule list; order author: no faster order was found; set dma.link=" in text
    assert "policy.integer_rounding=toward_zero" in text
    assert text.endswith("nki 0.5; inputs 'x=bfloat16[128,64]'; seed 3")


def test_an_override_of_a_figure_that_nothing_reads_is_warned_of(trainyard):
    done = trainyard("time", "--json", "--set", "hbm.channels=3", DOUBLE, X)
    assert done.code == 0
    assert done.err.startswith("trainyard: warning: no model reads hbm.channels yet")
    assert ["hbm.channels" in warning for warning in done.data["warnings"]] == [True]
    plain = trainyard("time", "--json", DOUBLE, X)
    assert (plain.err, plain.data["warnings"]) == ("", [])
    assert plain.data["kernels"][0]["time_ns"] == done.data["kernels"][0]["time_ns"]


def test_the_interval_of_a_time_holds_it(trainyard):
    (kernel,) = trainyard("time", "--json", "--interval", DOUBLE, X).data["kernels"]
    interval = kernel["report"]["interval"]
    assert interval["low_ns"] < kernel["time_ns"] < interval["high_ns"]
    moving = {figure["key"] for figure in interval["figures"]}
    leaned_on = kernel["report"]["assumptions"]
    assert moving == {each["key"] for each in leaned_on if each["effect"] == "timing"}
    assert "interval" not in trainyard("time", "--json", DOUBLE, X).data["kernels"][0]["report"]


def test_a_what_if_is_the_time_on_the_changed_machine(trainyard):
    def time(*options):
        return trainyard("time", "--json", *options, DOUBLE, X).data["kernels"][0]

    asked = time(
        "--what-if", "vector.clock=x0.5", "--what-if", "dma.completion=0ns,vector.clock=x2"
    )
    slow, fast = sorted(asked["report"]["what_ifs"], key=lambda each: -each["duration_ns"])
    assert slow["duration_ns"] == time("--set", "vector.clock=x0.5")["time_ns"]
    assert fast["set"] == ["dma.completion=0ns", "vector.clock=x2"]
    assert fast["gain"] > 0 > slow["gain"]
    names = [each["name"] for each in time("--what-if", "all")["report"]["what_ifs"]]
    assert len(names) > 10


def test_a_wrong_what_if_is_refused_before_anything_runs(trainyard):
    done = trainyard("time", "--what-if", "vector.clok=x2", DOUBLE, X)
    assert done.code != 0
    assert done.out == ""
    assert "did you mean vector.clock?" in done.err
    unseen = trainyard("time", "--what-if", "sbuf.partition_size=x0.5", DOUBLE, X)
    assert "use --set" in unseen.err


def test_an_override_changes_the_time(trainyard):
    def time(*options):
        return trainyard("time", "--json", *options, DOUBLE, X).data["kernels"][0]["time_ns"]

    assert time("--set", "vector.clock=x0.5") > time()
    assert time("--machine", "trn2") != time()


def test_profile_writes_report_trace_and_perfetto_file(trainyard, tmp_path):
    done = trainyard("profile", "--output", "out", DOUBLE, X)
    assert done.code == 0
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    suffixes = ("json", "tytrace", "pftrace", "details.json")
    assert set(files) == {f"double.{suffix}" for suffix in suffixes}
    assert json.loads(files["double.json"])["run"]["program"] == "double"
    assert len(files["double.tytrace"]) > 100 and len(files["double.pftrace"]) > 100
    assert done.err.count("wrote ") == 4


def test_profile_writes_a_page_that_needs_nothing_else(trainyard, tmp_path):
    done = trainyard("profile", "--html", DOUBLE, X)
    assert done.code == 0
    assert "wrote double.html" in done.err
    page = (tmp_path / "double.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<title>double - Trainyard</title>" in page and 'id="document"' in page


def test_check_passes_a_kernel_without_faults(trainyard):
    done = trainyard("check", "--suppress", "dma", DOUBLE, X)
    assert (done.code, done.out) == (0, "1 kernel call finished, no findings\n")


def test_check_names_the_reader_the_allocation_and_a_fix(trainyard):
    data = trainyard("check", "--json", f"{KERNELS}:unwritten", X)
    assert data.code == 1
    assert data.data["schema"] == "trainyard.check/1"
    (finding,) = [one for one in data.data["findings"] if one["severity"] == "error"]
    lines = KERNELS.read_text().splitlines()
    reader = next(i for i, line in enumerate(lines) if "def unwritten" in line) + 3
    assert finding["label"] == "memory.unwritten"
    assert finding["place"].startswith(f"{KERNELS}:{reader} in unwritten")
    assert "created at" in finding["found"]
    assert finding["fix"]
    text = trainyard("check", f"{KERNELS}:unwritten", X)
    assert text.code == 1
    assert all(finding[part] in text.out for part in ("rule", "place", "found", "fix"))


def test_check_counts_what_stops_a_kernel_as_a_finding(trainyard):
    done = trainyard("check", "--json", f"{KERNELS}:wrong_shape", X)
    assert done.code == 1
    assert done.data["findings"][0]["label"].startswith("tensor_copy.")


@pytest.mark.parametrize(
    ("text", "dtype", "shape"),
    [
        ("x=bf16[2,3]", "bfloat16", (2, 3)),
        ("x=float32[4]", "float32", (4,)),
        ("x=int32[2,2]", "int32", (2, 2)),
    ],
)
def test_inputs_are_made_as_asked(text, dtype, shape):
    from trainyard.commands import inputs

    made = inputs.parse([text, "k=3", "f=0.5", "word=abc", "b=True"], lambda **_: None, seed=1)
    assert (made["x"].dtype.name, made["x"].shape) == (dtype, shape)
    assert (made["k"], made["f"], made["word"], made["b"]) == (3, 0.5, "abc", True)
    again = inputs.parse([text], lambda **_: None, seed=1)
    assert (again["x"] == made["x"]).all()


def test_inputs_come_from_files_in_the_dtype_that_is_named(tmp_path):
    import ml_dtypes
    from trainyard.commands import inputs

    values = np.arange(4).astype(ml_dtypes.bfloat16)
    np.save(tmp_path / "a.npy", values)
    made = inputs.parse([f"x=bfloat16:{tmp_path}/a.npy"], lambda **_: None, seed=0)["x"]
    assert made.dtype == ml_dtypes.bfloat16 and (made == values).all()


def test_machine_shows_where_numbers_come_from(trainyard):
    assert "trn3" in trainyard("machine", "list").out.split()
    shown = trainyard("machine", "show", "trn3", "--provenance")
    assert shown.code == 0 and " assumed " in shown.out
    data = trainyard("machine", "show", "trn3", "--set", "vector.clock=x2", "--json").data
    assert data["schema"] == "trainyard.machine/1"
    figure = trainyard("machine", "explain", "trn3", "vector.clock", "--json").data["figure"]
    doubled = next(f for f in data["figures"] if f["key"] == "vector.clock")
    assert float(doubled["value"]) == 2 * float(figure["value"])


def test_a_title_does_not_steer_the_terminal():
    from trainyard.commands import output

    assert output.plain("a \x1b[31mb\nµ") == "a \\x1b[31mb\\nµ"


def test_isa_lists_and_shows_instructions(trainyard):
    listed = trainyard("isa", "list")
    data = trainyard("isa", "list", "--json").data
    assert len(listed.out.splitlines()) == len(data["instructions"]) > 30
    shown = trainyard("isa", "show", "nc_matmul")
    assert shown.code == 0 and "nc_matmul.c1" in shown.out


def test_a_compiled_program_can_be_saved_printed_and_read_again(trainyard, tmp_path):
    saved = trainyard("run", "--save-programs", "out", DOUBLE, X)
    assert (saved.code, saved.err) == (0, "wrote out/double.typrog\n")
    words = trainyard("isa", "disassemble", "out/double.typrog")
    assert words.code == 0
    assert "tensor_scalar" in words.out and f"{KERNELS}:" in words.out
    exact = trainyard("isa", "disassemble", "--exact", "out/double.typrog")
    assert exact.out.startswith("trainyard program 1\n")
    (tmp_path / "text").write_text(exact.out)
    assert trainyard("isa", "disassemble", "text").out == words.out
    again = trainyard("isa", "disassemble", "--exact", "text")
    assert again.out == exact.out


def test_the_hash_of_a_program_tells_programs_apart_wherever_their_source_lies(trainyard, tmp_path):
    (tmp_path / "moved.py").write_text("\n\n" + KERNELS.read_text())

    def hash_of(kernel, *inputs):
        (call,) = trainyard("time", "--json", kernel, X, *inputs).data["kernels"]
        return call["report"]["run"]["program_hash"]

    assert hash_of(DOUBLE) == hash_of("moved.py:double") != "0000000000000000"
    assert hash_of(DOUBLE) != hash_of(DOUBLE, "factor=3.0")


def test_commands_without_kernels_start_without_numpy():
    code = "import sys, trainyard.__main__; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_trace_can_be_read_again(trainyard, tmp_path):
    printed = trainyard("profile", DOUBLE, X).out
    text = trainyard("report", "double.tytrace", "--perfetto", "again.pftrace")
    assert text.code == 0
    table = "Where the time went"
    assert text.out.split(table)[1].split("\n\n")[0] == printed.split(table)[1].split("\n\n")[0]
    lines = "Engine time by source line"
    assert text.out.split(lines)[1].split("\n\n")[0] == printed.split(lines)[1].split("\n\n")[0]
    assert (tmp_path / "again.pftrace").read_bytes() == (tmp_path / "double.pftrace").read_bytes()
    data = trainyard("report", "--json", "double.tytrace").data
    report = json.loads((tmp_path / "double.json").read_text())
    assert data.pop("schema") == "trainyard.trace/1"
    for row in report["lines"] + report["mnemonics"]:  # nor the program, which slack needs
        row.pop("slack_ticks", None)
        row.pop("source", None)  # nor the text of the kernel
    for field in data:
        if field != "run":  # the trace does not hold the machine's title
            assert data[field] == report[field], field


def test_a_first_generation_kernel_is_named_as_others_are(trainyard, tmp_path):
    (tmp_path / "k.py").write_text(
        "from neuronxcc import nki\nimport neuronxcc.nki.language as nl\n@nki.jit\n"
        "def copied(x):\n    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)\n"
        "    nl.store(out, nl.load(x))\n    return out\n"
    )
    done = trainyard("run", "k.py:copied", X)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("copied: ")
    assert trainyard("tune", "k.py:copied", X, "--schedules", "list,author").code == 0
    assert "k.py:copied NAME=" in trainyard("run", "k.py").err
    assert "leave out --ranks" in trainyard("run", "--ranks", "2", "k.py:copied", X).err


HALVES = """import nki, nki.language as nl

@nki.jit
def halves(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    many = x.shape[1] // nl.num_programs(0)
    part = nl.ds(nl.program_id(0) * many, many)
    nl.store(out[:, part], nl.exp(nl.load(x[:, part])))
    return out
"""


def test_a_named_kernel_runs_on_the_grid_that_is_named(trainyard, tmp_path):
    (tmp_path / "halves.py").write_text(HALVES)
    one, two = (
        trainyard("time", f"halves.py:halves{grid}", "x=float32[128,2048]", "--json").data
        for grid in ("", "[2]")
    )
    assert one["kernels"][0]["time_ns"] > two["kernels"][0]["time_ns"]
    wrong = trainyard("time", "halves.py:halves[3]", "x=float32[128,2048]")
    assert (wrong.code, "1 or 2 cores, as halves[2]" in wrong.err) == (2, True)
