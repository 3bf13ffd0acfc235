"""The view of a network as a graph: the drawing, Back and Step, and the formula of the step with its numbers."""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import token_font
from lab.widgets.readings.base import ReadingView
from lab_feedforward.views.network_graph import NetworkGraph
from lab_feedforward.views.steps import Graph, Kind, Step, graph_of, steps_of


class NetworkView(ReadingView):
    """One example on its way through the network and back; the step stays where it is while the model trains."""

    least_height = 300

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.graph: Graph | None = None
        self.steps: list[Step] = []
        self.position = 0
        self.drawing = NetworkGraph()
        self._gradients = Button(tr("gradients"), hint=tr("Show gradients on edges and units in place of weights"))
        self._gradients.setCheckable(True)
        self._gradients.toggled.connect(self._show_gradients)
        self.add_option(self._gradients)
        self.back = Button(tr("Back"), hint=tr("The step before"), role="")
        self.next = Button(tr("Step"), hint=tr("The next step of the walk"), role="")
        self.to_loss = Button(tr("Loss"), hint=tr("Go to the loss, where the way back begins"))
        self.to_end = Button(tr("End"), hint=tr("Go to the last step"))
        self.back.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self.to_loss.clicked.connect(self._go_to_loss)
        self.to_end.clicked.connect(self._go_to_end)
        self._where = label("", "note")
        self.formula, self.numbers = label("", "strong"), label("", "")
        for one in (self.formula, self.numbers):
            one.setWordWrap(True)
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            follow_type(one, _fit)
        self._empty = label(tr("This reading holds no walk through a network."), "dim")
        row = QHBoxLayout()
        row.setSpacing(6)
        for button in (self.back, self.next, self.to_loss, self.to_end):
            row.addWidget(button)
        row.addWidget(self._where, 1)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._empty)
        layout.addWidget(self.drawing, 1)
        layout.addLayout(row)
        layout.addWidget(self.formula)
        layout.addWidget(self.numbers)
        self._empty.hide()

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
        """Show the walk of an inspection at the position of the last one."""
        del labels
        self.graph = graph_of(readings)
        self.steps = [] if self.graph is None else steps_of(self.graph)
        self._empty.setVisible(self.graph is None)
        self._go_to(self.position)

    def set_layer(self, layer: int | None) -> None:
        """Show all layers, whichever is selected."""

    def choose_as(self, other: Self) -> None:
        """Show the step of another view."""
        self._gradients.setChecked(other._gradients.isChecked())
        self._go_to(other.position)

    def _go_back(self) -> None:
        self._go_to(self.position - 1)

    def _go_on(self) -> None:
        self._go_to(self.position + 1)

    def _go_to_loss(self) -> None:
        at = next((number for number, step in enumerate(self.steps) if step.kind is Kind.LOSS), 0)
        self._go_to(at)

    def _go_to_end(self) -> None:
        self._go_to(len(self.steps) - 1)

    def _go_to(self, position: int) -> None:
        last = len(self.steps) - 1
        self.position = max(0, min(position, last))
        self.back.setEnabled(self.position > 0)
        self.next.setEnabled(self.position < last)
        if self.graph is None:
            return
        step = self.steps[self.position]
        self.drawing.show_graph(self.graph, self.steps, self.position)
        way = tr("forward") if step.is_forward else tr("backward")
        count = tr("step {n} of {all}", n=number_text(self.position + 1), all=number_text(len(self.steps)))
        self._where.setText(f"{way} · {count}")
        self.formula.setText(step.formula)
        self.numbers.setText(step.numbers)

    def _show_gradients(self, on: bool) -> None:
        self.drawing.shows_gradients = on
        self.drawing.update()
        self.picked.emit()


def _fit(text: QLabel) -> None:
    """Set the font of a line of the step, with room for two lines, so that the drawing does not move at each step."""
    text.setFont(token_font())
    text.setMinimumHeight(2 * text.fontMetrics().lineSpacing())
    text.setAlignment(Qt.AlignmentFlag.AlignTop)
