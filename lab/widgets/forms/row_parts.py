"""The controls of a setting's row: field, slider, check box, choice, caption and reset button."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QSizePolicy, QSlider, QStyle, QWidget

from lab.api import Setting
from lab.widgets.core.controls import CheckBox, ChoiceBox, plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.theme import ROW, control_height, interface_font, px, themes
from lab.widgets.forms.values import nearest_index, number, shown, stepped, typed

PAUSE = 100
"""Milliseconds between two edits by a slider that is being dragged."""
WAY_BACK = 18
"""Width of the reset button in pixels."""
HANDLE = 10
"""Width of a slider's handle in the style sheet."""
NUMBER, WIDEST_NUMBER = 70, 132
"""Smallest and largest width of the field of a number."""
MARK = 4
"""Width of the bar at a marked row in pixels; as much stays free beside it."""
WIDEST_NAME = 116
"""Most pixels that a row reserves for the name of its setting."""
AROUND = 18
"""Pixels of a field that are not available to its text."""
LONGEST, EXCERPT = 4000, 60
"""Number of characters of an entry that its field can edit, and those shown of a longer one; Qt would cut it off."""
KEYS: dict[int, tuple[int, bool]] = {
    Qt.Key.Key_Up: (1, False),
    Qt.Key.Key_Down: (-1, False),
    Qt.Key.Key_PageUp: (1, True),
    Qt.Key.Key_PageDown: (-1, True),
}
"""The effect of keys on a number: steps, and whether they are large."""


