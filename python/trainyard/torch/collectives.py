"""Collectives of torch.distributed among one process, as DistributedDataParallel asks for them:
what each gives is what it got, so that the host's process group only moves it. Of more processes
the host would compute sums, which is refused.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

from trainyard.torch.errors import TorchError
from trainyard.torch.tensor import NeuronTensor


def compute(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Runs a collective on copies of the host; tensors of the device get the results."""
    _refuse_others(overload, args)
    copies: list[tuple[NeuronTensor, torch.Tensor]] = []

    def on_host(x: Any) -> Any:
        if not isinstance(x, NeuronTensor):
            return x
        copies.append((x, x.host()))
        return copies[-1][1]

    given, named = tree_map(on_host, (args, kwargs))
    made = overload(*given, **named)
    works = [each for each in tree_flatten(made)[0] if isinstance(each, torch.ScriptObject)]
    for work in works:
        torch.distributed.Work.unbox(work).wait()
    for ours, copy in copies:
        ours.copy_(copy)
    by_copy = {id(copy): ours for ours, copy in copies}
    return tree_map(lambda x: by_copy.get(id(x), x), made)


def _refuse_others(overload: Any, args: Any) -> None:
    for each in tree_flatten(args)[0]:
        if not isinstance(each, torch.ScriptObject):
            continue
        try:
            size = torch.distributed.ProcessGroup.unbox(each).size()
        except (RuntimeError, TypeError):  # another object
            continue
        if size > 1:
            raise TorchError(
                "torch.device",
                "collectives of the device are among one process",
                "eager mode",
                f"{overload} of {size} processes",
                "use one process: the device is one logical core",
            )
