"""The same property tests run every time: a failure on one machine is a failure on all."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
# Tests that use JAX get the CPU unless they ask for the platform `neuron`.
os.environ.setdefault("JAX_PLATFORMS", "cpu,neuron")
