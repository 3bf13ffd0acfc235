"""The card of losses without a part: a table of the parts of the model, each measured by a click."""

from __future__ import annotations

import math
import time
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from lab.shell.inspect.ablation.labels import (
    column_name,
    hint,
    kind_label,
    progress_label,
    readout,
    short_note,
)
from lab.shell.inspect.ablation.measurement import Ablations
from lab.shell.inspect.ablation.model import CellState, Progress, State
from lab.shell.inspect.ablation.parts import BLOCKS, Kind, Part, Table, table_of
from lab.shell.inspect.ablation.sentence import Sentence
from lab.shell.inspect.inspection_view import ABLATION, title_of_card
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE
from lab.widgets.figures.view import ExportButton
from lab.widgets.forms.number_field import NumberField
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.part_map import Mark, PartMap

WIDE = 640
"""Width of the card from which on the sentence stands beside the menu and the button."""
PADDING = 28
"""Pixels of the button beside its text."""
HIGH = 240
"""Height of a narrow card from which on the sentence may take two lines."""
MARKS = {
    CellState.UNMEASURED: Mark.OPEN,
    CellState.WAITING: Mark.WAITING,
    CellState.RUNNING: Mark.RUNNING,
    CellState.MEASURED: Mark.NONE,
    CellState.FAILED: Mark.FAILED,
    CellState.CANCELLED: Mark.CANCELLED,
}


