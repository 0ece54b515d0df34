"""Plans on Trainium, answered and chosen by simulated layers: `trainyard compare --exact`.

The planner takes the best few plans of the analytic model and asks for the seconds of their phases;
a Simulation gives them, and keeps what each phase is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import trainyard
from trainyard.planner import calls, layers, phases, shares
from trainyard.planner.phases import Phase
from trainyard.planner.results import Comparison, Row

# The chip's file and the system's, by the name of a compared machine.
MACHINES = {
    "trn1": ("trn1", "trn1-server"),
    "trn2": ("trn2", "trn2-server"),
    "trn2-ultraserver": ("trn2", "trn2-ultraserver"),
    "trn3-gen1": ("trn3", "trn3-gen1"),
    "trn3-gen2": ("trn3", "trn3-gen2"),
}
# How each phase is simulated, and its name in Exact, by the planner's name.
PHASES: dict[str, tuple[str, Callable[[phases.Setting], Phase | str]]] = {
    "prefill": ("prefill", phases.prefill_of),
    "decode": ("decode", phases.decode_of),
    "microbatch": ("training", phases.training_of),
}
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Exact:
    """The phases of a row that were simulated, or why not, by name."""

    phases: dict[str, Phase | str]

    def __getitem__(self, name: str) -> Phase:
        found = self.phases[name]
        if isinstance(found, str):
            raise KeyError(f"{name} was not simulated: {found}")
        return found

    def as_dict(self) -> dict[str, Any]:
        """This for JSON."""
        return {
            name: {"why": one}
            if isinstance(one, str)
            else asdict(one) | {"seconds": one.seconds, "analytic": one.analytic}
            for name, one in self.phases.items()
        }


def compare(
    model: str,
    on: Iterable[str] | str,
    phase: str = "serving",
    tell: Tell | None = None,
    **options: Any,
) -> Comparison:
    """trainyard.compare() by simulated layers on Trainium: Row.exact, Row.analytic, Row.tried.

    The best `plans` (4) of the analytic model are simulated, with the batches around theirs, and
    the best by simulated time is chosen. Seconds of layers are those of the simulation; they have
    no range, so intervals are of the rest. `tell` is given a line for each phase, before it is
    simulated. Raises as trainyard.compare() does, and UsageError where JAX is missing.
    """
    layers.check_jax()

    def row(model: str, machine: str, phase: str, options: Mapping[str, Any]) -> Row:
        return _row(model, machine, phase, options, tell or (lambda _: None))

    result = calls.compared(model, on, phase, options, row)
    return replace(result, asked=result.asked | {"exact": True})


def _row(model: str, machine: str, phase: str, options: Mapping[str, Any], tell: Tell) -> Row:
    if machine not in MACHINES:
        row = calls.row_of(model, machine, phase, options)
        why = "only Trainium's layers can be simulated"
        return replace(row, exact=why if row.plan else "nothing fits")
    first = calls.document_of(model, machine, phase, {**options, "intervals": False})
    if why := _why_not(model, first):
        return replace(calls.row_of(model, machine, phase, options), exact=why)
    simulation = Simulation(model, machine, phase, options, tell)
    row = calls.row_of(model, machine, phase, options, simulation)
    if row.plan is None:  # the plan that was asked for
        return replace(row, exact="nothing fits")
    return replace(row, exact=simulation.exact(row.document))


def _why_not(model: str, document: dict[str, Any]) -> str:
    """Why no layer of a plan can be simulated; empty: some can."""
    if document["plan"] is None:
        return "nothing fits"
    if why := shares.why_no_layers(document["model"]["family"]):
        return why
    workload = document["workload"]
    format = workload["weights" if "isl" in workload else "format"]
    return shares.why_not(shares.shape_of(shares.config_of(model)), format)


class Simulation:
    """The time of a machine's plans, for the planner, and the phases of the one it chooses."""

    def __init__(
        self, model: str, machine: str, phase: str, options: Mapping[str, Any], tell: Tell
    ) -> None:
        self._asked = (model, machine, phase)
        self._options = options
        self._tell = tell
        self._shape = shares.shape_of(shares.config_of(model))
        self._found: dict[tuple[str, frozenset[tuple[str, Any]]], Phase | str] = {}

    def __call__(self, name: str, choice: dict[str, Any]) -> tuple[float, float] | str:
        """Seconds of computing and of collectives of a plan's phase, or why there are none."""
        key = (name, frozenset(choice.items()))
        if key not in self._found:
            model, machine, phase = self._asked
            # The plan as it is, however fast.
            asked = {**self._options, **choice, "interactivity": 0, "intervals": False}
            self._tell(f"{machine}, {_choice_text(choice)}: simulating the {name}")
            setting = self._setting(calls.document_of(model, machine, phase, asked))
            self._found[key] = _simulated(name, setting)
        found = self._found[key]
        return found if isinstance(found, str) else (found.computing, found.collective)

    def exact(self, document: dict[str, Any]) -> Exact:
        """The phases of the plan that was chosen, with variants; or why the planner has none."""
        (found,) = (one["phases"] for one in document["tried"] if one["is_chosen"])
        setting = replace(self._setting(document), variants=True)
        return Exact(
            {
                shown: found[name].get("why") or _simulated(name, setting)
                for name, (shown, _) in PHASES.items()
                if name in found
            }
        )

    def _setting(self, document: dict[str, Any]) -> phases.Setting:
        chip, system = MACHINES[self._asked[1]]
        plan = document["plan"]
        group = int(plan["tp"]) * trainyard.load_machine(chip).cores
        everyone = group if self._asked[2] == "training" else group * int(plan["dp"])
        prompts = round(self._options.get("prefills") or 1) * int(plan["dp"])  # of each group
        cores = shares.Cores(group, everyone)
        return phases.Setting(document, self._shape, cores, chip, system, prompts)


def _simulated(name: str, setting: phases.Setting) -> Phase | str:
    """The phase, or what in a block the compiler refuses, or the system's links."""
    try:
        return PHASES[name][1](setting)
    except trainyard.InputError as refused:
        first, *others = refused.violations
        more = f", and {len(others)} more" if others else ""
        return f"{first.label}: {first.found or first.rule}{more}"
    except trainyard.Fault as refused:
        return f"{refused.category}: {str(refused).splitlines()[0]}"


def _choice_text(choice: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {one:g}" for name, one in choice.items() if isinstance(one, int | float)
    )
