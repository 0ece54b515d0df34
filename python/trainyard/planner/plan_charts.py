"""Charts of plans, and the page that has them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from trainyard import _core
from trainyard.planner import charts, page, svg
from trainyard.planner.charts import Axis
from trainyard.planner.text import number

if TYPE_CHECKING:
    from trainyard.planner.plans import TrainPlans

_WIDTH, _HEIGHT = 760, 420


def days_and_dollars(plans: TrainPlans) -> svg.Drawing:
    """Dollars over days, both in powers of ten; chip hours where no price is public."""
    priced = all("usd" in one.values for one in plans)
    value = "usd" if priced else "chip_hours"
    what = "USD" if priced else "chip hours"
    title = f"{plans.model['title']} on {plans.machine['title']}: {what} over days"
    drawing = svg.Drawing(_WIDTH, _HEIGHT, title)
    drawing.text(10, 20, title)
    if not plans.plans:
        drawing.text(10, 50, plans.why)
        return drawing
    x_axis = Axis([one.values["elapsed_days"] for one in plans], 70, _WIDTH - 150)
    y_axis = Axis([one.values[value] for one in plans], 380, 50)
    for tick in x_axis.ticks():
        drawing.line([(x_axis(tick), 50), (x_axis(tick), 380)], svg.GRID)
        drawing.text(x_axis(tick), 396, number(tick), "middle", svg.MUTED)
    for tick in y_axis.ticks():
        drawing.line([(70, y_axis(tick)), (_WIDTH - 150, y_axis(tick))], svg.GRID)
        drawing.text(64, y_axis(tick) + 4, number(tick), "end", svg.MUTED)
    counts = list(dict.fromkeys(one.asked_chips for one in plans))
    for one in plans:
        color = svg.COLORS[counts.index(one.asked_chips) % 8]
        drawing.dot(x_axis(one.values["elapsed_days"]), y_axis(one.values[value]), 2.5, color)
    best = [(x_axis(p.values["elapsed_days"]), y_axis(p.values[value])) for p in plans.frontier()]
    if len(best) > 1:
        drawing.line(best, svg.INK, 1.5)
    for i, count in enumerate(counts):
        drawing.dot(_WIDTH - 130, 60 + 20 * i, 5, svg.COLORS[i % 8])
        drawing.text(_WIDTH - 118, 64 + 20 * i, f"{count:,} chips")
    return drawing


def plan_page(plans: TrainPlans, command: str = "") -> str:
    """One HTML page: the ranked table, parts of the best step, plots, every input's source."""
    title = f"{plans.model['title']} on {plans.machine['title']}: training"
    body = [f"<pre>{html.escape(str(plans))}</pre>", days_and_dollars(plans).svg]
    if plans.best is not None:
        body += ["<h2>What moves the answers</h2>"]
        for name in ("elapsed_days", "usd"):
            if name in plans.values:
                body.append(
                    charts.tornado(f"{plans.machine['name']}: {name}", plans.values[name]).svg
                )
    body += ["<h2>Inputs</h2>", page.inputs(plans.machine["name"])]
    if command:
        body.append(f"<h2>To repeat it</h2><pre>{html.escape(command)}</pre>")
    body.append(f"<p class=muted>trainyard {_core.__version__}</p>")
    return page.document(title, body)
