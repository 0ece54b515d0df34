"""Results of the analytic model as text."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainyard.planner.exact import Exact
    from trainyard.planner.phases import Part, Phase
    from trainyard.planner.results import Comparison, Cost, Estimate, Fit, Layout, Row

GIB = 2.0**30
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k"))


def number(value: float) -> str:
    """Three digits, from ten thousand on with a decimal prefix: "12.5 k", "1250", "0.0312"."""
    for scale, prefix in _PREFIXES:
        if abs(value) >= scale:
            shown = value / (1e3 if prefix == "k" else scale)
            return f"{float(f'{shown:.3g}'):g} {prefix}"
    return f"{float(f'{value:.3g}'):.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def count_text(count: int, what: str) -> str:
    """ "1 head", "2 heads"."""
    return f"{count} {what}{'s' * (count != 1)}"


def interval(low: float, value: float, high: float, unit: str) -> str:
    """ "31.8 ms (17.3 to 68.5)"."""
    if unit == "s" and value < 1:
        low, value, high, unit = 1e3 * low, 1e3 * value, 1e3 * high, "ms"
    if unit == "fraction":
        low, value, high, unit = 100 * low, 100 * value, 100 * high, "%"
    if unit == "MWh" and value >= 1e3:
        low, value, high, unit = low / 1e3, value / 1e3, high / 1e3, "GWh"
    joined = number(value)[-1].isalpha() and unit != "USD"
    shown = f"{number(value)}{unit}" if joined else f"{number(value)} {unit}"
    return shown if low == high else f"{shown} ({number(low)} to {number(high)})"


def as_html(text: str) -> str:
    """Preformatted text for a notebook."""
    return f"<pre>{html.escape(text)}</pre>"


# What a comparison shows, by phase: the value's name and its heading.
COLUMNS = {
    "serving": (
        ("output_tput_per_gpu", "output tok/s/chip"),
        ("mean_intvty", "tok/s/user"),
        ("mean_ttft", "TTFT, loaded"),
        ("idle_ttft", "TTFT, idle"),
        ("output_tput_per_mw", "output tok/s/MW"),
        ("output_tput_per_system", "output tok/s of the system"),
        ("usd_per_million_output_tokens", "USD/M output tokens"),
        ("joules_per_output_token", "J/output token"),
        ("avg_power_w", "W/chip, mean"),
    ),
    "samples": (
        ("samples_per_second_per_gpu", "samples/s/chip"),
        ("mean_ttft", "latency"),
        ("usd_per_million_samples", "USD/M samples"),
        ("avg_power_w", "W/chip, mean"),
    ),
    "training": (
        ("tokens_per_second_per_gpu", "tok/s/chip"),
        ("mfu", "MFU"),
        ("days", "days"),
        ("usd", "USD"),
        ("mwh", "MWh"),
        ("usd_per_million_tokens", "USD/M tokens"),
    ),
}


def columns(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """The values that a comparison shows."""
    if comparison.phase == "serving" and comparison.model["family"] != "decoder":
        return COLUMNS["samples"]
    found = COLUMNS[comparison.phase]
    if comparison.model["family"] != "convolution":
        return found
    return tuple((name, heading.replace("tok", "image", 1)) for name, heading in found)


def headline(comparison: Comparison) -> str:
    """The first value of a comparison."""
    return columns(comparison)[0][0]


def plan_text(plan: dict[str, float]) -> str:
    """ "16 chips, tp 8, dp 2"."""
    sizes = [f"{name} {plan[name]:.0f}" for name in ("tp", "pp", "dp") if plan[name] > 1]
    chips = f"{plan['chips']:.0f} chip{'' if plan['chips'] == 1 else 's'}"
    return ", ".join([chips, *sizes])


def deployment_text(deployment: dict[str, float]) -> str:
    """ "64 chips: 8 replicas, 512 at once, 80 k output tok/s"."""
    tokens = "output_tput" in deployment
    rate = deployment["output_tput" if tokens else "samples_per_second"]
    unit = "output tok/s" if tokens else "samples/s"
    return (
        f"{deployment['chips']:.0f} chips: {deployment['replicas']:.0f} replicas, "
        f"{deployment['conc']:.0f} at once, {number(rate)} {unit}"
    )


def workload_text(workload: dict, family: str = "decoder") -> str:
    """What was asked of a machine, in short."""
    if "isl" in workload:
        return (
            f"{workload['weights']} weights, {workload['cache']} cache, "
            f"{workload['conc']:.0f} at once"
        )
    samples = f"sequences of {workload['sequence']:.0f}" if family == "decoder" else "samples"
    return (
        f"{workload['format']}, {workload['global_batch']:.0f} {samples}, "
        f"{workload['recompute']} recomputed"
    )


def collectives_text(row: Row) -> str:
    """ "collectives by schedule: 22 % of a decode step, 2.1 x what the links allow"; else "".

    Of modelled phases: simulated ones are shown one by one.
    """
    if row.analytic:
        return ""
    phases = row.document.get("phases", {})
    for name, what, stages in (
        ("decode", "a decode step", 1),
        ("microbatch", "a microbatch", (row.plan or {}).get("pp", 1)),
        ("prefill", "a sample", 1),
    ):
        if name not in phases:
            continue
        work = phases[name]
        bound = work["collective_bound"]
        if not work["collective"]:
            return ""
        share = work["collective"] / stages / work["seconds"]
        above = f", {work['collective'] / bound:.2g} x what the links allow" if bound else ""
        return f"collectives by {row.document['collectives']}: {100 * share:.0f} % of {what}{above}"
    return ""


def beyond_context(model: dict, asked: dict) -> Iterator[str]:
    """A line where more tokens are asked for than a decoder was made for."""
    tokens = asked.get("input", asked.get("isl", 0)) + asked.get("output", asked.get("osl", 0))
    if 0 < model.get("context_max", 0) < tokens:
        yield f"  {tokens:.0f} tokens of context; the model was made for {model['context_max']}"


def beside_layers(model: dict) -> Iterator[str]:
    """A line where towers of pictures, sound or a second text are held and not timed."""
    if model.get("towers", 0) > 0:
        yield (
            f"  {number(model['towers'])} parameters in towers beside the layers: "
            "in memory, their time is not counted"
        )


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """The table of a comparison, what moves it, and what is unknown."""
    family = comparison.model["family"]
    yield f"{comparison.model['title']}, {comparison.phase}"
    yield from beyond_context(comparison.model, comparison.asked)
    yield from beside_layers(comparison.model)
    for row in comparison.rows:
        yield ""
        yield f"{row.machine}: {row.title}"
        if row.plan is None:
            yield f"  no answer: {row.why}"
            continue
        yield f"  {plan_text(row.plan)}; {workload_text(row.workload, family)}; price {row.price}"
        if deployment := row.document.get("deployment"):
            yield f"  {deployment_text(deployment)}"
        if not row.native:
            yield f"  {row.workload['weights']} is stored, and multiplied at the next wider format"
        for name, heading in columns(comparison):
            if name in row.values:
                modelled = f"modelled {row.analytic[name]}" if row.analytic else ""
                yield f"  {heading:28}{row.values[name]!s:38}{modelled}".rstrip()
        yield from (f"  {line}" for line in tried_lines(row, *columns(comparison)[0]))
        yield from _unknown_lines(row.unknown)
        if collectives := collectives_text(row):
            yield f"  {collectives}"
        yield from _moving_lines(row.values.get(columns(comparison)[0][0]))
        if row.machine in SLOW_EXPERTS and has_experts(comparison):
            yield f"  {SLOW_PREFILL}"
        if row.exact is not None:
            yield from (f"  {line}".rstrip() for line in exact_lines(row.exact))
    if never := unchecked(comparison):
        yield ""
        yield f"never checked against a published measurement of a whole model: {', '.join(never)}"


# Rows T2SNU-001, T3VLLM-016 and NXDSV3-2 of tests/fidelity/model_rows.toml.
SLOW_EXPERTS = ("trn2", "trn2-ultraserver", "trn3-gen1", "trn3-gen2")
SLOW_PREFILL = (
    "the three published prefills of a mixture of experts on these chips took 18 to 33 times as "
    "long as this model says, since they compute every expert for every token: TTFT is a lower "
    "bound"
)


def has_experts(comparison: Comparison) -> bool:
    """Whether a token uses a part of the parameters only."""
    return bool(comparison.model["active"] < 0.9 * comparison.model["parameters"])


def unchecked(comparison: Comparison) -> list[str]:
    """The machines that no published measurement of a whole model was set beside."""
    return [row.machine for row in comparison.rows if row.machine not in CHECKED]


# The machines with rows of whole models in tests/fidelity/model_rows.toml, which a wheel lacks.
CHECKED = ("a100", "b200", "gb200-nvl72", "h100", "inf2", "trn1", "trn2", "trn3-gen1")


def choice_text(tried: dict[str, Any]) -> str:
    """ "4 chips, tp 4; 32 at once"."""
    workload = tried["workload"]
    how = (
        f"{workload['conc']:.0f} at once"
        if "conc" in workload
        else f"microbatches of {workload['microbatch']:.0f}, {workload['recompute']} recomputed"
    )
    return f"{plan_text(tried['plan'])}; {how}"


def tried_lines(row: Row, value: str, heading: str) -> Iterator[str]:
    """What was simulated and whether it changes the choice; of each choice `value`, a heading."""
    if not row.tried:
        return
    first, chosen = row.tried[0], next(one for one in row.tried if one["is_chosen"])
    if not row.analytic:
        yield "no phase of the analytic model's choice could be simulated: its answers stand"
        return
    if not chosen["is_fast_enough"]:
        yield (
            "by simulated time no plan that was tried is fast enough for a user; the choice of the "
            "analytic model stands"
        )
    elif chosen is first:
        yield "by simulated time the choice of the analytic model is best, too"
    else:
        what = "batch" if chosen["plan"] == first["plan"] else "plan"
        yield (
            f"by simulated time another {what} is best, {choice_text(chosen)} ({heading} "
            f"{_both(chosen, value)}); the analytic model chooses {choice_text(first)} "
            f"({_both(first, value)})"
        )
    for name, one in chosen["phases"].items():
        if "why" in one:
            yield f"left analytic: {name}, {one['why']}"
    yield (
        "simulated seconds have no range: intervals are of prices, energy, hidden collectives and "
        "what is not simulated"
    )
    speed = ("mean_intvty",) if "mean_intvty" in chosen["simulated"] else ()
    plans = len({tuple(one["plan"].items()) for one in row.tried})
    counts = f"{count_text(plans, 'plan')}, {count_text(len(row.tried), 'choice')} simulated"
    wide = 2 + max(42, *(len(choice_text(one)) + 2 for one in row.tried))
    yield f"{counts:{wide}}{heading:26}{'tok/s/user' if speed else ''}".rstrip()
    for one in row.tried:
        pairs = "".join(f"{_both(one, name):26}" for name in (value, *speed))
        mark = "*" if one["is_chosen"] else " "
        yield f"{mark} {choice_text(one):{wide - 2}}{pairs}{_why_not(one)}".rstrip()


def _both(tried: dict[str, Any], value: str) -> str:
    return f"{number(tried['simulated'][value])}, modelled {number(tried['analytic'][value])}"


def _why_not(tried: dict[str, Any]) -> str:
    if not tried["is_compared"]:
        missing = [one["why"] for one in tried["phases"].values() if "why" in one]
        return f"not compared: {missing[-1]}"
    return "" if tried["is_fast_enough"] else "too slow for a user"


def exact_lines(exact: Exact | str) -> Iterator[str]:
    """Simulated layers beside the analytic ones, or why there are none."""
    if isinstance(exact, str):
        yield f"no exact layers: {exact}"
        return
    for name, phase in exact.phases.items():
        yield ""
        if isinstance(phase, str):
            yield f"{name}, no exact layers: {phase}"
        else:
            yield from _phase_lines(phase)


def _phase_lines(phase: Phase) -> Iterator[str]:
    """What a pass takes by block, what bounds each, and what was left out."""
    yield f"{phase.what:61}{'simulated':>11}{'modelled':>11}{'ratio':>7}"
    for part in phase.parts:
        yield _pair(*_name_of(part), part.seconds, part.analytic)
    yield _pair("fixed times of layers", "", None, phase.analytic_fixed)
    yield _pair("all layers, computing", "", phase.computing, phase.analytic_computing)
    yield _pair("their collectives", "", phase.collective, phase.analytic_collective)
    yield _pair("together, nothing hidden", "", phase.seconds, phase.analytic)
    for part in phase.variants:
        name, each = _name_of(part)
        yield _pair(f"instead: {name}", each, part.seconds, None)
    yield f"  {'':44}{'of peak':>8}  {'busiest':13}longest operations"
    for name, one in ((part.name, part.timed) for part in (*phase.parts, *phase.variants)):
        unit, busy = one.busiest
        longest = ", ".join(
            f"{what} {part:.0%}" for what, part in one.operations[:3] if part > 0.01
        )
        yield f"  {name:44}{one.peak:>8.0%}  {f'{unit} {busy:.0%}':13}{longest}"
    yield from (f"  note: {note}" for note in phase.notes)


def _name_of(part: Part) -> tuple[str, str]:
    return part.name, f"{part.times:g} x {_time(part.seconds / part.times)}"


def _pair(name: str, each: str, ours: float | None, analytic: float | None) -> str:
    simulated, modelled = ("" if one is None else _time(one) for one in (ours, analytic))
    ratio = f"{ours / analytic:.2f}" if ours and analytic else ""
    return f"  {name:44}{each:>15}{simulated:>11}{modelled:>11}{ratio:>7}".rstrip()


def _time(seconds: float) -> str:
    units = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))
    unit, scale = next((one for one in units if seconds >= one[1]), units[-1])
    value = seconds / scale
    return f"{value:.0f} {unit}" if value >= 99.95 else f"{value:.3g} {unit}"


def _unknown_lines(unknown: tuple[str, ...]) -> Iterator[str]:
    if unknown:
        names = ", ".join(sorted(set(unknown)))
        yield f"  not published, so answers that need it are left out: {names}"


def _moving_lines(estimate: Estimate | None) -> Iterator[str]:
    if estimate is not None and estimate.moved_by:
        names = ", ".join(
            f"{one.key} ({number(min(one.at_low, one.at_high))} to "
            f"{number(max(one.at_low, one.at_high))})"
            for one in estimate.moved_by[:3]
        )
        yield f"  moved most by {names}"


def _layout_lines(layout: Layout) -> Iterator[str]:
    verdict = "fits" if layout.fits else "does not fit"
    yield (
        f"  {layout.what}: {verdict}, {layout.total_bytes / GIB:.1f} of "
        f"{layout.capacity_bytes / GIB:.1f} GiB a chip, "
        f"{layout.bytes_per_logical_core / GIB:.1f} GiB a logical core"
    )
    for name, size in layout.parts.items():
        yield f"    {name:12}{size / GIB:9.2f} GiB  {layout.why[name]}"
    if layout.batch_max is not None:
        many = f"{layout.batch_max:.0f} request{'' if round(layout.batch_max) == 1 else 's'}"
        yield f"    up to {many} at once"


def fit_lines(fit: Fit) -> Iterator[str]:
    """What takes the memory, and what else would fit."""
    model = fit.model
    active = (
        ""
        if model["active"] > 0.9 * model["parameters"]
        else (f", {number(model['active'])} active for a token")
    )
    yield f"{model['title']} on {fit.machine['title']}"
    yield f"  {number(model['parameters'])} parameters{active}"
    yield from beside_layers(model)
    yield from beyond_context(model, fit.document["serving"]["workload"])
    for phase in ("serving", "training"):
        yield ""
        yield phase
        yield from _layout_lines(getattr(fit, phase))
        alternatives = getattr(fit, f"{phase}_alternatives")
        if alternatives:
            yield "  what else fits, fewest chips first:"
        for layout in alternatives:
            batch = f", {layout.batch_max:.0f} at once" if layout.batch_max else ""
            yield f"    {layout.what}: {layout.total_bytes / GIB:.1f} GiB a chip{batch}"


def cost_lines(cost: Cost) -> Iterator[str]:
    """Dollars and joules, then the rates they come from."""
    yield cost.what
    for name, one in cost.values.items():
        yield f"  {name:38}{one}"
    yield from _unknown_lines(cost.unknown)
    yield "rates"
    for rate in cost.rates:
        shown = interval(rate["low"], rate["value"], rate["high"], rate["unit"])
        date = f", {rate['date']}" if rate.get("date") else ""
        yield f"  {rate['key']}: {shown} [{rate['kind']}{date}] {rate['source']}"
