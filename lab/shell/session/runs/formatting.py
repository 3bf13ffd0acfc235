"""Labels of runs: their states, corpora and losses, and the flags of events on a curve."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from lab.api import Setting, settings_of
from lab.base.run_state import RunState
from lab.recipes import Training
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.texts import RunEvent
from lab.shell.session.setting_labels import setting_title
from lab.widgets.charts.chart import Flag
from lab.widgets.core.i18n import duration, language, number_text, tr, tr_registered


def part_label(run: RunModel) -> str:
    """Return the text on which the losses of a run are measured: the part of its corpus that is held out."""
    share = run.recipe.training.validation_share
    if not share:
        return tr("{corpus}, of which no part is held out", corpus=corpus_label(run))
    return tr("the last {share} % of {corpus}", share=number_text(100 * share, ".3g"), corpus=corpus_label(run))


def corpus_label(run: RunModel) -> str:
    """Return the name of the corpus of a run, or the title of its card until the corpus was read."""
    folder = run.source.folder
    facts = None if folder is None else folder.facts.get("corpus")
    name = facts.get("name") if isinstance(facts, dict) else None
    return tr_registered(name) if isinstance(name, str) else run.corpus_titles(run.recipe.corpus.name)


def state_label(run: RunModel) -> str:
    """Return the label of a run's state; `waiting_label` has more about a queued run."""
    if run.is_stopping and run.state == RunState.PREPARING:
        return tr("stopping")
    if run.elsewhere:
        return tr("running elsewhere")
    labels = {
        RunState.QUEUED: tr("queued"),
        RunState.PREPARING: tr("preparing"),
        RunState.RUNNING: tr("running"),
        RunState.PAUSED: tr("paused"),
        RunState.SAVING: tr("saving"),
        RunState.FINISHED: tr("finished"),
        RunState.STOPPED: tr("stopped"),
        RunState.FAILED: tr("failed"),
        RunState.INTERRUPTED: tr("interrupted"),
    }
    return labels[run.state]


def waiting_label(run: RunModel) -> str:
    """Return a label that names the run for which a queued run waits; "" if it is not queued, or waits for none."""
    other = run.waits_for
    if run.state != RunState.QUEUED or other is None:
        return ""
    if other.state == RunState.PAUSED:
        return tr("queued behind {run} (paused)", run=other.name)
    return tr("queued behind {run}", run=other.name)


def detail_label(run: RunModel) -> str:
    """Return a label of a run's state and step, or of the run for which it waits."""
    if run.state in (RunState.QUEUED, RunState.PREPARING):
        return waiting_label(run) or state_label(run)
    return tr("{state} · step {step}", state=state_label(run), step=number_text(run.step))


def long_step_label(run: RunModel) -> str:
    """Return a label of the long step after which a run stops, with its time so far; "" if there is none."""
    seconds = run.seconds_in_long_step()
    return "" if seconds is None else tr("stops after this step (running for {time})", time=duration(round(seconds)))


def protocol_label(protocol: str) -> str:
    """Return the name of a protocol of evaluation; that of one with a stride stays as recipes write it."""
    return {"windows": tr("windows"), "stream": tr("stream")}.get(protocol, protocol)


def protocol_phrase(protocol: str) -> str:
    """Return how a loss was evaluated, as part of a sentence: "by windows"."""
    phrases = {"windows": tr("by windows"), "stream": tr("by stream")}
    return phrases.get(protocol) or tr("by {protocol}", protocol=protocol)


def flag_of(event: RunEvent) -> Flag:
    """Return the flag of an event on a curve: the change of a setting, or a problem."""
    label = _change(event.path, event.before, event.value) if event.path else event.problem[:60]
    return Flag(event.step, label)


def _change(path: str, before: Any, after: Any) -> str:
    name = (
        path.rpartition(".")[2].replace("_", " ")
        if language.code == "en"
        else setting_title(path, _settings().get(path))
    )
    are_numbers = isinstance(before, int | float) and isinstance(after, int | float) and before
    if are_numbers and not isinstance(before, bool) and after in (before * 2, before / 2, before * 10, before / 10):
        factor = {before * 2: "× 2", before / 2: "× ½", before * 10: "× 10", before / 10: "÷ 10"}[after]
        return f"{name} {factor}"
    return f"{name} {_short(before)} → {_short(after)}"


@cache
def _settings() -> dict[str, Setting]:
    """Return the settings of the training by path; those of cards are not among them."""
    return {each.name: each for each in settings_of(Training, prefix="training.")}


def _short(value: Any) -> str:
    return number_text(value, ".4g") if isinstance(value, float) else str(value)


def loss_text(value: float) -> str:
    """Format a loss: two decimals below 100, two significant digits below 0.1."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0 < abs(value) < 0.1:
        return number_text(value, ".2g")
    return "–" if math.isnan(value) else number_text(value, ".2f") if abs(value) < 100 else number_text(value, ",.0f")
