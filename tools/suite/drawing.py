"""Large random arrays that are drawn when they are converted, a piece at a time.

Tests draw their inputs as float64 and cast them at once: the doubles of a cache of a billion
elements take 8 GiB, and the first touch of memory takes longer than the numbers. Here such an array
stays a promise until it is used. Its elements are those that NumPy would have drawn. What they are
converted to is kept (kept.py), as other cases draw the same.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from suite import kept

# Fewer elements are drawn at once, as ever; an array of more stays a promise as float32 too.
LARGE = 1 << 22
HUGE = 1 << 27
_AT_ONCE = 1 << 16
# Draws of fewer elements are not followed: it takes longer than they do.
_FOLLOWED = 1 << 12

_Piece = npt.NDArray[Any]
_PCG64 = 0x2360ED051FC65DA44385DF649FCCF645  # the factor of its steps
# What is done to each element by itself: a function, and its arguments with ... for the piece.
_Step = tuple[Callable[..., _Piece], tuple[Any, ...], dict[str, Any]]
_STEPS = (np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.absolute)
_STATE = {"seed", "set_state"}  # what makes a draw that nobody waits for unnecessary


class Stream:
    """A generator whose large draws are promises; they come in their order all the same."""

    def __init__(
        self,
        get_state: Callable[[], Any],
        set_state: Callable[[Any], None],
        store: kept.Store | None = None,
    ) -> None:
        self.get, self._set, self.store = get_state, set_state, store
        self._waiting: _Draw | None = None
        # What was drawn last: by which function, since which state, how many elements, and the
        # state behind them.
        self._course: tuple[Any, Any, int] = ((), None, 0)
        self._behind: Any = None

    def draw(self, function: _Function, size: Any, origin: Any = None) -> Any:
        """What a function draws: an array, or the promise of a large one.

        `origin` is a state before it, when a word is drawn for each element.
        """
        self.settle()
        count = 1 if size is None else int(np.prod(size))
        if count < _FOLLOWED or not function.is_simple:
            self.leave()
            return function.now(size)
        state = self.get()
        name, begin, first = self._course
        if origin is not None:
            begin, first = origin, words_between(origin["state"], state["state"])
        elif name != function.name or not _same(state, self._behind):
            begin, first = state, 0
        if count >= LARGE:
            self._waiting = _Draw(self, function, size, state, begin, first)
            drawn = Drawn(self._waiting, ())
        else:
            drawn = function.now(size)
            self._behind = self.get()
        self._course = function.name, begin, first + count
        return drawn

    def settle(self) -> None:
        """Puts the generator behind what is promised, for whoever draws next."""
        draw, self._waiting = self._waiting, None
        if draw is not None:
            at, state = draw.near_end()
            self._set(state)
            for _ in draw.function.pieces(draw.end - at):
                pass
            self._behind = self.get()

    def leave(self, is_set: bool = False) -> None:
        """For whoever else draws, or sets the state: then a promise leaves no trace in it."""
        if is_set:
            self._waiting = None
        self.settle()
        self._course = (), None, 0

    def run(self, draw: _Draw) -> Iterator[_Piece]:
        """The pieces of a draw; the generator is left as though it had come in its turn."""
        if self._waiting is draw:
            self._waiting = None
            yield from draw.function.pieces(draw.size)
            self._behind = self.get()
        else:
            yield from self.aside(draw.function, draw.size, draw.state)

    def aside(
        self, function: _Function, count: int, state: Any, note: Callable[[Any], None] | None = None
    ) -> Iterator[_Piece]:
        """What a function draws from a state on; `note` is told the state behind it."""
        now = self.get()
        self._set(state)
        try:
            yield from function.pieces(count)
            if note is not None:
                note(self.get())
        finally:
            self._set(now)


class _Function:
    """A function of NumPy's that draws, with its parameters."""

    def __init__(self, call: Callable[..., Any], *parameters: Any) -> None:
        self._call, self._parameters = call, parameters
        self.name = (call.__name__, *parameters)

    def now(self, size: Any) -> Any:
        """What it draws at once."""
        return self._call(*self._parameters, size)

    def pieces(self, count: int) -> Iterator[_Piece]:
        """So many elements, in pieces."""
        for first in range(0, count, _AT_ONCE):
            yield self.now(min(_AT_ONCE, count - first))

    @property
    def is_simple(self) -> bool:
        """Whether its parameters are the same for all elements."""
        return all(map(_is_scalar, self._parameters))


