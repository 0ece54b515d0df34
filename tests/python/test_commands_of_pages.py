"""Do the commands that pages show exist, with each option, as they are written?"""

import re
import shlex
from pathlib import Path

import pytest
from trainyard.__main__ import make_parser
from trainyard.commands import given

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "DEVIATIONS.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^ {4}(trainyard .*)$", re.MULTILINE)
INLINE = re.compile(r"`(?:\.venv/bin/)?trainyard ([a-z][^`\n]*)`")
ENDS = {"|", ">", "&&", ";", "&"}


def words_of(line: str) -> list[str]:
    """Of a command line, up to what a shell does with it."""
    words = shlex.split(line, comments=True)
    end = next((i for i, word in enumerate(words) if word in ENDS), len(words))
    return words[:end]


def lines_of(page: str) -> list[str]:
    """Whole command lines: those of blocks."""
    blocks = "\n".join(BLOCK.findall(page)).replace("\\\n", " ").splitlines()
    found = [line.removeprefix("$ ").strip() for line in [*blocks, *INDENTED.findall(page)]]
    return [line for line in found if re.match(r"(\.venv/bin/)?trainyard [a-z]", line)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_whole_commands_of_a_page_can_be_parsed(path):
    for line in lines_of(path.read_text()):
        words = words_of(line)
        try:
            options = make_parser().parse_args(words[1:])
        except SystemExit:
            pytest.fail(f"no such command: {line}")
        given.check(options)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_that_a_page_mentions_exist(path):
    for text in INLINE.findall(path.read_text()):
        for command in text.partition(" ")[0].split("|"):  # `time|profile|check`
            check_mention(command, text.split()[1:])


def check_mention(command: str, words: list[str]) -> None:
    parser = make_parser()
    while True:
        choices = next((one.choices for one in parser._actions if one.dest in LEVELS), None)
        if choices is None or command not in choices:
            break
        parser = choices[command]
        command, words = (words[0], words[1:]) if words else ("", [])
    known = {flag for one in parser._actions for flag in one.option_strings}
    named = {re.split(r"[=,.;:'\"]", word)[0] for word in words if word.startswith("--")}
    assert named <= known | PASSED, f"{parser.prog} has no {named - known}"


LEVELS = ("command", "action")
PASSED = {"--"}  # behind a script, options are the script's
