"""Does each kind of mistake give one clear message and its exit code?"""

import json

import numpy as np
import pytest
from command_line import KERNELS, X
from trainyard.commands import exit_codes

COMMANDS = ("run", "time", "check", "profile")


def failed(done, code: int, *words: str) -> str:
    assert done.code == code, done.err
    assert all(word in done.err for word in words), done.err
    return done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file(trainyard, command):
    error = failed(trainyard(command, "nowhere.py"), exit_codes.USAGE, "no script nowhere.py")
    assert error.count("\n") == 1


def test_no_command_shows_the_help(trainyard):
    failed(trainyard(), exit_codes.USAGE, "usage: trainyard", "exit codes")


def test_an_unknown_command(trainyard):
    failed(trainyard("tiem"), exit_codes.USAGE, "tiem", "'time'")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_script_that_does_not_parse(trainyard, tmp_path, command):
    (tmp_path / "s.py").write_text("x = 1\ndef f(:\n")
    error = failed(
        trainyard(command, "s.py"), exit_codes.SCRIPT_FAILED, "s.py", "line 2", "SyntaxError"
    )
    assert "trainyard/commands" not in error


@pytest.mark.parametrize("command", COMMANDS)
def test_a_script_that_raises_shows_its_own_lines_only(trainyard, tmp_path, command):
    (tmp_path / "s.py").write_text("def f():\n    raise KeyError('lost')\nf()\n")
    error = failed(trainyard(command, "s.py"), exit_codes.SCRIPT_FAILED, "KeyError: 'lost'")
    assert error.count("File ") == 2, error


@pytest.mark.parametrize(
    ("statement", "words"), [("sys.exit(1)", "exited with 1"), ("sys.exit('no')", "no")]
)
def test_a_script_that_leaves(trainyard, tmp_path, statement, words):
    (tmp_path / "s.py").write_text(f"import sys\n{statement}\n")
    failed(trainyard("run", "s.py"), exit_codes.SCRIPT_FAILED, words)


def test_a_script_that_runs_no_kernel(trainyard):
    failed(trainyard("check", KERNELS), exit_codes.USAGE, "ran no kernel", f"{KERNELS}:double")


def test_an_unknown_kernel(trainyard):
    failed(trainyard("run", f"{KERNELS}:duoble"), exit_codes.USAGE, "did you mean double?")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([], "missing a required argument: 'x'"),
        (["x"], "an input is NAME=DTYPE[SHAPE]"),
        (["x=bf17[2]"], "'bf17' is not a dtype"),
        (["x=bf16[2,b]"], "a shape is positive sizes"),
        (["x=nowhere.npy"], "no file nowhere.npy"),
        (["x="], "an input is NAME=DTYPE[SHAPE]"),
        (["x=[128,64]"], "an input is NAME=DTYPE[SHAPE]"),
        (["x=float32[128,512"], "an input is NAME=DTYPE[SHAPE]"),
        (["x=float32[128,99999999999]"], "too large for the memory"),
        ([X, X], "the input x is given twice"),
        ([X, "y=1"], "unexpected keyword argument 'y'"),
        ([X, "--jsno"], "unrecognized arguments: --jsno"),
        ([X, "--seed"], "expected one argument"),
    ],
)
def test_wrong_inputs(trainyard, inputs, words):
    failed(trainyard("run", f"{KERNELS}:double", *inputs), exit_codes.USAGE, words)


def test_a_file_that_is_no_array(trainyard, tmp_path):
    (tmp_path / "a.npy").write_text("hello")
    failed(trainyard("run", f"{KERNELS}:double", "x=a.npy"), exit_codes.USAGE, "a.npy is not")


@pytest.mark.parametrize("text", ["x=a.npy", "x=float32:a.npy"])
def test_an_array_of_complex_numbers(trainyard, tmp_path, text):
    np.save(tmp_path / "a.npy", np.ones((2, 2), np.complex64))
    failed(trainyard("run", f"{KERNELS}:double", text), exit_codes.USAGE, "a.npy holds complex64")


