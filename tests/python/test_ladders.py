"""Does what Trainyard advises gain what it promises, when an author does it?"""

import dataclasses
import sys
from pathlib import Path

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

import itertools

import ladders

WAYS = ("static", "hardware", "software")
KERNELS = list(ladders.LADDERS)


def by_name(kernel) -> str:
    return kernel.__name__


@pytest.mark.parametrize("kernel", KERNELS, ids=by_name)
def test_each_advised_change_gains_what_was_promised(kernel):
    rungs = list(ladders.climb(kernel))
    assert rungs[0].change, "a kernel that reuses one set of tiles can be made faster"
    for before, after in itertools.pairwise(rungs):
        promised = before.time_ns - before.promised_ns
        found = before.time_ns - after.time_ns
        assert promised > 0
        assert found == pytest.approx(promised, rel=0.2), (before.change, after.choices)
    assert rungs[-1].time_ns < 0.8 * rungs[0].time_ns


@pytest.mark.parametrize("kernel", KERNELS, ids=by_name)
def test_nothing_is_advised_that_loses(kernel):
    arrays = ladders.inputs(ladders.LADDERS[kernel])
    result = ladders.run(kernel, arrays, ladders.Choices(), timed=True, values=False)[1]
    result.ask(advice=True)
    steps = result.report["next_steps"]
    assert steps and all(step["time_ns"] < 0.99 * result.time_ns for step in steps)
    order = [(step["simulated"] == "without the cost", step["time_ns"]) for step in steps]
    assert order == sorted(order), "what was made and timed comes before what is a limit"
    assert result.try_next.startswith(steps[0]["change"])


def advised(kernel, arrays, **how):
    result = nki.jit(kernel).run(*arrays, timed=True, values=False, **how)[1]
    result.ask(advice=True)
    return result, result.report["next_steps"]


def half_exp(x, parts):
    """exp(x / 2) of one tile, in parts of its columns: more transfers in flight."""
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    wide = x.shape[1] // parts
    for part in range(parts):
        columns = slice(part * wide, (part + 1) * wide)
        tile = nl.ndarray((x.shape[0], wide), x.dtype)
        nisa.dma_copy(dst=tile, src=x[:, columns])
        nisa.activation(dst=tile, op=nl.exp, data=tile, scale=0.5)
        nisa.dma_copy(dst=out[:, columns], src=tile)
    return out


def sum_of(a, b):
    out = nl.ndarray(a.shape, a.dtype, buffer=nl.shared_hbm)
    left, right = nl.ndarray(a.shape, a.dtype), nl.ndarray(b.shape, b.dtype)
    nisa.dma_copy(dst=left, src=a)
    nisa.dma_copy(dst=right, src=b)
    nisa.tensor_tensor(dst=left, data1=left, data2=right, op=nl.add)
    nisa.dma_copy(dst=out, src=left)
    return out


@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
def test_loads_that_begin_at_once_are_not_to_start_earlier(machine):
    tile = np.zeros((128, 512), np.float32)
    for kernel, arrays in ((half_exp, (tile, 1)), (sum_of, (tile, tile))):
        steps = advised(kernel, arrays, machine=machine)[1]
        assert not [step for step in steps if step["change"].startswith("start loads earlier")]


def test_a_limit_leaves_the_starts_of_the_first_load_and_the_last_store():
    arrays, choices = ladders.inputs(ladders.LADDERS[ladders.matmul]), ladders.Choices()
    result = ladders.run(ladders.matmul, arrays, choices, timed=True, values=False)[1]
    zero = [f"dma.{way}.{cost}=0ns" for way in WAYS for cost in ("trigger_latency", "spread")]
    zero += ["dma.software_prepare=0ns", "dma.software_prepare_next=0ns"]
    result.ask(advice=True, what_if=[",".join(zero)])
    without = result.report["what_ifs"][0]["duration_ns"]
    limit = next(
        step["time_ns"]
        for step in result.report["next_steps"]
        if step["change"].startswith("start loads earlier")
    )
    figures = {one["key"]: one for one in result.machine.provenance()}
    least = min(float(figures[f"dma.{way}.trigger_latency"]["value"]) for way in WAYS)
    assert without + 2 * least <= limit < result.time_ns


@pytest.mark.parametrize("kernel", KERNELS, ids=by_name)
def test_a_gain_says_by_which_schedule_it_holds(kernel):
    arrays, choices = ladders.inputs(ladders.LADDERS[kernel]), ladders.Choices(schedule="list")
    result = ladders.run(kernel, arrays, choices, timed=True, values=False)[1]
    result.ask(advice=True)
    seen = False
    for step in result.report["next_steps"]:
        made = [change for words, change in ladders.CHANGES.items() if words in step["change"]]
        if step["simulated"] != "the changed kernel" or not made:
            continue
        for schedule, key in (("list", "time_ns"), ("author", "as_written_ns")):
            if step["schedule"] == "author":
                key = "time_ns"  # no other order is faster
            after = dataclasses.replace(choices, **made[0] | {"schedule": schedule})
            found = ladders.run(kernel, arrays, after, timed=True, values=False)[1].time_ns
            assert found == pytest.approx(step[key], rel=0.05), (step, schedule)
            seen = True
    assert seen
    best = result.report["next_steps"][0]
    words = "as written" if best["schedule"] == "author" else "with schedule list, "
    assert words in result.try_next.split("; or ")[0]


def softmax(x):
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


REFERENCES = {
    "softmax": softmax,
    "rmsnorm": lambda x: x / np.sqrt((x**2).mean(1, keepdims=True)),
    "matmul": lambda a, b: a.T @ b,
    "transpose": lambda x: x.T,
    "attention": lambda q, k, v: np.stack([softmax(q[h].T @ k[h]) @ v[h] for h in range(len(q))]),
}
ALL = ladders.Choices(fresh=True, loads=("sync", "scalar", "gpsimd"), stores=("scalar",))


@pytest.mark.parametrize("choices", [ladders.Choices(), ALL], ids=["first", "last"])
@pytest.mark.parametrize("kernel", KERNELS, ids=by_name)
def test_the_kernels_compute_what_their_names_say(kernel, choices):
    arrays = [array * np.float32(0.3) for array in ladders.inputs(ladders.LADDERS[kernel])]
    found = ladders.run(kernel, arrays, choices)[0]
    wanted = REFERENCES[kernel.__name__](*(array.astype(np.float64) for array in arrays))
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)
