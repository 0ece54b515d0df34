"""`torch.autocast("neuron")`: which operators get their operands in bfloat16, and which in float32.

The lists are those of PyTorch for CUDA (ATen/autocast_mode.h, and cross_entropy, which its manual
names), so that a script has the types that it had there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

DEVICE = "neuron"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Products: in the type that autocast names.
LOW = _words(
    "_convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d "
    "conv_transpose3d convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear "
    "addbmm baddbmm bmm chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell "
    "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell scaled_dot_product_attention"
)
# What loses too much in a narrow type: in float32, and with results of it.
WIDE = _words(
    "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus "
    "layer_norm native_layer_norm rms_norm group_norm frobenius_norm nuclear_norm "
    "cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d "
    "hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss "
    "multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss "
    "binary_cross_entropy_with_logits cross_entropy_loss dist pdist cdist renorm logsumexp norm"
)
# The same, unless their caller says which type the result has.
WIDE_UNLESS_TOLD = _words(
    "prod softmax log_softmax cumprod cumsum linalg_vector_norm linalg_matrix_norm sum"
)
# Several operands: in the widest type of them.
WIDEST = _words(
    "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add "
    "cat stack"
)

_AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)


def _is_cast(x: Any) -> bool:
    return (
        isinstance(x, torch.Tensor)
        and x.device.type == DEVICE
        and x.is_floating_point()
        and x.dtype != torch.float64
        and x.itemsize > 1
    )


def _cast(tree: Any, dtype: torch.dtype) -> Any:
    return tree_map(lambda x: x.to(dtype) if _is_cast(x) else x, tree)


def _low(tree: Any) -> torch.dtype:
    return torch.get_autocast_dtype(DEVICE)


def _wide(tree: Any) -> torch.dtype:
    return torch.float32


def _wide_unless_told(tree: Any) -> torch.dtype | None:
    leaves = tree_flatten(tree)[0]
    return None if any(isinstance(x, torch.dtype) for x in leaves) else torch.float32


def _widest(tree: Any) -> torch.dtype | None:
    kinds = [x.dtype for x in tree_flatten(tree)[0] if _is_cast(x)]
    if len(set(kinds)) < 2:
        return None
    low = torch.get_autocast_dtype(DEVICE)
    return torch.float32 if torch.float32 in kinds else low


def _kernel(overload: Any, choose: Callable[[Any], torch.dtype | None]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST):
            dtype = choose((args, kwargs))
            if dtype is not None:
                args, kwargs = _cast(args, dtype), _cast(kwargs, dtype)
            return overload(*args, **kwargs)

    return run


def _refuse_cross_entropy(*_: Any, **__: Any) -> Any:
    raise RuntimeError(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast: "
        "use binary_cross_entropy_with_logits or BCEWithLogitsLoss"
    )


def register() -> list[torch.library.Library]:
    """What must be kept alive: PyTorch's own kernels for what is not in the lists are none."""
    rest = torch.library.Library("_", "IMPL")
    rest.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    casts = torch.library.Library("aten", "IMPL")
    for names, choose in (
        (LOW, _low),
        (WIDE, _wide),
        (WIDE_UNLESS_TOLD, _wide_unless_told),
        (WIDEST, _widest),
    ):
        for name in names:
            packet = getattr(torch.ops.aten, name)
            for each in packet.overloads():
                overload = getattr(packet, each)
                arguments = overload._schema.arguments
                if overload._schema.is_mutable or any("Dimname" in str(a.type) for a in arguments):
                    continue
                casts.impl(overload, _kernel(overload, choose), "AutocastPrivateUse1")
    casts.impl(
        torch.ops.aten.binary_cross_entropy.default, _refuse_cross_entropy, "AutocastPrivateUse1"
    )
    return [rest, casts]
