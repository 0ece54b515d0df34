"""Is every seeded mistake found, and nothing in the kernels they were seeded into?"""

import runpy
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from corpus import INPUTS, MUTANTS, Mutant, mutated, run
from harness import findings_of, ids
from trainyard import findings

ROOT = Path(__file__).resolve().parents[2]
# Programs of the compiler cannot have these; tests/system seeds them into compiled programs. A loop
# without an end takes seconds: tests/nki/test_loops.py.
IN_PROGRAMS = {"memory.race", "run.deadlock", "order.semaphore", "run.endless"}


@pytest.mark.parametrize("machine", ["trn2", "trn3"])
@pytest.mark.parametrize("kernel", INPUTS)
def test_nothing_is_wrong_with_the_originals(kernel, machine):
    found = findings.at_least(run(kernel, machine), "warning")
    assert not found, "\n".join(map(findings.describe, found))


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_seeded_mistake_is_found(mutant: Mutant):
    found = run(mutant.kernel, mutant.machine, mutated(mutant))
    assert mutant.check in ids(found), "\n".join(map(findings.describe, found))
    (one, *_) = [one for one in found if one["label"] == mutant.check]
    assert one["place"].startswith(f"<checks/{mutant.kernel}.py>:")


def test_every_check_has_a_seeded_mistake():
    assert {mutant.check for mutant in MUTANTS} | IN_PROGRAMS == set(findings.registry())


def _bf16(*shape: int) -> np.ndarray:
    values = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    return values.astype(ml_dtypes.bfloat16)


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("attention", [(128, 1024), (128, 1024), (1024, 128)]),
        ("mx_matmul", [(1024, 512), (1024, 512)]),
    ],
)
def test_nothing_is_wrong_with_the_demonstration(name, shapes):
    kernel = runpy.run_path(str(ROOT / f"examples/{name}.py"))[name]
    found = findings_of(kernel, *(_bf16(*shape) for shape in shapes))
    likely = findings.at_least(found, "warning")
    assert not likely, "\n".join(map(findings.describe, likely))


def test_the_same_finding_of_two_cores_is_one():
    store = "        nisa.dma_copy(dst=tile, src=x[rows, :])"
    twice = mutated(
        Mutant("", "grid", store[4:], "    nisa.memset(dst=tile, value=0.0)\n" + store[4:])
    )
    (found,) = [one for one in run("grid", source=twice) if one["label"] == "perf.memset"]
    assert found["count"] == 2
