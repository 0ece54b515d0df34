"""Claims about systems of chips, answered by simulated collectives over the machine files."""

from __future__ import annotations

import math
from typing import Any

from trainyard import collectives, topology
from trainyard.claims.table import Answer, Answers, judged

GEN2 = collectives.Setting("trn3-gen2", 8)
GEN1 = collectives.Setting("trn3-gen1", 8)
TORUS = collectives.Setting("trn2-ultraserver", 8)
GIB = float(1 << 30)
Interval = tuple[float, float, float]


def _price(setting: Any, operation: str, bytes_: float, ranks: int = 0) -> dict[str, Any]:
    group = list(range(ranks or setting.fabric().ranks))
    return collectives.price(setting, collectives.Request(operation, bytes_, [group]))


def _gain(old: dict[str, Any], new: dict[str, Any]) -> Interval:
    """How many times faster per byte: the chips of both systems get the same work each."""
    low, high = old["low_us"] / new["high_us"], old["high_us"] / new["low_us"]
    return low, old["time_us"] / new["time_us"], high


def _assumed(setting: Any) -> str:
    return ", ".join(figure["key"] for figure in setting.description().uncertain())


def _any_to_any() -> Answer:
    fabric = GEN2.fabric()
    ranks = fabric.ranks
    direct = sum(len(fabric.route(0, other)) == 2 for other in range(1, ranks)) / (ranks - 1)
    found = _price(GEN2, "all_to_all", GIB)
    busiest = found["loads"][0]
    cut = topology.describe(GEN2.description())
    return judged(
        "collectives",
        (direct, direct, direct),
        (1.0, 1.0),
        f"of the pairs of chips, {direct:.0%} reach one another without a third chip in the "
        "documented topology; the others cross at the same place of the other rack first. An "
        f"all-to-all of 1 GiB a chip takes {found['time_us']:.0f} us and fills the "
        f"{busiest['kind']}s to {busiest['share']:.0%}; the racks are joined by "
        f"{cut['bisection_gbps'] / 1e3:.1f} TB/s, "
        f"{cut['bisection_gbps'] / 72 / cut['chip_gbps']:.0%} of what the chips of one can send",
        unit="of pairs",
        hinges="the links of twin; a switch between the racks is not documented",
    )


def _interchip() -> Answer:
    ours, theirs = (_price(s, "all_reduce", GIB) for s in (GEN2, TORUS))
    return judged(
        "collectives",
        _gain(theirs, ours),
        (1.95, 2.05),
        f"an all-reduce of 1 GiB a chip, which keeps all levels busy: {ours['time_us']:.0f} us on "
        f"144 chips ({ours['algorithm']}), {theirs['time_us']:.0f} us on 64 of the torus "
        f"({theirs['algorithm']}). The links with known ends add up to 704 GB/s a chip and "
        "direction against 640; 2 TB/s counts both directions of more links than have known ends",
        hinges=_assumed(GEN2),
    )


def _latency() -> Answer:
    found = _price(GEN2, "send_receive", 8.0)
    torus = _price(TORUS, "send_receive", 8.0)
    return judged(
        "collectives",
        (found["low_us"], found["time_us"], found["high_us"]),
        (0.0, 10.0),
        "8 bytes between the two farthest chips, from the trigger to the arrival; on the torus "
        f"{torus['time_us']:.1f} us. What starts a collective is most of it, not the links",
        unit="us",
        hinges="collective.start, collective.step",
    )


def _moe() -> Answer:
    ours, theirs = (_price(s, "all_to_all", 64e6, 64) for s in (GEN1, TORUS))
    return judged(
        "collectives",
        _gain(theirs, ours),
        (1.0, math.inf),
        f"dispatch of 64 MB a chip over 64 chips: {ours['time_us']:.0f} us behind switches (Gen1; "
        f"{ours['loads'][0]['kind']} {ours['loads'][0]['share']:.0%}), {theirs['time_us']:.0f} us "
        f"on the torus ({theirs['loads'][0]['kind']} {theirs['loads'][0]['share']:.0%})",
        hinges=_assumed(GEN1),
    )


def _efa() -> Answer:
    slow, fast = (
        collectives.Setting("trn3-cluster", 8, overrides)
        for overrides in ((), ("efa.link=400Gb/s",))
    )
    times = [_price(s, "all_reduce", GIB)["time_us"] for s in (slow, fast)]
    return Answer(
        "collectives",
        "record",
        "28,800 Gb/s for 144 chips are 200 Gb/s a chip; 400 is press. An all-reduce of 1 GiB a "
        f"chip over four UltraServers takes {times[0]:.0f} us with 200, {times[1]:.0f} with 400",
    )


def _larger_switch() -> Answer:
    wide = collectives.Setting("trn3-gen2", 8, ("sled.size=72", "sled.links=9", "rack.size=1"))
    gains = {
        operation: _price(GEN2, operation, GIB)["time_us"] / _price(wide, operation, GIB)["time_us"]
        for operation in ("all_reduce", "all_to_all")
    }
    return Answer(
        "collectives",
        "record",
        "all 72 chips of a rack behind one switch, with nine links each: all-reduce of 1 GiB "
        f"{gains['all_reduce']:.2f}x, all-to-all {gains['all_to_all']:.2f}x as fast; between the "
        "racks nothing changes",
    )


ANSWERS: Answers = {
    "C11": _any_to_any,
    "C12": _interchip,
    "C13": _latency,
    "C14": _moe,
    "C35": _efa,
    "C41": _larger_switch,
}
