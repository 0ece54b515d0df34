"""Random JAX programs give the CPU's values on the simulated machine."""

import pytest

pytest.importorskip("jax")

from random_programs import RandomProgram, differences


@pytest.mark.parametrize("seed", range(24))
def test_agrees_with_the_cpu(seed):
    program = RandomProgram(seed)
    assert list(differences(program)) == [], program.steps