class AblationCard(Card):
    """A table of the parts of one kind, one row for each block, with what the loss changes without each.

    Args:
        ablations: Measures the losses.
    """

    def __init__(self, ablations: Ablations) -> None:
        super().__init__(title_of_card(ABLATION))
        self._ablations, self._model = ablations, ablations.model
        self._kind = MenuButton(tr("Parts"), [("", "")], self._select_kind)
        self.map = PartMap()
        self.map.selected.connect(self._select)
        self.map.activated.connect(self._measure)
        self._export = ExportButton(self.map)
        self._export.hide()
        self.add_control(self._export)
        self._first = NumberField()
        self._first.picked.connect(self._select_first)
        self.line = Sentence()
        self.button = Button()
        self.button.clicked.connect(self._measure_all)
        self._foot = QGridLayout()
        self._foot.setHorizontalSpacing(INSIDE)
        self._foot.setVerticalSpacing(2)
        self._shape: tuple[bool, int, bool] | None = None  # wide, lines of the sentence, with a field for a number
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.map, 1)
        rows.addLayout(self._foot)
        self.set_content(content)
        self._arrange()
        ablations.changed.connect(self.draw)
        ablations.progressed.connect(self._show_progress)
        self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        """List the parts of the model once the user sees them."""
        super().showEvent(event)
        self._ablations.list_parts()
        self.draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sentence beside the button, or above it in a narrow card."""
        super().resizeEvent(event)
        self._arrange()
        self._show_progress()

    def _arrange(self) -> None:
        is_wide = self.width() >= WIDE
        shape = is_wide, 2 if not is_wide and self.height() >= HIGH else 1, self._first.isVisibleTo(self)
        if shape == self._shape:
            return
        self._shape = shape
        self.line.set_lines(shape[1])
        parts: tuple[QWidget, ...] = (self._kind, self._first, self.line, self.button)
        for part in parts:
            self._foot.removeWidget(part)
        if is_wide:
            for column, part in enumerate(parts):
                self._foot.addWidget(part, 0, column)
        else:
            self._foot.addWidget(self.line, 0, 0, 1, 2 if shape[2] else 4)
            self._foot.addWidget(self._first, 0, 2, 1, 2)
            self._foot.addWidget(self._kind, 1, 0)
            self._foot.addWidget(self.button, 1, 2, 1, 2, Qt.AlignmentFlag.AlignRight)
        self._foot.setColumnStretch(1, 0 if is_wide else 1)
        self._foot.setColumnStretch(2, 1 if is_wide else 0)
        field = self._first.field
        for before, after in pairwise(
            (self.map, *((self._kind, field) if is_wide else (field, self._kind)), self.button)
        ):
            QWidget.setTabOrder(before, after)

    # --------------------------------------------------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Draw what is known of the model."""
        if self.isVisible():
            self._ablations.list_parts()
        state = self._model.state
        self._export.setVisible(state is State.SHOWN)
        match state:
            case State.SHOWN:
                self._draw_table()
            case State.SNAPSHOT:
                self.set_title(self.title)
                self.show_empty(
                    tr("A snapshot has readings but no weights, so no part can be left out."),
                    tr("Show the current model"),
                    self._ablations.now_requested.emit,
                )
            case State.REFUSED:
                refusal = self._model.refusal
                self.set_title(self.title)
                self.show_empty(
                    "" if refusal is None else problem_line(refusal), tr("Try again"), self._ablations.list_again
                )
            case State.NOTHING:
                self.set_title(self.title, self._ablations.name)
                self.show_empty(tr("This model has no parts that can be left out."))
            case State.LISTING:
                self.set_title(self.title, self._ablations.name)
                self.show_empty(tr("Listing the parts of the model…"))
            case State.EMPTY:
                self.show_empty(tr("The validation loss of a model without each of its heads, blocks and other parts."))

    def _draw_table(self) -> None:
        table = self._model.table
        assert table is not None  # the model offers something
        self.show_content()
        self._offer_kinds(table)
        self._first.setVisible(table.kind.is_large)
        if table.kind.is_large:
            self._first.offer(tr("from"), 1, len(table.kind.indices))
            self._first.show_index(table.first)
        self._arrange()
        self._draw_map(table)
        self._show_progress()

    def _offer_kinds(self, table: Table) -> None:
        kinds = self._model.kinds
        choices = [
            (_text_of(kind), kind_label(kind, with_blocks=table_of(kinds, key).with_blocks))
            for key, kind in kinds.items()
        ]
        self._kind.set_choices(choices)
        self._kind.show_value(_text_of(table.kind))
        self._kind.setVisible(len(choices) > 1)

    def _draw_map(self, table: Table) -> None:
        size = len(table.rows), len(table.columns)
        values = np.full(size, math.nan, np.float32)
        marks = [[Mark.NONE] * size[1] for _ in table.rows]
        notes = [[tr("no such part")] * size[1] for _ in table.rows]
        selected = (-1, -1)
        for (row, column), part in table.parts.items():
            cell = self._model.cell(part.target)
            marks[row][column] = MARKS[cell.state]
            notes[row][column] = short_note(self._kind_of(table, part), part, cell)
            if cell.change is not None:
                values[row, column] = cell.change
            if part.target == self._model.selected:
                selected = row, column
        rows = tuple(NameLabel(tr("model")) if number is None else str(number) for number in table.rows)
        columns = tuple(NameLabel(index or tr("all")) for index in table.columns)
        row_name = tr("block") if set(table.rows) != {None} else ""
        levels = _levels(values[:, 1:] if table.with_blocks else values) or _levels(values)
        self.map.set_map(
            values, rows, columns, row_name=row_name, column_name=column_name(table), unit=tr("nats"), levels=levels,
            signed=True,
        )  # fmt: skip
        self.map.set_cells(marks, notes, first_apart=table.with_blocks)
        if selected[0] >= 0 or not self.map.hasFocus():  # the keyboard stays where it is
            self.map.select(*selected)
        baseline = self._model.baseline
        as_it_is = "" if baseline is None else hint(baseline, self._ablations.tokens)
        self.map.caption = " · ".join(filter(None, (self._kind.text().removesuffix(" ▾"), as_it_is)))

    def _kind_of(self, table: Table, part: Part) -> Kind:
        """Return the kind of a part in a table, which may be a block beside the parts of another kind."""
        return table.kind if part.index else self._model.kinds[table.kind.change, BLOCKS]

    def _show_progress(self) -> None:
        """Show how far a measurement is, or what was found, and what can be done."""
        model, table = self._model, self._model.table
        if model.state is not State.SHOWN or table is None:
            return
        progress = model.progress(time.perf_counter())
        running = "" if progress is None else progress_label(progress)
        older = tr("the model is at step {step} now", step=number_text(model.step)) if model.is_older else ""
        self.set_title(self.title, " · ".join(filter(None, (self._ablations.name, older or running))))
        self.line.set_full_text(self._sentence(table, progress))
        if progress is not None:
            self._set_button(tr("Cancel"), tr("Stop measuring; measured losses stay"), "stop")
            self.button.setEnabled(True)
            return
        count = len(model.unmeasured)
        label = kind_label(table.kind, with_blocks=table.with_blocks)
        if count:
            tip = tr("Measure the loss without each of these {count} parts: {parts}", count=count, parts=label)
            self._set_button(tr("Measure {count}", count=count), tip, "start")
        else:
            self._set_button(tr("All measured"), tr("All of these parts are measured: {parts}", parts=label), "start")
        self.button.setEnabled(count > 0)

    def _set_button(self, text: str, tip: str, icon_name: str) -> None:
        """Label the button; in a narrow card it is an icon, named by its tool tip."""
        room = self.width() - 3 * INSIDE - self._kind.sizeHint().width()
        is_narrow = self.fontMetrics().horizontalAdvance(text) + PADDING > room
        face = ("", icon_name) if is_narrow else (text, "")
        if (self.button.text(), self.button.toolTip()) != (face[0], tip):
            self.button.set_face(*face, tip)

    def _sentence(self, table: Table, progress: Progress | None) -> str:
        """Return what is known of the selected part, else how far the measurement is, else what can be done."""
        model = self._model
        part = next((part for part in table.parts.values() if part.target == model.selected), None)
        cell = None if part is None else model.cell(part.target)
        is_one = progress is None or progress.count == 1
        if part is not None and cell is not None and (is_one or cell.state is CellState.MEASURED):
            return readout(self._kind_of(table, part), part, cell, model.baseline)
        if progress is None:
            return hint(model.baseline, self._ablations.tokens)
        return tr("Measured: {progress}", progress=progress_label(progress))

    # ------------------------------------------------------------------------------------------- what the user selects

    def _select_kind(self, text: str) -> None:
        self._model.select_kind(next(key for key, kind in self._model.kinds.items() if _text_of(kind) == text))
        self.map.select(-1, -1)
        self.draw()

    def _select_first(self, first: int) -> None:
        self._model.select_first(first)
        self.map.select(-1, -1)
        self.draw()

    def _part_at(self, row: int, column: int) -> Part | None:
        table = self._model.table
        return None if table is None else table.parts.get((row, column))

    def _select(self, row: int, column: int) -> None:
        part = self._part_at(row, column)
        self._model.selected = "" if part is None else part.target
        self._show_progress()

    def _measure(self, row: int, column: int) -> None:
        part = self._part_at(row, column)
        if part is not None:
            self._ablations.measure([part.target])

    def _measure_all(self) -> None:
        if self._model.is_measuring:
            self._ablations.cancel()
        else:
            self._model.selected = ""  # the sentence tells the progress
            self.map.select(-1, -1)
            self._ablations.measure(self._model.unmeasured)


def _text_of(kind: Kind) -> str:
    return ":".join(kind.key)


def _levels(values: np.ndarray) -> tuple[float, float] | None:
    """Return what the colours reach to, the same on both sides of zero; None where there is no value."""
    known = values[np.isfinite(values)]
    most = float(np.abs(known).max()) if known.size else 0.0
    return (-most, most) if most else None
