"""What the window remembers from one start to the next: its place and size, docks, splitters, theme, recent files."""

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
"""Version of the arrangement of docks and tool bars; another one is not restored."""
SMALLEST = QSize(1100, 640)
FIRST = QSize(1600, 1000)
"""Size of the window at the first start, where the screen is large enough."""
RECENT = 10

Pixels = Annotated[int, Field(ge=-100_000, le=100_000)]


class _Stored(BaseModel):
    """The section of the settings, as it is checked when it is read."""

    model_config = ConfigDict(strict=True, extra="forbid")

    version: Literal[1] = 1
    geometry: Annotated[list[Pixels], Field(min_length=4, max_length=4)] | None = None
    maximized: bool = False
    docks: str = ""
    place: str = ""
    theme: Mode = "system"
    splitters: dict[str, list[Annotated[int, Field(ge=0, le=100_000)]]] = {}
    recent: list[str] = []

    @field_validator("docks")
    @classmethod
    def _is_base64(cls, value: str) -> str:
        try:
            base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("is not base64") from None
        return value


class WindowState:
    """What the window remembers; `load` reads it, `store` writes it. Nothing here raises: what fails becomes a notice.

    Attributes:
        place: The place that was open; "" at first.
        theme: The theme that was chosen.
        recent: Files that were opened last, the latest first.
    """

    def __init__(self) -> None:
        self.place = ""
        self.theme: Mode = "system"
        self.recent: list[str] = []
        self._geometry: QRect | None = None
        self._maximized = False
        self._docks = b""
        self._splitters: dict[str, list[int]] = {}

    def load(self) -> None:
        """Reads what the last start wrote; what is damaged is set aside, and the defaults hold."""
        section = read_settings().get(SECTION)
        if section is None:
            return
        try:
            stored = _Stored.model_validate(section)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or SECTION
            self._set_aside(section, f"{where}: {first['msg']}")
            return
        self.place, self.theme, self.recent = stored.place, stored.theme, stored.recent[:RECENT]
        self._geometry = QRect(*stored.geometry) if stored.geometry else None
        self._maximized = stored.maximized
        self._docks = base64.b64decode(stored.docks)
        self._splitters = stored.splitters

    def splitter(self, name: str) -> list[int] | None:
        """The sizes of a splitter's parts, in pixels; None where they were never remembered."""
        return self._splitters.get(name)

    def remember_splitter(self, name: str, sizes: Sequence[int]) -> None:
        """Remembers the sizes of a splitter's parts, in pixels, until `store` writes them."""
        self._splitters[name] = list(sizes)

    def remember_file(self, path: Path) -> None:
        """Puts a file in front of the recent ones."""
        name = str(path.absolute())
        self.recent = [name, *(other for other in self.recent if other != name)][:RECENT]

    def restore(self, window: QMainWindow) -> None:
        """Gives a window its place, size and docks, all of it on a screen that is there."""
        wanted = self._geometry or centred(FIRST)
        fitting, smallest = on_screen(wanted)
        window.setMinimumSize(smallest)
        window.setGeometry(fitting)
        if self._docks:
            window.restoreState(QByteArray(self._docks), DOCKS)
        if self._maximized:
            window.showMaximized()

    def store(self, window: QMainWindow) -> None:
        """Writes all of it; a disk that is full becomes a notice."""
        geometry = window.normalGeometry() if window.isMaximized() or window.isFullScreen() else window.geometry()
        stored = _Stored(
            geometry=[geometry.x(), geometry.y(), geometry.width(), geometry.height()],
            maximized=window.isMaximized(),
            docks=base64.b64encode(window.saveState(DOCKS).data()).decode(),
            place=self.place,
            theme=self.theme,
            splitters=self._splitters,
            recent=self.recent,
        )
        try:
            change_section(SECTION, lambda _: stored.model_dump())
        except LabError as error:
            notify("warning", error.problem)

    def _set_aside(self, section: Any, reason: str) -> None:
        remedy = tr("The defaults are used; what stood there was kept as {name}", name=DAMAGED)
        try:
            change_section(DAMAGED, lambda _: section if isinstance(section, dict) else {"content": section})
        except LabError:
            remedy = tr("The defaults are used")
        what = tr("what the window remembered could not be read: {reason}", reason=reason)
        notify("warning", Problem(what, field=SECTION, remedy=remedy))


def on_screen(wanted: QRect) -> tuple[QRect, QSize]:
    """A window's rectangle on the screen that holds most of it, and how small the window may become there.

    Args:
        wanted: Where it was; that screen may be gone, or smaller now.
    """
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    room = max(screens, key=lambda one: _area(one.intersected(wanted)))
    if not _area(room.intersected(wanted)):
        room = QGuiApplication.primaryScreen().availableGeometry()
    smallest = SMALLEST.boundedTo(room.size())
    size = wanted.size().expandedTo(smallest).boundedTo(room.size())
    left = min(max(wanted.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(wanted.top(), room.top()), room.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height()), smallest


def centred(size: QSize) -> QRect:
    """A rectangle of a size in the middle of the primary screen."""
    room = QGuiApplication.primaryScreen().availableGeometry()
    found = QRect(0, 0, size.width(), size.height())
    found.moveCenter(room.center())
    return found


def _area(rectangle: QRect) -> int:
    return max(0, rectangle.width()) * max(0, rectangle.height())
