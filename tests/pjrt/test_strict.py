"""Does TRAINYARD_STRICT refuse what AWS's compiler is documented to refuse, with its codes?

The examples are those of the codes' pages, as far as JAX can express them.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import json, jax, jax.numpy as jnp, numpy as np
from jax import lax
x = np.ones((4, 8), np.float32)
i = np.ones((4, 8), np.int32)
"""
END = """
for code, run in cases.items():
    try:
        jax.block_until_ready(run())
        told = "none"
    except Exception as error:
        told = " ".join(word.strip(":,") for word in str(error).split() if word.startswith("NCC_"))
        told = told or repr(str(error)[:300])
    print(code.split()[0], told, sep="=")
"""
OPERATIONS = """
image = np.ones((1, 1, 8, 8), np.float32)
pads = [(1, 1), (1, 1)]
def dilated(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), pads, lhs_dilation=(2, 2), rhs_dilation=(2, 2))
def strided(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), pads, lhs_dilation=(2, 2))
def add_pairs(a, b):
    return a[0] + b[0], a[1] + b[1]
def window(x, initial, function, **dilation):
    return lax.reduce_window(x, initial, function, (2, 2), (1, 1), "VALID", **dilation)
def wide(function):
    def run():
        with jax.enable_x64(True):
            return jax.jit(function)()
    return run
cases = {
    "NCC_EVRF001": lambda: lax.linalg.triangular_solve(np.eye(4, dtype="f"), x, left_side=True),
    "NCC_EVRF004": lambda: jnp.fft.fft(x),
    "NCC_EVRF005": lambda: jnp.asarray(x).astype(jnp.float8_e4m3fnuz),
    "NCC_EVRF006": lambda: lax.rng_bit_generator(
        np.zeros(4, np.uint32), (4,), algorithm=lax.RandomAlgorithm.RNG_THREE_FRY),
    "NCC_EVRF010": lambda: dilated(image, image[:, :, :3, :3]),
    "NCC_EVRF011": lambda: strided(image, image[:, :, :3, :3]),
    "NCC_EVRF013": lambda: lax.top_k(i, 2),
    "NCC_EVRF015": lambda: jax.ffi.ffi_call(
        "UNRECOGNIZED_TARGET", jax.ShapeDtypeStruct(x.shape, x.dtype))(x),
    "NCC_EVRF016": lambda: jnp.asarray(i).at[0].add(1),
    "NCC_EVRF017": lambda: window(x, 0.0, lax.add, base_dilation=(2, 2)),
    "NCC_EVRF018": lambda: window(x, 0.0, lax.add, window_dilation=(2, 2)),
    "NCC_EVRF019": lambda: window((x, x), (0.0, 0.0), add_pairs),
    "NCC_EVRF022": lambda: jnp.asarray(i.astype(np.int16)) >> 1,
    "NCC_EVRF031": lambda: lax.scatter(
        x, lax.iota(jnp.int32, 10).reshape(10, 1), np.ones((10, 8), np.float32),
        lax.ScatterDimensionNumbers((1,), (0,), (0,)), mode="drop"),
    "NCC_EVRF056": lambda: lax.gather(
        jnp.asarray(x), lax.iota(jnp.int32, 10).reshape(10, 1),
        lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 8), mode="clip"),
    "NCC_EVRF035": lambda: jnp.asarray(i) @ i.T,
    "NCC_EVRF060": lambda: jnp.asarray(i).at[0].add(1),
    "NCC_ESPP004": lambda: jnp.asarray(0).astype(jnp.float4_e2m1fn),
    "none": lambda: jax.nn.softmax(jnp.asarray(x) @ x.T),
}
cases = {code: jax.jit(run) for code, run in cases.items()} | {
    "NCC_EVRF061": lambda: jax.pmap(lambda x: lax.psum(x, "i"), "i")(i[:2]),
    "NCC_EVRF063": lambda: jax.pmap(lambda x: lax.psum_scatter(x, "i"), "i")(i[:2, :2]),
    "NCC_ESFH002": wide(
        lambda: jnp.array([1, 2, 3], dtype=jnp.uint64) + jnp.uint64(5_000_000_000)),
}
"""
CUSTOM_CALLS = """
bf16, fp8, f16, u8, u32 = jnp.bfloat16, jnp.float8_e4m3fn, np.float16, np.uint8, np.uint32
def call(target, operands, results, config):
    results = [jax.ShapeDtypeStruct(*each) for each in results]
    return jax.jit(jax.ffi.ffi_call(
        target, results if len(results) > 1 else results[0], custom_call_api_version=2,
        legacy_backend_config=config))(*map(jnp.asarray, operands))
def quantize(*operands, results=(((4, 16), u32), ((4, 2), u8)), text=None, **config):
    config = {"dtype": "float8_e5m2", "dim": -1} | config
    return call("QuantizeMX", operands or [np.ones((4, 64), bf16)], results,
                text or json.dumps(config))
words, scales = np.ones((4, 16), u32), np.ones((4, 2), u8)
batch, batches = [0], {"lhs_batch_dimensions": [0], "rhs_batch_dimensions": [0]}
def dot(a=words, b=words, a_scale=scales, b_scale=scales, result=np.float32, text=None, **config):
    given = [each for each in (a, b, a_scale, b_scale) if each is not None]
    return call("__op$block_scaled_dot", given, [((4, 4), result)],
                text or json.dumps({"scaled_dot_backend_config": config}))
two, two_scales = np.ones((2, 4, 16), u32), np.ones((2, 4, 2), u8)
cases = {
    "none quantize": quantize,
    "NCC_EVRF036": lambda: quantize(text="{"),
    "NCC_EVRF037": lambda: quantize(np.ones((4, 64), bf16), x),
    "NCC_EVRF038": lambda: quantize(np.ones((2, 4, 64), bf16), dim=0),
    "NCC_EVRF039": lambda: quantize(block_size=16),
    "NCC_EVRF040": lambda: quantize(scale_method="MAX"),
    "NCC_EVRF041": lambda: quantize(np.ones((4, 64), np.float32)),
    "NCC_EVRF042": lambda: quantize(dtype="float16"),
    "NCC_EVRF042 shape": lambda: quantize(results=(((4, 8), u32), ((4, 2), u8))),
    "NCC_EVRF057": lambda: quantize(results=(((4, 16), u32),)),
    "NCC_EVRF058": lambda: quantize(np.ones((4, 66), bf16)),
    "none dot": dot,
    "NCC_EVRF043": lambda: dot(b_scale=None),
    "NCC_EVRF044": lambda: dot(np.ones((4, 64), np.float32)),
    "NCC_EVRF045": lambda: dot(result=f16),
    "NCC_EVRF046": lambda: dot(words[0], a_scale=scales[0]),
    "NCC_EVRF047": lambda: dot(b=words[0], b_scale=scales[0]),
    "NCC_EVRF048": lambda: dot(words[None], two, scales[None], two_scales, **batches),
    "NCC_EVRF049": lambda: dot(text="{"),
    "NCC_EVRF049 list": lambda: dot(lhs_contracting_dimensions=["one"]),
    "NCC_EVRF050": lambda: dot(b=words[:, :8], b_scale=scales[:, :1]),
    "NCC_EVRF053": lambda: dot(lhs_contracting_dimensions=[0], lhs_batch_dimensions=[0]),
    "NCC_EVRF054": lambda: dot(lhs_batch_dimensions=[2]),
    "NCC_EVRF055": lambda: dot(rhs_contracting_dimensions=[-1]),
}
"""
FP8 = """
cases = {"NCC_EVRF051": jax.jit(lambda: jnp.asarray(x, jnp.float8_e4m3fn) + 1)}
"""
LARGE = """
cases = {
    "NCC_EVRF009": jax.jit(lambda: jnp.ones((1 << 21,))),
    "NCC_EOOM001": jax.jit(lambda: jnp.sort(jnp.sort(
        jnp.sin(jnp.arange(1e6)).reshape(1000, 1000), 0), 1)[0, :4]),
}
"""
LONG = """
x = np.ones((128, 128), np.float32)
cases = {
    "none": lambda: jax.jit(lambda x: x @ x)(x),
    "NCC_EBVF030": lambda: jax.jit(lambda x: lax.fori_loop(0, 100, lambda i, y: x @ y, x))(x),
}
"""
CORES = """
cases = {"NCC_EARG001": lambda: jax.jit(jnp.sin)(x)}
"""


