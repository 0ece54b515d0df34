"""One pass through all layers of a plan on Trainium, simulated: a prefill, a decoding step, a
microbatch of training.

The planner says which blocks one core runs, how often, and which collectives lie between them
(src/planner/layer_pass.h). A block is a JAX function (programs.py), timed on one core, alone on its
HBM stack; collectives are priced by the schedules of `fabric`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import trainyard
from trainyard import collectives
from trainyard.planner import layers
from trainyard.planner.programs import Block


@dataclass(frozen=True)
class Part:
    """A block of all layers: simulated and analytic seconds of a pass."""

    name: str
    times: float  # in a pass
    seconds: float
    analytic: float | None  # None: the analytic model does not tell it apart
    timed: layers.Timed
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
class Machine:
    """The files of a chip and of a system of such chips."""

    chip: str
    system: str

    @property
    def cores(self) -> int:
        """Of a chip."""
        return int(trainyard.load_machine(self.chip).cores)

    def price(self, collective: Mapping[str, Any]) -> float:
        """Seconds of a collective over all logical cores of its chips, alone on the links."""
        where = collectives.Setting(self.system, 2)
        cores = where.fabric().ranks_per_chip
        ranks = round(collective["chips"]) * cores
        if ranks == 1:
            return 0.0
        bytes_ = float(collective["bytes"])  # of a chip, whose cores share out what they exchange
        if collective["operation"] == "all_to_all":
            bytes_ /= cores
        request = collectives.Request(collective["operation"], bytes_, [list(range(ranks))])
        found = collectives.price(where, request, interval=False)
        return float(found["time_us"]) * 1e-6 * float(collective["times"])


# The chip's file and the system's, by the name of a compared machine.
MACHINES = {
    "trn1": Machine("trn1", "trn1-server"),
    "trn2": Machine("trn2", "trn2-server"),
    "trn2-ultraserver": Machine("trn2", "trn2-ultraserver"),
    "trn3-gen1": Machine("trn3", "trn3-gen1"),
    "trn3-gen2": Machine("trn3", "trn3-gen2"),
}


def simulate(record: Mapping[str, Any], machine: Machine, variants: bool = False) -> Phase | str:
    """The pass of a trainyard.layers document, or why there is none: what the planner says, what
    the compiler refuses in a block, or the system's links. variants: those, too."""
    if "why" in record:
        return str(record["why"])
    try:
        return _simulated(record, machine, variants)
    except trainyard.InputError as refused:
        first, *others = refused.violations
        more = f", and {len(others)} more" if others else ""
        return f"{first.label}: {first.found or first.rule}{more}"
    except trainyard.Fault as refused:
        return f"{refused.category}: {str(refused).splitlines()[0]}"


def _simulated(record: Mapping[str, Any], machine: Machine, variants: bool) -> Phase:
    parts = [_part(one, machine.chip) for one in record["steps"]]
    others = [_part(one, machine.chip) for one in record["variants"]] if variants else []
    modelled = record["modelled"]
    notes = list(record["notes"])
    if others:
        notes.append(
            "instead: as AWS's library does where neither a capacity nor expert parallelism is "
            "asked for: every expert computes every token, its inner size split over the cores"
        )
    return Phase(
        record["what"],
        tuple(parts),
        sum(part.seconds for part in parts),
        modelled["computing"],
        modelled["fixed"],
        sum(machine.price(one) for one in record["collectives"]),
        modelled["collective"],
        tuple(notes),
        tuple(others),
    )


def _part(step: Mapping[str, Any], chip: str) -> Part:
    block = Block.of(step["sample"])
    timed = layers.timed(block, chip)
    seconds = timed.seconds
    if step["is_again"]:  # the forward pass once more
        seconds += layers.timed(replace(block, backward=False), chip).seconds
    times = int(step["times"]) if float(step["times"]).is_integer() else step["times"]
    whole = times * step["stands_for"] * seconds
    return Part(step["name"], times, whole, step["modelled"], timed, step["sampled"])
