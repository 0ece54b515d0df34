"""The operand text of an instruction in a Neuron profile, taken apart.

An example: `S[5] (Tensor)>=4 S[4] (Scalar)++@complete src=fp32@0x2000000[1,1,1,1][512,1,1,1]
dst=fp32@0x4000[1,1,1,1][512,1,1,1] channels=128`. A pattern is element steps, then counts, the
innermost dimension first.
"""

import math
import re
from dataclasses import dataclass

PSUM_BASE = 0x2000000  # where the address space of PSUM begins, of a partition
DTYPES = {"fp32": "float32", "bfloat16": "bfloat16", "bf16": "bfloat16", "fp32r": "float32"}

BYTES = {"float32": 4, "bfloat16": 2}  # of an element

_WAIT = re.compile(r"S\[(\d+)\] \([^)]*\)>=(\d+)")
_SIGNAL = re.compile(r"S\[(\d+)\] \([^)]*\)(?:\+\+|\+=(\d+))@complete")
_FIELD = re.compile(r"(\w+)=(\S+)")
_ACCESS = re.compile(r"(\w+)@0x([0-9a-f]+)((?:\[[-\d,]+\]){2})")


@dataclass(frozen=True)
class Access:
    """A tile of SBUF or PSUM as a profile prints it."""

    dtype: str
    address: int  # of the first element, in bytes of a partition
    elements: int  # of a partition

    @property
    def in_psum(self) -> bool:
        """Whether it lies in PSUM."""
        return self.address >= PSUM_BASE


@dataclass(frozen=True)
class Operands:
    """What the operand text says."""

    waits: tuple[tuple[int, int], ...]  # (semaphore, count it has to reach)
    signals: tuple[tuple[int, int], ...]  # (semaphore, what is added at the end)
    fields: dict[str, str]
    text: str

    def access(self, name: str) -> Access:
        """The tile called src or dst. Raises ValueError for a pattern that is not understood."""
        match = _ACCESS.fullmatch(self.fields.get(name, ""))
        if match is None or match[1] not in DTYPES:
            raise ValueError(f"no tile called {name} in: {self.text}")
        dtype = DTYPES[match[1]]
        steps, counts = (
            [int(n) for n in part.split(",")] for part in match[3].strip("[]").split("][")
        )
        first = int(match[2], 16)
        size = BYTES[dtype]
        # Weights are read backwards: the tile begins at its last element.
        for step, count in zip(steps, counts, strict=True):
            first += min(step, 0) * (count - 1) * size
        return Access(dtype, first, math.prod(counts))


def parse(text: str) -> Operands:
    """The parts of an operand text."""
    waits = tuple((int(s), int(n)) for s, n in _WAIT.findall(text))
    signals = tuple((int(s), int(n or 1)) for s, n in _SIGNAL.findall(text))
    fields = dict(_FIELD.findall(text))
    if "semaphore" in fields:  # of a DMA queue, when the transfer is complete
        signals += ((int(fields["semaphore"]), int(fields["sem_increment"])),)
    return Operands(waits, signals, fields, text)


def steps_of(pattern: str) -> list[tuple[int, int]]:
    """The dimensions of a DMA pattern such as "[2048,1][128,1]": stride in bytes and count."""
    strides, counts = (part.split(",") for part in pattern.strip("[]").split("]["))
    return [(int(stride), int(count)) for stride, count in zip(strides, counts, strict=True)]


def rows_of(pattern: str) -> int:
    """How many rows a DMA pattern has."""
    return math.prod(count for _, count in steps_of(pattern))
