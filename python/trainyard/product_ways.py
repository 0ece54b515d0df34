"""Products of matrices of programs for several devices, divided otherwise: what each would take.

`trainyard compile --explain script.py` prints them. Each product is timed alone, with operands and
result as they lie in the program, so that what it costs to bring them there is in each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from trainyard.notebook import time_text

SIMULATED = 6  # ways of each product besides the taken one, by an estimate of all
_BETTER = 0.98  # what is alike is not called better


@dataclass
class DividedFunction:
    """A function that was divided over several devices; `program` is a _core.DividedProgram."""

    program: Any
    products: list[dict[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.program.name)

    def look_for_alternatives(self) -> None:
        """Times every product in several ways; seconds for a layer of a large model."""
        self.products = self.program.time_products(SIMULATED)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"name": self.name, "products": self.products}

    def lines(self) -> Iterator[str]:
        """For people."""
        if not self.products:
            return
        yield f"{self.name}: products of matrices, each alone, divided otherwise"
        for product in self.products:
            times = f", {product['count']} times" if product["count"] > 1 else ""
            yield f"  {product['operands']} -> {product['result']}{times}  {product['place']}"
            taken = product["ways"][0]["ns"]
            for way in product["ways"]:
                mark = "*" if way["is_taken"] else "<" if way["ns"] < _BETTER * taken else " "
                of_collectives = (
                    f", {time_text(way['collectives_ns'])} of collectives"
                    if way["collectives_ns"]
                    else ""
                )
                yield f"  {mark} {time_text(way['ns']):>12}  {_words(way)}{of_collectives}"
        yield "  * as it is; < faster, alone"


def _words(way: dict[str, Any]) -> str:
    """ "rows along data, columns along model"."""
    by_role: dict[str, list[str]] = {}
    for axis, role in way["roles"].items():
        by_role.setdefault(role, []).append(axis)
    repeated = by_role.pop("nothing", [])
    parts = [f"{role} along {' and '.join(axes)}" for role, axes in by_role.items()]
    if repeated:
        parts.append(f"the same along {' and '.join(repeated)}")
    return ", ".join(parts) or "as the partitioner divides it"
