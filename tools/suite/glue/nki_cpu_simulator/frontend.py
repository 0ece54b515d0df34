"""The compiler front end nki-library's trace-only tests call: tracing and validating is enough."""

from typing import Any


class NKIFrontend:
    """The base of the front ends."""

    def compile(self, func: Any, inputs: dict[str, Any], **options: Any) -> Any:
        """Traces `func` on its inputs; raises what tracing raises."""
        import nki

        return nki.simulate(func)[options.get("lnc") or 1].trace(**inputs)


class ParserFrontend(NKIFrontend):
    """Parses the source of a kernel; here both trace it."""


class TracerFrontend(NKIFrontend):
    """Traces a kernel."""
