"""Do the shells complete what the command has, is the man page sound, does text fit a terminal?"""

import io
import os
import pty
import shutil
import subprocess
import sys

import pytest
from command_line import KERNELS, X
from trainyard import __main__
from trainyard.commands import terminal
from trainyard.shell import completion, man_page, parsed

ROOT = parsed.command_of(__main__.make_parser())
COMPLETE = """
. /dev/fd/3
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trainyard; printf '%s\\n' "${COMPREPLY[@]}"
"""


def bash(*words):
    """What bash offers for the last word."""
    script = completion.bash(ROOT)
    read, write = os.pipe()
    os.write(write, script.encode())
    os.close(write)
    done = subprocess.run(
        ["bash", "-c", COMPLETE.replace("/dev/fd/3", f"/dev/fd/{read}"), "bash", *words],
        capture_output=True,
        text=True,
        pass_fds=(read,),
        check=True,
    )
    os.close(read)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("trainyard", "ti"), {"time"}),
        (("trainyard", "time", "--mach"), {"--machine"}),
        (("trainyard", "time", "--machine", "trn"), {"trn1", "trn2", "trn3"}),
        (("trainyard", "time", "--schedule", ""), {"author", "list", "free"}),
        (("trainyard", "machine", ""), {"list", "show", "explain"}),
        (("trainyard", "machine", "show", "--prov"), {"--provenance"}),
        (("trainyard", "isa", "show", "nc_matmul_m"), {"nc_matmul_mx"}),
        (("trainyard", "completion", "z"), {"zsh"}),
        (("trainyard", "time", "--set", "x"), set()),
    ],
)
def test_bash_offers_what_may_follow(words, offered):
    assert set(bash(*words)) == offered


def test_bash_offers_every_command_and_every_option():
    every = {one.path[-1] for one in ROOT.actions}
    assert set(bash("trainyard", "")) == every
    time = next(one for one in ROOT.actions if one.path == ("time",))
    assert set(bash("trainyard", "time", "--")) == {
        flag for option in time.options for flag in option.flags if flag.startswith("--")
    }


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_script_is_sound_and_names_every_option(shell, tmp_path, trainyard):
    script = trainyard("completion", shell).out
    for one in parsed.each(ROOT):
        for option in one.options:
            long = option.flags[-1]
            assert (f"-l {long[2:]} " if shell == "fish" else long) in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script)
    done = subprocess.run([shell, "-n", "script"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_offers_values(tmp_path):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    (tmp_path / "script.fish").write_text(completion.fish(ROOT))
    ask = "source script.fish; complete -C 'trainyard time --schedule '"
    done = subprocess.run(["fish", "-c", ask], cwd=tmp_path, capture_output=True, text=True)
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == {"author", "list", "free"}


def test_the_man_page_escapes_what_roff_reads():
    assert man_page._escaped(".x \\n a-b") == "\\&.x \\en a\\-b"
    page = man_page.man_page(ROOT)
    for section in ("NAME", "SYNOPSIS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES"):
        assert f".SH {section}\n" in page
    requests = {line.split()[0] for line in page.splitlines() if line.startswith(".")}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".PP", ".B"}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def columns(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "60")


def test_text_for_programs_is_left_alone(columns):
    text = "error: " + "long " * 40
    assert terminal.shown(text, io.StringIO()) == text


def test_colour_is_for_terminals_that_want_it(columns, monkeypatch):
    red = terminal.shown("error: x.c1: rule", Terminal())
    assert red == "\x1b[1;31merror\x1b[0m: x.c1: rule"
    assert terminal.shown("  fix: do", Terminal()).startswith("\x1b[32m  fix\x1b[0m")
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.shown("error: x.c1: rule", Terminal()) == "error: x.c1: rule"
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert terminal.shown("error: x.c1: rule", Terminal()) == "error: x.c1: rule"


def test_lines_fit(columns, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    sentence = "  found: " + "word " * 30
    shown = terminal.shown(sentence, Terminal()).splitlines()
    assert all(len(line) <= 60 for line in shown)
    assert " ".join(" ".join(shown).split()) == " ".join(sentence.split())  # no word is lost
    (row,) = terminal.shown("  1.0 ns  " + "a" * 80, Terminal()).splitlines()
    assert len(row) == 60 and row.endswith("...")


def test_a_report_on_a_terminal_fits_it(monkeypatch):
    controller, side = pty.openpty()
    environment = dict(os.environ, COLUMNS="70", NO_COLOR="1", TERM="xterm")
    command = [sys.executable, "-m", "trainyard", "time", f"{KERNELS}:double", X]
    done = subprocess.Popen(command, stdout=side, stderr=subprocess.PIPE, env=environment)
    os.close(side)
    parts = []
    while True:
        try:
            part = os.read(controller, 4096)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    assert done.wait(timeout=60) == 0
    lines = b"".join(parts).decode().splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) <= 70
