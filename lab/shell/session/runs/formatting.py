"""What runs say of themselves in words: a name, what went wrong, and the flags of events on a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from lab.recipes import Recipe
from lab.runs.library.recipe_fields import Value, fields_of
from lab.widgets.charts.chart import Flag
from lab.widgets.core.i18n import tr
from lab.workbench.launch.known_corpora import portable


def name_of(recipe: Recipe) -> str:
    """What a run of this recipe is called: its title up to the first colon, else its architecture."""
    return recipe.title.partition(":")[0].strip() or recipe.architecture.name


def state_labels() -> dict[str, str]:
    """States in a word; "elsewhere" is a run that another process trains."""
    return {
        "queued": tr("waits"), "preparing": tr("preparing"), "running": tr("running"),
        "paused": tr("paused"), "saving": tr("saving"), "finished": tr("done"), "stopped": tr("stopped"),
        "failed": tr("failed"), "interrupted": tr("interrupted"), "elsewhere": tr("runs elsewhere"),
    }  # fmt: skip


def settings_of(recipe: Recipe) -> dict[str, Value]:
    """The settings of a recipe by path, its corpus by name alone, so that recipes of runs here and on disk compare."""
    return fields_of(portable(recipe).model_dump(mode="json", exclude_none=True))


def loss_in_summary(summary: Mapping[str, Any], name: str) -> float | None:
    """A loss of a summary, which only names those that are infinite; None where it tells none."""
    if name in summary.get("infinite", ()):
        return math.inf
    told = summary.get(name)
    return float(told) if isinstance(told, int | float) else None


def flag_of(event: dict[str, Any]) -> Flag | None:
    """The flag of an event: a live edit, a problem, a stop; pauses leave no flag."""
    step = event.get("step")
    if not isinstance(step, int):
        return None
    match event.get("event"):
        case "set":
            return Flag(step, _change(str(event.get("path")), event.get("before"), event.get("value")))
        case "problem":
            return Flag(step, str(event.get("what", ""))[:60])
    return None


def _change(path: str, before: Any, after: Any) -> str:
    name = path.rpartition(".")[2].replace("_", " ")
    numbers = isinstance(before, int | float) and isinstance(after, int | float) and before
    if numbers and not isinstance(before, bool) and after in (before * 2, before / 2, before * 10, before / 10):
        words = {before * 2: "× 2", before / 2: "× ½", before * 10: "× 10", before / 10: "÷ 10"}[after]
        return f"{name} {words}"
    return f"{name} {_short(before)} → {_short(after)}"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def loss_text(value: float) -> str:
    """Format a loss: two decimals below 100, two significant digits below 0.1."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}"
    return "–" if math.isnan(value) else f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
