"""The menu of presets in Play's panel: choose, save, rename, delete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from lab.base.problems import LabError
from lab.shell.play.decoding import DecodingDraft
from lab.widgets.core.controls import Button, ElidedButton, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.workbench.texts.presets import (
    BUILT_IN,
    LONGEST_NAME,
    delete_preset,
    own_presets,
    rename_preset,
    save_preset,
)


class PresetsMenu(QWidget):
    """A button that names the preset in use and opens the menu, and a row in which a name is typed.

    Args:
        draft: The decoding, which a preset changes.
    """

    picked = Signal(object)
    """The preset that the user chose."""

    def __init__(self, draft: DecodingDraft) -> None:
        super().__init__()
        self._draft = draft
        self._presets: dict[str, dict[str, Any]] = {}
        self._finish: Callable[[str], None] = self._save
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill)
        self.button = ElidedButton(role="")
        self.button.setMenu(self.menu)
        self.name = QLineEdit()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setAccessibleName(tr("Name of the preset"))
        self.name.setPlaceholderText(tr("Name of the preset"))
        self.name.setAcceptDrops(False)  # the window opens what is dropped
        self.name.returnPressed.connect(self._take_name)
        self.accept = Button(tr("Save"), role="")
        self.accept.clicked.connect(self._take_name)
        cancel = Button(hint=tr("Cancel"), icon_name="close")
        cancel.clicked.connect(self._close_row)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.row = QWidget()
        row = QHBoxLayout(self.row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.name, 1)
        row.addWidget(self.accept)
        row.addWidget(cancel)
        self.row.hide()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.button)
        rows.addWidget(self.row)
        rows.addWidget(self._problem)
        self.refresh()

    def refresh(self) -> None:
        """Show which preset is in use."""
        current = self._current()
        face = tr("own choice") if current is None else _title(current)
        self.button.set_full_text(
            tr("Preset: {name}", name=face), tail=" ▾", hint=tr("Presets of strategy and filters")
        )

    def read(self) -> None:
        """Read the presets of the user again."""
        self._presets = own_presets()
        self.refresh()

    def _current(self) -> str | None:
        every = {**BUILT_IN, **self._presets}
        return next((name for name, preset in every.items() if self._draft.matches(preset)), None)

    def _fill(self) -> None:
        """Make the menu, from what is stored now."""
        self.read()
        current = self._current()
        self.menu.clear()
        for presets in (BUILT_IN, self._presets):
            for name, preset in presets.items():
                action = self.menu.addAction(_title(name).replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(name == current)
                action.triggered.connect(partial(self._choose, preset))
            self.menu.addSeparator()
        self.menu.addAction(tr("Save as…"), partial(self._ask, "", tr("Save"), self._save))
        if current in self._presets:
            rename = partial(self._rename, current)
            self.menu.addAction(tr("Rename “{name}”…", name=current), partial(self._ask, current, tr("Rename"), rename))
            self.menu.addAction(tr("Delete “{name}”", name=current), partial(self._do, partial(delete_preset, current)))

    def _choose(self, preset: Mapping[str, Any]) -> None:
        self._close_row()
        self.picked.emit(preset)

    def _ask(self, name: str, accept: str, finish: Callable[[str], None]) -> None:
        """Ask for a name; `finish` gets it."""
        self._finish = finish
        self._problem.hide()
        self.name.setText(name)
        self.accept.setText(accept)
        self.row.show()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_name(self) -> None:
        self._finish(self.name.text().strip())

    def _save(self, name: str) -> None:
        self._do(partial(save_preset, name, self._draft.state_dict()))

    def _rename(self, name: str, new: str) -> None:
        self._do(partial(rename_preset, name, new))

    def _do(self, change: Callable[[], None]) -> None:
        """Change what is stored, and show why it cannot be."""
        try:
            change()
        except LabError as error:
            self._problem.setText(problem_line(error.problem))
            self._problem.show()
            return
        self._close_row()
        self.read()

    def _close_row(self) -> None:
        self.row.hide()
        self._problem.hide()


def _title(name: str) -> str:
    """Return the title of a preset; the built-in ones have translated titles."""
    built_in = {
        "greedy": tr("greedy"), "pure sampling": tr("pure sampling"), "top-k 40": tr("top-k 40"),
        "nucleus 0.9": tr("nucleus 0.9"), "careful": tr("careful"), "creative": tr("creative"),
    }  # fmt: skip
    return built_in.get(name, name)
