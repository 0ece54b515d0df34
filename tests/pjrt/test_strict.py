"""Does TRAINYARD_STRICT refuse what AWS's compiler is documented to refuse, with its codes?"""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, jax, jax.numpy as jnp, numpy as np
from jax import lax
x = np.ones((4, 8), np.float32)
i = np.ones((4, 8), np.int32)
image = np.ones((1, 1, 8, 8), np.float32)
pads = [(1, 1), (1, 1)]
def dilated(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), pads, lhs_dilation=(2, 2), rhs_dilation=(2, 2))
def strided(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), pads, lhs_dilation=(2, 2))
cases = {
    "NCC_EVRF001": lambda: lax.linalg.triangular_solve(np.eye(4, dtype="f"), x, left_side=True),
    "NCC_EVRF004": lambda: jnp.fft.fft(x),
    "NCC_EVRF010": lambda: dilated(image, image[:, :, :3, :3]),
    "NCC_EVRF011": lambda: strided(image, image[:, :, :3, :3]),
    "NCC_EVRF013": lambda: lax.top_k(i, 2),
    "NCC_EVRF016": lambda: jnp.asarray(i).at[0].add(1),
    "NCC_EVRF018": lambda: lax.reduce_window(
        x, 0.0, lax.add, (2, 2), (1, 1), "VALID", window_dilation=(2, 2)),
    "NCC_EVRF022": lambda: jnp.asarray(i.astype(np.int16)) >> 1,
    "NCC_EVRF031": lambda: lax.scatter(
        x, lax.iota(jnp.int32, 10).reshape(10, 1), np.ones((10, 8), np.float32),
        lax.ScatterDimensionNumbers((1,), (0,), (0,)), mode="drop"),
    "NCC_EVRF056": lambda: lax.gather(
        jnp.asarray(x), lax.iota(jnp.int32, 10).reshape(10, 1),
        lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 8), mode="clip"),
    "NCC_EVRF035": lambda: jnp.asarray(i) @ i.T,
    "none": lambda: jax.nn.softmax(jnp.asarray(x) @ x.T),
}
found = []
for code, run in cases.items():
    try:
        jax.jit(run)()
        told = "none"
    except Exception as error:
        told = next((word.strip(":,") for word in str(error).split() if word.startswith("NCC_")),
                    str(error)[:200])
    found.append(f"{code}={told}")
print(*found, sep="\\n")
"""


@pytest.mark.parametrize("strict", ["0", "1"])
def test_each_documented_refusal_has_its_code(strict):
    environment = {key: value for key, value in os.environ.items() if key != "JAX_PLATFORMS"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment | {"TRAINYARD_STRICT": strict},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for line in done.stdout.split():
        code, told = line.split("=", 1)
        assert told == (code if strict == "1" else "none")
