"""The knob: one setting in one row, with the problem of its entry below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from lab.api import Setting
from lab.base import Problem
from lab.widgets.core.controls import Button, label, plain_tip, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import ROW, control_height, px
from lab.widgets.forms.browse import BrowseButton, PickRun
from lab.widgets.forms.row_parts import Caption, Choice, Field, MarkableRow, Slider, Switch, WayBack
from lab.widgets.forms.values import number, shown, slider_values

UNKNOWN = object()
"""The preset's value if the preset has no such setting."""
PASSING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.MenuBarFocusReason)
"""Reasons of a temporary loss of focus."""


HALF = 96
"""The smallest width of a field for anything but a number, in pixels."""
LONG = 100
"""A text that may have at least this many characters gets the full width."""


def options_of(setting: Setting) -> list[tuple[Any, str]]:
    """Return the values of a choice with their labels."""
    values = (False, True) if setting.kind == "bool" else setting.choices
    names = {True: tr("on"), False: tr("off")}
    options = [(value, _name_of(setting, value, names)) for value in values]
    return [(None, tr("none")), *options] if setting.optional else options


def _fit_rows(knob: Knob, *, full: bool) -> None:
    """Give the lines of a knob the height of the size of the type; a full one has a line for its field."""
    grid = knob.layout()
    row = control_height(ROW)
    upper = px(17) if knob._slider else control_height(ROW - 6) if knob._browse else row
    if isinstance(grid, QGridLayout):
        grid.setRowMinimumHeight(0, upper)
        grid.setRowMinimumHeight(1, row if full else max(0, row - upper))
    knob._caption.setFixedHeight(upper)


def _name_of(setting: Setting, value: Any, names: Mapping[bool, str]) -> str:
    if isinstance(value, bool):
        return names[value]
    return str(setting.names[value]) if value in setting.names else str(value).replace("_", " ")


def mark_text() -> str:
    """Return the meaning of the mark at a row."""
    return tr("It shapes the selected part of the model.")


def plain_value(setting: Setting, value: Any) -> Any:
    """Return the value in the control of a setting: the kind of a table, or whether there is one."""
    if setting.kind == "union":
        return value.get("kind") if isinstance(value, dict) else None
    return value is not None if setting.kind == "group" else value


def format_for(setting: Setting, value: Any) -> str:
    """Return a value as text, for tool tips and help."""
    if value is None:
        return tr("none")
    if setting.kind in ("bool", "choice", "union"):
        plain = getattr(value, "kind", value)
        return next((text for option, text in options_of(setting) if option == plain), str(plain))
    text = shown(setting, value) or tr("empty")
    return localized(text) if setting.kind in ("int", "float") else text


