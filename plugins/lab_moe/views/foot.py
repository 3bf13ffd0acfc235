"""The foot of the routing view: the balance coefficient of the run, and the experts that are switched off."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QWidget

from lab.widgets.core.theme import INSIDE
from lab.widgets.readings.base import Line
from lab.widgets.readings.context import ViewContext
from lab_moe.views.knob import BalanceKnob
from lab_moe.views.routing import RoutingView
from lab_moe.views.switches import ExpertSwitches

WIDE = 560
"""Least width of the card at which the message stands at the right of the knob."""
LOW = 210
"""Least height of the card at which the knob is shown."""
KNOB = 264
"""Width of the knob in pixels in a wide card."""


class RoutingFoot(QWidget):
    """The knob, the experts that are switched off, and the loss of the model without them.

    Args:
        context: The run, its live settings and its model; its view is a RoutingView.
    """

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._context = context
        self._view: RoutingView = context.view
        self._model = context.model_number
        self.balance = BalanceKnob(context)
        self.switches = ExpertSwitches(context, self)
        self.reason = Line()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(INSIDE)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._wide: bool | None = None
        self._view.switched.connect(self.switches.switch)
        self.switches.changed.connect(self._mark)
        self.balance.replaced.connect(self._arrange)
        self._arrange()
        self._mark()

    def refresh(self) -> None:
        """Show the current state of the run, and fit the card."""
        if self._model != self._context.model_number:
            self._model = self._context.model_number
            self.switches.reset()
        self.balance.refresh()
        self.reason.set_full_text(self.balance.reason)
        self._arrange()

    def _arrange(self) -> None:
        """Put the message at the right of the knob, or below it in a narrow card; a low card has no knob."""
        width, height = self._context.card_size
        wide = width >= WIDE
        self.balance.setVisible(self.balance.knob is not None and height >= LOW)
        if wide == self._wide:
            return
        self._wide = wide
        message, buttons = self.switches.message, self.switches.buttons
        for part in (self.balance, buttons, message, self.reason):
            self._grid.removeWidget(part)
        if wide:
            self._grid.addWidget(self.balance, 0, 0, 2, 1)
            self._grid.addWidget(message, 0, 1)
            self._grid.addWidget(buttons, 0, 2)
            self._grid.addWidget(self.reason, 1, 1)
        else:
            self._grid.addWidget(self.balance, 0, 0, 1, 2)
            self._grid.addWidget(buttons, 0, 2)
            self._grid.addWidget(message, 1, 0, 1, 3)
            self._grid.addWidget(self.reason, 2, 0, 1, 3)
        self.balance.setMinimumWidth(KNOB if wide else 0)
        self.balance.setMaximumWidth(KNOB if wide else self.maximumWidth())
        self.switches.set_wide(wide)
        self.reason.setVisible(wide)  # in a narrow card the tool tip of the knob shows it

    def _mark(self) -> None:
        self._view.set_off(self.switches.off)
