"""The fields of inputs: each has a name and a value that is typed, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QWidget

from lab.base.problems import BadInput
from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.controls import label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px, token_font
from lab.worked.expressions.values import Value, typed
from lab.worked.reading import read_value

AFTER_TYPING = 250
"""Milliseconds without typing after which values are read."""


class InputArea(VerticalScroll):
    """The fields as high as they are, up to a height beyond which they scroll.

    Args:
        fields: The fields.
        most: The height in pixels at the usual size of the type.
    """

    def __init__(self, fields: InputFields, most: int) -> None:
        self._fields, self._most = fields, most  # before the base, which starts to filter events
        super().__init__(fields)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the height of the fields, or the greatest height."""
        hint = self._fields.sizeHint()
        return QSize(hint.width(), min(px(self._most), hint.height() + 2))

    def minimumSizeHint(self) -> QSize:
        """Return the same height and a small width."""
        return QSize(px(120), self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take another height when the fields do."""
        if watched is self._fields and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class InputFields(QWidget):
    """A field for each input, in two columns of names and values."""

    edited = Signal()
    """Values changed, and all of them can be read."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[str, Value] = {}
        self._fields: dict[str, QLineEdit] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._later = QTimer(self, singleShot=True, interval=AFTER_TYPING)
        self._later.timeout.connect(self.read)

    @property
    def values(self) -> Mapping[str, Value]:
        """The last values that could be read, by name."""
        return self._values

    def field(self, name: str) -> QLineEdit:
        """Return the field of an input."""
        return self._fields[name]

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show inputs; fields whose names stay are kept, so that the focus stays where it is."""
        self._later.stop()
        if list(values) != list(self._fields):
            self._rebuild(list(values))
        for name, value in values.items():
            text = typed(value)
            if self._fields[name].text() != text:
                self._fields[name].setText(text)
                self._fields[name].setCursorPosition(0)
        self._values = dict(values)
        self._show_problem("", "")

    def _rebuild(self, names: list[str]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self._problem:
                widget.hide()
                widget.deleteLater()
        self._fields = {}
        for row, name in enumerate(names):
            field = QLineEdit()
            field.setAccessibleName(tr("Value of {name}", name=name))
            field.setProperty("role", "value")
            follow_type(field, lambda each: each.setFont(token_font("note")))
            field.textEdited.connect(self._typed)
            field.editingFinished.connect(self._finish)
            title = label(name, "")
            title.setBuddy(field)
            self._grid.addWidget(title, row, 0)
            self._grid.addWidget(field, row, 1)
            self._fields[name] = field
        self._grid.addWidget(self._problem, len(names), 0, 1, 2)

    def _typed(self, _: str) -> None:
        self._later.start()

    def _finish(self) -> None:
        if self._later.isActive():
            self._later.stop()
            self.read()

    def read(self) -> None:
        """Read all fields; report new values, or show what is wrong."""
        found: dict[str, Value] = {}
        for name, field in self._fields.items():
            try:
                found[name] = read_value(field.text(), name, self._values.get(name))
            except BadInput as error:
                self._show_problem(name, problem_line(error.problem))
                return
        self._show_problem("", "")
        if any(typed(found[name]) != typed(self._values[name]) for name in found):
            self._values = found
            self.edited.emit()

    def show_refusal(self, text: str) -> None:
        """Show why the values cannot be computed with; "" if they can."""
        self._show_problem("", text)

    def _show_problem(self, name: str, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        for each, field in self._fields.items():
            refresh_style(field, "state", "bad" if each == name else "")
