"""The page Fill in of Play: a text with hidden places, and what the selected run puts there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.shell.play.working import PageWork, WorkButton, side_by_side
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, token_font
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.tokens.next_tokens import percent
from lab.widgets.tokens.surprisal import SurprisalLegend
from lab.widgets.tokens.text import ShownToken, TokenText
from lab.workbench.access.answers.fill import MARK, FilledPlace, FilledText, Order

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel

JOB = "filling in"
"""The key of the work."""
CANDIDATES = 12
"""Candidates of a place that are shown."""
LONGEST = 20_000
"""Most characters of the text that are read."""
AFTER_EDIT = 400
"""Milliseconds without typing after which the places are filled again."""


class FillPage(QWidget):
    """The page Fill in.

    Args:
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        found: The text that is shown; None before the first.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider = model_provider
        self._worker = PageWork(background, JOB, tr("Filling in"), self)
        self._worker.changed.connect(self._on_changed)
        self._ready = False
        self.found: FilledText | None = None
        self._run: RunModel | None = None
        self._make_text_card()
        self.card = Card(tr("Candidates"))
        self.places = MenuButton(tr("Hidden place"), [], self._show_place, prefix=tr("place") + " ")
        self.card.add_control(self.places)
        self.bars = BarList(tr("Candidates"), tokens=True)
        self.card.set_content(self.bars)
        side_by_side(self, self.text_card, self.card, sizes=(620, 420))
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self._fill_again)
        self._show()

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Text with hidden places"))
        orders: list[tuple[str, str]] = [("at-once", tr("all at once")), ("one-by-one", tr("one after the other"))]
        self.orders = MenuButton(tr("Order"), orders, self._change_order, prefix=tr("fill") + " ")
        self.orders.set_hints(
            {
                "at-once": tr("Every place is filled from one reading, in which all others are hidden"),
                "one-by-one": tr("The surest place first; then the text is read again"),
            }
        )
        self.text_card.add_control(self.orders)
        self.field = QPlainTextEdit()
        self.field.setFont(token_font())
        follow_type(self.field, lambda field: field.setFixedHeight(px(96)))
        self.field.setAccessibleName(tr("Text with hidden places"))
        self.field.setPlaceholderText(tr("Write {mark} where a token is missing", mark=MARK))
        self.field.setTabChangesFocus(True)
        self.field.setAcceptDrops(False)  # the window opens what is dropped
        self.field.textChanged.connect(self._on_edited)
        self.button = WorkButton(
            tr("Fill in"), hint=tr("Ask the selected run what stands at the hidden places"),
            cancel_hint=tr("Stop filling in"),
        )  # fmt: skip
        self.button.clicked.connect(self.toggle)
        hint = tr("Put {mark} at the cursor, or in place of what is selected", mark=MARK)
        self.insert = Button(tr("Hide"), hint=hint)
        self.insert.clicked.connect(self._insert_mark)
        buttons = QVBoxLayout()
        buttons.setSpacing(4)
        buttons.addWidget(self.button)
        buttons.addWidget(self.insert)
        buttons.addStretch()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addLayout(buttons)
        self._problem, self._note = label("", "bad"), label("", "note")
        self.text = TokenText()
        self.text.selected.connect(self._choose_token)
        self._nothing = label(
            tr("The text appears here with what the run puts in place of each {mark}, coloured by surprisal.",
               mark=MARK),
            "dim",
        )  # fmt: skip
        self._legend = SurprisalLegend()
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(row)
        for each in (self._problem, self._nothing, self._note):
            each.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        rows.addWidget(self._problem)
        rows.addWidget(self._nothing, 1)
        rows.addWidget(self.text, 1)
        rows.addWidget(self._legend)
        rows.addWidget(self._note)
        self.text_card.set_content(content)

    # ------------------------------------------------------------------------------------------------------- filling in

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._edited.stop()
        self._worker.close_down()

    def toggle(self) -> None:
        """Fill the hidden places, or cancel."""
        if self._worker.works:
            self._worker.cancel()
        else:
            self.start()

    def start(self) -> None:
        """Fill the hidden places of the text."""
        if not self._ready:
            return
        access, run = self._model_provider.current("play")
        text, order = self.field.toPlainText()[:LONGEST], cast("Order", self.orders.value)
        self._edited.stop()

        def fill(job: Job) -> FilledText:
            return access.fill(text, order=order, count=CANDIDATES, cancelled=lambda: job.cancelled)

        def take(found: FilledText) -> None:
            self._filled(run, found)

        self._worker.start(fill, take)

    def forget(self) -> None:
        """Drop what another run has filled in."""
        self.close_down()
        self.found = self._run = None
        self._worker.problem = ""
        self._show()

    def _filled(self, run: RunModel | None, found: FilledText) -> None:
        self.found, self._run = found, run
        self.text.clear(found.pieces[0])
        self.text.add([token for place in found.places for token in _tokens(place, found.pieces[place.index + 1])])
        self.places.set_choices([(str(place.index), _title(place)) for place in found.places])
        self._show_place(self.places.value)

    def _on_changed(self) -> None:
        if self._worker.problem:
            self.found = None
        self._show()

    def _on_edited(self) -> None:
        if self._ready and MARK[:-1] in self.field.toPlainText() and self.found is not None:
            self._edited.start()

    def _fill_again(self) -> None:
        if not self._worker.works:
            self.start()

    def _change_order(self, _value: str) -> None:
        if self.found is not None:
            self.start()

    def _insert_mark(self) -> None:
        self.field.insertPlainText(MARK)
        self.field.setFocus()

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self) -> None:
        """Show the state of the work."""
        self.button.show_work(works=self._worker.works)
        for each in (self.button, self.insert):
            each.setEnabled(self._ready)
        self._problem.setText(self._worker.problem)
        self._problem.setVisible(bool(self._worker.problem))
        known = self.found is not None
        self.text.setVisible(known)
        self._legend.setVisible(known)
        self._nothing.setVisible(not known)
        self._note.setText(_note(self.found) if self.found is not None else "")
        self._note.setVisible(known)
        self.places.setVisible(known)
        name = model_name(self._run, self.found.step) if self.found is not None else ""
        self.text_card.set_title(tr("Text with hidden places"), name)
        if known:
            self.card.show_content()
        else:
            self.card.show_empty(tr("The likeliest tokens at a hidden place appear here."))

    def _show_place(self, value: str) -> None:
        if self.found is None:
            return
        place = self.found.places[int(value)]
        bars = [
            Bar(glyphs(one.label), one.probability, (percent(one.probability),), f"{glyphs(one.label)} "
                f"{percent(one.probability)}")
            for one in place.candidates
        ]  # fmt: skip
        self.bars.set_bars([tr("token"), tr("probability")], bars)

    def _choose_token(self, index: int) -> None:
        """Show the candidates of the place whose token was clicked; the pieces of text between are tokens too."""
        if self.found is None or index < 0:
            return
        at = 0
        for place in self.found.places:
            if index == at:
                self.places.pick(str(place.index))
                return
            at += 1 + bool(self.found.pieces[place.index + 1])

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.text_card, self.card]


def _tokens(place: FilledPlace, after: str) -> list[ShownToken]:
    """Return the token of a place, and the text behind it as given."""
    first = place.candidates[0]
    known = tuple((one.label, one.text, one.probability) for one in place.candidates)
    note = tr("filled as number {n}", n=place.turn + 1) if place.turn else ""
    tokens = [ShownToken(first.label, first.text, first.probability, known, note=note)]
    if after:
        tokens.append(ShownToken(after, after, 1.0, (), is_typed=True))
    return tokens


def _title(place: FilledPlace) -> str:
    return f"{number_text(place.index + 1)}: {glyphs(place.candidates[0].label)}"


def _note(found: FilledText) -> str:
    """Return how probable the filled tokens are together, and what that is not."""
    shares = [place.candidates[0].probability for place in found.places]
    product = number_text(math.prod(shares), ".3g")
    if found.order == "one-by-one":
        return tr("Read again after each place. The product of the probabilities is {p}.", p=product)
    if len(shares) == 1:
        return tr("Probability of the token: {p}.", p=percent(shares[0]))
    return tr(
        "Every place is predicted with the others hidden, so the probabilities do not multiply to that of the text."
    )
