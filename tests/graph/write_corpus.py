"""Writes the corpora of the fuzz targets again: python tests/graph/write_corpus.py."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import jax_programs
import test_text

CORPUS = Path(__file__).parents[1] / "fuzz/corpus"
FOLDER = CORPUS / "artifact"
VERSIONS = {"loop": ("1.17.0", "1.0.0"), "gather": ("1.17.0", "1.0.0")}

for name, (function, arguments) in jax_programs.PROGRAMS.items():
    for version in VERSIONS.get(name, ("1.13.7",)):
        artifact = jax_programs.artifact_of(function, *arguments, version=version)
        (FOLDER / f"{name}_{version}.bc").write_bytes(artifact)

# Each form of printing where it shows most.
for name, form in {
    "loop": "pretty",
    "convolution": "pretty",
    "sort": "pretty",
    "gather": "generic",
    "pooling_gradient": "generic",
    "softmax": "located",
    "top_k": "pretty",
    "complex": "pretty",
}.items():
    function, arguments = jax_programs.PROGRAMS[name]
    artifact = jax_programs.artifact_of(function, *arguments, version=test_text.VERSION)
    text = test_text.forms_of(artifact)[form]
    (CORPUS / "text" / f"{name}_{form}.mlir").write_text(text)
