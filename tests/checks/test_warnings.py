"""Does plain Python hear of what a check finds, at the author's line and with both sides?"""

import warnings
from contextlib import nullcontext

import nki
import pytest
import trainyard
from harness import example_input, from_source
from trainyard import FindingWarning, findings, settings

CHECKS = findings.registry()
WARNINGS = [
    name for name, check in CHECKS.items() if check["severity"] == "warning" and check["example"]
]
CALLS = {
    "call": lambda kernel, x: kernel(x),
    "simulate": lambda kernel, x: nki.simulate(kernel)(x),
    "run": lambda kernel, x: kernel.run(x),
    "run_timed": lambda kernel, x: kernel.run(x, timed=True),
    "bench": lambda kernel, x: kernel.bench(x, values=True),
}


def told(name: str, call: str = "call") -> list[warnings.WarningMessage]:
    kernel = from_source(CHECKS[name]["example"], file=f"warns-{name}-{call}.py")
    wanted = settings.using(overflows=True) if name == "numerics.overflow" else nullcontext()
    with wanted, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        CALLS[call](kernel, example_input())
    return [one for one in heard if one.category is FindingWarning]


@pytest.mark.parametrize("name", WARNINGS)
def test_the_example_of_a_check_warns(name):
    (one,) = (one for one in told(name) if one.message.finding["label"] == name)
    assert (one.filename, f":{one.lineno} in ") == (
        f"<checks/warns-{name}-call.py>",
        one.message.finding["place"].removeprefix(one.filename)[: len(f":{one.lineno} in ")],
    )
    assert f": {name}: " in str(one.message) and CHECKS[name]["rule"] in str(one.message)
    for side in one.message.finding["sides"]:
        assert f"{side['role']}: " in str(one.message)


@pytest.mark.parametrize("call", CALLS)
def test_every_way_to_run_a_kernel_warns(call):
    found = {one.message.finding["label"] for one in told("psum.lost_sum", call)}
    assert "psum.lost_sum" in found


def test_a_warning_is_shown_once_as_python_does():
    kernel = from_source(CHECKS["psum.lost_sum"]["example"], file="warns-once.py")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("default")
        for _ in range(3):
            kernel(example_input())
    lost = [one for one in heard if one.message.finding["label"] == "psum.lost_sum"]
    assert len(lost) == 1


def test_a_warning_can_be_an_exception_or_hidden():
    kernel = from_source(CHECKS["memory.output"]["example"], file="warns-error.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error", trainyard.FindingWarning)
        with pytest.raises(FindingWarning, match=r"memory\.output"):
            kernel(example_input())
        with settings.using(suppress=tuple(WARNINGS)):
            kernel(example_input())
        with settings.using(listeners=[lambda result: None]):  # hears of findings itself
            kernel(example_input())


def test_notes_are_no_warnings():
    assert all(one.message.finding["severity"] == "warning" for one in told("numerics.nan"))
