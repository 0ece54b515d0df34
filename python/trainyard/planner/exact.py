"""Plans on Trainium, answered and chosen by simulated layers: `trainyard compare --exact`.

The planner takes the best few plans of the analytic model and asks for the seconds of their phases;
a Simulation gives them, and keeps what each phase is made of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from trainyard.planner import calls, layers
from trainyard.planner.phases import MACHINES, Phase, simulate
from trainyard.planner.results import Comparison, Row

# The name of each phase in Exact, by the planner's name.
PHASES = {"prefill": "prefill", "decode": "decode", "microbatch": "training"}
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
    if why := _why_not(model, machine, phase, options, first):
        return replace(calls.row_of(model, machine, phase, options), exact=why)
    simulation = Simulation(model, machine, phase, options, tell)
    row = calls.row_of(model, machine, phase, options, simulation)
    if row.plan is None:  # the plan that was asked for
        return replace(row, exact="nothing fits")
    return replace(row, exact=simulation.exact(row.document))


def _why_not(
    model: str, machine: str, phase: str, options: Mapping[str, Any], document: dict[str, Any]
) -> str:
    """Why no layer of a plan can be simulated; empty: some can."""
    if document["plan"] is None:
        return "nothing fits"
    first = "microbatch" if phase == "training" else "prefill"
    record = calls.layers_of(model, machine, first, options, MACHINES[machine].cores)
    return str(record.get("why", ""))


class Simulation:
    """The time of a machine's plans, for the planner, and the phases of the one it chooses."""

    def __init__(
        self, model: str, machine: str, phase: str, options: Mapping[str, Any], tell: Tell
    ) -> None:
        self._asked = (model, machine, phase)
        self._options = options
        self._tell = tell
        self._machine = MACHINES[machine]
        self._found: dict[str, Phase | str] = {}
        self._records: dict[tuple[Any, ...], dict[str, Any]] = {}

    @property
    def cores(self) -> int:
        """Of a chip."""
        return self._machine.cores

    def __call__(self, text: str) -> tuple[float, float] | str:
        """Seconds of computing and of collectives of a pass, or why there are none."""
        if text not in self._found:
            record = json.loads(text)
            self._records[_key(record["phase"], record["plan"])] = record
            self._tell(
                f"{self._asked[1]}, {_choice_text(record['plan'])}: "
                f"simulating the {record['phase']}"
            )
            self._found[text] = simulate(record, self._machine)
        found = self._found[text]
        return found if isinstance(found, str) else (found.computing, found.collective)

    def exact(self, document: dict[str, Any]) -> Exact:
        """The phases of the plan that was chosen, with variants; or why the planner has none."""
        (chosen,) = (one for one in document["tried"] if one["is_chosen"])
        sizes = chosen["plan"] | chosen["workload"] | {"batch": chosen["workload"].get("conc")}
        return Exact(
            {
                PHASES[name]: found.get("why")
                or simulate(self._records[_key(name, sizes)], self._machine, variants=True)
                for name, found in chosen["phases"].items()
            }
        )


SIZES = {"prefill": (), "decode": ("batch",), "microbatch": ("microbatch", "recompute")}


def _key(phase: str, sizes: Mapping[str, Any]) -> tuple[Any, ...]:
    """A pass by what of a choice it depends on."""
    return (phase, *(sizes[name] for name in ("tp", "pp", "dp", *SIZES[phase])))


def _choice_text(choice: Mapping[str, Any]) -> str:
    """ "tp 8, pp 1, dp 1, batch 8"."""
    names = ("tp", "pp", "dp", "batch", "microbatch")
    return ", ".join(f"{name} {choice[name]:g}" for name in names if name in choice)
