"""Do graphs whose sizes change have one program for each bucket, with the CPU's numbers?"""

import copy

import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F  # noqa: E402
import torch_neuronx  # noqa: E402
from torch import nn  # noqa: E402
from trainyard.torch import buckets  # noqa: E402
from trainyard.torch.padding.factors import Factor, Unpadded, plain, regroup  # noqa: E402


class Attention(nn.Module):
    """Batch and length merge in its products; it is causal, and reads its last position."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50, 16)
        self.places = nn.Parameter(torch.randn(64, 16))
        self.norm = nn.LayerNorm(16)
        self.heads = nn.Linear(16, 48)
        self.out = nn.Linear(16, 50)

    def forward(self, tokens, targets):
        batch, length = tokens.shape
        x = self.norm(self.table(tokens) + self.places[:length])
        q, k, v = (
            part.view(batch, length, 2, 8).transpose(1, 2) for part in self.heads(x).chunk(3, -1)
        )
        x = x + F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        made = self.out(x)
        loss = F.cross_entropy(made.flatten(0, 1), targets.flatten())
        return loss, made[:, -1], made.mean(1), made.softmax(1), made.std()


class Image(nn.Module):
    """Batch norm's statistics are of the real batch."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        return self.out(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Sound(nn.Module):
    """A convolution along the length, group norm, scans."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 8, 3, padding=1, stride=2)
        self.norm = nn.GroupNorm(2, 8)
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        x = F.gelu(self.norm(self.conv(x)))
        return self.out(x.transpose(1, 2)), x.amax(-1), x.cumsum(-1), x.flip(-1)


class Joined(nn.Module):
    """Another position in front, a mask of padding, pieces behind one another."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50, 16)
        self.first = nn.Parameter(torch.randn(1, 1, 16))
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)

    def forward(self, tokens, mask):
        x = torch.cat([self.first.expand(tokens.shape[0], -1, -1), self.table(tokens)], 1)
        mask = F.pad(mask, (1, 0), value=True)
        x = x + self.attention(x, x, x, key_padding_mask=~mask, need_weights=False)[0]
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return mean, x[:, 0], x[:, 1:-1], torch.cat([x, x], 1)


