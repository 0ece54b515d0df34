"""Does a process forked after JAX ran work, or say why it cannot, instead of waiting for ever?"""

import subprocess
import sys

import pytest

SCRIPT = """
import os, sys
import jax, jax.numpy as jnp, numpy as np
double = jax.jit(lambda x: x + x)
x = np.ones((4, 4), np.float32)
if {before}:
    jax.block_until_ready(double(x))
if os.fork() == 0:
    try:
        print({work}, flush=True)
    except RuntimeError as error:
        print("refused:", error, flush=True)
    os._exit(0)
os.wait()
print("parent", np.asarray(jax.jit(lambda x: x * 3)(x))[0, 0])
"""
KNOWN = "np.asarray(double(x))[0, 0]"
NEW = "np.asarray(jax.jit(lambda x: jnp.cos(x) + 1)(x))[0, 0]"


def lines_of(work: str, before: bool) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT.format(work=work, before=before)],
        check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("work", "before", "child"),
    [
        (KNOWN, True, "2.0"),
        ("np.asarray(jax.device_put(x))[0, 0]", True, "1.0"),
        (NEW, True, "refused: JAX cannot compile in a process that os.fork() made"),
        (NEW, False, "1.5403"),
    ],
    ids=["compiled before", "a copy", "compiled in the child", "forked first"],
)
def test_a_forked_process_works_or_says_why_not(work, before, child):
    first, parent = lines_of(work, before)
    assert first.startswith(child) and parent == "parent 3.0"
