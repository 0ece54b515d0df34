"""Are folders of models read as they say, and refused where the engine computes something else?"""

import json

import numpy as np
import pytest
from trainyard.serving import folders, models
from trainyard.usage import UsageError

safetensors = pytest.importorskip("safetensors.numpy")
tokenizers = pytest.importorskip("tokenizers")


def write_folder(folder, **changes):
    """A model in the form of transformers: two layers of random weights, a token a letter."""
    held = models.load("random-2x64")
    shape, weights = held.config, {}
    for layer in range(shape.layers):
        for ours, theirs in folders.LAYER.items():
            value = held.weights[f"blk.{layer}.{ours}"]
            weights[f"model.layers.{layer}.{theirs}.weight"] = np.ascontiguousarray(value.T)
    weights["model.embed_tokens.weight"] = held.weights["token_embd"]
    weights["model.norm.weight"] = held.weights["output_norm"]
    weights["lm_head.weight"] = np.ascontiguousarray(held.weights["head"].T)
    safetensors.save_file(weights, folder / "model.safetensors")
    config = {
        "model_type": "llama",
        "num_hidden_layers": shape.layers,
        "hidden_size": shape.hidden,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "intermediate_size": shape.inner,
        "vocab_size": shape.vocabulary,
        "tie_word_embeddings": False,
        "eos_token_id": 3,
    }
    (folder / "config.json").write_text(json.dumps(config | changes))
    vocabulary = {chr(97 + i): i for i in range(26)}
    tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, "a")).save(
        str(folder / "tokenizer.json")
    )
    return held


@pytest.mark.parametrize(
    ("changes", "theta"),
    [
        ({}, 1e4),
        ({"rope_theta": 5e5}, 5e5),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1e5}}, 1e5),
    ],
    ids=["neither", "older", "transformers 5"],
)
def test_a_folder_has_the_weights_and_the_rotation_that_it_says(tmp_path, changes, theta):
    held = write_folder(tmp_path, **changes)
    found = models.load(str(tmp_path))
    assert found.config.theta == theta and found.stops == {3}
    assert found.config.heads == held.config.heads and found.config.head == held.config.head
    assert set(found.weights) == set(held.weights)
    for name, value in held.weights.items():
        assert np.array_equal(found.weights[name], value), name
    assert found.tokenizer.encode("c") == [2]


def test_a_prompt_begins_as_the_tokenizer_says(tmp_path):
    """As Llama's and Gemma's do, whatever text says; conversations have their template's."""
    write_folder(tmp_path)
    core = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    core.add_special_tokens(["<s>"])
    core.post_processor = tokenizers.processors.TemplateProcessing(
        "<s> $A", special_tokens=[("<s>", 26)]
    )
    core.save(str(tmp_path / "tokenizer.json"))
    words = models.load(str(tmp_path)).tokenizer
    assert (words.prompt("c"), words.encode("c")) == ([26, 2], [2])


@pytest.mark.parametrize(
    "changes",
    [
        {"rope_scaling": {"type": "dynamic", "factor": 2}},
        {"rope_parameters": {"rope_type": "llama3", "rope_theta": 1e5, "factor": 8}},
        {"hidden_act": "gelu"},
        {"mlp_bias": True},
        {"quantization_config": {"quant_method": "fp8"}},
    ],
    ids=["scaled", "scaled in transformers 5", "activation", "bias", "quantised"],
)
def test_what_the_layers_do_not_compute_is_refused_by_name(tmp_path, changes):
    write_folder(tmp_path, **changes)
    with pytest.raises(UsageError, match=next(iter(changes))):
        models.load(str(tmp_path))


SIZES = ("num_hidden_layers", "num_attention_heads", "hidden_size", "vocab_size", "head_dim")


@pytest.mark.parametrize("key", SIZES)
@pytest.mark.parametrize("value", [2**40, -1, 1.5, float("inf"), float("nan"), [4], "4"])
def test_a_size_that_no_model_has_is_named(tmp_path, key, value):
    write_folder(tmp_path, **{key: value})
    with pytest.raises(UsageError, match=key):
        models.load(str(tmp_path))


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff" * 40, None])
def test_a_damaged_file_is_named(tmp_path, name, content):
    write_folder(tmp_path)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=str(tmp_path)):
        models.load(str(tmp_path))
