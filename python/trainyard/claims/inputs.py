"""Claims that restate figures of the machine files."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable

from trainyard import _core
from trainyard.claims.table import Answer, Answers, judged

Interval = tuple[float, float, float]


@functools.cache
def figures(machine: str) -> dict[str, Interval]:
    """The figures of a compared machine: low, value, high by key."""
    found = json.loads(_core.accelerator_document(machine))["figures"]
    return {one["key"]: (one["low"], one["value"], one["high"]) for one in found}


def _value(machine: str, key: str) -> float:
    return figures(machine)[key][1]


def quotient(above: Interval, below: Interval, scale: float = 1) -> Interval:
    """above / below x scale with both ends."""
    return (
        above[0] / below[2] * scale,
        above[1] / below[1] * scale,
        above[2] / below[0] * scale,
    )


def exact(value: float) -> Interval:
    """A figure without a range."""
    return value, value, value


def _around(value: float, share: float = 0.0125) -> tuple[float, float]:
    """What a figure that is printed with two digits may mean."""
    return value * (1 - share), value * (1 + share)


def _printed(machine: str, key: str) -> float:
    found = {one["key"]: one for one in _core.load_machine(machine).provenance()}
    return float(found[key]["value"])


def _system_compute() -> Answer:
    trn3 = 144 * _printed("trn3", "headline.chip_mx")
    return judged(
        "input",
        exact(trn3 / (64 * 1299)),
        _around(4.4),
        "144 x 2,517 over 64 x 1,299 TFLOPS, as AWS prints them (MXFP8 against FP8); by clock and "
        "array it is 4.5",
    )


def _system_memory() -> Answer:
    found = quotient(
        figures("trn3-gen2")["memory.bandwidth"],
        figures("trn2-ultraserver")["memory.bandwidth"],
        144 / 64,
    )
    text = "144 x 4.9 over 64 x 2.9 TB/s is 3.8; 706 TB/s is all HBM together, no fabric"
    return judged("input", found, _around(3.9), text)


def _chip_compute() -> Answer:
    fp8 = quotient(figures("trn3-gen2")["compute.mxfp8"], figures("trn2")["compute.fp8"])
    text = "MXFP8 against FP8 2x, BF16 1x; 4x only for an UltraServer or against dense BF16"
    return judged("input", fp8, (3.95, math.inf), text, hinges="which formats are compared")


def _chip_fp8() -> Answer:
    text = "2.4 GHz x 128 x 128 PEs x 4 MX pairs x 2 x 8 cores; a core has 315 TFLOPS"
    petaflops = exact(_value("trn3-gen2", "compute.mxfp8") / 1000)
    return judged("input", petaflops, (2.505, 2.525), text, unit="PF")


def _sparsity() -> Answer:
    dense, sparse = (_value("trn3-gen2", f"compute.{key}bf16") for key in ("", "sparse_"))
    return judged(
        "input",
        exact(sparse / 1000),
        (10, math.inf),
        f"4x of dense BF16 holds ({sparse / dense:.1f}x), and that is 2.5 PF a chip: sparsity is "
        f"documented for 16-bit formats only, so 10 PF would need sparse FP8",
        unit="PF",
    )


def _hbm_rate() -> Answer:
    found = quotient(figures("trn3-gen2")["memory.bandwidth"], figures("trn2")["memory.bandwidth"])
    return judged("input", found, (1.6, 1.75), "4.9 (4.7 by the NKI guide) over 2.9 TB/s")


def _gen2_memory() -> Answer:
    total = 144 * _value("trn3-gen2", "memory.capacity") / 2**30 / 1000
    text = "20,736 GiB: 20.7 thousand GiB, 22.3 TB; hops are answered by simulated collectives"
    return judged("input", exact(total), (20.65, 20.75), text, unit="k GiB")


def _links() -> Answer:
    links = {
        machine: sum(figures(machine)[f"scale_up.level{level}_bandwidth"][1] for level in levels)
        for machine, levels in (("trn3-gen2", (1, 2, 3)), ("trn2-ultraserver", (1, 2)))
    }
    documented = links["trn3-gen2"] / links["trn2-ultraserver"]
    return judged(
        "input",
        (documented, 2.0, 2.0),
        (1.95, 2.05),
        "2.56 over 1.28 TB/s as printed; the links that AWS's pages describe add up to 704 and 640 "
        "GB/s one way",
        hinges="how many of the 20 x8 links carry traffic",
    )


def _cross_check(pairs: list[tuple[float, float]], text: str, tolerance: float) -> Answer:
    """How many of (ours, claimed) agree."""
    agree = sum(abs(ours / theirs - 1) <= tolerance for ours, theirs in pairs)
    share = 100 * agree / len(pairs)
    verdict = "holds" if agree == len(pairs) else "open"
    shown = f"{agree} of {len(pairs)} cells agree: {text}"
    return Answer("input", verdict, shown, share, share, share, "%", (100, None))


def _generations() -> Answer:
    """Pin rates follow from the HBM rate, 1,024 pins a stack."""
    pins = [("trn1", 2, 3.2), ("trn2", 4, 5.7), ("trn3", 4, 9.6)]
    pairs = [
        (
            _core_figure(machine, "hbm.bandwidth_peak") * 8 / 1024 / stacks,
            rate,
        )
        for machine, stacks, rate in pins
    ]
    pairs += [
        (_printed("trn3", "headline.chip_mx"), 2520),
        (_printed("trn2", "headline.chip_bf16"), 667),
    ]
    text = "pin rates from HBM bandwidth over 1,024 pins a stack, printed peaks; no processes"
    return _cross_check(pairs, text, 0.03)


def _core_figure(machine: str, key: str) -> float:
    found = {one["key"]: one for one in _core.load_machine(machine).provenance()}[key]
    return float(found["value"]) * {"GB/s": 1, "TB/s": 1000}[found["unit"]]


def _systems() -> Answer:
    tib = 2.0**40
    rows = [
        ("trn2-ultraserver", 64, "compute.fp8", 83, 6, 185),
        ("trn3-gen1", 64, "compute.mxfp8", 161, 9, 314),
        ("trn3-gen2", 144, "compute.mxfp8", 362, 20.7, 706),
    ]
    pairs = []
    for machine, chips, peak, petaflops, memory, rate in rows:
        pairs += [
            (chips * figures(machine)[peak][2] / 1000, petaflops),
            (chips * _value(machine, "memory.capacity") / tib, memory),
            (chips * _value(machine, "memory.bandwidth") / 1000, rate),
        ]
    text = "20.7 TiB of Gen2 are thousands of GiB (20.25 TiB)"
    return _cross_check(pairs, text, 0.01)


def _parity() -> Answer:
    ours, theirs = figures("trn3-gen2"), figures("gb300-nvl72")
    fp8 = quotient(ours["compute.mxfp8"], theirs["compute.fp8"], 2)
    fp4 = quotient(theirs["compute.fp4"], ours["compute.fp4"], 0.5)
    text = f"144 chips against 72 GPUs on paper: FP8 {fp8[1]:.2f}x, FP4 behind by {fp4[1]:.1f}x"
    return judged("input", fp8, (0.95, 1.05), text)


def _power() -> Answer:
    low, value, high = figures("trn3-gen2")["power.tdp"]
    text = "nobody official has published it: the bracket is what analysts and press say"
    return judged("input", (low, value, high), _around(1000), text, unit="W", hinges="power.tdp")


def _network() -> Answer:
    low, value, high = (8 * end for end in figures("trn3-gen2")["scale_out.bandwidth"])
    text = "28,800 Gb/s over 144 chips; 400 in some systems (analysts)"
    return judged("input", (low, value, high), (200, 400), text, unit="Gb/s")


def _hbm_capacity() -> Answer:
    ratio = _value("trn3-gen2", "memory.capacity") / _value("trn2", "memory.capacity")
    text = "four stacks on both chips, 36 GiB against 24 GiB each: 1.5x holds, S0's 2x does not"
    return judged("input", exact(ratio), (1.45, 1.55), text)


def _bf16() -> Answer:
    ratio = _printed("trn3", "headline.chip_bf16") / _printed("trn2", "headline.chip_bf16")
    text = "671 TFLOPS printed for Trainium3, 667 for Trainium2; the article rounds to 0.65 PF"
    return judged("input", exact(ratio), (0.95, 1.05), text)


def _trainium4() -> Answer:
    found = quotient(figures("trn4")["compute.fp8"], figures("trn3-gen2")["compute.mxfp8"])
    text = "the machine file trn4 is this announcement and nothing else; its price is unknown"
    return judged("input", found, (3, math.inf), text, hinges="the announcement")


def record(text: str) -> Callable[[], Answer]:
    """An answer that only says what is known."""
    return lambda: Answer("record", "record", text)


ANSWERS: Answers = {
    "C01": _system_compute,
    "C02": _system_memory,
    "C05": _chip_compute,
    "C06": _chip_fp8,
    "C07": _bf16,
    "C08": _sparsity,
    "C09": _hbm_capacity,
    "C10": _hbm_rate,
    "C11": _gen2_memory,
    "C12": _links,
    "C13": record(
        "no primary source gives a latency between chips of Trainium3; simulated collectives say "
        "what the assumed switch and link latencies come to"
    ),
    "C23": record(
        "an executive's figures of a conversation in 2025, generation not stated; price list: "
        "rental.trn2.contract 0.5 to 1.5, rental.h100.on_demand 6.88, capacity block 3.93 USD"
    ),
    "C25": _parity,
    "C26": _power,
    "C34": record(
        "a matter of deliveries; system.scale of the machine files holds the largest clusters "
        "that AWS names"
    ),
    "C35": _network,
    "C36": _trainium4,
    "C37": _generations,
    "C38": _systems,
    "C39": record(
        "both: a 4x4 torus inside a trn2.48xlarge, and rings over four of them make the "
        "UltraServer a 4x4x4 torus (trn2-arch page)"
    ),
    "C40": record(
        "nothing is computed: a list of public models that compile unchanged belongs to the "
        "compiler's own suite"
    ),
    "C41": record(
        "machines trn3-gen1 (64 chips) and trn3-gen2 (144 chips) are the two variants; switch "
        "generations are figures of the fabric"
    ),
}
