"""Reading what a command names, and writing files so that a full disk or Ctrl-C leaves no half of
one behind."""

from __future__ import annotations

import os
from pathlib import Path

from trainyard.usage import UsageError

# Names of open files, behind which other output may already stand: never to be replaced.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")


def read_whole(path: str | Path) -> bytes:
    """What `path` holds. Raises UsageError, saying why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def write_whole(path: str | Path, content: bytes) -> None:
    """Writes `content` to `path`, or leaves what was there. Raises OSError, naming the path.

    A symbolic link stays, and what it names is written. What exists and is no regular file (a
    device, a FIFO) is written straight into.
    """
    path = Path(path)
    try:
        if _is_replaceable(path):
            _replace(Path(os.path.realpath(path)), content)
        else:
            path.write_bytes(content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_replaceable(path: Path) -> bool:
    """Whether a whole new file may take the place of `path`, or of what it links to."""
    if str(path.absolute()).startswith(_OPEN_FILES):
        return False
    if path.exists():
        return path.is_file()
    return not Path(os.path.realpath(path)).is_symlink()  # else the links are a circle


def _replace(path: Path, content: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
