"""Labels of runs: titles, states, losses, and the flags of events on a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lab.api import Setting
from lab.api import settings_of as settings_in
from lab.recipes import Recipe, Training
from lab.runs.library.recipe_fields import Value, fields_of
from lab.runs.library.titles import title_of
from lab.shell.session.setting_labels import setting_title
from lab.widgets.charts.chart import Flag
from lab.widgets.core.i18n import language, number_text, tr, tr_registered
from lab.workbench.launch.known_corpora import portable

if TYPE_CHECKING:
    from lab.shell.session.runs.model import RunModel


def run_title(recipe: Recipe) -> str:
    """Return the title of a recipe up to the first colon, or the name of its architecture if there is none."""
    return title_of(recipe.title, recipe.architecture.name)


def part_label(view: RunModel) -> str:
    """Return the text on which the losses of a run are measured: the part of its corpus that is held out."""
    share = view.recipe.training.validation_share
    if not share:
        return tr("{corpus}, of which no part is held out", corpus=corpus_label(view))
    return tr("the last {share} % of {corpus}", share=number_text(100 * share, ".3g"), corpus=corpus_label(view))


def corpus_label(view: RunModel) -> str:
    """Return the name of the corpus of a run, or of its card until the corpus was read."""
    folder = view.run.folder
    facts = None if folder is None else folder.facts.get("corpus")
    name = facts.get("name") if isinstance(facts, dict) else None
    return tr_registered(name) if isinstance(name, str) else view.recipe.corpus.name


def state_labels() -> dict[str, str]:
    """Return the labels of the states; "elsewhere" is that of a run that another process trains."""
    return {
        "queued": tr("queued"), "preparing": tr("preparing"), "running": tr("running"),
        "paused": tr("paused"), "saving": tr("saving"), "finished": tr("finished"), "stopped": tr("stopped"),
        "failed": tr("failed"), "interrupted": tr("interrupted"), "elsewhere": tr("running elsewhere"),
    }  # fmt: skip


def protocol_label(protocol: str) -> str:
    """Return the name of a protocol of evaluation; that of one with a stride stays as recipes write it."""
    return {"windows": tr("windows"), "stream": tr("stream")}.get(protocol, protocol)


def protocol_phrase(protocol: str) -> str:
    """Return how a loss was evaluated, as part of a sentence: "by windows"."""
    phrases = {"windows": tr("by windows"), "stream": tr("by stream")}
    return phrases.get(protocol) or tr("by {protocol}", protocol=protocol)


def settings_of(recipe: Recipe) -> dict[str, Value]:
    """Return the settings of a recipe by path, with only the name of its corpus, as recipes on disk store no folder."""
    return fields_of(portable(recipe).model_dump(mode="json", exclude_none=True))


def loss_in_summary(summary: Mapping[str, Any], name: str) -> float | None:
    """Return a loss of a summary, which stores infinite losses as names; None if there is none."""
    if name in summary.get("infinite", ()):
        return math.inf
    value = summary.get(name)
    return float(value) if isinstance(value, int | float) else None


def flag_of(event: dict[str, Any]) -> Flag | None:
    """Return the flag of an event, which is a live edit or a problem; None for other events."""
    step = event.get("step")
    if not isinstance(step, int):
        return None
    match event.get("event"):
        case "set" if is_change(event):
            return Flag(step, _change(str(event.get("path")), event.get("before"), event.get("value")))
        case "problem":
            return Flag(step, str(event.get("what", ""))[:60])
    return None


def is_change(event: Mapping[str, Any]) -> bool:
    """Return True for an event that gave a live setting another value than it had."""
    return event.get("event") == "set" and ("before" not in event or event["before"] != event.get("value"))


def _change(path: str, before: Any, after: Any) -> str:
    name = path.rpartition(".")[2].replace("_", " ") if language.code == "en" else setting_title(path, _live(path))
    are_numbers = isinstance(before, int | float) and isinstance(after, int | float) and before
    if are_numbers and not isinstance(before, bool) and after in (before * 2, before / 2, before * 10, before / 10):
        factor = {before * 2: "× 2", before / 2: "× ½", before * 10: "× 10", before / 10: "÷ 10"}[after]
        return f"{name} {factor}"
    return f"{name} {_short(before)} → {_short(after)}"


def _live(path: str) -> Setting | None:
    """Return a setting of the training; None for one of a card."""
    return next((each for each in settings_in(Training, prefix="training.") if each.name == path), None)


def _short(value: Any) -> str:
    return number_text(value, ".4g") if isinstance(value, float) else str(value)


def loss_text(value: float) -> str:
    """Format a loss: two decimals below 100, two significant digits below 0.1."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0 < abs(value) < 0.1:
        return number_text(value, ".2g")
    return "–" if math.isnan(value) else number_text(value, ".2f") if abs(value) < 100 else number_text(value, ",.0f")
