"""Do scripts for CUDA run as `trainyard migrate` writes them, with the CPU's results?"""

import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
from trainyard import migration  # noqa: E402

SCRIPTS = Path(__file__).parent / "migration"
# What cannot run, by the lines that say so and a word of the reason.
REFUSED = {
    "distributed": {5: "one device", 7: "one device"},
    "streams": {4: "streams", 5: "streams"},
    "spectra": {5: "host"},
    "kernels": {2: "NKI", 3: "NKI"},
}
RUN = sorted(path.stem for path in SCRIPTS.glob("*.py") if path.stem not in REFUSED)


def result_of(folder, name, source):
    path = folder / f"{name}.py"
    path.write_text(source)
    torch._dynamo.reset()
    return runpy.run_path(str(path))["result"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RUN)
def test_a_rewritten_script_runs_and_has_the_results_of_the_cpu(name, tmp_path):
    made = migration.read((SCRIPTS / f"{name}.py").read_text())
    assert made.of_kind("change") and not made.of_kind("refused")
    ours = result_of(tmp_path, "ours", made.source)
    host = made.source.replace('"neuron:0"', '"cpu"').replace('"neuron"', '"cpu"')
    host = host.replace('backend="cpu"', 'backend="eager"').replace("is_cuda", "is_cpu")
    theirs = result_of(tmp_path, "theirs", host)
    assert ours == pytest.approx(theirs, abs=2e-2 if "amp" in name else 1e-4)
    again = migration.read(made.source)
    assert not again.findings or not again.of_kind("change")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_is_refused_with_line_and_reason(name):
    made = migration.read((SCRIPTS / f"{name}.py").read_text())
    found = {each.line: each.text for each in made.of_kind("refused")}
    for line, word in REFUSED[name].items():
        assert word in found[line]


def test_a_script_that_asks_for_an_accelerator_gets_the_device(tmp_path):
    source = """import torch
device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
result = torch.ones(2, device=device).device.type
"""
    made = migration.read(source)
    assert "import torch_neuronx" in made.source
    assert result_of(tmp_path, "accelerator", made.source) == "neuron"
    assert not migration.read(made.source).findings


def test_data_parallel_calls_the_module():
    head = "from torch import nn\n"
    for given, wanted in (
        ("nn.parallel.data_parallel(model.main, x, range(2))", "model.main(x)"),
        ("nn.parallel.data_parallel(model, (x, x.cuda()))", 'model(*(x, x.to("neuron")))'),
    ):
        assert wanted in migration.read(head + "y = " + given + "\n").source
