"""Collectives across devices: the names of nki.collectives, none of which is built.

Kernels that import the module can be traced as long as they call none of its functions. Source of
the names: nki.collectives, NKI 0.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nki.language import NKIObject


class ReplicaGroup(NKIObject):
    """The ranks that take part in a collective, in groups."""

    replica_groups: Any


def _not_built(name: str) -> Callable[..., None]:
    def function(*_: Any, **__: Any) -> None:
        raise NotImplementedError(f"nki.collectives.{name} is not built: kernels run on one device")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Raises NotImplementedError."
    return function


all_gather = _not_built("all_gather")
all_gather_v = _not_built("all_gather_v")
all_reduce = _not_built("all_reduce")
all_to_all = _not_built("all_to_all")
all_to_all_v = _not_built("all_to_all_v")
collective_permute = _not_built("collective_permute")
collective_permute_implicit = _not_built("collective_permute_implicit")
collective_permute_implicit_current_processing_rank_id = _not_built(
    "collective_permute_implicit_current_processing_rank_id"
)
collective_permute_implicit_reduce = _not_built("collective_permute_implicit_reduce")
rank_id = _not_built("rank_id")
reduce_scatter = _not_built("reduce_scatter")
