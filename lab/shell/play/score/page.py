"""The page Score of Play: a text coloured by what each run thinks of it, and the running sums of the runs."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from lab.base.last_folder import last_folder, remember_folder
from lab.base.problems import Problem
from lab.shell.play.score.model import (
    MOST_RUNS,
    Colour,
    Quantity,
    RunAccess,
    Scored,
    ScoreModel,
    Scoring,
    State,
    factor,
    ratio_bits,
)
from lab.shell.play.working import WorkBar, WorkButton, side_by_side
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.charts.chart import Chart, Line
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px, themes, token_font
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.number_table import NumberTable
from lab.widgets.tokens.surprisal import SurprisalLegend
from lab.widgets.tokens.text import ShownToken, TokenText
from lab.workbench.access.saved import SavedRun

if TYPE_CHECKING:
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.scoring.scores import TextScore

POLL = 100
"""Milliseconds between two updates of the progress."""
LONGEST_EDITED = 20_000
"""Most characters that the field shows; more are scored without being shown there."""
MOST_COLOURED = 20_000
"""Most tokens that are coloured."""
BUTTON = 132
"""Width of the button in pixels, as on the page Write."""
JOB = "scoring"
"""The key of the work."""


class ScoreField(QPlainTextEdit):
    """The field for the text to score. A long text is only reported: a field with one long line blocks the window."""

    long_pasted = Signal(str)
    """A text of more than LONGEST_EDITED characters was pasted."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert what is pasted, unless it is too long."""
        if source.hasText() and len(source.text()) > LONGEST_EDITED:
            self.long_pasted.emit(source.text())
        else:
            super().insertFromMimeData(source)


