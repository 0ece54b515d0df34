"""Texts to portable artifacts with jaxlib's bindings, in a process of its own: they may abort it.

python -m stablehlo.convert FOLDER: each FOLDER/*.mlir without a .bc or .error beside it gets one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

VERSION = "1.17.0"
FOLDER = Path(__file__).resolve().parents[1]


def convert_all(folder: Path) -> None:
    """Converts every text in `folder`; one that kills the process gets a file .error."""
    while waiting := _waiting(folder):
        done = subprocess.run(
            [sys.executable, "-m", "stablehlo.convert", str(folder)],
            cwd=FOLDER,
            capture_output=True,
            text=True,
        )
        left = _waiting(folder)
        if done.returncode != 0 and left:
            left[0].with_suffix(".error").write_text("the bindings abort")
        if len(_waiting(folder)) == len(waiting):
            raise RuntimeError(done.stderr)


def _waiting(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.glob("*.mlir"))
        if not path.with_suffix(".bc").exists() and not path.with_suffix(".error").exists()
    ]


def _convert(path: Path) -> None:
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    try:
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(path.read_text())
            artifact = stablehlo.serialize_portable_artifact(module, VERSION, True)
        path.with_suffix(".bc").write_bytes(artifact)
    except Exception as error:
        path.with_suffix(".error").write_text(str(error)[:300])


if __name__ == "__main__":
    for waiting in _waiting(Path(sys.argv[1])):
        _convert(waiting)
