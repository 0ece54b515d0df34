"""The questions: fit, compare, cost, ratio."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, overload

from trainyard import _core
from trainyard.planner.results import Comparison, Cost, Estimate, Fit, Row, estimates_of
from trainyard.planner.weight_files import resolve
from trainyard.usage import UsageError

if TYPE_CHECKING:
    from trainyard.planner.function_fit import FunctionFit

PHASES = ("serving", "training")
KINDS = {"whole": "a whole number below 2^63", "number": "a number", "text": "text"}


def options_of(options: Mapping[str, Any]) -> Any:
    """The core's options. Raises TypeError for one that does not exist."""
    result = _core.PlannerOptions()
    for name, value in options.items():
        if not is_option(name):
            known = ", ".join(sorted(result._kinds))
            raise TypeError(f"there is no option {name}; they are {known}")
        if value is not None:
            set_option(result, name, value)
    return result


def is_option(name: str) -> bool:
    """Whether the core has an option of that name."""
    return name in _core.PlannerOptions._kinds


def set_option(options: Any, name: str, value: Any) -> None:
    """Sets one of the core's options, which says of each what kind of value it has. Raises
    UsageError for a value that it cannot be."""
    kind = options._kinds[name]
    try:
        if isinstance(value, bool) and kind != "truth":
            raise TypeError  # Python would count it as 1
        if kind == "whole":
            if int(value) != value:
                raise ValueError
            value = int(value)
        setattr(options, name, float(value) if kind == "number" else value)
    except (TypeError, ValueError, OverflowError):
        words = f": {KINDS[kind]}" if kind in KINDS else ""
        raise UsageError(f"{name} cannot be {value!r}{words}", name) from None


@overload
def fit(model: str, on: str, **options: Any) -> Fit: ...
@overload
def fit(model: Callable[..., Any], *shapes: Any, on: str | Iterable[str] = ...) -> FunctionFit: ...
def fit(model: Any, *arguments: Any, on: Any = "", **options: Any) -> Fit | FunctionFit:
    """Whether `model` fits the machine `on`, for serving and training.

    A model is a name, a config.json or the folder of one, the index of a safetensors checkpoint or
    a file of it with a config.json beside it, or a GGUF file. A function of JAX with arguments like
    those it takes (fit(function, *shapes)) is asked for one chip of each machine, or of those `on`
    names.

    Options: chips (the fewest that hold it), tp, pp, dp, batch, input, output (tokens), weights,
    cache ("bf16", "fp8", "fp4"), sequence, global_batch, microbatch, recompute, zero (0 to 3),
    settings (["memory.usable=0.9"]). Raises InputError for a name or option that is wrong.
    """
    if callable(model):
        if options:
            raise TypeError(f"a function has no option {next(iter(options))}")
        from trainyard.planner.function_fit import fit_function

        return fit_function(model, arguments, on)
    machine = arguments[0] if arguments else on
    if len(arguments) > 1 or (arguments and on) or not isinstance(machine, str) or not machine:
        raise TypeError("fit() takes a model and one machine")
    return Fit.of(json.loads(_core.fit_document(resolve(model), machine, options_of(options))))


def compare(
    model: str, on: Iterable[str] | str, phase: str = "serving", **options: Any
) -> Comparison:
    """`model` on several machines, each by the plan that serves it best.

    `phase` is "serving" or "training". Serving: input, output (tokens of a request), interactivity
    (tokens a second that a user gets at least; 30, or whatever a given batch allows), weights,
    cache, batch (requests at once in a replica). Training: tokens, sequence, global_batch,
    microbatch, recompute, zero, training_format. Both: chips (of serving: shared out to replicas),
    tp, pp, dp (what is not given is chosen), pads_heads (where tp does not divide the heads),
    software (what its stack measures, not what the machine would do), price
    ("own", "on_demand", "spot", ...), region, settings. Where nothing fits, the row says why.
    Raises InputError for names and options that are wrong. trainyard.planner.exact.compare()
    answers, and chooses among the best few plans, by simulated layers on Trainium.
    """
    return compared(model, on, phase, options, row_of)


def compared(
    model: str,
    on: Iterable[str] | str,
    phase: str,
    options: Mapping[str, Any],
    row: Callable[[str, str, str, Mapping[str, Any]], Row],
) -> Comparison:
    """compare() with another way to make the row of a model, machine, phase and options."""
    machines = on.split(",") if isinstance(on, str) else list(on)
    if not machines:
        raise UsageError("name at least one machine")
    if twice := [name for name in machines if machines.count(name) > 1]:
        raise UsageError(f"{twice[0]} is named twice", "on")
    if phase not in PHASES:
        raise UsageError(f"a phase is serving or training, not {phase!r}")
    check_purchase(options.get("price"), options.get("region"))
    model = resolve(model)
    described = json.loads(_core.model_document(model))["model"]
    rows = tuple(row(model, machine, phase, options) for machine in machines)
    return Comparison(described, phase, rows, {"model": model, "on": machines} | dict(options))


@functools.cache
def _purchases() -> tuple[frozenset[str], frozenset[str]]:
    """The ways to buy that the price list has, and its regions."""
    keys = [
        one["key"].split(".")
        for machine in _core.accelerators()
        for one in json.loads(_core.accelerator_document(machine))["figures"]
        if one["key"].startswith(("rental.", "region."))
    ]
    ways = {"own", *(parts[-1] for parts in keys)}
    return frozenset(ways), frozenset(parts[1] for parts in keys if parts[0] == "region")


