"""The card of the loss: curves of all shown runs with floors, and the loss of the selected run as a large number."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.api import ENTROPY_RATE
from lab.base.charts.averages import SMOOTHING, Values
from lab.base.run_state import RunState
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.runs.formatting import flag_of, loss_text, protocol_phrase, waiting_label
from lab.shell.session.runs.loss_unit import (
    BITS,
    BYTES,
    KL,
    NATS,
    PERPLEXITY,
    convert,
    convert_one,
    is_known,
    short_unit_name,
    unit_name,
)
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import (
    AXES_X,
    WHOLE,
    axis_kind,
    axis_name,
    has_axis,
    run_colour,
    run_dashes,
    unit_label,
    unit_named,
    validation_lines,
    why_no_axis,
)
from lab.shell.train.comparison_line import ComparisonLine
from lab.shell.train.end_row import EndRow
from lab.shell.train.finding_line import FindingLine
from lab.shell.train.floor_lines import FloorMenu, by_weight, compared_with, floor_description, floor_name
from lab.shell.train.guesses import loss_sentence, prediction_of, unit_description
from lab.shell.train.run_card import ChartCard
from lab.widgets.charts.chart import Flag, Floor, Line
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.charts.end_labels import with_positions
from lab.widgets.core.controls import Button, MenuButton, label, wrapped_tip
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import LARGE_TYPE, px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.readings.base import Line as TextLine

RAW_OF = 3
"""Most shown runs for which the unsmoothed training loss is drawn too."""
GUESSING = 1.1
"""The share of the loss of blind guessing that is visible once the losses are below it; only a worse start is cut."""
LOWEST = 66
"""The least height of the curve in pixels, at a size of the type of 100 percent."""


def units() -> dict[str, tuple[str, str]]:
    """Return (name, axis title) of each unit of the loss."""
    return {
        NATS: (tr("nats"), tr("loss (nats per token)")),
        BITS: (tr("bits"), tr("loss (bits per token)")),
        PERPLEXITY: (tr("perplexity"), tr("perplexity")),
        BYTES: (tr("bits per byte"), tr("loss (bits per byte)")),
        KL: (tr("nats above the entropy"), tr("KL(P‖Q) (nats per token)")),
    }


class LossCard(ChartCard):
    """The card of training and validation loss.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        crosshair: The crosshair, shared with the other charts of the place.
        start: Starts a run; called by the button of the empty card.
        evaluator: Evaluates runs on the same text.
        finding: The line about what the doctor found.
    """

    x_axis_changed = Signal(str)
    model_requested = Signal()
    """The drawing of the model is to be shown."""
    gauges_requested = Signal()
    """The page about the layers is to be shown."""

    def __init__(
        self,
        registry: RunRegistry,
        drawing: Drawing,
        crosshair: Crosshair,
        start: Callable[[], object],
        evaluator: SameTextEvaluator,
        finding: FindingLine,
    ) -> None:
        super().__init__(tr("Loss"), registry, drawing, crosshair)
        self._start = start
        self.smoothing = SMOOTHING
        self.marked_step: int | None = None
        """The step of the snapshot that Inspect shows; None while it shows the current model."""
        self._number, self._sentence, self._caption = label("", "number"), label(""), TextLine()
        self._caption.setProperty("role", "dim")
        self._sentence.setWordWrap(True)
        follow_type(self._caption, lambda caption: caption.setWordWrap(themes.scale > LARGE_TYPE))
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._sentence)
        column.addWidget(self._caption)
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 6, 0)
        line.setSpacing(8)
        line.addWidget(self._number)
        line.addLayout(column, 1)
        self.comparison = ComparisonLine(registry, evaluator)
        self.comparison.bytes_requested.connect(self._compare_by_bytes)
        content = QWidget()
        self.end_row = EndRow(registry)
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        rows.addLayout(line)
        rows.addWidget(self.comparison)
        rows.addWidget(self.end_row)
        rows.addWidget(finding)
        self.finding = finding
        rows.addWidget(self.chart, 1)
        follow_type(self.chart, lambda chart: chart.setMinimumHeight(px(LOWEST)))
        self._add_controls()
        self.set_content(content, margin=0)
        self._axes()
        self._converted: dict[str, tuple[Values, tuple[str, float | None], Values]] = {}
        self._has_runs = bool(registry.runs)
        registry.list_changed.connect(self._check_list)
        self.draw()

    def _add_controls(self) -> None:
        choices = [(unit, name) for unit, (name, _) in units().items()]
        self._units = MenuButton(tr("unit of loss"), choices, self._take_unit)
        self._units.set_hints({unit: unit_description(unit) for unit in units()})
        self._xs = MenuButton(tr("x axis"), [(by, unit_label(by)) for by in AXES_X], self._take_x)
        smooth = [("0", tr("none")), *((share, localized(share)) for share in ("0.9", "0.96", "0.99"))]
        self._smooth = MenuButton(tr("smoothing"), smooth, self._take_smoothing, prefix=tr("smoothing "))
        self._smooth.show_value(str(SMOOTHING))
        self._floor_menu = FloorMenu()
        self._floor_menu.changed.connect(self.changed)
        self._log_x = Button(tr("log x"), hint=tr("Logarithmic x axis"))
        self._log_y = Button(tr("log y"), hint=tr("Logarithmic y axis"))
        for button in (self._log_x, self._log_y):
            button.setCheckable(True)
            button.toggled.connect(self._axes)
        for control in (self._units, self._floor_menu, self._xs, self._smooth, self._log_x, self._log_y):
            self.add_control(control)
        self.add_control(ExportButton(self.chart))
        self._gauges = Button(
            tr("layers"), hint=tr("What happens in each layer: updates, activations, time (Ctrl+Shift+L)")
        )
        self._gauges.clicked.connect(self.gauges_requested)
        self.add_control(self._gauges)
        self._model = Button(tr("model"), hint=tr("Drawing of the model (Ctrl+M)"))
        self._model.clicked.connect(self.model_requested)
        self.add_control(self._model)

    # --------------------------------------------------------------------------------------------------------- choices

    @property
    def unit(self) -> str:
        """The unit of the losses, here and in the list of runs."""
        return self._registry.loss_unit

    def state_dict(self) -> dict[str, Any]:
        """Return unit, x axis, smoothing and scales."""
        logs = {"log_x": self._log_x.isChecked(), "log_y": self._log_y.isChecked()}
        return {"unit": self.unit, "by": self.by, "smoothing": self._smooth.value, **logs}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; unknown values are left out."""
        for menu, name, take in (
            (self._units, "unit", self._take_unit),
            (self._xs, "by", self._take_x),
            (self._smooth, "smoothing", self._take_smoothing),
        ):
            value = str(state.get(name, ""))
            if menu.offers(value):
                menu.show_value(value)
                take(value)
        for button, name in ((self._log_x, "log_x"), (self._log_y, "log_y")):
            button.setChecked(state.get(name) is True)

    def _take_unit(self, unit: str) -> None:
        self._registry.show_losses_in(unit)
        self._axes()

    def _compare_by_bytes(self) -> None:
        self._units.pick(BYTES)

    def _take_x(self, by: str) -> None:
        self.by = unit_named(by)
        self.x_axis_changed.emit(by)
        self._axes()

    def _take_smoothing(self, share: str) -> None:
        self.smoothing = float(share)
        self.changed()

    def _axes(self) -> None:
        x_log, y_log = self._log_x.isChecked(), self._log_y.isChecked()
        self._axis_title = self._title_of_losses()
        self.chart.set_axes(axis_name(self.by), self._axis_title, x_log=x_log, y_log=y_log, x_kind=axis_kind(self.by))
        self.change_at_once()

    def _title_of_losses(self) -> str:
        """Return the title of the axis, which names the unit of the shown losses if it is the same for all."""
        names = {unit_name(run) for run in self._registry.shown}
        return tr("loss ({unit})", unit=names.pop()) if self.unit == NATS and len(names) == 1 else units()[self.unit][1]

    # --------------------------------------------------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Draw the losses that the shown runs have recorded so far."""
        runs = self._registry.shown
        lines = [line for run in runs for line in self._lines(run, len(runs))]
        drawn = {line.key for line in lines}
        self._converted = {key: made for key, made in self._converted.items() if key in drawn}
        if not any(len(line.x) for line in lines):
            self._show_nothing()
            return
        if self._axis_title != self._title_of_losses():
            self._axes()
        self.show_content()
        described = _described(self._registry.selected or runs[-1], runs)
        self.chart.set_floors(self._floors(described))
        self.chart.set_ceiling(self._ceiling([described, *runs]))
        compared = self._compared(described)
        self.chart.include_values(*([] if compared is None else [self._one(described.floors[compared], described)]))
        self.chart.set_flags(self._flags(described))
        self.chart.set_lines(with_positions(lines, axis_kind(self.by)))
        self.chart.caption = runs[0].name if len(runs) == 1 else ""
        by_bytes, mixed = self.unit == BYTES, _cut_differently(runs)
        self.comparison.show_runs(runs, self._registry.selected, by_bytes=by_bytes, mixed=mixed)
        self._show_number(self._registry.selected or described)
        self.chart.draw()

    def _check_list(self) -> None:
        """Redraw if the first run was listed or the last one removed, which changes the message of the empty card."""
        if bool(self._registry.runs) != self._has_runs:
            self._has_runs = not self._has_runs
            self.changed()

    def _show_nothing(self) -> None:
        selected = self._registry.selected
        if selected is not None and self.unit == KL and self._unknown(selected) and selected.curves.names():
            self.show_empty(tr("The entropy of the source of {run} is unknown.", run=selected.name))
        elif selected is not None and self._unknown(selected) and self.unit != BYTES and selected.curves.names():
            self.show_empty(
                tr("The loss of {run} is in another unit: {unit}.", run=selected.name, unit=unit_name(selected))
            )
        elif selected is not None and self._unknown(selected) and selected.curves.names():
            self.show_empty(tr("The bytes per token of {run} are unknown.", run=selected.name))
        elif selected is not None and not has_axis(selected, self.by) and selected.curves.names():
            self.show_empty(why_no_axis(selected, self.by))
        elif selected is not None and waiting_label(selected):
            state = waiting_label(selected)
            self.show_empty(tr("{run}: {state}. Its curve starts with the first step.", run=selected.name, state=state))
        elif selected is not None and selected.works:
            self.show_empty(tr("{run} is being prepared; its curve starts with the first step.", run=selected.name))
        elif selected is not None and self._registry.is_reading(selected):
            self.show_reading(selected)
        elif selected is not None:
            self.show_empty(tr("{run} recorded no loss.", run=selected.name))
        else:
            message = (
                tr("Select a run on the left to see its loss, or start a new one.")
                if self._has_runs
                else tr("The loss of a run is drawn here, step by step. Start a run to see it.")
            )
            self.show_empty(message, tr("Start"), self._start)

    def _lines(self, run: RunModel, count: int) -> list[Line]:
        colour, curves, lines = run_colour(run), run.curves, []
        names = [] if self._unknown(run) or not has_axis(run, self.by) else curves.names()
        if "train loss" in names:
            x = curves.x("train loss", self.by)
            alone = "" if "validation loss" in names else run.name
            smooth, name = self.smoothing > 0, tr("train") if count == 1 else alone
            if smooth and count <= RAW_OF:
                raw = self._values(f"{run.key}/raw", curves.values("train loss"), run)
                description = f"{run.name} · {tr('training loss')}"
                lines.append(Line(f"{run.key}/raw", "", colour, x, raw, "faint", run_dashes(run), description))
            nats = curves.smoothed("train loss", self.smoothing) if smooth else curves.values("train loss")
            y = self._values(f"{run.key}/train", nats, run)
            share = number_text(self.smoothing, "g")
            description = tr("training loss, smoothed by {share}", share=share) if smooth else tr("training loss")
            description = f"{run.name} · {description}"
            instead = "" if name else f"{run.key}/validation" + (WHOLE if run.part_tokens else "")
            lines.append(
                Line(
                    f"{run.key}/train", name, colour, x, y, "thin", run_dashes(run), description,
                    stands_in_for=instead,
                )
            )  # fmt: skip
        if "validation loss" in names:
            x = curves.x("validation loss", self.by)
            y = self._values(f"{run.key}/validation", curves.values("validation loss"), run)
            name = tr("validation") if count == 1 else run.name
            lines += validation_lines(run, x, y, name)
        return lines

    def _row_label(self, key: str, x: float) -> str:
        """Return what the last validation loss was measured on, besides the position in other units."""
        note = super()._row_label(key, x)
        if not key.endswith(WHOLE):
            return note
        run = next(run for run in self._registry.shown if key.startswith(f"{run.key}/"))
        whole = tr("all of the validation text, the others on {n} tokens", n=number_text(run.part_tokens or 0))
        return " · ".join(filter(None, (whole, note)))

    def _unknown(self, run: RunModel) -> bool:
        """Return True if the loss of a run cannot be converted to the unit."""
        return not is_known(run, self.unit)

    def _values(self, line: str, nats: Values, run: RunModel) -> Values:
        """Return the values of a line in the unit; equal nats give the same array, so the chart need not redraw."""
        unit = (self.unit, run.bits_per_byte_factor if self.unit == BYTES else run.floors.get(ENTROPY_RATE))
        made = self._converted.get(line)
        if made is None or made[0] is not nats or made[1] != unit:
            made = self._converted[line] = (nats, unit, convert(nats, run, self.unit))
        return made[2]

    def _one(self, nats: float, run: RunModel) -> float:
        return convert_one(nats, run, self.unit)

    def _floors(self, run: RunModel) -> list[Floor]:
        searching = run.searches_floors
        by_height = sorted(run.floors, key=lambda name: -run.floors[name])
        self._floor_menu.offer(by_height, self.unit, searching=searching)
        return [
            Floor(
                floor_name(name, self.unit, searching=searching),
                self._one(run.floors[name], run),
                floor_description(name),
            )
            for name in by_weight(run.floors)
            if self._floor_menu.shows(name) and not self._unknown(run)
        ]

    def _ceiling(self, runs: Sequence[RunModel]) -> float | None:
        """Return a loss a little above blind guessing, with which training usually starts; None if none is known."""
        known = (run for run in runs if "uniform" in run.floors and not self._unknown(run))
        run = next(known, None)
        return None if run is None else self._one(GUESSING * run.floors["uniform"], run)

    def _compared(self, run: RunModel) -> str | None:
        """Return the floor to compare a run's loss with; for KL not the entropy, which is subtracted already."""
        named = filter(self._floor_menu.shows, run.floors)
        return None if self._unknown(run) else compared_with(named, run.floors, entropy=self.unit != KL)

    def _flags(self, run: RunModel) -> list[Flag]:
        flags = [flag_of(event) for event in run.events]
        if self.marked_step is not None and run is self._registry.selected:
            flags.append(Flag(self.marked_step, tr("snapshot")))
        if self.by == "steps" or not flags:
            return flags
        if not has_axis(run, self.by):
            return []
        series = "train loss" if "train loss" in run.curves.names() else "validation loss"
        steps, x = run.curves.steps(series), run.curves.x(series, self.by)
        return [Flag(float(np.interp(flag.x, steps, x)), flag.label) for flag in flags]

    def _show_number(self, run: RunModel) -> None:
        loss, which = run.loss, tr("validation") if run.is_validated else tr("train")
        if not run.is_validated and run.series.last("train loss") is not None and self.smoothing > 0:
            loss = float(run.curves.smoothed("train loss", self.smoothing)[-1])  # as at the end of the line
            which = tr("train, smoothed by {share}", share=number_text(self.smoothing, "g"))
        prediction = prediction_of(run)
        waits = _awaits_loss(run)
        self._number.setVisible(not waits)
        in_nats = run.loss_unit.startswith("nats")
        self._show_sentence(_waiting_sentence(run) if waits else loss_sentence(loss if in_nats else None, prediction))
        self._units.set_hints({unit: unit_description(unit, prediction.targets) for unit in units()})
        self._number.setToolTip(wrapped_tip(unit_description(self.unit, prediction.targets)))
        if waits:
            self._caption.set_full_text("")
            return
        if loss is None or self._unknown(run):
            self._number.setText(loss_text(math.nan))
            self._caption.set_full_text(self._reason_without_number(run))
            return
        value = self._one(loss, run)
        shown, unit = loss_text(value), short_unit_name(run) if self.unit == NATS else units()[self.unit][0]
        is_perplexity = self.unit == PERPLEXITY  # it has no unit
        self._number.setText(tr("perplexity {value}", value=shown) if is_perplexity else f"{shown} {unit}")
        protocol = run.protocol if run.is_validated else None
        notes = [which if protocol is None else f"{which}, {protocol_phrase(protocol)}"]
        if run.is_validated and run.reads_all_validation:
            notes.append(tr("on all of the validation text"))
        name = self._compared(run)
        if math.isinf(value):
            notes.insert(0, _why_infinite(run))
        elif name is not None:
            gap = value - self._one(run.floors[name], run)
            floor = floor_name(name, self.unit, searching=run.searches_floors)
            if name == ENTROPY_RATE:
                is_kl = gap >= 0 and self.unit != PERPLEXITY
                floor = tr("the entropy of the source (KL)") if is_kl else tr("the entropy of the source")
            above = tr("{gap} above {floor}", gap=loss_text(gap), floor=floor)
            below = tr("{gap} below {floor}", gap=loss_text(-gap), floor=floor)
            notes.insert(0, above if gap >= 0 else below)
            errors = run.standard_errors_below_entropy if name == ENTROPY_RATE else None
            if errors is not None:
                count = number_text(errors, ".1f")
                notes.insert(1, tr("{count} standard errors lower than any model comes on average", count=count))
        if run.reads_later:
            notes.insert(0, tr("the model sees the tokens it predicts"))
        self._caption.set_full_text("  ·  ".join(notes))

    def _show_sentence(self, sentence: str) -> None:
        """Show the loss in words, which do not depend on the unit, and tell screen readers them with the number."""
        if sentence != self._sentence.text():
            self._sentence.setText(sentence)
            self._sentence.setVisible(bool(sentence))
            self._number.setAccessibleDescription(sentence)

    def _reason_without_number(self, run: RunModel) -> str:
        """Return a text that explains why a run has no number."""
        if _has_losses(run):
            if self._unknown(run):
                bytes_missing = tr("the bytes per token of {run} are unknown", run=run.name)
                if self.unit in (PERPLEXITY, BITS):
                    return tr("the loss of {run} is in another unit: {unit}", run=run.name, unit=unit_name(run))
                return bytes_missing if self.unit == BYTES else tr("the entropy of its source is unknown")
            return tr("the loss of {run} is not a number", run=run.name)
        return tr("{run} has no loss", run=run.name)


