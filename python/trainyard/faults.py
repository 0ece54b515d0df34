"""What fails in a run on a system of chips, as users write it: one by one, in a file, by a seed.

`link:5.twin@10us=down` (a port of chip 5), `link:5.x+@0us=x0.5` (half its rate), `chip:7@1ms=down`,
`switch:rack.1@10us=down`, `rank:3@0us=x0.25` (its DMA engines are slow), `rank:3@50us=late`;
a rank of a JAX program is a device. In kernels' runs also `ecc:3@10us=corrected`,
`ecc:3@10us=uncorrected` (the HBM of rank 3) and `flip:3.x@10us=17` (bit 17 of its HBM tensor x
turns unnoticed). `@FILE` has one a line, # begins a comment. `seed:7` draws one fault of the
network, `seed:7*3` three; equal seeds draw equal faults.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from trainyard import UsageError

FORMS = (
    "link:5.twin@10us=down, chip:7@1ms=down, switch:rack.1@10us=x0.5, rank:3@50us=late, "
    "@FILE, seed:7"
)
NOT_TIMED = (
    "faults need a timed run on a system of chips: trainyard time with --machine trn3-gen2 for "
    "kernels, with TRAINYARD_CHIPS for JAX programs"
)
DRAWN_MAX = 1000
_LATEST_US = 100


def expanded(texts: Iterable[str], system: Any | None) -> tuple[str, ...]:
    """The faults one by one, with files read and, on a system, seeds drawn from. Raises UsageError.

    Without one they are those of JAX programs on several devices, whose system is known later.
    """
    found: list[str] = []
    for text in texts:
        if text.startswith("@"):
            found += _of_file(Path(text[1:]))
        elif text.startswith("seed:"):
            if system is None:
                raise UsageError(f"{text} needs a system to draw from: --machine trn3-gen2")
            found += _drawn(text, system)
        else:
            found.append(text)
    return tuple(found)


def check_met(wanted: Sequence[str], runs: Sequence[Any]) -> None:
    """Of a script without a system. Raises UsageError where no program on several devices ran."""
    if wanted and not runs:
        raise UsageError(
            f"--fault {wanted[0]} met nothing: no kernel ran on a system of chips (--machine "
            "trn3-gen2), and no JAX program on several devices"
        )


def _of_file(path: Path) -> Iterator[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the faults of {path} cannot be read: {error}") from None
    for line in lines:
        if fault := line.partition("#")[0].strip():
            yield fault


def _drawn(text: str, system: Any) -> Iterator[str]:
    seed, _, count = text.removeprefix("seed:").partition("*")
    count = count or "1"
    if not (seed.isdecimal() and count.isdecimal() and 1 <= int(count) <= DRAWN_MAX):
        raise UsageError(f"{text!r} is no seed: write seed:7, or seed:7*3 for three faults")
    chance = random.Random(int(seed))
    levels = [level for level in system.levels if level["size"] > 1]
    for _ in range(int(count)):
        chip, level = chance.randrange(system.chips), chance.choice(levels)
        time, how = chance.randrange(_LATEST_US), chance.choice(("down", "x0.5", "x0.1"))
        switched = level["join"] in ("switch", "network")
        match chance.choice(("link", "switch" if switched else "link", "rank")):
            case "link":
                is_ring = level["join"] == "ring" and level["size"] > 2
                port = level["name"] + ("+" if is_ring else "")
                yield f"link:{chip}.{port}@{time}us={how}"
            case "switch":
                number = chance.randrange(system.chips // level["chips"])
                yield f"switch:{level['name']}.{number}@{time}us={how}"
            case _:
                yield f"rank:{chip}@{time}us={'late' if how == 'down' else how}"
