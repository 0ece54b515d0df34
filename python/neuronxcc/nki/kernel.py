"""First-generation kernels and their drivers: jit, simulate_kernel, baremetal, benchmark."""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import math
from collections.abc import Callable
from typing import Any

from nki import _calls, _target
from nki import kernel as _nki
from nki.language import NkiTensor, shared_hbm
from trainyard import InputError, notebook, saved, settings

from neuronxcc.nki import _spill, _state, _strict
from neuronxcc.nki._state import State
from neuronxcc.nki._tensor import Tensor, wrap


class Kernel:
    """A first-generation kernel: call it with arrays, `kernel[grid]` sets its program grid.

    The instances of a grid run one after the other, on one core.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        grid: tuple[Any, ...] = (),
        platform_target: str | None = None,
        timed: bool = False,
    ) -> None:
        self.function = self.func = function
        self.grid = tuple(int(n) for n in grid)
        self.platform_target = platform_target
        self.timed = timed
        self._spills: frozenset[int] = frozenset()
        self._effort = 0  # of _state.EFFORTS
        self._declared: list[Any] = []
        self.result: Any = None  # of the last run; bench and benchmark read it
        functools.update_wrapper(self, function)

    def __copy__(self) -> Kernel:
        return saved.copied_kernel(self)

    def __deepcopy__(self, memo: object) -> Kernel:
        return saved.copied_kernel(self)

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("grid", "platform_target", "timed")
        return saved.reduce_kernel(self, {name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        grid = f", grid={self.grid}" if self.grid else ""
        return f"Kernel({notebook.kernel_signature(self)}{grid})"

    def _repr_html_(self) -> str:
        return notebook.of_kernel(self)

    def __getitem__(self, grid: Any) -> Kernel:
        sizes = grid if isinstance(grid, tuple) else (grid,)
        made = type(self)(self.function, sizes, self.platform_target, self.timed)
        made.__dict__.update({k: v for k, v in vars(self).items() if k not in vars(made)})
        return made

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the kernel, or inlines it when another one is being traced."""
        if _state.current() is not None:
            return self.function(*args, **kwargs)
        return self.run(*args, **kwargs)[0]

    def run(self, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Runs the kernel and returns (what it returns, the run's Result).

        Takes the keyword arguments of nki.Kernel.run beside those of the kernel.
        """
        kwargs["machine"] = _target.resolved(kwargs.get("machine") or self._machine())
        if self.timed:
            kwargs.setdefault("timed", True)
        # AWS's compiler of this language chooses order and engines; values are the same bits.
        if kwargs.get("timed", settings.current().timed):
            own = "author" if getattr(self.function, "skips_middle_end", False) else "free"
            kwargs.setdefault("schedule", settings.current().schedule or own)
        # Each call chooses what it spills; other threads may call the kernel too.
        returned, self.result = copy.copy(self)._fitted(args, kwargs)
        return returned, self.result

    def _fitted(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Runs the kernel, with more and more tensors kept in HBM until the others fit on chip."""
        self._spills, self._effort = frozenset(), 0
        while True:
            try:
                return self.traceable().run(*args, **kwargs)
            except InputError as error:
                self._spill_more(kwargs["machine"], error)

    def _protect(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Names the tensors that the kernel may not write."""
        bound = inspect.signature(self.function).bind_partial(*args, **kwargs)
        annotations = inspect.get_annotations(self.function)
        for name, value in bound.arguments.items():
            may_write = "mutable_tensor" in str(annotations.get(name, ""))
            if isinstance(value, Tensor) and not may_write:
                value._storage.argument = name

    def _spill_more(self, machine: Any, error: InputError) -> None:
        """Chooses tensors to keep in HBM where they do not fit on chip; else raises the error."""
        if error.memory != "on_chip":
            raise error
        capacities = {
            "sbuf": machine.sbuf_bytes_per_partition,
            "psum": machine.psum_bank_bytes * machine.psum_banks,
        }
        kept = [(number, one) for number, one in self._declared if number not in self._spills]
        effort = _state.EFFORTS[self._effort]
        more = _spill.planned(kept, capacities, len(self._spills) > 0, effort.close)
        self._spills |= more
        if more:
            return
        self._effort += 1
        if self._effort == len(_state.EFFORTS):
            raise error
        if _state.EFFORTS[self._effort].results != effort.results:
            self._spills = frozenset()  # numbers are others where results have them

    def bench(self, *args: Any, values: bool = False, **kwargs: Any) -> Any:
        """Exact cycles, bound and profile of one run; see nki.Kernel.bench."""
        return self.run(*args, timed=True, values=values, **kwargs)[1]

    def traceable(self) -> _nki.Kernel:
        """The kernel as one of nki."""

        @functools.wraps(self.function)
        def instances(*args: Any, **kwargs: Any) -> Any:
            return self._instances(*args, **kwargs)

        return _nki.Kernel(instances, spills=True)

    def _machine(self) -> Any:
        chosen = settings.current().machine
        if chosen is not None or self.platform_target is None or _target._chosen is not None:
            return chosen or _target.machine()
        return _target._load(_target._PLATFORMS[self.platform_target], ())

    def _instances(self, *args: Any, **kwargs: Any) -> Any:
        """Traces every instance of the grid on tensors of nki."""
        shared: list[Any] = []
        self._declared = []
        call = _calls.map_leaves((args, kwargs), "", lambda value, _: _taken(value))
        strict = _strict.is_asked()
        if strict:
            self._protect(*call)
        returned: Any = None
        for ids in itertools.product(*(range(n) for n in self.grid)):
            effort = _state.EFFORTS[self._effort]
            new = State(self.grid, ids, shared=shared, spills=self._spills, effort=effort)
            new.strict = strict
            with _state.tracing(new) as state:
                returned = self.function(*call[0], **call[1])
                _state.flush()
                returned = _calls.map_leaves(returned, "", lambda value, _: _given(value))
                self._declared += enumerate(state.declared)
        return returned


def _taken(value: Any) -> Any:
    return wrap(value) if isinstance(value, NkiTensor) else value


def _given(value: Any) -> Any:
    """A returned tensor as nki has it, in HBM."""
    if not isinstance(value, Tensor):
        return value
    if value.space == "hbm":
        return value.nki()
    from neuronxcc.nki.language import ndarray, store

    kept = ndarray(value.shape, value.dtype, buffer=shared_hbm)
    store(kept, value)
    return kept.nki()


def jit(func: Callable[..., Any] | None = None, mode: str = "auto", **kwargs: Any) -> Any:
    """Makes a function a kernel. `mode`: every mode runs on the simulated machine.

    `platform_target` chooses the machine where no other setting does.
    """
    if func is None:
        return functools.partial(jit, mode=mode, **kwargs)
    if mode in ("benchmark", "profile"):
        return benchmark(**kwargs)(func)
    plain = func.function if isinstance(func, Kernel) else func
    return Kernel(plain, platform_target=kwargs.get("platform_target"))


def trace(func: Callable[..., Any] | None = None, **kwargs: Any) -> Any:
    """Makes a function a kernel, which is traced when it is called."""
    return jit(func, **kwargs)


def simulate_kernel(kernel: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs a kernel on arrays; arrays that it writes change."""
    return (
        jit(kernel)(*args, **kwargs) if not isinstance(kernel, Kernel) else kernel(*args, **kwargs)
    )


def baremetal(kernel: Callable[..., Any] | None = None, **_: Any) -> Any:
    """Makes a function a kernel that runs on arrays. Options of AWS's compiler have no effect."""
    return jit if kernel is None else jit(kernel)


class Latency:
    """Latencies of a benchmark. The simulation has no noise: every percentile is the same."""

    def __init__(self, time_ns: float) -> None:
        self.time_ns = time_ns

    def get_latency_percentile(self, percentile: int) -> int:
        """The latency in microseconds, rounded up."""
        return math.ceil(self.time_ns / 1000)


class BenchmarkResult:
    """What `kernel.benchmark_result` is after a call."""

    def __init__(self, result: Any) -> None:
        self.result = result
        self.nc_latency = Latency(result.time_ns)


class Benchmark(Kernel):
    """A kernel whose calls are timed; afterwards `benchmark_result` has the latency."""

    @property
    def benchmark_result(self) -> BenchmarkResult:
        """The latency of the last call. Raises RuntimeError before the first one."""
        if self.result is None:
            raise RuntimeError("benchmark_result exists after the kernel has been called")
        return BenchmarkResult(self.result)


def benchmark(kernel: Callable[..., Any] | None = None, **_: Any) -> Any:
    """Makes a function a kernel whose calls are timed. Files of AWS's tools are not written."""
    if kernel is None:
        return functools.partial(benchmark)
    plain = kernel.function if isinstance(kernel, Kernel) else kernel
    target = kernel.platform_target if isinstance(kernel, Kernel) else None
    return Benchmark(plain, platform_target=target, timed=True)


profile = benchmark