def _described(selected: RunModel, drawn: Sequence[RunModel]) -> RunModel:
    """Return the run whose floors are drawn: the selected one, or the last one drawn while that has no loss yet."""
    if selected.loss is not None or not selected.works:
        return selected
    return next((run for run in reversed(drawn) if run.loss is not None), selected)


def _has_losses(run: RunModel) -> bool:
    return any(len(run.curves.values(name)) for name in ("train loss", "validation loss"))


def _awaits_loss(run: RunModel) -> bool:
    """Return True if a run will record its first loss; the numbers of others would be taken for its own."""
    return run.works and run.loss is None and not _has_losses(run)


def _waiting_sentence(run: RunModel) -> str:
    if run.state == RunState.QUEUED:
        return tr("{run} is queued: its loss appears here once it trains", run=run.name)
    return tr("{run} is being prepared: its loss appears here with the first step", run=run.name)


def _why_infinite(run: RunModel) -> str:
    if run.counts and run.is_validated:
        return tr("an n-gram of the validation text was never counted")
    if run.counts:
        return tr("an n-gram of the training text was never counted")
    if run.is_validated:
        return tr("a token of the validation text has probability 0")
    return tr("a token of the training text has probability 0")


def _cut_differently(runs: Sequence[RunModel]) -> bool:
    """Return True if the bytes per token differ between runs that train on text."""
    factors = [factor for run in runs if (factor := run.bits_per_byte_factor) is not None]
    return bool(factors) and max(factors) > 1.01 * min(factors)
