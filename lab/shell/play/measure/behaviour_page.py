"""The page Behaviour of Play: a test of the selected run, with its figures, curves and rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.shell.play.working import PageWork, WorkBar, WorkButton, side_by_side, work_column
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.scales import run_colour
from lab.widgets.charts.chart import Chart, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.number_table import NumberTable
from lab.workbench.scoring.behaviour import OF_FILE, TESTS, behave
from lab.workbench.scoring.outcome import Outcome

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel

JOB = "testing a run"
"""The key of the work."""
SHARES = ("accuracy", "copied", "found", "best accuracy", "accuracy by total", "accuracy by per token")
"""Figures and columns in percent."""
MOST_ROWS = 500
"""Most rows of the table."""


class BehaviourPage(QWidget):
    """The page Behaviour.

    Args:
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        found: The outcome that is shown; None before the first.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider = model_provider
        self._worker = PageWork(background, JOB, tr("Testing a run"), self)
        self._share = 0.0  # of the test that is done; its thread writes it
        self._ready = False
        self.found: Outcome | None = None
        self._run: RunModel | None = None
        self.card = Card(tr("Test"))
        self.tests = MenuButton(tr("Test"), [(test, _title(test)) for test in TESTS], self._describe)
        self.card.add_control(self.tests)
        self.button = WorkButton(tr("Test"), hint=tr("Test the selected run"), cancel_hint=tr("Stop the test"))
        self.button.clicked.connect(self.toggle)
        self._about, self._figures = label("", "dim"), label("", "strong")
        self._problem = label("", "bad")
        for each in (self._about, self._figures, self._problem):
            each.setWordWrap(True)
        self._bar = WorkBar(tr("Progress of the test"))
        self.table = NumberTable(tr("Rows of the test"))
        self.card.set_content(
            work_column(self._about, self.button, self._bar, self._problem, self._figures, growing=self.table)
        )
        self.chart_card, self.chart = Card(tr("Curves")), Chart()
        self.chart_card.add_control(ExportButton(self.chart))
        self.chart_card.set_content(self.chart, margin=0)
        side_by_side(self, self.card, self.chart_card, sizes=(520, 520))
        self._worker.polled.connect(self._show_progress)
        self._worker.changed.connect(self._show)
        themes.changed.connect(self._draw)
        self._describe(self.tests.value)
        self._show()

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._worker.close_down()

    def toggle(self) -> None:
        """Start the selected test, asking for its file if it needs one, or cancel."""
        if self._worker.works:
            self._worker.cancel()
        elif self.tests.value in OF_FILE:
            title = tr("Select a file of one JSON object a line")
            file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), tr("All files (*)"))
            if file:
                remember_folder(Path(file).parent)
                self.start(Path(file))
        else:
            self.start()

    def start(self, file: Path | None = None) -> None:
        """Start the selected test."""
        if not self._ready or self._worker.works:
            return
        access, run = self._model_provider.current("play")
        test = self.tests.value
        self._share = 0.0

        def work(job: Job) -> Outcome:
            return behave(access, test, file, progress=self._progress, cancelled=lambda: job.cancelled)

        def take(found: Outcome) -> None:
            self.found, self._run = found, run
            self._draw()

        self._worker.start(work, take)

    def _progress(self, share: float) -> None:
        self._share = share

    # ------------------------------------------------------------------------------------------------------------- show

    def _describe(self, test: str) -> None:
        self._about.setText(_explanation(test))

    def _show(self) -> None:
        """Show the state of the work."""
        works, problem = self._worker.works, self._worker.problem
        self.button.show_work(works=works)
        self.button.setEnabled(self._ready)
        self.tests.setEnabled(not works)
        self._bar.setVisible(works)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._show_progress()
        self.table.setVisible(self.found is not None and bool(self.found.rows))
        if self.found is not None and self.found.curves:
            self.chart_card.show_content()
        elif self.found is None:
            self.chart_card.show_empty(tr("The curves of a test appear here."))
        else:
            self.chart_card.show_empty(tr("This test has no curve."))

    def _show_progress(self) -> None:
        self._bar.show_share(self._share)

    def _draw(self) -> None:
        found = self.found
        if found is None:
            return
        self.card.set_title(tr("Test"), f"{_title(found.test)} · {model_name(self._run, found.step)}")
        self._figures.setText(
            " · ".join(f"{_label(name)} {_shown(name, value)}" for name, value in found.figures.items())
        )
        rows = [
            [_shown(head, cell) for head, cell in zip(found.heads, row, strict=True)] for row in found.rows[:MOST_ROWS]
        ]
        self.table.show_rows([_label(head) for head in found.heads], rows)
        if not found.curves:
            return
        first = themes.now.runs[0] if self._run is None else run_colour(self._run)
        lines = []
        for number, curve in enumerate(found.curves):
            x, y = (np.array(values, float) for values in zip(*curve.points, strict=True))
            name = _label(curve.name)
            lines.append(Line(curve.name, name, first, x, y, "main" if len(x) <= 20 else "thin", number))
        self.chart.set_axes(_label(found.curves[0].x), _label(found.y), x_log=found.curves[0].x_log)
        self.chart.set_lines(lines)
        self.chart.draw()

    @property
    def cards(self) -> Sequence[Card]:
        """The cards of this page."""
        return [self.card, self.chart_card]


