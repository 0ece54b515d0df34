"""How many chips of which machine a service needs: a fast answer between two bounds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from trainyard import _core
from trainyard.planner import frames
from trainyard.planner.calls import check_purchase, options_of, set_option
from trainyard.planner.results import Json
from trainyard.planner.weight_files import resolve
from trainyard.usage import UsageError

QUESTIONS_PER_HOUR = 20.0  # of a user, unless it is given
SERVICE = ("share", "chunk", "requests_max", "drafts", "acceptance")


@dataclass(frozen=True)
class Sizing:
    """Replicas of one plan that carry the load for sure, and how few could at best."""

    tp: int
    dp: int
    weights: str
    cache: str
    disaggregated: bool
    replicas: int
    replicas_low: int
    prefill_replicas: int
    chips: int
    chips_low: int
    rate_low: float
    rate_high: float
    requests: float
    ttft: float
    tpot: float
    why_not_fewer: str
    usd_per_hour: float | None = None
    usd_per_hour_low: float | None = None

    @classmethod
    def of(cls, document: Json) -> Sizing:
        """From a sizing of a trainyard.recommendation/1 document."""
        whole = ("replicas", "replicas_low", "prefill_replicas", "chips", "chips_low")
        return cls(
            int(document["plan"]["tp"]),
            int(document["plan"]["dp"]),
            document["workload"]["weights"],
            document["workload"]["cache"],
            document["disaggregated"],
            **{name: int(document[name]) for name in whole},
            **{
                name: document[name]
                for name in ("rate_low", "rate_high", "requests", "ttft", "tpot", "why_not_fewer")
            },
            usd_per_hour=document.get("usd_per_hour"),
            usd_per_hour_low=document.get("usd_per_hour_low"),
        )

    @property
    def what(self) -> str:
        """The plan in words."""
        plan = f"tp {self.tp}" + (f", dp {self.dp}" if self.dp > 1 else "")
        if not self.disaggregated:
            return f"{self.replicas} x ({plan})"
        decode = self.replicas - self.prefill_replicas
        return f"{self.prefill_replicas} prefill + {decode} decode x ({plan})"


@dataclass(frozen=True)
class MachineSizing:
    """One machine's answer: its sizings, fewest chips first; without one, why."""

    machine: str
    title: str
    sizings: tuple[Sizing, ...]
    why: str
    chips_low: int  # fewer are too few for any plan; 0: no number is enough
    watts_of_chip: float | None
    unknown: tuple[str, ...]
    document: Json = field(repr=False)

    @property
    def best(self) -> Sizing | None:
        """The fewest chips."""
        return self.sizings[0] if self.sizings else None


@dataclass(frozen=True)
class Recommendation:
    """The same service on several machines."""

    model: Json
    rate: float
    level: str
    machines: tuple[MachineSizing, ...]

    def __iter__(self) -> Iterator[MachineSizing]:
        return iter(self.machines)

    def __getitem__(self, machine: str) -> MachineSizing:
        return next(one for one in self.machines if one.machine == machine)

    @property
    def fewest(self) -> MachineSizing | None:
        """The machine that needs the fewest chips."""
        found = [one for one in self.machines if one.best]
        return min(found, key=lambda one: one.best.chips if one.best else 0, default=None)

    @property
    def cheapest(self) -> MachineSizing | None:
        """The machine whose chips cost least an hour; those without a price are left out."""
        found = [one for one in self.machines if one.best and one.best.usd_per_hour is not None]
        return min(found, key=lambda one: (one.best and one.best.usd_per_hour) or 0.0, default=None)

    def frame(self) -> Any:
        """A row for each sizing: a pandas.DataFrame where pandas is installed, else dicts."""
        return frames.frame(
            [
                {"machine": one.machine} | dict(vars(sizing))
                for one in self.machines
                for sizing in one.sizings
            ]
        )

    def as_dict(self) -> Json:
        """For JSON."""
        return {
            "model": self.model,
            "rate": self.rate,
            "slo": self.level,
            "fewest": self.fewest.machine if self.fewest else None,
            "cheapest": self.cheapest.machine if self.cheapest else None,
            "machines": [one.document for one in self.machines],
        }

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    __repr__ = __str__


