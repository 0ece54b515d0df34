"""Does `trainyard migrate` list what changes in a script for CUDA, and write it?

Nothing of it needs PyTorch; tests/pytorch runs what it writes.
"""

SCRIPT = '''"""Trains on cuda."""
import torch
from torch.cuda.amp import autocast

model = torch.nn.Linear(2, 2).cuda()  # on cuda
with autocast():
    made = model(torch.ones(1, 2, device="cuda:0"))
print(f"ä {torch.cuda.memory_allocated():,} on cuda", made)
'''
WRITTEN = '''"""Trains on cuda."""
import torch
import torch_neuronx

model = torch.nn.Linear(2, 2).to("neuron")  # on cuda
with torch.autocast("neuron"):
    made = model(torch.ones(1, 2, device="neuron:0"))
print(f"ä {torch.neuron.memory_allocated():,} on cuda", made)
'''


def test_changes_are_listed_with_their_places_and_then_written(trainyard, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    listed = trainyard("migrate", path)
    assert listed.code == 1 and f"{path}:5:9: change: torch.nn.Linear(2, 2).cuda()" in listed.out
    assert "6 changes to make, 0 refused" in listed.out and path.read_text() == SCRIPT
    written = trainyard("migrate", path, "--write")
    assert written.code == 0 and path.read_text() == WRITTEN
    again = trainyard("migrate", path, "--json").data
    assert again["schema"] == "trainyard.migrate/1" and again["findings"] == []


def test_what_cannot_run_is_refused_with_a_way_round(trainyard, tmp_path):
    path = tmp_path / "many.py"
    path.write_text(
        "import torch\n"
        "torch.distributed.init_process_group('nccl')\n"
        "x = torch.linalg.eig(torch.ones(4, 4))\n"
        "y = x.to('cuda:3')\n"
        "from flash_attn import flash_attn_varlen_func as attend\n"
        "z = attend(x, x, x)\n"
    )
    run = trainyard("migrate", path, "--json", "--write")
    refused = {each["line"]: each["text"] for each in run.data["findings"]}
    assert run.code == 1 and sorted(refused) == [2, 3, 4, 6]
    assert "one device" in refused[2] and "x.cpu()" in refused[3] and "neuron:0" in refused[4]
    assert "scaled_dot_product_attention" in refused[6]


def test_what_is_no_script_is_refused(trainyard, tmp_path):
    for name, content in (("a.py", b"def f(:\n"), ("b.py", b"\xff\xfe"), ("c.py", b"x = '\0'")):
        (tmp_path / name).write_bytes(content)
        run = trainyard("migrate", tmp_path / name)
        assert run.code == 2 and f"{name} is no Python script" in run.err
