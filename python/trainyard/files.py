"""Reading what a command names, and writing files so that a full disk, a crash or Ctrl-C leaves no
half of one behind. The only module of the Python packages that opens files for writing."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainyard.usage import UsageError

if TYPE_CHECKING:
    import numpy as np

# Names of open files, behind which other output may already stand: never to be replaced.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")

# Why a folder takes no new file, so that nothing can be written there either.
_TAKES_NO_FILE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR)


class WriteError(OSError):
    """A file that this package writes could not be written."""


def shown_name(path: str | Path) -> str:
    """The name of a file as text; bytes that are not UTF-8 are shown as \\xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def read_whole(path: str | Path) -> bytes:
    """What `path` holds. Raises UsageError, saying why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {shown_name(path)}: {error.strerror}") from None


def read_json(path: str | Path, what: str = "a JSON document") -> Any:
    """What a JSON file holds; `what` says in errors what it should be. Raises UsageError."""
    try:
        return json.loads(read_whole(path))
    except (ValueError, RecursionError) as error:  # a bad byte is a ValueError, too
        why = "too many levels" if isinstance(error, RecursionError) else error
        raise UsageError(f"{shown_name(path)} is not {what}: {why}") from None


def read_array(path: str | Path) -> np.ndarray:
    """The array of a .npy file. Raises UsageError."""
    import numpy as np

    content = io.BytesIO(read_whole(path))
    try:
        found: np.ndarray = np.lib.format.read_array(content, allow_pickle=False)
    except Exception as error:  # NumPy promises no types for those of a damaged header
        raise UsageError(f"{shown_name(path)} is not an array in NumPy's format: {error}") from None
    return found


def write_whole(path: str | Path, content: bytes) -> None:
    """Writes `content` to `path`, or leaves what was there. Raises WriteError, naming the path.

    A symbolic link stays, and what it names is written. A file that exists keeps its permissions.
    What exists and is no regular file (a device, a FIFO) is written straight into.
    """
    path = Path(path)
    try:
        if _is_replaceable(path):
            _replace(Path(os.path.realpath(path)), content)
        else:
            path.write_bytes(content)
    except OSError as error:
        raise WriteError(error.errno, error.strerror, str(path)) from error


@contextlib.contextmanager
def alone_with(path: str | Path) -> Iterator[None]:
    """Keeps other processes and threads that use this out while one reads, changes and writes
    `path`. Holds nothing where the folder takes no file beside it: nothing can be written there.
    Raises WriteError.
    """
    path = Path(os.path.realpath(path))
    lock = path.with_name(f"{path.name}.lock")
    descriptor = _lock(lock) if _is_replaceable(path) else None
    try:
        yield
    finally:
        if descriptor is not None:
            with contextlib.suppress(OSError):  # what was written is not lost by it
                lock.unlink()  # before it is let go: who waits for it looks again
            os.close(descriptor)


def _lock(lock: Path) -> int | None:
    """A descriptor that holds the lock file. The last holder deletes it, so that one which was
    deleted meanwhile is made again."""
    while True:
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(lock, flags, 0o600)
        except OSError as error:
            if error.errno in _TAKES_NO_FILE:
                return None
            raise WriteError(error.errno, error.strerror, str(lock)) from error
        except BaseException:
            _remove_unheld(lock)
            raise
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_file(descriptor, lock):
                return descriptor
        except BaseException:
            os.close(descriptor)
            _remove_unheld(lock)
            raise
        os.close(descriptor)


def _is_file(descriptor: int, path: Path) -> bool:
    """Whether the file of that name is the one that is open."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def _remove_unheld(lock: Path) -> None:
    """Deletes a lock file that nobody holds, which an interrupted process may have made."""
    with contextlib.suppress(OSError):
        descriptor = os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_file(descriptor, lock):
                lock.unlink()
        finally:
            os.close(descriptor)


def _is_replaceable(path: Path) -> bool:
    """Whether a whole new file may take the place of `path`, or of what it links to."""
    if str(path.absolute()).startswith(_OPEN_FILES):
        return False
    if path.exists():
        return path.is_file()
    return not Path(os.path.realpath(path)).is_symlink()  # else the links are a circle


def _replace(path: Path, content: bytes) -> None:
    """The partial file has a name that nobody can know before, and is never an existing link."""
    partial = path.with_name(f".{secrets.token_hex(8)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(partial, flags, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if path.exists():
                os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode))
            os.fsync(descriptor)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Makes a rename last. A folder that may not be read, and a file system that syncs none, are
    left as they are."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def hold_alone(path: str | Path) -> int:
    """A descriptor of the file PATH.lock, which says that this process writes `path` until it is
    closed, or the process ends. Raises UsageError where another one does."""
    beside = Path(path).with_name(Path(path).name + ".lock")
    try:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(f"cannot write {shown_name(beside)}: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise UsageError(f"another program writes {shown_name(path)}") from None
    return handle