class _Draw:
    """One call of a generator."""

    def __init__(
        self, stream: Stream, function: _Function, shape: Any, state: Any, origin: Any, first: int
    ) -> None:
        self.stream, self.function, self.state = stream, function, state
        self.shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
        self.size = int(np.prod(self.shape))
        self.origin, self.first, self.end = origin, first, first + self.size
        self._store = stream.store
        self._course = kept.name_of(function.name, origin)

    def near_end(self) -> tuple[int, Any]:
        """A place in its course, not behind the end, and the generator's state there."""
        noted = self._store.before(self._course, self.first, self.end) if self._store else None
        return noted or (self.first, self.state)

    def kept(self, steps: tuple[_Step, ...], convert: Any, dtype: np.dtype) -> _Piece | None:
        """The elements as they were converted for other cases."""
        store = self._store
        if store is None:
            return None

        def draw(at: int, end: int) -> Iterator[_Piece]:
            state = store.before(self._course, at - 1, at)[1] if at else self.origin
            note = functools.partial(store.note, self._course, end)
            for piece in self.stream.aside(self.function, end - at, state, note):
                yield convert(_stepped(steps, piece), dtype)

        name = kept.name_of(self._course, steps, convert, str(dtype))
        return store.array(name, dtype, (self.first, self.end), draw)


