"""Writes the corpus of the fuzz target again: python tests/graph/write_corpus.py."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import jax_programs

FOLDER = Path(__file__).parents[1] / "fuzz/corpus/artifact"
VERSIONS = {"loop": ("1.17.0", "1.0.0"), "gather": ("1.17.0", "1.0.0")}

for name, (function, arguments) in jax_programs.PROGRAMS.items():
    for version in VERSIONS.get(name, ("1.13.7",)):
        artifact = jax_programs.artifact_of(function, *arguments, version=version)
        (FOLDER / f"{name}_{version}.bc").write_bytes(artifact)
