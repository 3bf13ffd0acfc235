"""Length generalisation: the loss of the shown runs on examples or windows longer than those they learned from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.host import Plugins
from lab.runs import RunFolder
from lab.shell.inspect.inspection_view import LENGTHS, title_of_card
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.charts.chart import Chart, Flag, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label, plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE, px, themes
from lab.widgets.figures.view import ExportButton
from lab.workbench import SavedRun
from lab.workbench.analysis.lengths import LengthPoint, over_lengths

if TYPE_CHECKING:
    from lab.base.jobs import Job

CHECK = 500
"""Milliseconds between two checks for a run to measure, while the card is visible."""
NOTES = 2
"""Notes below the chart on why the line of a run ends or is missing; all others are in the tool tip."""
GAP = 4
"""Pixels between the chart and the notes below it."""
HEIGHT = 198
"""The least height in pixels: the chart, a line of notes, and a title and a caption in two lines each."""
HEADROOM = 112
"""The top of an axis in percent, so that the label of the trained length stands above the lines."""


@dataclass(frozen=True)
class Measured:
    """The result of measuring a run.

    Args:
        step: The step of the checkpoint; 0 where there is none.
        points: The losses by length.
        problem: Why there are none.
        settled: True if the run was over, so that no newer checkpoint comes.
    """

    step: int
    points: tuple[LengthPoint, ...] = ()
    problem: Problem | None = None
    settled: bool = True

    @property
    def trained(self) -> int:
        """The length of the longest examples in the training."""
        return max((point.length for point in self.points if point.trained), default=0)


class Lengths(QObject):
    """Measures the last checkpoints of the shown runs at other lengths, one run at a time.

    Args:
        registry: The runs.
        background: Measures off the main thread.
        plugins: Where cards are found.
        parent: Its parent.
    """

    changed = Signal()
    """A run was measured, another one is being measured, or other runs are shown."""

    def __init__(
        self,
        registry: RunRegistry,
        background: Background,
        plugins: Plugins,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._registry, self._background, self._plugins = registry, background, plugins
        self._known: WeakKeyDictionary[RunModel, Measured] = WeakKeyDictionary()
        self._measurement: _Measurement | None = None
        registry.selection_changed.connect(self.changed)

    @property
    def shown(self) -> list[RunModel]:
        """The shown runs whose lengths mean the same as those of the last one, which is the selected run."""
        runs = [run for run in self._registry.shown if self.has(run)]
        return [run for run in runs if run.on_examples == runs[-1].on_examples]

    def has(self, run: RunModel | None) -> bool:
        """Return False if a run is known to learn from examples that have no length."""
        if run is None:
            return False
        known = self._known.get(run)
        return known is None or known.problem is None or known.problem.field != "corpus.name"

    def of(self, run: RunModel) -> Measured | None:
        """Return the result of a run; None before it was measured."""
        return self._known.get(run)

    def share(self, run: RunModel) -> float | None:
        """Return the progress of measuring a run, 0 to 1; None while it is not measured."""
        now = self._measurement
        return now.share if now is not None and now.run is run else None

    def measure_next(self) -> None:
        """Measure the first shown run that has a checkpoint which was not measured."""
        if self._measurement is not None:
            return
        for run in reversed(self.shown):
            step = self._newer(run)
            if step is not None:
                self._measure(run, step)
                return

    def _newer(self, run: RunModel) -> int | None:
        """Return the step of a checkpoint that was not measured; None where there is none."""
        known, path, at_work = self._known.get(run), run.path, run.works or run.elsewhere
        if path is None or (known is not None and known.settled and not at_work):
            return None
        steps = [] if run.source.folder is None else run.source.folder.checkpoint_steps()
        step = steps[-1] if steps else 0
        if step and (known is None or known.step != step):
            return step
        if known is None or known.settled == at_work:  # it trains again, or ended without a newer one
            points, problem = ((), None) if known is None else (known.points, known.problem)
            self._known[run] = Measured(step, points, problem, settled=not at_work)
            self.changed.emit()
        return None

    def _measure(self, run: RunModel, step: int) -> None:
        folder = run.source.folder
        assert folder is not None  # it has a checkpoint
        measurement = self._measurement = _Measurement(run, folder, step, self._plugins)
        title = tr("Measuring {run} at other lengths", run=run.name)
        self._background.run(title, measurement.work, partial(self._take, run), partial(self._fail, measurement))
        self.changed.emit()

    def _take(self, run: RunModel, found: Measured) -> None:
        self._measurement, self._known[run] = None, found
        self.changed.emit()
        self.measure_next()

    def _fail(self, measurement: _Measurement, problem: Problem) -> None:
        self._take(measurement.run, measurement.failed(problem))


class _Measurement:
    """One run while it is measured; the thread that measures it writes the progress here."""

    def __init__(self, run: RunModel, folder: RunFolder, step: int, plugins: Plugins) -> None:
        self.run, self.share = run, 0.0
        self._folder, self._step, self._plugins = folder, step, plugins
        self._settled = not (run.works or run.elsewhere)

    def work(self, job: Job) -> Measured:
        """Measure the run; in a thread."""
        saved = SavedRun(self._folder, self._plugins)
        points = over_lengths(saved, progress=self._progress, cancelled=lambda: job.cancelled)
        return Measured(self._step, tuple(points), settled=self._settled)

    def failed(self, problem: Problem) -> Measured:
        """Return the result where the run cannot be measured."""
        return Measured(self._step, problem=problem, settled=self._settled)

    def _progress(self, share: float) -> None:
        self.share = share


class LengthsCard(Card):
    """Accuracy over the length of the example, or loss over that of the window, one line per shown run.

    Args:
        lengths: Measures the runs.
    """

    def __init__(self, lengths: Lengths) -> None:
        super().__init__(title_of_card(LENGTHS))
        self._lengths = lengths
        self._quantity = "accuracy"
        self.menu_button = MenuButton(tr("quantity"), list(_quantities().items()), self._select)
        self.add_control(self.menu_button)
        self.chart = Chart()
        self.chart.set_position_format(_position)
        self.add_control(ExportButton(self.chart))
        self._label = label("", "note")
        self._label.setWordWrap(True)
        self._label.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._notes: list[str] = []  # on what the chart shows, then on what it lacks
        self._content = QWidget()
        rows = QVBoxLayout(self._content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(GAP)
        rows.addWidget(self.chart, 1)
        rows.addWidget(self._label)
        self.set_content(self._content, margin=0)
        follow_type(self, lambda card: card.setMinimumHeight(px(HEIGHT)))
        self._timer = QTimer(self)
        self._timer.setInterval(CHECK)
        self._timer.timeout.connect(self._check)
        lengths.changed.connect(self.draw)
        themes.changed.connect(self.draw)
        self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the shown runs while the card is visible.

        Not at once: what is found moves cards from row to row, and Qt is in a list of the widgets of this one.
        """
        super().showEvent(event)
        self._timer.start()
        QTimer.singleShot(0, self, self._check)

    def hideEvent(self, event: QHideEvent) -> None:
        """Measure nothing more."""
        super().hideEvent(event)
        self._timer.stop()

    def _check(self) -> None:
        if self.isVisible():
            self._lengths.measure_next()
            self._show_progress()

    def _select(self, quantity: str) -> None:
        self._quantity = quantity
        self.draw()

    def draw(self) -> None:
        """Draw the results of the shown runs."""
        views = self._lengths.shown
        found = {run: known for run in views if (known := self._lengths.of(run)) is not None and known.points}
        selected = views[-1] if views else None
        self._show_progress()
        if not found or selected is None:
            self.show_empty(
                tr("The loss of a model at other lengths.") if selected is None else self._why_none(selected)
            )
            return
        self.show_content()
        examples = selected.on_examples
        self.menu_button.setVisible(examples)
        share = self._shown != "loss"
        axis = tr("loss (nats per token)") if not share else tr("{what} (%)", what=_quantities()[self._shown])
        self.chart.set_axes(tr("length of the example") if examples else tr("tokens of the window"), axis)
        self.chart.include_values(*((0, HEADROOM) if share else (0,)))
        self.chart.set_lines([self._line(run, known, len(found)) for run, known in found.items()])
        self.chart.set_flags(_flags(found))
        self.chart.caption = selected.name if len(found) == 1 else ""
        self.chart.draw()
        self._notes = [_explanation(self._shown, examples), *_too_long(found), *self._missing(views, found)]
        self._fit_notes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the notes below the chart into its height."""
        super().resizeEvent(event)
        self._fit_notes()

    def _fit_notes(self) -> None:
        """Show as many notes below the chart as fit: all, those on what it lacks, or the start of the first."""
        if not self._notes:
            return
        explanation, *notes = self._notes
        some = notes[:NOTES]
        some += [tr("… and {n} more", n=len(notes) - NOTES)] if len(notes) > NOTES else []
        width = self._content.width()
        first = (notes or [explanation])[0]
        first = self._label.fontMetrics().elidedText(first, Qt.TextElideMode.ElideRight, width - 2 * INSIDE)
        room = self._content.height() - self.chart.minimumHeight() - GAP
        for lines in ([explanation, *some], some or [first], [first]):
            self._label.setText("\n".join(lines))
            if self._label.heightForWidth(width) <= room:
                break
        self._label.setToolTip("" if lines == self._notes else plain_tip("\n".join(self._notes)))

    @property
    def _shown(self) -> str:
        """The quantity that is shown: for windows of a text always the loss."""
        views = self._lengths.shown
        return self._quantity if not views or views[-1].on_examples else "loss"

    def _show_progress(self) -> None:
        """Show in the title the checkpoint of the selected run's line, and the progress of the next one."""
        run = next(reversed(self._lengths.shown), None)
        known = None if run is None else self._lengths.of(run)
        parts = [tr("step {step}", step=number_text(known.step))] if known is not None and known.points else []
        share = None if run is None else self._lengths.share(run)
        parts += [] if share is None else [tr("measuring, {share} %", share=number_text(100 * share, ".0f"))]
        self.set_title(self.title, " · ".join(parts))

    def _line(self, run: RunModel, known: Measured, count: int) -> Line:
        values = [getattr(point, self._shown) for point in known.points]
        y = np.array([math.nan if value is None else value for value in values], float)
        share = self._shown != "loss"
        last = next((value for value in reversed(values) if value is not None), None)
        name = run.name if count > 1 else _quantities()[self._shown]
        if not known.settled and count > 1:  # alone, its step stands in the title
            name = tr("{run}, step {step}", run=run.name, step=number_text(known.step))
        return Line(
            f"{run.key}/lengths",
            name,
            run_colour(run),
            np.array([point.length for point in known.points], float),
            100 * y if share else y,
            "main",
            run_dashes(run),
            f"{run.name} · {_quantities()[self._shown]}",
            value_text=""
            if last is None
            else f"{number_text(100 * last, '.1f')} %"
            if share
            else number_text(last, ".3f"),
        )

    def _missing(self, runs: list[RunModel], found: dict[RunModel, Measured]) -> list[str]:
        return [self._why_none(run) for run in runs if run not in found]

    def _why_none(self, run: RunModel) -> str:
        """Return why a run has no line."""
        known = self._lengths.of(run)
        if known is not None and known.problem is not None:
            return tr("{run} cannot be measured: {why}", run=run.name, why=problem_line(known.problem))
        if known is not None and not known.step:
            if run.works or run.elsewhere:
                return tr(
                    "{run} is measured once it has a checkpoint: at its end, or after Save checkpoint.", run=run.name
                )
            return tr("{run} has no checkpoint to measure.", run=run.name)
        return tr("{run} is measured at up to four times its trained length …", run=run.name)