def found(cases: str, **environment: str) -> list[tuple[str, list[str]]]:
    """Each case's code, and the codes that were told."""
    inherited = {key: value for key, value in os.environ.items() if key != "JAX_PLATFORMS"}
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + cases + END], env=inherited | environment,
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split("=", 1) for line in done.stdout.splitlines()]
    assert lines
    return [(code, told.split()) for code, told in lines]


@pytest.mark.parametrize("strict", ["0", "1"])
def test_each_documented_refusal_has_its_code(strict):
    for code, told in found(OPERATIONS, TRAINYARD_STRICT=strict):
        if strict == "1":
            assert code in told
        else:
            assert told == ["none"] or code == "NCC_EVRF015"  # which nobody could run


def test_custom_calls_are_refused_by_the_codes_of_their_pages():
    for code, told in found(CUSTOM_CALLS, TRAINYARD_STRICT="1"):
        assert told == [code]


@pytest.mark.parametrize(
    ("cases", "environment"),
    [
        (FP8, {"TRAINYARD_MACHINE": "trn2"}),
        (LARGE, {"TRAINYARD_MODE": "machine", "TRAINYARD_SET": "hbm.stack_size=4 MiB"}),
        (LONG, {"TRAINYARD_MODE": "machine",
                "NEURON_CC_FLAGS": "--internal-max-instruction-limit=100"}),
        (CORES, {"TRAINYARD_MACHINE": "trn1", "NEURON_LOGICAL_NC_CONFIG": "2"}),
    ],
)  # fmt: skip
def test_what_the_machine_cannot_take_is_refused(cases, environment):
    for code, told in found(cases, TRAINYARD_STRICT="1", **environment):
        assert told == [code]


@pytest.mark.parametrize("flag", ["all", "dot,scatter,all_reduce,reduce_scatter"])
def test_permitted_downcasts_are_not_refused(flag):
    flags = f"--implicit-integer-downcast={flag}"
    for code, told in found(OPERATIONS, TRAINYARD_STRICT="1", NEURON_CC_FLAGS=flags):
        permitted = code in {f"NCC_EVRF0{n}" for n in (16, 35, 60, 61, 63)}
        assert told == ["none"] if permitted else code in told


def test_the_page_of_the_codes_lists_all_that_are_told():
    page = (ROOT / "docs/ncc_codes.md").read_text()
    sources = [
        *("session/refusals.cpp", "pjrt/compiled.cpp", "pjrt/options.cpp"),
        *(f"graph/custom_calls/mx_{name}.cpp" for name in ("product", "quantize")),
    ]
    text = "".join((ROOT / "src" / source).read_text() for source in sources)
    told = set(re.findall(r"\bNCC_E[A-Z]{3}\d{3}", text))
    assert len(told) > 40
    assert told <= set(re.findall(r"NCC_E[A-Z]{3}\d{3}", page))
