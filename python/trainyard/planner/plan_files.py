"""Plans as the files that start a run: TorchTitan's TOML and NeuronX Distributed Training's YAML.

Reading gives the options of plan_training(), and what a file asks for that a plan cannot say is
refused. Writing is exact for nxd; TorchTitan has no ZeRO-1, whose plan becomes ZeRO-2, nor plans
that share sequences and no states, whose replicas become copies; its nearest schedule stands for a
zero-bubble one. TOML and YAML are written by hand: a handful of keys,
none of whose values needs quoting rules beyond JSON's.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from trainyard.files import read_whole, shown_name
from trainyard.planner.plans import TrainPlan
from trainyard.usage import UsageError

Json = dict[str, Any]

# TorchTitan's names of schedules (torch.distributed.pipelining) and ours.
_SCHEDULES = {
    "1F1B": ("1f1b", False),
    "Interleaved1F1B": ("1f1b", True),
    "InterleavedZeroBubble": ("zb-h1", True),
    "ZBVZeroBubble": ("zb-h2", True),
}
_CHECKPOINTING = {"none": "selective", "selective": "mlp", "full": "full"}


def read_plan(path: str | Path, logical_cores: int, layers: int) -> Json:
    """The options of a plan in a TorchTitan TOML (.toml) or an nxd YAML or JSON file.

    `logical_cores`: of a chip; nxd counts cores. `layers`: of the model. Raises UsageError.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".toml":
        return _from_torchtitan(_load(path, tomllib.loads), shown_name(path), layers)
    if suffix in (".yaml", ".yml"):
        return _from_nxd(_load(path, _yaml), shown_name(path), logical_cores)
    if suffix == ".json":
        return _from_nxd(_load(path, json.loads), shown_name(path), logical_cores)
    raise UsageError(f"{shown_name(path)}: a plan is a .toml, .yaml or .json file")


def write_torchtitan(plan: TrainPlan, layers: int) -> str:
    """The sections of a TorchTitan configuration that a plan decides."""
    copies = plan.copies if plan.zero > 0 else plan.dp
    stages = plan.pp * plan.interleave
    schedule = {"zb-h1": "InterleavedZeroBubble", "zb-h2": "ZBVZeroBubble"}.get(
        plan.schedule, "Interleaved1F1B" if plan.interleave > 1 else "1F1B"
    )
    # Without stages, what a replica computes at once: TorchTitan adds up gradients until it has
    # the global batch. With stages, all of its microbatches.
    replicas = int(plan.workload["global_batch"]) // plan.dp
    sections: dict[str, Json] = {
        "training": {
            "local_batch_size": replicas if plan.pp > 1 else plan.microbatch,
            "global_batch_size": int(plan.workload["global_batch"]),
            "seq_len": int(plan.workload["sequence"]),
        },
        "parallelism": {
            "data_parallel_replicate_degree": copies,
            "data_parallel_shard_degree": plan.dp // copies,
            "fsdp_reshard_after_forward": "always" if plan.zero == 3 else "never",
            "tensor_parallel_degree": plan.tp,
            "context_parallel_degree": plan.cp,
            "expert_parallel_degree": plan.ep,
            "pipeline_parallel_degree": plan.pp,
            "pipeline_parallel_schedule": schedule,
            "pipeline_parallel_microbatch_size": plan.microbatch,
        },
        "activation_checkpoint": {
            "mode": {"mlp": "selective", "full": "full"}.get(plan.recompute, "none")
        },
    }
    if plan.interleave > 1:
        sections["parallelism"]["pipeline_parallel_layers_per_stage"] = -(-layers // stages)
    lines = [f"# {plan.chips} chips: {_said(plan)}"]
    for name, fields in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(one)}" for key, one in fields.items())]
    return "\n".join(lines) + "\n"


