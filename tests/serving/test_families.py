"""Are the greedy tokens of other families those of transformers, and their conversations theirs?"""

import json

import make_families
import numpy as np
import pytest
from trainyard.serving import exact, families, llama, models, stepping
from trainyard.usage import UsageError

safetensors = pytest.importorskip("safetensors.numpy")
tokenizers = pytest.importorskip("tokenizers")

KNOWN = json.loads(make_families.FILE.read_text())
LIMITS = exact.Limits(blocks=64, batches=(1, 4), chunks=(16, 64), contexts=(64, 128))


def write_folder(folder, name, added=None, words=(), **changes):
    known = KNOWN[name]
    shapes = known["shapes"] | (added or {})
    weights = {
        tensor: make_families.drawn(tensor, tuple(shape)) for tensor, shape in shapes.items()
    }
    safetensors.save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(known["config"] | changes))
    vocabulary = {chr(97 + i): i for i in range(26)} | {
        word: 30 + i for i, word in enumerate(words)
    }
    core = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, "a"))
    core.save(str(folder / "tokenizer.json"))
    return str(folder)


@pytest.mark.parametrize("name", make_families.FAMILIES)
def test_greedy_tokens_are_those_of_transformers(tmp_path, name):
    engine = exact.Engine(models.load(write_folder(tmp_path, name)), limits=LIMITS)
    asked = [
        stepping.Asked(prompt, make_families.ANSWER, arrival=1e-4 * place)
        for place, prompt in enumerate(make_families.prompts())
    ]
    _, results = stepping.serve(engine, asked, stops=False)
    assert [tokens for tokens, *_ in results] == KNOWN[name]["answers"]


def test_what_a_family_has_besides_is_refused_by_name(tmp_path):
    norm = "model.layers.1.pre_feedforward_layernorm.weight"
    with pytest.raises(UsageError, match=norm):
        models.load(write_folder(tmp_path, "gemma", {norm: [96]}))
    with pytest.raises(UsageError, match="sliding_window"):
        models.load(write_folder(tmp_path, "mistral", sliding_window=64))
    with pytest.raises(UsageError, match="layer_types"):
        kinds = ["sliding_attention", "full_attention"]
        models.load(write_folder(tmp_path, "qwen2", layer_types=kinds))
    with pytest.raises(UsageError, match="hidden_act"):
        models.load(write_folder(tmp_path, "gemma", hidden_act="gelu"))
    with pytest.raises(UsageError, match="gpt_oss"):
        models.load(write_folder(tmp_path, "qwen3", model_type="gpt_oss"))
    # A file of Qwen names a window that it does not use.
    models.load(write_folder(tmp_path, "qwen2", sliding_window=64, use_sliding_window=False))


@pytest.mark.parametrize("name", ["qwen2", "qwen3", "gemma"])
def test_a_family_has_random_weights_that_matter(name):
    model = models.load(f"random-{name}-2x64")
    family = families.FAMILIES[name]
    for extra in family.extras:
        held = model.weights[f"blk.1.{extra}"]
        assert np.ptp(held) > 0
    plain = models.load("random-2x64")
    assert set(model.weights) - set(plain.weights) == {
        f"blk.{layer}.{extra}" for layer in range(2) for extra in family.extras
    }
    assert isinstance(model.config, llama.Config)
    with pytest.raises(UsageError, match="rwkv"):
        models.load("random-rwkv-2x64")


def test_turns_of_gemma_have_no_system(tmp_path):
    words = ("<bos>", "<start_of_turn>", "<end_of_turn>")
    model = models.load(write_folder(tmp_path, "gemma", words=words))
    bos, start, end = (model.special[word] for word in words)
    said = []
    model.tokenizer.encode = lambda text: said.append(text) or [0]
    ids = model.chat([("system", "Be b"), ("user", "c"), ("assistant", "d"), ("user", "e")])
    assert ids == [bos, *([start, 0, end, 0] * 3), start, 0]
    assert model.chat([("system", "Be b")]) == [bos, start, 0, end, 0, start, 0]
    assert said[:7] == ["user\nBe b\n\nc", "\n", "model\nd", "\n", "user\ne", "\n", "model\n"]
    assert said[7:] == ["user\nBe b", "\n", "model\n"]
