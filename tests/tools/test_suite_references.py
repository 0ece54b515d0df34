"""Do the quicker references of tools/nki_suite give what nki-library's own give?"""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import nki_library_references as references


def decode(code, exponent_bits, bias):
    """A byte without infinities and NaN: every exponent is a number's, as nki-library has it."""
    mantissa_bits = 7 - exponent_bits
    exponent = code >> mantissa_bits & (1 << exponent_bits) - 1
    fraction = (code & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
    size = (
        fraction * 2.0 ** (1 - bias) if exponent == 0 else (1 + fraction) * 2.0 ** (exponent - bias)
    )
    return -size if code >> 7 else size


@pytest.mark.parametrize(
    ("name", "exponent_bits", "bias"), [("float8_e4m3fn_x4", 4, 7), ("float8_e5m2_x4", 5, 15)]
)
def test_every_code_is_what_the_reference_says(name, exponent_bits, bias):
    of_code = np.array([decode(code, exponent_bits, bias) for code in range(256)], np.float32)
    codes = np.random.default_rng(1).permuted(np.tile(np.arange(256, dtype=np.uint8), 3))
    packed = codes.view(getattr(neuron_dtypes, name)).reshape(12, 16)
    found = references._unpacked(packed, of_code)
    np.testing.assert_array_equal(found, of_code[codes].reshape(12, 64))
    assert np.array_equal(np.signbit(found), np.signbit(of_code[codes].reshape(12, 64)))


def test_fp8_is_cast_before_the_reference_and_nothing_else():
    given = {}
    wrap = references._casting_before(
        lambda reference, exact=False: lambda **inputs: given.update(inputs)
    )
    half = np.ones(2, np.float16)
    eighth = np.array([1.5, -240], neuron_dtypes.float8_e4m3)
    wrap(None)(a=half, b=eighth, c=3)
    assert given["a"] is half
    assert given["c"] == 3
    assert given["b"].dtype == np.float32
    assert given["b"].tolist() == [1.5, -240]
    wrap(None, exact=True)(b=eighth)
    assert given["b"] is eighth


def test_shapes_come_from_the_run_before():
    runs = []

    def run(kernel_input, lnc):
        runs.append(lnc)
        return {"out": kernel_input["X"] + 1}

    def infer(kernel_input, lnc):
        return {name: np.zeros_like(array) for name, array in run(kernel_input, lnc).items()}

    tests = SimpleNamespace(_golden_ref_via_torch=run, _infer_output_shapes_and_dtypes=infer)
    references._ask_for_shapes_once(tests)
    first, second = {"X": np.ones((2, 3), np.float16)}, {"X": np.ones(4)}
    np.testing.assert_array_equal(tests._golden_ref_via_torch(first, 2)["out"], first["X"] + 1)
    shapes = tests._infer_output_shapes_and_dtypes(dict(first), 2)
    assert (shapes["out"].shape, shapes["out"].dtype, len(runs)) == ((2, 3), np.float16, 1)
    assert tests._infer_output_shapes_and_dtypes(second, 2)["out"].shape == (4,)
    assert len(runs) == 2


@pytest.mark.parametrize("tokens", [1, 4])
@pytest.mark.parametrize("shape", [(2, 3), (5, 16), (1, 4), (3, 1)])
def test_heads_share_a_matrix_without_copies(shape, tokens, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(references, "_SHARED", 100)
    batch, heads = shape
    product = references.by_heads(torch.matmul)
    torch.manual_seed(1)
    keys, values = torch.randn(2, batch, 1, 640, 64)
    queries = torch.randn(batch, heads, tokens, 64).permute(0, 1, 3, 2)
    scores = torch.matmul(keys, queries)
    assert torch.equal(product(keys, queries), scores)
    weights = scores.permute(0, 1, 3, 2)
    assert torch.equal(product(weights, values), torch.matmul(weights, values))
    across = keys.permute(0, 1, 3, 2).clone().permute(0, 1, 3, 2)
    assert torch.equal(product(across, queries), torch.matmul(across, queries))


def test_other_products_are_left_to_torch(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(references, "_SHARED", 1)
    given = []
    product = references.by_heads(lambda *both: given.append(both))
    shared, others = torch.ones(2, 1, 4, 4), torch.ones(2, 3, 4, 4)
    pairs = [
        (shared, 3),
        (shared, shared),
        (shared[0], others),
        (shared.double(), others.double()),
        (shared, others.clone().requires_grad_()),
        (torch.ones(1, 1, 4, 4), others),
    ]
    for pair in pairs:
        product(*pair)
    assert len(given) == len(pairs)
