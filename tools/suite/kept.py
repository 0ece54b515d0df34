"""What long random draws give, kept in files that all workers of a run read.

Cases that draw a billion numbers often draw the same ones: from one state of a generator on, by one
function, with the same done to each. What a second case draws is kept; it and those after it get a
private mapping of the file, of which only the pages they use are read or copied. Arrays that are
made in another way are kept as well, whole. The files have no names, and end with the run.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import math
import mmap
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

SLOTS = 256
# A file holds multiples of so many elements; the state of the generator is known at each.
STEP = 1 << 22
# Bytes of all files, and the part of what is free there that they may take.
ROOM, SHARE = 12 << 30, 0.25
_ALIGNED = 64  # bytes

_Array = npt.NDArray[Any]
_DrawSpan = Callable[[int, int], Iterator[_Array]]


@dataclass
class _File:
    """The first elements of a course of draws, as they were asked for."""

    asked: int = 0
    slot: int = -1
    length: int = 0  # elements
    about: Any = None  # of whole arrays: where they are, and what belongs to them


@dataclass
class _Index:
    """What is known of all courses; a course is told by its origin and function."""

    states: dict[bytes, dict[int, Any]] = field(default_factory=dict)  # by elements drawn
    files: dict[bytes, _File] = field(default_factory=dict)
    room: int = 0  # bytes that are left


def name_of(*parts: Any) -> bytes:
    """A name for what these parts tell."""
    return hashlib.blake2b(pickle.dumps(parts), digest_size=16).digest()


class Store:
    """The files; made before the workers are forked that share them."""

    def __init__(self, room: int | None = None) -> None:
        self._index = tempfile.TemporaryFile()  # noqa: SIM115 (both live as long as the process)
        self._slots = [tempfile.TemporaryFile() for _ in range(SLOTS)]  # noqa: SIM115
        free = os.fstatvfs(self._index.fileno())
        allowed = min(ROOM, int(free.f_bavail * free.f_frsize * SHARE))
        self._held: _Index | None = None
        with self._open(_Index(room=allowed if room is None else room)):
            pass

    @contextlib.contextmanager
    def _open(self, index: _Index | None = None, writes: bool = True) -> Iterator[_Index]:
        """The index, which no other worker reads or changes meanwhile."""
        if self._held is not None:
            yield self._held
            return
        number = self._index.fileno()
        fcntl.lockf(number, fcntl.LOCK_EX)
        try:
            self._held = index or self._read(number)
            yield self._held
            if writes:
                os.pwrite(number, pickle.dumps(self._held), 0)
        finally:
            self._held = None
            fcntl.lockf(number, fcntl.LOCK_UN)

    @staticmethod
    def _read(number: int) -> _Index:
        try:
            return pickle.loads(os.pread(number, os.fstat(number).st_size, 0))
        except (pickle.UnpicklingError, EOFError, ValueError):
            return _Index()  # a worker was killed while it wrote: nothing is kept from now on

    def note(self, course: bytes, at: int, state: Any) -> None:
        """That the generator is in this state after `at` elements of the course."""
        with self._open() as index:
            index.states.setdefault(course, {})[at] = state

    def before(self, course: bytes, first: int, end: int) -> tuple[int, Any] | None:
        """The last noted state after `first` and not after `end`, and the elements before it."""
        with self._open(writes=False) as index:
            noted = index.states.get(course, {})
            at = max((at for at in noted if first < at <= end), default=None)
            return None if at is None else (at, noted[at])

    def array(
        self, name: bytes, dtype: np.dtype, span: tuple[int, int], draw: _DrawSpan
    ) -> _Array | None:
        """Elements of a span, first and end, of what has this name; None if they are not kept.

        `draw(first, end)` gives those of one step, in pieces.
        """
        first, end = span
        with self._open() as index:
            file = self._file(index, name)
            length = -(-end // STEP) * STEP
            if file is None or not self._grow(index, file, length, dtype.itemsize, draw):
                return None
            return self._mapped(file, dtype, first, end)

    def made(self, name: bytes, dtypes: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What `make` gives: arrays of these dtypes, and something small that belongs to them."""
        with self._open() as index:
            file = self._file(index, name)
            if file is not None and file.about is None:
                made = make()
                self._keep(index, file, *made)
                return made
            if file is not None:
                return self._arrays(file, dtypes), file.about[-1]
        return make()

    def _keep(self, index: _Index, file: _File, arrays: list[_Array], rest: Any) -> None:
        parts = [np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in arrays]
        begins = np.cumsum([0, *(-(-part.size // _ALIGNED) * _ALIGNED for part in parts)]).tolist()
        if begins[-1] > index.room:
            return
        with contextlib.suppress(OSError):  # the disk is full
            for begin, part in zip(begins, parts, strict=False):
                self._fill(file, begin, iter([part]))
            index.room -= begins[-1]
            file.about = [array.shape for array in arrays], begins[:-1], rest

    def _arrays(self, file: _File, dtypes: tuple[Any, ...]) -> list[_Array]:
        shapes, begins, _ = file.about
        arrays = []
        for shape, begin, dtype in zip(shapes, begins, map(np.dtype, dtypes), strict=True):
            first = begin // dtype.itemsize
            mapped = self._mapped(file, dtype, first, first + math.prod(shape))
            arrays.append(mapped.reshape(shape))
        return arrays

    def _file(self, index: _Index, name: bytes) -> _File | None:
        """The file of what has this name, if it was asked for before."""
        file = index.files.setdefault(name, _File())
        file.asked += 1
        if file.slot < 0 and file.asked > 1:
            taken = sum(one.slot >= 0 for one in index.files.values())
            file.slot = taken if taken < SLOTS else -1
        return file if file.slot >= 0 else None

    def _grow(self, index: _Index, file: _File, length: int, width: int, draw: _DrawSpan) -> bool:
        """Whether the file holds so many elements, which are drawn if there is room for them."""
        more = (length - file.length) * width
        if more > index.room:
            return False
        try:
            for at in range(file.length, length, STEP):
                self._fill(file, at * width, draw(at, at + STEP))
        except OSError:  # the disk is full
            return False
        if more > 0:
            file.length, index.room = length, index.room - more
        return True

    def _fill(self, file: _File, at: int, pieces: Iterator[_Array]) -> None:
        for piece in pieces:
            left = memoryview(piece.view(np.uint8))
            while left:
                written = os.pwrite(self._slots[file.slot].fileno(), left, at)
                left, at = left[written:], at + written

    def _mapped(self, file: _File, dtype: np.dtype, first: int, end: int) -> _Array:
        begin = first * dtype.itemsize
        page = begin // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
        mapped = mmap.mmap(
            self._slots[file.slot].fileno(),
            end * dtype.itemsize - page,
            flags=mmap.MAP_PRIVATE,
            prot=mmap.PROT_READ | mmap.PROT_WRITE,
            offset=page,
        )
        return np.frombuffer(mapped, np.uint8)[begin - page :].view(dtype)
