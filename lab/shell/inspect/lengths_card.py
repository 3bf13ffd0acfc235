"""Length generalisation: how the shown runs do on longer examples or windows than they learned from."""

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
from lab.shell.inspect.reading_card import Key
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.charts.chart import Chart, Flag, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label, plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, themes
from lab.widgets.figures.view import ExportButton
from lab.workbench import SavedRun
from lab.workbench.analysis.lengths import LengthPoint, over_lengths

if TYPE_CHECKING:
    from lab.base.jobs import Job

LENGTHS: Key = (tr("Length generalisation"), ("length",))
"""What stands for this card among the readings."""
LOOK = 500
"""Milliseconds between two looks for a run that is to be measured, while somebody sees the card."""
NOTES = 2
"""Runs of which it is told beneath the chart why their line ends or is missing; all others are in the tool tip."""
GAP = 4
"""Pixels between the chart and the words beneath it."""
HEADROOM = 112
"""Up to where an axis of a share goes, so that the words of the trained length stand above the lines."""


@dataclass(frozen=True)
class Measured:
    """What was found of a run.

    Args:
        step: Of the checkpoint; 0 where there is none.
        points: By length.
        problem: Why there are none.
        settled: Whether the run was over, so that no newer checkpoint comes.
    """

    step: int
    points: tuple[LengthPoint, ...] = ()
    problem: Problem | None = None
    settled: bool = True

    @property
    def trained(self) -> int:
        """The longest examples that were trained on."""
        return max((point.length for point in self.points if point.trained), default=0)


