"""Key and value caches of nki-library's attention block, never whole in float32.

Its reference casts caches of up to a billion elements to float32, copies them to change a few rows,
and gathers their blocks in full before it attends. Here a large cache stays in the dtype it is
stored in, and what is needed of it is cast when it is. The bits are the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

# A smaller cache is left to the reference.
LARGE = 1 << 26
_CACHES = ("K_cache", "V_cache")


class Stored:
    """A cache in the place of a float32 tensor of its values."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array
        self.shape, self.dtype = array.shape, array.dtype

    def to(self, *_: Any) -> Stored:
        """As of a tensor; it stands for float32 already."""
        return self

    float = to

    def clone(self) -> Stored:
        """As of a tensor."""
        return Stored(self.array.copy())

    def reshape(self, *shape: Any) -> Stored:
        """As of a tensor; shares the elements."""
        return Stored(self.array.reshape(*shape))

    def astype(self, dtype: Any) -> npt.NDArray[Any]:
        """As of the array that the reference makes of its result."""
        return self.array.astype(dtype, copy=False)

    def values(self, index: Any) -> Any:
        """A float32 tensor of what `index` chooses."""
        import torch
        from neuron_dtypes import static_cast

        chosen = np.ascontiguousarray(self.array[index])
        return torch.from_numpy(np.asarray(static_cast(chosen, np.float32)))

    def __getitem__(self, index: Any) -> OfSequences:
        of_all = OfSequences(self.values, self.shape)
        return of_all[index]

    def __setitem__(self, index: Any, tensor: Any) -> None:
        self.array[index] = tensor.numpy().astype(self.array.dtype)


class OfSequences:
    """A tensor whose first dimension are sequences; a slice of them makes it.

    What is done to it before leaves that dimension where it is, and is done to each slice.
    """

    def __init__(
        self,
        make: Callable[[slice], Any],
        shape: tuple[int, ...],
        steps: tuple[Callable[[Any], Any], ...] = (),
    ) -> None:
        self._make, self._shape, self._steps = make, shape, steps

    def numel(self) -> int:
        """As of a tensor, before what is done to it."""
        return int(np.prod(self._shape))

    def unsqueeze(self, dim: int) -> OfSequences:
        """As of a tensor."""
        return self._then(lambda tensor: tensor.unsqueeze(dim))

    def permute(self, *dims: int) -> OfSequences:
        """As of a tensor."""
        return self._then(lambda tensor: tensor.permute(*dims))

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self._then(lambda tensor: tensor[index])
        tensor = self._make(index)
        for step in self._steps:
            tensor = step(tensor)
        return tensor

    def _then(self, step: Callable[[Any], Any]) -> OfSequences:
        return OfSequences(self._make, self._shape, (*self._steps, step))


def install() -> None:
    """Makes the attention reference take stored caches; call it before tests are imported."""
    from nkilib_src.nkilib.core.attention import attention_tkg_torch

    gather = attention_tkg_torch._gather_block_kv_to_flat
    attention_tkg_torch._gather_block_kv_to_flat = gathering(gather)


def install_in_tests(tests: ModuleType) -> None:
    """Gives the reference of the attention block its caches as they are stored."""
    tests._golden_ref_via_torch = storing(tests._golden_ref_via_torch)


def storing(run: Any) -> Any:
    """`run`, the reference, with large caches as they are stored."""

    @functools.wraps(run)
    def with_stored(kernel_input: dict[str, Any], lnc: int) -> dict[str, Any]:
        caches = {name: kernel_input[name] for name in _CACHES}
        if all(isinstance(one, np.ndarray) and one.size > LARGE for one in caches.values()):
            caches = {name: Stored(one) for name, one in caches.items()}
        return run({**kernel_input, **caches}, lnc)

    return with_stored


def gathering(gather: Any) -> Any:
    """`gather`, which lays the blocks of every sequence side by side, for some sequences."""
    import torch

    @functools.wraps(gather)
    def run(cache: Any, table: Any, batch: int, context: int, width: int, block: int) -> Any:
        if not isinstance(cache, Stored):
            return gather(cache, table, batch, context, width, block)
        rows = table.shape[1] * block

        def make(some: slice) -> Any:
            sequences = range(*some.indices(batch))
            flat = torch.zeros((len(sequences), context, width), dtype=torch.float32)
            for place, sequence in enumerate(sequences):
                blocks = cache.values(table[sequence].numpy())
                flat[place, :rows, :] = blocks.reshape(-1, width)
            return flat

        return OfSequences(make, (batch, context, width))

    return run
