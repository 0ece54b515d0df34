"""Makes the functions of nki.isa from the instruction schema: signature, docstring and body."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from trainyard import _core

from nki import _context, _earlier


class Interface(enum.IntEnum):
    """Where authors find an instruction: isa::Interface of the core, in its order."""

    ISA = 0
    REGISTERS = 1
    COLLECTIVES = 2
    EXPERIMENTAL = 3
    COMPILER = 4


SCHEMA: dict[str, dict[str, Any]] = {
    entry["mnemonic"]: entry for entry in _core.instruction_schema()
}


def of_interface(interface: Interface) -> list[str]:
    """The mnemonics of an interface, in the order of the instruction set."""
    return [name for name, entry in SCHEMA.items() if entry["interface"] == interface]


class NkiInstruction:
    """A traced instruction. `depends_on` makes it wait for others."""

    __slots__ = ("_context", "_scope", "index")

    def __init__(self, context: _context.Context, index: int) -> None:
        self._context = context
        self._scope = context.scope
        self.index = index

    def depends_on(self, *producers: NkiInstruction) -> NkiInstruction:
        """Runs this instruction only after every producer has completed; returns itself.

        Raises InputError "depends_on.loop" for a producer inside a hardware loop that this
        instruction is not in: it may run more often than this one, or never.
        """
        for producer in producers:
            if not isinstance(producer, NkiInstruction):
                _context.refuse(
                    "depends_on.producers",
                    "the producers of depends_on are instructions, as functions of nki.isa return",
                    repr(producer),
                    "pass them one by one: a.depends_on(b, c)",
                )
            if self._scope[: len(producer._scope)] != producer._scope:
                _context.refuse(
                    "depends_on.loop",
                    "a producer is in the same hardware loop as its consumer, or around it",
                    f"instruction {self.index} after instruction {producer.index}",
                    "move the depends_on, or one of the instructions, into the loop",
                )
            self._context.trace.add_edge(producer.index, self.index)
        return self


def emit(opcode: int, values: tuple, engine: object, name: str | None) -> NkiInstruction:
    """Appends an instruction to the kernel being traced."""
    context = _context.context()
    return made(context, context.trace.emit(opcode, values, engine), name)


def made(context: _context.Context, index: int, name: str | None) -> NkiInstruction:
    """The instruction that was appended; other functions find it by its name."""
    instruction = NkiInstruction(context, index)
    if name is not None:
        context.names.setdefault(name, []).append(instruction)
    return instruction


def _docstring(entry: dict[str, Any]) -> str:
    lines = [entry["summary"] + ".", ""]
    lines += [f":param {operand['name']}: {operand['doc']}" for operand in entry["operands"]]
    if entry["engine"]:
        lines.append(f":param engine: one of {', '.join(entry['engines'])}; unknown leaves it open")
    lines.append(":param name: a name for the scheduling functions")
    lines += ["", "Rules (a broken one raises InputError with its label):"]
    lines += [f"- {label}: {rule}" for label, rule in entry["constraints"]]
    lines += ["", f"Source: {entry['source']}"]
    return "\n".join(lines)


def make(mnemonic: str, namespace: dict[str, Any]) -> Callable[..., NkiInstruction]:
    """The Python function of one instruction. `namespace` resolves the names in its defaults."""
    entry = SCHEMA[mnemonic]
    parameters, values = [], []
    optional = False
    for operand in entry["operands"]:
        default = operand["default"]
        optional = optional or bool(default)
        parameters.append(f"{operand['name']}={default or None}" if optional else operand["name"])
        values.append(operand["name"])
    if entry["engine"]:
        parameters.append(f"engine=engine.{entry['engine']}")
    parameters.append("name=None")
    parameter, call = entry["earlier"]
    source = (
        f"def {mnemonic}({', '.join(parameters)}):\n"
        + (f"    {parameter} = _earlier.{call}\n" if call else "")
        + "    context = _thread.context or _context()\n"
        + f"    index = context.trace.emit({entry['opcode']}, ({', '.join(values)},), "
        + f"{'engine' if entry['engine'] else 'None'})\n"
        + "    return _new(context, index) if name is None else _made(context, index, name)\n"
    )
    scope = dict(
        namespace,
        _thread=_context.thread,
        _context=_context.context,
        _new=NkiInstruction,
        _made=made,
        _earlier=_earlier,
    )
    exec(compile(source, f"<nki.isa.{mnemonic}>", "exec"), scope)
    function = scope[mnemonic]
    function.__doc__ = _docstring(entry)
    function.__module__ = "nki.isa"
    return function
