"""NkiTensor: what the class of the core lacks. Source: nki.language, NKI 0.6."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any, NoReturn

import numpy as np
from trainyard._core import InputError, NkiTensor

from nki import _context, _dtypes, _peek
from nki.language._types import MemoryRegion, is_on_chip, private_hbm, shared_hbm


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
    from nki._scalars import checked_offset

    name = None if dtype is None else _dtypes.name_of(dtype)
    scalar_offset = checked_offset(scalar_offset, self)
    return _core_ap(self, pattern, offset, scalar_offset, vector_offset, indirect_dim, name)


def _rearrange(
    self: NkiTensor,
    src_pattern: tuple,
    dst_pattern: tuple,
    fixed_sizes: dict[str, int] | None = None,
) -> NkiTensor:
    """Splits, reorders and merges dimensions by name, as einops does.

    A tuple of names in src_pattern splits a dimension, of which fixed_sizes gives all sizes but
    one; in dst_pattern it merges dimensions. Raises InputError "view.*".
    """
    sizes = dict(fixed_sizes or {})
    view, names = self, []
    if len(src_pattern) != self.ndim:
        _context.refuse(
            "view.rearrange",
            "the source pattern has an entry for every dimension",
            f"{src_pattern} for shape {self.shape}",
        )
    for entry in src_pattern:
        group = (entry,) if isinstance(entry, str) else tuple(entry)
        at = len(names)
        view = view.reshape_dim(at, tuple(sizes.get(name, -1) for name in group))
        names += group
    order = [n for entry in dst_pattern for n in ((entry,) if isinstance(entry, str) else entry)]
    if sorted(order) != sorted(names):
        _context.refuse(
            "view.rearrange",
            "both patterns name the same dimensions, each once",
            f"{src_pattern} and {dst_pattern}",
        )
    view = view.permute(tuple(names.index(name) for name in order))
    at = 0
    for entry in dst_pattern:
        if not isinstance(entry, str) and len(entry) > 1:
            view = view.flatten_dims(at, at + len(entry) - 1)
        at += 1
    return view


def _repr(self: NkiTensor) -> str:
    return f"NkiTensor({self.name}, shape={self.shape}, dtype={self.dtype}, {self.buffer.name})"


def _str(self: NkiTensor) -> str:
    """What print shows: under AWS's simulator, whose kernels are debugged so, the values too."""
    context = _context.current()
    if context is None or not context.simulated:
        return repr(self)
    try:
        return f"{self!r}\n{_peek.values(self)}"
    except InputError as error:
        return f"{self!r}\n({error.violations[0].rule})"


def _refuse_values(instead: str) -> NoReturn:
    raise TypeError(
        "Python and NumPy cannot compute with a tensor: its values are not known while the kernel "
        f"is traced; {instead}"
    )


def _no_value(self: NkiTensor, *_: object) -> None:
    _refuse_values("use instructions to compute with them; its sizes are in .shape")


# The operators of Python and what stands for them.
_OPERATORS = {
    "add": "nl.add",
    "sub": "nl.subtract",
    "mul": "nl.multiply",
    "truediv": "nl.divide",
    "pow": "nl.power",
    "and": "nl.bitwise_and",
    "or": "nl.bitwise_or",
    "xor": "nl.bitwise_xor",
    "lshift": "nl.left_shift",
    "rshift": "nl.right_shift",
    "matmul": "nki.isa.nc_matmul",
    "mod": "nki.isa instructions",
    "floordiv": "nki.isa instructions",
}
_UNARY = {"neg": "nl.negative", "abs": "nl.abs", "invert": "nl.invert"}
_COMPARISONS = {
    "lt": "nl.less",
    "le": "nl.less_equal",
    "gt": "nl.greater",
    "ge": "nl.greater_equal",
}


def _no_operator(instead: str) -> Callable[..., None]:
    def refuse(self: NkiTensor, *_: object) -> None:
        _refuse_values(f"use {instead}")

    return refuse


def _no_numpy(self: NkiTensor, function: Any, *_: object, **__: object) -> None:
    import nki.language as nl

    name = function.__name__
    if name in ("equal", "not_equal"):
        return _compared(self, 0)
    here = f"nl.{name}" if hasattr(nl, name) else "functions of nki.language and nki.isa"
    return _refuse_values(f"use {here} instead of np.{name}")


def _is_there(self: NkiTensor) -> bool:
    """True: kernels write `if tensor` where they mean `if tensor is not None`."""
    return True


def _compared(self: NkiTensor, other: object) -> Any:
    """tensor == number is refused; beside that a tensor equals itself, as in `tensor in list`."""
    if isinstance(other, (Number, np.generic, np.ndarray)):
        raise TypeError(
            "Python does not compare a tensor, whose values are not known while the kernel is "
            "traced: use an instruction, such as nki.isa.tensor_scalar with op0=nl.equal"
        )
    return NotImplemented


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


for _name, _property in {
    "buffer": property(_buffer),
    "data": property(lambda self: self, doc="The tensor itself; grids of tiles have it too."),
}.items():
    setattr(NkiTensor, _name, _property)
NkiTensor.view = _view
NkiTensor.reinterpret_cast = _view
NkiTensor.ap = _ap
NkiTensor.rearrange = _rearrange
NkiTensor.__repr__ = _repr
NkiTensor.__str__ = _str
NkiTensor.__format__ = lambda self, _: repr(self)  # messages made while tracing need no values
NkiTensor.__setitem__ = _set_item
for _name in ("array_ufunc", "array_function"):
    setattr(NkiTensor, f"__{_name}__", _no_numpy)
for _name in ("iter", "len", "float", "int", "array"):
    setattr(NkiTensor, f"__{_name}__", _no_value)
for _name, _instead in (_OPERATORS | _UNARY | _COMPARISONS).items():
    setattr(NkiTensor, f"__{_name}__", _no_operator(_instead))
for _name, _instead in _OPERATORS.items():
    setattr(NkiTensor, f"__r{_name}__", _no_operator(_instead))
NkiTensor.__bool__ = _is_there
NkiTensor.__eq__ = NkiTensor.__ne__ = _compared
NkiTensor.__hash__ = object.__hash__  # pyright: ignore[reportAttributeAccessIssue]
