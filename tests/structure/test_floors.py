"""Does every folder of src/ include only what its floor allows, in its own namespace?"""

import re
from pathlib import Path

import pytest
from sources import ROOT, Floors, cpp_sources, repository_files, text

FLOORS = Floors.parse((ROOT / "src/FLOORS").read_text())


def test_no_file_includes_its_own_floor_or_a_higher_one():
    found = [
        violation for path in cpp_sources() for violation in FLOORS.violations(path, text(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        ("src/isa/x.h", '#include "engines/y.h"', "must not include engines"),
        ("src/memory/x.h", '#include "engines/y.h"', "must not include engines"),
        ("src/compiler/x.h", '#include "trace/y.h"', "must not include trace"),
        ("src/isa/x.h", '#include "tile.h"', "not a full path"),
        ("src/isa/x.h", '#include "nowhere/tile.h"', "not a full path"),
        ("src/nowhere/x.h", "", "no line in src/FLOORS"),
    ],
)
def test_a_broken_floor_is_found(path: str, line: str, says: str):
    (violation,) = FLOORS.violations(Path(path), line)
    assert says in violation


def test_a_lower_floor_and_the_own_folder_are_allowed():
    assert (
        FLOORS.violations(
            Path("src/isa/x.h"),
            '#include "isa/core/tile.h"\n#include "base/units.h"\n#include <fmt/x.h>',
        )
        == []
    )


def test_no_room_includes_its_own_floor_or_a_higher_one():
    found = [
        violation
        for path in cpp_sources()
        for violation in FLOORS.room_violations(path, text(path))
    ]
    assert not found, "\n".join(found)


def test_a_room_has_at_most_5000_lines():
    lines = dict.fromkeys(FLOORS.rooms, 0)
    for path in cpp_sources():
        room = path.relative_to("src").parent.as_posix()
        if room in lines:
            lines[room] += text(path).count("\n")
    assert all(lines.values()), "every room has files"
    assert max(lines.values()) <= 5000, lines


@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        ("emit/x.h", '#include "compiler/lowering/tiles/y.h"', "must not include"),
        ("rows/x.h", '#include "compiler/lowering/sorts/y.h"', "must not include"),
        ("walk/x.cpp", '#include "compiler/lowering/operations.h"', "must not include"),
        ("nowhere/x.h", "", "no line in src/FLOORS"),
    ],
)
def test_a_broken_room_is_found(path: str, line: str, says: str):
    (violation,) = FLOORS.room_violations(Path("src/compiler/lowering") / path, line)
    assert says in violation


def beyond_core(path: Path, content: str) -> list[str]:
    """What a file of src/isa/core includes of the other rooms of isa."""
    included = re.findall(r'^\s*#\s*include\s+"(isa/[^"]+)"', content, re.MULTILINE)
    return [f"{path} includes {name}" for name in included if not name.startswith("isa/core/")]


def test_the_core_of_isa_includes_none_of_its_other_rooms():
    core = [path for path in cpp_sources() if path.parts[1:3] == ("isa", "core")]
    assert core
    found = [violation for path in core for violation in beyond_core(path, text(path))]
    assert not found, "\n".join(found)


def test_an_include_beyond_the_core_is_found():
    content = '#include "isa/core/tile.h"\n#include "isa/rules/validate.h"\n'
    (violation,) = beyond_core(Path("src/isa/core/x.h"), content)
    assert violation == "src/isa/core/x.h includes isa/rules/validate.h"


def test_every_file_of_isa_stands_in_a_room():
    assert not [path for path in cpp_sources() if path.parts[1] == "isa" and len(path.parts) != 4]


def test_every_folder_of_src_has_a_floor():
    assert {path.parts[1] for path in cpp_sources()} == FLOORS.floor.keys()


def test_a_ban_names_a_folder_that_lies_lower():
    for folder, banned in FLOORS.banned.items():
        for other in banned:
            assert FLOORS.floor[other] < FLOORS.floor[folder], f"{folder} ! {other} says nothing"


def test_the_namespace_of_a_file_is_its_folder():
    wrong = []
    for path in cpp_sources():
        folder = path.parts[1]
        opened = re.findall(r"^namespace\s+(trainyard[\w:]*)", text(path), re.MULTILINE)
        if any(
            name != f"trainyard::{folder}" and not name.startswith(f"trainyard::{folder}::")
            for name in opened
        ):
            wrong.append(f"{path} opens {opened}, expected trainyard::{folder}")
        declares = re.sub(r"//.*|^\s*#(\\\n|.)*|\s", "", text(path), flags=re.MULTILINE)
        if not opened and declares and path.name not in {"main.cpp", "module.cpp"}:
            wrong.append(f"{path} opens no namespace trainyard::{folder}")
    assert not wrong, "\n".join(wrong)


def test_no_file_escapes_these_tests():
    """C++ under another ending would be read by none of them."""
    files = {path for path in repository_files() if path.parts[0] == "src"}
    others = {path.name for path in files - set(cpp_sources()) if path.suffix != ".py"}
    assert others == {"FLOORS", "CMakeLists.txt"}


def test_every_header_begins_with_what_it_is():
    # A file named *-inl.h is included once for each instruction set (Highway), so it has no pragma.
    headers = [p for p in cpp_sources() if p.suffix == ".h" and not p.stem.endswith("-inl")]
    start = re.compile(r"// .+\n(//( .+)?\n)*#pragma once\n")
    wrong = [str(path) for path in headers if not start.match(text(path))]
    assert not wrong, f"these do not start with a comment and then #pragma once: {wrong}"