class Lengths(QObject):
    """Measures the shown runs on examples, one at a time, from their last checkpoints.

    Args:
        book: The runs.
        background: Brings the measuring off the main thread.
        plugins: Where cards are found.
        parent: Its parent.
    """

    came = Signal()
    """More is known, another run is being measured, or other runs are shown."""

    def __init__(
        self,
        book: RunRegistry,
        background: Background,
        plugins: Plugins,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._book, self._background, self._plugins = book, background, plugins
        self._known: WeakKeyDictionary[RunModel, Measured] = WeakKeyDictionary()
        self._measuring: _Measuring | None = None
        book.chosen.connect(self.came)

    @property
    def shown(self) -> list[RunModel]:
        """The shown runs whose lengths mean the same as those of the last, the selected one, as far as is known."""
        views = [view for view in self._book.shown if self.has(view)]
        return [view for view in views if view.on_examples == views[-1].on_examples]

    def has(self, view: RunModel | None) -> bool:
        """Whether a run learns from a text, or from examples that have a length, as far as is known."""
        if view is None:
            return False
        known = self._known.get(view)
        return known is None or known.problem is None or known.problem.field != "corpus.name"

    def of(self, view: RunModel) -> Measured | None:
        """What is known of a run."""
        return self._known.get(view)

    def share(self, view: RunModel) -> float | None:
        """How far the measuring of a run is, 0 to 1; None where it is not under way."""
        now = self._measuring
        return now.share if now is not None and now.view is view else None

    def look(self) -> None:
        """Begins to measure the first shown run of which there is a checkpoint that was not."""
        if self._measuring is not None:
            return
        for view in reversed(self.shown):
            step = self._newer(view)
            if step is not None:
                self._measure(view, step)
                return

    def _newer(self, view: RunModel) -> int | None:
        """The step of a checkpoint that was not measured; None where there is none."""
        known, path, at_work = self._known.get(view), view.path, view.works or view.elsewhere
        if path is None or (known is not None and known.settled and not at_work):
            return None
        steps = [] if view.run.folder is None else view.run.folder.checkpoint_steps()
        step = steps[-1] if steps else 0
        if step and (known is None or known.step != step):
            return step
        if known is None or known.settled == at_work:  # it began to train again, or ended with nothing newer
            points, problem = ((), None) if known is None else (known.points, known.problem)
            self._known[view] = Measured(step, points, problem, settled=not at_work)
            self.came.emit()
        return None

    def _measure(self, view: RunModel, step: int) -> None:
        folder = view.run.folder
        assert folder is not None  # it has a checkpoint
        measuring = self._measuring = _Measuring(view, folder, step, self._plugins)
        title = tr("Measuring {run} at other lengths", run=view.name)
        self._background.run(title, measuring.work, partial(self._take, view), partial(self._refuse, measuring))
        self.came.emit()

    def _take(self, view: RunModel, found: Measured) -> None:
        self._measuring, self._known[view] = None, found
        self.came.emit()
        self.look()

    def _refuse(self, measuring: _Measuring, problem: Problem) -> None:
        self._take(measuring.view, measuring.without(problem))


class _Measuring:
    """One run being measured."""

    def __init__(self, view: RunModel, folder: RunFolder, step: int, plugins: Plugins) -> None:
        self.view, self.share = view, 0.0
        self._folder, self._step, self._plugins = folder, step, plugins
        self._settled = not (view.works or view.elsewhere)

    def work(self, job: Job) -> Measured:
        """Measures; in a thread of its own."""
        saved = SavedRun(self._folder, self._plugins)
        points = over_lengths(saved, progress=self._progress, cancelled=lambda: job.cancelled)
        return Measured(self._step, tuple(points), settled=self._settled)

    def without(self, problem: Problem) -> Measured:
        """What is known of it where nothing was found."""
        return Measured(self._step, problem=problem, settled=self._settled)

    def _progress(self, share: float) -> None:
        self.share = share


class LengthsCard(Card):
    """Accuracy over the length of the example, or loss over that of the window, one line per shown run.

    Args:
        lengths: What is measured.
    """

    def __init__(self, lengths: Lengths) -> None:
        super().__init__(LENGTHS[0])
        self._lengths = lengths
        self._quantity = "accuracy"
        self._menu = MenuButton(tr("quantity"), list(_quantities().items()), self._take)
        self.add_control(self._menu)
        self.chart = Chart()
        self.chart.set_position_format(_place)
        self.add_control(ExportButton(self.chart))
        self._words = label("", "note")
        self._words.setWordWrap(True)
        self._words.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._notes: list[str] = []  # what the chart shows, and what it lacks
        self._content = QWidget()
        rows = QVBoxLayout(self._content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(GAP)
        rows.addWidget(self.chart, 1)
        rows.addWidget(self._words)
        self.set_content(self._content, margin=0)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._look)
        lengths.came.connect(self.draw)
        themes.changed.connect(self.draw)
        self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Has the shown runs measured while somebody looks."""
        super().showEvent(event)
        self._timer.start()
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Has nothing more measured."""
        super().hideEvent(event)
        self._timer.stop()

    def _look(self) -> None:
        self._lengths.look()
        self._say()

    def _take(self, quantity: str) -> None:
        self._quantity = quantity
        self.draw()

    def draw(self) -> None:
        """Draws what is known of the shown runs."""
        views = self._lengths.shown
        found = {view: known for view in views if (known := self._lengths.of(view)) is not None and known.points}
        selected = views[-1] if views else None
        self._say()
        if not found or selected is None:
            self.show_empty(tr("How a model does at other lengths.") if selected is None else self._lack(selected))
            return
        self.show_content()
        examples = selected.on_examples
        self._menu.setVisible(examples)
        share = self._shown != "loss"
        axis = tr("loss (nats per token)") if not share else tr("{what} (%)", what=_quantities()[self._shown])
        self.chart.set_axes(tr("length of the example") if examples else tr("tokens of the window"), axis)
        self.chart.include_values(*((0, HEADROOM) if share else (0,)))
        self.chart.set_lines([self._line(view, known, len(found)) for view, known in found.items()])
        self.chart.set_flags(_flags(found))
        self.chart.caption = selected.name if len(found) == 1 else ""
        self.chart.draw()
        self._notes = [_explained(self._shown, examples), *_unread(found), *self._lacks(views, found)]
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is other room for the words beneath the chart."""
        super().resizeEvent(event)
        self._write()

    def _write(self) -> None:
        """Says beneath the chart what has room there: what it shows and lacks, what it lacks, or how that begins."""
        if not self._notes:
            return
        explained, *notes = self._notes
        told = notes[:NOTES]
        told += [tr("… and {n} more", n=len(notes) - NOTES)] if len(notes) > NOTES else []
        width = self._content.width()
        first = (notes or [explained])[0]
        first = self._words.fontMetrics().elidedText(first, Qt.TextElideMode.ElideRight, width - 2 * INSIDE)
        room = self._content.height() - self.chart.minimumHeight() - GAP
        for lines in ([explained, *told], told or [first], [first]):
            self._words.setText("\n".join(lines))
            if self._words.heightForWidth(width) <= room:
                break
        self._words.setToolTip("" if lines == self._notes else plain_tip("\n".join(self._notes)))

    @property
    def _shown(self) -> str:
        """The quantity that is shown: of windows of a text there is none but the loss."""
        views = self._lengths.shown
        return self._quantity if not views or views[-1].on_examples else "loss"

    def _say(self) -> None:
        """Says beside the title of which checkpoint the line of the selected run is, or how far the next one is."""
        view = next(reversed(self._lengths.shown), None)
        known = None if view is None else self._lengths.of(view)
        parts = [tr("step {step}", step=f"{known.step:,}")] if known is not None and known.points else []
        share = None if view is None else self._lengths.share(view)
        parts += [] if share is None else [tr("measuring, {share} %", share=f"{100 * share:.0f}")]
        self.set_title(self.title, " · ".join(parts))

    def _line(self, view: RunModel, known: Measured, count: int) -> Line:
        values = [getattr(point, self._shown) for point in known.points]
        y = np.array([math.nan if value is None else value for value in values], float)
        share = self._shown != "loss"
        last = next((value for value in reversed(values) if value is not None), None)
        name = view.name if count > 1 else _quantities()[self._shown]
        if not known.settled and count > 1:  # alone, its step stands beside the title
            name = tr("{run}, step {step}", run=view.name, step=f"{known.step:,}")
        return Line(
            f"{view.key}/lengths",
            name,
            run_colour(view),
            np.array([point.length for point in known.points], float),
            100 * y if share else y,
            "main",
            run_dashes(view),
            f"{view.name} · {_quantities()[self._shown]}",
            value_text="" if last is None else f"{100 * last:.1f} %" if share else f"{last:.3f}",
        )

    def _lacks(self, views: list[RunModel], found: dict[RunModel, Measured]) -> list[str]:
        return [self._lack(view) for view in views if view not in found]

    def _lack(self, view: RunModel) -> str:
        """Why there is no line of a run."""
        known = self._lengths.of(view)
        if known is not None and known.problem is not None:
            return tr("{run} cannot be measured: {why}", run=view.name, why=known.problem.line())
        if known is not None and not known.step:
            if view.works or view.elsewhere:
                return tr("{run} is measured once it has a checkpoint: at its end, or by Save now.", run=view.name)
            return tr("{run} has no checkpoint that could be measured.", run=view.name)
        return tr("{run} reads up to four times as far as it learned to …", run=view.name)


def _quantities() -> dict[str, str]:
    """What can be shown over the length, by its name in a LengthPoint."""
    return {
        "accuracy": tr("accuracy"),
        "faultless": tr("faultless examples"),
        "loss": tr("loss"),
    }


def _explained(quantity: str, examples: bool) -> str:
    """What the chart shows, in one sentence."""
    if not examples:
        return tr(
            "Loss per token of the last checkpoint where the validation text is read in windows of this length: longer "
            "ones give more to read, and positions that were never trained."
        )
    match quantity:
        case "accuracy":
            return tr(
                "Share of scored symbols that are guessed right, on validation examples of one length each: a rule "
                "holds beyond the trained lengths, what was learned by heart does not."
            )
        case "faultless":
            return tr(
                "Share of validation examples of one length without a mistake: one wrong symbol spoils an example, so "
                "long ones are harder."
            )
    return tr("Loss per scored symbol of the last checkpoint on validation examples of one length each.")


def _flags(found: dict[RunModel, Measured]) -> list[Flag]:
    """Marks up to which length the runs were trained."""
    ends: dict[int, list[str]] = {}
    for view, known in found.items():
        ends.setdefault(known.trained, []).append(view.name)
    if len(ends) == 1:
        return [Flag(end, tr("trained up to {n}", n=end)) for end in ends]
    return [Flag(end, tr("up to {n}: {run}", run=", ".join(names), n=end)) for end, names in sorted(ends.items())]


def _unread(found: dict[RunModel, Measured]) -> list[str]:
    """Says of each run that cannot read the longest examples where it ends, and why."""
    told = []
    for view, known in found.items():
        cut = next((point for point in known.points if point.loss is None), None)
        if cut is not None:
            told.append(
                tr(
                    "{run} cannot read examples of length {n} and more: they have {tokens} tokens, its context holds "
                    "{context}.",
                    run=view.name,
                    n=cut.length,
                    tokens=cut.tokens,
                    context=view.recipe.training.context_length,
                )
            )
    return told


def _place(x: float) -> str:
    """A place on the axis of lengths."""
    return tr("length {n}", n=f"{x:.0f}")
