"""Does the judge of models tell a wrong number from one that float32 explains?"""

import importlib.util
import itertools
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

JUDGE = Path(__file__).parents[2] / "tools" / "torch_suite" / "judge.py"


@pytest.fixture(scope="module")
def judge():
    import sys

    spec = importlib.util.spec_from_file_location("judge", JUDGE)
    sys.modules["judge"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.judge
    del sys.modules["judge"]


def products(dtype, shake=0):
    """Two tensors of sums of 512 terms, and one that is zero but for rounding."""
    draw = torch.Generator().manual_seed(0)
    a, b = torch.randn(16, 512, generator=draw), torch.randn(512, 16, generator=draw)
    if shake:
        a = a * (1 + 1.2e-7 * torch.randn(a.shape, generator=torch.Generator().manual_seed(shake)))
    a, b = a.to(dtype), b.to(dtype)
    made = a @ b
    return [made, made.tanh(), (made - made.mean(0)).sum(0)]


def runs():
    return (products(torch.float32, shake) for shake in itertools.count())


def test_sums_in_another_order_are_right(judge):
    a = [x.flip(0) for x in products(torch.float32)]
    ours = [x.flip(0) for x in a]
    assert judge(ours, products(torch.float64), runs()).kind == "ok"
    assert judge(products(torch.float32, 99), products(torch.float64), runs()).kind == "ok"


@pytest.mark.parametrize("error", [1e-3, 1e-4])
@pytest.mark.parametrize("place", [0, 1])
def test_one_wrong_number_is_seen(judge, error, place):
    ours = products(torch.float32)
    ours[place] = ours[place].clone()
    ours[place][3, 5] += error * ours[place].abs().max()
    verdict = judge(ours, products(torch.float64), runs())
    assert verdict.kind == "wrong"
    assert f"tensor {place}" in verdict.cause


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_none_is_seen(judge, number):
    ours = products(torch.float32)
    ours[0][0, 0] = number
    assert judge(ours, products(torch.float64), runs()).kind == "wrong"


def test_what_is_missing_or_of_another_shape_is_seen(judge):
    exact = products(torch.float64)
    assert judge([None, *exact[1:]], exact, runs()).kind == "wrong"
    assert judge([exact[0].t()[:8], *exact[1:]], exact, runs()).kind == "wrong"
    assert judge(exact[:2], exact, runs()).kind == "wrong"


def test_what_float32_does_not_determine_shows_nothing(judge):
    def chaotic(dtype, shake=0):
        x = products(dtype, shake)[0].abs().sum().reshape(1) % 1
        for _ in range(40):
            x = 3.99 * x * (1 - x)
        return [x]

    noisy = (chaotic(torch.float32, shake) for shake in itertools.count())
    assert judge(chaotic(torch.float32, 7), chaotic(torch.float64), noisy).kind == "unstable"


def test_a_wrong_number_beside_noise_is_seen(judge):
    """Noise of one tensor allows nothing in another."""
    exact = [torch.ones(4).double(), torch.ones(4).double()]
    noisy = ([torch.ones(4) + 0.01 * i, torch.ones(4)] for i in range(9))
    ours = [torch.ones(4) + 0.02, torch.ones(4) + 0.02]
    assert judge(ours, exact, noisy).kind == "wrong"


def test_a_difference_is_known_to_the_last_place_of_what_it_is_of(judge):
    exact = [torch.full((4,), 1e-4).double()]
    ours = [torch.full((4,), 1e-4 + 1e-7)]
    same = itertools.repeat([torch.full((4,), 1e-4)])
    assert judge(ours, exact, same, [1.0]).kind == "ok"
    assert judge(ours, exact, same, [0.01]).kind == "wrong"


def test_a_number_far_beyond_noise_is_wrong_however_large_the_noise(judge):
    exact = [torch.ones(4).double()]
    noisy = itertools.repeat([torch.ones(4) + 1e-3])
    assert judge([torch.ones(4) + 5e-3], exact, noisy).kind == "unstable"
    assert judge([torch.ones(4) + 5e-2], exact, noisy).kind == "wrong"


def test_a_jump_that_a_larger_change_makes_is_float32s(judge):
    """As of a gradient where a number before a ReLU is as good as zero: see judge.Strong."""
    import sys

    strong = sys.modules["judge"].Strong
    exact = [torch.ones(4).double()]
    jumped = torch.tensor([1.0, 1.0, 1.1, 1.0])
    steady = itertools.repeat([torch.ones(4)])
    assert judge([jumped], exact, steady).kind == "wrong"
    seen = itertools.cycle(([torch.ones(4)], strong([jumped])))
    assert judge([jumped], exact, seen).kind == "unstable"
    grown = itertools.cycle(([torch.ones(4) + 1e-5], strong([torch.ones(4) + 4e-5])))
    assert judge([torch.ones(4) + 3e-5], exact, grown).kind == "ok"
    assert judge([torch.ones(4) + 1e-4], exact, grown).kind == "wrong"


def test_the_cpu_runs_with_its_operators_taken_apart(judge, monkeypatch):
    """Its own gradient of a batch norm sums in float64, which hides what float32 is worth."""
    from torch.utils._python_dispatch import TorchDispatchMode

    monkeypatch.syspath_prepend(str(JUDGE.parent))
    import models

    called = set()

    class Names(TorchDispatchMode):
        def __torch_dispatch__(self, overload, types, args=(), kwargs=None):
            called.add(overload._schema.name)
            return overload(*args, **(kwargs or {}))

    found = []
    for decomposes in (False, True):
        torch.manual_seed(0)
        model, x = torch.nn.BatchNorm2d(3), torch.randn(2, 3, 8, 8)
        used = models.compiled(model, "cpu", models.How(decomposes=decomposes))
        called.clear()
        loss = used(x).sin().sum()
        with Names():
            loss.backward()
        found.append((model.weight.grad, "aten::native_batch_norm_backward" in called))
    torch.testing.assert_close(found[0][0], found[1][0])
    assert [is_whole for _, is_whole in found] == [True, False]


@pytest.mark.parametrize("wrong", (None, 1e-5, 2e-3))
def test_a_step_is_judged_by_the_gradients_that_it_had(judge, monkeypatch, wrong):
    """AdamW's changes of gradients that are as good as zero differ as much as the gradients do."""
    monkeypatch.syspath_prepend(str(JUDGE.parent))
    import models

    def run(case, device, how):
        torch.manual_seed(how.shake + (device == "neuron"))
        parameter = torch.nn.Parameter(torch.linspace(0.1, 1, 64))
        before = models.copies([parameter])
        parameter.grad = 1e-6 * torch.randn(64)  # noise
        gradients = [parameter.grad.clone()]
        torch.optim.AdamW([parameter], lr=1e-3).step()
        if wrong and device == "neuron":
            parameter.data[7] += wrong
        right = None
        if device == "neuron":
            right = models.stepped(before, gradients, "AdamW", 1e-3)
        return {"changes": models.changes(before, models.copies([parameter]), right)}

    assert models.check_with(models.How(), run, None)[0] == ("wrong" if wrong else "ok")


def test_the_cpu_runs_with_sums_in_sequence(judge, monkeypatch):
    """Of terms that cancel, a machine's running sum has an error that the CPU's pairs have not."""
    monkeypatch.syspath_prepend(str(JUDGE.parent))
    import sums

    import models

    near = {"rtol": 1e-4, "atol": 1e-4}
    x = torch.randn(3, 2048, 2, generator=torch.Generator().manual_seed(0))
    for dims, keeps in (([1], False), ([-1, 0], True), (None, False), ([2], False)):
        torch.testing.assert_close(sums.in_sequence(x, dims, keeps), x.sum(dims, keeps), **near)
    given = (*torch.rand(4, 2048), True, 0.1, 1e-5)
    whole = torch.ops.aten._native_batch_norm_legit_functional.default
    torch.testing.assert_close(sums.batch_norm(x, *given), whole(x, *given), **near)
    x = (x - x.mean(1, keepdim=True)).requires_grad_()
    exact = x.double().sum(1)
    found = []
    for in_sequence in (False, True):
        how = models.How(decomposes=True, in_sequence=in_sequence)
        made = models.compiled(lambda x: x.sum(1), "cpu", how)(x)
        found.append(float((made - exact).abs().max()))
    assert found[1] > 1.5 * found[0]


def test_parts_that_ran_apart_are_one_row(tmp_path, monkeypatch):
    import argparse

    monkeypatch.syspath_prepend(str(JUDGE.parent))
    import totals

    file = tmp_path / "rows.jsonl"
    file.write_text(
        '{"case": "a", "forward": {"kind": "ok"}}\n{"case": "b", "step": {"kind": "slow"}}\n'
        '{"case": "a", "step": {"kind": "wrong"}}\n{"case": "b", "step": {"kind": "ok"}}\n'
    )
    rows = totals.read(file)
    kinds = {
        name: {part: row[part]["kind"] for part in row if part != "case"}
        for name, row in rows.items()
    }
    assert kinds == {"a": {"forward": "ok", "step": "wrong"}, "b": {"step": "ok"}}

    def done(name, *parts, again=False):
        return totals.is_done(rows.get(name, {}), argparse.Namespace(part=parts, again=again))

    assert done("a", "forward") and done("a", "forward", "step")
    assert done("a", "forward", again=True) and not done("a", "forward", "step", again=True)
    assert done("b", "step") and not done("b", "forward", "step") and not done("c", "forward")
