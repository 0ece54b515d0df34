"""The enumerations of nki.isa. Source: nki.isa, NKI 0.6."""

from __future__ import annotations

from enum import Enum

from nki._context import vocabulary


class engine(Enum):
    """An engine of a NeuronCore; `unknown` leaves the choice open."""

    tensor = 1
    vector = 5
    scalar = 2
    gpsimd = 3
    dma = 4
    sync = 6
    unknown = 0


class reduce_cmd(Enum):
    """What an instruction does with the engine's accumulators."""

    idle = 0
    reset = 1
    reduce = 2
    reset_reduce = 3
    load_reduce = 4


class dge_mode(Enum):
    """Who generates DMA descriptors: GpSimd, the hardware blocks, or the host before the run."""

    unknown = 0
    swdge = 1
    hwdge = 2
    none = 3


class oob_mode(Enum):
    """What an out-of-bounds run-time index does: stop the program, or skip the element."""

    error = 0
    skip = 1


class matmul_perf_mode(Enum):
    """Performance mode of nc_matmul."""

    none = "none"
    double_row = "double_row"


class nc_version(Enum):
    """NeuronCore generation: v2 (Trainium1), v3 (Trainium2), v4 (Trainium3)."""

    gen2 = 2
    gen3 = 3
    gen4 = 4

    def __lt__(self, other: nc_version) -> bool:
        return self.value < other.value

    def __le__(self, other: nc_version) -> bool:
        return self.value <= other.value

    def __gt__(self, other: nc_version) -> bool:
        return self.value > other.value

    def __ge__(self, other: nc_version) -> bool:
        return self.value >= other.value


class dma_engine(Enum):
    """The path of sendrecv: shared DMA, or GpSimd's own."""

    dma = 1
    gpsimd_dma = 2


tensor_engine = engine.tensor
vector_engine = engine.vector
scalar_engine = engine.scalar
gpsimd_engine = engine.gpsimd
unknown_engine = engine.unknown

_ENUMS = {one.__name__: one for one in Enum.__subclasses__() if one.__module__ == __name__}
# Those whose members are operands of instructions, by name.
OF_OPERANDS = {name: one for name, one in _ENUMS.items() if one is not nc_version}
# What nki.isa exports: those classes, and the engines that have a name of their own.
EXPORTED = _ENUMS | {name: one for name, one in globals().items() if isinstance(one, engine)}

for _enum in OF_OPERANDS.values():
    for _member in _enum:
        vocabulary.add_member(_member, _enum.__name__, _member.name)
