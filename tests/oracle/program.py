"""Programs in their text form (docs/formats/program.md) as plain data: what the oracle runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

TENSOR = re.compile(r'tensor %(\d+) (\w+) (\w+) (\w+) \[([^\]]*)\] "(?:[^"\\]|\\.)*"(.*)')
TILE = re.compile(r"(sbuf|psum|hbm):(\w+):%(\d+)\[([^\]]*)\](?:\+?(-?\d+))?(?:!(\d+))?$")
DYNAMIC = re.compile(
    r"dynamic !\d+ (\w+)(?: r(\d+))?(?: index (.*?))?(?: stride (-?\d+))?(?: limit (-?\d+))?$"
)


@dataclass
class Tensor:
    role: str
    space: str
    dtype: str
    shape: tuple[int, ...]
    content: bytes = b""  # of a constant


@dataclass(frozen=True)
class Tile:
    """A pattern of elements; `dims` are (step, count) in elements, slowest first, without the
    partitions. Offsets are bytes, of a partition on chip and of the tensor in HBM."""

    space: str
    dtype: str
    tensor: int
    start: int
    partitions: int
    dims: tuple[tuple[int, int], ...]
    offset: int = 0
    dynamic: int = 0  # 1 + number of the run-time address


@dataclass(frozen=True)
class Dynamic:
    """An address known only at run time."""

    kind: str
    register: int | None
    index: Tile | None
    stride: int
    limit: int


@dataclass(frozen=True)
class Register:
    number: int


@dataclass
class Instruction:
    engine: str
    mnemonic: str
    operands: dict[str, Any]


@dataclass
class Program:
    generation: int = 4
    tensors: list[Tensor] = field(default_factory=list)
    dynamics: list[Dynamic] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)


def parse(text: str) -> Program:
    """A compiled program; frames, locations, names and streams are left out."""
    program = Program()
    for line in text.splitlines():
        word = line.split(" ", 1)[0]
        if word.isdigit():
            program.instructions.append(_instruction(line))
        elif word == "tensor":
            program.tensors.append(_tensor(line))
        elif word == "data":
            _, number, content = line.split()
            program.tensors[int(number[1:])].content += bytes.fromhex(content)
        elif word == "dynamic":
            program.dynamics.append(_dynamic(line))
        elif word == "generation":
            program.generation = int(line.split()[1])
        elif word == "compiled":
            return program
    raise ValueError("the program is not compiled")


def _tensor(line: str) -> Tensor:
    _, role, space, dtype, shape, _ = TENSOR.match(line).groups()
    return Tensor(role, space, dtype, tuple(int(n) for n in shape.split(",") if n.strip()))


def _dynamic(line: str) -> Dynamic:
    kind, register, index, stride, limit = DYNAMIC.match(line).groups()
    return Dynamic(
        kind,
        None if register is None else int(register),
        None if index is None else tile_of(index),
        int(stride or 1),
        int(limit or 0),
    )


def _instruction(line: str) -> Instruction:
    head, _, _ = line.partition("; ")
    _, engine, mnemonic, *rest = head.split(" ", 3)
    operands = {}
    for part in _split(rest[0]) if rest else []:
        name, _, value = part.partition("=")
        operands[name] = value_of(value)
    return Instruction(engine, mnemonic, operands)


def _split(text: str) -> list[str]:
    """At commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [part.strip() for part in [*parts, text[begin:]] if part.strip()]


def _dims(text: str) -> tuple[tuple[int, int], ...]:
    found = []
    for part in _split(text):
        count, _, step = part.partition("@")
        found.append((int(step or 1), int(count)))
    return tuple(found)


def tile_of(text: str) -> Tile | None:
    match = TILE.match(text)
    if match is None:
        return None
    space, dtype, tensor, pattern, offset, dynamic = match.groups()
    start, partitions = 0, 1
    if space != "hbm":
        first, _, pattern = pattern.partition(",")
        start, end = (int(n) for n in first.split(":"))
        partitions = end - start
    return Tile(
        space,
        dtype,
        int(tensor),
        start,
        partitions,
        _dims(pattern),
        int(offset or 0),
        int(dynamic or 0),
    )


def value_of(text: str) -> Any:
    """A tile, register, number, bool, None, list (of (step, count) where an @ stands) or name."""
    if (tile := tile_of(text)) is not None:
        return tile
    if text.startswith("["):
        return list(_dims(text[1:-1])) if "@" in text and ":" not in text else _items(text)
    if re.fullmatch(r"r\d+", text):
        return Register(int(text[1:]))
    if text in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _items(text: str) -> list[Any]:
    return [value_of(part) for part in _split(text[1:-1])]
