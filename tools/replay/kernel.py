"""The instructions of a profile as a kernel of ours: same engines, operands, order and waits."""

from collections.abc import Callable
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl

from replay.operands import BYTES, DTYPES, PSUM_BASE, Access, rows_of, steps_of
from replay.profile import Instruction

P = 128
OPERATORS = {"MAX": nl.maximum, "ADD": nl.add, "MULTIPLY": nl.multiply, "SUBTRACT": nl.subtract}
FUNCTIONS = {"EXP": nl.exp}
ENGINES = {name: getattr(nisa.engine, name) for name in ("vector", "scalar", "gpsimd", "sync")}
PARTITION = 262144  # bytes between partitions of SBUF in DMA addresses


class Memory:
    """SBUF and PSUM as two tensors, and the tiles of a profile in them.

    The addresses of a profile leave gaps; here the pieces of SBUF that are used lie side by side.
    """

    def __init__(self, instructions: list[Instruction]) -> None:
        spans = sorted({span for one in instructions for span in _spans(one)})
        self.base: dict[int, int] = {}  # of each used stretch, where it lies here
        self.size, end = 0, -1
        for first, last in spans:
            if first > end:
                self.base[first] = self.size
                start = first
            end = max(end, last)
            self.size = self.base[start] + end - start + 3 & ~3
        self.psum = nl.ndarray((P, 16384), nl.uint8, buffer=nl.psum, address=(0, 0))
        self.sbuf = nl.ndarray((P, self.size), nl.uint8, address=(0, 0))

    def tile(self, access: Access) -> Any:
        """The tile [128, elements]."""
        size = access.elements * BYTES[access.dtype]
        if access.in_psum:
            at, memory = access.address - PSUM_BASE, self.psum
        else:
            start = max(first for first in self.base if first <= access.address)
            at, memory = self.base[start] + access.address - start, self.sbuf
        return memory[:, at : at + size].view(access.dtype)


