"""The right dock of Inspect: the step, what it is compared with, the block, the probe text, and the gallery."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit

from lab.base.problems import Problem
from lab.shell.inspect.gallery.entries import VIEWS
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.gallery.view import Gallery
from lab.shell.inspect.model import InspectModel
from lab.widgets.core.controls import Button, ChoiceBox, label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.core.theme import px, token_font
from lab.widgets.timeline.timeline import TimelineBar
from lab.workbench.access.text_use import TextUse


class InspectPanel(SidePanel):
    """The controls of Inspect. What the user selects goes into the model, and then a signal says so.

    Args:
        model: The state of Inspect.
    """

    step_selected = Signal()
    pin_clicked = Signal()
    comparison_selected = Signal()
    block_selected = Signal()
    text_submitted = Signal()
    readings_selected = Signal()
    restored = Signal()

    def __init__(self, model: InspectModel) -> None:
        super().__init__(tr("What is shown"), scrolls=True)
        self._model = model
        self._blocks: list[int] = []
        self._wanted_block: int | None = None  # what the user selected; another model may lack it
        self._add_timeline()
        self._add_comparison()
        self._add_block()
        self._add_text()
        self.rows.addSpacing(8)
        self.gallery = Gallery()
        self.rows.addWidget(self.gallery)
        self.rows.addStretch()
        note = label(tr("Maps show where information may come from, not why."), "note")
        note.setWordWrap(True)
        self.foot.addWidget(note)
        self._show_step()

    def _add_timeline(self) -> None:
        self.timeline = TimelineBar()
        self.timeline.moved.connect(self._select_step)
        self.timeline.pin_requested.connect(self.pin_clicked)
        self.rows.addWidget(self.timeline)

    def _add_comparison(self) -> None:
        self._comparison = ChoiceBox()
        self._comparison.setToolTip(tr("Another run on the same text, at the same step where it recorded snapshots"))
        self._comparison.addItem(tr("nothing"), "")
        self._comparison.setEnabled(False)
        self._comparison.currentIndexChanged.connect(self.comparison_selected)
        self._add_choice(tr("Compare"), self._comparison)

    def _add_block(self) -> None:
        self._block = ChoiceBox()
        self._block.setEnabled(False)
        self._block.currentIndexChanged.connect(self._select_block)
        self._add_choice(tr("Block"), self._block)

    def _add_choice(self, name: str, choice: ChoiceBox) -> None:
        choice.setAccessibleName(name)
        row = QHBoxLayout()
        row.addWidget(label(name, "strong"), 2)
        row.addWidget(choice, 3)
        self.rows.addLayout(row)

    def _add_text(self) -> None:
        self.rows.addSpacing(8)
        self._text_label = label("", "strong")
        self.rows.addWidget(self._text_label)
        self._text = QPlainTextEdit()
        self._text.setFont(token_font())
        follow_type(self._text, lambda text: text.setFixedHeight(px(64)))
        self._text.setTabChangesFocus(True)
        self._text.setAcceptDrops(False)  # the window opens what is dropped
        self._text.textChanged.connect(self._text_edited)
        self.rows.addWidget(self._text)
        self._own_text = label("", "note")
        self._own_text.setWordWrap(True)
        self.rows.addWidget(self._own_text)
        self._cut = label("", "note")
        self._cut.setWordWrap(True)
        self._cut.hide()
        self.rows.addWidget(self._cut)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.rows.addWidget(self._problem)
        self._submit = Button(tr("Inspect text"), hint=tr("Inspect the model on this text"), role="")
        self._submit.clicked.connect(self._submit_text)
        self.rows.addWidget(self._submit, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_use(TextUse.PROMPT)

    # -------------------------------------------------------------------------------------------- what the place shows

    def show_steps(self) -> None:
        """Show the steps of the model's run, and the selected one."""
        steps, recorded = self._model.steps, self._model.recorded
        self.timeline.set_snapshots(steps, steps.index(recorded[0]) if recorded else len(steps))
        self._show_step()

    def show_use(self, use: TextUse) -> None:
        """Show what the model does with the text: reads it, adds a target to it, or reads the row of this number."""
        is_source = use is TextUse.SOURCE
        named = tr("Source") if is_source else tr("Example") if use.is_of_rows else tr("Probe text")
        self._text_label.setText(named)
        self._text.setAccessibleName(named)
        pair = tr("Empty: the first pair of the validation rows")
        row = tr("Number of a validation row; empty: the first")
        start = tr("Empty: the start of the validation text")
        self._text.setPlaceholderText(pair if is_source else row if use.is_of_rows else start)
        own_row = tr("Snapshots are recorded on the first validation row.")
        own_text = tr("Snapshots are recorded on the run's own probe text.")
        self._own_text.setText(own_row if use.is_of_rows else own_text)
        self._submit.setText(tr("Inspect example") if use.is_of_rows else tr("Inspect text"))

    def show_step(self, step: int) -> None:
        """Show the step of the readings, and how far the run is ahead of them; `now` then reads its model again."""
        behind = self._model.steps_behind
        if behind:
            text = tr_n("step {step} · 1 step behind", "step {step} · {n} steps behind", behind, step=number_text(step))
        else:
            text = tr("step {step}", step=number_text(step))
        self.timeline.show_status(text)
        is_waiting = self._model.requests.pending
        self.timeline.now.setEnabled(self._model.step is not None or (behind > 0 and not is_waiting))

    def show_read(self, read: int, given: int) -> None:
        """Show how much of a probe text is read, where that is not all of it.

        Args:
            read: The number of its first tokens that are read.
            given: The number of its tokens; 0 without one.
        """
        text = tr("the first {read} of {given} tokens", read=number_text(read), given=number_text(given))
        self._cut.setText(text if given > read else "")
        self._cut.setVisible(given > read)

    @property
    def compared_run(self) -> str:
        """The key of the run to compare with; "" for none."""
        return str(self._comparison.currentData() or "")

    def offer_runs(self, runs: Sequence[tuple[str, str]], selected: str) -> None:
        """Offer runs to compare with.

        Args:
            runs: Key and name of each.
            selected: The key of the one that is compared; "" for none.
        """
        offered = [("", tr("nothing")), *runs]
        box = self._comparison
        with QSignalBlocker(box):
            if offered != [(box.itemData(index), box.itemText(index)) for index in range(box.count())]:
                box.clear()
                for key, name in offered:
                    box.addItem(name, key)
            box.setCurrentIndex(max(0, box.findData(selected)))
        box.setEnabled(bool(runs))

    def offer_blocks(self, blocks: Sequence[int]) -> None:
        """Offer the blocks that report; the one that the user selected is shown whenever it is among them."""
        if list(blocks) == self._blocks:
            return
        selected = self._wanted_block
        self._blocks = list(blocks)
        with QSignalBlocker(self._block):
            self._block.clear()
            for block in blocks:
                self._block.addItem(tr("{n} of {all}", n=block + 1, all=blocks[-1] + 1), block)
            self._block.setCurrentIndex(max(0, self._block.findData(selected)) if blocks else -1)
        self._model.block = self._block.currentData()
        self._block.setEnabled(len(blocks) > 1)

    def select_block(self, block: int) -> None:
        """Select a block that reports."""
        self._block.setCurrentIndex(max(0, self._block.findData(block)))

    def want_readings(self, keys: Sequence[Key]) -> None:
        """Show these cards, now or as soon as they are offered."""
        self._model.readings.want(keys)
        self.readings_selected.emit()

    def show_problem(self, problem: Problem | None) -> None:
        """Show why nothing newer is shown; None removes that."""
        self._problem.setText("" if problem is None else problem_line(problem))
        self._problem.setVisible(problem is not None)
        refresh_style(self._text, "state", "bad" if problem is not None and self._model.text else "")

    # ------------------------------------------------------------------------------------------- what the user selects

    def _select_step(self) -> None:
        self._model.select_step(self.timeline.step)
        self._show_step()
        self.step_selected.emit()

    def _show_step(self) -> None:
        """Show the selected step; the text can be edited only where a model reads it."""
        step, is_recorded = self._model.step, self._model.is_recorded
        self.timeline.now.setEnabled(step is not None)
        if step is not None:
            self.show_step(step)
        elif self._model.steps_behind and self._model.shown is not None:
            self.show_step(self._model.shown.inspection.step)
        self._text.setEnabled(not is_recorded)
        self._own_text.setVisible(is_recorded)
        self._text_edited()

    def state_dict(self) -> dict[str, Any]:
        """Return the probe text, the selected question, and what was switched in the gallery."""
        model = self._model
        cards = {
            view: {json.dumps([key[0], *key[1]]): on for key, on in switched.items()}
            for view, switched in model.readings.switched.items()
        }
        return {"text": model.text, "question": model.readings.view, "cards": cards, "probes": model.probes.switched}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; what is unknown is left out."""
        text, view = state.get("text"), state.get("question")
        if isinstance(text, str):
            self._model.text = text
            self._text.setPlainText(text)
        self._model.readings.switched = {
            view: {_key_of(stored): on for stored, on in switched.items()}
            for view, switched in _switched(state.get("cards")).items()
        }
        self._model.probes.switched = _switched(state.get("probes"))
        if view in VIEWS and view != self._model.readings.view:
            self._model.select_view(view)
        self.restored.emit()

    def _select_block(self) -> None:
        self._model.block = self._wanted_block = self._block.currentData()
        self.block_selected.emit()

    def _text_edited(self) -> None:
        self._submit.setEnabled(not self._model.is_recorded and self._text.toPlainText() != self._model.text)

    def _submit_text(self) -> None:
        self._model.text = self._text.toPlainText()
        self._submit.setEnabled(False)
        self.text_submitted.emit()


def _switched(stored: Any) -> dict[str, dict[str, bool]]:
    """Return stored switches by view and name, without what is none."""
    found = stored if isinstance(stored, dict) else {}
    return {
        view: {name: on for name, on in switches.items() if isinstance(on, bool)}
        for view, switches in found.items()
        if view in VIEWS and isinstance(switches, dict)
    }


def _key_of(stored: str) -> Key:
    """Return the key of a card that was stored as JSON; one that cannot be read is no card's."""
    try:
        identity, *axes = json.loads(stored)
    except (ValueError, TypeError):
        return stored, ()
    return str(identity), tuple(map(str, axes))
