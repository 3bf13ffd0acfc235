"""The page Translate of Play: a source in, hypotheses with scores out, and the alignment as a map or as lines."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.base.units import duration
from lab.shell.play.translate.model import MEAN, TranslateModel, Way, Work
from lab.shell.play.working import WorkBar, WorkButton, work_column
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN, px, themes, token_font
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.number_table import NumberTable
from lab.widgets.maps.links import LinksArea
from lab.widgets.maps.map import MapView
from lab.workbench.scoring.translation import Translation
from lab.workbench.scoring.translation_measures import Band, Measured, Measures

POLL = 100
"""Milliseconds between two updates of the progress."""
JOB = "translating"
"""The key of the work."""
BUTTON = 132
"""Width of the button in pixels, as on the page Write."""
MAP, LINES = "map", "lines"
"""The ways of drawing an alignment."""
PAIRS = (200, 50, 1000)
"""Numbers of pairs that are offered for measuring."""


class TranslatePage(QWidget):
    """The page Translate. Its state is in `model`.

    Args:
        model_provider: Provides the selected model.
        background: Runs work in threads.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider, self._background = model_provider, background
        self.model = TranslateModel()
        self._ready = False
        self._make_text_card()
        self._make_measures_card()
        self._make_alignment_card()
        column, split = Splitter(Qt.Orientation.Vertical), Splitter(Qt.Orientation.Horizontal)
        for card in (self.text_card, self.measures_card):
            column.addWidget(card)
        split.addWidget(column)
        split.addWidget(self.alignment_card)
        column.setSizes([340, 260])
        split.setSizes([560, 560])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, BETWEEN, 0)
        layout.addWidget(split)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._show_progress)
        themes.changed.connect(self._draw)
        self._draw_alignment()
        self._show()

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Translation"))
        ways = [
            (Way.BEAMS.value, tr("{n} beams", n=4)), (Way.MANY_BEAMS.value, tr("{n} beams", n=8)),
            (Way.GREEDY.value, tr("greedy")), (Way.SAMPLING.value, tr("sampling")),
        ]  # fmt: skip
        self.ways = MenuButton(tr("Way of decoding"), ways, _ignore)
        self.text_card.add_control(self.ways)
        self.field = QPlainTextEdit()
        self.field.setFont(token_font())
        follow_type(self.field, lambda field: field.setFixedHeight(px(72)))
        self.field.setAccessibleName(tr("Source"))
        self.field.setPlaceholderText(tr("The source; empty: the first one of the validation pairs"))
        self.field.setTabChangesFocus(True)
        self.button = WorkButton(
            tr("Translate"), hint=tr("Let the selected run write the target of the source"),
            cancel_hint=tr("Stop translating"),
        )  # fmt: skip
        follow_type(self.button, lambda button: button.setMinimumWidth(px(BUTTON)))
        self.button.clicked.connect(self.toggle)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self._problem, self._note = label("", "bad"), label("", "note")
        for each in (self._problem, self._note):
            each.setWordWrap(True)
        self.table = NumberTable(tr("Hypotheses"))
        self.table.row_selected.connect(self._select)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(row)
        for widget in (self._problem, self._note):
            rows.addWidget(widget)
        rows.addWidget(self.table, 1)
        self.text_card.set_content(content)

    def _make_measures_card(self) -> None:
        self.measures_card = Card(tr("Measures by length of the source"))
        choices = [(str(n), number_text(n)) for n in PAIRS]
        self.pairs = MenuButton(tr("Validation pairs"), choices, _ignore, prefix=tr("pairs") + " ")
        self.measures_card.add_control(self.pairs)
        self.measure_button = WorkButton(
            tr("Measure"), hint=tr("Translate validation pairs and compare with their targets"),
            cancel_hint=tr("Stop measuring"),
        )  # fmt: skip
        self.measure_button.clicked.connect(self.toggle_measuring)
        self._about = label(tr("Of the first validation pairs"), "dim")
        self._bar = WorkBar(tr("Progress of measuring"))
        self._measures_problem = label("", "bad")
        self._measures_note = label("", "note")
        for each in (self._about, self._measures_problem, self._measures_note):
            each.setWordWrap(True)
        self.measures = NumberTable(tr("Measures by length of the source"))
        self.measures_card.set_content(
            work_column(
                self._about, self.measure_button, self._bar, self._measures_problem, growing=self.measures,
                last=self._measures_note,
            )
        )  # fmt: skip

    def _make_alignment_card(self) -> None:
        self.alignment_card = Card(tr("Alignment"))
        self.layers = MenuButton(tr("Layer"), [(MEAN, tr("all layers"))], self._pick_layer)
        self.drawings = MenuButton(tr("Drawing"), [(MAP, tr("map")), (LINES, tr("lines"))], self._pick_drawing)
        self.map, self.lines = MapView(), LinksArea()
        self.map.always_named = True
        self._export = {MAP: ExportButton(self.map), LINES: ExportButton(self.lines.links)}
        for control in (self.layers, self.drawings, *self._export.values()):
            self.alignment_card.add_control(control)
        self._drawings = QStackedWidget()
        for view in (self.map, self.lines):
            self._drawings.addWidget(view)
        self.alignment_card.set_content(self._drawings)

    # ------------------------------------------------------------------------------------------------------------- work

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._poll.stop()
        self._background.cancel(JOB)
        self.model.cancel()

    def toggle(self) -> None:
        """Translate the source, or stop."""
        self._start(0) if self.model.work is None else self.stop()

    def toggle_measuring(self) -> None:
        """Measure validation pairs, or stop."""
        self._start(int(self.pairs.value)) if self.model.work is None else self.stop()

    def start_measuring(self) -> None:
        """Measure validation pairs."""
        self._start(int(self.pairs.value))

    def stop(self) -> None:
        """Stop the work; what is on show stays."""
        self._background.cancel(JOB)
        self.model.cancel()
        self._show()

    def _start(self, pairs: int) -> None:
        if not self._ready or self.model.work is not None:
            return
        access, run = self._model_provider.current("play")
        source = self.field.toPlainText()
        work = self.model.start(Work(access, run, source, Way(self.ways.value), pairs))
        self._show_problem(work, None)
        self._poll.start()
        title = tr("Measuring translations") if pairs else tr("Translating")
        self._background.run(title, work.work, partial(self._take, work), partial(self._fail, work), replaces=JOB)
        self._show()

    def _take(self, work: Work, found: Translation | Measured) -> None:
        if self.model.take(work, found):
            if isinstance(found, Translation) and not self.field.toPlainText():
                self.field.setPlainText(found.source)
            self._show()
            self._draw()

    def _fail(self, work: Work, problem: Problem) -> None:
        if work is self.model.work:
            self.model.cancel()
            self._show_problem(work, problem)
            self._show()

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work."""
        work = self.model.work
        if work is None:
            self._poll.stop()
        translates, measures = work is not None and not work.pairs, work is not None and bool(work.pairs)
        self.button.show_work(works=translates)
        self.measure_button.show_work(works=measures)
        self.button.setEnabled(self._ready and not measures)
        self.measure_button.setEnabled(self._ready and not translates)
        self._bar.setVisible(measures)
        self.measures.setVisible(self.model.measured is not None)
        self._show_progress()
        if self.model.measured is None and not measures and not self._measures_problem.text():
            what = tr("Exact match, right tokens, BLEU and chrF of validation pairs, by the length of their sources.")
            self.measures_card.show_empty(what, tr("Measure") if self._ready else "", self.start_measuring)
        else:
            self.measures_card.show_content()
        if self.model.translation is None:
            self.alignment_card.show_empty(tr("Which tokens of the source each token of the translation reads."))
        elif self.model.alignment is None:
            has_text = self.model.hypothesis is not None
            self.alignment_card.show_empty(
                tr("This model has no attention to its source: all it knows of it is one state.")
                if has_text
                else tr("The strategy ended no text.")
            )
        else:
            self.alignment_card.show_content()

    def _show_progress(self) -> None:
        work = self.model.work
        if work is None or not work.pairs:
            return
        self._bar.show_share(work.share)
        left = work.left
        self._measures_note.setText("" if left is None else tr("about {time} left", time=localized(duration(left))))

    def _show_problem(self, work: Work, problem: Problem | None) -> None:
        shown = self._measures_problem if work.pairs else self._problem
        shown.setText("" if problem is None else problem_line(problem))
        for each in (self._problem, self._measures_problem):
            each.setVisible(bool(each.text()))

    def _draw(self) -> None:
        """Show hypotheses, alignment and measures."""
        self._draw_hypotheses()
        self._draw_alignment()
        if self.model.measured is not None:
            self._draw_measures(self.model.measured)

    def _draw_hypotheses(self) -> None:
        found = self.model.translation
        if found is None:
            return
        self.text_card.set_title(tr("Translation"), model_name(self.model.run, found.step))
        rows = [
            [glyphs(one.text).replace("␣", " "), number_text(one.score, ".3f"), number_text(one.log_probability, ".3f")]
            for one in found.hypotheses
        ]
        heads = [tr("hypothesis"), tr("score"), tr("log p")]
        hints = ["", tr("By which the strategy compares hypotheses"), tr("Of the whole target, in nats")]
        self.table.show_rows(heads, rows, hints=hints)
        note = tr("Source: {source}", source=glyphs(found.source)) if found.source != self.field.toPlainText() else ""
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def _draw_alignment(self) -> None:
        names = {MEAN: tr("all layers")}
        choices = [(one, names.get(one) or tr("layer {n}", n=one)) for one in self.model.layers]
        self.layers.set_choices(choices or [(MEAN, tr("all layers"))])
        found, hypothesis, weights = self.model.translation, self.model.hypothesis, self.model.alignment
        self.layers.setVisible(len(choices) > 1)
        self.drawings.setVisible(weights is not None)
        for kind, button in self._export.items():
            button.setVisible(weights is not None and kind == self.drawings.value)
        if found is None or hypothesis is None or weights is None:
            return
        self.alignment_card.set_title(tr("Alignment"), glyphs(hypothesis.text))
        rows, columns = [*map(glyphs, hypothesis.labels)], [*map(glyphs, found.labels)]
        self.map.set_map(
            weights, rows, columns, row_name=tr("target: what is written"), column_name=tr("source: what is read"),
            unit=tr("weight"), levels=(0.0, 1.0),
        )  # fmt: skip
        self.lines.links.set_links(
            weights.astype("float32"), rows, columns, names=(tr("target"), tr("source")), unit=tr("weight"), high=1.0
        )

    def _draw_measures(self, found: Measured) -> None:
        title = tr("Measures by length of the source")
        self.measures_card.set_title(title, model_name(self.model.measured_run, found.step))
        rows = [[_lengths(band), *_cells(band.measures)] for band in found.bands]
        rows.append([tr("all"), *_cells(found.measures)])
        heads = [tr("tokens of the source"), tr("pairs"), tr("exact match"), tr("right tokens"), "BLEU", "chrF"]
        self.measures.show_rows(heads, rows, marked={(len(rows) - 1, column) for column in range(len(heads))})
        self._measures_note.setText(found.problem)
        self._measures_note.setVisible(bool(found.problem))

    def _select(self, row: int) -> None:
        if row >= 0:
            self.model.selected = row
            self._draw_alignment()

    def _pick_layer(self, layer: str) -> None:
        self.model.layer = layer
        self._draw_alignment()

    def _pick_drawing(self, drawing: str) -> None:
        self._drawings.setCurrentWidget(self.map if drawing == MAP else self.lines)
        self._draw_alignment()

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.text_card, self.measures_card, self.alignment_card]


def _ignore(_value: str) -> None:
    """Do nothing: the choice is read when a work starts."""


def _lengths(band: Band) -> str:
    if band.shortest == band.longest:
        return number_text(band.longest)
    return tr("{first} to {last}", first=number_text(band.shortest), last=number_text(band.longest))


def _cells(measures: Measures) -> list[str]:
    scores = ("" if one is None else number_text(one, ".1f") for one in (measures.bleu, measures.chrf))
    return [
        number_text(measures.pairs),
        *(f"{100 * one:.1f} %" for one in (measures.exact, measures.accuracy)),
        *scores,
    ]
