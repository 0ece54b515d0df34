"""Says in one sentence why the core does not load."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

WHERE = "Linux on x86-64, with glibc 2.34 or newer"


def why_not(found: str) -> str:
    """Why the core does not load here; `found` is what Python said."""
    system, kind = platform.system(), platform.machine()
    here = (
        f"this is {platform.python_implementation()} {platform.python_version()} on {system} {kind}"
    )
    built = sorted(one.name for one in Path(__file__).parent.glob("_core.*"))
    if (system, kind) != ("Linux", "x86_64"):
        return f"Trainyard runs on {WHERE}; {here}"
    tag = f"{sys.implementation.name}-{sys.version_info.major}{sys.version_info.minor}"
    if built and not any(tag in name for name in built):
        return (
            f"Trainyard's core was built for another Python ({', '.join(built)}); {here}. Install "
            "the wheel for this Python"
        )
    if not built:
        return f"this installation of Trainyard has no core; {here}. Install it again from a wheel"
    return f"Trainyard's core does not load: {found}. It needs {WHERE}; {here}"
