"""A replica of a model on chips, ready to be served by the planned engine: its plan, its cache and
what its steps take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trainyard import _core
from trainyard.planner import calls
from trainyard.serving import bounds, layer_times
from trainyard.serving.host import Host
from trainyard.usage import UsageError

BLOCK = 16  # tokens of a block of the cache, as vLLM has it
EXPERTS = ("no", "yes", "auto")  # whether they lie whole on cores
BOUNDED = (
    *("tp", "dp", "requests_max", "step_tokens_max", "chunk_tokens_max", "waiting_max"),
    *("draft_tokens", "draft_layers", "acceptance", "host_us"),
)
LAYOUTS = {"no": "divided", "yes": "whole"}
HOST_MACHINE = "trn3"  # whose figures of the host are taken, whatever the compared machine


@dataclass(frozen=True)
class Asked:
    """What is asked of a replica. None: the planner's choice, or the limit that memory sets. ep:
    whole experts on each core ("yes"), each divided between all ("no"), or what is faster."""

    model: str
    machine: str
    tp: int | None = None
    dp: int | None = None
    ep: str = "auto"
    weights: str | None = None
    cache: str = "bf16"
    price: str = "own"
    region: str = ""
    settings: tuple[str, ...] = ()
    requests_max: int = 256
    step_tokens_max: int | None = None
    chunk_tokens_max: int = 512
    swaps: bool = False
    caches_prefixes: bool = True
    waiting_max: int | None = None
    draft_tokens: int = 0
    draft_layers: int = 0
    acceptance: float = 0.0
    host_us: float = 0.0
    simulated: bool = False

    def __post_init__(self) -> None:
        for name in BOUNDED:
            bounds.check(name, getattr(self, name))
        if self.ep not in EXPERTS:
            raise UsageError(f"ep is {', '.join(EXPERTS)}, not {self.ep}", "ep")


@dataclass(frozen=True)
class Replica:
    """Chips that hold a model, and what their steps take."""

    asked: Asked
    tp: int
    dp: int
    ep: str  # "no" or "yes"; empty: the model has no experts
    weights: str
    found: dict[str, Any]
    settings: Any = field(repr=False)
    costs: Any = field(repr=False)
    axes: list[list[float]] = field(default_factory=list, repr=False)  # of the tables
    layers: layer_times.LayerTimes | None = field(default=None, repr=False)

    @property
    def chips(self) -> int:
        """Of one replica."""
        return self.tp * self.dp

    @property
    def words(self) -> str:
        """How its chips share the model."""
        experts = {"yes": ", experts whole on cores", "no": ", experts divided"}
        return f"tp {self.tp}, dp {self.dp}{experts.get(self.ep, '')}"

    def usd(self, seconds: float) -> float | None:
        """Of all its chips for so long; None where a figure is unknown."""
        hourly = self.found["usd_per_hour"]
        return None if hourly is None else hourly * self.chips * seconds / 3600


def choose(asked: Asked, prompt: float, output: float) -> tuple[int, int, str]:
    """tp, dp and the format of weights: what is asked, or the planner's best plan; tp 0: it has
    none. Raises UsageError for a model that generates no tokens."""
    options: dict[str, Any] = {"input": prompt, "output": output, "cache": asked.cache}
    options |= {"intervals": False, "settings": list(asked.settings), "weights": asked.weights}
    given = options | {"tp": asked.tp or 1, "dp": asked.dp, "batch": asked.dp or 1}
    document = calls.document_of(asked.model, asked.machine, "serving", given)
    if document["model"]["family"] != "decoder":
        raise UsageError(f"{asked.model} generates no tokens; plan serve is for language models")
    if asked.tp or asked.dp:
        return asked.tp or 1, asked.dp or 1, _weights(asked, document, options)
    found = calls.document_of(asked.model, asked.machine, "serving", options)
    weights, best = _weights(asked, found, options), found["plan"]
    if best is None or best["pp"] != 1:
        return 0, 1, weights
    return int(best["tp"]), int(best["dp"]), weights


def _weights(asked: Asked, document: dict[str, Any], options: dict[str, Any]) -> str:
    """The format of weights: of a plan that does not fit (it has no workload), that of the best
    plan, or the widest where none fits."""
    if document["plan"] is None and not asked.weights:
        document = calls.document_of(asked.model, asked.machine, "serving", options)
    workload = document.get("workload", {"weights": asked.weights or "bf16"})
    weights: str = workload["weights"]
    return weights


def build(asked: Asked, prompt: float, output: float, longest: int) -> Replica:
    """The replica that serves prompts and answers of that mean, `longest` tokens together at most.

    Raises InputError where it does not fit, and UsageError for what plan serve does not schedule.
    """
    calls.check_purchase(asked.price, asked.region)
    tp, dp, weights = choose(asked, prompt, output)
    if tp == 0:
        raise UsageError(f"name --tp: the planner has no plan of {asked.model} in one stage")
    plan = _core.ReplicaPlan()
    plan.model, plan.machine, plan.tp, plan.dp = asked.model, asked.machine, tp, dp
    plan.weights, plan.cache, plan.price = weights, asked.cache, asked.price
    plan.region, plan.settings = asked.region, list(asked.settings)
    plan.draft_tokens, plan.draft_layers = asked.draft_tokens, asked.draft_layers
    plan.requests_max = asked.requests_max
    found = _core.describe_replica(plan, float(asked.chunk_tokens_max), float(longest))
    settings = _settings(asked, found, longest)
    axes = _axes(asked, longest)
    layers = None
    if asked.simulated:
        layers = layer_times.LayerTimes(plan)
    ep = _ep(asked, plan, found, (prompt, output), axes, layers) if found["experts"] else ""
    if ep:
        plan.experts = LAYOUTS[ep]
    elif asked.ep == "yes":
        raise UsageError(f"--ep yes is for a model that has experts, which {asked.model} has not")
    costs = _core.replica_costs(plan, axes, layers)
    costs.scheduling = (asked.host_us * 1e-6, 0.0)
    moved = found["group_bytes_per_token"] * BLOCK / (tp * dp)
    costs.swapped_block = (moved / Host.of(HOST_MACHINE).pcie, 0.0)
    return Replica(asked, tp, dp, ep, weights, found, settings, costs, axes, layers)


def _ep(
    asked: Asked,
    plan: Any,
    found: dict[str, Any],
    means: tuple[float, float],
    axes: list[list[float]],
    layers: layer_times.LayerTimes | None,
) -> str:
    """What is asked, or what makes a step of the most requests and the largest piece of a prompt
    shorter. Leaves the plan as it is."""
    if asked.ep != "auto":
        return asked.ep
    context = round(min(max(1.0, means[0] + means[1] / 2), axes[3][-1]))
    held = _core.kept_tokens(found["windows"], context)
    many = max(1, min(found["requests_max"], int(found["cache_tokens"] // held)))
    decodes = [(i, context, 1, True) for i in range(many)]
    # Only the corners that the step lies between: each point may take seconds of simulation.
    corners = [
        axes[0][-2:],
        axes[1][:2],
        _around(axes[2], many),
        _around(axes[3], context),
    ]
    seconds = {}
    for ep, layout in LAYOUTS.items():
        plan.experts = layout
        try:
            costs = _core.replica_costs(plan, corners, layers)
        except _core.InputError as error:
            if [one.label for one in error.violations] != ["serve.experts"]:
                raise
            continue
        piece = [(many, 0, int(axes[0][-1]), True)]
        seconds[ep] = _core.step_cost(piece, decodes, 0, costs)[0]
    plan.experts = "even"
    return min(seconds, key=lambda ep: seconds[ep])


def _around(axis: list[float], value: float) -> list[float]:
    """Two neighbours of an axis, with the value between them."""
    above = next(i for i, one in enumerate(axis) if i > 0 and one >= value)
    return axis[above - 1 : above + 1]


def _settings(asked: Asked, found: dict[str, Any], longest: int) -> Any:
    settings = _core.ServingSettings()
    settings.block_tokens = BLOCK
    settings.windows = found["windows"]
    settings.blocks = min(int(found["cache_tokens"] // BLOCK), 2**31 - 2)
    settings.requests_max = found["requests_max"]
    drafted = found["requests_max"] * (1 + asked.draft_tokens)
    settings.step_tokens_max = asked.step_tokens_max or drafted + 2048
    settings.chunk_tokens_max = asked.chunk_tokens_max
    settings.context_max = longest
    settings.caches_prefixes = asked.caches_prefixes
    settings.swaps = asked.swaps
    settings.draft_tokens = asked.draft_tokens
    if asked.waiting_max is not None:
        settings.waiting_max = asked.waiting_max
    return settings


def _axes(asked: Asked, longest: int) -> list[list[float]]:
    """The points of the tables: powers of two, which cover every step that can be asked for."""
    chunks = _powers(1, min(asked.chunk_tokens_max, longest))
    if asked.simulated:  # each point takes seconds of simulation: fewer of them
        contexts = [0.0, float(-(-longest // 128) * 128)]
        requests = [float(one) for one in _powers(1, asked.requests_max, 4)]
        pieces = [1.0, *_powers(128, min(asked.chunk_tokens_max, longest))]
        return [pieces, contexts, requests, contexts]
    contexts = [0.0, *_powers(64, longest)]
    return [chunks, contexts, _powers(1, asked.requests_max), contexts]


def _powers(first: int, last: int, times: int = 2) -> list[float]:
    found = [float(first)]
    while found[-1] < last:
        found.append(min(found[-1] * times, float(max(last, first))))
    return found if len(found) > 1 else [*found, found[0] + 1]
