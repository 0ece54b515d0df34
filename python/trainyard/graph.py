"""Tensor programs: StableHLO artifacts read and printed by the core, no MLIR needed."""

from __future__ import annotations

from pathlib import Path

from trainyard._core import GraphModule, graph_read
from trainyard.files import read_whole

__all__ = ["GraphModule", "read", "read_file"]


def read(artifact: bytes) -> GraphModule:
    """The program of a StableHLO portable artifact, as jax.export and PJRT hand it over.

    Raises InputError "graph.artifact" with the byte offset when the bytes are no such program.
    """
    return graph_read(artifact)


def read_file(path: str | Path) -> GraphModule:
    """The program in a file."""
    return read(read_whole(Path(path)))
