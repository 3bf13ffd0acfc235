"""The stored state of the window: geometry, docks, appearance, language, recent files, draft, run, options of cards."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator
from PySide6.QtCore import QByteArray, QMargins, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.settings import change_section, read_settings
from lab.base.system.policy import policy
from lab.shell.runtime.geometry import Box, Frame, fitted
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.i18n import tr

SECTION, DAMAGED = "window", "window.damaged"
DOCKS = 1
"""Version of the arrangement of docks and toolbars; an arrangement of another version is not restored."""
SMALLEST = QSize(1100, 640)
FIRST = QSize(1600, 1000)
"""Size of the window at the first start, if the screen is large enough."""
USUAL = Frame(2, 38, 2, 6)
"""The frame of a window that is not shown yet; on most desktops it is as large or smaller."""
RECENT = 10

Language = Literal["system", "en", "de"]
"""A language of the window by its code, or that of the system."""
Pixels = Annotated[int, Field(ge=-100_000, le=100_000)]


class _Stored(Appearance):
    """The stored section of the settings, with the settings of the appearance, validated when it is read."""

    version: Literal[1] = 1
    geometry: Annotated[list[Pixels], Field(min_length=4, max_length=4)] | None = None
    maximized: bool = False
    docks: str = ""
    place: str = ""
    language: Language = "system"
    splitters: dict[str, list[Annotated[int, Field(ge=0, le=100_000)]]] = Field(default_factory=dict)
    recent: list[str] = Field(default_factory=list)
    selected: str = ""
    shown: list[str] = Field(default_factory=list)
    draft: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)

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
        appearance: The appearance that the user selected.
        language: The language that the user selected: a code, or "system".
        recent: Recently opened files, the latest first.
        selected: Identity of the run that was selected; "" for none.
        shown: Identities of the runs that were drawn beside it.
        draft: The state of the draft; {} if none is stored.
        options: What was selected in cards and panels, by their names.
    """

    def __init__(self) -> None:
        self.place = ""
        self.appearance = Appearance()
        self.language: Language = "system"
        self.recent: list[str] = []
        self.selected = ""
        self.shown: list[str] = []
        self.draft: dict[str, Any] = {}
        self.options: dict[str, dict[str, Any]] = {}
        self._geometry: QRect | None = None
        self._restored = QSize()
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
        self.place, self.language, self.recent = stored.place, stored.language, stored.recent[:RECENT]
        self.appearance = Appearance(**stored.model_dump(include=set(Appearance.model_fields)))
        self.selected, self.shown = stored.selected, stored.shown
        self.draft, self.options = stored.draft, stored.options
        self._geometry = QRect(*stored.geometry) if stored.geometry else None
        self._maximized = stored.maximized
        self._docks = base64.b64decode(stored.docks)
        self._splitters = stored.splitters

    @property
    def shown_language(self) -> str:
        """The language of the window: that of the machine's policy, or else the selected one."""
        return policy().language or self.language

    @property
    def shown_appearance(self) -> Appearance:
        """The appearance of the window, with the theme of the machine's policy if it names one."""
        theme = policy().theme
        return self.appearance if theme is None else self.appearance.model_copy(update={"theme": theme})

    def remember_appearance(self, shown: Appearance) -> None:
        """Take over the appearance of the window, except for a theme that the user did not select."""
        theme = shown.theme if policy().theme is None else self.appearance.theme
        self.appearance = shown.model_copy(update={"theme": theme})

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

    def place_window(self, window: QMainWindow) -> None:
        """Restore the geometry of a window, on an existing screen."""
        self._place(window)
        if self._maximized:
            window.showMaximized()

    def restore_docks(self, window: QMainWindow) -> None:
        """Restore the docks of a window."""
        if self._docks:
            window.restoreState(QByteArray(self._docks), DOCKS)

    def bring_back(self, window: QMainWindow) -> None:
        """Place a restored window again if its frame, whose size is only known now, is larger than usual.

        Args:
            window: The window, shown long enough for the system to have added its frame.
        """
        frame = _frame_of(window)
        is_large = any(width > usual for width, usual in zip(frame, USUAL, strict=True))
        untouched = window.size() == self._restored and not window.isMaximized() and not window.isFullScreen()
        if is_large and untouched:
            self._place(window, frame)

    def _place(self, window: QMainWindow, frame: Frame = USUAL) -> None:
        previous = None if self._geometry is None else _box(self._geometry)
        first, least = (FIRST.width(), FIRST.height()), (SMALLEST.width(), SMALLEST.height())
        found, smallest = fitted(previous, _screens(), frame, first, least)
        window.setMinimumSize(*smallest)
        window.setGeometry(*found)
        self._restored = QSize(found.width, found.height)

    def store(self, window: QMainWindow) -> None:
        """Write the state of a window; report a notice if the disk is full."""
        geometry = window.normalGeometry() if window.isMaximized() or window.isFullScreen() else window.geometry()
        stored = _Stored(
            geometry=[geometry.x(), geometry.y(), geometry.width(), geometry.height()],
            maximized=window.isMaximized(),
            docks=base64.b64encode(window.saveState(DOCKS).data()).decode(),
            place=self.place,
            language=self.language,
            splitters=self._splitters,
            recent=self.recent,
            selected=self.selected,
            shown=self.shown,
            draft=self.draft,
            options=self.options,
            **self.appearance.model_dump(),
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


def _frame_of(window: QMainWindow) -> Frame:
    """Return the frame of a window that is shown."""
    handle = window.windowHandle()
    margins = QMargins() if handle is None else handle.frameMargins()
    return Frame(margins.left(), margins.top(), margins.right(), margins.bottom())


def _box(rect: QRect) -> Box:
    return Box(rect.x(), rect.y(), rect.width(), rect.height())


def _screens() -> list[Box]:
    """Return the available rectangles of the screens, the primary one first."""
    primary = QGuiApplication.primaryScreen()
    others = [screen for screen in QGuiApplication.screens() if screen is not primary]
    return [_box(screen.availableGeometry()) for screen in (primary, *others)]
