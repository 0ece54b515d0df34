"""Writes the corpora of the fuzz targets again: python tests/graph/write_corpus.py.

Beside the artifacts it writes tests/graph/artifacts: each as jaxlib prints it. Texts there that no
JAX program stands for were written by hand, and artifacts are made of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import jax_programs
import test_text
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

TEXTS = Path(__file__).parent / "artifacts"
CORPUS = Path(__file__).parents[1] / "fuzz/corpus"
FOLDER = CORPUS / "artifact"
VERSIONS = {"loop": ("1.17.0", "1.0.0"), "gather": ("1.17.0", "1.0.0")}


def write(name: str, artifact: bytes) -> None:
    (FOLDER / f"{name}.bc").write_bytes(artifact)
    (TEXTS / f"{name}.mlir").write_text(test_text.forms_of(artifact)["located"])


def artifact_of_text(text: str, version: str) -> bytes:
    with jax_mlir.make_ir_context() as context:
        module = ir.Module.parse(text, context)
        return stablehlo.serialize_portable_artifact(module, version, True)


for name, (function, arguments) in jax_programs.PROGRAMS.items():
    for version in VERSIONS.get(name, ("1.13.7",)):
        write(f"{name}_{version}", jax_programs.artifact_of(function, *arguments, version=version))

for path in TEXTS.glob("*.mlir"):
    name, _, version = path.stem.rpartition("_")
    if name not in jax_programs.PROGRAMS:
        write(path.stem, artifact_of_text(path.read_text(), version))

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