def _title(test: str) -> str:
    """Return the name of a test."""
    return {
        "context": tr("loss by context"), "copying": tr("copying"), "needle": tr("needle in a text"),
        "arithmetic": tr("arithmetic"), "pairs": tr("minimal pairs"), "cloze": tr("cloze"),
        "prompts": tr("prompts with examples"),
    }[test]  # fmt: skip


def _explanation(test: str) -> str:
    """Return what a test does."""
    return {
        "context": tr(
            "The loss of validation tokens by their position in the context, and by how much context is given: where "
            "that curve is flat, the run does not look further back."
        ),
        "copying": tr("Random tokens, and the same again: a run that can copy has little loss in the second half."),
        "needle": tr(
            "A random key and value are hidden in a text, and the key comes again at its end: does the run find the "
            "value?"
        ),
        "arithmetic": tr("Sums such as 7+12=, after more and more examples: how often greedy decoding is right."),
        "pairs": tr(
            "From a file: sentence_good and sentence_bad in each line, as in BLiMP. The good one should be likelier."
        ),
        "cloze": tr(
            "From a file: text with ___, candidates, and answer in each line. Candidates are ranked by total and by "
            "per-token log-probability."
        ),
        "prompts": tr(
            "From a file: prompt and answer in each line, after more and more of the other lines as examples."
        ),
    }[test]


def _label(name: str) -> str:
    """Return a figure, a column or an axis in the language of the window."""
    return {
        "loss with 1 token": tr("loss with 1 token"), "loss with all": tr("loss with all"),
        "tokens that suffice": tr("tokens that suffice"),
        "tokens given": tr("tokens given"), "nats per token": tr("nats per token"),
        "by position": tr("by position"), "by context given": tr("by context given"),
        "tokens before": tr("tokens before"),
        "loss of the first half": tr("loss of the first half"),
        "loss of the second half": tr("loss of the second half"),
        "copied": tr("copied"), "found": tr("found"), "tokens of the text": tr("tokens of the text"),
        "depth": tr("depth"), "depth (%)": tr("depth (%)"), "nats with the needle": tr("nats with the needle"),
        "nats without it": tr("nats without it"), "with the needle": tr("with the needle"),
        "without it": tr("without it"), "best accuracy": tr("best accuracy"), "prompts": tr("prompts"),
        "examples": tr("examples"), "accuracy": tr("accuracy"), "accuracy (%)": tr("accuracy (%)"),
        "pairs": tr("pairs"), "group": tr("group"), "gaps": tr("gaps"), "text": tr("text"),
        "candidate": tr("candidate"), "log-probability": tr("log-probability"), "place": tr("place"),
        "per token": tr("per token"), "place per token": tr("place per token"), "answer": tr("answer"),
        "accuracy by total": tr("accuracy by total"), "accuracy by per token": tr("accuracy by per token"),
    }[name]  # fmt: skip


def _shown(name: str, value: str | float | None) -> str:
    """Return a cell or a figure as text."""
    if value is None or isinstance(value, str):
        return value or ""
    if name == "answer":
        return "✓" if value else ""
    if name in SHARES:
        return f"{number_text(100 * value, '.1f')} %"
    return number_text(int(value)) if float(value).is_integer() else number_text(value, ".3f")
