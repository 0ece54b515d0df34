"""Are the greedy tokens of other families those of transformers, and their conversations theirs?"""

import json

import make_families
import numpy as np
import pytest
from trainyard.serving import adapters, drafts, exact, families, llama, models, stepping
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
        models.load(write_folder(tmp_path, "llama-biased", sliding_window=64))
    with pytest.raises(UsageError, match="layer_types"):
        kinds = ["sliding_attention", "full_attention"]  # and no window is used
        models.load(write_folder(tmp_path, "qwen2", layer_types=kinds))
    with pytest.raises(UsageError, match="layer_types"):
        models.load(write_folder(tmp_path, "mistral", layer_types=["chunked_attention"] * 2))
    with pytest.raises(UsageError, match="rope_parameters"):
        rope = {"rope_type": "longrope", "rope_theta": 1e4, "long_factor": [1.0]}
        models.load(write_folder(tmp_path, "llama-biased", rope_parameters=rope))
    with pytest.raises(UsageError, match="final_logit_softcapping"):
        models.load(write_folder(tmp_path, "qwen3", final_logit_softcapping=30.0))
    with pytest.raises(UsageError, match="decoder_sparse_step"):
        models.load(write_folder(tmp_path, "qwen3-moe", decoder_sparse_step=2))
    with pytest.raises(UsageError, match="hidden_act"):
        models.load(write_folder(tmp_path, "gemma", hidden_act="gelu"))
    with pytest.raises(UsageError, match="rwkv"):
        models.load(write_folder(tmp_path, "qwen3", model_type="rwkv"))
    # A file of Qwen names a window that it does not use.
    models.load(write_folder(tmp_path, "qwen2", sliding_window=64, use_sliding_window=False))


@pytest.mark.parametrize("name", sorted(families.FAMILIES))
def test_a_family_has_random_weights_that_matter(name):
    model = models.load(f"random-{name}-2x64")
    family = families.FAMILIES[name]
    for extra in family.extras:
        held = model.weights[f"blk.1.{extra}"]
        assert np.ptp(held) > 0
    plain = models.load("random-2x64")
    routers = ("ffn_router",) if family.layout else ()
    assert set(model.weights) - set(plain.weights) == {
        f"blk.{layer}.{extra}" for layer in range(2) for extra in (*family.extras, *routers)
    }
    if family.whole_every:  # one layer sees all, one does not
        assert model.config.windows == (64, 0)
    assert isinstance(model.config, llama.Config)
    with pytest.raises(UsageError, match="rwkv"):
        models.load("random-rwkv-2x64")


@pytest.mark.parametrize("name", ["gemma2", "gemma3_text", "gpt_oss", "mixtral"])
def test_answers_do_not_depend_on_who_shares_a_step(name):
    # Beyond windows of 64 tokens; prompts in pieces, guesses verified, blocks that run out.
    engine = exact.Engine(
        models.load(f"random-{name}-2x64", seed=3),
        limits=exact.Limits(
            blocks=24,
            batches=(1, 4),
            chunks=(16, 64),
            contexts=(64, 256),
            draft=drafts.Draft.parse("ngram:2"),
        ),
    )
    random = np.random.default_rng(2)
    prompts = [random.integers(0, 256, length).tolist() for length in (5, 70, 110, 150)]
    alone = []
    for prompt in prompts:
        _, results = stepping.serve(engine, [stepping.Asked(prompt, 12)], stops=False)
        alone.append(results[0][0])
    for _ in range(2):
        asked = [
            stepping.Asked(prompt, 12, arrival=float(at) * 1e-3)
            for prompt, at in zip(prompts, random.random(4), strict=True)
        ]
        _, results = stepping.serve(engine, asked, stops=False)
        assert [tokens for tokens, *_ in results] == alone


def test_what_experts_do_not_have_is_refused(tmp_path):
    model = models.load("random-mixtral-2x64")
    (tmp_path / "adapter_config.json").write_text(
        json.dumps({"peft_type": "LORA", "r": 2, "lora_alpha": 4})
    )
    base = "base_model.model.model.layers.0.mlp.gate_proj.lora_"
    tensors = {f"{base}A.weight": np.ones((2, 64), np.float32)}
    tensors[f"{base}B.weight"] = np.ones((128, 2), np.float32)
    safetensors.save_file(tensors, tmp_path / "adapter_model.safetensors")
    with pytest.raises(UsageError, match="experts"):
        adapters.load("one", tmp_path, model.config)


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
