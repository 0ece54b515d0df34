"""Are states, which layers without attention keep of a request, shared out, moved and placed?"""

import json

import pytest
import trainyard
from trainyard.planner import calls
from trainyard.serving import fleets, replicas

MAMBA = {
    "model_type": "mamba2",
    "hidden_size": 1536,
    "num_heads": 48,
    "head_dim": 64,
    "state_size": 128,
    "n_groups": 1,
    "num_hidden_layers": 48,
    "vocab_size": 50288,
    "tie_word_embeddings": True,
}
STATE = 48 * (3072 * 128 + (3072 + 2 * 128) * 4) * 2  # bytes in bf16
# Two key-value heads in twelve layers; 36 layers of 32 heads with a state each.
QWEN = {
    "model_type": "qwen3_next",
    "num_hidden_layers": 48,
    "linear_num_value_heads": 32,
    "linear_num_key_heads": 16,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "num_key_value_heads": 2,
    "head_dim": 256,
}
STATE_OF_QWEN = 36 * (32 * 128 * 128 + (2 * 16 * 128 + 32 * 128) * 4) * 2
TOKEN_OF_QWEN = 12 * 2 * 2 * 256 * 2
FALCON = {
    "model_type": "falcon_h1",
    "hidden_size": 1024,
    "num_hidden_layers": 36,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "head_dim": 128,
}


@pytest.fixture
def config(tmp_path):
    def written(fields):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(fields))
        return str(path)

    return written


def cache_of(model, **options):
    found = trainyard.fit(model, "trn3-gen2", input=1024, output=1024, batch=1, **options)
    parts = found.document["serving"]["asked"]["memory"]["parts"]
    return next(one["bytes"] for one in parts if one["name"] == "KV cache")


@pytest.mark.parametrize("tp", [1, 2, 8])
def test_a_chip_of_tp_has_a_share_of_a_state(config, tp):
    assert cache_of(config(MAMBA), tp=tp) == pytest.approx(STATE / tp)


@pytest.mark.parametrize("tp", [1, 4, 8])
def test_states_are_not_copied_with_key_value_heads(config, tp):
    """Four cores of a chip have a whole head each, so that both are on every chip."""
    wanted = 2048 * TOKEN_OF_QWEN + STATE_OF_QWEN / tp
    assert cache_of(config(QWEN), tp=tp, pp=1) == pytest.approx(wanted)


def test_a_state_beside_attention_is_shared_out_too(config):
    model = config(FALCON)
    assert cache_of(model, tp=2) == pytest.approx(cache_of(model, tp=1) / 2)


def test_a_step_reads_a_state_and_writes_it(config):
    def moved(batch):
        asked = {"tp": 1, "batch": batch, "input": 1024.0, "output": 1024.0, "intervals": False}
        found = calls.document_of(config(MAMBA), "trn3-gen2", "serving", asked)
        return found["phases"]["decode"]["memory_bytes"]

    assert (moved(512.0) - moved(256.0)) / 256 == pytest.approx(2 * STATE, rel=0.05)


def build(model, **options):
    return replicas.build(replicas.Asked(model, "trn3-gen2", tp=1, **options), 512, 128, 640)


def test_a_model_without_attention_is_served_as_many_states_as_fit(config):
    model = config(MAMBA)
    plain, most = build(model).settings, build(model, requests_max=1 << 14).settings
    assert plain.requests_max == 256
    assert plain.blocks * plain.block_tokens >= 256 * 640
    room = 136.8 * 2**30 - 2 * 0.78e9
    assert most.requests_max == pytest.approx(room / STATE, rel=0.05)


def test_states_take_room_from_the_cache(config):
    small = config(QWEN | {"num_experts": 64})
    few, many = (build(small, requests_max=one).found for one in (1, 1025))
    lost = (few["cache_tokens"] - many["cache_tokens"]) * TOKEN_OF_QWEN
    assert lost == pytest.approx(1024 * STATE_OF_QWEN, rel=1e-6)


def test_a_state_is_sent_with_a_cache(config):
    """To a replica that decodes: as many bytes for any number of tokens."""
    replica = build(config(MAMBA))
    sent = fleets.Fleet(readers=1).core(replica, 0).sent
    told = replica.found
    seconds = told["send_latency"] + STATE / told["send_bytes_per_second"]
    assert sent == pytest.approx((seconds, STATE * told["send_joules_per_byte"]))


def test_a_state_that_does_not_fit_is_refused(config):
    wide = config(MAMBA | {"state_size": 1 << 16, "num_hidden_layers": 400})
    with pytest.raises(trainyard.InputError, match=r"serve\.fit"):
        build(wide)