class ScorePage(QWidget):
    """The page Score. Its state is in `model`; the runs are the selected one and the others that are shown.

    Args:
        registry: The runs.
        model_provider: Provides the selected model.
        background: Runs work in threads.
    """

    def __init__(self, registry: RunRegistry, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._registry, self._model_provider, self._background = registry, model_provider, background
        self.model = ScoreModel()
        self._long: str | Path | None = None  # a text too long for the field
        self._ready = False
        self._make_text_card()
        self._make_chart_card()
        self.splitters = {"score": side_by_side(self, self.text_card, self.chart_card, sizes=(520, 520))}
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._show_progress)
        themes.changed.connect(self._draw)
        self._show()

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Text"))
        self._colours = MenuButton(tr("Colour"), [], self._recolour, prefix=tr("colour") + " ")
        self._offer_colours()
        self._open = Button(tr("Open…"), hint=tr("Open a file with the text"))
        self._open.clicked.connect(self._ask_for_file)
        self.text_card.add_control(self._colours)
        self.text_card.add_control(self._open)
        self.field = ScoreField()
        self.field.setFont(token_font())
        follow_type(self.field, lambda field: field.setFixedHeight(px(96)))
        self.field.setAccessibleName(tr("Text to score"))
        self.field.setPlaceholderText(tr("Write or paste a text, or open a file"))
        self.field.setTabChangesFocus(True)
        self.field.setAcceptDrops(False)  # the window opens what is dropped
        self.field.long_pasted.connect(self.take_long)
        self.field.textChanged.connect(self._edited)
        self.score_button = WorkButton(
            tr("Score"), hint=tr("Score the text under the shown runs"), cancel_hint=tr("Stop scoring")
        )
        follow_type(self.score_button, lambda button: button.setMinimumWidth(px(BUTTON)))
        self.score_button.clicked.connect(self.toggle)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.score_button, 0, Qt.AlignmentFlag.AlignTop)
        self._long_note = label("", "note")
        self._long_note.setWordWrap(True)
        self._bar = WorkBar(tr("Progress of scoring"))
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self.text = TokenText()
        self._nothing = label(
            tr("The text appears here, each token coloured by how much it surprised the selected run."), "dim"
        )
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout()
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        self._legend, self._count = SurprisalLegend(), label("", "note")
        foot.addWidget(self._legend)
        foot.addStretch()
        foot.addWidget(self._count)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(row)
        for widget in (self._long_note, self._bar, self._problem):
            widget.hide()
            rows.addWidget(widget)
        rows.addLayout(self._pages, 1)
        rows.addWidget(self._foot)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self.text)
        self.text_card.set_content(content)

    def _make_chart_card(self) -> None:
        self.chart_card = Card(tr("Under each run"))
        quantities = [
            (Quantity.SUM.value, tr("running sum")),
            (Quantity.SURPRISAL.value, tr("surprisal")),
            (Quantity.RATIO.value, tr("who wrote it")),
        ]
        self.quantities = MenuButton(tr("quantity"), quantities, self._draw_line)
        self.chart = Chart()
        self.chart_card.add_control(self.quantities)
        self.chart_card.add_control(ExportButton(self.chart))
        self.table = NumberTable(tr("Scores of the runs"))
        self._sentence = label("", "note")
        self._sentence.setWordWrap(True)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self.chart, 1)
        rows.addWidget(self.table)
        rows.addWidget(self._sentence)
        self.chart_card.set_content(content)

    # ---------------------------------------------------------------------------------------------------------- scoring

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def toggle(self) -> None:
        """Score the text, or stop scoring."""
        if self.model.state is State.SCORING:
            self.stop()
        else:
            self.start()

    def start(self) -> None:
        """Score the text under the selected run and the others that are shown."""
        if not self._ready or self.model.state is State.SCORING:
            return
        text = self.field.toPlainText() if self._long is None else self._long
        scoring = self.model.start(text, self._runs())
        self._show_problem(None)
        self._poll.start()
        taken, failed = partial(self._take, scoring), partial(self._fail, scoring)
        self._background.run(tr("Scoring a text"), scoring.work, taken, failed, replaces=JOB)
        self._show()

    def stop(self) -> None:
        """Stop scoring; earlier scores stay."""
        self._background.cancel(JOB)
        self.model.cancel()
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._poll.stop()
        self._background.cancel(JOB)
        self.model.cancel()

    def _runs(self) -> list[RunAccess]:
        """Return the selected run, and the others that are shown."""
        access, selected = self._model_provider.current("play")
        others = [run for run in self._registry.shown if run is not selected]
        return [RunAccess(access, selected), *(RunAccess(run.source, run) for run in others[: MOST_RUNS - 1])]

    def _take(self, scoring: Scoring, found: tuple[str, list[Scored]]) -> None:
        if self.model.take(scoring, *found):
            self._forget(scoring)
            self._show()
            self._draw()

    def _fail(self, scoring: Scoring, problem: Problem) -> None:
        if scoring is self.model.scoring:
            self.model.cancel()
            self._forget(scoring)
            self._show_problem(problem)
            self._show()

    def _forget(self, scoring: Scoring) -> None:
        """Free the models of the runs that are not selected."""
        for one in scoring.runs[1:]:
            if isinstance(one.access, SavedRun):
                one.access.forget_model()

    # ------------------------------------------------------------------------------------------------------------ texts

    def take_long(self, text: str | Path) -> None:
        """Take a text that is too long for the field, or a file; the field shows none of it."""
        self._long = text
        if isinstance(text, Path):
            note = tr("The file {name} is scored. Write in the field to score something else.", name=text.name)
        else:
            note = tr("{n} characters were pasted and are scored. Write in the field to score something else.",
                      n=number_text(len(text)))  # fmt: skip
        self._long_note.setText(note)
        self._long_note.show()

    def open_file(self, path: Path) -> None:
        """Score the text of a file."""
        self.field.clear()
        self.take_long(path)
        self.start()

    def _ask_for_file(self) -> None:
        title = tr("Select a text to score")
        file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self.open_file(Path(file))

    def _edited(self) -> None:
        if self.field.toPlainText():
            self._long = None
            self._long_note.hide()

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work."""
        works = self.model.state is State.SCORING
        if not works:
            self._poll.stop()
        self.score_button.show_work(works=works)
        self.score_button.setEnabled(self._ready)
        self._bar.setVisible(works)
        self._show_progress()
        known = bool(self.model.known)
        self._foot.setVisible(known)
        self._pages.setCurrentWidget(self.text if known else self._nothing)
        if known:
            self.chart_card.show_content()
        else:
            what = tr("How the bits of the text add up under each run that is shown, and which run it fits best.")
            self.chart_card.show_empty(what)

    def _show_progress(self) -> None:
        scoring = self.model.scoring
        self._bar.show_share(0.0 if scoring is None else scoring.share)

    def _show_problem(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem_line(problem))
        self._problem.setVisible(problem is not None)

    def _draw(self) -> None:
        """Show the scores of the text."""
        for run, problem in self.model.problems[:1]:
            self._problem.setText(f"{_name(run, 0)}: {problem_line(problem)}")
            self._problem.show()
        if not self.model.known:
            return
        self._offer_colours()
        self._recolour(self._colours.value)
        self._draw_line(self.quantities.value)
        self._show_table()
        first = self.model.known[0]
        self.text_card.set_title(tr("Text"), _name(first.run, self.model.first.step))

    def _offer_colours(self) -> None:
        choices = [
            (Colour.SURPRISAL.value, tr("surprisal")),
            (Colour.ENTROPY.value, tr("entropy")),
            (Colour.RANK.value, tr("rank")),
        ]
        if self.model.has_difference:
            choices.append((Colour.DIFFERENCE.value, tr("difference")))
        self._colours.set_choices(choices)

    def _recolour(self, value: str) -> None:
        if not self.model.known:
            return
        score, shades = self.model.first, self.model.shades(Colour(value))
        pieces, values = score.pieces(), score.values
        at = np.flatnonzero(values.scored)[:MOST_COLOURED]
        first = int(at[0]) if len(at) else len(pieces)
        self.text.clear("".join(pieces[:first]))
        self.text.add([self._token(score, pieces[index], index, float(shades[index])) for index in at.tolist()])
        self.text.verticalScrollBar().setValue(0)
        is_bits = value in (Colour.SURPRISAL.value, Colour.ENTROPY.value)
        self._legend.setVisible(is_bits)
        self._count.setText(self._count_text(value, len(at), score.scored))

    def _count_text(self, colour: str, coloured: int, scored: int) -> str:
        """Return what stands below the text: what the colours mean where no legend does, and how much is coloured."""
        known = self.model.known
        parts = []
        if colour == Colour.RANK.value:
            parts.append(tr("paler: the likeliest token came; each step of the scale doubles the rank"))
        if colour == Colour.DIFFERENCE.value:
            names = {"first": _name(known[0].run, 0), "other": _name(known[1].run, 0)}
            other = tr("blue: more surprising to {first}; yellow: to {other}", **names)
            parts.append(other)
        count = tr_n("1 token", "{n} tokens", scored)
        if coloured < scored:
            count = tr("the first {n} of {all} tokens", n=number_text(coloured), all=number_text(scored))
        return " · ".join([*parts, count])

    def _token(self, score: TextScore, piece: str, at: int, shade: float) -> ShownToken:
        values = score.values
        others = tuple(
            (score.names[int(number)], "", float(share))
            for number, share in zip(values.likeliest[at], values.shares[at], strict=True)
        )
        note = tr(
            "rank {rank} · entropy {entropy} bits · sum {sum} bits",
            rank=number_text(int(values.ranks[at])), entropy=number_text(values.entropies[at] / math.log(2), ".2f"),
            sum=number_text(score.sums[at] / math.log(2), ".1f"),
        )  # fmt: skip
        shown = 0.0 if math.isnan(shade) else shade
        return ShownToken(score.labels[at], piece, math.exp(-values.nats[at]), others, shade=shown, note=note)

    def _draw_line(self, value: str) -> None:
        model, quantity = self.model, Quantity(value)
        if not model.known:
            return
        axis = {
            Quantity.SUM: tr("sum (bits)"),
            Quantity.SURPRISAL: tr("surprisal (bits)"),
            Quantity.RATIO: tr("log-likelihood ratio (bits)"),
        }[quantity]
        lines = []
        for index, one in enumerate(model.known):
            found = model.line(index, quantity)
            if found is not None:
                name = _name(one.run, 0)
                colour = themes.now.runs[0] if one.run is None else run_colour(one.run)
                dashes = 0 if one.run is None else run_dashes(one.run)
                style = "faint" if quantity is Quantity.SURPRISAL and len(found[0]) > 400 else "thin"
                lines.append(Line(f"{index}/{value}", name, colour, *found, style, dashes))  # type: ignore[arg-type]
        self.chart.set_axes(tr("bytes of the text"), axis)
        self.chart.include_values(0.0)
        self.chart.set_lines(lines)
        self.chart.draw()
        self._sentence.setText(self._sentence_of(quantity))

    def _sentence_of(self, quantity: Quantity) -> str:
        """Return how the chart is read."""
        known, score = self.model.known, self.model.first
        if quantity is Quantity.SUM:
            text = tr(
                "Chain rule: the probability of a text is the product of those of its tokens, so their bits add up."
            )
            return f"{text} {_context(score)}"
        if quantity is Quantity.SURPRISAL:
            return _context(score)
        if len(known) < 2:
            return tr("Show a second run with the eye in the list: a rising line means that the text fits it better.")
        best = max(known[1:], key=lambda one: _sort_key(ratio_bits(one.comparison)))
        if best.comparison is None:
            return tr("These runs do not compare on this text.")
        total = best.comparison.total
        names = {"run": _name(best.run, 0), "first": _name(known[0].run, 0), "factor": localized(factor(abs(total)))}
        if total > 0:
            return tr("The text is {factor} times as likely under {run} as under {first}: it fits {run} best.", **names)
        return tr("The text is {factor} times as likely under {first} as under {run}: it fits {first} best.", **names)

    def _show_table(self) -> None:
        known = self.model.known
        pseudo = self.model.first.is_pseudo
        heads = [
            tr("run"), tr("bits"), tr("product"), tr("pseudo-perplexity") if pseudo else tr("perplexity"),
            tr("bits/byte"), tr("entropy"), tr("ratio"),
        ]  # fmt: skip
        hints = [
            "", tr("−log₂ of the probability of the scored tokens"), tr("The product of their probabilities"),
            tr("exp of the mean surprisal"), tr("Comparable between runs of different tokenizers"),
            tr("Mean entropy of the predictions, in bits per token: the surprisal that the run expects"),
            tr("log₂ of the probability under this run over that under the first, in bits"),
        ]  # fmt: skip
        rows = []
        for one in known:
            score = one.score
            assert score is not None
            rows.append([
                _name(one.run, score.step), number_text(score.nats / math.log(2), ".1f"),
                localized(factor(-score.nats)), number_text(score.perplexity, ".2f"), number_text(one.per_byte, ".3f"),
                number_text(score.entropy / math.log(2), ".2f"),
                "" if one.comparison is None else number_text(ratio_bits(one.comparison), "+.1f").replace("-", "−"),
            ])  # fmt: skip
        best = min(range(len(known)), key=lambda at: _sort_key(known[at].per_byte))
        self.table.show_rows(heads, rows, marked={(best, 4)} if len(known) > 1 else (), hints=hints)
        self.table.setFixedHeight(self.table.height_of_rows(len(rows)) + px(8))

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.text_card, self.chart_card]


def _name(run: RunModel | None, step: int) -> str:
    """Return the name of a run, with the step if it is not 0."""
    return run.name if run is not None and not step else model_name(run, step)


def _sort_key(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _context(score: TextScore) -> str:
    """Return how much of the text stood before a token when it was scored."""
    if score.is_pseudo:
        return tr("Each token is hidden alone, and predicted from both sides: the figures are pseudo-log-likelihoods.")
    if score.context_length is None:
        return tr("Each token is read after all before it.")
    stride = score.protocol.partition(":")[2]
    if not stride:
        return tr("Read in windows of {n} tokens.", n=number_text(score.context_length))
    least = score.context_length - int(stride) + 1
    return tr(
        "Read in windows of {n} tokens that overlap: each token after the first window has {least} or more before it.",
        n=number_text(score.context_length), least=number_text(least),
    )  # fmt: skip