def test_files_that_cannot_be_read(trainyard, tmp_path):
    unreadable = "/proc/self/mem"  # for whoever runs this: its first byte is no memory
    for name in ("a.npy", "s.py"):
        (tmp_path / name).symlink_to(unreadable)
    done = trainyard("run", f"{KERNELS}:double", "x=a.npy")
    failed(done, exit_codes.USAGE, "trainyard: cannot read a.npy: ")
    failed(trainyard("run", "s.py"), exit_codes.USAGE, "trainyard: cannot read s.py: ")
    failed(trainyard("report", "."), exit_codes.USAGE, "trainyard: cannot read .: Is a directory")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("nonsense", "an override is key=value"),
        ("hbm.bandwith=1TB/s", "did you mean hbm.bandwidth?"),
        ("hbm.bandwidth=fast", "the unit of hbm.bandwidth"),
    ],
)
def test_a_wrong_override(trainyard, command, setting, words):
    done = trainyard(command, "--set", setting, f"{KERNELS}:double", X)
    failed(done, exit_codes.INVALID_INPUT, words)


def test_a_wrong_machine(trainyard, tmp_path):
    (tmp_path / "m.toml").write_text("name = 'm'\n[hbm]\nbandwith = 3\n")
    failed(
        trainyard("time", "--machine", "trn9", f"{KERNELS}:double", X),
        exit_codes.INVALID_INPUT,
        "trn9",
    )
    done = trainyard("time", "--machine", "m.toml", f"{KERNELS}:double", X)
    failed(done, exit_codes.INVALID_INPUT, "m.toml:3", "bandwith")
    failed(trainyard("machine", "show", "m.toml"), exit_codes.INVALID_INPUT, "m.toml:3")


def test_an_unknown_platform_in_the_environment(trainyard, monkeypatch):
    monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", "trn7")
    failed(trainyard("run", f"{KERNELS}:double", X), exit_codes.USAGE, "'trn7'", "trn3")


@pytest.mark.parametrize("name", ["TRAINYARD_CHECKS", "TRAINYARD_NKI_LEVEL"])
def test_an_unknown_value_in_the_environment(trainyard, monkeypatch, name):
    monkeypatch.setenv(name, "9")
    failed(trainyard("run", f"{KERNELS}:double", X), exit_codes.USAGE, f"{name} is one of ", "'9'")


def test_two_documents_at_once(trainyard):
    done = trainyard("check", "--sarif", "--json", f"{KERNELS}:double", X)
    failed(done, exit_codes.USAGE, "--json and --sarif")


def test_a_broken_rule_names_label_line_and_fix(trainyard):
    done = trainyard("time", f"{KERNELS}:wrong_shape", X)
    failed(
        done, exit_codes.INVALID_INPUT, "tensor_copy.", f"{KERNELS}:", "wrong_shape", "expected:"
    )


def test_a_kernel_that_does_not_fit(trainyard):
    done = trainyard("run", f"{KERNELS}:too_large", X)
    failed(done, exit_codes.DOES_NOT_FIT, "sbuf.capacity", "too_large")


def test_a_fault_stops_run(trainyard):
    done = trainyard("run", "--json", f"{KERNELS}:unwritten", X)
    failed(done, exit_codes.FAULT, "memory.unwritten")
    error = done.data["error"]
    assert (error["kind"], error["exit_code"]) == ("fault", exit_codes.FAULT)
    assert error["violations"][0]["label"] == "memory.unwritten"


def test_errors_before_anything_ran_are_json_too(trainyard):
    done = trainyard("time", "--json", "nowhere.py")
    assert done.data["schema"] == "trainyard.error/1"
    assert done.data["error"]["kind"] == "usage"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["machine", "explain", "trn3", "hbm.bandwith"], exit_codes.INVALID_INPUT),
        (["isa", "show", "nc_matmull"], exit_codes.USAGE),
    ],
)
def test_near_misses_get_a_suggestion(trainyard, arguments, code):
    failed(trainyard(*arguments), code, "did you mean")


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (None, exit_codes.USAGE, "cannot read p.typrog: No such file"),
        (b"TYPROG\r\n\x01", exit_codes.INVALID_INPUT, "program.binary"),
        (b"\xff\xfe nonsense", exit_codes.INVALID_INPUT, "p.typrog"),
        (
            b'trainyard program 1\nname "caf\xe9"\n',
            exit_codes.INVALID_INPUT,
            "p.typrog, line 2, column 11",
        ),
        (
            b'trainyard program 1\nname "\\xff"\n',
            exit_codes.INVALID_INPUT,
            "a quoted text is UTF-8",
        ),
    ],
)
def test_a_file_that_is_no_program(trainyard, tmp_path, content, code, words):
    if content is not None:
        (tmp_path / "p.typrog").write_bytes(content)
    failed(trainyard("isa", "disassemble", "p.typrog"), code, words)


