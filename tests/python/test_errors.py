"""Do the core's errors arrive in Python with their parts?"""

import pytest
import trainyard


def test_an_input_error_carries_every_violation_with_its_parts():
    with pytest.raises(trainyard.InputError) as caught:
        trainyard.load_machine("nowhere")
    (violation,) = caught.value.violations
    assert violation.label == "machine.not_found"
    assert violation.found == "nowhere"
    assert "trn3" in violation.fix
    assert str(violation) == str(caught.value)


def test_an_input_error_is_a_value_error_and_a_fault_is_a_runtime_error():
    assert issubclass(trainyard.InputError, ValueError)
    assert issubclass(trainyard.Fault, RuntimeError)
    assert trainyard.InputError.__module__ == trainyard.Fault.__module__ == "trainyard"
