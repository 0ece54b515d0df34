"""References of nki-library with the same values in less time and memory.

Its references are most of what its default subset costs. What stands here in their place gives the
same bits, but for the order of sums in `einsum`.
"""

from __future__ import annotations

import copy
import functools
import sys
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from suite import nki_library_caches, nki_library_comparisons

_FP8 = ("float8_e4m3", "float8_e4m3fn", "float8_e5m2")
# What a reference works on at once, so that its copies are small beside its inputs.
_ELEMENTS_AT_ONCE = 1 << 26
# A smaller matrix may be copied for each head.
_SHARED = 1 << 20
_CACHES = ("k_prior", "v_prior")
_OF_SEQUENCES = ("q", "k_active", "v_active", *_CACHES, "active_mask")
_ATTENTION_BLOCK = "test.integration.nkilib.experimental.transformer.test_attention_block_tkg"


def install() -> None:
    """Puts in place what no test module is needed for; call it before they are imported."""
    import torch
    from nkilib_src.nkilib.core.attention import attention_tkg_torch
    from nkilib_src.nkilib.core.utils import mx_torch_common
    from test.utils import unit_test_framework

    # Without this NumPy contracts in a loop of its own instead of by its matrix product.
    np.einsum = functools.partial(np.einsum, optimize=True)
    for name in ("unpack_float8_e5m2_x4", "unpack_float8_e4m3fn_x4"):
        setattr(mx_torch_common, name, _unpacking(getattr(mx_torch_common, name)))
    wrapper = unit_test_framework.torch_ref_wrapper
    unit_test_framework.torch_ref_wrapper = _casting_before(wrapper)
    torch.Tensor.__matmul__ = by_heads(torch.Tensor.__matmul__)
    attend = attention_tkg_torch._attention_tkg_fwd_ref
    attention_tkg_torch._attention_tkg_fwd_ref = _by_sequences(attend)
    nki_library_caches.install()
    nki_library_comparisons.install()


def install_in_tests() -> None:
    """Puts in place what replaces parts of test modules; call it when they are imported."""
    attention_block = sys.modules.get(_ATTENTION_BLOCK)
    if attention_block is not None:
        nki_library_caches.install_in_tests(attention_block)
        nki_library_comparisons.install_in_tests(attention_block)
        _ask_for_shapes_once(attention_block)


def _unpacking(slow: Any) -> Any:
    """`slow`, which unpacks bytes through eight-byte integers, by one cast."""
    import torch

    # Of the codes that are not finite, the references make finite numbers.
    of_code = slow(np.arange(256, dtype=np.uint8).view(np.uint32)).numpy()
    return functools.wraps(slow)(lambda packed: torch.from_numpy(_unpacked(packed, of_code)))


def _unpacked(packed: npt.NDArray[Any], of_code: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The elements of an array of four bytes each; those that are not finite from a table."""
    from neuron_dtypes import static_cast

    values = static_cast(packed, np.float32)
    odd = np.flatnonzero(~np.isfinite(values))
    if odd.size:
        codes = np.ascontiguousarray(packed).reshape(-1).view(np.uint8)
        values.reshape(-1)[odd] = of_code[codes[odd]]
    return values


def _casting_before(wrapper: Any) -> Any:
    """`wrapper`, which gives a reference float32 arrays, with a quick cast of those in FP8."""
    from neuron_dtypes import static_cast

    def cast(array: Any) -> Any:
        is_fp8 = isinstance(array, np.ndarray) and str(array.dtype) in _FP8
        return static_cast(array, np.float32) if is_fp8 else array

    @functools.wraps(wrapper)
    def wrap(reference: Any, *args: Any, **kwargs: Any) -> Any:
        wrapped = wrapper(reference, *args, **kwargs)
        if args or kwargs:  # it may ask for outputs in the dtype of an input
            return wrapped

        @functools.wraps(wrapped)
        def run(**inputs: Any) -> Any:
            return wrapped(**{name: cast(array) for name, array in inputs.items()})

        return run

    return wrap


def by_heads(product: Any) -> Any:
    """`product`, a @ b, a head at a time where all heads of a sequence have one of the matrices.

    torch copies it for each of them.
    """
    import torch

    @functools.wraps(product)
    def run(a: Any, b: Any) -> Any:
        if not _one_for_all_heads(a, b):
            return product(a, b)
        a, b = (one.contiguous() if one.shape[1] == 1 else one for one in (a, b))
        heads = max(a.shape[1], b.shape[1])
        result = torch.empty(a.shape[0], heads, a.shape[2], b.shape[3])
        for head in range(heads):
            pair = (one[:, head if one.shape[1] > 1 else 0] for one in (a, b))
            result[:, head] = torch.bmm(*pair)
        return result

    return run


def _one_for_all_heads(a: Any, b: Any) -> bool:
    """Whether these are matrices of the heads of sequences, large ones shared by the heads.

    Of a single sequence torch makes no copies.
    """
    import torch

    return (
        isinstance(b, torch.Tensor)
        and a.ndim == b.ndim == 4
        and a.shape[0] == b.shape[0] > 1
        and 1 == min(a.shape[1], b.shape[1]) < max(a.shape[1], b.shape[1])
        and max(a.numel(), b.numel()) > _SHARED
        and a.dtype == b.dtype == torch.float32
        and not (a.requires_grad or b.requires_grad)
    )


def _by_sequences(attend: Any) -> Any:
    """`attend`, which copies the caches it is given, for some sequences of a batch after others."""
    import torch

    @functools.wraps(attend)
    def run(*, cfg: Any, **given: Any) -> Any:
        size = given["k_prior"].numel()
        if size <= _ELEMENTS_AT_ONCE or cfg.use_pos_id or cfg.fuse_rope:
            caches = {name: given[name][:] for name in _CACHES}
            return attend(cfg=cfg, **given | caches)
        count = max(1, cfg.bs * _ELEMENTS_AT_ONCE // size)
        parts = []
        for first in range(0, cfg.bs, count):
            some = slice(first, first + count)
            part = copy.copy(cfg)
            part.bs = min(count, cfg.bs - first)
            parts.append(
                attend(cfg=part, **given | {name: given[name][some] for name in _OF_SEQUENCES})
            )
        return tuple(torch.cat(outputs) for outputs in zip(*parts, strict=True))

    return run


def _ask_for_shapes_once(tests: ModuleType) -> None:
    """Shapes of outputs from the reference that has run, instead of from a second run of it."""
    run, infer = tests._golden_ref_via_torch, tests._infer_output_shapes_and_dtypes
    last: list[tuple[Any, dict[str, Any]]] = []

    @functools.wraps(run)
    def run_and_remember(kernel_input: dict[str, Any], lnc: int) -> dict[str, Any]:
        outputs = run(kernel_input, lnc)
        shapes = {name: (array.shape, array.dtype) for name, array in outputs.items()}
        last[:] = [(kernel_input["X"], shapes)]
        return outputs

    @functools.wraps(infer)
    def infer_from_last(kernel_input: dict[str, Any], lnc: int) -> dict[str, Any]:
        if last and last[0][0] is kernel_input["X"]:
            return {name: np.zeros(*about) for name, about in last[0][1].items()}
        return infer(kernel_input, lnc)

    tests._golden_ref_via_torch = run_and_remember
    tests._infer_output_shapes_and_dtypes = infer_from_last