def test_a_mistake_inside_a_kernel_shows_the_users_lines_only(trainyard, tmp_path, monkeypatch):
    (tmp_path / "k.py").write_text(
        "import nki, nki.isa as nisa\n@nki.jit\ndef k(x):\n    nisa.dma_copy(dts=x, src=x)\n"
    )
    done = trainyard("check", "k.py:k", X)
    error = failed(done, exit_codes.SCRIPT_FAILED, "k.py", "line 4", "TypeError", "dts")
    assert error.count("File ") == 1, error
    assert done.out == "no kernel calls finished, no findings, then the script failed\n"
    monkeypatch.setenv("TRAINYARD_TRACEBACK", "full")
    assert trainyard("check", "k.py:k", X).err.count("File ") > 3


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (None, exit_codes.USAGE, "cannot read t.tytrace: No such file"),
        (b"nonsense", exit_codes.INVALID_INPUT, "trace.file"),
    ],
)
def test_a_file_that_is_no_trace(trainyard, tmp_path, content, code, words):
    if content is not None:
        (tmp_path / "t.tytrace").write_bytes(content)
    failed(trainyard("report", "t.tytrace"), code, words)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--machine", "caf\udce9.toml", f"{KERNELS}:double", X],
        ["run", "--set", "caf\udce9=1", f"{KERNELS}:double", X],
        ["machine", "explain", "trn3", "caf\udce9"],
    ],
)
def test_an_argument_that_is_not_utf_8(trainyard, arguments):
    failed(trainyard(*arguments), exit_codes.USAGE, "an argument is not UTF-8")


def test_a_kernel_in_a_folder_whose_name_is_not_utf_8(trainyard, tmp_path):
    folder = tmp_path / "caf\udce9"
    folder.mkdir()
    (folder / "kernels.py").write_bytes(KERNELS.read_bytes())
    done = trainyard("time", "kernels.py:double", X, cwd=folder)
    assert (done.code, done.err) == (0, "")


def test_files_whose_names_are_not_utf_8_are_read_and_written(trainyard, tmp_path):
    name = "caf\udce9"
    (tmp_path / f"{name}.py").write_bytes(KERNELS.read_bytes())
    np.save(tmp_path / "x.npy", np.ones((128, 64), np.float32))
    (tmp_path / "x.npy").rename(tmp_path / f"{name}.npy")
    kernel, x = f"{name}.py:double", f"x={name}.npy"
    for arguments in (
        ["run", kernel, x],
        ["check", kernel, x],
        ["profile", "--output", name, kernel, x],
        ["report", f"{name}/double.tytrace", "--perfetto", f"{name}.pftrace"],
        ["diff", f"{name}/double.json", f"{name}/double.tytrace"],
        ["view", f"{name}/double.tytrace", "--output", f"{name}.html"],
        ["view", name, "--chrome", f"{name}.chrome"],
        ["tune", kernel, x, "--schedules", "list,author", "--keep", f"{name}.json"],
    ):
        done = trainyard(*arguments, cwd=tmp_path)
        assert done.code == 0 and "Traceback" not in done.err, arguments
        assert "udce9" not in done.err and ("wrote" not in done.err or r"caf\xe9" in done.err)
    assert {one.name for one in tmp_path.iterdir()} >= {f"{name}.json", f"{name}.pftrace", name}


