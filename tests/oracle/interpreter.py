"""Runs a compiled program in the author's order: loops and branches, one instruction at a time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from oracle import dma, engines, generators
from oracle.core import Core, dtype_of
from oracle.program import Instruction, Program, parse
from oracle.values import OPERATORS


def dma_copy(core: Core, o: dict[str, Any]) -> None:
    dma.copy(core, o["dst"], o["src"], o.get("oob_mode") == "skip")


def dma_transpose(core: Core, o: dict[str, Any]) -> None:
    dma.transpose(core, o["dst"], o["src"], o.get("oob_mode") == "skip")


def dma_compute(core: Core, o: dict[str, Any]) -> None:
    dma.compute(core, o["dst"], o["srcs"], o.get("oob_mode") == "skip")


def dma_read_add_write(core: Core, o: dict[str, Any]) -> None:
    dma.compute(core, o["dst"], [o["dst"], o["src"]], False)


def register_move(core: Core, o: dict[str, Any]) -> None:
    core.set_register(o["dst"].number, core.number(o.get("src")))


def register_load(core: Core, o: dict[str, Any]) -> None:
    """Signed integers keep their sign; the bits of others are extended with zeros."""
    element = core.read(o["src"]).reshape(-1)
    if dtype_of(o["src"]).kind != "i":
        element = element.view(f"u{element.itemsize}")
    core.set_register(o["dst"].number, int(element[0]))


def register_store(core: Core, o: dict[str, Any]) -> None:
    dst = o["dst"]
    bits = np.array([core.number(o["src"]) % 2**32], np.uint32)
    narrow = bits.astype(f"u{dtype_of(dst).itemsize}")
    core.write(dst, narrow.view(dtype_of(dst)))


ON_REGISTERS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "invert": lambda a, _: ~a,
    "left_shift": lambda a, b: a << b if 0 <= b < 32 else 0,
    "right_shift": lambda a, b: a % 2**32 >> b if 0 <= b < 32 else 0,
    "mod": lambda a, b: a % b,
}


def compare(op: str, a: int, b: int) -> int:
    return int(OPERATORS[op](np.int64(a), np.int64(b)))


def register_alu(core: Core, o: dict[str, Any]) -> None:
    a, b, op = core.number(o.get("left")), core.number(o.get("right")), o.get("op", "add")
    core.set_register(
        o["dst"].number, ON_REGISTERS[op](a, b) if op in ON_REGISTERS else compare(op, a, b)
    )


def drain(core: Core, o: dict[str, Any]) -> None:
    """Instructions run one after the other here."""


def functions_of(module: ModuleType) -> dict[str, Callable[[Core, dict[str, Any]], None]]:
    """The instructions that a module gives a meaning: its public functions, by name."""
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [each for each in functions if each[1].__module__ == module.__name__]
    return {name: function for name, function in own if not name.startswith("_")}


MEANING: dict[str, Callable[[Core, dict[str, Any]], None]] = {
    **{
        function.__name__: function
        for function in (
            dma_copy, dma_transpose, dma_compute, dma_read_add_write, drain,
            register_move, register_load, register_store, register_alu,
        )
    },
    **functions_of(engines),
    **functions_of(generators),
}  # fmt: skip
CONTROL = ("loop_begin", "loop_end", "branch")


class Interpreter:
    """A program, the core that runs it, and where it is."""

    def __init__(self, program: Program, sbuf_bytes: int, psum_bytes: int) -> None:
        self.program = program
        self.core = Core(program, sbuf_bytes, psum_bytes)
        self.at = 0
        self.loops: list[list[int]] = []  # begin, next count, stop

    def run(self, limit: int | None = None) -> int:
        """Runs to the end, or `limit` instructions; returns how many it ran."""
        with np.errstate(all="ignore"):  # infinities and NaN are results like others
            return self._run(limit)

    def _run(self, limit: int | None) -> int:
        ran = 0
        while self.at < len(self.program.instructions) and (limit is None or ran < limit):
            instruction = self.program.instructions[self.at]
            self.core.engine = instruction.engine
            self.at += 1
            if instruction.mnemonic in CONTROL:
                getattr(self, f"_{instruction.mnemonic}")(instruction)
            elif instruction.mnemonic in MEANING:
                MEANING[instruction.mnemonic](self.core, instruction.operands)
            else:
                raise NotImplementedError(f"the oracle does not know {instruction.mnemonic}")
            ran += 1
        return ran

    def _loop_begin(self, instruction: Instruction) -> None:
        o = instruction.operands
        bounds = [self.core.number(o.get(name)) for name in ("start", "stop")]
        self.loops.append([self.at - 1, *bounds])
        self._next_iteration()

    def _loop_end(self, _: Instruction) -> None:
        self._next_iteration()

    def _next_iteration(self) -> None:
        begin, count, stop = self.loops[-1]
        o = self.program.instructions[begin].operands
        counted = o.get("kind", "counted") == "counted"
        if counted and count < stop:
            self.core.set_register(o["counter"].number, count)
            self.loops[-1][1] = count + o.get("step", 1)
        if count < stop if counted else self.core.register(o["counter"].number) != 0:
            self.at = begin + 1
            return
        self.loops.pop()
        ends = (
            i
            for i, one in enumerate(self.program.instructions)
            if one.mnemonic == "loop_end" and one.operands["begin"] == begin
        )
        self.at = next(ends) + 1

    def _branch(self, instruction: Instruction) -> None:
        o = instruction.operands
        left, right = (self.core.number(o.get(name)) for name in ("left", "right"))
        if compare(o.get("op", "equal"), left, right):
            self.at = o["target"]


def run(text: str, inputs: dict[int, np.ndarray], sbuf_bytes: int, psum_bytes: int) -> Core:
    """Interprets a compiled program's text with arrays in its HBM tensors; the core afterwards."""
    interpreter = Interpreter(parse(text), sbuf_bytes, psum_bytes)
    for tensor, array in inputs.items():
        interpreter.core.hbm[tensor][:] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    interpreter.run()
    return interpreter.core