class Knob(MarkableRow):
    """One row: name, slider, field or choice with its unit, and a button that resets it to the preset's value.

    For a union it is the choice of the kind, for an optional group the switch.

    Args:
        setting: The setting that it edits.
        name: Its label; "" for the title of the setting.
        pick_run: Makes the button by which a run is picked, for a setting that names one; None for no button.
    """

    given = Signal(str, object)
    """Name of the setting and the entered value, not validated yet."""
    back = Signal(str)
    """The user requested the preset's value."""
    cancelled = Signal(str)
    """The user discarded an entry."""
    focused = Signal(object)

    def __init__(self, setting: Setting, name: str = "", pick_run: PickRun | None = None) -> None:
        super().__init__()
        self._pick_run = pick_run
        name = name or setting.title
        self.setting = setting
        self.value: Any = UNKNOWN
        self._resolved: Any = None
        self.base: Any = UNKNOWN
        unit = tr_registered(setting.unit or "")
        self._caption = Caption(name, "" if unit.lower() in name.lower() else unit)
        self._slider: Slider | None = None
        self._browse: Button | None = None
        self.control = self._make_control()
        self._back = WayBack()
        self._reason = label("", "bad")
        self._reason.setWordWrap(True)
        self._reason.setContentsMargins(0, 0, 0, 6)
        self._reason.hide()
        self._name_controls(name)
        self._lay_out()
        self.control.given.connect(self._give)
        self._back.clicked.connect(self._go_back)
        for control in self.controls:
            control.installEventFilter(self)

    @property
    def controls(self) -> list[QWidget]:
        """The widgets that can have the focus, from left to right."""
        browse = [self._browse] if self._browse else []
        return [*([self._slider] if self._slider else []), self.control, *browse, self._back]

    @property
    def differs(self) -> bool:
        """True if the value differs from the preset's."""
        return self.base is not UNKNOWN and self._plain(self.value) != self._plain(self.base)

    def show_value(self, value: Any, base: Any, resolved: Any = None) -> bool:
        """Show value and preset's value; an unfinished or refused entry stays while the value is unchanged.

        Args:
            value: The value.
            base: The preset's value.
            resolved: The value in use where `value` means an automatic one; None if it is not known.

        Returns:
            True if a refused entry was replaced by another value.
        """
        news = self.value is UNKNOWN or self._plain(value) != self._plain(self.value)
        self._resolve(resolved, pending=self.control.is_changed or not self._reason.isHidden())
        self.value, self.base = value, base
        is_typed = self.control.is_changed and self.control.hasFocus()
        dropped = news and not is_typed and not self._reason.isHidden()
        if news:
            self.control.show_value(self._plain(value), force=not (is_typed or (self._slider and self._slider.is_held)))
        if dropped:
            self.show_problem(None)
        if self._slider and not self.control.is_changed:
            self._slider.show_value(value)
        self._show_way_back()
        return dropped

    def _resolve(self, resolved: Any, *, pending: bool) -> None:
        """Show another automatic value, unless an entry is pending."""
        if isinstance(self.control, Field) and resolved != self._resolved:
            self._resolved = self.control.resolved = resolved
            if self.value is not UNKNOWN and not pending:
                self.control.show_value(self.value)

    def accept(self, value: Any) -> None:
        """Show an accepted value in place of the entry."""
        self.value = value
        self.control.show_value(self._plain(value), force=not (self._slider and self._slider.is_held))
        if self._slider:
            self._slider.show_value(value)
        self.show_problem(None)
        self._show_way_back()

    def show_problem(self, problem: Problem | None) -> None:
        """Show a problem with the entry below the row; None for none."""
        text = problem_line(replace(problem, field=None, value=None, trace=None)) if problem else ""
        self._reason.setText(text[:1].upper() + text[1:])
        self._reason.setVisible(problem is not None)
        self._describe()
        refresh_style(self.control, "state", "bad" if problem else "")

    def set_marked(self, marked: bool) -> None:
        """Show or remove the mark of a setting that shapes the selected part of the model."""
        super().set_marked(marked)
        self._describe()

    def _describe(self) -> None:
        """Describe the setting for screen readers: its mark, and what is wrong with its entry or what it does."""
        mark = mark_text() if self.is_marked else ""
        text = self._reason.text() or self.setting.help
        self.control.setAccessibleDescription(" ".join(filter(None, (mark, text))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus, discard an entry on Escape, and pass keys that the control does not need to the window."""
        if isinstance(event, QFocusEvent):
            if event.type() == QEvent.Type.FocusIn:
                self.focused.emit(self.setting)
            elif event.reason() not in PASSING:
                self.focused.emit(None)
        elif isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return self._handle_key(watched, event)
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give the focus to the control whose name, or the space beside it, is pressed."""
        event.accept()
        self.control.setFocus(Qt.FocusReason.MouseFocusReason)

    def _handle_key(self, watched: QObject, event: QKeyEvent) -> bool:
        pending = self.control.is_changed or not self._reason.isHidden()
        before_shortcuts = event.type() == QEvent.Type.ShortcutOverride
        if event.key() == Qt.Key.Key_Escape and pending:
            event.accept()
            if not before_shortcuts:
                self.cancelled.emit(self.setting.name)
            return True
        if not before_shortcuts:
            return False
        if event.key() == Qt.Key.Key_Space and not isinstance(watched, Field):
            event.accept()
            return True
        undo = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
        if undo and not pending:  # the field has nothing to undo, so the key is meant for the window
            event.ignore()
            return True
        return False

    def _plain(self, value: Any) -> Any:
        return plain_value(self.setting, value)

    def _give(self, plain: Any) -> None:
        if not isinstance(self.control, Switch):
            self.control.is_given = True
        if self.setting.kind == "union":
            plain = None if plain is None else {"kind": plain}
        elif self.setting.kind == "group":
            plain = {} if plain else None
        self.given.emit(self.setting.name, plain)

    def _go_back(self) -> None:
        if self._back.hasFocus():
            self.control.setFocus(Qt.FocusReason.OtherFocusReason)
        self.back.emit(self.setting.name)

    def _show_way_back(self) -> None:
        self._back.setVisible(self.differs)
        if self.differs:
            base = self._plain(self.base)
            text = tr("on") if base is True else tr("off") if base is False else format_for(self.setting, base)
            self._back.setToolTip(plain_tip(tr("Differs from {value}; click to use that", value=text)))
            name = self.control.accessibleName()
            self._back.setAccessibleName(tr("{name}: back to the preset's {value}", name=name, value=text))

    def _make_control(self) -> Field | Switch | Choice:
        kind, optional = self.setting.kind, self.setting.optional
        if kind in ("choice", "union") or (kind == "bool" and optional):
            return Choice(options_of(self.setting))
        if kind in ("bool", "group"):
            return Switch()
        field = Field(self.setting)
        if self.setting.path:
            browse = self._browse = BrowseButton(self.setting.title)
            browse.picked.connect(self._pick)
        elif self.setting.run and self._pick_run is not None:
            self._browse = self._pick_run(self.setting.title, self._pick)
        values = slider_values(self.setting) if kind in ("int", "float") else ()
        if len(values) > 1:
            self._slider = Slider(values)
            self._slider.moved.connect(self._follow)
            self._slider.given.connect(self._give)
            self._slider.stepped.connect(self._step)
        return field

    def _pick(self, path: str) -> None:
        if isinstance(self.control, Field):
            self.control.setText(path)
            self._give(path)

    def _follow(self, value: float) -> None:
        if isinstance(self.control, Field):
            self.control.setText(localized(number(value)))

    def _step(self, steps: int, far: bool) -> None:
        if isinstance(self.control, Field):
            self.control.step(steps, far=far)

    def _name_controls(self, name: str) -> None:
        unit = tr_registered(self.setting.unit or "")
        full = tr("{name}, {unit}", name=name, unit=unit) if unit else name
        self.control.setAccessibleName(full)
        self._caption.setToolTip(plain_tip(f"{full}\n{self.setting.help}"))
        self._describe()
        if self._slider:
            self._slider.setAccessibleName(tr("{name}, slider", name=name))

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(1, 8)
        grid.setColumnMinimumWidth(3, self._back.width())
        named = self.setting.path or self.setting.run
        full = named or self.setting.bounds.get("max_length", 0) >= LONG  # its text gets its own line
        follow_type(self, partial(_fit_rows, full=full))
        grid.addWidget(self._caption, 0, 0)
        if self._slider:
            grid.addWidget(self._slider, 1, 0)
        right = Qt.AlignmentFlag.AlignVCenter
        if isinstance(self.control, Switch) or (isinstance(self.control, Field) and self.control.is_number):
            right |= Qt.AlignmentFlag.AlignRight
        else:
            self.control.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self.control.setMinimumWidth(HALF)
            grid.setColumnStretch(2, 3)
        if self._browse:
            grid.addWidget(self._browse, 0, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        if full:
            grid.addWidget(self.control, 1, 0, 1, 3, Qt.AlignmentFlag.AlignVCenter)
        else:
            grid.addWidget(self.control, 0, 2, 2, 1, right)
        grid.addWidget(self._back, 1 if full else 0, 3, 1 if full else 2, 1, Qt.AlignmentFlag.AlignCenter)
        grid.addWidget(self._reason, 2, 0, 1, 4)
