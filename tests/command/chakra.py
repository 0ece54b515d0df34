"""Writes Chakra execution traces by the field numbers of the schema (et_def.proto)."""

import struct

TYPES = {"metadata": 1, "load": 2, "store": 3, "compute": 4, "send": 5, "receive": 6, "all": 7}


def _varint(value):
    value &= (1 << 64) - 1
    out = b""
    while True:
        low, value = value & 127, value >> 7
        out += bytes([low | 128 if value else low])
        if not value:
            return out


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _attribute(name, value):
    if isinstance(value, bool):
        return _field(1, name) + _field(27, int(value))
    if isinstance(value, float):
        return _field(1, name) + _varint(3 << 3 | 1) + struct.pack("<d", value)
    return _field(1, name) + _field(29 if isinstance(value, str) else 9, value)


def node(number, name, kind, *, before=(), us=0, tensors="", result="", call=None, **attributes):
    """`tensors`, `result`: "bf16[8,16] f32[16]"; nodes of one `call` have the same operands."""
    names = {"bf16": "c10::BFloat16", "f32": "float", "f8": "c10::Float8_e4m3fn"}

    def operands(text):
        parts = [part.removesuffix("]").split("[") for part in text.split()]
        shapes = [[int(size) for size in sizes.split(",")] for _, sizes in parts]
        types = [f"Tensor({names[name]})" for name, _ in parts]
        return _field(
            1, str([[number if call is None else call, i] for i in range(len(parts))])
        ) + (_field(2, str(shapes)) + _field(3, str(types)))

    content = _field(1, number) + _field(2, name) + _field(3, TYPES[kind])
    content += b"".join(_field(5, one) for one in before) + _field(7, us)
    if tensors:
        content += _field(8, operands(tensors)) + _field(9, operands(result))
    content += b"".join(_field(10, _attribute(*pair)) for pair in attributes.items())
    return _varint(len(content)) + content


def write(path, *nodes):
    """A trace of version 0.0.4."""
    metadata = _field(1, "0.0.4")
    path.write_bytes(_varint(len(metadata)) + metadata + b"".join(nodes))
    return path
