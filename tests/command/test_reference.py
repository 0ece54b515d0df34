"""Are the generated pages of docs/reference fresh, and are the examples in them right?"""

import re
import runpy
import shlex
from pathlib import Path

import pytest
from trainyard import __main__, commands
from trainyard.commands import environment, exit_codes

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [example for command in commands.ALL for example, _ in command.EXAMPLES]


def test_the_pages_of_the_command_are_fresh():
    pages = runpy.run_path(str(ROOT / "tools/command_reference.py"))["PAGES"]
    assert {path.suffix for path in pages} == {".md", ".1"}
    for path, make in pages.items():
        assert path.read_text() == make(), "run: python tools/command_reference.py"


def test_every_variable_that_is_read_is_documented():
    """Names in quotes in the sources, as os.environ and getenv take them."""
    read = re.compile(r'"((?:TRAINYARD|NEURON|NKI)_[A-Z_]+|NO_COLOR)"')
    sources = [
        path
        for folder in ("python", "src")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".cpp", ".h") and path.name != "environment.py"
    ]
    found = {name for path in sources for name in read.findall(path.read_text())}
    assert found == set(environment.VARIABLES)


def test_the_page_of_the_instructions_is_fresh(trainyard):
    done = trainyard("isa", "docs", "--check", ROOT / "docs/reference/isa.md")
    assert done.code == 0, done.err


def test_a_stale_page_is_noticed(trainyard, tmp_path):
    (tmp_path / "isa.md").write_text("old")
    assert trainyard("isa", "docs", "--check", "isa.md").code == exit_codes.FINDINGS


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_parse_and_say_every_word_of_theirs(example):
    words = shlex.split(example)
    assert words[0] == "trainyard"
    options = __main__.make_parser().parse_args(words[1:])
    assert options.command == words[1]


@pytest.mark.parametrize("command", commands.ALL, ids=lambda command: command.NAME)
def test_help_has_examples(trainyard, command):
    done = trainyard(command.NAME, "--help")
    assert done.code == 0
    assert "examples:" in done.out
    assert all(example in done.out for example, _ in command.EXAMPLES)


def test_every_exit_code_has_a_meaning():
    codes = {value for name, value in vars(exit_codes).items() if isinstance(value, int)}
    assert codes == set(exit_codes.MEANINGS)


def test_what_the_readme_says_check_prints_is_what_it_prints(trainyard, tmp_path):
    load = "    nisa.dma_copy(dst=tile, src=x)\n"
    script = tmp_path / "examples/first.py"
    script.parent.mkdir()
    text = (ROOT / "examples/first.py").read_text()
    assert text.count(load) == 1
    script.write_text(text.replace(load, f"#{load}"))
    shown = (ROOT / "README.md").read_text().split("```\nerror: ")[1].split("```")[0]
    found = trainyard("check", "examples/first.py")
    assert f"error: {shown}" in found.out + found.err
