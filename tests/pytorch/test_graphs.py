"""What breaks a graph elsewhere and not here, and what importing the package costs."""

import logging
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from torch.nn import functional as F  # noqa: E402


def whole(function):
    return torch.compile(function, backend="neuron", fullgraph=True)


def run_apart(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


def test_the_package_imports_no_dynamo_which_is_told_when_it_comes():
    script = """
import sys, torch, torch_neuronx
heavy = {"torch._dynamo", "torch._inductor", "sympy"} & set(sys.modules)
assert not heavy, heavy
x = torch.ones(3, device="neuron")
print((x + x).sum().item(), torch.compile(lambda x: x * 2, backend="neuron")(x).sum().item())
"""
    made = run_apart(script)
    assert made.stdout.split() == ["6.0", "6.0"], made.stderr


@pytest.mark.parametrize("first", ["torch._dynamo", "torch._inductor", "torch.export"])
def test_dynamo_may_come_first(first):
    script = f"""
import torch, {first}, torch_neuronx
print(torch.compile(lambda x: x * 2, backend="neuron")(torch.ones(3, device="neuron")).sum().item())
"""
    made = run_apart(script)
    assert made.stdout.split() == ["6.0"], made.stderr


@pytest.mark.parametrize("device", ["cpu", "neuron"])
def test_a_message_of_a_logger_is_told_and_breaks_no_graph(device, caplog):
    logger = logging.getLogger("some.library")

    def function(x):
        logger.warning("the size is %s", x.shape[0])
        return x + 1

    with caplog.at_level(logging.WARNING):
        assert whole(function)(torch.ones(3, device=device)).tolist() == [2.0] * 3
    told = [each.getMessage() for each in caplog.records if each.name == logger.name]
    assert told == ["the size is 3"]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("device", ["cpu", "neuron"])
def test_lists_of_numbers_are_indices(compiled, device):
    def read(x):
        return x[..., [-2], :], x[[0, 1]], x[:, [2, 0, 1], [0, 1, 0]]

    def write(x):
        x = x.clone()
        x[:, [0, 2]] = 5.0
        return x

    x = torch.randn(2, 3, 4)
    for function in (read, write):
        used = whole(function) if compiled else function
        for a, b in zip(used(x.to(device)), function(x), strict=True):
            assert torch.equal(a.cpu(), b)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("device", ["cpu", "neuron"])
def test_an_assertion_that_fails_is_an_error(compiled, device):
    def function(x):
        torch._assert_async((x > 0).all(), "a number is not positive")
        return x + 1

    used = whole(function) if compiled else function
    assert used(torch.ones(2, device=device)).tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="a number is not positive"):
        used(torch.tensor([1.0, -1.0]).to(device))


GROUPS = {
    "matrices": ((24, 16), (4, 16, 32)),
    "rows": ((16, 24), (24, 32)),
    "columns": ((4, 16, 8), (8, 24)),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("which", GROUPS)
def test_grouped_products_have_the_numbers_of_the_cpu(which, dtype):
    a, b = (torch.randn(shape).to(dtype) for shape in GROUPS[which])
    ends = torch.tensor([5, 5, 14, 24], dtype=torch.int32)

    def function(a, b, ends):
        return F.grouped_mm(a, b, offs=ends)

    wanted = function(a, b, ends)
    close = {"rtol": 2e-2, "atol": 2e-2} if dtype == torch.bfloat16 else {}
    torch.testing.assert_close(whole(function)(a, b, ends), wanted, **close)
    made = function(a.to("neuron"), b.to("neuron"), ends.to("neuron"))
    torch.testing.assert_close(made.cpu(), wanted, **close)


def test_rows_behind_the_last_group_are_zeros():
    a, b = torch.randn(24, 16), torch.randn(2, 16, 8)
    ends = torch.tensor([5, 20], dtype=torch.int32)
    made = whole(lambda a, b, ends: F.grouped_mm(a, b, offs=ends))(a, b, ends)
    torch.testing.assert_close(made[:5], a[:5] @ b[0])
    torch.testing.assert_close(made[5:20], a[5:20] @ b[1])
    assert not made[20:].any()


CONFIG = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "vocab_size": 64,
    "head_dim": 16,
}


def mixture():
    transformers = pytest.importorskip("transformers")
    config = transformers.Qwen3MoeConfig(
        **CONFIG, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32
    )
    return transformers.Qwen3MoeForCausalLM(config)


def gpt():
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(n_embd=32, n_layer=1, n_head=2, vocab_size=64)
    for name in ("resid_pdrop", "attn_pdrop", "embd_pdrop"):
        setattr(config, name, 0.0)
    return transformers.GPT2LMHeadModel(config)


@pytest.mark.parametrize("make", [mixture, gpt])
def test_models_that_broke_are_one_graph(make):
    model = make()
    tokens = torch.randint(0, 64, (2, 8))
    given = {"input_ids": tokens, "labels": tokens, "use_cache": False}
    wanted = model(**given).loss
    wanted.backward()
    gradients = [x.grad.clone() for x in model.parameters()]
    model.zero_grad()
    torch._dynamo.utils.counters.clear()
    loss = torch.compile(model, backend="neuron", fullgraph=True)(**given).loss
    loss.backward()
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1
    torch.testing.assert_close(loss, wanted)
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, rtol=1e-4, atol=1e-6)


def test_data_of_a_tensor_is_read_in_a_graph():
    x = torch.randn(4, device="neuron", requires_grad=True)
    made = whole(lambda x: x * x.data.amax())(x)
    torch.testing.assert_close(made.cpu(), x.cpu() * x.cpu().amax())


@pytest.mark.parametrize("compiled", [False, True])
def test_a_row_that_is_masked_whole_has_zeros(compiled):
    x = torch.randn(4, 5)
    x[1], x[2, 3], x[0, 0] = float("-inf"), float("-inf"), float("nan")

    def function(x):
        return torch.ops.aten._safe_softmax(x, -1)

    made = (whole(function) if compiled else function)(x.to("neuron")).cpu()
    torch.testing.assert_close(made, function(x), equal_nan=True)
    assert not made[1].any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("how", ["causal", "mask", "plain"])
def test_attention_has_the_numbers_of_the_cpu(how, dtype):
    given = [torch.randn(2, 4, 16, 8).to(dtype).requires_grad_() for _ in range(3)]
    mask = torch.rand(16, 16) > 0.9  # some rows are masked whole
    kwargs = {"causal": {"is_causal": True}, "mask": {"attn_mask": mask}, "plain": {}}[how]

    def function(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, **kwargs)

    def results(function):
        made = function(*given)
        return made, *torch.autograd.grad(made.float().sin().sum(), given)

    narrow = {"rtol": 3e-2, "atol": 4e-2}
    close = narrow if dtype == torch.bfloat16 else {"rtol": 1e-4, "atol": 1e-5}
    for a, b in zip(results(whole(function)), results(function), strict=True):
        torch.testing.assert_close(a, b, **close)
    assert not torch.backends.cuda.fp16_bf16_reduction_math_sdp_allowed()  # as it was
