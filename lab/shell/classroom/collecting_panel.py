"""The switch of the page on the local network, with its address for the projector."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.interop.report.words import Words
from lab.recipes.qr_code import qr_code
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import language, localized, tr, tr_n, tr_registered
from lab.widgets.core.messages import message_text, problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP, px
from lab.widgets.maps.qr_view import QrView

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.base.jobs import Job
    from lab.workbench.classroom.collecting import Collection

WIDTH, LARGE = 760, 30
"""Width of the panel and size of the address, in pixels."""


class CollectingPanel(Overlay):
    """A panel that starts and ends the page; closing the panel does not end the page, closing the window does.

    Args:
        window: The window over which it opens.
        background: Starts the page in a thread, as a folder may be far away.

    Attributes:
        collection: The page while it is served, else None.
        switch: The button that starts or ends it.
    """

    taken = Signal(Path)
    """A run was handed in as this file; emitted in a thread of the page."""
    changed = Signal()
    """The page was started or ended."""

    def __init__(self, window: QWidget, background: Background) -> None:
        super().__init__(window, tr("Collect over the network"))
        self._background = background
        self._folder = Path()
        self._count = 0
        self._is_starting = False
        self._is_closed = False
        self.collection: Collection | None = None
        self._note, self._others, self._state = label("", "dim"), label("", "dim"), label("")
        self._address, self._refused = label(""), label("", "bad")
        for each in (self._note, self._others, self._address, self._refused):
            each.setWordWrap(True)
        self._address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        follow_type(self._address, lambda address: address.setStyleSheet(f"font-size: {px(LARGE)}px"))
        self.picture = QrView()
        self.switch = Button("", role="primary")
        self.switch.clicked.connect(self._toggle)
        self.close_button = Button(tr("Close"), hint=tr("Close; the page stays until it is ended"), role="")
        self.close_button.clicked.connect(self.shut)
        side = QVBoxLayout()
        side.setSpacing(2 * STEP)
        for widget in (self._note, self._others, self._state, self._refused):
            side.addWidget(widget)
        side.addStretch(1)
        middle = QHBoxLayout()
        middle.setSpacing(4 * STEP)
        middle.addWidget(self.picture)
        middle.addLayout(side, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.switch)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        self._rows.addWidget(label(tr("Collect over the network"), "title"))
        self._rows.addWidget(self._address)
        self._rows.addLayout(middle)
        self._rows.addLayout(buttons)
        self.taken.connect(self._add)

    def open(self, folder: Path) -> None:
        """Show the panel for a folder; while the page is served, its folder stays."""
        if self.collection is None:
            self._folder = folder
        self._show("")
        self.show_over(self.switch)
        self.place()  # what was never shown has no height before

    def place(self) -> None:
        """Place it in the middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = min(self._rows.totalHeightForWidth(width), self._window.height() - 20)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def stop(self) -> None:
        """End the page for good, as the window closes."""
        self._is_closed = True
        self._end()

    def _toggle(self) -> None:
        if self.collection is not None:
            self._end()
            self._show("")
        elif not self._is_starting:
            self._is_starting = True
            self.switch.setEnabled(False)
            words = Words(language.code, tr_registered, tr_n, localized, message_text)
            work = partial(_start, self._folder, words, self.taken.emit)
            self._background.run(tr("Starting the page of the class"), work, self._started, self._failed)

    def _end(self) -> None:
        if self.collection is not None:
            self.collection.stop()
            self.collection = None
            self.changed.emit()

    def _started(self, collection: Collection) -> None:
        self._is_starting = False
        if self._is_closed:
            collection.stop()
            return
        collection.start()
        self.collection, self._count = collection, 0
        self.changed.emit()
        self._show("")

    def _failed(self, problem: Problem) -> None:
        self._is_starting = False
        self._show(problem_line(problem))

    def _add(self, _path: Path) -> None:
        self._count += 1
        self._show_count()

    def _show(self, refused: str) -> None:
        """Show the state of the page."""
        collection = self.collection
        addresses = [] if collection is None else collection.addresses
        self.switch.setText(tr("Start") if collection is None else tr("End"))
        self.switch.setEnabled(not self._is_starting)
        self._note.setText(
            tr("While it is on, anybody on the local network who knows the address can hand in runs to the folder "
               "{folder}. It is off when the window closes.", folder=self._folder.name)
            if collection is None else
            tr("Enter this address in a browser, or in Hand in of the menu of a run. The last part is its password.")
        )  # fmt: skip
        self._address.setText(addresses[0] if addresses else "")
        self._others.setText(tr("or {addresses}", addresses=", ".join(addresses[1:])) if addresses[1:] else "")
        self._refused.setText(refused)
        for text in (self._address, self._others, self._refused):
            text.setVisible(bool(text.text()))
        self._state.setVisible(collection is not None)
        self.picture.setVisible(collection is not None)
        self.picture.show_code(qr_code(addresses[0]) if addresses else None, tr("QR code of the address"))
        self._show_count()
        self.place()

    def _show_count(self) -> None:
        self._state.setText(tr_n("1 run was handed in", "{n} runs were handed in", self._count))


def _start(folder: Path, words: Words, taken: Callable[[Path], object], job: Job) -> Collection:
    """Make the page; in a thread."""
    from lab.workbench.classroom.collecting import Collection

    del job
    return Collection(folder, language=words, taken=taken)
