"""Do events and PyTorch's names for any accelerator answer as those of other devices do?"""

import gc
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from trainyard.torch.clock import clock  # noqa: E402


def multiply(x, times):
    for _ in range(times):
        x = torch.tanh(x @ x)
    return x


def recorded(**given):
    event = torch.neuron.Event(**given)
    event.record()
    return event


@pytest.mark.parametrize("compiled", [False, True])
def test_elapsed_time_is_that_of_the_programs_between(compiled):
    used = torch.compile(multiply, backend="neuron") if compiled else multiply
    x = torch.eye(64).to("neuron")
    with torch_neuronx.timing() as launches:
        used(x, 3).cpu()
    wanted = launches[-1].seconds * 1e3
    start = recorded(enable_timing=True)
    for _ in range(4):
        y = used(x, 3)
        torch.neuron.synchronize()
    middle, end = recorded(enable_timing=True), recorded(enable_timing=True)
    end.synchronize()
    assert end.query() and y.cpu().shape == (64, 64)
    assert start.elapsed_time(end) == pytest.approx(4 * wanted)
    assert middle.elapsed_time(end) == 0 and end.elapsed_time(start) == pytest.approx(-4 * wanted)


def test_what_waits_belongs_to_the_side_on_which_it_was_asked_for():
    x = torch.eye(32, device="neuron")
    before = x @ x
    start = recorded(enable_timing=True)
    nothing = recorded(enable_timing=True)
    after = x @ x
    end = recorded(enable_timing=True)
    assert start.elapsed_time(nothing) == 0 < start.elapsed_time(end)
    assert torch.equal(before.cpu(), after.cpu())


def test_events_in_a_compiled_function_stand_between_its_programs():
    start = torch.neuron.Event(enable_timing=True)

    @torch.compile(backend="neuron")
    def compute(x):
        end = torch.neuron.Event(enable_timing=True)
        start.record()
        y = torch.tanh(x @ x)
        end.record()
        torch.neuron.synchronize()
        return y + 1, start.elapsed_time(end)

    x = torch.eye(64).to("neuron")
    for _ in range(2):
        with torch_neuronx.timing() as launches:
            y, elapsed = compute(x)
        assert elapsed == pytest.approx(launches[0].seconds * 1e3)
        torch.testing.assert_close(y.cpu(), torch.eye(64).tanh() + 1)


def test_the_clock_stops_with_the_last_event():
    gc.collect()
    assert not clock.is_running
    event = recorded()
    assert not clock.is_running
    event = recorded(enable_timing=True)
    assert clock.is_running
    del event
    gc.collect()
    assert not clock.is_running


def test_misuse_is_an_error():
    plain, fresh = recorded(), torch.neuron.Event(enable_timing=True)
    timed = recorded(enable_timing=True)
    with pytest.raises(ValueError, match="enable_timing"):
        timed.elapsed_time(plain)
    with pytest.raises(RuntimeError, match="recorded"):
        fresh.elapsed_time(timed)
    with pytest.raises(ValueError, match="interprocess"):
        torch.neuron.Event(interprocess=True)


def test_a_script_under_trainyard_time_has_them(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        """import torch, torch_neuronx
x = torch.eye(64, device="neuron")
torch.neuron.synchronize()
events = [torch.neuron.Event(enable_timing=True) for _ in range(2)]
with torch_neuronx.timing() as launches:
    events[0].record()
    for _ in range(3):
        y = torch.tanh(x @ x)
        torch.neuron.synchronize()
    events[1].record()
elapsed = events[0].elapsed_time(events[1])
assert elapsed > 0 and abs(sum(each.seconds for each in launches) * 1e3 - elapsed) < 1e-9
print("SAME")
"""
    )
    command = [sys.executable, "-m", "trainyard", "time", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "SAME" in run.stdout, run.stdout + run.stderr


def test_names_for_any_accelerator():
    accelerator = torch.accelerator
    assert accelerator.current_accelerator().type == "neuron" and accelerator.device_count() == 1
    x = torch.ones(1024, device=accelerator.current_accelerator())
    y = x + 1
    accelerator.synchronize()
    assert accelerator.memory_allocated() == torch.neuron.memory_allocated() > 0
    accelerator.reset_peak_memory_stats(0)
    stats = accelerator.memory_stats()
    assert stats["allocated_bytes.all.peak"] == accelerator.max_memory_allocated()
    free, whole = accelerator.get_memory_info()
    assert 0 < free < whole and y.sum().item() == 2048
    accelerator.empty_cache()
    with pytest.raises(RuntimeError, match="neuron:0"):
        accelerator.synchronize(1)
