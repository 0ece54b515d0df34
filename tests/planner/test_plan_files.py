"""Are plans of TorchTitan and NeuronX Distributed Training read as they mean, and written so?"""

import json

import pytest
from trainyard.planner import plan_files
from trainyard.planner.plans import plan_training
from trainyard.usage import UsageError

# torchtitan/models/llama3/train_configs/llama3_405b.toml, its parallelism shortened.
TITAN = """
[job]
description = "Llama 3 405B training"
[training]
local_batch_size = 2
seq_len = 8192
steps = 3000
[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = 8
pipeline_parallel_degree = 1
context_parallel_degree = 1
[activation_checkpoint]
mode = "full"
"""
# An NxDT configuration of Llama 3 70B, its parallelism.
NXD = """
trainer:
  devices: 32
  num_nodes: 32
data:
  micro_batch_size: 1
  global_batch_size: 1024
  seq_length: 8192
distributed_strategy:
  tensor_model_parallel_size: 32
  pipeline_model_parallel_size: 8
  virtual_pipeline_model_parallel_size: 1
  zero1: True
  sequence_parallel: True
model:
  activations_checkpoint_granularity: selective
  activations_checkpoint_recompute_mlp: True
"""


def test_torchtitans_file_is_read(tmp_path):
    path = tmp_path / "train.toml"
    path.write_text(TITAN)
    assert plan_files.read_plan(path, 1, 126) == {
        "tp": 8,
        "cp": 1,
        "ep": 1,
        "pp": 1,
        "zero": 3,
        "copies": 1,
        "recompute": "full",
        "schedule": "1f1b",
        "interleave": 1,
        "sequence": 8192,
        "microbatch": 2,
    }


def test_nxds_file_is_read_and_answers_as_its_published_run(tmp_path):
    pytest.importorskip("yaml")
    path = tmp_path / "train.yaml"
    path.write_text(NXD)
    options = plan_files.read_plan(path, 2, 80)
    assert options["tp"] == 16
    found = plan_training("llama3-70b", "trn1", 512, intervals=False, **options)
    assert found.best.values["sequences_per_second"] == pytest.approx(7.94, rel=0.15)


@pytest.mark.parametrize(("zero", "copies", "cp"), [(0, 1, 1), (2, 1, 2), (3, 1, 2), (3, 4, 1)])
@pytest.mark.parametrize("pp", [1, 4])
def test_a_plan_for_torchtitan_comes_back(tmp_path, zero, copies, cp, pp):
    fixed = {"zero": zero, "pp": pp, "schedule": "1f1b", "recompute": "full", "cp": cp, "tp": 2}
    fixed["copies"] = copies
    plan = plan_training(
        "llama3-8b", "h100", 64, global_batch=64, kept=1, intervals=False, **fixed
    ).best
    path = tmp_path / "plan.toml"
    path.write_text(plan_files.write_torchtitan(plan, 32))
    back = plan_files.read_plan(path, 1, 32)
    names = ("tp", "cp", "ep", "pp", "dp", "zero", "copies", "recompute", "schedule", "interleave")
    names = (*names, "microbatch")
    assert {n: back[n] for n in names} == {n: getattr(plan, n) for n in names}
    assert back["global_batch"] == 64


def test_hybrid_shards_of_torchtitan(tmp_path):
    path = tmp_path / "plan.toml"

    def read(**sizes):
        lines = [f"{name} = {size}" for name, size in sizes.items()]
        path.write_text("[parallelism]\n" + "\n".join(lines))
        found = plan_files.read_plan(path, 1, 32)
        return {name: found.get(name) for name in ("dp", "zero", "copies")}

    hybrid = {"data_parallel_replicate_degree": 4, "data_parallel_shard_degree": 8}
    assert read(**hybrid) == {"dp": 32, "zero": 3, "copies": 4}
    # The rest of the chips share out what there are four copies of.
    rest = hybrid | {"data_parallel_shard_degree": -1}
    assert read(**rest) == {"dp": None, "zero": 3, "copies": 4}
    # Chips that share sequences share out states, too.
    of_context = {"data_parallel_replicate_degree": 4, "data_parallel_shard_degree": 1}
    assert read(**of_context, context_parallel_degree=2) == {"dp": 4, "zero": 3, "copies": 4}
    assert read(**of_context) == {"dp": 4, "zero": 0, "copies": 1}


def test_copies_that_nothing_shares_out_are_not_for_nxd():
    plan = plan_training(
        "llama3-8b", "trn1", 64, global_batch=64, kept=1, intervals=False, zero=1, copies=2,
        schedule="1f1b", recompute="mlp",
    ).best  # fmt: skip
    with pytest.raises(UsageError, match="--copies"):
        plan_files.write_nxd(plan, 2, 32)


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_plan_for_nxd_comes_back(tmp_path, suffix):
    pytest.importorskip("yaml")
    plan = plan_training(
        "llama3-70b", "trn1", 512, global_batch=1024, kept=1, intervals=False, zero=1,
        schedule="1f1b", recompute="mlp", copies=1,
    ).best  # fmt: skip
    document = plan_files.write_nxd(plan, 2, 32)
    assert document["trainer"]["devices"] * document["trainer"]["num_nodes"] == plan.chips * 2
    path = tmp_path / f"plan{suffix}"
    text = json.dumps(document) if suffix == ".json" else plan_files.as_yaml(document)
    path.write_text(text)
    back = plan_files.read_plan(path, 2, 80)
    for name in ("tp", "cp", "pp", "zero", "interleave", "microbatch", "recompute"):
        assert back[name] == getattr(plan, name), name


def test_what_a_library_does_not_have_is_not_written():
    plan = plan_training(
        "llama3-8b", "trn1", 32, global_batch=64, kept=1, intervals=False, zero=3
    ).best
    with pytest.raises(UsageError, match="no ZeRO-3"):
        plan_files.write_nxd(plan, 2, 32)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "[parallelism", "cannot be read"),
        ("a.toml", "[training]\nseq_len = 1", "no section parallelism"),
        ("a.toml", "[parallelism]\ntensor_parallel_degree = 0", "tensor_parallel_degree"),
        ("a.toml", "[parallelism]\ntensor_parallel_degree = true", "tensor_parallel_degree"),
        ("a.toml", '[parallelism]\npipeline_parallel_schedule = "X"', "pipeline_parallel_schedule"),
        ("a.toml", "parallelism = 3", "section"),
        ("a.toml", "[parallelism]\ndata_parallel_shard_degree = 0", "data_parallel_shard_degree"),
        ("a.json", "[]", "no sections"),
        ("a.json", "{", "cannot be read"),
        ("a.json", "{}", "distributed_strategy"),
        (
            "a.json",
            '{"distributed_strategy": {"tensor_model_parallel_size": 3}}',
            "tensor_model_parallel_size",
        ),
        (
            "a.json",
            '{"distributed_strategy": {"tensor_model_parallel_size": 2, "zero1": 1}}',
            "zero1",
        ),
        ("a.yaml", "a: [", "cannot be read"),
        ("a.txt", "", "a plan is a"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path, name, text, message):
    pytest.importorskip("yaml")
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        plan_files.read_plan(path, 2, 32)
