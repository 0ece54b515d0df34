"""Are models read from their weights' headers as what they are, and refused where they are not?"""

import json
import struct

import pytest
import trainyard
from trainyard import _core
from trainyard.planner import weight_files
from trainyard.usage import UsageError

CONFIG = {
    "model_type": "llama",
    "hidden_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "intermediate_size": 512,
    "vocab_size": 1000,
    "max_position_embeddings": 2048,
    "tie_word_embeddings": False,
}
LAYER = {
    "self_attn.q_proj": (256, 256),
    "self_attn.k_proj": (128, 256),
    "self_attn.v_proj": (128, 256),
    "self_attn.o_proj": (256, 256),
    "mlp.gate_proj": (512, 256),
    "mlp.up_proj": (512, 256),
    "mlp.down_proj": (256, 512),
    "input_layernorm": (256,),
    "post_attention_layernorm": (256,),
}
SHAPES = {f"model.layers.{i}.{name}.weight": shape for i in (0, 1) for name, shape in LAYER.items()}
SHAPES |= {
    "model.embed_tokens.weight": (1000, 256),
    "lm_head.weight": (1000, 256),
    "model.norm.weight": (256,),
}


def count(shapes):
    total = 0
    for shape in shapes.values():
        size = 1
        for n in shape:
            size *= n
        total += size
    return total


def safetensors(path, shapes, kind="BF16"):
    header = json.dumps({n: {"dtype": kind, "shape": list(s)} for n, s in shapes.items()}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header)


def described(path):
    return json.loads(_core.model_document(weight_files.resolve(str(path))))["model"]


def test_a_checkpoint_is_its_configuration_counted_as_stored(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    safetensors(tmp_path / "model.safetensors", SHAPES)
    model = described(tmp_path / "model.safetensors")
    assert model["parameters"] == count(SHAPES)
    assert model["stored_bits"] == pytest.approx(16)
    safetensors(tmp_path / "model.safetensors", SHAPES, "F8_E4M3")
    assert described(tmp_path / "model.safetensors")["stored_bits"] == pytest.approx(8)


def test_an_index_counts_by_its_shards_or_by_its_size(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    names = list(SHAPES)
    index = {
        "metadata": {"total_size": count(SHAPES) * 2},
        "weight_map": {name: f"{i % 2}.safetensors" for i, name in enumerate(names)},
    }
    path = tmp_path / "model.safetensors.index.json"
    path.write_text(json.dumps(index))
    assert described(path)["stored_bits"] == pytest.approx(16)  # no shard is here
    for shard in (0, 1):
        part = {name: SHAPES[name] for name in names[shard::2]}
        safetensors(tmp_path / f"{shard}.safetensors", part)
    assert described(path)["parameters"] == count(SHAPES)
    fit = trainyard.fit(str(path), "h100")
    assert fit.serving.parts["weights"] == pytest.approx(count(SHAPES) * 2, rel=0.01)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "ends within"),
        (struct.pack("<Q", 10**12), "a header of"),
        (struct.pack("<Q", 3) + b"{}}", "no safetensors"),
        (struct.pack("<Q", 2) + b"[]", "no object"),
        (struct.pack("<Q", 2) + b"{}", "no tensors"),
        (struct.pack("<Q", 8) + b'{"a": 3}', "no type and shape"),
    ],
)
def test_a_safetensors_file_that_is_wrong(tmp_path, content, message):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        weight_files.resolve(str(path))


def test_weights_of_another_model_are_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    safetensors(path, SHAPES)
    with pytest.raises(UsageError, match=r"config\.json beside it"):
        weight_files.resolve(str(path))
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"num_hidden_layers": 3}))
    with pytest.raises(UsageError, match="parameters"):
        weight_files.resolve(str(path))
    index = tmp_path / "x.safetensors.index.json"
    index.write_text("{}")
    with pytest.raises(UsageError, match="no index"):
        weight_files.resolve(str(index))


def text(word):
    return struct.pack("<Q", len(word)) + word.encode()


