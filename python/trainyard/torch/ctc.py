"""The loss of connectionist temporal classification (Graves et al., 2006), of operators that have
gradients: the sum over all alignments, from one time to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.nn.functional import pad

Lengths = torch.Tensor | Sequence[int]
NEVER = -1e30  # the logarithm of no probability: of -inf there are no gradients
_MEAN, _SUM = 1, 2  # of PyTorch's reductions


def ctc_loss(
    log_probs: torch.Tensor,
    targets: torch.Tensor,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int = 0,
    reduction: int = _MEAN,
    zero_infinity: bool = False,
) -> torch.Tensor:
    """As aten::ctc_loss: log_probs [T, N, C] or [T, C], targets [N, S] or one behind the other."""
    if log_probs.dim() == 2:
        given = (log_probs.unsqueeze(1), targets.reshape(1, -1), input_lengths, target_lengths)
        loss = ctc_loss(*given, blank, reduction, zero_infinity)
        return loss if reduction in (_MEAN, _SUM) else loss[0]
    device = log_probs.device
    times = torch.as_tensor(input_lengths, device=device).reshape(-1).long()
    lengths = torch.as_tensor(target_lengths, device=device).reshape(-1).long()
    targets = targets.to(device)
    if targets.dim() == 1:
        targets = _rows(targets, lengths.tolist())
    loss = _negative_logarithm(log_probs.float(), targets.long(), times, lengths, blank)
    loss = loss + _normalized(log_probs.float(), times)
    is_never = loss > -NEVER / 2
    loss = torch.where(is_never, 0.0 if zero_infinity else torch.inf, loss).to(log_probs.dtype)
    if reduction == _MEAN:
        return (loss / lengths.clamp(min=1)).mean()
    return loss.sum() if reduction == _SUM else loss


def _rows(targets: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """Targets one behind the other as a row each."""
    wide = max(lengths, default=0)
    return torch.stack([pad(row, (0, wide - len(row))) for row in targets.split(lengths)])


def _negative_logarithm(
    log_probs: torch.Tensor,
    targets: torch.Tensor,
    times: torch.Tensor,
    lengths: torch.Tensor,
    blank: int,
) -> torch.Tensor:
    """Of each row's probability. Labels are the targets between blanks; one may be reached from
    itself, from the one before it, and from the one before that if a blank is between them that
    need not be there."""
    count, wide = targets.shape
    blanks = torch.full_like(targets, blank)
    labels = torch.stack([blanks, targets], 2).reshape(count, 2 * wide)
    labels = torch.cat([labels, torch.full_like(lengths, blank).unsqueeze(1)], 1)
    may_skip = pad((labels[:, 2:] != labels[:, :-2]) & (labels[:, 2:] != blank), (2, 0))
    emitted = log_probs.gather(2, labels.expand(log_probs.shape[0], -1, -1))
    place = torch.arange(2 * wide + 1, device=labels.device)
    sums = torch.where(place < 2, emitted[0], NEVER)
    for time in range(1, log_probs.shape[0]):
        one = pad(sums, (1, 0), value=NEVER)[:, :-1]
        two = pad(sums, (2, 0), value=NEVER)[:, : 2 * wide + 1]
        ways = torch.stack([sums, one, torch.where(may_skip, two, NEVER)])
        after = (ways.logsumexp(0) + emitted[time]).clamp(min=NEVER)
        sums = torch.where((times > time).unsqueeze(1), after, sums)
    last = sums.gather(1, 2 * lengths.unsqueeze(1))
    before = sums.gather(1, (2 * lengths - 1).clamp(min=0).unsqueeze(1))
    before = torch.where(lengths.unsqueeze(1) > 0, before, NEVER)
    return -torch.cat([last, before], 1).logsumexp(1)


def _normalized(log_probs: torch.Tensor, times: torch.Tensor) -> torch.Tensor:
    """Zero, with the gradient by which PyTorch's differs from that of the function: of each time it
    has the whole gradient through log_softmax, the probabilities themselves included."""
    place = torch.arange(log_probs.shape[0], device=log_probs.device)
    within = (place.unsqueeze(1) < times).unsqueeze(2)
    total = torch.where(within, log_probs.clamp(max=80.0), NEVER).exp().sum((0, 2))
    return total - total.detach()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ctc_loss.IntList": ctc_loss,
    "ctc_loss.Tensor": ctc_loss,
}
