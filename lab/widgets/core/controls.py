"""Buttons, choices and fields of the kit: they ignore the wheel without focus and have a name for screen readers."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QEnterEvent,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSlider,
    QSplitter,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from lab.widgets.core.fonts import follow_type
from lab.widgets.core.icons import icon, paint_icon
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import LARGE_TYPE, interface_font, px, themes

_TAKES_TAB = frozenset(policy for policy in Qt.FocusPolicy.__members__.values() if policy & Qt.FocusPolicy.TabFocus)
"""A lookup takes a tenth of the time of PySide6's `&`, which is written in Python."""
_LAID_OUT = (QWidget, QLayout)
TIP_GAP = 4
"""Pixels between a button and its tool tip."""
TIP_WIDTH = 400
"""Pixels at which the tool tips of `wrapped_tip` are wrapped."""


def label(text: str = "", role: str = "", parent: QWidget | None = None) -> QLabel:
    """Return a label with a role of the style sheet ("title", "dim", "note" …); its text is never mark-up."""
    made = QLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


def plain_tip(text: str) -> str:
    """Return a tool tip whose text is never mark-up; line breaks are preserved, long lines are wrapped."""
    return f'<div style="white-space: pre-wrap">{html.escape(text)}</div>'


def wrapped_tip(text: str) -> str:
    """Return a tool tip like `plain_tip`, at most TIP_WIDTH wide, for a sentence about a small thing in a drawing."""
    if not text:
        return ""
    widest = max(map(QFontMetrics(interface_font("note")).horizontalAdvance, text.split("\n")))
    tip, most = plain_tip(text), px(TIP_WIDTH)
    return tip if widest <= most else f'<table width="{most}"><tr><td>{tip}</td></tr></table>'


