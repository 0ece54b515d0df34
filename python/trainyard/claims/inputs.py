"""Claims that restate figures of the machine files."""

from __future__ import annotations

from trainyard._core import load_machine
from trainyard.claims.table import Answer, Answers, judged


def _figure(machine: str, key: str) -> float:
    figures = {figure["key"]: figure for figure in load_machine(machine).provenance()}
    return float(figures[key]["value"])


def _exact(value: float) -> tuple[float, float, float]:
    return value, value, value


def _hbm_capacity() -> Answer:
    ratio = _figure("trn3", "hbm.stack_size") / _figure("trn2", "hbm.stack_size")
    return judged(
        "input",
        _exact(ratio),
        (1.45, 1.55),
        "four stacks on both chips, 36 GiB against 24 GiB each: 1.5x holds, S0's 2x does not",
    )


def _bf16() -> Answer:
    ratio = _figure("trn3", "headline.chip_bf16") / _figure("trn2", "headline.chip_bf16")
    return judged(
        "input",
        _exact(ratio),
        (0.95, 1.05),
        "671 TFLOPS printed for Trainium3, 667 for Trainium2; the article rounds to 0.65 PF",
    )


ANSWERS: Answers = {"C07": _bf16, "C09": _hbm_capacity}