def gguf(path, keys, tensors, version=3):
    body = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys))
    for name, value in keys.items():
        body += text(name)
        if isinstance(value, str):
            body += struct.pack("<I", 8) + text(value)
        elif isinstance(value, list):
            body += struct.pack("<IIQ", 9, 8, len(value)) + b"".join(text(v) for v in value)
        else:
            body += struct.pack("<II", 4, value)
    for name, (shape, kind) in tensors.items():
        body += text(name) + struct.pack("<I", len(shape))
        body += b"".join(struct.pack("<Q", n) for n in shape) + struct.pack("<IQ", kind, 0)
    path.write_bytes(body)


KEYS = {
    "general.architecture": "llama",
    "llama.embedding_length": 256,
    "llama.block_count": 2,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 4,
    "llama.feed_forward_length": 512,
    "llama.context_length": 2048,
    "tokenizer.ggml.tokens": [f"t{i}" for i in range(1000)],
}


def tensors_of_gguf(kind):
    found = {f"t{i}": (shape, kind) for i, shape in enumerate(SHAPES.values())}
    return found | {"output.weight": found.pop("t19")}


def test_a_gguf_file_is_read_by_its_keys(tmp_path):
    path = tmp_path / "model.gguf"
    gguf(path, KEYS, tensors_of_gguf(1))
    model = described(path)
    assert (model["type"], model["layers"], model["hidden"]) == ("llama", 2, 256)
    assert model["parameters"] == count(SHAPES)
    assert model["stored_bits"] == pytest.approx(16)
    gguf(path, KEYS, tensors_of_gguf(2))  # Q4_0: 18 bytes for 32 elements
    assert described(path)["stored_bits"] == pytest.approx(4.5)
    assert trainyard.compare(str(path), ["h100"])["h100"].plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"general.architecture": "rwkv6"}, "these are read"),
        ({"llama.block_count": 9}, "its keys make"),
        ({"llama.embedding_length": None}, r"no llama\.embedding_length"),
    ],
)
def test_a_gguf_file_of_another_kind_is_refused(tmp_path, change, message):
    path = tmp_path / "model.gguf"
    keys = {name: one for name, one in (KEYS | change).items() if one is not None}
    gguf(path, keys, tensors_of_gguf(1))
    with pytest.raises(UsageError, match=message):
        weight_files.resolve(str(path))


def test_a_gguf_file_that_is_damaged_is_refused(tmp_path):
    path = tmp_path / "model.gguf"
    gguf(path, KEYS, tensors_of_gguf(1))
    whole = path.read_bytes()
    for size in (0, 3, 4, 10, 40, 200, len(whole) - 9):
        path.write_bytes(whole[:size])
        with pytest.raises(UsageError):
            weight_files.resolve(str(path))
    for change, message in (
        (b"GGML" + whole[4:], "no GGUF"),
        (whole[:4] + struct.pack("<I", 9) + whole[8:], "version 9"),
        (whole[:8] + struct.pack("<Q", 2**60) + whole[16:], "entries"),
    ):
        path.write_bytes(change)
        with pytest.raises(UsageError, match=message):
            weight_files.resolve(str(path))
    gguf(path, KEYS, tensors_of_gguf(99))
    with pytest.raises(UsageError, match="ggml type 99"):
        weight_files.resolve(str(path))


def test_a_file_beside_the_configuration_that_quantises_it_counts(tmp_path):
    config = {"model_type": "llama", "torch_dtype": "bfloat16"}
    (tmp_path / "config.json").write_text(json.dumps(config))

    def bits(quantization):
        said = {"producer": {"name": "modelopt"}, "quantization": quantization}
        (tmp_path / "hf_quant_config.json").write_text(json.dumps(said))
        found = [weight_files.resolve(str(one)) for one in (tmp_path, tmp_path / "config.json")]
        read = [json.loads(_core.model_document(one))["model"]["stored_bits"] for one in found]
        assert read[0] == read[1]
        return read[0]

    assert 8 < bits({"quant_algo": "FP8", "exclude_modules": ["lm_head"]}) < 9
    with pytest.raises(UsageError, match="NVFP4"):
        bits({"quant_algo": "NVFP4", "group_size": 16, "exclude_modules": ["lm_head"]})
    with pytest.raises(UsageError, match="quant_algo"):
        bits({})
    config["quantization_config"] = {"quant_method": "gptq", "bits": 4, "group_size": 128}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert bits({"quant_algo": "NVFP4"}) < 6
