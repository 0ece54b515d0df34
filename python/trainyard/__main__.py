"""The command `trainyard`."""

from __future__ import annotations

import argparse
import os
import sys
import traceback

import trainyard
from trainyard import commands
from trainyard.commands import exit_codes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trainyard",
        description=trainyard.__doc__,
        epilog="exit codes: 0 ok, 1 findings, 2 usage, 3 invalid input, 4 does not fit, 5 fault of "
        "the running program, 6 the script failed, 70 internal error, 130 interrupted",
    )
    parser.add_argument("--version", action="version", version=f"trainyard {trainyard.__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in commands.ALL:
        sub = subparsers.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs the command with `arguments` (default: the process's) and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except trainyard.UsageError as error:
        print(f"trainyard: {error}", file=sys.stderr)
        return exit_codes.USAGE
    except trainyard.InputError as error:
        print(f"error: {error}", file=sys.stderr)
        capacity = any(v.label in exit_codes.CAPACITY_LABELS for v in error.violations)
        return exit_codes.DOES_NOT_FIT if capacity else exit_codes.INVALID_INPUT
    except trainyard.Fault as error:
        print(f"error: {error}", file=sys.stderr)
        refused = error.category in ("unsupported", "unimplemented", "missing_specification")
        return exit_codes.DOES_NOT_FIT if refused else exit_codes.FAULT
    except KeyboardInterrupt:
        print("trainyard: interrupted", file=sys.stderr)
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.OK
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else exit_codes.SCRIPT_FAILED
    except Exception as error:
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    """Our bug when it comes from the core, else an exception of the user's script."""
    traceback.print_exception(error)
    if isinstance(error, RuntimeError) and str(error).startswith("internal error"):
        print(
            "trainyard: this is a bug of Trainyard; please report the text above", file=sys.stderr
        )
        return exit_codes.INTERNAL
    return exit_codes.SCRIPT_FAILED


if __name__ == "__main__":
    sys.exit(main())
