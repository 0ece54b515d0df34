"""Do modules that only AWS's package has say where to get what they hold?"""

import importlib

import pytest


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("neuronxcc.nki.kernels", "nki-samples"),
        ("neuronxcc.nki.kernels.attention", "nki_samples.reference.attention"),
        ("neuronxcc.nki.nccl", "nki.collectives"),
    ],
)
def test_the_error_names_what_to_use_instead(name, instead):
    with pytest.raises(ImportError, match=instead):
        importlib.import_module(name)