class Field(QLineEdit):
    """A field for a number, a text or a list.

    Args:
        setting: The setting that it edits.

    Attributes:
        is_given: True if an entry was given and neither accepted nor replaced by a shown value.
        resolved: The value in use while the shown one means an automatic value; None if it is not known.
    """

    given = Signal(object)

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self._setting = setting
        self.resolved: Any = None
        self._value: Any = None
        self._text = ""
        self.is_given = False
        self._turned = 0
        self.setProperty("role", "value")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(False)  # the window opens dropped files
        self.setPlaceholderText(tr("none") if setting.optional else "")
        self.is_number = setting.kind in ("int", "float")
        if self.is_number:
            self.setAlignment(Qt.AlignmentFlag.AlignRight)
            follow_type(self, lambda field: field._fit(field.text()))
            self.textChanged.connect(self._fit)
        else:
            self.textChanged.connect(self._show_full_text)
        self.editingFinished.connect(self._finish)

    @property
    def is_changed(self) -> bool:
        """True if its text differs from the shown value."""
        return self.text() != self._text

    def show_value(self, value: Any, *, force: bool = False) -> None:
        """Show a value; an entry that is being typed stays, unless forced."""
        typing = self.is_changed and not force
        text = shown(self._setting, value, self.resolved)
        text = localized(text) if self.is_number else text
        self._value, self._text = value, text if len(text) <= LONGEST else text[:EXCERPT] + " …"
        if not typing:
            self.is_given = False
            self.setReadOnly(len(text) > LONGEST)
        if not typing and self.is_changed:
            self.setText(self._text)
            if not self.hasFocus():
                self.setCursorPosition(0)

    def step(self, steps: int, *, far: bool) -> None:
        """Step from the value in the field."""
        here = typed(self._setting, self.text())
        if self._setting.auto and not here and isinstance(self.resolved, int | float):
            here = self.resolved
        if not isinstance(here, int | float):
            here = self._value if self._value is not None else self._setting.default or 0
        new = stepped(self._setting, here, steps, far=far)
        if new != here or self.text() == "":
            self.setText(localized(number(new)))
            self.given.emit(new)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step a number with the arrow and page keys."""
        if self.is_number and event.key() in KEYS:
            steps, far = KEYS[event.key()]
            self.step(steps, far=far)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step a number that has the focus; otherwise the form scrolls."""
        if not (self.is_number and self.hasFocus()):
            event.ignore()
            return
        self._turned += event.angleDelta().y()
        steps, self._turned = int(self._turned / 120), self._turned - int(self._turned / 120) * 120
        if steps:
            self.step(steps, far=False)
        event.accept()

    def _finish(self) -> None:
        if self.is_changed or self.is_given:  # the stored value, typed again, replaces a refused entry
            self.given.emit(typed(self._setting, self.text()))

    def _fit(self, text: str) -> None:
        self.setFixedWidth(min(max(px(NUMBER), self._needed(text)), px(WIDEST_NUMBER)))
        self.setToolTip(text if self.width() == px(WIDEST_NUMBER) else "")

    def _show_full_text(self, text: str) -> None:
        self.setToolTip(plain_tip(text) if self._needed(text) > self.width() else "")

    def _needed(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + AROUND

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update what depends on the width."""
        super().resizeEvent(event)
        if not self.is_number:
            self._show_full_text(self.text())


class Slider(QSlider):
    """A slider over the values of a number, logarithmic if the setting is.

    Args:
        values: The values of its positions, ascending.
    """

    moved = Signal(float)
    given = Signal(object)
    stepped = Signal(int, bool)

    def __init__(self, values: tuple[float, ...]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._values = values
        self._fresh = False
        self.setProperty("role", "knob")
        self.setRange(0, len(values) - 1)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the field next to it does the same by keys
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._give)
        self.valueChanged.connect(self._move)
        self.sliderReleased.connect(self._give)

    def set_pause(self, pause: int) -> None:
        """Set the milliseconds between two edits while it is being dragged, for what follows a setting at once."""
        self._timer.setInterval(pause)

    @property
    def is_held(self) -> bool:
        """True if the user is moving it."""
        return self.isSliderDown() or self._fresh

    def show_value(self, value: float | None) -> None:
        """Show a value, unless the user is moving it."""
        if not self.is_held and value is not None:
            with QSignalBlocker(self):
                self.setValue(nearest_index(value, self._values))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the pressed position."""
        if event.button() == Qt.MouseButton.LeftButton:
            at = int(event.position().x()) - HANDLE // 2
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.setSliderPosition(QStyle.sliderValueFromPosition(0, self.maximum(), at, self.width() - HANDLE))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step like the field."""
        sideways = {int(Qt.Key.Key_Right): (1, False), int(Qt.Key.Key_Left): (-1, False)}
        found = KEYS.get(event.key(), sideways.get(event.key()))
        if found:
            self.stepped.emit(*found)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move it if it has the focus; otherwise the form scrolls."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _move(self, index: int) -> None:
        self._fresh = True
        self.moved.emit(self._values[index])
        if not self._timer.isActive():
            self._timer.start()

    def _give(self) -> None:
        self._timer.stop()
        if self._fresh:
            self._fresh = False
            self.given.emit(self._values[self.value()])


class Switch(CheckBox):
    """A check box for true and false."""

    given = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._value = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        follow_type(self, lambda switch: switch.setFixedWidth(px(18)))  # without space for a text
        self.clicked.connect(self._give)

    @property
    def is_changed(self) -> bool:
        """True if it differs from the shown value."""
        return self.isChecked() != self._value

    def show_value(self, value: Any, *, force: bool = False) -> None:
        """Show a value; a refused one stays, unless forced."""
        refused = self.is_changed and not force
        self._value = bool(value)
        if not refused:
            self.setChecked(self._value)

    def _give(self, checked: bool) -> None:
        self.given.emit(checked)


class Choice(ChoiceBox):
    """A choice of one of a few values.

    Args:
        options: Each value and its label.

    Attributes:
        is_given: True if a value was given and neither accepted nor replaced by a shown one.
    """

    given = Signal(object)

    def __init__(self, options: list[tuple[Any, str]]) -> None:
        super().__init__()
        self.options = [value for value, _ in options]
        self._index = -1
        self.is_given = False
        self.addItems([text for _, text in options])
        self.activated.connect(self._choose)

    @property
    def is_changed(self) -> bool:
        """True if the selection differs from the shown value."""
        return self.currentIndex() != self._index

    def show_value(self, value: Any, *, force: bool = False) -> None:
        """Show a value; a refused one stays, unless forced."""
        refused = self.is_changed and not force
        self._index = next((index for index, option in enumerate(self.options) if option == value), -1)
        if not refused:
            self.is_given = False
            self.setCurrentIndex(self._index)

    def _choose(self, index: int) -> None:
        if self.is_changed or self.is_given:
            self.given.emit(self.options[index])


class Caption(QWidget):
    """The name of a setting, and at the right end its unit if there is space for it.

    Args:
        name: The name as a label.
        unit: The unit; "" for none.

    Attributes:
        text: The name.
    """

    def __init__(self, name: str, unit: str) -> None:
        super().__init__()
        self.text, self._unit = name, unit
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> str:
        """The part of the name that has room, "…" after it unless it is complete."""
        metrics = QFontMetrics(interface_font())
        return metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, self.width())

    def minimumSizeHint(self) -> QSize:
        """Return the size of the name, or of the most that a row can spare."""
        return QSize(min(self._needed(), px(WIDEST_NAME)), px(16))

    def _needed(self) -> int:
        return QFontMetrics(interface_font()).horizontalAdvance(self.text) + 1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint name and unit in one line; the unit is left out first, then the name is elided."""
        del event
        painter = QPainter(self)
        theme, note = themes.now, QFontMetrics(interface_font("note"))
        painter.setFont(interface_font())
        text = self.shown
        end = painter.fontMetrics().horizontalAdvance(text)
        baseline = (self.height() + painter.fontMetrics().ascent() - painter.fontMetrics().descent()) // 2
        painter.setPen(QColor(theme.text))
        painter.drawText(0, baseline, text)
        width = note.horizontalAdvance(self._unit)
        if end + 6 + width <= self.width():
            painter.setFont(interface_font("note"))
            painter.setPen(QColor(theme.dim))
            painter.drawText(self.width() - width, baseline, self._unit)
        painter.end()


class MarkableRow(QWidget):
    """A row that can have a mark: a bar at its left edge, beside which its contents move in."""

    is_marked = False

    def set_marked(self, marked: bool) -> None:
        """Show or remove the mark."""
        if marked == self.is_marked:
            return
        self.is_marked = marked
        layout = self.layout()
        if layout is not None:
            around = layout.contentsMargins()
            around.setLeft(2 * MARK if marked else 0)
            layout.setContentsMargins(around)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the mark."""
        super().paintEvent(event)
        if self.is_marked:
            painter = QPainter(self)
            painter.fillRect(0, 2, MARK, self.height() - 4, QColor(themes.now.accent))
            painter.end()


class WayBack(QAbstractButton):
    """The reset button of a value that differs from the preset's: a dot; under the mouse or with focus an arrow."""

    def __init__(self) -> None:
        super().__init__()
        follow_type(self, lambda button: button.setFixedSize(WAY_BACK, control_height(ROW - 8)))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a dot or an arrow."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRectF(self.rect()).center()
        if self.underMouse() or self.hasFocus():
            index = QRectF(0, 0, 14, 14)
            index.moveCenter(middle)
            paint_icon(painter, "back", index, themes.now.text)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(themes.now.accent))
            painter.drawEllipse(middle, 3, 3)
        if self.hasFocus():
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), 6, 6)
        painter.end()
