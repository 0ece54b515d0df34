"""Does a JAX function take what its arguments, results and products say?"""

import pytest
import trainyard
from trainyard.usage import UsageError

jax = pytest.importorskip("jax")


def shape(*sizes, kind="bfloat16"):
    return jax.ShapeDtypeStruct(sizes, kind)


def layer(x, up, down):
    return jax.nn.relu(x @ up) @ down


def test_bytes_and_operations_are_the_programs():
    found = trainyard.fit(layer, shape(512, 1024), shape(1024, 4096), shape(4096, 1024))
    assert found.argument_bytes == 2 * (512 * 1024 + 2 * 1024 * 4096)
    assert found.result_bytes == 2 * 512 * 1024
    assert found.flops == pytest.approx(2 * 2 * 512 * 1024 * 4096, rel=0.02)
    assert found["h100"].fits
    assert found["h100"].bound in ("compute", "memory")
    assert "layer" in str(found)


def test_what_is_too_large_for_a_chip_says_how_many_hold_it():
    wide = shape(1_000_000, 100_000)
    found = trainyard.fit(lambda x: x + 1, wide, on="h100,trn3-gen2")
    assert [one.machine for one in found.machines] == ["h100", "trn3-gen2"]
    assert not found["h100"].fits
    assert found["h100"].chips >= 4e11 / (80 * 2**30)
    assert found["trn3-gen2"].chips < found["h100"].chips


def test_a_function_that_cannot_be_traced_is_refused():
    with pytest.raises(UsageError, match="cannot be traced"):
        trainyard.fit(layer, shape(5, 7), shape(6, 7), shape(7, 7))
    with pytest.raises(TypeError, match="no option"):
        trainyard.fit(layer, shape(5, 7), batch=3)


@pytest.mark.parametrize("arguments", [(), ("h100", "b200"), (3,)])
def test_a_model_is_fitted_to_one_machine(arguments):
    with pytest.raises(TypeError, match="one machine"):
        trainyard.fit("llama3-8b", *arguments)
