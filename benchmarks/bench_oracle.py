"""Values of whole kernels beside a NumPy interpreter of the same instructions (tests/oracle).

The interpreter runs the first part of a long program; the rates are of matmuls, in which nearly all
of its time goes.
"""

from __future__ import annotations

import sys
import time

import trainyard
from measure import MACHINE, ROOT, Loaded, normal
from trainyard import _core

sys.path += [str(ROOT / folder) for folder in ("examples", "tests/fidelity", "tests")]
import oracle
from attention import attention
from kernels import blocked_rows
from oracle.program import parse

TOKENS, HEAD, CUBE = 4096, 128, 4096
SECONDS = 6.0  # that the interpreter may take


def interpreted(kernel: Loaded) -> tuple[float, int, int]:
    """(CPU seconds, matmuls run, matmuls in the program)."""
    machine = trainyard.load_machine(MACHINE)
    text = _core.disassemble(_core.program_bytes(kernel.instance.program), "program", True)
    program = parse(text)
    psum = machine.psum_bank_bytes * machine.psum_banks
    interpreter = oracle.Interpreter(program, machine.sbuf_partition_size, psum)
    for tensor, content in kernel.inputs.items():
        interpreter.core.hbm[tensor][:] = content
    begin = time.process_time()
    while time.process_time() - begin < SECONDS and interpreter.run(50) == 50:
        pass
    seconds = time.process_time() - begin
    is_matmul = [one.mnemonic == "nc_matmul" for one in program.instructions]
    return seconds, sum(is_matmul[: interpreter.at]), sum(is_matmul)


def row(name: str, kernel: Loaded) -> dict[str, object]:
    """Matmuls a second, ours and the interpreter's."""
    seconds, done, count = interpreted(kernel)
    return {
        "name": f"{name}, values, beside a NumPy interpreter ({done / count:.0%} of the program)",
        "value": count / kernel.seconds(5),
        "unit": "matmuls/s",
        "host_limit": done / seconds,
    }


def rows() -> list[dict[str, object]]:
    """Attention, then the matrix product."""
    inputs = normal(HEAD, TOKENS), normal(HEAD, TOKENS), normal(TOKENS, HEAD)
    square = normal(CUBE, CUBE)
    return [
        row(f"attention of {TOKENS} tokens", Loaded(attention, *inputs)),
        row(f"{CUBE}-cubed bf16 matmul", Loaded(blocked_rows, square, square)),
    ]