def _quantities() -> dict[str, str]:
    """Return the quantities over the length, by their names in a LengthPoint."""
    return {
        "accuracy": tr("accuracy"),
        "faultless": tr("faultless examples"),
        "loss": tr("loss"),
    }


def _explanation(quantity: str, examples: bool) -> str:
    """Return what the chart shows, in one sentence."""
    if not examples:
        return tr(
            "Loss per token of the last checkpoint on the validation text, read in windows of this length. Longer "
            "windows give more context, but at positions that were never trained."
        )
    match quantity:
        case "accuracy":
            return tr(
                "Share of scored symbols that are predicted correctly, on validation examples of one length each. A "
                "rule holds beyond the trained lengths; memorised examples do not."
            )
        case "faultless":
            return tr(
                "Share of validation examples of one length without an error. One wrong symbol spoils an example, so "
                "longer ones are harder."
            )
    return tr("Loss per scored symbol of the last checkpoint on validation examples of one length each.")


def _flags(found: dict[RunModel, Measured]) -> list[Flag]:
    """Return marks of the longest trained length of each run."""
    ends: dict[int, list[str]] = {}
    for run, known in found.items():
        ends.setdefault(known.trained, []).append(run.name)
    if len(ends) == 1:
        return [Flag(end, tr("trained up to {n}", n=end)) for end in ends]
    return [Flag(end, tr("up to {n}: {run}", run=", ".join(names), n=end)) for end, names in sorted(ends.items())]


def _too_long(found: dict[RunModel, Measured]) -> list[str]:
    """Return a note on each run that cannot read the longest examples."""
    notes = []
    for run, known in found.items():
        cut = next((point for point in known.points if point.loss is None), None)
        if cut is not None:
            notes.append(
                tr(
                    "{run} cannot read examples of length {n} and more: they have {tokens} tokens, its context holds "
                    "{context}.",
                    run=run.name,
                    n=cut.length,
                    tokens=cut.tokens,
                    context=run.recipe.training.context_length,
                )
            )
    return notes


def _position(x: float) -> str:
    """Return the label of a position on the axis of lengths."""
    return tr("length {n}", n=number_text(x, ".0f"))
