"""Chakra execution traces of other accelerators, timed on a simulated system.

    trace = trainyard.execution.read("trace.et")
    print(trainyard.execution.time_on(trace, "trn3-gen2", ranks=64))

What a node computes is taken from the operator that launched it: its products, and the bytes that
it reads and writes, at the machine's peak rates. Collectives are simulated. What the trace does not
say is listed with the time that it took where it was recorded.
"""

from trainyard.execution.nodes import Node, Trace, read
from trainyard.execution.schedule import Timing, time_on

__all__ = ["Node", "Timing", "Trace", "read", "time_on"]
