"""Large random arrays that are drawn when they are converted, a piece at a time.

Tests draw their inputs as float64 and cast them at once: the doubles of a cache of a billion
elements take 8 GiB, and the first touch of memory takes longer than the numbers. Here such an array
stays a promise until it is used. Its elements are those that NumPy would have drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

# Fewer elements are drawn at once, as ever; an array of more stays a promise as float32 too.
LARGE = 1 << 22
HUGE = 1 << 27
_AT_ONCE = 1 << 16

_Piece = npt.NDArray[Any]
_Step = Callable[[_Piece], _Piece]
# What is done to each element by itself.
_STEPS = (np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.absolute)
_STATE = {"seed", "set_state"}  # what makes a draw that nobody waits for unnecessary


class Stream:
    """A generator whose large draws are promises; they come in their order all the same."""

    def __init__(self, get_state: Callable[[], Any], set_state: Callable[[Any], None]) -> None:
        self._get, self._set = get_state, set_state
        self._waiting: _Draw | None = None

    def promise(self, draw: Callable[[int], _Piece], shape: Any) -> Drawn:
        """The array draw(elements) of this shape, for later."""
        self.settle()
        self._waiting = _Draw(self, draw, shape, self._get())
        return Drawn(self._waiting, ())

    def settle(self) -> None:
        """Puts the generator behind what is promised, for whoever draws next."""
        draw, self._waiting = self._waiting, None
        if draw is not None:
            for _ in draw.pieces():
                pass

    def forget(self) -> None:
        """For whoever sets the state: what is promised leaves no trace in it."""
        self._waiting = None

    def run(self, draw: _Draw) -> Any:
        """The pieces of a draw; the generator is left as though it had come in its turn."""
        if self._waiting is draw:
            self._waiting = None
            yield from draw.pieces()
            return
        now = self._get()
        self._set(draw.state)
        yield from draw.pieces()
        self._set(now)


class _Draw:
    """One call of a generator."""

    def __init__(
        self, stream: Stream, draw: Callable[[int], _Piece], shape: Any, state: Any
    ) -> None:
        self.stream, self.state = stream, state
        self.shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
        self.size = int(np.prod(self.shape))
        self._draw = draw

    def pieces(self) -> Any:
        """All elements in their order, from the generator as it is."""
        for first in range(0, self.size, _AT_ONCE):
            yield self._draw(min(_AT_ONCE, self.size - first))


class Drawn(np.lib.mixins.NDArrayOperatorsMixin):
    """A drawn array in the place of an ndarray; what is done to each element comes later."""

    def __init__(self, draw: _Draw, steps: tuple[_Step, ...]) -> None:
        self._draw, self._steps = draw, steps
        self._array: _Piece | None = None
        self.shape, self.size, self.ndim = draw.shape, draw.size, len(draw.shape)
        self.dtype = self._stepped(np.zeros(1)).dtype

    def in_pieces(self, convert: Callable[[_Piece], npt.NDArray[Any]], dtype: Any) -> Any:
        """`convert` of all elements, as an array of `dtype`."""
        if self._array is not None:
            return convert(self._array)
        result = np.empty(self.size, dtype)
        first = 0
        for piece in self._draw.stream.run(self._draw):
            result[first : first + piece.size] = convert(self._stepped(piece))
            first += piece.size
        return result.reshape(self.shape)

    def _stepped(self, piece: _Piece) -> _Piece:
        for step in self._steps:
            piece = step(piece)
        return piece

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        """As of an ndarray; a huge one as float32 is another promise."""
        if self._array is None and self.size > HUGE and np.dtype(dtype) == np.float32:
            return self._then(lambda piece: piece.astype(np.float32))
        return self.in_pieces(lambda piece: piece.astype(dtype), dtype)

    def clip(self, *limits: Any, out: Any = None, **given: Any) -> Any:
        """As of an ndarray; with scalar limits another promise."""
        is_simple = out is None and all(map(_is_scalar, (*limits, *given.values())))
        if is_simple and self._array is None:
            return self._then(lambda piece: piece.clip(*limits, **given))
        return self._whole().clip(*limits, out=out, **given)

    def _then(self, step: _Step) -> Drawn:
        return Drawn(self._draw, (*self._steps, step))

    def _whole(self) -> _Piece:
        if self._array is None:
            self._array = self.in_pieces(lambda piece: piece, self.dtype)
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
            return self._then(
                lambda piece: ufunc(*(piece if one is self else one for one in inputs))
            )
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

    def __init__(self, generator: np.random.Generator) -> None:
        bits = generator.bit_generator
        self._generator = generator
        self._stream = Stream(lambda: bits.state, lambda state: setattr(bits, "state", state))

    def __getattr__(self, name: str) -> Any:
        self._stream.settle()
        return getattr(self._generator, name)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """As of NumPy's."""
        return _drawn(self._stream, self._generator.normal, (loc, scale), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """As of NumPy's."""
        return _drawn(self._stream, self._generator.uniform, (low, high), size)

    def standard_normal(self, size: Any = None, *args: Any, **given: Any) -> Any:
        """As of NumPy's."""
        return self._simple(self._generator.standard_normal, size, args, given)

    def random(self, size: Any = None, *args: Any, **given: Any) -> Any:
        """As of NumPy's."""
        return self._simple(self._generator.random, size, args, given)

    def _simple(self, draw: Any, size: Any, args: tuple, given: dict[str, Any]) -> Any:
        if args or given:
            self._stream.settle()
            return draw(size, *args, **given)
        return _drawn(self._stream, draw, (), size)


def _drawn(stream: Stream, draw: Any, parameters: tuple, size: Any) -> Any:
    if size is None or np.prod(size) < LARGE or not all(map(_is_scalar, parameters)):
        stream.settle()
        return draw(*parameters, size)
    return stream.promise(lambda count: draw(*parameters, count), size)


def _arrays(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(one._whole() if isinstance(one, Drawn) else one for one in values)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def install() -> None:
    """Makes the large draws of numpy.random promises."""
    make = np.random.default_rng
    np.random.default_rng = functools.wraps(make)(lambda seed=None: Generator(make(seed)))
    stream = Stream(np.random.get_state, np.random.set_state)
    for name in dir(np.random):
        function = getattr(np.random, name)
        if name in _STATE or getattr(function, "__self__", None) is np.random.mtrand._rand:
            setattr(np.random, name, _in_turn(stream, name, function))


def _in_turn(stream: Stream, name: str, function: Any) -> Any:
    """A function of the global generator: its large draws promised, others behind promises."""

    @functools.wraps(function)
    def other(*args: Any, **given: Any) -> Any:
        if name in _STATE:
            stream.forget()
        else:
            stream.settle()
        return function(*args, **given)

    if name == "normal":
        return lambda loc=0.0, scale=1.0, size=None: _drawn(stream, function, (loc, scale), size)
    if name == "uniform":
        return lambda low=0.0, high=1.0, size=None: _drawn(stream, function, (low, high), size)
    if name in ("random_sample", "random", "standard_normal"):
        return lambda size=None: _drawn(stream, function, (), size)
    if name in ("rand", "randn"):
        source = function.__self__
        draw = source.random_sample if name == "rand" else source.standard_normal
        return lambda *shape: _drawn(stream, draw, (), shape or None)
    return other
