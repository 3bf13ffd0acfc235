"""The knob of the weight of the balance loss of a run that trains: an edit of it acts at the next step."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.api import ModelConfig, Setting, settings_of
from lab.base.problems import LabError
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.forms.rows import Knob

NAME = "balance"
"""What architectures and mixers call the weight of the loss that spreads tokens evenly over experts."""


def balance_of(recipe: Recipe, plugins: Plugins) -> tuple[str, Setting, Any] | None:
    """The live setting of a recipe's architecture that is the weight of the balance loss.

    Returns:
        Its path in the recipe, what it declares, and its value; None where there is none that does anything.
    """
    choice = recipe.architecture
    try:
        config = plugins.card("architectures", choice.name).config.read(choice.settings, version=choice.version)
    except LabError:  # a plugin that is not here any more
        return None
    return next(_named(config, "architecture."), None)


def _named(config: ModelConfig, at: str) -> Iterator[tuple[str, Setting, Any]]:
    unused = type(config).unused(config.stored())
    for setting in settings_of(type(config), nested=False):
        value = getattr(config, setting.name)
        if setting.name in unused:
            continue
        if isinstance(value, ModelConfig):
            yield from _named(value, f"{at}{setting.name}.")
        elif setting.live and setting.name == NAME:
            yield f"{at}{NAME}", setting, value


class BalanceKnob(QWidget):
    """The knob, where the model of the run has such a setting.

    Args:
        plugins: Where the settings of models are found.
    """

    came = Signal()
    """There is another knob, or none any more."""

    def __init__(self, plugins: Plugins) -> None:
        super().__init__()
        self._plugins = plugins
        self._run: weakref.ref[RunModel] | None = None
        self._path = ""
        self._told: Any = None  # what the run last told of the value
        self._before: Any = None  # what its recipe says
        self.knob: Knob | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.reason = ""
        """Why it cannot be used; "" where it can, or where there is none."""

    def follow(self, view: RunModel | None, recipe: Recipe) -> None:
        """Shows the coefficient of a run as it is now.

        Args:
            view: The run; None for a model of no run.
            recipe: Of the model.
        """
        known = None if self._run is None else self._run()
        if self.knob is None or known is not view or view is None:
            self._run = None if view is None else weakref.ref(view)
            self._take(balance_of(recipe, self._plugins))
        if self.knob is None:
            return
        value = self._before if view is None else view.changed.get(self._path, self._before)
        if value != self._told:
            self._told = value
            self.knob.show_value(value, self._before)
        trains = view is not None and view.control is not None and view.state in ("running", "paused")
        self.reason = "" if trains else tr("The coefficient acts while a run trains; this one does not.")
        self.knob.setEnabled(trains)
        self.setToolTip(plain_tip(self.reason) if self.reason else "")

    def _take(self, found: tuple[str, Setting, Any] | None) -> None:
        path, setting, value = found if found is not None else ("", None, None)
        self._before, self._told = value, None
        if setting is not None and self.knob is not None and path == self._path and self.knob.setting == setting:
            return
        self._path = path
        if self.knob is not None:
            self._rows.removeWidget(self.knob)
            self.knob.hide()
            self.knob.deleteLater()
            self.knob = None
        if setting is not None:
            self.knob = Knob(setting, tr("Balance coefficient"))
            self.knob.given.connect(self._give)
            self.knob.back.connect(self._go_back)
            self.knob.cancelled.connect(self._show_again)
            self._rows.addWidget(self.knob)
        self.came.emit()

    def _give(self, _name: str, value: Any) -> None:
        """Has the run train with another coefficient from its next step on."""
        view, knob = None if self._run is None else self._run(), self.knob
        control = None if view is None else view.control
        if knob is None or control is None:
            return
        try:
            control.set(self._path, value)
        except LabError as error:
            knob.show_problem(error.problem)
        else:
            knob.accept(value)

    def _go_back(self, name: str) -> None:
        self._give(name, self._before)

    def _show_again(self, _name: str) -> None:
        if self.knob is not None:
            self.knob.accept(self.knob.value)
