"""Dtypes, memory regions and tensors of nki.language. Source: nki.language, NKI 0.6."""

from __future__ import annotations

from enum import Enum
from typing import Any

from trainyard._core import NkiTensor, VirtualRegister

from nki import _context, _dtypes

DType = str
bool_: DType = "bool"
int8: DType = "int8"
int16: DType = "int16"
int32: DType = "int32"
uint8: DType = "uint8"
uint16: DType = "uint16"
uint32: DType = "uint32"
float16: DType = "float16"
float32: DType = "float32"
bfloat16: DType = "bfloat16"
tfloat32: DType = "tfloat32"
float8_e4m3: DType = "float8_e4m3"
float8_e4m3fn: DType = "float8_e4m3fn"
float8_e5m2: DType = "float8_e5m2"
float8_e8m0fnu: DType = "float8_e8m0fnu"
float8_e5m2_x4: DType = "float8_e5m2_x4"
float8_e4m3fn_x4: DType = "float8_e4m3fn_x4"
float4_e2m1fn_x4: DType = "float4_e2m1fn_x4"


class MemoryRegion(Enum):
    """Where a tensor lives."""

    sbuf = "sbuf"
    psum = "psum"
    private_hbm = "private_hbm"
    shared_hbm = "shared_hbm"


sbuf = MemoryRegion.sbuf
psum = MemoryRegion.psum
private_hbm = MemoryRegion.private_hbm
hbm = private_hbm
shared_hbm = MemoryRegion.shared_hbm


def is_hbm(buffer: MemoryRegion) -> bool:
    """Whether a memory region is in HBM."""
    return buffer in (private_hbm, shared_hbm)


def is_sbuf(buffer: MemoryRegion) -> bool:
    """Whether a memory region is SBUF."""
    return buffer is sbuf


def is_psum(buffer: MemoryRegion) -> bool:
    """Whether a memory region is PSUM."""
    return buffer is psum


def is_on_chip(buffer: MemoryRegion) -> bool:
    """Whether a memory region is SBUF or PSUM."""
    return buffer in (sbuf, psum)


