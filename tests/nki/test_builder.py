"""Does the Python tracer build the program that a C++ front end builds of the same calls?

tests/isa/test_builder.cpp builds it with isa/builder/builder.h and compares with the same file.
"""

import re
from pathlib import Path

import nki.isa as nisa
import nki.language as nl
import numpy as np
from nki import _context, _target
from trainyard import _core

WRITTEN = Path(__file__).parents[1] / "isa" / "built_both_ways.txt"


def scaled_exponentials(x, trace):
    """exp(x * scale) of every block of x, in a hardware loop that a register counts."""
    blocks = trace.constant([1], "int32", np.array([4], np.int32).tobytes())
    out = nl.ndarray((4, 128, 64), dtype=nl.float32, buffer=nl.shared_hbm)
    factors = nl.ndarray((128, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.memset(dst=factors, value=0.5)
    count = nisa.register_alloc()
    nisa.register_load(count, blocks)

    def body(block):
        tile = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[block])
        for half in range(2):
            part = tile[:, half * 32 : half * 32 + 32]
            nisa.activation(dst=part, op=nl.exp, data=part, scale=factors)
        nisa.dma_copy(dst=out[block], src=tile)

    nl.fori_loop(0, count, body)
    trace.mark_output(out)


def without_places(text: str) -> str:
    """The exact text form of a program without the places in its source."""
    lines = [line for line in text.splitlines() if not re.match(r"(frame|loc) ", line)]
    return "\n".join(re.sub(r";? loc \d+", "", line) for line in lines) + "\n"


def test_python_builds_what_cpp_builds():
    machine = _target.machine()
    with _context.tracing(_context.new_context(machine, "scaled_exponentials")) as context:
        x = context.trace.input([4, 128, 64], "float32", "x", False)
        scaled_exponentials(x, context.trace)
        program = _core.program_bytes(context.trace.take_program())
    assert without_places(_core.disassemble(program, "it", True)) == WRITTEN.read_text()
