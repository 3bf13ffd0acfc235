"""Downloads of the catalogue: facts, background downloads with progress and Cancel, and problems."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.jobs import Cancelled
from lab.base.problems import Problem
from lab.base.system.policy import policy
from lab.base.units import short
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.labels import breakable
from lab.text.corpora import downloads
from lab.text.corpora.downloads import Download
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.messages import message_text, problem_line

if TYPE_CHECKING:
    from lab.base.jobs import Job

POLL = 150
"""Milliseconds between two updates of the progress."""


class Downloads(QObject):
    """The running and failed downloads. Nothing is downloaded unless the user requests it.

    Args:
        background: Runs downloads in threads.
        parent: Its parent.
    """

    changed = Signal(str)
    """The name of a download that progressed, finished or failed."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._running: dict[str, _Fetch] = {}
        self._problems: dict[str, Problem] = {}
        self._polling = QTimer(self)
        self._polling.setInterval(POLL)
        self._polling.timeout.connect(self._poll)

    def fetch(self, download: Download) -> None:
        """Start a download, unless it is already running."""
        if download.name in self._running:
            return
        self._problems.pop(download.name, None)
        fetch = self._running[download.name] = _Fetch(download)
        title = tr("Downloading {title}", title=download.title)
        self._background.run(title, fetch.work, partial(self._finish, fetch), partial(self._fail, fetch))
        self._polling.start()
        self.changed.emit(download.name)

    def cancel(self, name: str) -> None:
        """Stop a download; the next one continues from there."""
        if name in self._running:
            self._running[name].stopped = True

    def share(self, name: str) -> float | None:
        """Return the share of a download that is done, 0 to 1; None if it is not running."""
        fetch = self._running.get(name)
        return None if fetch is None else fetch.done / max(1, fetch.download.bytes)

    def problem(self, name: str) -> Problem | None:
        """Return the problem of the last download; None if it did not fail."""
        return self._problems.get(name)

    def _finish(self, fetch: _Fetch, _: None) -> None:
        self._end(fetch.download.name)

    def _fail(self, fetch: _Fetch, problem: Problem) -> None:
        if fetch.stopped and problem.what == Cancelled().problem.what:
            problem = Problem(tr("Cancelled. The next download continues from there"))
        self._problems[fetch.download.name] = problem
        self._end(fetch.download.name)

    def _end(self, name: str) -> None:
        del self._running[name]
        if not self._running:
            self._polling.stop()
        self.changed.emit(name)

    def _poll(self) -> None:
        for name in list(self._running):
            self.changed.emit(name)


class _Fetch:
    """A running download: its thread stores the progress, the main thread reads it and can stop the download."""

    def __init__(self, download: Download) -> None:
        self.download = download
        self.done = 0
        self.stopped = False

    def work(self, job: Job) -> None:
        """Download the file; in a thread."""

        def cancelled() -> bool:
            return self.stopped or job.cancelled

        downloads.fetch(self.download, progress=self._set_progress, cancelled=cancelled)

    def _set_progress(self, done: int, _: int) -> None:
        self.done = done


class DownloadPanel(QWidget):
    """A panel for one text of the catalogue: licence, size, host, state, and a button that downloads it.

    Args:
        downloads: The downloads.
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
        self.stop = Button(tr("Cancel"), hint=tr("Stop the download; the next one continues from here"), role="")
        self.stop.clicked.connect(self._stop)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("Progress of the download"))
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
        """Show a download; None hides the panel."""
        self._download = download
        self.setVisible(download is not None)
        if download is not None:
            facts = [
                download.licence,
                tr("{n}B", n=localized(short(download.bytes))),
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
        self.start.setEnabled(policy().network)
        if share is None and self.stop.hasFocus() and not here:
            self.start.setFocus()  # otherwise the button that closes the page would get it
        self._progress.setVisible(share is not None)
        self.stop.setVisible(share is not None)
        set_role(self._state, "note")
        if share is not None:
            self._progress.setValue(round(1000 * share))
            done, size = localized(short(share * download.bytes)), localized(short(download.bytes))
            self._state.setText(tr("{done}B of {size}B", done=done, size=size))
        elif problem is not None and not here:
            set_role(self._state, "bad" if problem.field else "note")
            self._state.setText(breakable(problem_line(replace(problem, field=None))))  # the text is named above
        elif here:
            self._state.setText(tr("Downloaded."))
        elif not policy().network:
            source = message_text(policy().source("network"))
            self._state.setText(tr("Downloads are not allowed by {source}.", source=source))
        else:
            self._state.setText(tr("Not downloaded yet. Downloads are verified by their SHA-256."))

    def _start(self) -> None:
        if self._download is not None:
            self._downloads.fetch(self._download)
            self.stop.setFocus()

    def _stop(self) -> None:
        if self._download is not None:
            self._downloads.cancel(self._download.name)
