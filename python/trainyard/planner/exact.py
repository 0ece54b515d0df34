"""A decoder layer's share of one core, as an NKI kernel, simulated instruction by instruction.

Beside the analytic model it says how far that is from a program: `trainyard compare --exact`. The
layer is dense, one decoding step: products that stream their weights from HBM, attention over the
cache, and the two all-reduces of tensor parallelism by the schedules of `fabric`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import trainyard
from trainyard import collectives
from trainyard.planner.results import Comparison, Row

# The chip's file and the system's, by the name of a compared machine.
MACHINES = {
    "trn1": ("trn1", "trn1-server"),
    "trn2": ("trn2", "trn2-server"),
    "trn2-ultraserver": ("trn2", "trn2-ultraserver"),
    "trn3-gen1": ("trn3", "trn3-gen1"),
    "trn3-gen2": ("trn3", "trn3-gen2"),
}
FORMATS = {"bf16": "bfloat16", "fp8": "float8_e4m3"}
P, BANK, BANKS = 128, 512, 4
REQUESTS_MAX = 128  # of a step: one column of the array each


@dataclass(frozen=True)
class Shape:
    """What one core does of a layer."""

    requests: int
    hidden: int
    queries: int  # heads of one key
    keys: int
    head: int
    inner: int
    context: int
    format: str


@dataclass(frozen=True)
class Exact:
    """Simulated and analytic times of one layer and of a whole step, in seconds."""

    shape: Shape
    layer: float
    analytic_layer: float
    all_reduces: float
    analytic_all_reduces: float
    step: float
    analytic_step: float

    def as_dict(self) -> dict[str, Any]:
        """This for JSON."""
        return asdict(self)


def compare(
    model: str, on: Iterable[str] | str, phase: str = "serving", **options: Any
) -> Comparison:
    """trainyard.compare() with a decoder layer of each plan on Trainium simulated: Row.exact.

    Instruction by instruction, its all-reduces on the links. Raises as trainyard.compare() does.
    """
    result = trainyard.compare(model, on, phase, **options)
    rows = tuple(replace(row, exact=exact_of(row, model)) for row in result)
    return replace(result, rows=rows, asked=result.asked | {"exact": True})


def exact_of(row: Row, model: str) -> Exact | str:
    """The layer of a row's plan, simulated; or why there is none."""
    if row.machine not in MACHINES or row.plan is None:
        return "only Trainium's layers can be simulated" if row.plan else "nothing fits"
    if row.document["schema"] != "trainyard.serving/1":
        return "only a decoding step is simulated, not training"
    chip, system = MACHINES[row.machine]
    machine = trainyard.load_machine(chip)
    shape = shape_of(row, config_of(model), machine.cores)
    if isinstance(shape, str):
        return shape
    layers = int(row.document["model"]["layers"])
    decode = row.document["phases"]["decode"]
    layer = _simulated(shape, chip)
    both = 2 * _all_reduce(system, int(row.plan["tp"]), shape.requests * shape.hidden * 2)
    computing = decode["linear"] + decode["attention"] + decode["fixed"]
    return Exact(
        shape,
        layer,
        computing / layers,
        both,
        decode["collective"] / layers,
        layers * (layer + both),
        decode["seconds"],
    )


