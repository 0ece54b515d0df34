"""The part of AWS's package neuronxcc that kernels import: neuronxcc.nki, first-generation NKI."""

import logging

# Importing AWS's package defines this level; public test harnesses disable logging by it: decision
# 0002, our only patch.
if not hasattr(logging, "OFF"):
    logging.OFF = logging.CRITICAL + 10  # type: ignore[attr-defined]
