"""One pass through all layers of a plan on Trainium, simulated: a prefill, a decoding step, a
microbatch of training.

Blocks of prefills and of training are JAX functions (layers.py), a decoding step is an NKI kernel
(decode_layer.py), and the collectives between them are priced by the schedules of `fabric`. One
core is simulated, alone on its HBM stack; equal cores and equal layers take as long, and are
simulated once, whatever the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from trainyard import collectives
from trainyard.planner import decode_layer, layers, shares
from trainyard.planner.blocks import Attention, Block, Experts, FeedForward, Norm, count_text

P = 128


@dataclass(frozen=True)
class Part:
    """A block of all layers: simulated and analytic seconds of a pass."""

    name: str
    times: int  # in a pass
    seconds: float
    analytic: float | None = None  # None: the analytic model does not tell it apart
    timed: layers.Timed | None = None  # None: it is a kernel
    sampled: str = ""  # how much of it was simulated; empty: all


@dataclass(frozen=True)
class Phase:
    """One pass through all layers: a prefill, a decoding step, a microbatch."""

    what: str
    parts: tuple[Part, ...]
    computing: float  # of all parts
    analytic_computing: float
    analytic_fixed: float  # of it, fixed times of layers, which no block has
    collective: float  # alone on the links
    analytic_collective: float
    notes: tuple[str, ...]  # what is not simulated, and what is assumed
    variants: tuple[Part, ...] = ()  # blocks as they would be otherwise, not in `computing`

    @property
    def seconds(self) -> float:
        """Computing, then collectives; nothing is hidden."""
        return self.computing + self.collective

    @property
    def analytic(self) -> float:
        """Likewise."""
        return self.analytic_computing + self.analytic_collective


@dataclass(frozen=True)
class Setting:
    """A plan of a model on a machine, and what the analytic model says of it."""

    document: dict[str, Any]
    shape: shares.Shape
    cores: shares.Cores
    chip: str
    system: str
    prompts: int = 1  # read together
    variants: bool = False  # also blocks as they would be otherwise

    @property
    def plan(self) -> dict[str, float]:
        """tp, pp, dp, chips."""
        found: dict[str, float] = self.document["plan"]
        return found

    @property
    def workload(self) -> dict[str, Any]:
        """What is asked of it."""
        found: dict[str, Any] = self.document["workload"]
        return found

    @property
    def chips(self) -> int:
        """Of a tensor-parallel group."""
        return int(self.plan["tp"])

    @property
    def groups(self) -> int:
        """That share the experts in serving; training replicates the model instead."""
        return self.cores.all // self.cores.group


def prefill_of(setting: Setting) -> Phase:
    """Prompts read together."""
    workload, phases = setting.workload, setting.document["phases"]
    tokens, prompts = round(workload["isl"]), setting.prompts
    work = shares.Work(tokens, prompts, workload["weights"])
    share = 2 * tokens * prompts * setting.shape.hidden
    moved = 2 * setting.shape.layers * _all_reduce(setting, share / setting.groups)
    moved += _exchanges(setting, tokens * prompts)
    several = f"{prompts} prompts of {tokens} tokens" if prompts > 1 else f"{tokens} tokens"
    return _phase(setting, f"prefill of {several}", work, phases["prefill"], moved, 0)


# Blocks whose forward pass a microbatch runs twice, and how many gathers and scatters a layer's
# tensor parallelism has, as src/planner/training.cpp counts them; one is half an all-reduce.
RECOMPUTED: dict[str, tuple[type, ...]] = {
    "none": (),
    "selective": (),
    "mlp": (FeedForward, Experts),
    "full": (Attention, FeedForward, Experts, Norm),
}
HALVES = {"none": 10, "selective": 10, "mlp": 11, "full": 14}


def training_of(setting: Setting) -> Phase:
    """A microbatch, forward and backward, through all stages."""
    workload = setting.workload
    tokens, sequences = round(workload["sequence"]), round(workload["microbatch"])
    again = RECOMPUTED[workload["recompute"]]
    halves = HALVES[workload["recompute"]]
    scatters = 6 if workload["recompute"] == "full" else 4
    halves += scatters if workload["sum_fp32"] else 0
    work = shares.Work(tokens, sequences, workload["format"], backward=True)
    share = 2 * tokens * sequences * setting.shape.hidden
    moved = setting.shape.layers * _all_reduce(setting, share) * halves / 2
    what = f"microbatch of {sequences} x {tokens} tokens, forward and backward"
    analytic = setting.document["phases"]["microbatch"]
    return _phase(setting, what, work, analytic, moved, _head_share(setting), again)


def decode_of(setting: Setting) -> Phase | str:
    """One step for all requests."""
    of, plan = setting.shape, setting.plan
    if of.latent:
        return "decoding by latent attention is not simulated"
    together = setting.workload["conc"] / plan["pp"]
    requests = round(together / plan["dp"])
    if requests > (most := decode_layer.REQUESTS_MAX):
        return f"{requests} requests at once are not simulated, at most {most}"
    if (cache := setting.workload["cache"]) not in decode_layer.FORMATS:
        return f"a cache in {cache} is not simulated; bf16 and fp8 are"
    requests = max(1, requests)
    shape = decode_shape(setting, requests)
    analytic = setting.document["phases"]["decode"]
    computing = _computing(analytic) - analytic["linear"] * _head_share(setting)
    dense = replace(shape, inner=max(1, -(-of.inner // setting.cores.group)))
    notes = ["rotation and the output matrix are not simulated"]
    parts = []
    for layer, times in ((dense, of.dense), (shape, of.layers - of.dense)):
        if times:
            seconds = times * decode_layer.simulated(layer, setting.chip)
            follows = f", inner {layer.inner}" if layer.inner else ", without its experts"
            name = f"layer, {count_text(layer.keys * layer.queries, 'head')}{follows}"
            parts.append(Part(name, times, seconds))
    if of.dense < of.layers:
        tokens = max(1, round(together))
        experts = _chosen_experts(setting, tokens)
        parts.append(_part(setting, experts, of.layers - of.dense, None))
        notes.append(
            f"a core reads {experts.local} of its experts, as many as the requests choose on "
            "average; one that has more of the chosen ones takes longer"
        )
        if of.shared:
            inner = max(1, -(-of.expert_inner * of.shared // setting.cores.group))
            every = FeedForward(requests, of.hidden, inner, format=setting.workload["weights"])
            parts.append(_part(setting, every, of.layers - of.dense, None))
    norm = Norm(requests, of.hidden, not of.gated)  # each core has all rows
    parts.append(_part(setting, norm, 2 * of.layers, None))
    if of.windowed:
        notes.append("every layer reads the whole cache, those with a window too")
    moved = 2 * of.layers * _all_reduce(setting, 2 * requests * of.hidden)
    return Phase(
        f"decoding step of {count_text(requests, 'request')}, context {shape.context}",
        tuple(parts),
        sum(part.seconds for part in parts),
        computing,
        analytic["fixed"],
        moved + _exchanges(setting, together),
        analytic["collective"],
        tuple(notes),
    )


def decode_shape(setting: Setting, requests: int) -> decode_layer.DecodeShape:
    """The share of one core in a step, without what follows attention."""
    workload, shape = setting.workload, setting.shape
    queries, keys = shares.heads_of(shape, setting.cores.group)
    context = round(workload["isl"] + workload["osl"] / 2)
    return decode_layer.DecodeShape(
        requests=requests,
        hidden=shape.hidden,
        queries=queries,
        keys=keys,
        head=shape.head,
        inner=0,
        context=-(-context // P) * P,
        format=workload["weights"],
        cache=workload["cache"],
    )


def _chosen_experts(setting: Setting, tokens: int) -> Experts:
    """The experts of a core that so many tokens choose on average, one at least."""
    of = setting.shape
    work = shares.Work(1, tokens, setting.workload["weights"])
    block = shares.experts_of(of, setting.cores, tokens, work)
    chosen = 1 - (1 - of.chosen / of.experts) ** tokens
    return replace(block, local=max(1, round(block.local * chosen)))


def _phase(
    setting: Setting,
    what: str,
    work: shares.Work,
    analytic: dict[str, float],
    collective: float,
    head: float,
    again: tuple[type, ...] = (),
) -> Phase:
    """head: the output matrix; again: the blocks whose forward pass is run twice."""
    found = shares.blocks_of(setting.shape, setting.cores, work)
    shared = _analytic_parts(found, analytic, head)
    parts = [
        _part(setting, block, times, seconds, isinstance(block, again))
        for (block, times), seconds in zip(found, shared, strict=True)
    ]
    has_variant = setting.variants and setting.shape.experts and not work.backward
    variants = [_split_experts(setting, work)] if has_variant else []
    return Phase(
        what,
        tuple(parts),
        sum(part.seconds for part in parts),
        _computing(analytic) - analytic["linear"] * head,
        analytic["fixed"],
        collective,
        analytic["collective"],
        tuple(_notes(setting, work, [*parts, *variants], again)),
        tuple(variants),
    )


def _split_experts(setting: Setting, work: shares.Work) -> Part:
    """The experts as AWS's library computes them unless told otherwise."""
    of = setting.shape
    tokens = work.tokens * work.sequences
    block = shares.split_experts_of(of, setting.cores, tokens, work)
    return _part(setting, block, of.layers - of.dense, None)


