"""The row below the loss of a finished run that offers what can be done next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from lab.base.run_state import RunState
from lab.shell.session.runs.comparability import same_corpus
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import duration, number_text, tr, tr_n
from lab.widgets.core.theme import CONTROL, INSIDE, control_height
from lab.widgets.readings.base import Line

SILENT = ("classification", "regression", "binary", "captions")
"""The objectives of the lab with which a model writes nothing after a text."""
HIDING = ("masked", "next-sentence", "replaced-tokens")
"""Those with which it predicts hidden tokens."""
NO_TOKENIZER = "none"
"""The tokenizer of runs that read no text."""


class EndRow(QWidget):
    """The next steps with the selected run once it has finished; hidden for other runs, and once it was dismissed.

    Args:
        registry: The runs.
    """

    inspect_clicked = Signal()
    """The model is to be inspected."""
    write_clicked = Signal()
    """A prompt for the model is to be offered."""
    classes_clicked = Signal()
    """A training for classes is to begin with the weights of the run."""
    further_clicked = Signal()
    """The run is to be trained for more steps."""
    compare_clicked = Signal()
    """The losses of the shown runs are to be compared."""

    def __init__(self, registry: RunRegistry) -> None:
        super().__init__()
        self._registry = registry
        self._dismissed: set[str] = set()  # keys of runs
        follow_type(self, lambda row: row.setFixedHeight(control_height(CONTROL + 4)))
        self._text = Line()
        self.inspect = Button(tr("Look inside"), hint=tr("Open Inspect: attention, states and weights of this model"))
        self.write = Button(tr("Let it write"), hint=tr("Open Play, where this model continues a prompt"))
        hint = tr("Set up a training for classes that begins with these weights, without starting it")
        self.classes = Button(tr("Train for classes"), hint=hint)
        self.further = Button(tr("Train further…"), hint=tr("Give this run more steps"))
        self.compare = Button(
            tr("Compare with…"), hint=tr("Draw another finished run of this corpus too, and compare their losses")
        )
        self.compare.clicked.connect(self._compare)
        self._others = QMenu(self.compare)
        self.close_button = Button(hint=tr("Hide this row for this run"), icon_name="close")
        row = QHBoxLayout(self)
        row.setContentsMargins(INSIDE, 0, 8, 0)
        row.setSpacing(4)
        for button, signal in (
            (self.inspect, self.inspect_clicked),
            (self.write, self.write_clicked),
            (self.classes, self.classes_clicked),
            (self.further, self.further_clicked),
        ):
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addWidget(self.compare)
        row.addSpacing(4)
        row.addWidget(self._text, 1)
        row.addWidget(self.close_button)
        self.close_button.clicked.connect(self._dismiss)
        registry.selection_changed.connect(self._refresh)
        registry.ended.connect(self._refresh)
        registry.listed.connect(self._refresh)
        self._refresh()

    def minimumSizeHint(self) -> QSize:
        """Return no width: the card is as narrow as its chart may be."""
        return QSize(0, super().minimumSizeHint().height())

    def _refresh(self, *_: object) -> None:
        run = self._registry.selected
        is_shown = run is not None and run.state == RunState.FINISHED and run.key not in self._dismissed
        if run is not None and is_shown:
            self._text.set_full_text(_summary(run))
            self._offer_text(run)
            self.further.setEnabled(run.path is not None)
            self.compare.setVisible(len(self._registry.shown) > 1 or any(self._comparable(run)))
        self.setVisible(is_shown)

    def _offer_text(self, run: RunModel) -> None:
        """Offer what the model does with a text, if it reads any."""
        objective, reads_text = run.recipe.objective.name, run.recipe.tokenizer.name != NO_TOKENIZER
        classifies = objective == "classification" and reads_text
        self.write.setVisible(objective not in SILENT or classifies)
        self.classes.setVisible(objective in HIDING)
        if classifies:
            hint = tr("Open Play, where this model predicts the class of a text")
            self.write.set_face(tr("Give it a text"), "", hint)
        elif objective in HIDING:
            self.write.set_face(tr("Let it fill in"), "", tr("Open Play, where this model predicts hidden tokens"))
        else:
            self.write.set_face(tr("Let it write"), "", tr("Open Play, where this model continues a prompt"))

    def _comparable(self, run: RunModel) -> Iterator[RunModel]:
        """Yield the other finished runs of the corpus of a run."""
        others = (one for one in self._registry.runs if one is not run and one.state == RunState.FINISHED)
        return (one for one in others if same_corpus(one, run))

    def _compare(self) -> None:
        """Compare the shown runs; if only the selected one is shown, offer others in a menu."""
        run = self._registry.selected
        if run is None or len(self._registry.shown) > 1:
            self.compare_clicked.emit()
            return
        self._others.clear()
        for other in self._comparable(run):
            action = self._others.addAction(other.name.replace("&", "&&"))
            action.triggered.connect(partial(self._compare_with, other.key))
        self._others.popup(self.compare.mapToGlobal(self.compare.rect().bottomLeft()))

    def _compare_with(self, key: str) -> None:
        self._registry.show(key, shown=True)
        self.compare_clicked.emit()

    def _dismiss(self) -> None:
        run = self._registry.selected
        if run is not None:
            self._dismissed.add(run.key)
        self._refresh()


def _summary(run: RunModel) -> str:
    seconds = run.last_status.summary.get("seconds")
    steps = number_text(run.step)
    if isinstance(seconds, int | float) and seconds > 0:
        return tr("finished after {n} steps in {time}", n=steps, time=duration(seconds))
    return tr_n("finished after 1 step", "finished after {n} steps", run.step)