class NKIObject:
    """Base of user classes that kernels pass around: fields from annotations, set by keyword."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = [
            n
            for base in reversed(type(self).__mro__)
            for n in base.__dict__.get("__annotations__", {})
        ]
        names = list(dict.fromkeys(names))
        if len(args) > len(names):
            raise TypeError(
                f"{type(self).__name__} takes at most {len(names)} fields, got {len(args)}"
            )
        values = dict(zip(names, args, strict=False))
        if twice := values.keys() & kwargs.keys():
            raise TypeError(f"{type(self).__name__} got {', '.join(sorted(twice))} twice")
        for key, value in {**values, **kwargs}.items():
            setattr(self, key, value)
        if missing := [n for n in names if not hasattr(self, n)]:
            raise TypeError(f"{type(self).__name__} needs {', '.join(missing)}")
        if hasattr(self, "__post_init__"):
            self.__post_init__()


def _buffer(self: NkiTensor) -> MemoryRegion:
    space = self._space
    if space == "hbm":
        return shared_hbm if self._shared else private_hbm
    return MemoryRegion(space)


def _view(self: NkiTensor, dtype: object) -> NkiTensor:
    """The same bits read as another dtype; the last dimension is rescaled."""
    return self._view(_dtypes.name_of(dtype))


_core_ap = NkiTensor.ap


def _ap(
    self: NkiTensor,
    pattern: list[list[int]],
    offset: int | None = None,
    scalar_offset: object = None,
    vector_offset: NkiTensor | None = None,
    indirect_dim: int = 0,
    dtype: object = None,
) -> NkiTensor:
    """A raw access pattern [[stride, count], ...] on the storage, slowest first."""
    name = None if dtype is None else _dtypes.name_of(dtype)
    return _core_ap(self, pattern, offset, scalar_offset, vector_offset, indirect_dim, name)


def _rearrange(
    self: NkiTensor,
    src_pattern: tuple,
    dst_pattern: tuple,
    fixed_sizes: dict[str, int] | None = None,
) -> NkiTensor:
    """Splits, reorders and merges dimensions by name, as einops does."""
    sizes = dict(fixed_sizes or {})
    view, names = self, []
    for entry in src_pattern:
        group = (entry,) if isinstance(entry, str) else tuple(entry)
        at = len(names)
        view = view.reshape_dim(at, tuple(sizes.get(name, -1) for name in group))
        names += group
    order = [n for entry in dst_pattern for n in ((entry,) if isinstance(entry, str) else entry)]
    if sorted(order) != sorted(names):
        raise ValueError(f"rearrange: {src_pattern} and {dst_pattern} name different dimensions")
    view = view.permute(tuple(names.index(name) for name in order))
    at = 0
    for entry in dst_pattern:
        if not isinstance(entry, str) and len(entry) > 1:
            view = view.flatten_dims(at, at + len(entry) - 1)
        at += 1
    return view


def _repr(self: NkiTensor) -> str:
    return f"NkiTensor({self.name}, shape={self.shape}, dtype={self.dtype}, {self.buffer.name})"


def _no_iteration(self: NkiTensor) -> None:
    raise TypeError(
        "a tensor's values are not known while the kernel is traced; use instructions, not Python, "
        "to compute with them"
    )


def _set_item(self: NkiTensor, key: object, value: object) -> None:
    """tensor[key] = value: copies on chip, or by DMA where HBM is involved."""
    import nki.isa as nisa

    target = self[key]
    if not isinstance(value, NkiTensor):
        nisa.memset(dst=target, value=value)
    elif is_on_chip(target.buffer) and is_on_chip(value.buffer):
        nisa.tensor_copy(dst=target, src=value)
    else:
        nisa.dma_copy(dst=target, src=value)


NkiTensor.dtype = property(lambda self: self._dtype_name)
NkiTensor.buffer = property(_buffer)
NkiTensor.view = _view
NkiTensor.reinterpret_cast = _view
NkiTensor.ap = _ap
NkiTensor.rearrange = _rearrange
NkiTensor.__repr__ = _repr
NkiTensor.__setitem__ = _set_item
NkiTensor.__iter__ = _no_iteration
NkiTensor.__bool__ = _no_iteration


def _no_python_value(self: VirtualRegister) -> None:
    raise TypeError(
        "a register's value is not known while the kernel is traced; use nl.fori_loop or "
        "nl.while_loop for loops that depend on it"
    )


VirtualRegister.__bool__ = _no_python_value
VirtualRegister.__int__ = _no_python_value
VirtualRegister.__index__ = _no_python_value


class _TileSize:
    """Sizes of the target's memories and instructions, by AWS's names."""

    pmax = property(lambda self: self._machine.partitions)
    psum_bank_fmax_bytes = property(lambda self: self._machine.psum_bank_bytes)
    psum_bank_fmax = property(lambda self: self._machine.psum_bank_bytes // 4)
    psum_fmax = psum_bank_fmax
    gemm_stationary_fmax = property(lambda self: self._machine.stationary_free_max)
    gemm_moving_fmax = psum_bank_fmax
    bn_stats_fmax = property(lambda self: self._machine.bn_stats_elements_max)
    psum_min_align = property(lambda self: self._machine.psum_alignment)
    sbuf_min_align = property(lambda self: self._machine.sbuf_alignment)
    psum_num_banks = property(lambda self: self._machine.psum_banks)
    sbuf_fmax_bytes = property(lambda self: self._machine.sbuf_bytes_per_partition)
    sbuf_fmax = property(lambda self: self._machine.sbuf_bytes_per_partition // 4)
    total_available_sbuf_size = sbuf_fmax_bytes

    @property
    def sbuf_size_bytes(self) -> int:
        """Bytes of SBUF in all partitions together."""
        return self._machine.partitions * self._machine.sbuf_partition_size

    @property
    def _machine(self) -> Any:
        from nki import _target

        return _context.current.machine if _context.current else _target.machine()


tile_size = _TileSize()
