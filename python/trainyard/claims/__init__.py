"""What is said in public about Trainium3, and what our machine files, runs and models say to it.

claims.toml is the table. Each module of MODULES answers some claims; a claim may have an answer
in several of them (what the machine file says, what a run reaches).
"""

from __future__ import annotations

from trainyard.claims import inputs, models, systems
from trainyard.claims.table import METHODS, VERDICTS, Answer, Claim, claims

MODULES = (inputs, models, systems)


def answers(id: str) -> list[Answer]:
    """Every answer to a claim, in the order of MODULES."""
    return [module.ANSWERS[id]() for module in MODULES if id in module.ANSWERS]
