"""Downloads of the list: what one is, fetching it in the background with progress and Cancel, and what went wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.jobs import Cancelled
from lab.base.problems import Problem
from lab.base.units import short
from lab.shell.runtime.background import Background
from lab.shell.session.corpus_labels import breakable
from lab.text.corpora import downloads
from lab.text.corpora.downloads import Download
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job

LOOK = 150
"""Milliseconds between two looks at how much has come."""


class Downloads(QObject):
    """What is being fetched, and what could not be. Nothing is fetched unless it is asked for.

    Args:
        background: Fetches.
        parent: Its parent.
    """

    changed = Signal(str)
    """The name of a download of which more has come, that is here now, or that could not be fetched."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._under_way: dict[str, _Fetching] = {}
        self._told: dict[str, Problem] = {}
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK)
        self._looking.timeout.connect(self._look)

    def fetch(self, download: Download) -> None:
        """Begins to fetch it, unless that is under way."""
        if download.name in self._under_way:
            return
        self._told.pop(download.name, None)
        fetching = self._under_way[download.name] = _Fetching(download)
        title = tr("Downloading {title}", title=download.title)
        self._background.run(title, fetching.work, partial(self._come, fetching), partial(self._refused, fetching))
        self._looking.start()
        self.changed.emit(download.name)

    def cancel(self, name: str) -> None:
        """Has it end; what has come is kept for the next time."""
        if name in self._under_way:
            self._under_way[name].stopped = True

    def share(self, name: str) -> float | None:
        """How much has come, 0 to 1; None where it is not being fetched."""
        fetching = self._under_way.get(name)
        return None if fetching is None else fetching.done / max(1, fetching.download.bytes)

    def problem(self, name: str) -> Problem | None:
        """Why it could not be fetched the last time."""
        return self._told.get(name)

    def _come(self, fetching: _Fetching, _: None) -> None:
        self._end(fetching.download.name)

    def _refused(self, fetching: _Fetching, problem: Problem) -> None:
        if fetching.stopped and problem.what == Cancelled().problem.what:
            problem = Problem(tr("Cancelled; what has come is kept, and the next time goes on behind it"))
        self._told[fetching.download.name] = problem
        self._end(fetching.download.name)

    def _end(self, name: str) -> None:
        del self._under_way[name]
        if not self._under_way:
            self._looking.stop()
        self.changed.emit(name)

    def _look(self) -> None:
        for name in list(self._under_way):
            self.changed.emit(name)


class _Fetching:
    """A download under way."""

    def __init__(self, download: Download) -> None:
        self.download = download
        self.done = 0
        self.stopped = False

    def work(self, job: Job) -> None:
        """In a thread."""

        def cancelled() -> bool:
            return self.stopped or job.cancelled

        downloads.fetch(self.download, progress=self._take_note, cancelled=cancelled)

    def _take_note(self, done: int, _: int) -> None:
        self.done = done


class DownloadPanel(QWidget):
    """One text of the list: licence, size, where it is from, whether it is here, and how to get it.

    Args:
        downloads: Fetches it.
    """

    def __init__(self, downloads: Downloads) -> None:
        super().__init__()
        self._downloads = downloads
        self._download: Download | None = None
        self._facts, self._state = label("", "note"), label("", "note")
        for each in (self._facts, self._state):
            each.setWordWrap(True)
        self.start = Button(tr("Download"), role="")
        self.start.clicked.connect(self._start)
        self.stop = Button(tr("Cancel"), hint=tr("End the download; what has come is kept"), role="")
        self.stop.clicked.connect(self._stop)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("How much has come"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.start)
        row.addWidget(self._progress, 1)
        row.addWidget(self.stop)
        row.addStretch()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self._facts)
        rows.addLayout(row)
        rows.addWidget(self._state)
        downloads.changed.connect(self._follow)

    def show_download(self, download: Download | None) -> None:
        """Shows one; None hides the panel."""
        self._download = download
        self.setVisible(download is not None)
        if download is not None:
            facts = [
                download.licence,
                tr("{n}B", n=short(download.bytes)),
                tr("from {host}", host=urlsplit(download.url).hostname),
            ]
            self._facts.setText(" · ".join(facts))
            self._facts.setToolTip(plain_tip(download.url))
            self._follow(download.name)

    def _follow(self, name: str) -> None:
        download = self._download
        if download is None or name != download.name:
            return
        share, problem = self._downloads.share(name), self._downloads.problem(name)
        here = download.here
        self.start.setVisible(share is None and not here)
        if share is None and self.stop.hasFocus() and not here:
            self.start.setFocus()  # else it would go to the button that closes the page
        self._progress.setVisible(share is not None)
        self.stop.setVisible(share is not None)
        set_role(self._state, "note")
        if share is not None:
            self._progress.setValue(round(1000 * share))
            come, whole = short(share * download.bytes), short(download.bytes)
            self._state.setText(tr("{done}B of {whole}B", done=come, whole=whole))
        elif problem is not None and not here:
            set_role(self._state, "bad" if problem.field else "note")
            self._state.setText(breakable(replace(problem, field=None).line()))  # which text it is stands above it
        elif here:
            self._state.setText(tr("It is here."))
        else:
            self._state.setText(tr("Not here yet. It is fetched when you ask for it, and checked by its SHA-256."))

    def _start(self) -> None:
        if self._download is not None:
            self._downloads.fetch(self._download)
            self.stop.setFocus()

    def _stop(self) -> None:
        if self._download is not None:
            self._downloads.cancel(self._download.name)
