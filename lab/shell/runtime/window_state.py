"""The stored state of the window: geometry, docks, theme, recent files, draft, selected run, options of cards."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from PySide6.QtCore import QByteArray, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.settings import change_section, read_settings
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Mode

SECTION, DAMAGED = "window", "window.damaged"
DOCKS = 1
"""Version of the arrangement of docks and toolbars; an arrangement of another version is not restored."""
SMALLEST = QSize(1100, 640)
FIRST = QSize(1600, 1000)
"""Size of the window at the first start, if the screen is large enough."""
RECENT = 10

Pixels = Annotated[int, Field(ge=-100_000, le=100_000)]


class _Stored(BaseModel):
    """The stored section of the settings, validated when it is read."""

    model_config = ConfigDict(strict=True, extra="forbid")

    version: Literal[1] = 1
    geometry: Annotated[list[Pixels], Field(min_length=4, max_length=4)] | None = None
    maximized: bool = False
    docks: str = ""
    place: str = ""
    theme: Mode = "system"
    splitters: dict[str, list[Annotated[int, Field(ge=0, le=100_000)]]] = {}
    recent: list[str] = []
    selected: str = ""
    shown: list[str] = []
    draft: dict[str, Any] = {}
    options: dict[str, dict[str, Any]] = {}

    @field_validator("docks")
    @classmethod
    def _is_base64(cls, value: str) -> str:
        try:
            base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("is not base64") from None
        return value


class WindowState:
    """The stored state of the window; `load` reads it, `store` writes it. Problems are reported as notices.

    Attributes:
        place: Key of the place that was open; "" before the first start.
        theme: The selected theme.
        recent: Recently opened files, the latest first.
        selected: Identity of the run that was selected; "" for none.
        shown: Identities of the runs that were drawn beside it.
        draft: The state of the draft; {} if none is stored.
        options: What was selected in cards and panels, by their names.
    """

    def __init__(self) -> None:
        self.place = ""
        self.theme: Mode = "system"
        self.recent: list[str] = []
        self.selected = ""
        self.shown: list[str] = []
        self.draft: dict[str, Any] = {}
        self.options: dict[str, dict[str, Any]] = {}
        self._geometry: QRect | None = None
        self._maximized = False
        self._docks = b""
        self._splitters: dict[str, list[int]] = {}

    def load(self) -> None:
        """Read the state that the last session stored; rename a damaged section, and use the defaults."""
        section = read_settings().get(SECTION)
        if section is None:
            return
        try:
            stored = _Stored.model_validate(section)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or SECTION
            self._store_damaged(section, f"{where}: {first['msg']}")
            return
        self.place, self.theme, self.recent = stored.place, stored.theme, stored.recent[:RECENT]
        self.selected, self.shown = stored.selected, stored.shown
        self.draft, self.options = stored.draft, stored.options
        self._geometry = QRect(*stored.geometry) if stored.geometry else None
        self._maximized = stored.maximized
        self._docks = base64.b64decode(stored.docks)
        self._splitters = stored.splitters

    def splitter(self, name: str) -> list[int] | None:
        """Return the sizes of a splitter's widgets in pixels; None if they were never stored."""
        return self._splitters.get(name)

    def remember_splitter(self, name: str, sizes: Sequence[int]) -> None:
        """Set the sizes of a splitter's widgets in pixels, which `store` will write."""
        self._splitters[name] = list(sizes)

    def remember_file(self, path: Path) -> None:
        """Move a file to the top of the recent ones."""
        name = str(path.absolute())
        self.recent = [name, *(other for other in self.recent if other != name)][:RECENT]

    def restore(self, window: QMainWindow) -> None:
        """Restore geometry and docks of a window, on an existing screen."""
        fitting, smallest = on_screen(self._geometry or centred(FIRST))
        window.setMinimumSize(smallest)
        window.setGeometry(fitting)
        if self._docks:
            window.restoreState(QByteArray(self._docks), DOCKS)
        if self._maximized:
            window.showMaximized()

    def store(self, window: QMainWindow) -> None:
        """Write the state of a window; report a notice if the disk is full."""
        geometry = window.normalGeometry() if window.isMaximized() or window.isFullScreen() else window.geometry()
        stored = _Stored(
            geometry=[geometry.x(), geometry.y(), geometry.width(), geometry.height()],
            maximized=window.isMaximized(),
            docks=base64.b64encode(window.saveState(DOCKS).data()).decode(),
            place=self.place,
            theme=self.theme,
            splitters=self._splitters,
            recent=self.recent,
            selected=self.selected,
            shown=self.shown,
            draft=self.draft,
            options=self.options,
        )
        try:
            change_section(SECTION, lambda _: stored.model_dump())
        except LabError as error:
            notify("warning", error.problem)

    def _store_damaged(self, section: Any, reason: str) -> None:
        """Store the damaged section under another name, and report it."""
        remedy = tr("The defaults are used; the damaged section was stored as {name}", name=DAMAGED)
        try:
            change_section(DAMAGED, lambda _: section if isinstance(section, dict) else {"content": section})
        except LabError:
            remedy = tr("The defaults are used")
        what = tr("the stored state of the window could not be read: {reason}", reason=reason)
        notify("warning", Problem(what, field=SECTION, remedy=remedy))


def on_screen(previous: QRect) -> tuple[QRect, QSize]:
    """Return a window's rectangle on the screen that contains most of it, and its minimum size on that screen.

    Args:
        previous: Its last rectangle; that screen may be gone, or smaller now.
    """
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    room = max(screens, key=lambda one: _area(one.intersected(previous)))
    if not _area(room.intersected(previous)):
        room = QGuiApplication.primaryScreen().availableGeometry()
    smallest = SMALLEST.boundedTo(room.size())
    size = previous.size().expandedTo(smallest).boundedTo(room.size())
    left = min(max(previous.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(previous.top(), room.top()), room.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height()), smallest


def centred(size: QSize) -> QRect:
    """Return a rectangle of a size in the middle of the primary screen."""
    room = QGuiApplication.primaryScreen().availableGeometry()
    rectangle = QRect(0, 0, size.width(), size.height())
    rectangle.moveCenter(room.center())
    return rectangle


def _area(rectangle: QRect) -> int:
    return max(0, rectangle.width()) * max(0, rectangle.height())