def recommend(
    model: str,
    on: Iterable[str] | str = (),
    users: float | None = None,
    slo: str = "ttft=500ms,tpot=30ms",
    questions_per_hour: float = QUESTIONS_PER_HOUR,
    rate: float | None = None,
    power_cap: float | None = None,
    disaggregated: bool | None = None,
    **options: Any,
) -> Recommendation:
    """The fewest chips that serve `model` to `users`, each with `questions_per_hour`, on each of
    the machines `on` (all that there are), within the service level `slo`.

    `rate`: requests a second instead. `power_cap`: watts that all chips may draw from the grid.
    `disaggregated`: prompts have replicas of their own (True), never (False), or what needs fewer
    chips. Options: input, output (tokens; 1024, 128), weights, cache, tp, dp, price, region,
    settings; share (of requests within the level; 0.99), chunk (tokens of a prompt in a step; 512),
    requests_max (at once in a group; 256), drafts and acceptance (of multi-token prediction).
    Raises InputError and UsageError.
    """
    from trainyard.serving.measures import Slo

    machines = on.split(",") if isinstance(on, str) else list(on)
    machines = [name for name in machines if name] or list(_core.accelerators())
    if twice := [name for name in machines if machines.count(name) > 1]:
        raise UsageError(f"{twice[0]} is named twice", "on")
    check_purchase(options.get("price"), options.get("region"))
    options = {"input": 1024.0, "output": 128.0} | options
    level = Slo.parse(slo)
    service = _core.ServiceOptions()
    if level.ttft is None or level.tpot is None or level.e2el is not None:
        raise UsageError(
            f"a recommendation needs limits of both ttft and tpot and no other, as "
            f"ttft=500ms,tpot=30ms, and {slo!r} is not so",
            "slo",
        )
    service.ttft, service.tpot = level.ttft, level.tpot
    service.rate = _rate(users, questions_per_hour, rate)
    for name in SERVICE:
        if (value := options.pop(name, None)) is not None:
            set_option(service, name, value)
    found = []
    model = resolve(model)
    for machine in machines:
        document = json.loads(
            _core.recommend_document(model, machine, options_of(options), service)
        )
        found.append(_machine(document, power_cap, disaggregated))
    described = json.loads(_core.model_document(model))["model"]
    return Recommendation(described, service.rate, slo, tuple(found))


MOST = 1e12


def _rate(users: float | None, questions_per_hour: float, rate: float | None) -> float:
    if (users is None) == (rate is None):
        raise UsageError("name the users, or the requests a second (rate), and not both")
    for name, value in (("users", users), ("questions", questions_per_hour), ("rate", rate)):
        if value is not None and not 0 < value < MOST:
            raise UsageError(f"{name} is above 0 and below {MOST:g}, not {value:g}")
    return rate if rate is not None else (users or 0) * questions_per_hour / 3600


def _machine(document: Json, power_cap: float | None, disaggregated: bool | None) -> MachineSizing:
    sizings = [Sizing.of(one) for one in document["sizings"]]
    why = document["why"]
    if disaggregated is not None:
        sizings = [one for one in sizings if one.disaggregated == disaggregated]
        why = why or "no plan keeps the level in that way"
    watts = document.get("watts_of_chip")
    if power_cap is not None and sizings:
        if watts is None:
            sizings, why = [], "what a chip draws is not public (power.all_in), so no cap is kept"
        elif sizings[0].chips * watts > power_cap:
            need = sizings[0].chips * watts
            sizings = []
            why = f"{need / 1e3:.0f} kW are needed, and {power_cap / 1e3:.0f} kW are the cap"
    return MachineSizing(
        document["machine"]["name"],
        document["machine"]["title"],
        tuple(sizings),
        "" if sizings else why,
        int(document["chips_low"]),
        watts,
        tuple(document["unknown"]),
        document,
    )


def _lines(found: Recommendation) -> Iterator[str]:
    yield f"{found.model['title']}: {found.rate:.4g} requests a second within {found.level}"
    yield ""
    heading = f"{'machine':17}{'chips':>7}  {'at least':>8}  {'USD/h':>9}  "
    yield heading + f"{'TTFT ms':>7}  {'TPOT ms':>7}  plan"
    for machine in found:
        best = machine.best
        if best is None:
            least = f", at least {machine.chips_low} chips" if machine.chips_low else ""
            yield f"{machine.machine:17}{'-':>7}  {machine.why}{least}"
            continue
        dollars = "-" if best.usd_per_hour is None else f"{best.usd_per_hour:.2f}"
        yield (
            f"{machine.machine:17}{best.chips:7}  {machine.chips_low:8}  {dollars:>9}  "
            f"{1e3 * best.ttft:7.0f}  {1e3 * best.tpot:7.1f}  {best.what}, {best.weights}"
        )
    yield ""
    for what, machine_or_none in (("fewest chips", found.fewest), ("cheapest", found.cheapest)):
        if machine_or_none is not None and (best := machine_or_none.best):
            chips = "1 chip" if best.chips == 1 else f"{best.chips} chips"
            yield f"{what}: {machine_or_none.machine}: {chips}, {best.what}"
            yield f"  why not fewer: {best.why_not_fewer}"
    missing = sorted({key for machine in found for key in machine.unknown})
    if missing:
        yield f"not public, so without dollars: {', '.join(missing)}"
