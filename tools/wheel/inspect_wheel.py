"""Is a wheel fit for other machines? Checks its tag, newest symbols, libraries and notices.

  python tools/wheel/inspect_wheel.py dist/trainyard-0.1.0-cp311-cp311-manylinux_2_34_x86_64.whl

Needs pyelftools. The limits are those of Amazon Linux 2023: glibc 2.34, and the libstdc++ of gcc 11
(GLIBCXX_3.4.29, CXXABI_1.3.13), which is also what the platform manylinux_2_34 allows.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

LIMITS = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11,)}
SYSTEM = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2")
PLATFORM = "manylinux_2_34_x86_64"
NOTICES = ("fmt", "Highway", "toml++", "JSON for Modern C++", "Zstandard", "nanobind")


def needed_versions(content: bytes) -> Iterator[str]:
    """The symbol versions that a shared object needs, as "GLIBC_2.34"."""
    for section in ELFFile(io.BytesIO(content)).iter_sections():
        if isinstance(section, GNUVerNeedSection):
            for _, versions in section.iter_versions():
                yield from (version.name for version in versions)


def needed_libraries(content: bytes) -> Iterator[str]:
    """The libraries that a shared object asks the loader for."""
    for section in ELFFile(io.BytesIO(content)).iter_sections():
        if isinstance(section, DynamicSection):
            yield from (tag.needed for tag in section.iter_tags("DT_NEEDED"))


def too_new(version: str) -> bool:
    """Whether a symbol version is newer than its limit; versions of other families are not."""
    family, _, number = version.partition("_")
    parts = number.split(".")
    if family not in LIMITS or not all(part.isdigit() for part in parts):
        return False
    return tuple(map(int, parts)) > LIMITS[family]


def problems(path: str) -> Iterator[str]:
    """What is wrong with a wheel."""
    if PLATFORM not in path:
        yield f"its name does not say {PLATFORM}"
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        shared = {name: wheel.read(name) for name in names if ".so" in name.rpartition("/")[2]}
        notices = [name for name in names if name.endswith("THIRD_PARTY_NOTICES.md")]
        text = wheel.read(notices[0]).decode() if notices else ""
    if not any(name.startswith("trainyard/_core.") for name in shared):
        yield "it has no trainyard/_core"
    own = {name.rpartition("/")[2] for name in shared}
    for name, content in shared.items():
        for version in sorted(set(needed_versions(content))):
            if too_new(version):
                yield f"{name} needs {version}"
        for library in needed_libraries(content):
            if library not in SYSTEM and library not in own:
                yield f"{name} needs {library}, which is not in the wheel"
    for name in NOTICES:
        if f"## {name}" not in text:
            yield f"THIRD_PARTY_NOTICES.md has no notice of {name}"


def main() -> int:
    """Checks the wheels on the command line."""
    wrong = [f"{path}: {problem}" for path in sys.argv[1:] for problem in problems(path)]
    print("\n".join(wrong) or "\n".join(f"{path}: fit for {PLATFORM}" for path in sys.argv[1:]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
