"""What an operator of PyTorch computes: operations of its products, and bytes in and out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trainyard.execution.nodes import Node, Tensor

# The types that the tensor engine multiplies at half and at a quarter of its rate for BF16 and
# above; others go at the rate of BF16.
NARROW = ("c10::Float8_e4m3fn", "c10::Float8_e5m2")
WIDE = ("float", "double")


@dataclass(frozen=True)
class Work:
    """Of one operator: operations of products (two for a multiply-add), bytes, and its format."""

    operations: float
    bytes: float
    format: str = "bf16"  # or fp32, fp8


Tensors = Sequence[Tensor]


def _product(a: Tensor, b: Tensor) -> float:
    """Of a [.., M, K] and b [.., K, N]."""
    if not a.shape or not b.shape:
        return 0.0
    columns = b.shape[-1] if len(b.shape) > 1 else 1
    return 2.0 * a.elements * columns


def _weights(inputs: Tensors, outputs: Tensors) -> float:
    """Of a convolution: each element of the result is a sum over a filter."""
    filters = inputs[1].shape
    return 2.0 * outputs[0].elements * math.prod(filters[1:])


def _gradient_of_weights(inputs: Tensors, _: Tensors) -> float:
    """Of a convolution's gradient: one convolution for the image, one for the filters."""
    return 4.0 * inputs[0].elements * math.prod(inputs[2].shape[1:])


def _attention(query: Tensor, key: Tensor) -> float:
    """Scores and their product with the values."""
    return 4.0 * query.elements * key.shape[-2]


Rule = Callable[[Tensors, Tensors], float]
# By the operator's name. Each reads as many inputs and outputs as it needs, or has no answer.
RULES: dict[str, Rule] = {
    "aten::mm": lambda i, _: _product(i[0], i[1]),
    "aten::bmm": lambda i, _: _product(i[0], i[1]),
    "aten::matmul": lambda i, _: _product(i[0], i[1]),
    "aten::addmm": lambda i, _: _product(i[1], i[2]),
    "aten::baddbmm": lambda i, _: _product(i[1], i[2]),
    "aten::linear": lambda i, _: 2.0 * i[0].elements * i[1].shape[0],
    "aten::conv1d": _weights,
    "aten::conv2d": _weights,
    "aten::conv3d": _weights,
    "aten::convolution": _weights,
    "aten::_convolution": _weights,
    "aten::cudnn_convolution": _weights,
    "aten::convolution_backward": _gradient_of_weights,
    "aten::scaled_dot_product_attention": lambda i, _: _attention(i[0], i[1]),
    "aten::_scaled_dot_product_flash_attention": lambda i, _: _attention(i[0], i[1]),
    "aten::_scaled_dot_product_efficient_attention": lambda i, _: _attention(i[0], i[1]),
    "aten::_scaled_dot_product_cudnn_attention": lambda i, _: _attention(i[0], i[1]),
    "aten::_scaled_dot_product_flash_attention_backward": lambda i, _: 2.5 * _attention(i[1], i[2]),
    "aten::_scaled_dot_product_efficient_attention_backward": lambda i, _: (
        2.5 * _attention(i[1], i[2])
    ),
}


def work_of(operator: str, node: Node) -> Work | None:
    """What one launch of `operator` with these operands does; None where nothing says it."""
    said = node.attributes.get("num_ops")
    if said is not None:
        return Work(float(said), float(node.attributes.get("tensor_size", 0)))
    if not node.inputs and not node.outputs:
        return None
    moved = float(sum(tensor.bytes for tensor in (*node.inputs, *node.outputs)))
    rule = RULES.get(operator)
    if rule is None:
        return Work(0.0, moved)
    try:
        return Work(rule(node.inputs, node.outputs), moved, format_of(node))
    except IndexError:
        return None


def format_of(node: Node) -> str:
    """The format in which its products are computed."""
    types = [tensor.type for tensor in node.inputs]
    if any(one in NARROW for one in types):
        return "fp8"
    return "fp32" if types and types[0] in WIDE else "bf16"