TRAIN = ("plan", "train", "llama3-8b", "--tokens", "1e9", "--on", "trn2", "--chips", "16")
ROWS = """[row]
model = "llama3-8b"
phase = "prefill"
value = 0.41
ask = {tp = 8, input = 4096, weights = "bf16"}
"""
SENT = json.dumps({"timestamp": 0, "input_length": 128, "output_length": 8, "hash_ids": [1]})
GROUPS = json.dumps({"replica_groups": [[0, 1], [2, 3]]})
STUDY = """study = {ask = "serving"}
axes = {machine = ["trn2"], batch = [1, 8]}
fixed = {model = "llama3-8b"}
"""


def test_a_name_that_stdout_cannot_write_is_shown(trainyard, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    name = "caf\udce9"
    assert trainyard("profile", "--output", name, f"{KERNELS}:double", X, cwd=tmp_path).code == 0
    report = f"{name}/double.json"
    done = trainyard("time", "--baseline", report, f"{KERNELS}:double", X, cwd=tmp_path)
    assert done.code == 0, done.err
    assert r"caf\xe9/double.json" in done.out


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        (("compare", "llama3-8b", "--on", "trn2", "--figure", "{}.svg"), ""),
        (("compare", "llama3-8b", "--on", "trn2", "--page", "{}.html"), ""),
        (("plan", "serve", "llama3-8b", "--on", "trn2", "--trace", "{}", "--csv", "{}.csv"), SENT),
        (("plan", "serve", "llama3-8b", "--on", "trn2", "--trace", "{}", "--save", "{}.s"), SENT),
        ((*TRAIN, "--csv", "{}.csv", "--tornado", "{}.svg", "--nxd", "{}.json"), ""),
        ((*TRAIN, "--calibrate", "{}"), ROWS),
        (("sweep", "{}", "--results", "{}.sqlite", "--csv", "{}.csv"), STUDY),
        (("cc-test", "allr", "-b", "8", "-e", "8", "--custom-replica-groups", "{}"), GROUPS),
        (("cc-test", "allr", "-b", "8", "-e", "8", "--links", "{}.svg", "--plot", "{}.2.svg"), ""),
        (("claims", "--json", "--page", "{}.html"), ""),
        (("isa", "docs", "--output", "{}.md"), ""),
    ],
    ids=lambda one: "-".join(one[:2]) if isinstance(one, tuple) else "",
)
def test_each_option_takes_a_file_whose_name_is_not_utf_8(trainyard, tmp_path, arguments, content):
    name = "caf\udce9"
    (tmp_path / name).write_text(content)
    done = trainyard(*(one.format(name) for one in arguments), cwd=tmp_path)
    assert done.code == 0, done.err
    written = [one.format(name) for one in arguments if one.startswith("{}.")]
    assert all((tmp_path / one).stat().st_size > 0 for one in written)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "caf\udce9.py"],
        ["run", f"{KERNELS}:double", "x=caf\udce9.npy"],
        ["report", "caf\udce9.tytrace"],
        ["isa", "disassemble", "caf\udce9.typrog"],
    ],
)
def test_a_missing_file_whose_name_is_not_utf_8(trainyard, arguments):
    failed(trainyard(*arguments), exit_codes.USAGE, "caf")


def test_options_behind_a_script_are_its_own_and_that_is_said(trainyard, tmp_path):
    script = tmp_path / "say.py"
    script.write_text("import sys\nprint(sys.argv[1:])\n")
    done = trainyard("run", "--timeout", "60", script, "--machine", "trn2", "--steps=3")
    assert "['--machine', 'trn2', '--steps=3']" in done.out
    warned = [line for line in done.err.splitlines() if "warning" in line]
    text = f"--machine is passed to {script}; for Trainyard, put it before {script}"
    assert warned == [f"trainyard: warning: {text}"]


SLICED = """import nki, nki.language as nl

@nki.jit
def sliced(x):
    return nl.load(x[64:192])
"""


def test_arguments_of_a_kernel_come_from_nobodys_line(trainyard, tmp_path):
    """Neither from the script of the command, nor from runpy."""
    (tmp_path / "sliced.py").write_text(SLICED)
    done = trainyard("check", "sliced.py:sliced", "x=float32[128,64]")
    assert done.code == exit_codes.FINDINGS
    assert "sliced.py:5 in sliced\n" in done.out
    assert "\n  created: 'x'\n  fix:" in done.out
