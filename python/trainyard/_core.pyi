# Written by tools/stubs.py; do not edit.
"""
The C++ core of Trainyard; use it through the packages trainyard and nki.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import nki.language
import numpy
from numpy.typing import NDArray

def add_packed_dtypes() -> None:
    """
    Registers the packed MX dtypes with NumPy under their names, once for each process.
    """

__version__: str

class InputError(ValueError):
    """A machine file, kernel, program or argument is wrong. Attributes: violations, a tuple of
    Violation, every broken rule that was found; memory, where it is that there is no room
    at once, 'on_chip', 'hbm' or 'host', else None."""

    memory: str | None
    violations: tuple[Any, ...]

class Fault(RuntimeError):
    """A running program broke the machine's contract. Attributes: category, a string such as
    'race', and violations, a tuple of one Violation."""

    category: str
    violations: tuple[Any, ...]

class Violation:
    """One broken rule, in words a user can act on."""

    @property
    def label(self) -> object:
        """The rule's name: nc_matmul.c3"""

    @property
    def rule(self) -> object:
        """What must hold"""

    @property
    def place(self) -> object:
        """file:line of the user's source"""

    @property
    def found(self) -> object:
        """What was there instead"""

    @property
    def fix(self) -> object:
        """What to do about it"""

    @property
    def sides(self) -> list:
        """
        Who is involved: dictionaries with role, actor, what, place, time_ns and run
        """

    def __str__(self) -> str: ...

def error_labels() -> list:
    """
    Every label of an error that is neither a check nor an instruction's rule: id, rule, why, fix, example.
    """

def checks() -> list:
    """Every check: id, family, severity, stage, words, example."""

class Machine:
    """A machine description; see machines/*.toml."""

    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def hash(self) -> int: ...
    @property
    def overrides(self) -> list[str]:
        """the figures that differ from its file, as key=value"""

    @property
    def generation(self) -> int:
        """NeuronCore version: 2, 3 or 4"""

    @property
    def sbuf_bytes_per_partition(self) -> int: ...
    @property
    def sbuf_partition_size(self) -> int: ...
    @property
    def psum_bank_bytes(self) -> int: ...
    @property
    def psum_banks(self) -> int: ...
    @property
    def psum_banks_dma_transpose(self) -> int: ...
    @property
    def cores(self) -> int:
        """of a chip"""

    @property
    def is_switched(self) -> bool:
        """whether a NeuronSwitch joins the chips"""

    @property
    def partitions(self) -> int: ...
    @property
    def stationary_free_max(self) -> int: ...
    @property
    def simulator_operators(self) -> bool: ...
    @property
    def bn_stats_elements_max(self) -> int: ...
    @property
    def psum_alignment(self) -> int: ...
    @property
    def sbuf_alignment(self) -> int: ...
    @property
    def tensor_ticks_per_cycle(self) -> int: ...
    def explain(self, key: str) -> str: ...
    def with_overrides(self, arg: Sequence[str], /) -> Machine: ...
    def provenance(self) -> list:
        """Every number with its unit, kind, source and effect."""

    _repr_html_: Any

def rounding_overrides(enable: str | None, seed: str | None) -> list[str]:
    """Settings by what the runtime's variables hold."""

ROUNDING_VARIABLE: str = "NEURON_RT_STOCHASTIC_ROUNDING_EN"

ROUNDING_SEED_VARIABLE: str = "NEURON_RT_STOCHASTIC_ROUNDING_SEED"

def load_machine(name_or_path: str) -> Machine:
    """
    The machine called `name_or_path`: a path ending in .toml, or a known name.
    """

def machines() -> list[str]:
    """The names that load_machine finds."""

def read_execution_trace(bytes: bytes, place: str) -> dict:
    """
    A Chakra execution trace (.et): its version, metadata and nodes, each with id, name, type, control and data (ids of what comes before), us (as recorded), shapes, types and attributes. Raises InputError "trace.chakra".
    """

