"""NkiTensor: a view of a tensor of the kernel being traced. Source: nki.language, NKI 0.6."""

from __future__ import annotations

from numbers import Number
from typing import Any, NoReturn

import numpy as np
from trainyard._core import InputError, TensorView

from nki import _context, _dtypes, _peek
from nki import _isa as nisa
from nki._scalars import checked_offset
from nki.language._types import MemoryRegion, is_on_chip, private_hbm, shared_hbm


def _refuse_values(instead: str) -> NoReturn:
    raise TypeError(
        "Python and NumPy cannot compute with a tensor: its values are not known while the kernel "
        f"is traced; {instead}"
    )


def _no_operator(instead: str) -> Any:
    def refuse(self: TensorView, *_: object) -> NoReturn:
        _refuse_values(f"use {instead}")

    return refuse


class NkiTensor(TensorView):
    """A strided view of a tensor: slicing and reshaping give other views, without a copy."""

    __slots__ = ()

    @property
    def buffer(self) -> MemoryRegion:
        """The memory that it lies in."""
        space = self._space
        if space == "hbm":
            return shared_hbm if self._shared else private_hbm
        return MemoryRegion(space)

    @property
    def data(self) -> NkiTensor:
        """The tensor itself; grids of tiles have it too."""
        return self

    def view(self, dtype: object) -> NkiTensor:
        """The same bits read as another dtype; the last dimension is rescaled."""
        return self._view(_dtypes.name_of(dtype))

    reinterpret_cast = view

    def ap(
        self,
        pattern: list[list[int]],
        offset: int | None = None,
        scalar_offset: object = None,
        vector_offset: NkiTensor | None = None,
        indirect_dim: int = 0,
        dtype: object = None,
    ) -> NkiTensor:
        """A raw access pattern [[stride, count], ...] on the storage, slowest first."""
        name = None if dtype is None else _dtypes.name_of(dtype)
        scalar_offset = checked_offset(scalar_offset, self)
        return self._ap(pattern, offset, scalar_offset, vector_offset, indirect_dim, name)

    def rearrange(
        self,
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
        order = [
            n for entry in dst_pattern for n in ((entry,) if isinstance(entry, str) else entry)
        ]
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

    def __repr__(self) -> str:
        return f"NkiTensor({self.name}, shape={self.shape}, dtype={self.dtype}, {self.buffer.name})"

    def __str__(self) -> str:
        """What print shows; under AWS's simulator, where people debug so, the values too."""
        context = _context.current()
        if context is None or not context.simulated:
            return repr(self)
        try:
            return f"{self!r}\n{_peek.values(self)}"
        except InputError as error:
            return f"{self!r}\n({error.violations[0].rule})"

    def __format__(self, spec: str) -> str:
        return repr(self)  # messages made while tracing need no values

    def __bool__(self) -> bool:
        """True: kernels write `if tensor` where they mean `if tensor is not None`."""
        return True

    def __setitem__(self, key: object, value: object) -> None:
        """tensor[key] = value: copies on chip, or by DMA where HBM is involved."""
        target = self[key]
        if not isinstance(value, NkiTensor):
            nisa.memset(dst=target, value=value)
        elif is_on_chip(target.buffer) and is_on_chip(value.buffer):
            nisa.tensor_copy(dst=target, src=value)
        else:
            nisa.dma_copy(dst=target, src=value)

    def __eq__(self, other: object) -> Any:
        """tensor == number is refused; a tensor equals itself, as in `tensor in list`."""
        if isinstance(other, (Number, np.generic, np.ndarray)):
            raise TypeError(
                "Python does not compare a tensor, whose values are not known while the kernel is "
                "traced: use an instruction, such as nki.isa.tensor_scalar with op0=nl.equal"
            )
        return NotImplemented

    __ne__ = __eq__
    __hash__ = object.__hash__

    def _no_numpy(self, function: Any, *_: object, **__: object) -> Any:
        import nki.language as nl

        name = function.__name__
        if name in ("equal", "not_equal"):
            return self == 0
        here = f"nl.{name}" if hasattr(nl, name) else "functions of nki.language and nki.isa"
        return _refuse_values(f"use {here} instead of np.{name}")

    __array_ufunc__ = __array_function__ = _no_numpy

    def _no_value(self, *_: object) -> NoReturn:
        _refuse_values("use instructions to compute with them; its sizes are in .shape")

    __iter__ = __len__ = __float__ = __int__ = __array__ = _no_value

    __add__ = __radd__ = _no_operator("nl.add")
    __sub__ = __rsub__ = _no_operator("nl.subtract")
    __mul__ = __rmul__ = _no_operator("nl.multiply")
    __truediv__ = __rtruediv__ = _no_operator("nl.divide")
    __pow__ = __rpow__ = _no_operator("nl.power")
    __and__ = __rand__ = _no_operator("nl.bitwise_and")
    __or__ = __ror__ = _no_operator("nl.bitwise_or")
    __xor__ = __rxor__ = _no_operator("nl.bitwise_xor")
    __lshift__ = __rlshift__ = _no_operator("nl.left_shift")
    __rshift__ = __rrshift__ = _no_operator("nl.right_shift")
    __matmul__ = __rmatmul__ = _no_operator("nki.isa.nc_matmul")
    __mod__ = __rmod__ = _no_operator("nki.isa instructions")
    __floordiv__ = __rfloordiv__ = _no_operator("nki.isa instructions")
    __neg__ = _no_operator("nl.negative")
    __abs__ = _no_operator("nl.abs")
    __invert__ = _no_operator("nl.invert")
    __lt__ = _no_operator("nl.less")
    __le__ = _no_operator("nl.less_equal")
    __gt__ = _no_operator("nl.greater")
    __ge__ = _no_operator("nl.greater_equal")


_context.vocabulary.set_tensor_class(NkiTensor)
