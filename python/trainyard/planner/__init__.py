"""What fits, what it costs, against whom: the analytic model for every machine and model.

    trainyard.fit("llama3-70b", on="trn3-gen2")
    trainyard.compare("deepseek-v3", on=["trn3-gen2", "gb300-nvl72"])
    trainyard.cost("llama3-70b", on="trn1", phase="training", tokens=15e12)

Every number is an interval: the value, and how far it moves over the documented ranges of the
figures that it leans on.
"""

from trainyard.planner.calls import compare, cost, cost_of_run, fit, ratio
from trainyard.planner.plans import TrainPlan, TrainPlans, plan_training
from trainyard.planner.recommendations import MachineSizing, Recommendation, Sizing, recommend
from trainyard.planner.results import (
    Alternative,
    Comparison,
    Cost,
    Estimate,
    Fit,
    Influence,
    Layout,
    Row,
)

__all__ = [
    "Alternative",
    "Comparison",
    "Cost",
    "Estimate",
    "Fit",
    "Influence",
    "Layout",
    "MachineSizing",
    "Recommendation",
    "Row",
    "Sizing",
    "TrainPlan",
    "TrainPlans",
    "compare",
    "cost",
    "cost_of_run",
    "fit",
    "plan_training",
    "ratio",
    "recommend",
]
