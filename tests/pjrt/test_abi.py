"""Does src/pjrt/abi declare the interface as an independent description has it?

The sizes and offsets come from the compiler, what they must be from the package pypjrt, which was
made from the public header by libclang.
"""

import ctypes
import re
import subprocess
from pathlib import Path

import pytest
from pypjrt._abi import pjrt_0_114 as reference

ROOT = Path(__file__).resolve().parents[2]
ABI = ROOT / "src/pjrt/abi"
# Records that are not the arguments of a slot, by their public names.
OTHERS = {
    "Program": "PJRT_Program",
    "NamedValue": "PJRT_NamedValue",
    "ExecuteOptions": "PJRT_ExecuteOptions",
    "ShapeSpec": "PJRT_ShapeSpec",
    "TiledLayout": "PJRT_Buffer_MemoryLayout_Tiled",
    "StridedLayout": "PJRT_Buffer_MemoryLayout_Strides",
    "MemoryLayout": "PJRT_Buffer_MemoryLayout",
    "LogicalDeviceIds": "PJRT_LogicalDeviceIds",
}


def slots() -> list[tuple[str, str]]:
    """(record, public name of the function) of each slot in order."""
    return re.findall(r'Slot<(\w+)>\{\s*"(\w+)"\}', (ABI / "slots.h").read_text())


def records() -> dict[str, str]:
    """Public name of each record."""
    return {record: f"{name}_Args" for record, name in slots()} | OTHERS


def fields(record: str) -> list[str]:
    """The names of its fields as the header declares them."""
    for header in ABI.glob("*.h"):
        found = re.search(rf"struct {record} {{\n(.*?)\n}};", header.read_text(), re.DOTALL)
        if found:
            text = re.sub(r"//.*", "", found[1])
            text = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", text)
            return re.findall(r"(\w+)(?:\{\}| = nullptr)?;", text)
    raise AssertionError(f"{record} is declared nowhere")


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Size of each record ("Record") and offset of each field ("Record.field")."""
    folder = tmp_path_factory.mktemp("abi")
    lines = []
    for record in records():
        lines.append(f'std::printf("{record} %zu\\n", sizeof({record}));')
        lines += [
            f'std::printf("{record}.{field} %zu\\n", offsetof({record}, {field}));'
            for field in fields(record)
        ]
    source = folder / "layout.cpp"
    source.write_text(
        '#include <cstddef>\n#include <cstdio>\n#include "pjrt/abi/slots.h"\n'
        "using namespace trainyard::pjrt;\nint main() {\n" + "\n".join(lines) + "\n}\n"
    )
    program = folder / "layout"
    subprocess.run(
        ["g++", "-std=c++20", "-O0", f"-I{ROOT / 'src'}", source, "-o", program], check=True
    )
    listing = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: int(number) for name, number in map(str.split, listing.splitlines())}


def test_the_slots_stand_in_their_order():
    assert [name for _, name in slots()] == list(reference.SLOT)


def test_every_size_and_offset_agrees(layout: dict[str, int]):
    differences = []
    for record, public in records().items():
        theirs = getattr(reference, public)
        expected = {record: ctypes.sizeof(theirs)}
        for field, _ in theirs._fields_:
            if field in ("struct_size", "extension_start"):
                continue  # Header
            offset = getattr(theirs, field).offset
            if field.startswith("_anon"):  # a union: each of its members begins there
                union = next(type_ for name, type_ in theirs._fields_ if name == field)
                expected |= {f"{record}.{member}": offset for member, _ in union._fields_}
            else:
                expected[f"{record}.{field}"] = offset
        differences += [
            f"{name}: {layout.get(name)}, expected {number}"
            for name, number in expected.items()
            if layout.get(name) != number
        ]
    assert not differences
    assert len(records()) > 140


def test_the_codes_and_types_are_the_public_ones():
    text = (ABI / "common.h").read_text()

    def enumerators(name: str) -> list[str]:
        body = re.search(rf"enum class {name} : std::uint32_t {{(.*?)}}", text, re.DOTALL)
        assert body
        return re.findall(r"\w+", body[1])

    for name, prefix in (("ErrorCode", "PJRT_Error_Code_"), ("BufferType", "PJRT_Buffer_Type_")):
        for value, enumerator in enumerate(enumerators(name)):
            assert getattr(reference, prefix + enumerator.upper()) == value, enumerator