def _part(
    setting: Setting, block: Block, times: int, analytic: float | None, again: bool = False
) -> Part:
    """again: the forward pass once more."""
    timed = layers.timed(block, setting.chip)
    seconds = timed.seconds
    if again:
        seconds += layers.timed(replace(block, backward=False), setting.chip).seconds
    return Part(block.name, times, times * seconds, analytic, timed, _sampled(block, timed.sample))


def _sampled(block: Block, sample: Block) -> str:
    parts = []
    if sample.rows < block.rows:
        parts.append(f"{sample.rows} of {block.rows} rows")
    if isinstance(block, Experts) and isinstance(sample, Experts) and sample.local < block.local:
        parts.append(f"{sample.local} of {block.local} experts")
    return ", ".join(parts)


def _analytic_parts(
    found: list[tuple[Block, int]], analytic: dict[str, float], head: float
) -> list[float | None]:
    """What the analytic model says of each block: its share of the products, and attention."""
    products = [
        times * (0 if isinstance(block, Norm) else block.weight_macs) for block, times in found
    ]
    attending = [
        times * (block.macs - block.weight_macs) if isinstance(block, Attention) else 0
        for block, times in found
    ]
    linear = analytic["linear"] * (1 - head) / sum(products)
    attention = analytic["attention"] / sum(attending)
    return [
        None if isinstance(block, Norm) else linear * product + attention * attended
        for (block, _), product, attended in zip(found, products, attending, strict=True)
    ]


