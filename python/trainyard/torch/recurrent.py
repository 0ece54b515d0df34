"""LSTM, GRU, packed sequences and the CTC loss in eager mode: PyTorch would call operators of the
device, of which there are none; they are computed by its own decompositions, or by ours, each
operator with a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from trainyard.torch import ctc

_A = torch.ops.aten
FUNCTIONS: dict[str, Callable[..., Any]] = {}  # by operator; Dynamo does not follow them
_LAYERS = ("lstm", "gru", "rnn_tanh", "rnn_relu")


def _lstm_cell(
    x: torch.Tensor,
    hidden: Sequence[torch.Tensor],
    w: torch.Tensor,
    hidden_w: torch.Tensor,
    bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    linear = torch.nn.functional.linear
    gates = linear(x, w, bias) + linear(hidden[0], hidden_w, hidden_bias)
    enter, forget, cell, leave = gates.chunk(4, 1)
    kept = forget.sigmoid() * hidden[1] + enter.sigmoid() * cell.tanh()
    return leave.sigmoid() * kept.tanh(), kept


def _gru_cell(
    x: torch.Tensor,
    hidden: torch.Tensor,
    w: torch.Tensor,
    hidden_w: torch.Tensor,
    bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> torch.Tensor:
    from torch._decomp.decompositions import gru_cell_data

    return gru_cell_data(x, hidden, w, bias, hidden_w, hidden_bias)


def _pack_padded_sequence(
    x: torch.Tensor, lengths: torch.Tensor, batch_first: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows of all sequences, the first of each, the second, and so on; how many there are of
    each stays on the host, as PyTorch has it."""
    x = x.transpose(0, 1) if batch_first else x
    counts = lengths.tolist()
    if not counts or min(counts) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found one that is not"
        )
    if counts != sorted(counts, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True"
        )
    sizes = [sum(count > step for count in counts) for step in range(counts[0])]
    places = [step * x.shape[1] + row for step, size in enumerate(sizes) for row in range(size)]
    rows = x.reshape(-1, *x.shape[2:])
    where = torch.tensor(places, dtype=torch.int64, device=x.device)
    return rows.index_select(0, where), torch.tensor(sizes, dtype=torch.int64)


def _layer(name: str) -> Callable[..., Any]:
    """Imported when it is called: PyTorch's decompositions take a second to import."""

    def layer(*args: Any) -> Any:
        from torch._decomp import decomposition_table

        packet, _, overload = name.partition(".")
        return decomposition_table[getattr(getattr(_A, packet), overload)](*args)

    return layer


def _entered(name: str) -> Callable[..., Any]:
    return lambda *args: FUNCTIONS[name](*args)


def register(library: torch.library.Library) -> None:
    """In front of autograd, which then sees the operators that they are made of."""
    layers = [f"{packet}.{overload}" for packet in _LAYERS for overload in ("input", "data")]
    FUNCTIONS.update({name: _layer(name) for name in layers})
    FUNCTIONS.update(
        lstm_cell=_lstm_cell,
        gru_cell=_gru_cell,
        _pack_padded_sequence=_pack_padded_sequence,
        **ctc.FUNCTIONS,
    )
    for name in FUNCTIONS:
        library.impl(name, _entered(name), "AutogradPrivateUse1")