class Sizes(nn.Module):
    """The size itself is a number of the function."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        n = x.shape[0]
        x = self.out(x)
        numbers = torch.arange(n, device=x.device)[:, None]
        places = torch.full((n,), n * 1.0, device=x.device)
        return (
            x / n,
            x.sum(0) / (n - 1),
            (x * numbers).norm(),
            places,
            x.argmax(0),
            x.topk(2, 0)[0],
            x.repeat(2, 1),
            x[n // 2],
        )


def tokens(batch, length):
    return torch.randint(0, 50, (batch, length)), torch.randint(0, 50, (batch, length))


CASES = {
    "attention": (Attention, tokens, [(0, 1)] * 2, [(3, 11), (4, 9), (5, 5), (7, 7), (3, 8)]),
    "image": (Image, lambda n: (torch.randn(n, 3, 8, 8),), [(0,)], [(3,), (4,), (5,)]),
    "sound": (Sound, lambda n, t: (torch.randn(n, 4, t),), [(0, 2)], [(3, 20), (4, 31), (2, 17)]),
    "joined": (
        Joined,
        lambda n, t: (tokens(n, t)[0], torch.rand(n, t) > 0.3),
        [(0, 1)] * 2,
        [(3, 11), (4, 9), (6, 16)],
    ),
    "sizes": (Sizes, lambda n: (torch.randn(n, 8),), [(0,)], [(5,), (6,), (8,), (3,)]),
}
PROGRAMS = {"attention": 6, "image": 4, "sound": 4, "joined": 4, "sizes": 4}


def loss_of(made):
    """Squares, as sums of normalised numbers have no gradients."""
    return sum(x.float().pow(2).mean() for x in made if x.is_floating_point())


def tuple_of(made):
    return made if isinstance(made, tuple) else (made,)


@pytest.mark.parametrize("device", ["cpu", "neuron"])
@pytest.mark.parametrize("name", list(CASES))
def test_a_bucket_has_one_program_and_the_cpus_numbers(name, device):
    """Forward, gradients, and statistics; two programs, forward and backward, for each bucket."""
    kind, make, dims, sizes = CASES[name]
    torch.manual_seed(0)
    ours = kind().to(device)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    buckets.exact.clear()
    compiled = torch.compile(ours, backend="neuron", fullgraph=True)
    before = torch_neuronx.statistics.compilations
    for size in sizes:
        theirs = copy.deepcopy(ours).to("cpu")
        given = make(*size)
        moved = [x.to(device) for x in given]
        for x, places in zip(moved, dims, strict=True):
            for place in places:
                torch._dynamo.mark_dynamic(x, place)
        wanted, made = tuple_of(theirs(*given)), tuple_of(compiled(*moved))
        for a, b in zip(made, wanted, strict=True):
            torch.testing.assert_close(a.cpu(), b, rtol=1e-4, atol=1e-5)
        ours.zero_grad()
        loss_of(wanted).backward()
        loss_of(made).backward()
        for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
            torch.testing.assert_close(a.grad.cpu(), b.grad, rtol=1e-4, atol=1e-5)
        for a, b in zip(ours.buffers(), theirs.buffers(), strict=True):
            torch.testing.assert_close(a.cpu(), b)
    assert not buckets.exact
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1
    if device == "cpu":  # on the device the loss has programs, too
        assert torch_neuronx.statistics.compilations - before == PROGRAMS[name]


def test_sizes_that_dynamo_finds_to_change():
    """Without mark_dynamic: the first size is compiled alone, all others share their buckets."""
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: x.softmax(0).cumsum(0), backend="neuron")
    before = torch_neuronx.statistics.compilations
    for n in (9, 10, 11, 12, 16, 17, 30, 32):
        x = torch.randn(n, 4)
        torch.testing.assert_close(compiled(x), x.softmax(0).cumsum(0), rtol=1e-4, atol=1e-6)
    assert torch_neuronx.statistics.compilations - before == 3  # 9 alone, 16, 32


def test_a_cache_is_not_written_behind_the_end():
    """Rows of a bucket that are not real are written nowhere."""
    torch._dynamo.reset()
    cache = torch.zeros(16, 4)

    def write(cache, rows, start):
        places = torch.arange(rows.shape[0]) + start
        return cache.index_copy_(0, places, rows * 2)

    compiled = torch.compile(write, backend="neuron")
    for n in (5, 6, 3):
        ours, theirs, rows = cache.clone(), cache.clone(), torch.randn(n, 4)
        torch._dynamo.mark_dynamic(rows, 0)
        compiled(ours, rows, torch.tensor(4))
        write(theirs, rows, torch.tensor(4))
        torch.testing.assert_close(ours, theirs)


def test_what_cannot_be_padded_is_compiled_for_each_size():
    """With the reason, and right."""
    torch._dynamo.reset()
    buckets.exact.clear()
    compiled = torch.compile(lambda x: x.sort(0)[0] + 1, backend="neuron")
    for n in (5, 6, 7):
        x = torch.randn(n, 3)
        torch._dynamo.mark_dynamic(x, 0)
        torch.testing.assert_close(compiled(x), x.sort(0)[0] + 1)
    assert list(buckets.exact.values()) == ["sort along a padded dimension"]


def test_equal_sizes_in_one_bucket_and_different_ones_are_not_mixed_up():
    """8 x 8 and 7 x 8 have the bucket 8 x 8, and only one has a diagonal product."""
    torch._dynamo.reset()

    def product(a, b):
        return (a @ b).sum(), a.shape[0] * b.shape[1]

    compiled = torch.compile(product, backend="neuron")
    for n, k in ((8, 8), (7, 8), (8, 7), (6, 6), (5, 8)):
        a, b = torch.randn(n, 4), torch.randn(4, k)
        torch._dynamo.mark_dynamic(a, 0)
        torch._dynamo.mark_dynamic(b, 1)
        made, wanted = compiled(a, b), product(a, b)
        torch.testing.assert_close(made[0], wanted[0], rtol=1e-4, atol=1e-4)
        assert made[1] == wanted[1]


def test_views_of_padded_dimensions():
    """Factors stay through merges and splits; what would cut one is refused."""
    import sympy

    n = sympy.Symbol("n", positive=True, integer=True)
    padded = (Factor(8, n),)
    merged = regroup((padded, plain(12)), [96], [12 * n])
    assert merged == ((Factor(8, n), Factor(12)),)
    assert regroup(merged, [8, 3, 4], [n, 3, 4]) == (padded, plain(3), plain(4))
    with pytest.raises(Unpadded):
        regroup(merged, [4, 24], [n / 2, 24])
    with pytest.raises(Unpadded):  # the elements of [12, n] lie in another order
        regroup(merged, [12, 8], [12, n])
