"""Makes the functions of nki.isa from the instruction schema: signature, docstring and body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainyard import _core
from trainyard._core import NkiTensor

from nki import _context, _level

# The engine parameter where it is not `engine=engine.unknown` on every instruction that more than
# one engine runs. None: the author has no choice. Source: signatures of nki.isa, NKI 0.7.
_ENGINE_DEFAULTS: dict[str, str | None] = {
    "activate2": "scalar",
    "activation": "scalar",
    "core_barrier": "gpsimd",
    "dma_compute": None,
    "dma_transpose": None,
    "rand_get_state": "gpsimd",
    "rand_set_state": "gpsimd",
    "rng": "vector",
    "sendrecv": None,
}

# Instructions that AWS's API does not have: compilers put them in, or nki.experimental offers them.
NOT_AWS = frozenset({"dma_read_add_write", "nc_matmul_sparse", "psum_zero"})
# The functions of nki.collectives make these.
COLLECTIVES = frozenset(
    {
        "all_gather",
        "all_gather_v",
        "all_reduce",
        "all_to_all",
        "all_to_all_v",
        "collective_permute",
        "reduce_scatter",
    }
)

SCHEMA: dict[str, dict[str, Any]] = {
    entry["mnemonic"]: entry for entry in _core.instruction_schema()
}


class NkiInstruction:
    """A traced instruction. `depends_on` makes it wait for others."""

    __slots__ = ("_context", "_scope", "index")

    def __init__(self, context: _context.Context, index: int) -> None:
        self._context = context
        self._scope = context.scope
        self.index = index

    def depends_on(self, *producers: NkiInstruction) -> NkiInstruction:
        """Runs this instruction only after every producer has completed; returns itself.

        Raises InputError "depends_on.loop" for a producer inside a hardware loop that this
        instruction is not in: it may run more often than this one, or never.
        """
        for producer in producers:
            if not isinstance(producer, NkiInstruction):
                _context.refuse(
                    "depends_on.producers",
                    "the producers of depends_on are instructions, as functions of nki.isa return",
                    repr(producer),
                    "pass them one by one: a.depends_on(b, c)",
                )
            if self._scope[: len(producer._scope)] != producer._scope:
                _context.refuse(
                    "depends_on.loop",
                    "a producer is in the same hardware loop as its consumer, or around it",
                    f"instruction {self.index} after instruction {producer.index}",
                    "move the depends_on, or one of the instructions, into the loop",
                )
            self._context.trace.add_edge(producer.index, self.index)
        return self


def emit(opcode: int, values: tuple, engine: object, name: str | None) -> NkiInstruction:
    """Appends an instruction to the kernel being traced."""
    context = _context.thread.context or _context.context()
    index = context.trace.emit(opcode, values, engine)
    made = NkiInstruction(context, index)
    if name is not None:
        context.names.setdefault(name, []).append(made)
    return made


# What an instruction's function does to its arguments before they are stored.
_PREPARATIONS = {
    "dma_compute": "    srcs = _listed(srcs)\n",
    "dma_copy": "    _checked_issuer(dge_mode, engine)\n",
    "dma_transpose": "    dst = _padded(dst, src)\n",
    "tensor_reduce": "    axis = _counted(axis, data)\n",
    "nc_transpose": "    engine = _honoured(engine)\n",
}


def checked_issuer(dge_mode: Any, engine: Any) -> None:
    """Refuses an author's choice of the issuer of a copy whose descriptors no hardware makes."""
    from nki._enums import dge_mode as modes
    from nki._enums import engine as engines

    if engine is engines.unknown or engine is None:
        return
    if dge_mode is not modes.hwdge or engine not in (engines.sync, engines.scalar):
        _context.refuse(
            "dma_copy.engine",
            "engine is sync or scalar, and given only with dge_mode.hwdge",
            f"{engine} with {dge_mode}",
            "leave the engine out, or pass dge_mode=dge_mode.hwdge",
        )


def listed_tensors(srcs: Any) -> Any:
    """Refuses one tensor in the place of a list of them."""
    if isinstance(srcs, NkiTensor):
        _context.refuse(
            "argument.type",
            "argument 'srcs' is a list of tensors",
            repr(srcs),
            "pass srcs=[tensor]",
        )
    return srcs


def padded_destination(dst: Any, src: Any) -> Any:
    """dst of dma_transpose; releases before NKI 0.4 gave it dimensions of one up to src's rank."""
    both = isinstance(dst, NkiTensor) and isinstance(src, NkiTensor)
    if not both or _level.has("dma_transpose.rank"):
        return dst
    for d, extent in enumerate([src.shape[-1], *src.shape[1:-1], src.shape[0]]):
        lacks_it = d >= dst.ndim or dst.shape[d] != extent
        if d > 0 and extent == 1 and lacks_it and dst.ndim < src.ndim:
            dst = dst.expand_dim(d)
    return dst


def honoured_engine(engine: Any) -> Any:
    """The engine that nc_transpose asks for; releases before NKI 0.4 ignored it."""
    from nki._enums import engine as engines

    return engine if _level.has("nc_transpose.engine") else engines.unknown


def counted_axes(axis: Any, data: Any) -> Any:
    """Axes counted from 0, ascending: the record has them so; authors may count from the end."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = getattr(data, "ndim", 0)
    return sorted(a + rank if isinstance(a, int) and a < 0 else a for a in axes)


def engine_default(entry: dict[str, Any]) -> str | None:
    """The default of an instruction's engine parameter; None: it has no such parameter."""
    open_choice = "unknown" if len(entry["engines"]) > 1 else None
    return _ENGINE_DEFAULTS.get(entry["mnemonic"], open_choice)


def _docstring(entry: dict[str, Any]) -> str:
    lines = [entry["summary"] + ".", ""]
    lines += [f":param {operand['name']}: {operand['doc']}" for operand in entry["operands"]]
    if engine_default(entry):
        lines.append(f":param engine: one of {', '.join(entry['engines'])}; unknown leaves it open")
    lines.append(":param name: a name for the scheduling functions")
    lines += ["", "Rules (a broken one raises InputError with its label):"]
    lines += [f"- {label}: {rule}" for label, rule in entry["constraints"]]
    lines += ["", f"Source: {entry['source']}"]
    return "\n".join(lines)


def make(mnemonic: str, namespace: dict[str, Any]) -> Callable[..., NkiInstruction]:
    """The Python function of one instruction. `namespace` resolves the names in its defaults."""
    entry = SCHEMA[mnemonic]
    parameters, values = [], []
    optional = False
    for operand in entry["operands"]:
        default = operand["default"]
        optional = optional or bool(default)
        parameters.append(f"{operand['name']}={default or None}" if optional else operand["name"])
        values.append(operand["name"])
    default_engine = engine_default(entry)
    if default_engine:
        parameters.append(f"engine=engine.{default_engine}")
    parameters.append("name=None")
    prepare = _PREPARATIONS.get(mnemonic, "")
    source = (
        f"def {mnemonic}({', '.join(parameters)}):\n{prepare}"
        f"    return _emit({entry['opcode']}, ({', '.join(values)},), "
        f"{'engine' if default_engine else 'None'}, name)\n"
    )
    scope = dict(
        namespace,
        _checked_issuer=checked_issuer,
        _counted=counted_axes,
        _emit=emit,
        _listed=listed_tensors,
        _honoured=honoured_engine,
        _padded=padded_destination,
    )
    exec(compile(source, f"<nki.isa.{mnemonic}>", "exec"), scope)
    function = scope[mnemonic]
    function.__doc__ = _docstring(entry)
    function.__module__ = "nki.isa"
    return function