def show_tip_below(widget: QWidget) -> None:
    """Show the tool tip of a widget below it, or above it where the screen ends."""
    box = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    QToolTip.showText(box.bottomLeft(), widget.toolTip(), widget, widget.rect())
    tip = next((one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel") and one.isVisible()), None)
    if tip is None:  # the system draws it
        return
    screen = widget.screen().availableGeometry()
    below = box.bottom() + 1 + TIP_GAP
    top = below if below + tip.height() <= screen.bottom() + 1 else box.top() - TIP_GAP - tip.height()
    tip.move(max(screen.left(), min(box.left(), screen.right() + 1 - tip.width())), top)


class _TipsBelow(QObject):
    """Shows tool tips below the widgets that it watches."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the tool tip of the widget, if the event asks for it and there is one."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(watched, QWidget) or not watched.toolTip():
            return False
        show_tip_below(watched)
        return True


@cache
def _tips_below() -> _TipsBelow:
    return _TipsBelow(QApplication.instance())


def set_role(widget: QWidget, role: str) -> None:
    """Set a widget's role in the style sheet and apply the style again."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Button(QPushButton):
    """A button with a text, an icon, or both; without a text its tool tip is its name.

    Args:
        text: The text on the button; "" for only an icon.
        hint: The tool tip, which describes its action; also the name of a button without a text.
        icon_name: One of lab.widgets.core.icons.DRAWINGS.
        role: "quiet" for controls of cards, "chip" for one over a chart, "primary" for the main action, "" for others.
    """

    def __init__(
        self,
        text: str = "",
        *,
        hint: str = "",
        icon_name: str = "",
        role: str = "quiet",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setProperty("role", role)
        self.setText(text)
        self.setToolTip(hint)
        self.setAccessibleName(text or hint)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        follow_type(self, lambda button: button.setIconSize(QSize(px(14), px(14))))
        self._draw_icon()
        themes.changed.connect(self._draw_icon)

    def set_face(self, text: str, icon_name: str, hint: str) -> None:
        """Change its text, icon and tool tip."""
        self._icon_name = icon_name
        self.setText(text)
        self.setToolTip(hint)
        self.setAccessibleName(text or hint)
        self._draw_icon()

    def setText(self, text: str) -> None:
        """Set the text; "&" is not a shortcut."""
        super().setText(text.replace("&", "&&"))

    def setToolTip(self, hint: str) -> None:
        """Set the tool tip; "<" is not mark-up."""
        super().setToolTip(plain_tip(hint) if "<" in hint or "&" in hint else hint)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the tool tip below the button, so that it does not cover what it describes."""
        super().enterEvent(event)
        self.installEventFilter(_tips_below())  # only under the pointer, since it slows each event of the button down

    def leaveEvent(self, event: QEvent) -> None:
        """Leave tool tips to Qt."""
        super().leaveEvent(event)
        self.removeEventFilter(_tips_below())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Return, too, as on the web and in dialogs."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def change_role(self, role: str) -> None:
        """Change its role."""
        set_role(self, role)
        self._draw_icon()

    def _draw_icon(self) -> None:
        if self._icon_name:
            primary = self.property("role") == "primary"
            self.setIcon(icon(self._icon_name, themes.now.on_accent if primary else None))
        else:
            self.setIcon(QIcon())


class ElidedButton(Button):
    """A button with a text that is elided at its width; it asks for no width of its own.

    Args:
        icon_name: One of lab.widgets.core.icons.DRAWINGS.
        role: As of a `Button`.

    Attributes:
        full_text: The text without its tail.
    """

    full_text = _tail = _hint = ""

    def __init__(self, *, icon_name: str = "", role: str = "quiet") -> None:
        super().__init__(icon_name=icon_name, role=role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_full_text(self, text: str, *, tail: str = "", hint: str = "") -> None:
        """Change the text.

        Args:
            text: What is elided.
            tail: The end of the text, which stays.
            hint: The tool tip; "" for the whole text where it is elided.
        """
        if (text, tail, hint) != (self.full_text, self._tail, self._hint):
            self.full_text, self._tail, self._hint = text, tail, hint
            self.setAccessibleName((text + tail).removesuffix("…"))
            self._elide()

    def minimumSizeHint(self) -> QSize:
        """Return the height of the text only."""
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text to the width."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Elide the text in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._elide()

    def _elide(self) -> None:
        self.setText(self.full_text + self._tail)
        metrics = self.fontMetrics()
        around = self.sizeHint().width() - metrics.horizontalAdvance(self.full_text)
        shown = metrics.elidedText(self.full_text, Qt.TextElideMode.ElideRight, self.width() - around)
        self.setText(shown + self._tail)
        self.setToolTip(self._hint or (self.full_text + self._tail if shown != self.full_text else ""))


STEADY = 76
"""Pixels of the smallest width of a menu button with a steady width."""


class MenuButton(Button):
    """A quiet button that opens a menu of choices and shows the current one.

    Args:
        name: The name of the setting ("x axis"), for screen readers and the tool tip.
        choices: (value, label) of each choice.
        on_picked: Called with the value that the user picks; use a bound method.
        prefix: The text before the choice on the button, unless the type is large.
        face: The text on the button instead of the choice.
        steady: True if its width is to be that of the longest choice, whichever is selected; where there is less room,
            down to STEADY, the text is elided.
    """

    def __init__(
        self,
        name: str,
        choices: Sequence[tuple[str, str]],
        on_picked: Callable[[str], object],
        *,
        prefix: str = "",
        face: str = "",
        steady: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, hint=name, parent=parent)
        self._steady = steady
        self._prefix, self._face, self._name, self._on_picked = prefix, face, name, on_picked
        self.value = ""
        self._offered: list[tuple[str, str]] = []
        self._choices: dict[str, str] = {}
        self._hints: dict[str, str] = {}
        self._menu = QMenu(self)
        self._menu.triggered.connect(self._take)
        self.setMenu(self._menu)
        self.set_choices(choices)
        follow_type(self, MenuButton._fit_text)

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer other choices; the selected one stays selected if it is still offered, else the first is."""
        if list(choices) != self._offered:
            self._offered, self._choices = list(choices), dict(choices)
            self._menu.clear()
            for value, text in choices:
                action = self._menu.addAction(text.replace("&", "&&"))
                action.setData(value)
                action.setCheckable(True)
        if choices:
            self.show_value(self.value if self.value in self._choices else choices[0][0])

    def set_prefix(self, prefix: str) -> None:
        """Show another text before the choice."""
        self._prefix = prefix
        self._fit_text()
        self.updateGeometry()

    def set_hints(self, hints: Mapping[str, str]) -> None:
        """Describe choices in tool tips of the menu; that of the selected one follows the name on the button.

        Args:
            hints: A sentence for each value.
        """
        if hints == self._hints:
            return
        self._hints = dict(hints)
        self._menu.setToolTipsVisible(True)
        self._show_hints()

    def _show_hints(self) -> None:
        for action in self._menu.actions():
            action.setToolTip(wrapped_tip(self._hints.get(str(action.data()), "")))
        if self.value in self._hints:
            QWidget.setToolTip(self, wrapped_tip(f"{self._name}: {self._hints[self.value]}"))  # mark-up already

    def hint_of(self, value: str) -> str:
        """Return the sentence that describes a choice; "" if there is none."""
        return self._hints.get(value, "")

    def offers(self, value: str) -> bool:
        """Return True if a value is one of the choices."""
        return value in self._choices

    @property
    def name(self) -> str:
        """The name of the setting."""
        return self._name

    @property
    def choices(self) -> list[tuple[str, str]]:
        """(value, label) of each choice."""
        return list(self._offered)

    def pick(self, value: str) -> None:
        """Show a choice and act on it, as if the user had picked it from the menu."""
        self.show_value(value)
        self._on_picked(value)

    def show_value(self, value: str) -> None:
        """Show a choice without emitting anything."""
        self.value = value
        text = self._choices[value]
        self._fit_text()
        self.setAccessibleName(f"{self._name}: {text}")
        for action in self._menu.actions():
            action.setChecked(action.data() == value)
        if self._hints:
            self._show_hints()

    @property
    def _used_prefix(self) -> str:
        """The text before the choice, unless the type is large."""
        return self._prefix if themes.scale <= LARGE_TYPE else ""

    def _fit_text(self) -> None:
        """Show the choice, without the text before it where large type leaves no room."""
        text = self._face or self._used_prefix + self._choices.get(self.value, "")
        if self._steady:
            room = self.width() - self._width_of("") + 2  # a fraction of a pixel less would elide the longest one
            shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room) if self.isVisible() else text
            if self.value not in self._hints:
                QWidget.setToolTip(self, self._name if shown == text else plain_tip(f"{self._name}: {text}"))
            text = shown
        self.setText(f"{text} ▾")

    def _width_of(self, choice: str) -> int:
        """Return the width of the button with another text of a choice."""
        metrics = self.fontMetrics()
        ends = super().sizeHint().width() - metrics.size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        return ends + metrics.horizontalAdvance(f"{self._used_prefix if choice else ''}{choice} ▾") + 2

    def sizeHint(self) -> QSize:
        """Return the size with the selected choice, or with the longest one if the width is to be steady."""
        hint = super().sizeHint()
        if self._steady:
            hint.setWidth(max(map(self._width_of, self._choices.values()), default=hint.width()))
        return hint

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size, which does not depend on the selected choice if the width is to be steady."""
        hint = super().minimumSizeHint()
        return QSize(min(self.sizeHint().width(), px(STEADY)), hint.height()) if self._steady else hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text into the new width."""
        super().resizeEvent(event)
        if self._steady:
            self._fit_text()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the text into the width."""
        super().showEvent(event)
        if self._steady:
            self._fit_text()

    def _take(self, action: QAction) -> None:
        self.pick(str(action.data()))


class MenuChoices:
    """What is selected in some menus, to be stored. A menu that is made later takes its choice then.

    Args:
        **menus: The menus, by the names under which their choices are stored.
    """

    def __init__(self, **menus: MenuButton) -> None:
        self._menus = menus
        self._stored: dict[str, str] = {}

    def add(self, name: str, menu: MenuButton) -> None:
        """Add a menu, which takes what was stored under its name."""
        self._menus[name] = menu
        self._take(name)

    def state_dict(self) -> dict[str, Any]:
        """Return the choices by name."""
        return self._stored | {name: menu.value for name, menu in self._menus.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Select what `state_dict` returned; what a menu does not offer is left out."""
        self._stored = {name: value for name, value in state.items() if isinstance(value, str)}
        for name in self._menus:
            self._take(name)

    def _take(self, name: str) -> None:
        value = self._stored.get(name)
        if value is not None and value != self._menus[name].value and self._menus[name].offers(value):
            self._menus[name].pick(value)


ENDS = 34
"""Pixels of a choice that are not available to its text: padding, border and chevron."""


class ChoiceBox(QComboBox):
    """A field with a fixed list of choices and a chevron, which reacts to the wheel only with focus.

    If its text is elided, the tool tip starts with the full text.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = ""
        self.currentTextChanged.connect(self._show_full_text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Return the size for a few letters; a longer text is elided.

        A size policy of QComboBox would make the list of choices, which takes 2 ms, before it is opened.
        """
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        letters = QSize(self.fontMetrics().horizontalAdvance("X" * 4), max(self.fontMetrics().height(), 14) + 2)
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, letters, self)

    def minimumSizeHint(self) -> QSize:
        """Return the size for a few letters."""
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the form instead, unless it has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the field, with its text elided if necessary, and a chevron at the right end."""
        del event
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self._elided(self.currentText() or self.placeholderText())
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        index = QRectF(self.width() - 20, (self.height() - 14) / 2, 14, 14)
        paint_icon(painter, "down", index, themes.now.dim)
        painter.end()

    def setToolTip(self, hint: str) -> None:
        """Set the tool tip, which follows the full text of the choice if that is elided."""
        self._hint = hint
        self._show_full_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update what depends on the width."""
        super().resizeEvent(event)
        self._show_full_text()

    def changeEvent(self, event: QEvent) -> None:
        """Update what depends on the size of the type."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show_full_text()

    def _elided(self, text: str) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width() - ENDS)

    def _show_full_text(self) -> None:
        text = self.currentText()
        if self._elided(text) == text or html.escape(text) in self._hint:
            super().setToolTip(self._hint)
        else:
            hint = self._hint if self._hint.startswith("<") else plain_tip(self._hint)
            super().setToolTip(plain_tip(text) + (hint if self._hint else ""))


class CheckBox(QCheckBox):
    """A check box with a tick that is visible in both themes; its text is elided if necessary."""

    def minimumSizeHint(self) -> QSize:
        """Return the size of the box and a few letters; a longer text belongs in the tool tip."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 60), hint.height())

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Elide the text to the width."""
        super().initStyleOption(option)
        index = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        option.text = self.fontMetrics().elidedText(option.text, Qt.TextElideMode.ElideRight, index.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, and a tick if it is checked."""
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        index = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_icon(painter, "check", QRectF(index).adjusted(2, 2, -2, -2), themes.now.on_accent)
        painter.end()


class Slider(QSlider):
    """A horizontal slider; the wheel and the space bar act on it only while it has the focus."""

    space_pressed = Signal()
    """The space bar was pressed on the slider; no shortcut of the window gets it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the surrounding area instead, unless the slider has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Claim the space bar, which elsewhere is a shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_space(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `space_pressed` once for each press of the space bar."""
        if not _is_space(event):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.space_pressed.emit()


def _is_space(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier


def follow_in_tab_order(before: QWidget, *others_in: QWidget) -> None:
    """Put some widgets right after another one in the tab order; Qt puts widgets that are added late at the end."""
    for owner in others_in:
        for stop in tab_stops(owner):
            QWidget.setTabOrder(before, stop)
            before = stop


def tab_stops(owner: QWidget) -> list[QWidget]:
    """Return the widgets inside a widget that take the tab key, visible or not, in the order of the layouts.

    Qt's own chain is not followed: PySide6 never frees its wrappers of widgets that Qt made, such as a splitter's
    handle.
    """
    stops: list[QWidget] = []
    _add_tab_stops(owner, stops)
    return stops


def _add_tab_stops(owner: QWidget, stops: list[QWidget]) -> None:
    for one in _laid_out(owner):
        if one.focusPolicy() in _TAKES_TAB:
            stops.append(one)
        _add_tab_stops(one, stops)


def _laid_out(owner: QWidget) -> list[QWidget]:
    """Return the children of a widget: those of its layout in order, then the others, without windows."""
    children = [one for one in owner.children() if isinstance(one, QWidget)]
    if not children:
        return []
    if isinstance(owner, QSplitter):
        placed = [one for number in range(owner.count()) for one in _at_splitter(owner, number)]
    else:
        placed = widgets_in(owner.layout())
    known = set(placed)
    others = [one for one in children if one not in known and not one.isWindow()]
    return [*placed, *others]


def _at_splitter(owner: QSplitter, number: int) -> list[QWidget]:
    """Return a widget of a splitter, after the border before it if the lab made that one."""
    placed = (owner.handle(number) if isinstance(owner, Splitter) and number else None, owner.widget(number))
    return [one for one in placed if one is not None]


def widgets_in(layout: QLayout | None) -> list[QWidget]:
    """Return the widgets of a layout and of its own layouts, in order.

    Items of the layout are not asked for: PySide would keep an object for each, and return it for whatever Qt puts at
    the address of an item that is gone, a QStyle for instance.
    """
    parent = layout.parentWidget() if layout is not None else None
    if layout is None or parent is None:
        return []
    inside = [one for one in (*parent.children(), *layout.children()) if isinstance(one, _LAID_OUT)]
    placed = {layout.indexOf(one): one for one in inside}  # -1 for what is elsewhere
    found: list[QWidget] = []
    for index in sorted(index for index in placed if index >= 0):
        one = placed[index]
        found += [one] if isinstance(one, QWidget) else widgets_in(one)
    return found


def refresh_style(widget: QWidget, name: str, value: str) -> None:
    """Set a property that the style sheet uses ("state"), and apply the style again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