class Drawn(np.lib.mixins.NDArrayOperatorsMixin):
    """A drawn array in the place of an ndarray; what is done to each element comes later."""

    def __init__(self, draw: _Draw, steps: tuple[_Step, ...]) -> None:
        self._draw, self._steps = draw, steps
        self._array: _Piece | None = None
        self.shape, self.size, self.ndim = draw.shape, draw.size, len(draw.shape)
        self.dtype = _stepped(steps, np.zeros(1)).dtype

    def in_pieces(self, convert: Callable[[_Piece, Any], _Piece], dtype: Any) -> Any:
        """`convert` of all elements to `dtype`, as an array."""
        dtype = np.dtype(dtype)
        if self._array is not None:
            return convert(self._array, dtype)
        result = self._draw.kept(self._steps, convert, dtype)
        if result is None:
            result = np.empty(self.size, dtype)
            first = 0
            for piece in self._draw.stream.run(self._draw):
                result[first : first + piece.size] = convert(_stepped(self._steps, piece), dtype)
                first += piece.size
        return result.reshape(self.shape)

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        """As of an ndarray; a huge one as float32 is another promise."""
        if self._array is None and self.size > HUGE and np.dtype(dtype) == np.float32:
            return self._then((np.ndarray.astype, (..., np.float32), {}))
        return self.in_pieces(np.ndarray.astype, dtype)

    def clip(self, *limits: Any, out: Any = None, **given: Any) -> Any:
        """As of an ndarray; with scalar limits another promise."""
        is_simple = out is None and all(map(_is_scalar, (*limits, *given.values())))
        if is_simple and self._array is None:
            return self._then((np.ndarray.clip, (..., *limits), given))
        return self._whole().clip(*limits, out=out, **given)

    def _then(self, step: _Step) -> Drawn:
        return Drawn(self._draw, (*self._steps, step))

    def _whole(self) -> _Piece:
        if self._array is None:
            self._array = self.in_pieces(np.ndarray.astype, self.dtype)
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = self._whole()
        return np.array(whole, dtype) if copy else np.asarray(whole, dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **given: Any) -> Any:
        others = [one for one in inputs if one is not self]
        if (
            ufunc in _STEPS
            and method == "__call__"
            and not given
            and self._array is None
            and len(others) == len(inputs) - 1
            and all(map(_is_scalar, others))
        ):
            return self._then((ufunc, tuple(... if one is self else one for one in inputs), {}))
        if "out" in given:
            given["out"] = _arrays(given["out"])
        return getattr(ufunc, method)(*_arrays(inputs), **given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        return self._whole()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._whole()[index] = value


class Generator:
    """A numpy.random.Generator whose large draws of doubles are promises."""

    def __init__(self, generator: np.random.Generator, store: kept.Store | None = None) -> None:
        bits = generator.bit_generator
        self._generator = generator
        self._stream = Stream(lambda: bits.state, functools.partial(_set_words, bits), store)
        self._origin = bits.state

    def __getattr__(self, name: str) -> Any:
        self._stream.leave()
        return getattr(self._generator, name)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """As of NumPy's."""
        return self._draw(self._generator.normal, (loc, scale), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """As of NumPy's."""
        return self._draw(self._generator.uniform, (low, high), size)

    def standard_normal(self, size: Any = None, *args: Any, **given: Any) -> Any:
        """As of NumPy's."""
        return self._draw(self._generator.standard_normal, (), size, args, given)

    def random(self, size: Any = None, *args: Any, **given: Any) -> Any:
        """As of NumPy's."""
        return self._draw(self._generator.random, (), size, args, given)

    def _draw(
        self, call: Any, parameters: tuple, size: Any, args: tuple = (), given: Any = None
    ) -> Any:
        if args or given:
            self._stream.leave()
            return call(size, *args, **given)
        is_of_words = call.__name__ in ("uniform", "random")
        origin = self._origin if is_of_words and self._origin["bit_generator"] == "PCG64" else None
        return self._stream.draw(_Function(call, *parameters), size, origin)


def _set_words(bits: np.random.BitGenerator, state: Any) -> None:
    """Puts a generator where `state` is, but for the half of a word that waits in it."""
    now = bits.state
    waiting = {key: now[key] for key in ("has_uint32", "uinteger") if key in now}
    bits.state = {**state, **waiting}


def _same(state: Any, other: Any) -> bool:
    """Whether a generator is where it was; nobody may have drawn from it by another way."""
    return pickle.dumps(state) == pickle.dumps(other)


def words_between(first: dict[str, int], last: dict[str, int]) -> int:
    """The words that PCG64 gives from one state to another, found bit by bit."""
    at, end = first["state"], last["state"]
    factor, plus, bit, count = _PCG64, first["inc"], 1, 0
    while at != end:
        if (at ^ end) & bit:
            at = (at * factor + plus) % (1 << 128)
            count |= bit
        plus = (factor + 1) * plus % (1 << 128)
        factor = factor * factor % (1 << 128)
        bit <<= 1
    return count


def _stepped(steps: tuple[_Step, ...], piece: _Piece) -> _Piece:
    for function, arguments, given in steps:
        piece = function(*(piece if one is ... else one for one in arguments), **given)
    return piece


def _arrays(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(one._whole() if isinstance(one, Drawn) else one for one in values)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def install(store: kept.Store) -> None:
    """Makes the large draws of numpy.random promises."""
    make = np.random.default_rng
    np.random.default_rng = functools.wraps(make)(lambda seed=None: Generator(make(seed), store))
    stream = Stream(np.random.get_state, np.random.set_state, store)
    for name in dir(np.random):
        function = getattr(np.random, name)
        if name in _STATE or getattr(function, "__self__", None) is np.random.mtrand._rand:
            setattr(np.random, name, _in_turn(stream, name, function))


def _in_turn(stream: Stream, name: str, function: Any) -> Any:
    """A function of the global generator: its large draws promised, others behind promises."""

    @functools.wraps(function)
    def other(*args: Any, **given: Any) -> Any:
        stream.leave(is_set=name in _STATE)
        return function(*args, **given)

    if name == "normal":
        return lambda loc=0.0, scale=1.0, size=None: stream.draw(
            _Function(function, loc, scale), size
        )
    if name == "uniform":
        return lambda low=0.0, high=1.0, size=None: stream.draw(
            _Function(function, low, high), size
        )
    if name in ("random_sample", "random", "standard_normal"):
        return lambda size=None: stream.draw(_Function(function), size)
    if name in ("rand", "randn"):
        source = function.__self__
        draw = source.random_sample if name == "rand" else source.standard_normal
        return lambda *shape: stream.draw(_Function(draw), shape or None)
    return other
