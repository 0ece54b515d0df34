"""Are the files for clusters well formed, and do they name what there is?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "examples/scale_out"
SCRIPT = "examples/many_processes.py"


def options_of_the_script() -> set[str]:
    done = subprocess.run(
        [sys.executable, ROOT / SCRIPT, "--help"], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"--[a-z]+", done.stdout))


def check_command(words: list[str]) -> None:
    """That a command line runs the example with options that it has."""
    at = words.index(SCRIPT)
    given = [word for word in words[at + 1 :] if word.startswith("--")]
    assert given
    assert set(given) <= options_of_the_script()


@pytest.mark.parametrize("name", ["train.sbatch", "train_jax.sbatch"])
def test_a_slurm_script_is_bash_with_known_directives(name):
    path = FILES / name
    subprocess.run(["bash", "-n", path], check=True)
    lines = path.read_text().splitlines()
    assert lines[0] == "#!/bin/bash"
    directives = dict(re.findall(r"^#SBATCH --([a-z-]+)=(\S+)$", path.read_text(), re.MULTILINE))
    assert set(directives) == {
        "job-name", "nodes", "ntasks-per-node", "cpus-per-task", "mem", "time", "output"
    }  # fmt: skip
    first_command = next(i for i, line in enumerate(lines) if line and not line.startswith("#"))
    assert not any(
        line.startswith("#SBATCH") for line in lines[first_command:]
    )  # Slurm stops there
    command = lines[-1].split()
    assert command[:2] in (["exec", "mpirun"], ["exec", "srun"])
    check_command(command)


def load(name: str) -> Any:
    return yaml.safe_load((FILES / name).read_text())


def test_the_cluster_is_one_of_parallelcluster_3():
    cluster = load("parallelcluster.yaml")
    assert set(cluster) == {"Region", "Image", "HeadNode", "Scheduling", "SharedStorage"}
    assert cluster["Scheduling"]["Scheduler"] == "slurm"
    (queue,) = cluster["Scheduling"]["SlurmQueues"]
    assert queue["Networking"]["SubnetIds"]
    (resource,) = queue["ComputeResources"]
    assert 0 <= resource["MinCount"] <= resource["MaxCount"]
    assert resource["Instances"][0]["InstanceType"]
    nodes = int(re.search(r"--nodes=(\d+)", (FILES / "train.sbatch").read_text())[1])
    assert nodes <= resource["MaxCount"]


def test_the_kubernetes_job_starts_a_process_on_each_worker():
    job = load("mpijob.yaml")
    assert (job["apiVersion"], job["kind"]) == ("kubeflow.org/v2beta1", "MPIJob")
    replicas = job["spec"]["mpiReplicaSpecs"]
    (launcher,) = replicas["Launcher"]["template"]["spec"]["containers"]
    words = launcher["command"] + launcher["args"]
    count = int(words[words.index("-n") + 1])
    assert count == replicas["Worker"]["replicas"] * job["spec"]["slotsPerWorker"]
    name = job["metadata"]["name"]
    coordinator = next(word for word in words if word.startswith("TRAINYARD_COORDINATOR="))
    assert coordinator == f"TRAINYARD_COORDINATOR={name}-worker-0.{name}:5000"
    check_command(words)