def _spans(one: Instruction) -> list[tuple[int, int]]:
    """First and last byte of every stretch of SBUF that an instruction touches."""
    if one.opcode == "DMA_DIRECT2D":
        address, size, rows = _on_chip(one)
        return [(address, address + size * (rows // P))]
    accesses = [one.operands.access("src")]
    if one.opcode == "MATMUL":
        accesses.append(one.weights.access("src"))
    else:
        accesses.append(one.operands.access("dst"))
    if "bias_ptr" in one.operands.fields:
        accesses.append(_column(one.operands.fields["bias_ptr"].split("@")[1]))
    if one.operands.fields.get("imm_src", "").startswith("PTR"):
        accesses.append(_column(one.operands.fields["imm"].split(",")[0]))
    return [(a.address, a.address + a.elements * BYTES[a.dtype]) for a in accesses if not a.in_psum]


def _column(address: str) -> Access:
    """One fp32 value in every partition."""
    return Access("float32", int(address, 16), 1)


def _on_chip(one: Instruction) -> tuple[int, int, int]:
    """Of a transfer: address in SBUF, bytes of a piece there and number of pieces."""
    fields = one.operands.fields
    side = "src" if _stores(one) else "dst"
    rows = rows_of(fields[f"{side}_pattern"])
    return int(fields[f"{side}_addr_imm"], 16) % PARTITION, int(fields[f"{side}_elem_size"]), rows


def _stores(one: Instruction) -> bool:
    """Whether a transfer reads SBUF, where the 128 partitions are this far apart."""
    return (PARTITION, P) in steps_of(one.operands.fields["src_pattern"])


def _transfer(one: Instruction, memory: Memory) -> Any:
    address, size, pieces = _on_chip(one)
    fields, stores, blocks = one.operands.fields, _stores(one), pieces // P
    inside, outside = (DTYPES[fields.get(name, "fp32")] for name in ("in_dtype", "out_dtype"))
    columns = size // BYTES[inside]
    chip = memory.tile(Access(inside, address, blocks * columns))
    hbm = nl.ndarray((blocks, P, columns), outside, buffer=nl.private_hbm)
    chip, hbm = chip.reshape((P, blocks, columns)), hbm.permute((1, 0, 2))
    dst, src = (hbm, chip) if stores else (chip, hbm)
    if one.engine == "gpsimd":  # only GpSimd generates descriptors in software
        return nisa.dma_copy(dst=dst, src=src, dge_mode=nisa.dge_mode.swdge)
    hardware = nisa.dge_mode.hwdge
    return nisa.dma_copy(dst=dst, src=src, dge_mode=hardware, engine=ENGINES[one.engine])


def _product(one: Instruction, memory: Memory) -> Any:
    moving = one.operands.access("src")
    turned = one.weights.fields["transpose_mode"] == "ENABLED"
    dtype = moving.dtype if turned else "float32"
    address = int(one.operands.fields["dst"].split("[")[0], 16)
    return nisa.nc_matmul(
        dst=memory.tile(Access(dtype, address, moving.elements)),
        stationary=memory.tile(one.weights.access("src")),
        moving=memory.tile(moving),
        is_transpose=turned,
        accumulate=int(one.operands.fields["acc_flags"]) % 2 == 0,
    )


def _reduction(one: Instruction, memory: Memory) -> Any:
    src, dst = one.operands.access("src"), one.operands.access("dst")
    data = memory.tile(src).reshape((P, dst.elements, src.elements // dst.elements))
    return nisa.tensor_reduce(
        dst=memory.tile(dst),
        op=OPERATORS[one.operands.fields["op"]],
        data=data,
        axis=2,
        negate="negated" in one.operands.fields,
    )


def _activation(one: Instruction, memory: Memory) -> Any:
    function = next(f for name, f in FUNCTIONS.items() if f" {name} " in one.operands.text)
    bias = _column(one.operands.fields["bias_ptr"].split("@")[1])
    return nisa.activation(
        dst=memory.tile(one.operands.access("dst")),
        op=function,
        data=memory.tile(one.operands.access("src")),
        bias=memory.tile(bias),
        scale=float(one.operands.fields["scale"]),
    )


def _scaling(one: Instruction, memory: Memory) -> Any:
    operand = _column(one.operands.fields["imm"].split(",")[0])
    return nisa.tensor_scalar(
        dst=memory.tile(one.operands.access("dst")),
        data=memory.tile(one.operands.access("src")),
        op0=OPERATORS[one.operands.fields["ops"].split(",")[0]],
        operand0=memory.tile(operand),
        engine=ENGINES[one.engine],
    )


def _copy(one: Instruction, memory: Memory) -> Any:
    return nisa.tensor_copy(
        dst=memory.tile(one.operands.access("dst")),
        src=memory.tile(one.operands.access("src")),
        engine=ENGINES[one.engine],
    )


def _reciprocal(one: Instruction, memory: Memory) -> Any:
    return nisa.reciprocal(
        dst=memory.tile(one.operands.access("dst")), data=memory.tile(one.operands.access("src"))
    )


EMITTERS: dict[str, Callable[[Instruction, Memory], Any]] = {
    "ACTIVATE": _activation,
    "CAST": _copy,
    "COPY": _copy,
    "DMA_DIRECT2D": _transfer,
    "MATMUL": _product,
    "RECIPROCAL": _reciprocal,
    "TENSOR_REDUCE": _reduction,
    "TENSOR_SCALAR": _scaling,
}


def kernel_of(instructions: list[Instruction]) -> Any:
    """The instructions as an NKI kernel of one argument, which it ignores.

    Raises ValueError for an opcode that is not known here.
    """
    unknown = sorted({one.opcode for one in instructions} - EMITTERS.keys())
    if unknown:
        raise ValueError(f"the profile has instructions that cannot be replayed yet: {unknown}")

    @nki.jit
    def replay(_: Any) -> None:
        memory = Memory(instructions)
        made = {}
        for one in instructions:
            made[id(one)] = EMITTERS[one.opcode](one, memory)
            made[id(one)].depends_on(*(made[id(p)] for p in one.producers if id(p) in made))

    return replay