def shape_of(row: Row, config: Mapping[str, Any], cores_of_chip: int) -> Shape | str:
    """The share of one core; or why it has none."""
    heads, keys = config.get("num_attention_heads"), config.get("num_key_value_heads")
    inner, hidden = config.get("intermediate_size"), config.get("hidden_size")
    if any(word in config for word in ("num_local_experts", "n_routed_experts", "num_experts")):
        return "a layer with experts is not simulated"
    if not heads or not inner or not hidden:
        return "only layers of a decoder with one inner size are simulated"
    weights = row.workload.get("weights", "bf16")
    if weights not in FORMATS or row.plan is None:
        return f"products in {weights} are not simulated"
    requests = round(row.workload["conc"] / (row.plan["dp"] * row.plan["pp"]))
    if not 1 <= requests <= REQUESTS_MAX:
        return f"{requests} requests at once are not simulated, at most {REQUESTS_MAX}"
    cores = int(row.plan["tp"]) * cores_of_chip
    keys = keys or heads
    of_core = max(1, -(-keys // cores))
    context = round(row.workload["isl"] + row.workload["osl"] / 2)
    return Shape(
        requests=requests,
        hidden=hidden,
        queries=max(1, round(max(1.0, heads / cores) / of_core)),
        keys=of_core,
        head=config.get("head_dim", hidden // heads),
        inner=max(1, -(-inner // cores)),
        context=-(-context // P) * P,
        format=weights,
    )


def config_of(model: str) -> dict[str, Any]:
    """The fields of a model's config.json. Raises UsageError where there is none."""
    path = Path(model)
    if path.suffix == ".json":
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    here = Path(trainyard.__file__).resolve().parent
    for folder in (here / "models", *(up / "models" for up in here.parents[:4])):
        if (file := folder / f"{model}.toml").is_file():
            config: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["config"]
            return config
    raise trainyard.UsageError(f"the configuration of {model} is not found beside {here}")


def _all_reduce(system: str, chips: int, bytes_: int) -> float:
    """Seconds of an all-reduce over all logical cores of so many chips, alone on the links."""
    setting = collectives.Setting(system, 2)
    ranks = chips * setting.fabric().ranks_per_chip
    request = collectives.Request("all_reduce", float(bytes_), [list(range(ranks))])
    return float(collectives.price(setting, request, interval=False)["time_us"]) * 1e-6


@cache
def _simulated(shape: Shape, machine: str) -> float:
    """Seconds of the layer's share on one core."""
    trainyard.install_nki()
    import nki.language as nl

    dtype = np.dtype(getattr(nl, FORMATS[shape.format]))
    both = shape.head * (shape.queries + 2) * shape.keys
    mixed = shape.head * shape.queries * shape.keys

    def empty(*sizes: int) -> Any:
        return np.zeros(sizes, dtype)

    arrays = {
        "x": empty(shape.hidden, shape.requests),
        "mixed": empty(mixed, shape.requests),
        "inner": empty(shape.inner, shape.requests),
        "w_in": empty(shape.hidden, both),
        "w_out": empty(mixed, shape.hidden),
        "w_up": empty(shape.hidden, 2 * shape.inner),
        "w_down": empty(shape.inner, shape.hidden),
        "q": empty(shape.head, shape.requests * shape.keys * shape.queries),
        "k": empty(shape.head, shape.context),
        "v": empty(shape.context, shape.head),
    }
    times = shape.requests * shape.keys
    kernel = _kernel()
    result = kernel.run(
        *arrays.values(), times, machine=machine, timed=True, values=False, checks=False
    )[1]
    return float(result.time_ns) * 1e-9


@cache
def _kernel() -> Any:
    import nki
    import nki.isa as nisa
    import nki.language as nl

    def product(x: Any, w: Any) -> Any:
        """x.T @ w to HBM: x in blocks of 128 rows stays, w streams by."""
        (depth, height), width = x.shape, w.shape[1]
        out = nl.ndarray((height, width), x.dtype, buffer=nl.shared_hbm)
        blocks = [(k, min(P, depth - k)) for k in range(0, depth, P)]
        kept = []
        for k, rows in blocks:
            kept.append(nl.ndarray((rows, height), x.dtype, buffer=nl.sbuf))
            nisa.dma_copy(dst=kept[-1], src=x[nl.ds(k, rows), :])
        for first in range(0, width, BANK * BANKS):
            chunk = min(BANK * BANKS, width - first)
            sums = nl.ndarray((height, chunk), nl.float32, buffer=nl.psum)
            for (k, rows), stationary in zip(blocks, kept, strict=True):
                moving = nl.ndarray((rows, chunk), w.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=moving, src=w[nl.ds(k, rows), nl.ds(first, chunk)])
                for at in range(0, chunk, BANK):
                    part = nl.ds(at, min(BANK, chunk - at))
                    nisa.nc_matmul(
                        dst=sums[:, part],
                        stationary=stationary,
                        moving=moving[:, part],
                        accumulate=k > 0,
                    )
            done = nl.ndarray((height, chunk), x.dtype, buffer=nl.sbuf)
            nisa.activation(dst=done, op=nl.silu, data=sums)
            nisa.dma_copy(dst=out[:, nl.ds(first, chunk)], src=done)
        return out

    def attend(q: Any, k: Any, v: Any) -> Any:
        """One query group over a cache: exp(k.T @ q).T @ v; k: [head, context]."""
        (head, group), context = q.shape, k.shape[1]
        blocks = context // P
        keys = nl.ndarray((head, context), k.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=keys, src=k)
        values = nl.ndarray((P, blocks, head), v.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=values, src=v.reshape((blocks, P, head)).permute((1, 0, 2)))
        scores = nl.ndarray((P, blocks * group), nl.float32, buffer=nl.psum)
        for block in range(blocks):
            nisa.nc_matmul(
                dst=scores[:, nl.ds(block * group, group)],
                stationary=keys[:, nl.ds(block * P, P)],
                moving=q,
            )
        weights = nl.ndarray((P, blocks * group), k.dtype, buffer=nl.sbuf)
        nisa.activation(dst=weights, op=nl.exp, data=scores)
        sums = nl.ndarray((group, head), nl.float32, buffer=nl.psum)
        for block in range(blocks):
            nisa.nc_matmul(
                dst=sums,
                stationary=weights[:, nl.ds(block * group, group)],
                moving=values[:, block, :],
                accumulate=block > 0,
            )
        result = nl.ndarray((group, head), k.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(dst=result, src=sums)
        out = nl.ndarray((group, head), k.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=result)
        return out

    @nki.jit
    def decoder_layer(
        x: Any,
        mixed: Any,
        inner: Any,
        w_in: Any,
        w_out: Any,
        w_up: Any,
        w_down: Any,
        q: Any,
        k: Any,
        v: Any,
        times: int,
    ) -> tuple[Any, ...]:
        projected = product(x, w_in)
        group = q.shape[1] // times
        queries = nl.ndarray(q.shape, q.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=queries, src=q)
        seen = [attend(queries[:, nl.ds(i * group, group)], k, v) for i in range(times)]
        return projected, *seen, product(mixed, w_out), product(x, w_up), product(inner, w_down)

    return decoder_layer