def _computing(analytic: dict[str, float]) -> float:
    return analytic["linear"] + analytic["attention"] + analytic["fixed"]


def _head_share(setting: Setting) -> float:
    """The output matrix's share of the parameters of a token, which no layer has."""
    of = setting.shape
    return of.vocabulary * of.hidden / float(setting.document["model"]["active"])


def _notes(
    setting: Setting, work: shares.Work, parts: list[Part], again: tuple[type, ...]
) -> list[str]:
    left = "embedding, output matrix" + (", optimiser" if work.backward else "")
    notes = [f"not simulated: {left}"]
    samples = [part.timed.sample for part in parts if part.timed]
    sampled = [f"{part.name} ({part.sampled})" for part in parts if part.sampled]
    if sampled:
        notes.append(f"sampled to stay quick: {'; '.join(sampled)}; the others take as long")
        if any(isinstance(block, Attention) and block.past for block in samples):
            notes.append("sampled rows of attention see as many keys as a row does on average")
    if work.backward:
        notes.append("gradients of attention compute the scores again")
    if again:
        which = "all blocks" if Norm in again else "feed-forward blocks, their last matrix too,"
        notes.append(f"{which} run forward twice")
    if work.sequences < setting.groups:
        notes.append("groups share a prompt: each attends for its part of the rows")
    if setting.shape.experts:
        notes.append(
            "experts have places for as many tokens as they get on average, and none to spare; "
            "tokens of other chips lie in HBM"
        )
    if setting.variants and setting.shape.experts and not work.backward:
        notes.append(
            "instead: as AWS's library does where neither a capacity nor expert parallelism is "
            "asked for: every expert computes every token, its inner size split over the cores"
        )
    return notes


def _all_reduce(setting: Setting, bytes_: float) -> float:
    """Seconds of an all-reduce over all logical cores of a group, alone on the links."""
    return _priced(setting, "all_reduce", bytes_, setting.chips)


def _exchanges(setting: Setting, tokens: float) -> float:
    """Tokens to the chips of their experts and back, in all layers with experts."""
    of = setting.shape
    sparse = of.layers - of.dense
    if not sparse or setting.groups == 1:
        return 0.0
    chips = setting.chips * setting.groups
    ranks = chips * collectives.Setting(setting.system, 2).fabric().ranks_per_chip
    each = tokens / ranks * of.chosen * of.hidden * 2
    return 2 * sparse * _priced(setting, "all_to_all", each, chips)


def _priced(setting: Setting, operation: str, bytes_: float, chips: int) -> float:
    where = collectives.Setting(setting.system, 2)
    ranks = chips * where.fabric().ranks_per_chip
    if ranks == 1:
        return 0.0
    request = collectives.Request(operation, float(bytes_), [list(range(ranks))])
    return float(collectives.price(where, request, interval=False)["time_us"]) * 1e-6
