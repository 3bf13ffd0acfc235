"""The list of filters in Play: each with its settings, moved by dragging or with the keyboard."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.play.decoding import DecodingDraft
from lab.widgets.core.controls import Button, MenuButton, follow_in_tab_order, label
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.forms.browse import PickRun
from lab.widgets.forms.form import Form
from lab.widgets.forms.row_parts import Slider

FRAME = 16
"""Milliseconds between two edits while a slider is dragged: those between two pictures of a screen."""


class _Handle(Button):
    """The title of a filter, by which it is moved."""

    dragged = Signal(int)
    """The mouse that holds it is at this height of the screen."""
    moved = Signal(int)
    """The user moves the filter by this many rows."""
    removed = Signal()
    """The user removes the filter."""

    def __init__(self, title: str) -> None:
        hint = tr("Drag it, or press Alt+Up and Alt+Down, to change the order; Delete removes it")
        super().__init__(title, hint=hint, icon_name="menu", role="heading")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self._start: QPoint | None = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move or remove the filter."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if steps is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(steps)
        elif event.key() == Qt.Key.Key_Delete:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag, once the mouse has moved far enough."""
        super().mouseMoveEvent(event)
        at = event.globalPosition().toPoint()
        if self._start is not None and abs(at.y() - self._start.y()) >= QApplication.startDragDistance():
            self.dragged.emit(at.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging."""
        super().mouseReleaseEvent(event)
        self._start = None


class _Row(QWidget):
    """A filter: its handle, a button that removes it, and its form."""

    def __init__(self, name: str, title: str, form: Form) -> None:
        super().__init__()
        self.name, self.form = name, form
        self.handle = _Handle(title)
        self.remove = Button(hint=tr("Remove the filter {name}", name=title), icon_name="close")
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.handle, 1)
        head.addWidget(self.remove)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(head)
        rows.addWidget(form)


class FilterList(QWidget):
    """The filters of the next text, in the order in which they are applied.

    Args:
        plugins: The plugins that provide filters.

    Attributes:
        draft: The decoding that it shows and changes.
    """

    focused = Signal(object)
    """The Setting that has the focus, or None."""
    changed = Signal()
    """The filters, their order or their settings were changed by the user."""

    def __init__(self, plugins: Plugins) -> None:
        super().__init__()
        self._plugins, self.draft = plugins, DecodingDraft(plugins)
        self._pick_run: PickRun | None = None
        self._made: dict[str, _Row] = {}
        self.add_button = MenuButton(tr("Add a filter"), [], self.add, face=tr("Add"))
        head = QHBoxLayout()
        heading = label(tr("Filters"), "strong")
        heading.setToolTip(tr("They are applied in this order"))
        head.addWidget(heading, 1)
        head.addWidget(self.add_button)
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addLayout(self._rows)
        self.show_draft()

    def offer_runs(self, pick_run: PickRun) -> None:
        """Make the buttons by which runs are picked from now on so."""
        self._pick_run = pick_run

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid entries, by filter and setting."""
        rows = [self._made[name] for name in self.draft.filters]
        return {f"{row.name}.{path}": one for row in rows for path, one in row.form.problems.items()}

    def row(self, name: str) -> _Row:
        """Return the row of a filter in the list."""
        return self._made[name]

    def show_draft(self) -> None:
        """Show the filters of the draft and their settings."""
        for name in [name for name in self._made if name not in self.draft.filters]:
            row = self._made.pop(name)
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        before: QWidget = self.add_button
        for index, name in enumerate(self.draft.filters):
            row = self._made.get(name) or self._make(name)
            if self._rows.indexOf(row) != index:
                self._rows.removeWidget(row)
                self._rows.insertWidget(index, row)
            self._show_values(name)
            follow_in_tab_order(before, row)
            before = row.remove
        self._rows.activate()  # while one is dragged, its neighbours are where they belong
        titles = {name: tr_registered(card.title) for name, card in self._plugins.cards("filters").items()}
        self.add_button.set_choices([(name, titles[name]) for name in self.draft.unused])
        self.add_button.setEnabled(bool(self.draft.unused))

    def _show_values(self, name: str) -> None:
        config = self.draft.config("filters", name)
        self._made[name].form.show_values(config.stored(), type(config)().stored())

    def add(self, name: str) -> None:
        """Add a filter at the end."""
        self.draft.add(name)
        self._show_change()
        self._made[name].handle.setFocus(Qt.FocusReason.OtherFocusReason)

    def remove(self, name: str) -> None:
        """Remove a filter; the next one, or else the button that adds one, has the focus then."""
        index = self.draft.filters.index(name)
        self.draft.remove(name)
        self._show_change()
        left = self.draft.filters[index : index + 1]
        (self._made[left[0]].handle if left else self.add_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def move_by(self, name: str, steps: int) -> None:
        """Move a filter by some rows."""
        if self.draft.move(name, self.draft.filters.index(name) + steps):
            self._show_change()
            self._made[name].handle.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drag(self, name: str, height: int) -> None:
        """Move a filter to the row at a height of the screen."""
        y = self.mapFromGlobal(QPoint(0, height)).y()
        own = self.draft.filters.index(name)
        centres = [self._made[one].geometry().center().y() for one in self.draft.filters]
        index = sum(centre < y for at, centre in enumerate(centres) if at != own)
        if self.draft.move(name, index):
            self._show_change()

    def _make(self, name: str) -> _Row:
        card = self._plugins.card("filters", name)
        form = Form(card.config, prefix=f"filters.{name}", pick_run=self._pick_run)
        row = self._made[name] = _Row(name, tr_registered(card.title), form)
        for slider in row.form.findChildren(Slider):
            slider.set_pause(FRAME)  # the stages of the next token follow
        row.form.edited.connect(partial(self._edit, name))
        row.form.focused.connect(self.focused)
        row.handle.moved.connect(partial(self.move_by, name))
        row.handle.removed.connect(partial(self.remove, name))
        row.handle.dragged.connect(partial(self._drag, name))
        row.remove.clicked.connect(lambda: self.remove(name))
        return row

    def _edit(self, name: str, path: str, value: object) -> None:
        self.draft.edit("filters", name, path, value)
        self._show_values(name)
        self.changed.emit()

    def _show_change(self) -> None:
        self.show_draft()
        self.changed.emit()