class System:
    """Chips and how they are joined; see machines/*.toml."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def chip(self) -> Machine: ...
    @property
    def chips(self) -> int: ...
    @property
    def levels(self) -> list:
        """Innermost first: join, size, links, rates."""

    def with_overrides(self, arg: Sequence[str], /) -> System: ...
    def at_ends(self, slow: bool) -> System:
        """
        With all figures that have a range at their fast or at their slow ends.
        """

    def provenance(self) -> list: ...
    def uncertain(self) -> list: ...

def load_system(name_or_path: str) -> System:
    """
    The system called `name_or_path`: a path ending in .toml, or a known name.
    """

def systems() -> list[str]:
    """The names that load_system finds."""

class Fabric:
    """The links of a system, for ranks of some cores each."""

    def __init__(self, system: System, cores_per_rank: int = 1) -> None: ...
    @property
    def ranks(self) -> int: ...
    @property
    def ranks_per_chip(self) -> int: ...
    def route(self, source: int, target: int) -> list[int]:
        """The chips on the way of a message."""

    def price(
        self,
        operation: str,
        bytes: float,
        groups: Sequence[Sequence[int]],
        algorithm: str = "",
        folds: bool = True,
        faults: Sequence[str] = [],
        root: int = 0,
        events_max: float = 1e18,
        sbuf: bool = False,
    ) -> dict:
        """
        What a collective takes: the fastest algorithm, the others, the busiest links.
        """

    def exchange(
        self,
        counts: Sequence[Sequence[float]],
        bytes: float,
        group: Sequence[int],
        folds: bool = True,
        faults: Sequence[str] = [],
        sbuf: bool = False,
    ) -> dict:
        """
        What an all-to-all takes whose parts are counts[source][target], in any unit; `bytes` is the largest sum of a row or a column.
        """

    def beside(
        self, jobs: Sequence[tuple[str, float, Sequence[int], str]], sbuf: bool = False
    ) -> list:
        """
        Times of (operation, bytes, group, algorithm) alone and with the others beside it: these begin again until the first one has ended.
        """

    def link_loads(
        self,
        operation: str,
        bytes: float,
        groups: Sequence[Sequence[int]],
        algorithm: str = "",
        sbuf: bool = False,
    ) -> list:
        """
        Each link and switch core: its name, kind and the share that it is busy for.
        """

    def execute(
        self,
        operation: str,
        dtype: str,
        inputs: Sequence[bytes],
        group: Sequence[int],
        algorithm: str = "",
        root: int = 0,
    ) -> list:
        """The bytes that each rank of `group` ends up with."""

def bus_factor(arg0: str, arg1: int, /) -> float: ...

class GraphModule:
    """A tensor program."""

    @property
    def name(self) -> str: ...
    def functions(self) -> list:
        """Name, visibility and types of each function."""

    def op_counts(self) -> dict:
        """How many operations of each name there are, in all regions."""

    def places(self, function: str) -> list[str]:
        """The source location of each operation of a function."""

    def evaluate(self, inputs: Sequence[bytes]) -> list[bytes]:
        """The results of main as bytes, computed by the golden evaluator."""

    def text(self, elements_max: int = 0, locations: bool = False) -> str:
        """
        The generic form of MLIR; constants of more than elements_max elements are cut short.
        """

def graph_read(content: bytes, file: str = "text") -> GraphModule:
    """The program of a StableHLO portable artifact, or of its text."""

class PlannerOptions:
    """Options of a question; 0 and empty mean that Trainyard chooses."""

    def __init__(self) -> None: ...
    @property
    def input(self) -> float | None: ...
    @input.setter
    def input(self, arg: float | None, /) -> None: ...
    @property
    def output(self) -> float | None: ...
    @output.setter
    def output(self, arg: float | None, /) -> None: ...
    @property
    def prefills(self) -> float: ...
    @prefills.setter
    def prefills(self, arg: float, /) -> None: ...
    @property
    def batch(self) -> float | None: ...
    @batch.setter
    def batch(self, arg: float | None, /) -> None: ...
    @property
    def weights(self) -> str: ...
    @weights.setter
    def weights(self, arg: str, /) -> None: ...
    @property
    def cache(self) -> str: ...
    @cache.setter
    def cache(self, arg: str, /) -> None: ...
    @property
    def interactivity(self) -> float | None: ...
    @interactivity.setter
    def interactivity(self, arg: float | None, /) -> None: ...
    @property
    def price(self) -> str: ...
    @price.setter
    def price(self, arg: str, /) -> None: ...
    @property
    def region(self) -> str: ...
    @region.setter
    def region(self, arg: str, /) -> None: ...
    @property
    def chips(self) -> int | None: ...
    @chips.setter
    def chips(self, arg: int | None, /) -> None: ...
    @property
    def tp(self) -> int | None: ...
    @tp.setter
    def tp(self, arg: int | None, /) -> None: ...
    @property
    def pp(self) -> int | None: ...
    @pp.setter
    def pp(self, arg: int | None, /) -> None: ...
    @property
    def dp(self) -> int | None: ...
    @dp.setter
    def dp(self, arg: int | None, /) -> None: ...
    @property
    def tokens(self) -> float: ...
    @tokens.setter
    def tokens(self, arg: float, /) -> None: ...
    @property
    def sequence(self) -> float | None: ...
    @sequence.setter
    def sequence(self, arg: float | None, /) -> None: ...
    @property
    def global_batch(self) -> float: ...
    @global_batch.setter
    def global_batch(self, arg: float, /) -> None: ...
    @property
    def microbatch(self) -> float | None: ...
    @microbatch.setter
    def microbatch(self, arg: float | None, /) -> None: ...
    @property
    def interleave(self) -> float: ...
    @interleave.setter
    def interleave(self, arg: float, /) -> None: ...
    @property
    def training_format(self) -> str: ...
    @training_format.setter
    def training_format(self, arg: str, /) -> None: ...
    @property
    def recompute(self) -> str: ...
    @recompute.setter
    def recompute(self, arg: str, /) -> None: ...
    @property
    def pads_heads(self) -> bool: ...
    @pads_heads.setter
    def pads_heads(self, arg: bool, /) -> None: ...
    @property
    def zero(self) -> int: ...
    @zero.setter
    def zero(self, arg: int, /) -> None: ...
    @property
    def sum_fp32(self) -> bool: ...
    @sum_fp32.setter
    def sum_fp32(self, arg: bool, /) -> None: ...
    @property
    def settings(self) -> list[str]: ...
    @settings.setter
    def settings(self, arg: Sequence[str], /) -> None: ...
    @property
    def software(self) -> bool: ...
    @software.setter
    def software(self, arg: bool, /) -> None: ...
    @property
    def plans(self) -> int: ...
    @plans.setter
    def plans(self, arg: int, /) -> None: ...
    @property
    def intervals(self) -> bool: ...
    @intervals.setter
    def intervals(self, arg: bool, /) -> None: ...

    _kinds: Any

class PlanOptions:
    """What of a plan of training is fixed; else it is searched."""

    def __init__(self) -> None: ...
    @property
    def tp(self) -> int | None: ...
    @tp.setter
    def tp(self, arg: int | None, /) -> None: ...
    @property
    def cp(self) -> int | None: ...
    @cp.setter
    def cp(self, arg: int | None, /) -> None: ...
    @property
    def ep(self) -> int | None: ...
    @ep.setter
    def ep(self, arg: int | None, /) -> None: ...
    @property
    def pp(self) -> int | None: ...
    @pp.setter
    def pp(self, arg: int | None, /) -> None: ...
    @property
    def dp(self) -> int | None: ...
    @dp.setter
    def dp(self, arg: int | None, /) -> None: ...
    @property
    def zero(self) -> int | None: ...
    @zero.setter
    def zero(self, arg: int | None, /) -> None: ...
    @property
    def copies(self) -> int | None: ...
    @copies.setter
    def copies(self, arg: int | None, /) -> None: ...
    @property
    def microbatch(self) -> float | None: ...
    @microbatch.setter
    def microbatch(self, arg: float | None, /) -> None: ...
    @property
    def interleave(self) -> float | None: ...
    @interleave.setter
    def interleave(self, arg: float | None, /) -> None: ...
    @property
    def recompute(self) -> str: ...
    @recompute.setter
    def recompute(self, arg: str, /) -> None: ...
    @property
    def schedule(self) -> str: ...
    @schedule.setter
    def schedule(self, arg: str, /) -> None: ...
    @property
    def placement(self) -> str: ...
    @placement.setter
    def placement(self, arg: str, /) -> None: ...
    @property
    def sequence_parallel(self) -> bool | None: ...
    @sequence_parallel.setter
    def sequence_parallel(self, arg: bool | None, /) -> None: ...
    @property
    def idle_share(self) -> float: ...
    @idle_share.setter
    def idle_share(self, arg: float, /) -> None: ...
    @property
    def spares(self) -> float | None: ...
    @spares.setter
    def spares(self, arg: float | None, /) -> None: ...
    @property
    def power_cap(self) -> float | None: ...
    @power_cap.setter
    def power_cap(self, arg: float | None, /) -> None: ...
    @property
    def gradient_bytes(self) -> float: ...
    @gradient_bytes.setter
    def gradient_bytes(self, arg: float, /) -> None: ...
    @property
    def state_bytes(self) -> float: ...
    @state_bytes.setter
    def state_bytes(self, arg: float, /) -> None: ...
    @property
    def kept(self) -> int: ...
    @kept.setter
    def kept(self, arg: int, /) -> None: ...

    _kinds: Any

class ServiceOptions:
    """The load of a service and its level."""

    def __init__(self) -> None: ...
    @property
    def rate(self) -> float: ...
    @rate.setter
    def rate(self, arg: float, /) -> None: ...
    @property
    def ttft(self) -> float: ...
    @ttft.setter
    def ttft(self, arg: float, /) -> None: ...
    @property
    def tpot(self) -> float: ...
    @tpot.setter
    def tpot(self, arg: float, /) -> None: ...
    @property
    def share(self) -> float: ...
    @share.setter
    def share(self, arg: float, /) -> None: ...
    @property
    def chunk(self) -> float: ...
    @chunk.setter
    def chunk(self, arg: float, /) -> None: ...
    @property
    def requests_max(self) -> float: ...
    @requests_max.setter
    def requests_max(self, arg: float, /) -> None: ...
    @property
    def drafts(self) -> float: ...
    @drafts.setter
    def drafts(self, arg: float, /) -> None: ...
    @property
    def acceptance(self) -> float: ...
    @acceptance.setter
    def acceptance(self, arg: float, /) -> None: ...

    _kinds: Any

def recommend_document(
    model: str, machine: str, options: PlannerOptions, service: ServiceOptions
) -> str: ...
def plan_training_document(
    model: str, machine: str, options: PlannerOptions, plan: PlanOptions
) -> str: ...
def accelerators() -> list[str]:
    """Machines that can be compared."""

def models() -> list[str]:
    """Models that are known by name."""

def model_document(model: str) -> str: ...
def accelerator_document(machine: str) -> str: ...
def fit_document(model: str, machine: str, options: PlannerOptions) -> str: ...
def serving_document(
    model: str, machine: str, options: PlannerOptions, time: Callable | None = None, cores: int = 1
) -> str: ...
def training_document(
    model: str, machine: str, options: PlannerOptions, time: Callable | None = None, cores: int = 1
) -> str: ...
def layers_document(
    model: str, machine: str, phase: str, options: PlannerOptions, cores: int
) -> str: ...
def collective_document(machine: str, operation: str, bytes: float, chips: int) -> str: ...
def ratio_document(
    model: str, machine: str, other: str, phase: str, options: PlannerOptions
) -> str: ...
def manufacturing(chip: str) -> dict: ...
def prices() -> list:
    """Every price with its range, date and source."""

def instruction_schema() -> list:
    """Every instruction with its operands, engines and rules."""

def reference_markdown() -> str:
    """The page docs/reference/isa.md."""

def program_bytes(arg: Program, /) -> bytes:
    """The binary form of a program; docs/formats/program.md."""

def read_program(content: bytes, place: str) -> Program:
    """The program of such bytes; `place` is what errors call them."""

def disassemble(content: bytes, place: str, exact: bool = False) -> str:
    """
    A program file as text: in words, or as the exact text form, which can be read again.
    """

class ServingSettings:
    """Limits of a scheduler and of its cache."""

    def __init__(self) -> None: ...
    @property
    def block_tokens(self) -> int: ...
    @block_tokens.setter
    def block_tokens(self, arg: int, /) -> None: ...
    @property
    def blocks(self) -> int: ...
    @blocks.setter
    def blocks(self, arg: int, /) -> None: ...
    @property
    def windows(self) -> list[int]: ...
    @windows.setter
    def windows(self, arg: Sequence[int], /) -> None: ...
    @property
    def longest(self) -> int: ...
    @property
    def requests_max(self) -> int: ...
    @requests_max.setter
    def requests_max(self, arg: int, /) -> None: ...
    @property
    def step_tokens_max(self) -> int: ...
    @step_tokens_max.setter
    def step_tokens_max(self, arg: int, /) -> None: ...
    @property
    def chunk_tokens_max(self) -> int: ...
    @chunk_tokens_max.setter
    def chunk_tokens_max(self, arg: int, /) -> None: ...
    @property
    def prompts_max(self) -> int: ...
    @prompts_max.setter
    def prompts_max(self, arg: int, /) -> None: ...
    @property
    def waiting_max(self) -> int: ...
    @waiting_max.setter
    def waiting_max(self, arg: int, /) -> None: ...
    @property
    def context_max(self) -> int: ...
    @context_max.setter
    def context_max(self, arg: int, /) -> None: ...
    @property
    def caches_prefixes(self) -> bool: ...
    @caches_prefixes.setter
    def caches_prefixes(self, arg: bool, /) -> None: ...
    @property
    def draft_tokens(self) -> int: ...
    @draft_tokens.setter
    def draft_tokens(self, arg: int, /) -> None: ...
    @property
    def swaps(self) -> bool: ...
    @swaps.setter
    def swaps(self, arg: bool, /) -> None: ...

class ServingLoad:
    """Requests that are drawn from a seed."""

    def __init__(self) -> None: ...
    @property
    def requests(self) -> int: ...
    @requests.setter
    def requests(self, arg: int, /) -> None: ...
    @property
    def rate(self) -> float: ...
    @rate.setter
    def rate(self, arg: float, /) -> None: ...
    @property
    def burstiness(self) -> float: ...
    @burstiness.setter
    def burstiness(self, arg: float, /) -> None: ...
    @property
    def prompt(self) -> float: ...
    @prompt.setter
    def prompt(self, arg: float, /) -> None: ...
    @property
    def output(self) -> float: ...
    @output.setter
    def output(self, arg: float, /) -> None: ...
    @property
    def range(self) -> float: ...
    @range.setter
    def range(self, arg: float, /) -> None: ...
    @property
    def shared(self) -> int: ...
    @shared.setter
    def shared(self, arg: int, /) -> None: ...
    @property
    def prefixes(self) -> int: ...
    @prefixes.setter
    def prefixes(self, arg: int, /) -> None: ...
    @property
    def seed(self) -> int: ...
    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class ServingSimulation:
    """How the planned engine serves."""

    def __init__(self) -> None: ...
    @property
    def users(self) -> int: ...
    @users.setter
    def users(self, arg: int, /) -> None: ...
    @property
    def acceptance(self) -> float: ...
    @acceptance.setter
    def acceptance(self, arg: float, /) -> None: ...
    @property
    def seed(self) -> int: ...
    @seed.setter
    def seed(self, arg: int, /) -> None: ...
    @property
    def watched(self) -> int: ...
    @watched.setter
    def watched(self, arg: int, /) -> None: ...
    @property
    def keeps_steps(self) -> bool: ...
    @keeps_steps.setter
    def keeps_steps(self, arg: bool, /) -> None: ...
    @property
    def one_by_one(self) -> bool: ...
    @one_by_one.setter
    def one_by_one(self, arg: bool, /) -> None: ...

class CostTable:
    """Seconds and joules of steps on a grid."""

    def __init__(
        self,
        rows: Sequence[float],
        columns: Sequence[float],
        seconds: Sequence[float],
        joules: Sequence[float],
    ) -> None: ...
    def at(self, arg0: float, arg1: float, /) -> tuple[float, float]: ...

class StepCosts:
    """What a step of the planned engine takes."""

    def __init__(self, arg0: CostTable, arg1: CostTable, /) -> None: ...
    @property
    def prefill(self) -> CostTable: ...
    @property
    def decode(self) -> CostTable: ...
    @property
    def by_longest(self) -> bool: ...
    @by_longest.setter
    def by_longest(self, arg: bool, /) -> None: ...
    @property
    def launch(self) -> tuple[float, float]: ...
    @launch.setter
    def launch(self, arg: tuple[float, float], /) -> None: ...
    @property
    def scheduling(self) -> tuple[float, float]: ...
    @scheduling.setter
    def scheduling(self, arg: tuple[float, float], /) -> None: ...
    @property
    def swapped_block(self) -> tuple[float, float]: ...
    @swapped_block.setter
    def swapped_block(self, arg: tuple[float, float], /) -> None: ...

def step_cost(
    prefills: Sequence[tuple[int, int, int, bool]],
    decodes: Sequence[tuple[int, int, int, bool]],
    swapped_blocks: int,
    costs: StepCosts,
) -> tuple[float, float]:
    """Seconds and joules of a step as a scheduler gives it."""

class ServingRun:
    """What the planned engine served."""

    def records(self) -> dict: ...
    def steps(self) -> dict: ...
    def events(self) -> list: ...
    def counters(self) -> dict: ...
    def gap_quantile(self, arg: float, /) -> float: ...
    @property
    def gap_mean(self) -> float: ...
    @property
    def gap_deviation(self) -> float: ...
    @property
    def gap_count(self) -> int: ...
    @property
    def tokens_per_second_max(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def busy(self) -> int: ...
    @property
    def joules(self) -> float: ...

def simulate_load(
    load: ServingLoad, settings: ServingSettings, costs: StepCosts, simulation: ServingSimulation
) -> ServingRun: ...
def simulate_trace(
    rows: Sequence[tuple[int, int, int, Sequence[int]]],
    content_tokens: int,
    settings: ServingSettings,
    costs: StepCosts,
    simulation: ServingSimulation,
) -> ServingRun: ...

class FleetSettings:
    """Replicas behind a router."""

    def __init__(self) -> None: ...
    @property
    def replicas(self) -> int: ...
    @replicas.setter
    def replicas(self, arg: int, /) -> None: ...
    @property
    def readers(self) -> int: ...
    @readers.setter
    def readers(self, arg: int, /) -> None: ...
    @property
    def seed(self) -> int: ...
    @seed.setter
    def seed(self, arg: int, /) -> None: ...
    @property
    def routing(self) -> int: ...
    @routing.setter
    def routing(self, arg: int, /) -> None: ...
    @property
    def sent(self) -> tuple[float, float]: ...
    @sent.setter
    def sent(self, arg: tuple[float, float], /) -> None: ...
    @property
    def sent_token(self) -> tuple[float, float]: ...
    @sent_token.setter
    def sent_token(self, arg: tuple[float, float], /) -> None: ...
    def add_outage(self, arg0: int, arg1: int, arg2: int, /) -> None: ...
    def scale(
        self, arg0: int, arg1: int, arg2: int, arg3: float, arg4: int, arg5: int, /
    ) -> None: ...

class FleetRun:
    """What a fleet served; besides its own, as ServingRun."""

    def records(self) -> dict: ...
    def counters(self) -> dict: ...
    def sizes(self) -> list: ...
    def gap_quantile(self, arg: float, /) -> float: ...
    @property
    def gap_mean(self) -> float: ...
    @property
    def gap_deviation(self) -> float: ...
    @property
    def gap_count(self) -> int: ...
    @property
    def tokens_per_second_max(self) -> int: ...
    @property
    def busy_of(self) -> list[int]: ...
    @property
    def moved(self) -> int: ...
    @property
    def sent_ticks(self) -> int: ...
    @property
    def paid(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def joules(self) -> float: ...

def fleet_load(
    load: ServingLoad,
    settings: ServingSettings,
    costs: StepCosts,
    simulation: ServingSimulation,
    fleet: FleetSettings,
) -> FleetRun: ...
def fleet_trace(
    rows: Sequence[tuple[int, int, int, Sequence[int]]],
    content_tokens: int,
    settings: ServingSettings,
    costs: StepCosts,
    simulation: ServingSimulation,
    fleet: FleetSettings,
) -> FleetRun: ...

class ServingScheduler:
    """Which requests the next step computes, and in which blocks."""

    def __init__(self, settings: ServingSettings) -> None: ...
    def add(
        self,
        arrival: int,
        tokens: Sequence[int],
        output: int,
        is_watched: bool = False,
        prefix: int = 0,
        generated: int = 0,
        first_token: int = -1,
        last_token: int = -1,
        computed: int = 0,
    ) -> int: ...
    def unfinished(self) -> list:
        """
        (number, tokens generated, ticks of the first and the last of them) of requests that are not over.
        """

    def cancel(self, request: int, now: int) -> None: ...
    def lose_cache(self, now: int) -> None: ...
    def abandon(self, now: int) -> None: ...
    def schedule(self, now: int) -> tuple: ...
    def complete(
        self, end: int, joules: float, outcomes: Sequence[tuple[Sequence[int], bool]]
    ) -> None: ...
    def table(self, request: int, group: int = 0) -> list[int]: ...
    def record(self, arg: int, /) -> dict: ...
    def events(self) -> list: ...
    def counters(self) -> dict: ...
    @property
    def ended(self) -> list[int]: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def running(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def used_blocks(self) -> int: ...

def group_layers(layers: Sequence[tuple[int, float]]) -> tuple[list[int], float]:
    """
    (window of each group, elements of a token in one) of (window, elements) of layers.
    """

def kept_tokens(windows: Sequence[int], tokens: float) -> float:
    """
    Of so many tokens, those that each group of layers keeps, all groups together.
    """

def first_block_seen(window: int, computed: int, block_tokens: int) -> int:
    """The first block that layers of a window read behind `computed` tokens."""

class ReplicaPlan:
    """A replica of a model on chips."""

    def __init__(self) -> None: ...
    @property
    def model(self) -> str: ...
    @model.setter
    def model(self, arg: str, /) -> None: ...
    @property
    def machine(self) -> str: ...
    @machine.setter
    def machine(self, arg: str, /) -> None: ...
    @property
    def tp(self) -> int: ...
    @tp.setter
    def tp(self, arg: int, /) -> None: ...
    @property
    def dp(self) -> int: ...
    @dp.setter
    def dp(self, arg: int, /) -> None: ...
    @property
    def experts(self) -> str: ...
    @experts.setter
    def experts(self, arg: str, /) -> None: ...
    @property
    def price(self) -> str: ...
    @price.setter
    def price(self, arg: str, /) -> None: ...
    @property
    def region(self) -> str: ...
    @region.setter
    def region(self, arg: str, /) -> None: ...
    @property
    def weights(self) -> str: ...
    @weights.setter
    def weights(self, arg: str, /) -> None: ...
    @property
    def cache(self) -> str: ...
    @cache.setter
    def cache(self, arg: str, /) -> None: ...
    @property
    def settings(self) -> list[str]: ...
    @settings.setter
    def settings(self, arg: Sequence[str], /) -> None: ...
    @property
    def requests_max(self) -> int: ...
    @requests_max.setter
    def requests_max(self, arg: int, /) -> None: ...
    @property
    def draft_tokens(self) -> int: ...
    @draft_tokens.setter
    def draft_tokens(self, arg: int, /) -> None: ...
    @property
    def draft_layers(self) -> int: ...
    @draft_layers.setter
    def draft_layers(self, arg: int, /) -> None: ...

def describe_replica(plan: ReplicaPlan, prompt: float, context: float) -> dict: ...
def replica_layers(plan: ReplicaPlan, phase: str, row: float, column: float, cores: int) -> str: ...
def replica_costs(
    plan: ReplicaPlan,
    axes: Sequence[Sequence[float]],
    simulated: Callable[[str, float, float], tuple[float, float] | None] | None = None,
) -> StepCosts: ...
def serving_bounds() -> dict[str, tuple[float, float]]:
    """
    The least and the most that each number of ServingLoad, ServingSettings and FleetSettings may be, by its name.
    """

TICKS_PER_SECOND: int = 168000000000

class TensorView:
    """A strided view of a tensor; the base of nki.language.NkiTensor."""

    @property
    def shape(self) -> tuple: ...
    @property
    def strides(self) -> tuple:
        """elements"""

    @property
    def offset(self) -> int:
        """elements"""

    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def dtype(self) -> str: ...
    @property
    def base_tensor(self) -> nki.language.NkiTensor:
        """the tensor that this is a view of, with that tensor's shape and dtype"""

    @property
    def name(self) -> str: ...
    def is_contiguous(self) -> bool:
        """Whether the free dimensions are row-major without gaps."""

    def is_indirect(self) -> bool:
        """Whether the address depends on a run-time index."""

    def get_pattern(self) -> list:
        """[[stride, count], ...] in elements, as ap() takes it."""

    def __getitem__(self, arg: object, /) -> nki.language.NkiTensor: ...
    def slice(self, dim: int, start: int, end: int, step: int = 1) -> nki.language.NkiTensor:
        """
        Elements [start, end) of dimension dim, step apart. Raises InputError view.bounds.
        """

    def select(self, dim: int, index: object) -> nki.language.NkiTensor:
        """
        One element of a dimension, which is removed; on chip dimension 0 and a second one stay. index: an integer, a register or a one-element integer SBUF tensor.
        """

    def permute(self, dims: Sequence[int]) -> nki.language.NkiTensor:
        """The dimensions in another order; on chip dimension 0 stays first."""

    def broadcast(self, dim: int, size: int) -> nki.language.NkiTensor:
        """A dimension of size 1 repeated `size` times."""

    def expand_dim(self, dim: int) -> nki.language.NkiTensor:
        """A new dimension of size 1 before dimension dim."""

    def squeeze_dim(self, dim: int) -> nki.language.NkiTensor:
        """Without dimension dim, which has size 1."""

    def reshape_dim(self, dim: int, shape: Sequence[int]) -> nki.language.NkiTensor:
        """Dimension dim split into `shape`, of which one size may be -1."""

    def flatten_dims(self, start_dim: int, end_dim: int) -> nki.language.NkiTensor:
        """
        Dimensions start_dim to end_dim, inclusive, as one; they follow each other in memory.
        """

    def reshape(self, shape: Sequence[int]) -> nki.language.NkiTensor:
        """
        The same elements in another shape, when the layout allows it without copying.
        """

    def vector_select(
        self, dim: int, vector_offset: nki.language.NkiTensor
    ) -> nki.language.NkiTensor:
        """Row p of the result is row vector_offset[p, 0] of an HBM tensor."""

    def indirect(
        self, index: nki.language.NkiTensor, num_elem: int | None = None
    ) -> nki.language.NkiTensor:
        """
        A gather or scatter by free-dimension offsets in SBUF, shape (P, num_elem); NeuronCore-v4.
        """

    _ap: Any
    _id: Any
    _rows_at: Any
    _shared: Any
    _space: Any
    _view: Any

