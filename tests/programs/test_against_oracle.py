"""Do programs leave the bits in HBM that the NumPy oracle says?

Bit for bit, activation functions included: both sides round a float64 function once.
"""

import compare
import ml_dtypes
import more_kernels
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import oracle
import pytest
import random_kernels
from attention import attention
from first import half_exp
from mx_matmul import mx_matmul
from nki import _instructions
from trainyard import _core

EMITTERS = random_kernels.EMITTERS + more_kernels.MORE
CONTROL = {"loop_begin", "loop_end", "branch"}
# The oracle runs one core; tests/nki/test_grid.py and test_collectives.py set these beside NumPy.
BETWEEN_CORES = {"core_barrier", "sendrecv"} | set(
    _instructions.of_interface(_instructions.Interface.COLLECTIVES)
)
BESIDE_NUMPY = {"nc_matmul_sparse"}  # by tests/python/test_experimental.py


def check(kernel, *inputs, machine="trn3"):
    for number, (found, wanted) in enumerate(compare.outputs(kernel, *inputs, machine=machine)):
        at = compare.differing(found, wanted)
        where = (
            f"{len(at)} of {found.size} elements of output {number} ({found.dtype}), at {at[:5]}"
        )
        assert len(at) == 0, f"{where}: {found[at[:5]]}, the oracle has {wanted[at[:5]]}"


def normal(*shape):
    values = np.random.default_rng(7).standard_normal(shape, dtype=np.float32)
    return values.astype(ml_dtypes.bfloat16)


def test_the_oracle_knows_every_instruction():
    known = set(oracle.MEANING) | CONTROL | BETWEEN_CORES | BESIDE_NUMPY
    # Without a tile or a register there is nothing that it could change.
    schema = _core.instruction_schema()
    named = {entry["mnemonic"] for entry in schema if any(o["access"] for o in entry["operands"])}
    missing = named - known
    assert not missing, f"write what they mean in tests/oracle: {sorted(missing)}"


def test_the_first_example():
    check(half_exp, np.linspace(-9, 9, 128 * 300, dtype=np.float32).reshape(128, 300))


def test_every_function_at_its_edges():
    names = sorted((set(oracle.FUNCTIONS) | set(oracle.SMOOTH)) - {"sin"})  # sin has a valid range
    edges = [0.0, -0.0, 1e-40, -1e-40, 1e-3, -1e-3, 20, -20, 3e38, -3e38, np.inf, -np.inf, np.nan]

    @nki.jit
    def functions(x):
        tile = nl.load(x)
        out = nl.ndarray((1, len(names) * len(edges)), x.dtype, buffer=nl.shared_hbm)
        for i, name in enumerate(names):
            result = nl.ndarray((1, len(edges)), x.dtype)
            nisa.activation(dst=result, op=getattr(nl, name), data=tile)
            nisa.dma_copy(dst=out[:, nl.ds(i * len(edges), len(edges))], src=result)
        return out

    check(functions, np.array([edges], np.float32))


def test_attention():
    check(attention, normal(128, 1024), normal(128, 1024), normal(1024, 128))


def test_a_quantised_product():
    check(mx_matmul, normal(1024, 128), normal(1024, 512))


@pytest.mark.parametrize("emitter", EMITTERS, ids=lambda emitter: emitter.__name__)
def test_instructions_of_one_kind(emitter):
    for seed in range(3):
        check(random_kernels.kernel(seed, 8, [emitter]), random_kernels.values(seed))


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed):
    check(random_kernels.kernel(seed, 80, EMITTERS), random_kernels.values(seed))


@pytest.mark.parametrize("machine", ["trn1", "trn2"])
def test_random_programs_of_older_machines(machine):
    emitters = [e for e in random_kernels.EMITTERS if e is not random_kernels.random_numbers]
    for seed in range(3):
        check(
            random_kernels.kernel(seed, 60, emitters), random_kernels.values(seed), machine=machine
        )
