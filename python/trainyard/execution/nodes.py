"""The nodes of an execution trace, and which of them one operator launched."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from trainyard._core import read_execution_trace
from trainyard.files import read_whole

# Bytes of an element, by PyTorch's name of its type.
BYTES = {
    "float": 4,
    "double": 8,
    "c10::Half": 2,
    "c10::BFloat16": 2,
    "c10::Float8_e4m3fn": 1,
    "c10::Float8_e5m2": 1,
    "long int": 8,
    "long": 8,
    "int": 4,
    "short int": 2,
    "signed char": 1,
    "unsigned char": 1,
    "bool": 1,
}


@dataclass(frozen=True)
class Tensor:
    """One operand: its shape and PyTorch's name of its type."""

    shape: tuple[int, ...]
    type: str

    @property
    def elements(self) -> int:
        """How many it has."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    @property
    def bytes(self) -> int:
        """Of all elements; a type that is not known has four bytes."""
        return self.elements * BYTES.get(self.type, 4)


@dataclass(frozen=True)
class Node:
    """One node as it was recorded; `us` is what it took there."""

    id: int
    name: str
    type: str
    before: tuple[int, ...]  # nodes that it waits for
    callers: tuple[int, ...]  # nodes that called it: its control dependences
    us: int
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    operands: str = ""  # which tensors the inputs are
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def runs_on_host(self) -> bool:
        """An operator of the host, which launches what the accelerator does."""
        return bool(self.attributes.get("is_cpu_op", 0))

    @property
    def operator(self) -> str:
        """aten::conv2d of aten::conv2d(3), which is a part of it."""
        return re.sub(r"\(\d+\)$", "", self.name)


@dataclass
class Trace:
    """A trace of one rank."""

    path: str
    version: str
    nodes: list[Node]

    @cached_property
    def by_id(self) -> dict[int, Node]:
        """Nodes by number."""
        return {node.id: node for node in self.nodes}

    def launcher(self, node: Node) -> Node | None:
        """The host's operator behind which a node of the accelerator was recorded."""
        hosts = [
            other
            for number in (*node.callers, *node.before)
            if (other := self.by_id.get(number)) is not None and other.runs_on_host
        ]
        earlier = [other for other in hosts if other.id < node.id]
        return max(earlier or hosts, key=lambda other: other.id, default=None)


def tensors(shapes: str, types: str) -> tuple[Tensor, ...]:
    """The tensors among operands, those of lists included."""
    try:
        sizes = json.loads(shapes) if shapes else []
    except ValueError:
        return ()
    names = re.findall(r"'([^']*)'", types)
    found: list[Tensor] = []
    for size, name in zip(sizes, names, strict=False):
        listed = name.startswith("GenericList[")
        inside = re.findall(r"Tensor\(([^)]*)\)", name)
        if not inside or not isinstance(size, list):
            continue
        each = size if listed else [size]
        kinds = inside if len(inside) == len(each) else inside[:1] * len(each)
        found += [
            Tensor(tuple(shape), kind)
            for shape, kind in zip(each, kinds, strict=True)
            if isinstance(shape, list) and all(type(one) is int and one >= 0 for one in shape)
        ]
    return tuple(found)


def read(path: str | Path) -> Trace:
    """Reads a .et file. Raises InputError "trace.chakra"; OSError."""
    document = read_execution_trace(read_whole(path), str(path))
    # Control dependences of recorded calls lead from caller to callee and may cross those of data,
    # which say what waits, as for other readers of such traces; alone, they do.
    has_data = any(node["data"] for node in document["nodes"])
    nodes = [
        Node(
            id=node["id"],
            name=node["name"],
            type=node["type"],
            before=tuple(dict.fromkeys(node["data" if has_data else "control"])),
            callers=tuple(node["control"]),
            us=node["us"],
            inputs=tensors(node["input_shapes"], node["input_types"]),
            outputs=tensors(node["output_shapes"], node["output_types"]),
            operands=node["input_values"],
            attributes=node["attributes"],
        )
        for node in document["nodes"]
    ]
    return Trace(str(path), document["version"], nodes)