class Program:
    """A program for one NeuronCore."""

    def __repr__(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def compiled(self) -> bool: ...
    def __len__(self) -> int: ...
    def __str__(self) -> str: ...
    def meets(self) -> bool:
        """Whether any instruction waits for another core."""

    def written_of(self, ids: Sequence[int]) -> list[int]:
        """
        The places in a list of tensors' ids of those that any instruction writes.
        """

    def stored(self) -> list:
        """The names of the HBM tensors that instructions write."""

    def source_files(self) -> list:
        """The files that instructions come from."""

    def place(self, arg: int, /) -> str:
        """Where instruction i comes from in the author's source."""

    def location(self, arg: int, /) -> int: ...
    def operation(self, arg: int, /) -> str:
        """The model's operation that instruction i belongs to."""

    def hbm_bytes(self, arg: int, /) -> tuple[int, int]:
        """Bytes that instruction i reads from HBM, and writes to it."""

    def mnemonic(self, arg: int, /) -> str: ...

    _repr_html_: Any

class Vocabulary:
    """What operator and enum objects mean to the core."""

    def __init__(self) -> None: ...
    def add_operator(self, arg0: object, arg1: str, /) -> None: ...
    def add_member(self, arg0: object, arg1: str, arg2: str, /) -> None: ...
    def set_tensor_class(self, arg: object, /) -> None: ...

class Trace:
    """A program being built."""

    def tensor(
        self,
        shape: Sequence[int],
        dtype: str,
        buffer: str,
        name: str = "",
        address: tuple[int, int] | None = None,
    ) -> nki.language.NkiTensor: ...
    def input(
        self, arg0: Sequence[int], arg1: str, arg2: str, arg3: bool, /
    ) -> nki.language.NkiTensor: ...
    def constant(
        self, arg0: Sequence[int], arg1: str, arg2: bytes, /
    ) -> nki.language.NkiTensor: ...
    def mark_output(self, arg: nki.language.NkiTensor, /) -> None: ...
    def share(self, arg: nki.language.NkiTensor, /) -> None: ...
    def emit(self, opcode: int, values: tuple, engine: object | None) -> int: ...
    def close_scope(self) -> None:
        """
        Tensors declared in the loop body that ended last are unknown from now on.
        """

    def add_edge(self, arg0: int, arg1: int, /) -> None: ...
    def edges(self) -> list:
        """The (producer, consumer) pairs of add_edge."""

    def refuse(self, arg0: str, arg1: str, arg2: str, arg3: str, /) -> None:
        """Raises InputError at the author's source line."""

    def describe_here(self) -> str: ...
    @property
    def ranks_per_chip(self) -> int:
        """how many ranks a chip holds at this LNC"""

    def __len__(self) -> int: ...
    def peek(self, arg: nki.language.NkiTensor, /) -> tuple[Program, nki.language.NkiTensor]:
        """
        The program so far, and the HBM tensor in which it leaves a tensor's values.
        """

    def peek_register(self, arg: Register, /) -> tuple[Program, nki.language.NkiTensor]: ...
    def take_program(self) -> Program:
        """The program; the trace is empty afterwards."""

class Register:
    """A 32-bit sequencer register; the base of nki.isa.VirtualRegister."""

    def __init__(self, trace: Trace, frozen: bool = False) -> None: ...

    _frozen: Any
    _index: Any

def new_trace(
    machine: Machine,
    vocabulary: Vocabulary,
    name: str,
    describe: object,
    boundary: object,
    rank: int = 0,
    ranks: int = 1,
    cores: int = 1,
) -> Trace: ...
def are_sizes(shape: object | None) -> bool:
    """
    Whether a shape is a tuple of positive ints, of bytes that 64 bits can count.
    """

class LongTrace:
    """
    A .tytrace file that tells of stretches of time, without its rows in memory.
    """

    def __init__(self, content: bytes, name: str) -> None: ...
    @property
    def counts(self) -> list[int]:
        """intervals of each track"""

    def description(self) -> dict:
        """What trace_columns() tells; tracks have a `count` instead of columns."""

    def prepare(self, classes: Sequence[int]) -> None:
        """
        Reads all of it, so that answers come soon. Raises InputError for a damaged one.
        """

    def shares(self, classes: Sequence[int], start: int, stop: int, columns: int) -> bytes:
        """
        Float32 by track, column and class: what each of equal parts was spent on.
        """

    def window(self, classes: Sequence[int], start: int, stop: int, rows_max: int) -> object:
        """
        The tracks of trace_columns() with the intervals of a stretch, or None.
        """

def trace_columns(content: bytes, name: str) -> dict:
    """
    All of a .tytrace file: intervals and labels as columns of native integers.
    """

def trace_text(content: bytes, name: str) -> str:
    """The report of a .tytrace file as text."""

def trace_json(content: bytes, name: str) -> str:
    """
    The same as JSON; only run, duration, tracks, bound and lines are meaningful.
    """

def trace_intervals(content: bytes, name: str) -> list:
    """
    (track, instruction, reason, begin ns, end ns) of every interval of a .tytrace file.
    """

def trace_perfetto(content: bytes, name: str) -> bytes:
    """A .tytrace file in Perfetto's format."""

class Instance:
    """A compiled program placed in a session's memory."""

    @property
    def program(self) -> Program: ...
    @property
    def rank(self) -> int:
        """the logical core that it runs on"""

class RunOptions:
    """Options of a run; see session/session.h."""

    def __init__(self) -> None: ...
    @property
    def timed(self) -> bool: ...
    @timed.setter
    def timed(self, arg: bool, /) -> None: ...
    @property
    def values(self) -> bool: ...
    @values.setter
    def values(self, arg: bool, /) -> None: ...
    @property
    def checks(self) -> bool: ...
    @checks.setter
    def checks(self, arg: bool, /) -> None: ...
    @property
    def record(self) -> bool: ...
    @record.setter
    def record(self, arg: bool, /) -> None: ...
    @property
    def about(self) -> list[tuple[str, str]]: ...
    @about.setter
    def about(self, arg: Sequence[tuple[str, str]], /) -> None: ...
    @property
    def faults(self) -> list[str]: ...
    @faults.setter
    def faults(self, arg: Sequence[str], /) -> None: ...
    @property
    def folds_alike(self) -> bool: ...
    @folds_alike.setter
    def folds_alike(self, arg: bool, /) -> None: ...
    def on_system(self, system: System) -> None:
        """The chips that a timed run is on."""

    def find_overflows(self, wanted: bool) -> None:
        """Looks for results that their formats do not hold."""

    def stop_at(self, severity: str | None) -> None:
        """The first finding this bad is raised as a Fault; None: none is."""

    def suppress(self, id: str, file: str = "", line: int = 0) -> None:
        """
        Drops findings of a check or a family (empty: all), anywhere or at a source line.
        """

class Run:
    """The result of one run; see session/session.h."""

    @property
    def instructions(self) -> int: ...
    @property
    def findings(self) -> list:
        """the findings of the checks as dictionaries; trainyard/findings.py"""

    @property
    def timed(self) -> bool: ...
    @property
    def time_ns(self) -> float: ...
    @property
    def ticks(self) -> int:
        """1/168 ns"""

    @property
    def bound(self) -> str: ...
    @property
    def links(self) -> object:
        """traffic between chips; docs/formats/report.md"""

    def text(self) -> str: ...
    def json(self) -> str: ...
    @property
    def is_recorded(self) -> bool: ...
    def intervals(self) -> list:
        """
        (track, instruction, reason, begin ns, end ns) of what each track of a recorded run did.
        """

    def trace(self) -> bytes:
        """A recorded run as the bytes of a .tytrace file."""

    def perfetto(self) -> bytes:
        """A recorded run in Perfetto's format."""

    def columns(self) -> dict:
        """A recorded run as trace_columns() tells of a file."""

    def details(self) -> str:
        """Memory over time and the critical path as JSON; docs/formats/view.md."""

def answer(
    instances: Sequence[Instance],
    machine: Machine,
    runs: Sequence[Run],
    interval: bool,
    changes: Sequence[tuple[str, Sequence[str], bool]],
    instructions_max: int = 0,
    advice: bool = False,
    system: System | None = None,
) -> None:
    """
    Adds the answers of session/resimulation.h to the report of the slowest run; `changes` are (name, settings, whether asked for by itself).
    """

def perfetto_of_ranks(runs: Sequence[Run]) -> bytes:
    """The recorded runs of several ranks as one file in Perfetto's format."""

def standard_changes() -> list[tuple[str, list[str], bool]]:
    """Questions worth asking, in the form that answer() takes."""

class Session:
    """A machine with memory, into which programs are loaded."""

    def __init__(self, machine: Machine) -> None: ...
    def load(
        self, program: Program, schedule: str = "author", rank: int = 0, take: bool = False
    ) -> Instance:
        """
        Compiles a traced program and places it in the memory of a rank. `take`: without a copy; the traced program is empty afterwards.
        """

    def write(self, arg0: Instance, arg1: int, arg2: object, /) -> None: ...
    def read(self, arg0: Instance, arg1: nki.language.NkiTensor, arg2: object, /) -> None: ...
    def run(
        self, instances: Sequence[Instance], options: RunOptions, told: object | None = None
    ) -> list[Run]:
        """
        Runs the instances of one grid for each rank, each on a fresh core. `told(instructions, nanoseconds)` is called a few times a second and may end the run by raising; so does Ctrl-C.
        """

class ModelInput:
    """An input tensor of a Model."""

    def holds(
        self,
        content: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> bool:
        """Whether its bytes are those."""

    def content(self) -> bytes:
        """Its elements as bytes."""

    def read_pages(self, devices: Devices, axis: int, pages: Sequence[int]) -> bytes:
        """
        Bytes of some indices of a dimension: all that is before it, these, and what is behind it. Raises InputError "model.pages".
        """

    def write_pages(
        self,
        devices: Devices,
        axis: int,
        pages: Sequence[int],
        content: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Changes them in place: nobody else has the array."""

    @property
    def is_gone(self) -> bool:
        """Whether a program was given its memory."""

    @property
    def address(self) -> int | None:
        """Of its first byte in the device's HBM; None while it lies on the host."""

    @property
    def bytes(self) -> int:
        """How many it has in HBM."""

class Devices:
    """
    The simulated devices of a machine, with the memory in which the inputs and results of their programs lie.
    """

    def __init__(self, machine: Machine) -> None: ...
    @property
    def bytes_in_use(self) -> int:
        """
        Of HBM, of what lies there and of what programs keep there while they run.
        """

def model_zeros(element: str, shape: Sequence[int]) -> ModelInput:
    """A tensor of zeros, of which the host has no copy."""

def model_input(
    element: str,
    shape: Sequence[int],
    content: Annotated[
        NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> ModelInput:
    """A tensor of a type by its name in StableHLO, for any Model."""

def kernel_config(program: Program, inputs: Sequence[int], outputs: Sequence[int]) -> str:
    """The backend_config of a custom call that runs a traced kernel."""

class ProgramRun:
    """The runs of one program of a Model."""

    @property
    def instance(self) -> Instance: ...
    @property
    def run(self) -> Run:
        """The first run, with the findings of all of them."""

    @property
    def count(self) -> int: ...
    @property
    def nanoseconds(self) -> float:
        """Simulated time of all runs."""

class ModelRun:
    """The results, time and energy of one run of a Model."""

    def take_outputs(self) -> list[bytes]:
        """The content of each result, which the run keeps no longer."""

    def take_tensors(self) -> list[ModelInput]:
        """The results as inputs of further runs, which the run keeps no longer."""

    @property
    def nanoseconds(self) -> float:
        """Simulated time of the whole run; 0 of an untimed one."""

    @property
    def routine_nanoseconds(self) -> float:
        """Of it, the time of GpSimd routines."""

    @property
    def joules(self) -> tuple:
        """Energy: low, likely, high."""

    @property
    def programs(self) -> list[ProgramRun]:
        """The runs of each program, in the order of their first run."""

    @property
    def reports(self) -> list[str]:
        """The report of each program, as JSON."""

    @property
    def texts(self) -> list[str]:
        """The report of each program, as text."""

class Model:
    """A tensor program compiled for a machine."""

    @property
    def inputs(self) -> list[tuple[str, list[int]]]: ...
    @property
    def outputs(self) -> list[tuple[str, list[int]]]: ...
    @property
    def donated(self) -> list[bool]:
        """Of each input whether a result may take its memory."""

    @property
    def instructions(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def programs(self) -> list[Instance]:
        """Each compiled program, as it is loaded."""

    @property
    def groups(self) -> list[list[tuple]]:
        """
        Of each program: (locations, how, operations) of what is fused; an operation is its name and FILE:LINE.
        """

    @property
    def resident_percent(self) -> int:
        """At most, of SBUF, for what stays on chip between operations."""

    @property
    def shares(self) -> list[tuple[int, float]]:
        """
        (percent, nanoseconds): what it takes with so much of SBUF for what stays on chip between operations, as it is first; empty where that was not timed.
        """

    @property
    def machine(self) -> Machine:
        """What it is compiled for."""

    @property
    def cores(self) -> int:
        """One, or the two of a logical core."""

    @property
    def in_halves(self) -> bool:
        """Whether each of both cores runs the program on half of its batch."""

    @property
    def module(self) -> GraphModule:
        """The tensor program that it means, casts included."""

    @property
    def has_control_flow(self) -> bool: ...
    @property
    def pass_times(self) -> list[tuple]:
        """Name, runs and milliseconds of each pass."""

    @property
    def pass_dumps(self) -> list[tuple]:
        """Pass, name of the program, text of it behind it."""

    @property
    def lowered_module(self) -> GraphModule:
        """The tensor program behind all its passes."""

    @property
    def class_uses(self) -> list[tuple]:
        """
        Of each class of tensors with a format: class, format, how many operands of products it has (of optimizer_state: arguments), how many got the format.
        """

    @property
    def unused_formats(self) -> str:
        """What to say of formats that nothing got; empty where there are none."""

    @property
    def code(self) -> bytes:
        """
        Its compiled programs, for compile_model in another process of this build.
        """

    @property
    def schedule(self) -> str:
        """The schedule that its programs were asked for."""

    @property
    def routines(self) -> list[tuple]:
        """Operations without instructions: name, count, place."""

    @property
    def prepared(self) -> int:
        """
        How many weights are made before the first run (--precision, stored formats).
        """

    def buffer(
        self,
        argument: int,
        content: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> ModelInput: ...
    def run(
        self,
        inputs: Sequence[ModelInput],
        timed: bool = False,
        values: bool = True,
        checks: bool = False,
        record: bool = False,
        seed: int | None = None,
        donated: Sequence[int] = [],
    ) -> ModelRun:
        """
        `inputs`: none without values. `donated`: numbers of those whose memory the program may take for its results, if it was compiled so; they are gone then.
        """

    def run_as(self, inputs: Sequence[ModelInput], options: RunOptions) -> ModelRun: ...

class PassDumps:
    """What passes left of programs, up to one that failed."""

    def __init__(self) -> None: ...
    def take(self) -> list[tuple]:
        """(pass, program, text) of each dump since the last time."""

def compile_model(
    module: GraphModule,
    machine: Machine,
    schedule: str = "list",
    flags: str = "",
    dump_after: Sequence[str] = [],
    cores: int = 1,
    dumps: PassDumps | None = None,
    layers: str = "by_time",
    variation: int = 0,
    code: bytes = ...,
    devices: Devices | None = None,
) -> Model:
    """
    Compiles a tensor program for one core, or for both of a logical core; `flags` as AWS's neuronx-cc takes them. `dump_after`: names of passes behind which the program is kept as text, or "all"; `dumps` has them of a compilation that fails, too. `layers`: by_time, together or apart. `variation`: of compiler_variations(), by number. `code`: Model.code of the same module for the same machine, flags and options in another process, so that its programs are not compiled again; another build's is not used. `devices`: whose memory it shares with others; None: its own. Raises InputError for code that is damaged.
    """

def compiler_variations() -> list[tuple[str, str]]:
    """
    Choices of the compiler made otherwise: in words, and what the regions that it can change say of themselves.
    """

def ways_of_regions(
    module: GraphModule, machine: Machine, cores: int, schedule: str, resident_percent: int
) -> list[tuple]:
    """
    Of each region of a module behind all passes (Model.lowered_module) that can be computed in several ways: names and lines of its operations; of each way, the taken one first, what is chosen otherwise, how it is computed, and its ns alone; whether these are not ways to compute it but layouts of the values of these products.
    """

def check_class_formats(text: str) -> None:
    """
    Raises InputError "precision.formats" for what is not CLASS=FORMAT,....
    """

def build_id() -> str:
    """
    Tells builds of the core apart, for what a build keeps outside of its process; empty where it was linked without an identifier.
    """

def compiler_passes() -> list[tuple]:
    """
    The compiler's passes in order: of a module or a program, name, what it does.
    """

def compiler_legality() -> dict:
    """
    Of each operation and element type, what becomes of it when it is lowered.
    """

class DividedProgram:
    """A program that was divided over several devices."""

    @property
    def name(self) -> str: ...
    def time_products(self, most: int) -> list:
        """
        What each product of matrices takes alone, in ns: as it is divided (the first way) and in so many other ways. Of a way, which axis of the mesh divides what.
        """

class JaxHost:
    """Observes what JAX runs on the platform `neuron`."""

    def __init__(
        self,
        machine: Machine,
        options: RunOptions,
        schedule: str,
        listener: object,
        told: object | None = None,
        dump_after: Sequence[str] = [],
        dumps: PassDumps | None = None,
    ) -> None: ...
    @property
    def address(self) -> int:
        """
        The create-option `host` of this library's plugin; the host must outlive the client.
        """

    @property
    def copies(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """((copies to devices, their bytes), (copies back, their bytes))."""

    def host_time(self, programs: int, launches: int) -> tuple[float, float]:
        """Nanoseconds of launches and of copies so far, one after the other."""

    def disconnect(self) -> None:
        """Stops listening; programs still run."""

    def rethrow(self) -> None:
        """Raises what ended the last run that failed, if any did."""

def __getattr__(name: str) -> Any: ...
