"""Compiled programs that outlive a process, in a folder of files.

A file's name is the hash of all that its program depends on: StableHLO, machine, flags, and the
build of the core. It holds a hash of its content, and the content, which is what the core says of a
compiled model; passes and lowering run again, and what they give that is not there is compiled.
Files are written whole, under another name first, so that processes may share a folder. One that is
damaged counts as missing and is written again; where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import WriteError, write_whole
from trainyard.simulated_devices import devices_of

FOLDER_VARIABLE = "NEURON_COMPILE_CACHE_URL"  # AWS's; empty: nothing is kept
SIZE_VARIABLE = "TRAINYARD_COMPILE_CACHE_SIZE"  # in MiB
SIZE_MAX = 1024
_MARK = b"trainyard compiled code 1\n"  # another number: another content
_SUFFIX = ".code"


def folder() -> Path | None:
    """Where programs are kept; None for nowhere. Of addresses, those of files count alone."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen is not None:
        path = chosen.removeprefix("file://")
        return Path(path) if path and "://" not in path else None
    cache = os.environ.get("XDG_CACHE_HOME")
    home = os.environ.get("HOME")
    if not cache and not home:
        return None
    return (Path(cache) if cache else Path(home or "", ".cache")) / "trainyard" / "programs"


def name_of(text: str, machine: Any, flags: str) -> str | None:
    """The name of a program's file; None where builds cannot be told apart."""
    build = _core.build_id()
    if not build:
        return None
    made = hashlib.sha256(_MARK)
    tuning = os.environ.get("TRAINYARD_TUNE", "")
    for part in (build, f"{machine.hash:x}", flags, tuning, text):
        content = part.encode()
        made.update(b"%d " % len(content))
        made.update(content)
    return made.hexdigest() + _SUFFIX


@dataclass
class DiskCache:
    """Of one process. `found` and `missing`: how many programs it looked for."""

    found: int = 0
    missing: int = 0
    _has_warned: bool = False
    _has_trimmed: bool = False

    def compile(self, module: Any, text: str, machine: Any, flags: str) -> Any:
        """A model of the module, whose text is `text`."""
        where = folder()
        name = name_of(text, machine, flags) if where else None
        if where is None or name is None:
            return _core.compile_model(module, machine, "list", flags, devices=devices_of(machine))
        path = where / name
        model = self._known(path, module, machine, flags)
        if model is None:
            self.missing += 1
            model = _core.compile_model(module, machine, "list", flags, devices=devices_of(machine))
            self._keep(path, model.code)
        return model

    def _known(self, path: Path, module: Any, machine: Any, flags: str) -> Any:
        code = _read(path)
        if not code:
            return None
        try:
            model = _core.compile_model(
                module, machine, "list", flags, code=code, devices=devices_of(machine)
            )
        except _core.InputError as error:
            if not _is_of_code(error):
                raise
            return None
        self.found += 1
        with contextlib.suppress(OSError):
            os.utime(path)  # what is used stays when the folder is trimmed
        return model

    def _keep(self, path: Path, code: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, _MARK + hashlib.sha256(code).digest() + code)
        except (OSError, WriteError) as error:
            if not self._has_warned:
                self._has_warned = True
                warnings.warn(
                    f"compiled programs are not kept: {error.strerror}: {path.parent} "
                    f"({FOLDER_VARIABLE} chooses another folder)",
                    stacklevel=2,
                )
            return
        if not self._has_trimmed:
            self._has_trimmed = True
            trim(path.parent)


def _read(path: Path) -> bytes:
    """The file's content; empty where there is none, or it is damaged."""
    try:
        whole = path.read_bytes()
    except OSError:
        return b""
    start = len(_MARK) + hashlib.sha256().digest_size
    code = whole[start:]
    is_whole = whole[:start] == _MARK + hashlib.sha256(code).digest()
    return code if is_whole else b""


def _is_of_code(error: Any) -> bool:
    """Whether the kept code is at fault, not the program."""
    return "session.compiled_code" in str(error) or "program.binary" in str(error)


def size_max() -> int:
    """Bytes that the folder's files may take."""
    try:
        mebibytes = int(os.environ.get(SIZE_VARIABLE, SIZE_MAX))
    except ValueError:
        mebibytes = SIZE_MAX
    return max(mebibytes, 0) << 20


def trim(where: Path) -> None:
    """Deletes the files that were used longest ago, until the rest is at most three quarters of
    what they may take. Other processes may delete them, too."""
    found = []
    with contextlib.suppress(OSError):
        for each in os.scandir(where):
            with contextlib.suppress(OSError):
                if each.name.endswith(_SUFFIX):
                    state = each.stat()
                    found.append((state.st_mtime, state.st_size, each.path))
    total, limit = sum(size for _, size, _ in found), size_max()
    if total <= limit:
        return
    for _, size, path in sorted(found):
        if total <= limit * 3 // 4:
            break
        with contextlib.suppress(OSError):
            Path(path).unlink()
        total -= size


cache = DiskCache()
