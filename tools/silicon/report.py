"""The comparison as a table: error of each row, rank correlation of each ladder."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass


@dataclass
class Result:
    """A row simulated, or the reason why it was not."""

    id: str
    machine: str
    ladder: str
    what: str
    published_us: float
    simulated_us: float = 0.0
    bound: str = ""
    reason: str = ""
    source: str = ""

    @property
    def error(self) -> float:
        """Relative; only where there is no reason."""
        return self.simulated_us / self.published_us - 1

    def record(self) -> dict:
        """For JSON."""
        return asdict(self) | ({} if self.reason else {"error": self.error})


def ranks(values: list[float]) -> list[float]:
    """1 for the least; equal values share the mean of their places."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for i in order[at : end + 1]:
            result[i] = (at + end) / 2 + 1
        at = end + 1
    return result


def rank_correlation(a: list[float], b: list[float]) -> float:
    """Spearman's; 0 where one of them does not vary."""
    x, y = ranks(a), ranks(b)
    if len(set(x)) < 2 or len(set(y)) < 2:
        return 0.0
    return statistics.correlation(x, y)


def sources(results: list[Result]) -> list[str]:
    """One line a source: its rows, how many were simulated, how far off, why the rest was not."""
    by_source = defaultdict(list)
    for r in results:
        by_source[r.source].append(r)
    lines = [f"{'rows':>5}{'simulated':>10}{'median |error|':>16}{'worst':>8}  source"]
    for name, rows in [*sorted(by_source.items()), ("all", results)]:
        done = [r for r in rows if not r.reason]
        errors = [r.error for r in done]
        figures = f"{'-':>16}{'-':>8}"
        if errors:
            median, worst = statistics.median(map(abs, errors)), max(errors, key=abs)
            figures = f"{100 * median:>15.1f}%{100 * worst:>+7.0f}%"
        lines.append(f"{len(rows):>5}{len(done):>10}{figures}  {name}")
        if name != "all":
            refused = Counter(r.reason for r in rows if r.reason)
            lines += [f"{'':>41}{count} {reason}" for reason, count in refused.most_common()]
    return lines


def text(results: list[Result]) -> str:
    """One line a row, then the ladders, then the sources with what was not simulated, by reason."""
    done = [r for r in results if not r.reason]
    lines = [f"{'id':14}{'machine':8}{'published':>12}{'simulated':>12}   error  bound, workload"]
    for r in sorted(done, key=lambda r: abs(r.error)):
        lines.append(
            f"{r.id:14}{r.machine:8}{r.published_us:>9.1f} us{r.simulated_us:>9.1f} us"
            f" {100 * r.error:>+6.0f}%  {r.bound}: {r.what[:110]}"
        )
    lines += [
        "",
        f"{'rows':>5}{'median |error|':>16}{'median error':>14}{'ranks':>7}{'worst':>7}  ladder",
    ]
    ladders = defaultdict(list)
    for r in done:
        ladders[f"{r.machine} {r.ladder}"].append(r)
    for name, rows in [*sorted(ladders.items()), ("all", done)]:
        if not rows:
            continue
        errors = [r.error for r in rows]
        correlation = rank_correlation(
            [r.published_us for r in rows], [r.simulated_us for r in rows]
        )
        lines.append(
            f"{len(rows):>5}{100 * statistics.median(map(abs, errors)):>15.1f}%"
            f"{100 * statistics.median(errors):>+13.1f}%{correlation:>7.2f}"
            f"{100 * max(errors, key=abs):>+6.0f}%  {name}"
        )
    lines += ["", *sources(results)]
    return "\n".join(lines)
