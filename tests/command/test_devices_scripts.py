"""Is a JAX program of several devices shown with what its devices wait for, compute and hold?"""

import importlib.util
import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is missing")
SCRIPT = Path(__file__).with_name("devices_script.py")


@pytest.fixture
def neuron(monkeypatch):
    """JAX finds its platform by itself, as for a user."""
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)


def test_collectives_bodies_and_memory_are_told(trainyard, neuron):
    done = trainyard("time", SCRIPT)
    assert done.code == 0, done.err
    assert "jit_step on 4 devices takes" in done.out
    assert "jit_step on 4 devices would take" in done.out  # that was compiled only
    assert "devices wait for" in done.out
    assert "all_reduce 64 B, 4 devices" in done.out
    assert "devices_script.py:13" in done.out
    assert "a device holds" in done.out


def test_the_document_adds_up(trainyard, neuron):
    done = trainyard("time", "--json", SCRIPT)
    assert done.code == 0, done.err
    ran, asked = (one for one in done.data["jax"]["devices"] if one["name"] == "jit_step")
    assert (ran["is_estimate"], asked["is_estimate"]) == (False, True)
    for one in (ran, asked):
        bodies = [each for each in one["entries"] if each["kind"] == "body"]
        assert sum(each["ns"] for each in bodies) == pytest.approx(one["computing_ns"])
        assert one["ns"] == pytest.approx(one["computing_ns"] + one["exposed_ns"])
        assert sum(each["waited_ns"] for each in one["entries"]) <= one["exposed_ns"] * 1.001
        assert sum(each["on_path_ns"] for each in one["entries"]) <= one["ns"] * 1.001
        assert one["joules"] > 0
    parts = [one for one in done.data["jax"]["programs"] if one["is_part"]]
    whole = [one for one in done.data["jax"]["programs"] if not one["is_part"]]
    assert parts
    assert done.data["jax"]["device_ns"] == pytest.approx(sum(one["device_ns"] for one in whole))


def test_a_profile_has_the_timeline(trainyard, neuron, tmp_path):
    done = trainyard("profile", "--output", tmp_path, SCRIPT)
    assert done.code == 0, done.err
    events = json.loads((tmp_path / "jit_step.devices.json").read_text())["traceEvents"]
    spans = [one for one in events if one["ph"] == "X"]
    assert {one["tid"] for one in spans} == {1, 2}
    assert any(one["name"].startswith("all_reduce") for one in spans)
    assert all(one["dur"] > 0 for one in spans)


def test_products_are_timed_divided_otherwise(trainyard, neuron):
    script = SCRIPT.with_name("products_script.py")
    done = trainyard("compile", "--explain", "--json", script)
    assert done.code == 0, done.err
    (function,) = done.data["divided"]
    assert function["name"] == "jit_step"
    up, down = function["products"]
    assert (up["count"], down["count"]) == (3, 1)  # three are alike
    for product in (up, down):
        assert [way["is_taken"] for way in product["ways"]] == [True] + [False] * 3
        times = [way["ns"] for way in product["ways"][1:]]
        assert times == sorted(times)
        assert min(times) > 0
    assert up["ways"][0]["roles"] == {"x": "columns"}
    assert up["ways"][0]["collectives_ns"] == 0
    # Its operand is divided along what is summed; any other way gathers it first.
    assert down["ways"][0]["roles"] == {"x": "contraction"}
    assert all(way["collectives_ns"] > 0 for way in down["ways"])
    shown = trainyard("compile", "--explain", script).out
    assert "jit_step: products of matrices, each alone, divided otherwise" in shown
    assert "tensor<256x512xbf16>, tensor<512x1024xbf16> -> tensor<256x1024xbf16>, 3 times" in shown
    assert "us  contraction along x, " in shown
    brief = trainyard("compile", "--explain", "--no-alternatives", script)
    assert "products of matrices" not in brief.out


def took(trainyard, *options):
    done = trainyard("time", "--json", *options, SCRIPT.with_name("products_script.py"))
    assert done.code == 0, done.err
    return next(one for one in done.data["jax"]["devices"] if one["name"] == "jit_step")


def test_faults_reach_programs_of_several_devices(trainyard, neuron):
    healthy = took(trainyard)
    assert healthy["faults"] == []
    late = took(trainyard, "--fault", "rank:2@50us=late")
    assert late["ns"] == pytest.approx(healthy["ns"] + 50e3)
    slow = took(trainyard, "--fault", "rank:2@0us=x0.25")
    assert slow["computing_ns"] > 1.5 * healthy["computing_ns"]
    assert took(trainyard, "--fault", "rank:2@1s=x0.25")["ns"] == healthy["ns"]
    # The only body has begun by then, and keeps its rate.
    begun = took(trainyard, "--fault", "rank:2@5us=x0.25")
    assert begun["ns"] == healthy["ns"]
    assert begun["faults"] == ["rank:2@5us=x0.25"]


@pytest.mark.parametrize(
    ("fault", "script", "said"),
    [
        ("rank:2@0us=down", "products_script.py", "fabric.stuck"),
        ("link:7.nowhere@0us=down", "products_script.py", "fabric.fault"),
        ("seed:3", "products_script.py", "seed:3 needs a system to draw from"),
        ("rank:2@0us=x0.5", "jax_script.py", "--fault rank:2@0us=x0.5 met nothing"),
    ],
)
def test_faults_that_end_a_run_or_meet_nothing_are_told(trainyard, neuron, fault, script, said):
    done = trainyard("time", "--fault", fault, SCRIPT.with_name(script))
    assert done.code != 0
    assert said in done.err
