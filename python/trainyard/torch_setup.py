"""Installs PyTorch into this Python's environment, without a GPU's libraries.

PyPI's builds for Linux are linked against CUDA, which takes gigabytes and which nothing here calls.
The pinned list is installed without dependencies; empty libraries then stand for what PyTorch's own
link to. `trainyard setup torch` calls this; nothing of it imports PyTorch.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from trainyard.files import write_whole
from trainyard.usage import UsageError

# The list of each Python version, and the PyTorch that it has.
LISTS = {(3, 11): "torch-requirements.txt", (3, 13): "torch-3.13-requirements.txt"}
OLDEST = (2, 13)  # whose device of a Python backend is used
_TOOLS = ("cc", "nm", "readelf")
_SYSTEM = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2")


def requirements() -> Path:
    """The pinned list for this Python. Raises UsageError where there is none."""
    name = LISTS.get(sys.version_info[:2])
    if name is None:
        known = ", ".join(".".join(map(str, version)) for version in LISTS)
        raise UsageError(
            f"there is a list of PyTorch's packages for Python {known}, not for "
            f"{sys.version_info[0]}.{sys.version_info[1]}: install PyTorch 2.13 or newer yourself"
        )
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise UsageError(
            f"the list of PyTorch's packages is for Linux on x86_64, not for {sys.platform} on "
            f"{platform.machine()}: install PyTorch 2.13 or newer yourself"
        )
    here = Path(__file__).resolve().parent  # of links to a checkout, the checkout's
    for folder in (here, here.parents[1] / "tools"):
        if (folder / name).is_file():
            return folder / name
    raise UsageError(f"this installation of Trainyard has no {name}")


def installed() -> str | None:
    """The version of PyTorch that can be imported here, if any can."""
    run = subprocess.run(
        [sys.executable, "-c", "import torch; print(torch.__version__)"],
        capture_output=True,
        text=True,
    )
    return run.stdout.strip() if run.returncode == 0 else None


def install(tell: Callable[[str], None]) -> str:
    """Makes PyTorch importable, and returns its version. Raises UsageError."""
    version = installed()
    if version:
        _check_version(version)
        tell(f"PyTorch {version} is installed and is used as it is")
        return version
    if sys.prefix == sys.base_prefix:
        raise UsageError(
            f"{sys.prefix} is no virtual environment: make one (python3 -m venv), install "
            "Trainyard there, and run its trainyard setup torch"
        )
    _check_tools()
    tell("installing the pinned packages, without dependencies (about 0.6 GB to download)")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    given = ["--no-deps", "--no-compile", "--require-hashes", "-r", str(requirements())]
    run = subprocess.run([*pip, *given], check=False)
    if run.returncode:
        raise UsageError(f"pip failed with code {run.returncode}: its words are above")
    libraries = _library_folder()
    made = make_stubs(libraries)
    tell(f"made {len(made)} empty libraries for those of a GPU: {', '.join(made)}")
    version = installed()
    if version is None:
        raise UsageError(
            f"PyTorch does not load; see what `{sys.executable} -c 'import torch'` says"
        )
    return version


def _check_version(version: str) -> None:
    """Raises UsageError for a PyTorch that has no devices of Python backends."""
    found = re.match(r"(\d+)\.(\d+)", version)
    if found and (int(found[1]), int(found[2])) < OLDEST:
        raise UsageError(
            f"PyTorch {version} is installed here, and the device needs 2.13 or newer: update it, "
            "or run this in an environment without PyTorch"
        )


def _check_tools() -> None:
    for tool in _TOOLS:
        if shutil.which(tool) is None:
            raise UsageError(f"{tool} is needed: install the Debian packages gcc and binutils")


def _library_folder() -> Path:
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlib.util import find_spec; print(find_spec('torch').origin)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(run.stdout.strip()).parent / "lib"


def make_stubs(folder: Path) -> list[str]:
    """Writes a library for each one that those in the folder need and that is not there, with the
    functions that they want of it: these say that there is no device. Returns their names."""
    _check_tools()
    libraries = sorted(folder.glob("*.so*"))
    needed, wanted, defined = set(), {}, set()
    for library in libraries:
        needed |= set(_needed(library))
        wanted |= _symbols(library, "--undefined-only")
        defined |= set(_symbols(library, "--defined-only"))
    here = {library.name for library in libraries}
    missing = sorted(needed - here - _system_libraries())
    for name in _SYSTEM:
        for place in (
            Path("/lib/x86_64-linux-gnu"),
            Path("/usr/lib/x86_64-linux-gnu"),
            Path("/lib64"),
        ):
            if (place / name).exists():
                defined |= set(_symbols(place / name, "--defined-only"))
    by_version = _by_version(wanted, defined)
    for name in missing:
        _make_stub(folder / name, name, *_functions_of(name, by_version))
    return missing


def _system_libraries() -> set[str]:
    """The names that the loader knows. Raises UsageError without ldconfig, as a library that is
    there must not be covered by an empty one."""
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"  # not in every user's
    tool = shutil.which("ldconfig", path=path)
    if tool is None:
        raise UsageError("ldconfig is needed: install the Debian package libc-bin")
    lines = _output([tool, "-p"]).splitlines()[1:]
    return {line.split()[0] for line in lines if "=>" in line}


def _by_version(wanted: dict[str, str], defined: set[str]) -> dict[str, list[str]]:
    """Functions that nothing defines, by the version that they are wanted in ("" for none)."""
    groups: dict[str, list[str]] = {}
    for name, full in wanted.items():
        version = full.rpartition("@")[2] if "@" in full else ""
        is_systems = version.startswith(("QUADMATH", "GLIBC", "GCC", "CXXABI"))
        if name not in defined and not name.startswith(("Py", "_Py")) and not is_systems:
            groups.setdefault(version, []).append(name)
    return groups


def _functions_of(name: str, groups: dict[str, list[str]]) -> tuple[str, list[str]]:
    """The version of a library's functions, and their names. Those without a version are NCCL's."""
    if name == "libcuda.so.1":
        return "", []
    if "nccl" in name:
        return "", groups.get("", [])
    version = name if name in groups else "NVSHMEM" if "nvshmem" in name else ""
    return version, groups.get(version, []) if version else []


def _make_stub(target: Path, name: str, version: str, functions: Iterable[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder, "stub.c"), Path(folder, "stub.map")
        write_whole(source, "\n".join(map(_function, functions)).encode())
        command = ["cc", "-O0", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", str(target)]
        if version:
            write_whole(script, f"{version} {{ global: *; }};".encode())
            command.append(f"-Wl,--version-script={script}")
        made = subprocess.run([*command, str(source)], check=False)
        if made.returncode:
            raise UsageError(f"{target} could not be made: cc failed with code {made.returncode}")


def _function(name: str) -> str:
    """In C: 100 is CUDA's word for no device."""
    if name == "cudaGetDeviceCount":
        return "int cudaGetDeviceCount(int*c){*c=0;return 100;}"
    if name == "__cudaRegisterFatBinary":
        return "static char z[4096];void*__cudaRegisterFatBinary(void*a){return z;}"
    if name.startswith("__cuda"):
        return f"int {name}(void){{return 0;}}"
    if "GetErrorString" in name or "GetErrorName" in name:
        return f'const char*{name}(int e){{return "no device";}}'
    return f"int {name}(void){{return 100;}}"


def _needed(library: Path) -> list[str]:
    return re.findall(r"NEEDED.*\[(.*)\]", _output(["readelf", "-d", str(library)]))


def _symbols(library: Path, which: str) -> dict[str, str]:
    """Names of functions, with their versions."""
    lines = [line.split() for line in _output(["nm", "-D", which, str(library)]).splitlines()]
    return {
        parts[-1].split("@")[0]: parts[-1]
        for parts in lines
        if parts and not (which == "--undefined-only" and parts[-2] != "U")
    }


def _output(command: list[str]) -> str:
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    ).stdout
