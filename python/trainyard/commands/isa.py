"""trainyard isa: the instruction set, its reference page, and programs as text."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import trainyard
from trainyard import _core
from trainyard.commands import exit_codes, output
from trainyard.commands.actions import Actions
from trainyard.files import read_whole, shown_name, write_whole

NAME = "isa"
HELP = "list instructions, show one, write the reference page, print program files"
EXAMPLES = (
    ("trainyard isa list", "every instruction in one line"),
    ("trainyard isa show nc_matmul", "its operands, rules and sources"),
    ("trainyard isa docs --check docs/reference/isa.md", "is the committed page up to date?"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = Actions(parser)
    actions.add_document("list", "every instruction in one line", "the whole schema as JSON")
    show = actions.add_document("show", "one instruction with operands and rules")
    show.add_argument("mnemonic", help="for example nc_matmul")
    docs = actions.add("docs", "the reference page docs/reference/isa.md")
    docs.add_argument(
        "--output", metavar="FILE", help="write it to FILE instead of the standard output"
    )
    docs.add_argument("--check", metavar="FILE", help="exit with code 1 if FILE is not up to date")
    disassemble = actions.add("disassemble", "a program file as text")
    disassemble.add_argument(
        "file", help="a program file, as written by trainyard run --save-programs"
    )
    disassemble.add_argument(
        "--exact", action="store_true", help="the form that can be read again (its text form)"
    )


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    schema = _core.instruction_schema()
    if options.action == "list":
        lines = (
            f"{entry['mnemonic']:26} {'/'.join(entry['engines']):32} {entry['summary']}"
            for entry in sorted(schema, key=lambda entry: entry["mnemonic"])
        )
        return output.show(options.json, "trainyard.isa/1", {"instructions": schema}, lines)
    if options.action == "show":
        return _show(schema, options)
    if options.action == "docs":
        return _docs(options)
    return _disassemble(options)


def _show(schema: list[dict], options: argparse.Namespace) -> int:
    mnemonic = options.mnemonic
    entry = next((e for e in schema if e["mnemonic"] == mnemonic), None)
    if entry is None:
        near = difflib.get_close_matches(mnemonic, [e["mnemonic"] for e in schema], 1)
        advice = f"did you mean {near[0]}?" if near else "see trainyard isa list"
        raise trainyard.UsageError(f"there is no instruction {mnemonic}; {advice}")
    return output.show(
        options.json, "trainyard.instruction/1", {"instruction": entry}, _lines(entry)
    )


def _lines(entry: dict) -> Iterator[str]:
    yield f"{entry['mnemonic']}: {entry['summary']}"
    yield f"engines: {', '.join(entry['engines'])}"
    yield "operands:"
    for operand in entry["operands"]:
        default = f" (default {operand['default']})" if operand["default"] else ""
        yield f"  {operand['name']}: {operand['doc']}{default}"
    yield "rules:"
    for label, rule in entry["constraints"]:
        yield f"  {label}: {rule}"
    yield f"source: {entry['source']}"


def _docs(options: argparse.Namespace) -> int:
    page = _core.reference_markdown()
    if options.check:
        path = Path(options.check)
        if path.is_file() and read_whole(path) == page.encode():
            return exit_codes.OK
        print(f"{path} is out of date; run: trainyard isa docs --output {path}", file=sys.stderr)
        return exit_codes.FINDINGS
    if options.output:
        write_whole(options.output, page.encode())
    else:
        print(page, end="")
    return exit_codes.OK


def _disassemble(options: argparse.Namespace) -> int:
    name = shown_name(options.file)
    print(_core.disassemble(read_whole(options.file), name, options.exact), end="")
    return exit_codes.OK
