"""The man page trainyard(1), as roff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import trainyard
from trainyard import commands
from trainyard.commands import environment, exit_codes
from trainyard.shell.parsed import Argument, Command

_ABOUT = (
    "Trainyard simulates AWS Trainium machines. It runs kernels written in NKI and models in JAX "
    "with exact values, and tells their time, energy and cost and what bounds them.",
    "A script is run as Python runs it, with `import nki` giving Trainyard's package; each kernel "
    "that it calls is simulated. FILE.py:KERNEL runs one kernel instead, on inputs given as "
    "NAME=DTYPE[SHAPE] (random data), NAME=FILE.npy, NAME=DTYPE:FILE.npy or NAME=VALUE.",
    "Results go to the standard output, progress and errors to the standard error. Trainyard sends "
    "nothing anywhere: it has no telemetry.",
)


def man_page(root: Command) -> str:
    """The page for the whole command."""
    lines = [
        f'.TH TRAINYARD 1 "" "trainyard {trainyard.__version__}" "User Commands"',
        ".SH NAME",
        "trainyard \\- run, time and explain kernels and models on a simulated Trainium machine",
        ".SH SYNOPSIS",
        ".B trainyard",
        "COMMAND [options] [arguments]",
        ".SH DESCRIPTION",
    ]
    for paragraph in _ABOUT:
        lines += [_escaped(paragraph), ".PP"]
    lines.append(".SH COMMANDS")
    for command in root.actions:
        lines += _command(command)
    lines.append(".SH EXIT STATUS")
    for code, meaning in exit_codes.MEANINGS.items():
        lines += _entry(str(code), meaning)
    lines.append(".SH ENVIRONMENT")
    for name, meaning in environment.VARIABLES.items():
        lines += _entry(name, meaning)
    lines.append(".SH EXAMPLES")
    for module in commands.ALL:
        for example, what in module.EXAMPLES[:1]:
            lines += [".TP", f".B {_escaped(example)}", _escaped(what)]
    lines += [".SH SEE ALSO", "The pages in docs of the source tree."]
    return "\n".join(lines) + "\n"


def _command(command: Command) -> Iterator[str]:
    yield f".SS trainyard {_escaped(' '.join(command.path))}"
    if command.help:
        yield _escaped(f"{command.help[0].upper()}{command.help[1:]}.")
    for argument in (*command.positionals, *command.options):
        if "--help" not in argument.flags:
            yield from _entry(_form(argument), argument.help)
    for action in command.actions:
        yield from _command(action)


def _form(argument: Argument) -> str:
    if not argument.flags:
        return argument.name
    return ", ".join(f"{flag} {argument.value}".rstrip() for flag in argument.flags)


def _entry(head: str, text: str) -> Iterable[str]:
    return (".TP", f".B {_escaped(head)}", _escaped(text))


def _escaped(text: str) -> str:
    """Text as roff reads it: on one line, nothing in it a request or an escape."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
