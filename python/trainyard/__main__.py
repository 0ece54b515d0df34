"""The command `trainyard`."""

from __future__ import annotations

import argparse
import copy
import errno
import os
import sys

import trainyard
from trainyard._starting import held

with held():
    from trainyard import commands, interrupts, tracebacks
    from trainyard.commands import exit_codes, failures, given, output, terminal
    from trainyard.files import shown_name

DESCRIPTION = "Trainyard: a Trainium3 you can run. Exact in its numbers, honest in its time."

# The arguments that name files which Python opens, or that are a script's own: options whose help
# says so, and these positions.
_FILES = {"FILE", "FILE.html", "DIR"}
_POSITIONS = {"script", "kernel", "arguments", "inputs", "file", "before", "after", "runs", "study"}


def examples_text(examples: tuple[tuple[str, str], ...]) -> str:
    """(command line, what it does) pairs as the end of a help text."""
    lines = "\n".join(f"  {line}\n      {what}" for line, what in examples)
    return f"examples:\n{lines}"


def make_parser() -> argparse.ArgumentParser:
    """The whole command line; docs/reference/command.md is made from it."""
    codes = "\n".join(f"  {code:>3}  {what}" for code, what in exit_codes.MEANINGS.items())
    parser = argparse.ArgumentParser(
        prog="trainyard",
        description=DESCRIPTION,
        epilog=f"exit codes:\n{codes}\n\ntrainyard COMMAND --help shows each command's examples",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"trainyard {trainyard.__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in commands.ALL:
        sub = subparsers.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.HELP[0].upper() + command.HELP[1:] + ".",
            epilog=examples_text(command.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run, parser=parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with `arguments` (default: the process's) and returns its exit code."""
    tracebacks.hide_starter(sys._getframe(1))
    arguments = sys.argv[1:] if arguments is None else arguments
    options = asked = None
    try:
        _require_stdout()
        output.watch_streams()
        parser = make_parser()
        if not arguments:
            parser.print_help(sys.stderr)
            return exit_codes.USAGE
        options = parser.parse_args(arguments)
        asked = copy.copy(options)  # before a command fills in what is not said
        _require_text(options)
        given.check(options)
        with interrupts.raised():
            code = options.run(options)
        sys.stdout.flush()
        return code
    except SystemExit as leaving:  # of the parser: --help, or a usage error it has printed
        return _leave(int(leaving.code or 0))
    except BaseException as error:
        return _fail(error, getattr(options, "json", False), asked)


def _fail(error: BaseException, as_json: bool, options: argparse.Namespace | None = None) -> int:
    failure = failures.explain(error)
    if failure.kind in ("usage", "input"):
        origin = error.__cause__ if isinstance(error, failures.ScriptError) else error
        failure.text = given.named(failure.text, origin or error, options)
    if failure.kind == "output":
        _give_up_stdout()
    elif as_json and not isinstance(error, output.InterruptedBehindDocument):
        try:
            output.write_json("trainyard.error/1", {"error": failure.as_dict()})
            sys.stdout.flush()
        except OSError as lost:
            return _fail(lost, as_json=False)
    if failure.text:
        print(terminal.shown(failure.text, sys.stderr), file=sys.stderr)
    return failure.code


def _leave(code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError as error:
        return _fail(error, as_json=False)
    return code


def _require_stdout() -> None:
    """Raises OSError where the standard output is closed: Python would print into nothing."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _require_text(options: argparse.Namespace) -> None:
    """Raises UsageError for arguments that are not UTF-8. Names of files that Python opens, and
    what a script is given, may be anything."""
    for name, value in vars(options).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _is_text(text) and name not in _file_names(options):
                raise trainyard.UsageError(f"an argument is not UTF-8: '{shown_name(text)}'")


def _file_names(options: argparse.Namespace) -> set[str]:
    """The arguments of the command that name files."""
    found, parsers = set(_POSITIONS), [options.parser]
    while parsers:
        for action in parsers.pop()._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = vars(options).get(action.dest)
                parsers += [action.choices[chosen]] if chosen in action.choices else []
            elif action.metavar in _FILES:
                found.add(action.dest)
    return found


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _give_up_stdout() -> None:
    """What could not be written must not be tried again when the interpreter ends."""
    if sys.__stdout__ is None:
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


if __name__ == "__main__":
    sys.exit(main())
