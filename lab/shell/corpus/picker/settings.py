"""The panel of the selected entry: title, form of its settings, download, and the button that uses it as the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from lab.api import Corpus
from lab.base.problems import Problem
from lab.shell.corpus.picker.downloads import DownloadPanel, Downloads
from lab.shell.corpus.picker.entries import Entry
from lab.shell.session.corpus.labels import breakable
from lab.widgets.core.controls import Button, follow_in_tab_order, label
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE
from lab.widgets.forms.form import Form, HelpStrip

FIELD = "corpus"
"""The field of a recipe that names the corpus."""


class EntryPanel(QFrame):
    """The panel of the selected entry.

    Args:
        downloads: The downloads.

    Attributes:
        form: The form of its settings; None if it has none.
    """

    edited = Signal()
    """A setting changed, or became valid or invalid."""
    taken = Signal()
    """The user clicked "Use as corpus"."""
    train_clicked = Signal()
    """A run on the entry, which is the corpus of the draft, is to be started."""

    def __init__(self, downloads: Downloads) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName(tr("The selected corpus"))
        self.form: Form | None = None
        self._title, self._summary = label("", "title"), label("", "dim")
        self._title.setWordWrap(True)
        self._summary.setWordWrap(True)
        self._needs = label("", "note")
        self._needs.setWordWrap(True)
        self.download = DownloadPanel(downloads)
        inside = QWidget()
        self._rows = QVBoxLayout(inside)
        self._rows.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self._rows.setSpacing(8)
        for above in (self._title, self._summary, self.download):
            self._rows.addWidget(above)
        self._rows.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the focus goes to its content
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self.help = HelpStrip()
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self.use = Button(tr("Use as corpus"), role="primary")
        self.use.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.use.clicked.connect(self.taken)
        self.train = Button(tr("Train"), role="primary", icon_name="start")
        self.train.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # its name may be long
        self.train.clicked.connect(self.train_clicked)
        self._name = self._hint = ""  # of what it trains on
        self.train.installEventFilter(self)
        self.train.hide()
        foot = QVBoxLayout()
        foot.setContentsMargins(INSIDE, 0, INSIDE, 0)
        foot.setSpacing(6)
        for widget in (self.help, self._needs, self._problem, self.use, self.train):
            foot.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, INSIDE, 0, INSIDE)
        layout.setSpacing(8)
        layout.addWidget(area, 1)
        layout.addLayout(foot)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore the second click of a double click on the other button, in whose place this one stands since then."""
        if event.type() == QEvent.Type.Resize:
            self._fit_name()
        return event.type() == QEvent.Type.MouseButtonDblClick or super().eventFilter(watched, event)

    def show_entry(self, entry: Entry, card: Corpus, values: Mapping[str, Any]) -> None:
        """Show another entry, with the values of its settings."""
        self._title.setText(entry.title if entry.download is None else entry.download.title)
        summary = tr_registered(card.summary) if entry.download is None else ""
        shared = tr("Shared with everybody on this machine: {path}", path=breakable(entry.shared))
        self._summary.setText(shared if entry.shared else summary)
        self._summary.setVisible(entry.download is None)
        self.download.show_download(entry.download)
        if self.form is not None:
            self._rows.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        if card.config.model_fields and not entry.settings:
            self.form = Form(card.config, prefix=FIELD)
            self.form.show_values(values, {})
            self.form.edited.connect(self._emit_edited)
            self.form.invalid.connect(self.edited)
            self.form.focused.connect(self.help.show_setting)
            self._rows.insertWidget(self._rows.count() - 1, self.form)
            follow_in_tab_order(self.download.stop, self.form)
        self.help.set_wanted(self.form is not None)
        self.help.show_setting(None)
        self.show_problem(None)

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show other values of the settings."""
        if self.form is not None:
            self.form.show_values(values, {})

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid settings, by field."""
        return {} if self.form is None else self.form.problems

    def show_problem(self, problem: Problem | None, before: str = "") -> None:
        """Show a problem at its field, or above the button if the form has no such field.

        Args:
            problem: The problem; None to show none.
            before: The field of the previously shown problem; "" for none.
        """
        if self.form is not None and before:
            self.form.show_problem(before, None)
        at_field = problem is not None and self.form is not None and bool(problem.field)
        at_field = at_field and self.form.show_problem(problem.field, problem)  # type: ignore[union-attr,arg-type]
        above = problem is not None and not at_field
        self._problem.setText(breakable(problem_line(problem)) if problem is not None and above else "")
        self._problem.setVisible(above)

    def show_use(self, *, can: bool, draft: str, needs: str) -> None:
        """Update the button that uses the entry as the corpus, or trains on it.

        Args:
            can: True if the entry can be used.
            draft: The name of the entry if it is already the corpus of the draft, with the same settings; else "".
            needs: A note about further changes that using it makes, or about the draft; "" for none.
        """
        self.use.set_face(tr("Use as corpus"), "", tr("Use this corpus for the next run"))
        self.use.setEnabled(can and not draft)
        self.use.setVisible(not draft)
        hint = tr("Start a run of the configuration on this corpus, and show it in Train")
        self.train.set_face(tr("Train on {name}", name=draft), "start", hint)
        self._name, self._hint = draft, hint
        self._fit_name()
        self.train.setEnabled(can)
        self.train.setVisible(bool(draft))
        self._needs.setText(needs)
        self._needs.setVisible(bool(needs))

    def _fit_name(self) -> None:
        """Elide the name on the button to train; the tool tip has the whole one."""
        whole = tr("Train on {name}", name=self._name)
        self.train.setText(tr("Train on {name}", name=""))
        room = self.train.width() - self.train.sizeHint().width()
        name = self.train.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, max(0, room))
        self.train.setText(tr("Train on {name}", name=name))
        self.train.setToolTip(self._hint if name == self._name else f"{whole}\n{self._hint}")

    def _emit_edited(self, path: str, value: object) -> None:
        del path, value
        self.edited.emit()
