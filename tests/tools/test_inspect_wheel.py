"""Does the inspection of a wheel find what another machine could not load?"""

import runpy
import sys
import types
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = "trainyard-0.1.0-cp311-cp311-manylinux_2_34_x86_64.whl"
SYMBOLS = {
    b"good": (["GLIBC_2.34", "GLIBCXX_3.4.29", "HWY_0", "CXXABI_1.3.13"], ["libc.so.6"]),
    b"new": (["GLIBC_2.35", "GLIBCXX_3.4.30", "GLIBC_ABI_DT_RELR"], ["libc.so.6"]),
    b"astray": ([], ["libfmt.so.9"]),
}


@pytest.fixture
def inspect(monkeypatch):
    """problems() with the reader of ELF files replaced; it is not in .venv."""
    for name in ("elftools", "elftools.elf"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    for name, cls in (
        ("dynamic", "DynamicSection"),
        ("elffile", "ELFFile"),
        ("gnuversions", "GNUVerNeedSection"),
    ):
        module = types.ModuleType(f"elftools.elf.{name}")
        setattr(module, cls, type(cls, (), {}))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    found = runpy.run_path(str(ROOT / "tools/wheel/inspect_wheel.py"))
    functions = found["problems"].__globals__
    functions["needed_versions"] = lambda content: SYMBOLS[content][0]
    functions["needed_libraries"] = lambda content: SYMBOLS[content][1]
    return lambda path: list(found["problems"](str(path)))


def wheel(folder, core=b"good", name=NAME, notices=None):
    path = folder / name
    text = (ROOT / "THIRD_PARTY_NOTICES.md").read_text() if notices is None else notices
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("trainyard/_core.cpython-311-x86_64-linux-gnu.so", core)
        file.writestr("trainyard-0.1.0.dist-info/licenses/THIRD_PARTY_NOTICES.md", text)
    return path


def test_a_good_wheel_passes(inspect, tmp_path):
    assert inspect(wheel(tmp_path)) == []


def test_symbols_that_are_too_new_are_named(inspect, tmp_path):
    found = inspect(wheel(tmp_path, b"new"))
    assert [one.rpartition(" ")[2] for one in found] == ["GLIBCXX_3.4.30", "GLIBC_2.35"]


def test_libraries_that_are_missing_are_named(inspect, tmp_path):
    assert any("libfmt.so.9" in one for one in inspect(wheel(tmp_path, b"astray")))


def test_a_wheel_without_notices_or_tag_is_refused(inspect, tmp_path):
    assert len(inspect(wheel(tmp_path, notices=""))) == 6
    found = inspect(wheel(tmp_path, name="trainyard-0.1.0-cp311-cp311-linux_x86_64.whl"))
    assert found == ["its name does not say manylinux_2_34_x86_64"]