def write_nxd(plan: TrainPlan, logical_cores: int, cores_of_box: int) -> Json:
    """The sections of a NeuronX Distributed Training configuration that a plan decides.

    Raises UsageError for what the library does not have.
    """
    for name, is_there, what in (
        ("zero", plan.zero <= 1, f"ZeRO-{plan.zero}"),
        ("copies", plan.copies == 1, "copies of sharded states"),
        ("schedule", plan.schedule == "1f1b", plan.schedule),
        ("recompute", plan.recompute != "none", "keeping attention's scores"),
    ):
        if not is_there:
            raise UsageError(
                f"NeuronX Distributed Training has no {what}: search again with --{name} fixed"
            )
    cores = plan.chips * logical_cores
    return {
        "trainer": {
            "devices": min(cores, cores_of_box),
            "num_nodes": -(-cores // cores_of_box),
        },
        "data": {
            "micro_batch_size": plan.microbatch,
            "global_batch_size": int(plan.workload["global_batch"]),
            "seq_length": int(plan.workload["sequence"]),
        },
        "distributed_strategy": {
            "tensor_model_parallel_size": plan.tp * logical_cores,
            "context_parallel_size": plan.cp,
            "expert_model_parallel_size": plan.ep,
            "pipeline_model_parallel_size": plan.pp,
            "virtual_pipeline_model_parallel_size": plan.interleave,
            "zero1": plan.zero == 1,
            "sequence_parallel": plan.sequence_parallel,
        },
        "model": {
            "activations_checkpoint_granularity": (
                "full" if plan.recompute == "full" else "selective"
            ),
            "activations_checkpoint_recompute_mlp": plan.recompute == "mlp",
        },
    }


def as_yaml(document: Json, indent: int = 0) -> str:
    """Sections of plain values as YAML; scalars as JSON writes them, which YAML reads alike."""
    text = ""
    for key, value in document.items():
        if isinstance(value, dict):
            text += " " * indent + f"{key}:\n" + as_yaml(value, indent + 2)
        else:
            text += " " * indent + f"{key}: {json.dumps(value)}\n"
    return text


def _said(plan: TrainPlan) -> str:
    sizes = ", ".join(f"{name} {getattr(plan, name)}" for name in ("tp", "cp", "ep", "pp", "dp"))
    return (
        f"{sizes}, ZeRO-{plan.sharing}, {plan.schedule} x{plan.interleave}, {plan.recompute} "
        f"recomputed, ranks {plan.placement}"
    )


def _load(path: str | Path, parse: Any) -> Json:
    try:
        found = parse(read_whole(path).decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shown_name(path)} cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{shown_name(path)} holds no sections")
    return found


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise UsageError("reading YAML needs PyYAML: pip install pyyaml") from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error).replace("\n", " ")) from None


class _Section:
    """Fields of one section; each that is read is checked, and what is left over can be named."""

    def __init__(self, document: Json, name: str, file: str) -> None:
        found = document.get(name, {})
        if not isinstance(found, dict):
            raise UsageError(f"{file}: {name} is a section, not {found!r}")
        self._fields, self._name, self._file = found, name, file

    def whole(self, key: str, otherwise: int, least: int = 1) -> int:
        value = self._fields.get(key, otherwise)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self.reject(key, f"a whole number of at least {least}", value)
        return int(value)

    def word(self, key: str, otherwise: str, known: Any) -> str:
        value = self._fields.get(key, otherwise)
        if not isinstance(value, str) or value not in known:
            self.reject(key, f"one of {', '.join(known)}", value)
        return str(value)

    def flag(self, key: str, otherwise: bool) -> bool:
        value = self._fields.get(key, otherwise)
        if not isinstance(value, bool):
            self.reject(key, "true or false", value)
        return bool(value)

    def has(self, key: str) -> bool:
        return self._fields.get(key) is not None

    def reject(self, key: str, rule: str, found: Any) -> None:
        raise UsageError(f"{self._file}: {self._name}.{key} is {rule}, not {found!r}")


