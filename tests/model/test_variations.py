"""Do choices made otherwise compute the same, and does --explain time them?"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from trainyard import _core, alternatives, compilations, model

RANDOM = np.random.default_rng(0)
VARIATIONS = _core.compiler_variations()
ARRAY = "probabilities turned by the array"
TRANSFERS = "probabilities turned by the DMA engines"


def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 4
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)


def norm(x, g):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * g


def layers(x, w, v):
    return jax.nn.gelu(norm(x, w[0]) @ w) @ v


def convolution(x, w):
    return jax.lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def moved(x):
    return jnp.tanh(x).T.reshape(-1, 96) + 1


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


HEADS = [normal(2, 256, 16) for _ in range(3)]
CASES = {
    "attention": (attention, HEADS),
    "layers": (layers, (normal(256, 384), normal(384, 384) / 20, normal(384, 512) / 20)),
    "convolution": (convolution, (normal(2, 12, 12, 64), normal(3, 3, 64, 64) / 24)),
    "moved": (moved, (normal(192, 256),)),
}


def compiled(name, variation):
    function, arguments = CASES[name]
    exported = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
    module = _core.graph_read(exported.mlir_module_serialized)
    machine = _core.load_machine("trn3")
    return _core.compile_model(module, machine, variation=variation), arguments


@pytest.mark.parametrize("variation", range(len(VARIATIONS)))
@pytest.mark.parametrize("name", CASES)
def test_a_variation_changes_no_values(name, variation):
    made, arguments = compiled(name, variation)
    inputs = [made.buffer(i, each.tobytes()) for i, each in enumerate(arguments)]
    (content,) = made.run(inputs).take_outputs()
    expected = model.compile(CASES[name][0], *arguments)(*arguments)
    np.testing.assert_allclose(
        np.frombuffer(content, np.float32).reshape(expected.shape), expected, rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("keys", [64, 197, 512, 1024])
def test_who_turns_probabilities_changes_time_and_no_bit(keys):
    shape = (2, keys, 64)
    operands = [normal(*shape).astype(jnp.bfloat16) for _ in range(3)]
    exported = export.export(jax.jit(attention), platforms=["cpu"])(*operands)
    module = _core.graph_read(exported.mlir_module_serialized)
    machine = _core.load_machine("trn3")
    contents, times = {}, {}
    for number, (words, _) in enumerate(VARIATIONS):
        if words not in ("as it is", ARRAY, TRANSFERS):
            continue
        made = _core.compile_model(module, machine, variation=number)
        inputs = [made.buffer(i, each.tobytes()) for i, each in enumerate(operands)]
        run = made.run(inputs, timed=True)
        (contents[words],), times[words] = run.take_outputs(), run.nanoseconds
    assert contents["as it is"] == contents[ARRAY] == contents[TRANSFERS]
    assert times["as it is"] == min(times.values())
    assert times[ARRAY] != times[TRANSFERS]


@pytest.fixture
def explained(monkeypatch, tmp_path):
    """The groups of a case with their alternatives, and no cache but their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def explain(name):
        collector = compilations.Collector(explains=True)
        made, _ = compiled(name, 0)
        collector.made(0, made)
        collector.ran(0, made.run([], timed=True, values=False, record=True))
        (compilation,) = collector.compilations
        compilation.look_for_alternatives()
        return [group for groups in compilation.explained for group in groups]

    return explain


@pytest.mark.parametrize(
    "name, words",
    [
        ("attention", "two bands under way"),
        ("attention", TRANSFERS),
        ("layers", "its operations one after the other"),
        ("layers", "tiles of 128 x 256"),
        ("layers", "what follows it apart"),
        ("convolution", "patches as a matrix"),
    ],
)
def test_each_kind_of_region_has_alternatives(explained, name, words):
    groups = explained(name)
    found = {each.words: each for group in groups for each in group.alternatives}
    (match,) = [each for other, each in found.items() if other.startswith(words)]
    assert match.nanoseconds > 0
    assert any(words in line for group in groups for line in alternatives.lines(group))


def test_layouts_of_values_between_products_are_told(explained):
    groups = explained("layers")
    found, *_ = [each for group in groups for each in group.layouts]
    assert {"rows on partitions", "features on partitions", "by way of HBM"} <= {
        found.words,
        *(each.words for each in found.alternatives),
    }
    assert all(each.nanoseconds > found.nanoseconds for each in found.alternatives)
    text = f"layout of its value: {found.words}"
    assert any(text in line for group in groups for line in alternatives.lines(group))


def test_a_region_alone_takes_what_a_function_of_it_takes(explained):
    (group,) = explained("attention")
    number = next(i for i, (words, _) in enumerate(VARIATIONS) if words == TRANSFERS)
    for variation, taken in ((0, group.alone), (number, None)):
        made, _ = compiled("attention", variation)
        whole = made.run([], timed=True, values=False).nanoseconds
        told = taken or next(e.nanoseconds for e in group.alternatives if e.words == TRANSFERS)
        # Alone its transfers are issued as by rule; the function may choose who issues them.
        assert whole < 1.02 * told < 1.12 * whole
    assert group.as_dict()["alternatives"][0].keys() == {"words", "ns"}


def test_explaining_compiles_no_function_again(explained, monkeypatch):
    compiles = []
    usual = _core.compile_model
    monkeypatch.setattr(
        _core, "compile_model", lambda *a, **k: compiles.append(a) or usual(*a, **k)
    )
    assert explained("layers")
    assert len(compiles) == 1


def test_a_region_with_one_way_says_so(explained, monkeypatch):
    monkeypatch.setattr(_core, "ways_of_regions", lambda *_: [])
    (group,) = explained("attention")
    assert list(alternatives.lines(group)) == ["     otherwise: the compiler knows no other way"]