def check_purchase(price: str | None, region: str | None) -> None:
    """Raises UsageError for a way to buy, or a region, that the price list has nowhere."""
    if not price and not region:
        return
    ways, regions = _purchases()
    if price and price not in ways:
        raise UsageError(
            f"the price list has no {price!r}; known: {', '.join(sorted(ways))}", "price"
        )
    if region and region not in regions:
        known = ", ".join(sorted(regions))
        raise UsageError(f"the price list has no region {region!r}; it has {known}", "region")
    if region and (price or "own") == "own":
        raise UsageError("a region is of something rented: name a price, as spot", "region")


class Timer(Protocol):
    """Whoever simulates layers on a chip with so many cores."""

    @property
    def cores(self) -> int:
        """Of a chip."""
        ...

    def __call__(self, text: str) -> tuple[float, float] | str:
        """Seconds of computing and of collectives of a trainyard.layers document, or why not."""
        ...


def document_of(
    model: str, machine: str, phase: str, options: Mapping[str, Any], timer: Timer | None = None
) -> dict[str, Any]:
    """The core's answers, by simulated layers where there is a timer. Raises InputError."""
    ask = _core.serving_document if phase == "serving" else _core.training_document
    asked = (resolve(model), machine, options_of(options), timer, timer.cores if timer else 1)
    found: dict[str, Any] = json.loads(ask(*asked))
    return found


def layers_of(
    model: str, machine: str, phase: str, options: Mapping[str, Any], cores: int
) -> dict[str, Any]:
    """A pass of the best plan through all layers, on chips with so many cores: a trainyard.layers
    document. Raises InputError."""
    asked = (resolve(model), machine, phase, options_of(options), cores)
    found: dict[str, Any] = json.loads(_core.layers_document(*asked))
    return found


def row_of(
    model: str, machine: str, phase: str, options: Mapping[str, Any], timer: Timer | None = None
) -> Row:
    """A row of compare()."""
    document = document_of(model, machine, phase, options, timer)
    title = document["machine"]["title"]
    if document["plan"] is None:
        return _no_row(machine, title, phase, document["why"])
    return Row(
        machine,
        title,
        document["plan"],
        document["workload"],
        estimates_of(document["values"]),
        tuple(document["unknown"]),
        document["price"],
        document.get("native", True),
        tuple(document.get("frontier", ())),
        document,
        analytic=estimates_of(document.get("analytic", {})),
    )


def _no_row(machine: str, title: str, phase: str, why: str) -> Row:
    empty = {"schema": f"trainyard.{phase}/1", "machine": {"name": machine, "title": title}}
    return Row(machine, title, None, {}, {}, (), "", True, (), empty, why)


def ratio(
    model: str, machine: str, other: str, phase: str = "serving", **options: Any
) -> dict[str, Estimate]:
    """Each answer of `machine` over that of `other`; figures that both share move together.

    Options as of compare(). Raises InputError.
    """
    asked = options_of(options)
    document = json.loads(_core.ratio_document(resolve(model), machine, other, phase, asked))
    return estimates_of({name: one | {"unit": "x"} for name, one in document["values"].items()})


def cost(model: str, on: str, phase: str = "serving", **options: Any) -> Cost:
    """Dollars and joules of serving or training `model` on the machine `on`.

    Options as of compare(). A rate that nobody has published is listed in `unknown`, and what
    depends on it is absent. Raises InputError.
    """
    row = compare(model, [on], phase, **options)[on]
    if row.why:
        raise UsageError(row.why)
    money = ("usd", "joules", "mwh", "avg_power", "provisioned", "days", "output_tput_per_mw")
    values = {name: one for name, one in row.values.items() if name.startswith(money)}
    figures = {one["key"]: one for one in json.loads(_core.accelerator_document(on))["figures"]}
    keys = [
        row.price,
        "power.all_in",
        "power.idle",
        *(k for k in figures if k.startswith("finance.")),
    ]
    rates = tuple(figures[key] for key in keys if key in figures)
    what = f"{phase} {row.document['model']['title']} on {row.title}"
    return Cost(what, values, row.unknown, rates, row.document)


def cost_of_run(report: Mapping[str, Any], basis: str = "", region: str = "") -> Cost:
    """Dollars and joules of a run that was simulated: `report` is Result.report.

    `basis` names one way to buy ("on_demand", "spot", ...), `region` one of the price list's; a
    price that is not public is listed in `unknown`.
    """
    machine = report["run"]["machine"]
    dollars = report.get("dollars", {})
    prices = {one["key"]: one for one in _core.prices()}
    values = {"joules": _plain(report["energy"]["joules"], "J")} if "energy" in report else {}
    if "electricity" in dollars:
        values["usd_electricity"] = _plain(dollars["electricity"], "USD")
    rates, unknown = [], []
    rents = {one["basis"]: one["dollars"] for one in dollars.get("rent", ())}
    for name in [basis] if basis else rents:
        listed = f"rental.{machine}.{name}"
        key = f"region.{region}.{machine}.{name}" if region else listed
        if name not in rents or key not in prices:
            unknown.append(key)
            continue
        share = {end: prices[key][end] / prices[listed][end] for end in ("low", "value", "high")}
        rent = rents[name]
        values[f"usd_{name}"] = _plain({end: rent[end] * share[end] for end in share}, "USD")
        rates.append(prices[key])
    finance = ("finance.electricity", "finance.pue")
    rates += [prices[key] for key in finance if "electricity" in dollars]
    what = f"{report['run']['program']} on {machine}, {report['duration_ns'] / 1000:.2f} us"
    return Cost(what, values, tuple(unknown), tuple(rates), dict(report))


def _plain(one: Mapping[str, float], unit: str) -> Estimate:
    return Estimate(one["value"], one["low"], one["high"], unit)