def _from_torchtitan(document: Json, file: str, layers: int) -> Json:
    training = _Section(document, "training", file)
    par = _Section(document, "parallelism", file)
    if "parallelism" not in document:
        raise UsageError(f"{file}: no section parallelism: it is no TorchTitan configuration")
    checkpoint = _Section(document, "activation_checkpoint", file)
    shards = par.whole("data_parallel_shard_degree", -1, -1)
    replicas = par.whole("data_parallel_replicate_degree", 1)
    if shards == 0:
        par.reject("data_parallel_shard_degree", "-1, or 1 and more", shards)
    pp = par.whole("pipeline_parallel_degree", 1)
    schedule, is_interleaved = _SCHEDULES[
        par.word("pipeline_parallel_schedule", "1F1B", _SCHEDULES)
    ]
    of_stage = par.whole("pipeline_parallel_layers_per_stage", -(-layers // pp) or 1)
    turns = max(1, round(-(-layers // of_stage) / pp)) if is_interleaved else 1
    if is_interleaved and schedule == "1f1b" and not par.has("pipeline_parallel_layers_per_stage"):
        turns = 2  # TorchTitan's own choice: two stages a rank
    reshard = par.word("fsdp_reshard_after_forward", "default", ("default", "always", "never"))
    keeps = reshard == "never" or (reshard == "default" and pp > 1)
    cp = par.whole("context_parallel_degree", 1)
    shares = shards * cp != 1  # TorchTitan shards over cp, too
    mode = checkpoint.word("mode", "selective", _CHECKPOINTING)
    options: Json = {
        "tp": par.whole("tensor_parallel_degree", 1),
        "cp": cp,
        "ep": par.whole("expert_parallel_degree", 1),
        "pp": pp,
        "zero": 0 if not shares else 2 if keeps else 3,
        "copies": replicas if shares else 1,
        "recompute": _CHECKPOINTING[mode],
        "schedule": schedule,
        "interleave": turns if schedule == "1f1b" else 1,
    }
    if shards * replicas > 1:
        options["dp"] = shards * replicas
    if training.has("seq_len"):
        options["sequence"] = training.whole("seq_len", 1)
    if training.has("global_batch_size"):
        options["global_batch"] = training.whole("global_batch_size", 1)
    if pp > 1:
        options["microbatch"] = par.whole("pipeline_parallel_microbatch_size", 1)
    elif training.has("local_batch_size"):
        options["microbatch"] = training.whole("local_batch_size", 1)
    return options


def _from_nxd(document: Json, file: str, logical_cores: int) -> Json:
    if "distributed_strategy" not in document:
        raise UsageError(
            f"{file}: no section distributed_strategy: it is no configuration of NeuronX "
            "Distributed Training"
        )
    strategy = _Section(document, "distributed_strategy", file)
    data = _Section(document, "data", file)
    model = _Section(document, "model", file)
    cores = strategy.whole("tensor_model_parallel_size", 1)
    if cores % logical_cores:
        strategy.reject(
            "tensor_model_parallel_size", f"whole chips of {logical_cores} cores", cores
        )
    granularity = model.word(
        "activations_checkpoint_granularity", "selective", ("selective", "full")
    )
    mlp = model.flag("activations_checkpoint_recompute_mlp", False)
    options: Json = {
        "tp": cores // logical_cores,
        "cp": strategy.whole("context_parallel_size", 1),
        "ep": strategy.whole("expert_model_parallel_size", 1),
        "pp": strategy.whole("pipeline_model_parallel_size", 1),
        "interleave": strategy.whole("virtual_pipeline_model_parallel_size", 1),
        "zero": int(strategy.flag("zero1", True)),
        "copies": 1,
        "sequence_parallel": strategy.flag("sequence_parallel", False),
        "recompute": "full" if granularity == "full" else "mlp" if mlp else "selective",
        "schedule": "1f1b",
    }
    for key, name in (
        ("micro_batch_size", "microbatch"),
        ("global_batch_size", "global_batch"),
        ("seq_length", "sequence"),
    ):
        if data.has(key):
            options[name] = data.whole(key, 1)
    return options
