"""Does what Trainyard advises gain what it promises, when an author does it?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

import itertools

import ladders

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
