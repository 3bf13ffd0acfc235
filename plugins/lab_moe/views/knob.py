"""The knob of the weight of the balance loss of a run in training: an edit acts at the next step."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.api import LabError
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.forms.rows import Knob
from lab.widgets.forms.translated import translated_setting
from lab.widgets.readings.context import LiveSetting, ViewContext

NAME = "balance"
"""The name of the setting in every architecture and mixer: weight of the loss that spreads tokens over experts."""


class BalanceKnob(QWidget):
    """The knob, if the model of the run has this setting.

    Args:
        context: The run and its live settings.
    """

    replaced = Signal()
    """The knob was replaced or removed."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._context = context
        self._path = ""
        self._original: Any = None
        self._shown: Any = None  # the value of the run when the knob was last set
        self._model = -1
        self.knob: Knob | None = None
        self.reason = ""
        """The reason why it cannot be used; "" if it can, or if there is none."""
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)

    def refresh(self) -> None:
        """Show the current coefficient of the run."""
        settings = self._context.live_settings
        path = next((path for path in settings if path.rpartition(".")[2] == NAME), "")
        if self.knob is None or self._model != self._context.model_number:
            self._model = self._context.model_number
            self._take(path, settings.get(path))
        if self.knob is None:
            return
        if path == self._path and settings[path].value != self._shown:
            self._shown = settings[path].value
            self.knob.show_value(self._shown, self._original)
        trains = self._context.trains
        self.reason = "" if trains else tr("The coefficient can only be changed while the run trains.")
        self.knob.setEnabled(trains)
        self.setToolTip(plain_tip(self.reason) if self.reason else "")

    def _take(self, path: str, live: LiveSetting | None) -> None:
        """Make the knob of a setting; None makes none."""
        self._shown = None
        self._original = None if live is None else live.original
        known = self.knob
        setting = None if live is None else translated_setting(live.setting)
        if setting is not None and known is not None and path == self._path and known.setting == setting:
            return
        self._path = path
        if known is not None:
            self._rows.removeWidget(known)
            known.blockSignals(True)  # as it hides, it would give what was typed to the model that is shown now
            known.hide()
            known.deleteLater()
            self.knob = None
        if setting is not None:
            self.knob = Knob(setting, tr("Balance coefficient"))
            self.knob.given.connect(self._give)
            self.knob.back.connect(self._go_back)
            self.knob.cancelled.connect(self._show_again)
            self._rows.addWidget(self.knob)
        self.replaced.emit()

    def _give(self, _name: str, value: Any) -> None:
        """Change the coefficient of the run from its next step on."""
        if self.knob is None or not self._context.trains:
            return
        try:
            self._context.change_setting(self._path, value)
        except LabError as error:
            self.knob.show_problem(error.problem)
        else:
            self.knob.accept(value)

    def _go_back(self, name: str) -> None:
        self._give(name, self._original)

    def _show_again(self, _name: str) -> None:
        assert self.knob is not None  # the one that was cancelled
        self.knob.accept(self.knob.value)
