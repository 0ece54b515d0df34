"""What changes in a PyTorch script for CUDA so that it runs on the device `neuron`.

`read` finds it without running the script; nothing of this package imports PyTorch.
"""

from trainyard.migration.reading import read
from trainyard.migration.script import Finding, Migration

__all__ = ["Finding", "Migration", "read"]
