"""The table of claims and what an answer to one says."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

VERDICTS = {
    "holds": "our interval agrees with the claim; of the model, at least nine draws in ten",
    "fails": "our whole interval contradicts the claim; of the model, at least nine draws in ten",
    "open": "neither: the claim hinges on the named figures",
    "record": "nothing to compute; what is known is shown",
}
METHODS = {
    "input": "figures of the machine files",
    "exact": "a kernel simulated instruction by instruction",
    "collectives": "simulated collectives",
    "model": "the analytic model",
    "record": "what is known",
}


DECIDED = 0.9  # of the draws, for a verdict


@dataclass(frozen=True)
class Claim:
    """What somebody has said, and who."""

    id: str
    claim: str
    figure: str
    against: str
    who: str
    how: str


@dataclass(frozen=True)
class Answer:
    """What we find for a claim; `low` to `high` is the interval of `ours`, all three in `unit`.

    It is what ranges allow; where there is a `chance`, P10 to P90 of the draws.

    `claimed`: the ends between which our figure would bear the claim out; None where it has none.
    """

    method: str
    verdict: str
    text: str
    ours: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    claimed: tuple[float | None, float | None] | None = None
    hinges: str = ""
    chance: float | None = None  # of the draws, those that bear the claim out

    def __post_init__(self) -> None:
        if self.method not in METHODS or self.verdict not in VERDICTS:
            raise ValueError(f"unknown method {self.method!r} or verdict {self.verdict!r}")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


# A module that answers claims has ANSWERS: the id of a claim to the function that answers it.
Answers = Mapping[str, Callable[[], Answer]]


@cache
def claims() -> dict[str, Claim]:
    """Every claim by its id, in order."""
    text = resources.files("trainyard.claims").joinpath("claims.toml").read_text(encoding="utf-8")
    return {id: Claim(id, **row) for id, row in tomllib.loads(text).items()}


def judged(
    method: str,
    interval: tuple[float, float, float],
    claimed: tuple[float, float],
    text: str,
    *,
    unit: str = "x",
    hinges: str = "",
    chance: float | None = None,
) -> Answer:
    """An answer whose verdict follows from our (low, value, high) and the claimed (low, high).

    Holds where our interval lies within the claimed one, fails where they do not meet, and is
    open in between. With a `chance`, the share of draws within the claimed interval, it holds from
    DECIDED on and fails up to 1 - DECIDED. A claim of "at least 4" is (4, inf), of "about 4" the
    rounding of its digits.
    """
    low, value, high = interval
    if chance is not None:
        verdict = "holds" if chance >= DECIDED else "fails" if chance <= 1 - DECIDED else "open"
    elif claimed[0] <= low and high <= claimed[1]:
        verdict = "holds"
    elif high < claimed[0] or claimed[1] < low:
        verdict = "fails"
    else:
        verdict = "open"
    least, most = (end if math.isfinite(end) else None for end in claimed)
    return Answer(method, verdict, text, value, low, high, unit, (least, most), hinges, chance)
