"""Do scripts for CUDA run as `trainyard migrate` writes them, with the CPU's results?"""

import operator
import runpy
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from trainyard import migration  # noqa: E402
from trainyard.migration import names  # noqa: E402

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


@pytest.mark.parametrize(
    "name", [path for path, reason in names.REFUSED.items() if reason.startswith("no operator")]
)
def test_an_operator_that_is_refused_does_not_run(name):
    function = operator.attrgetter(name.removeprefix("torch."))(torch)
    with pytest.raises(torch_neuronx.TorchError):
        torch.utils._pytree.tree_map(torch.Tensor.cpu, function(torch.eye(3).to("neuron") * 2))
    torch_neuronx.discard()


TEXTS = {
    'f"{c.memory_allocated()} of {torch.cuda.mem_get_info()[1]:,}"': (
        'f"{torch.neuron.memory_allocated()} of {torch.neuron.mem_get_info()[1]:,}"'
    ),
    'f"{x.cuda()!r} c.{c.device_count() + 1}"': (
        "f\"{x.to('neuron')!r} c.{torch.neuron.device_count() + 1}\""
    ),
    'f"""{x.cuda()}\n{y.is_cuda}"""': ('f"""{x.to("neuron")}\n{(y.device.type == "neuron")}"""'),
    "f'{x.cuda()}'": "f'{x.to(\"neuron\")}'",
}


@pytest.mark.parametrize("given", TEXTS)
def test_what_stands_in_texts_changes_under_each_name(given):
    made = migration.read(f"import torch\nimport torch.cuda as c\nprint({given})\n")
    assert made.source.endswith(f"print({TEXTS[given]})\n")
    assert not made.of_kind("refused")
    assert not migration.read(made.source).of_kind("change")


def test_what_is_refused_within_a_call_that_changes_is_said_with_its_place():
    source = """import torch
x = torch.ones(2).to("cpu").cuda(
    non_blocking=torch.cuda.current_stream() is None)
print(f"{torch.cuda.current_stream()}")
"""
    found = {each.line: each.column for each in migration.read(source).of_kind("refused")}
    assert found == {3: source.splitlines()[2].index("torch.cuda"), 4: 9}


def test_a_function_that_places_storages_becomes_the_devices_name():
    head = "import torch\n"
    for given in (
        "torch.load(f(), lambda s, _: s.cuda())",
        "torch.load(f(), map_location=lambda s, l: s.cuda(0), weights_only=True)",
    ):
        made = migration.read(head + given + "\n")
        assert "lambda" not in made.source and "cuda" not in made.source
        assert '"neuron"' in made.source and len(made.of_kind("change")) == 2
    kept = head + "torch.load(f(), map_location=lambda s, _: s)\n"
    assert migration.read(kept).source == kept
