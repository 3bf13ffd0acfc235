"""The tab where the corpus is selected: a list of corpora, the selected one with its settings, and a sample."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from lab.api import settings_of
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.units import short
from lab.recipes import Choice
from lab.shell.corpus.picker.downloads import Downloads
from lab.shell.corpus.picker.entries import DATASET, Entry, groups_of, key_of
from lab.shell.corpus.picker.entry_list import EntryList, Row
from lab.shell.corpus.picker.sample import Sample, make_sample
from lab.shell.corpus.picker.sample_card import SampleCard
from lab.shell.corpus.picker.settings import FIELD, EntryPanel
from lab.shell.corpus.picker.source_card import AboutCard
from lab.shell.runtime.file_dialogs import ask_for_files, ask_for_folder
from lab.shell.session.corpus import DraftCorpus
from lab.training.resolution import Resolved, resolve
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN
from lab.widgets.forms.rows import title_of

if TYPE_CHECKING:
    from lab.shell.session.session import Session

AFTER_EDIT = 200
"""Milliseconds without an edit after which a sample is made."""
LIST, SETTINGS = 286, 316
"""Pixels of the list and of the selected entry."""
SHARE = 0.55
"""Share of the height that the description of a source may take."""


class PickerTab(QWidget):
    """The tab.

    Args:
        session: Its draft gets the corpus.
        corpus: The corpus of the draft; it is watched while the page is open.
    """

    def __init__(self, session: Session, corpus: DraftCorpus) -> None:
        super().__init__()
        self._session, self._draft, self._corpus = session, session.draft, corpus
        self._entries: dict[str, Entry] = {}
        self._values: dict[str, dict[str, Any]] = {}  # of each entry's settings, as long as the page lives
        self._entry: Entry | None = None
        self._shown: Choice | None = None  # the corpus of the draft when it was shown last
        self._request = 0  # number of the sample that is shown or made; results of older ones are dropped
        self._refused_at = ""  # the field at which the sample's problem is shown
        self.downloads = Downloads(session.background, self)
        self.downloads.changed.connect(self._downloaded)
        self.list = EntryList()
        self.list.selection_changed.connect(self.choose)
        self.list.taken.connect(self._take)
        self.settings = EntryPanel(self.downloads)
        self.settings.setFixedWidth(SETTINGS)
        self.settings.edited.connect(self._edited)
        self.settings.taken.connect(self._use)
        self.about, self.sample = AboutCard(), SampleCard()
        self._right = QVBoxLayout()
        self._right.setSpacing(BETWEEN)
        self._right.addWidget(self.about)
        self._right.addWidget(self.sample, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(BETWEEN)
        row.addWidget(self._make_list())
        row.addWidget(self.settings)
        row.addLayout(self._right, 1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_EDIT)
        self._later.timeout.connect(self._make_sample)
        self._draft.changed.connect(self._draft_changed)

    def _make_list(self) -> QWidget:
        self.open_file = Button(
            tr("Open file…"), hint=tr("Open file: text, code, a table, a page, a document"), role="quiet"
        )
        self.open_folder = Button(tr("Open folder…"), hint=tr("Open folder: all its texts, joined"), role="quiet")
        self.paste = Button(tr("Paste"), hint=tr("Use the text on the clipboard"), role="quiet")
        self.open_file.clicked.connect(self._open_file)
        self.open_folder.clicked.connect(self._open_folder)
        self.paste.clicked.connect(self._paste)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(1, 0, 4, 0)
        buttons.setSpacing(2)
        for button in (self.open_file, self.open_folder, self.paste):
            buttons.addWidget(button)
        buttons.addStretch()
        note = label(tr("or drop a file or folder on the window"), "note")
        note.setContentsMargins(8, 0, 8, 4)
        panel = QFrame()
        panel.setProperty("role", "panel")
        panel.setFixedWidth(LIST)
        rows = QVBoxLayout(panel)
        rows.setContentsMargins(4, 8, 4, 4)
        rows.setSpacing(4)
        rows.addLayout(buttons)
        rows.addWidget(note)
        line = QFrame()
        line.setProperty("role", "line")
        rows.addWidget(line)
        rows.addWidget(self.list, 1)
        return panel

    # -------------------------------------------------------------------------------------------------------- the list

    def showEvent(self, event: QShowEvent) -> None:
        """List the corpora; when the page opens, select the one of the draft."""
        super().showEvent(event)
        opens = not self._corpus.watched
        self._list_rows()
        if opens or self._entry is None or self._shown != self._draft.recipe.corpus:
            self._choose_draft()
        else:
            self.choose(self._entry.key)

    def _list_rows(self) -> None:
        """List the corpora that are loaded now; plugins of third parties load late."""
        rows = []
        self._entries = {}
        marked = key_of(self._draft)
        for title, entries in groups_of(self._session.plugins):
            rows += [Row("", title)] if entries else []
            for entry in entries:
                self._entries[entry.key] = entry
                tip = str(self._session.plugins.card("corpora", entry.card).summary)
                if entry.download is not None:
                    tip = f"{entry.download.title} · {entry.download.licence}"
                rows.append(Row(entry.key, entry.title, self._note(entry), tip, entry.key == marked))
        self.list.set_rows(rows)

    def _note(self, entry: Entry) -> str:
        if entry.download is None:
            return ""
        share = self.downloads.share(entry.download.name)
        if share is not None:
            return tr("{n} %", n=f"{100 * share:.0f}")
        return tr("here") if entry.download.here else tr("{n}B", n=short(entry.download.bytes))

    def choose(self, key: str) -> None:
        """Show an entry, with the values that its settings had last."""
        entry = self._entries.get(key)
        if entry is None:
            self.list.show_selected("")
            self.sample.show_none(tr("Select a corpus at the left."))
            return
        self._entry = entry
        self.list.show_selected(key)
        card = self._session.plugins.card("corpora", entry.card)
        self.settings.show_entry(entry, card, self._values.get(key, {}))
        self.about.show_card(card)
        self.sample.sample, self._refused_at = None, ""
        self._fit()
        self._request_sample()

    def _choose_draft(self) -> None:
        """Show the corpus of the draft, with the draft's settings."""
        self._shown = self._draft.recipe.corpus
        key = key_of(self._draft)
        try:
            self._values[key] = self._draft.card(FIELD).config.stored()
        except LabError as error:  # its card is gone, or its settings are no longer allowed
            self._list_rows()
            self.choose(key)
            self.settings.show_problem(error.problem)
            return
        self._list_rows()
        self.choose(key)

    def _draft_changed(self) -> None:
        if not self.isVisible():
            return
        if self._shown != self._draft.recipe.corpus and not self._is_shown():
            self._choose_draft()
        elif self._shown != self._draft.recipe.corpus:
            self._shown = self._draft.recipe.corpus
            self._list_rows()
        self._show_use()

    def _downloaded(self, name: str) -> None:
        if not self.isVisible():
            return
        self._list_rows()
        entry = self._entry
        fetched = self.downloads.share(name) is None
        if fetched and entry is not None and entry.download is not None and entry.download.name == name:
            self._request_sample()

    # ------------------------------------------------------------------------------------------------------ its sample

    def _edited(self) -> None:
        form, entry = self.settings.form, self._entry
        if form is not None and entry is not None:
            self._values[entry.key] = form.values()
            self._request_sample()

    def _request_sample(self) -> None:
        """Make a sample soon, unless something is missing for it."""
        self._request += 1
        needs = self._needs()
        if needs:
            self._later.stop()
            self.sample.show_none(needs)
        elif self._is_remote():  # nothing is downloaded unless a person requests it
            self._later.stop()
            message = tr("It is read from the Hugging Face hub and downloaded the first time.")
            self.sample.show_none(message, tr("Download it and show a sample"), self._make_sample)
        else:
            self.sample.show_waiting()
            self._later.start()
        self._show_use()

    def _make_sample(self) -> None:
        if self._entry is None:
            return
        try:
            work = partial(make_sample, self._resolve(self._entry))
        except LabError as error:
            self._show_problem(error.problem)
            return
        self._request += 1
        self.sample.show_waiting()
        done = partial(self._show_made, self._request)
        self._session.background.run(tr("Making a sample"), work, done, replaces="sample of a corpus")

    def _show_made(self, request: int, made: Sample | Problem) -> None:
        if request != self._request:
            return
        if isinstance(made, Problem):
            self._show_problem(made)
            return
        self.settings.show_problem(None, self._refused_at)
        self._refused_at = ""
        self.sample.show_sample(made)
        self._show_use()

    def _show_problem(self, problem: Problem) -> None:
        self.settings.show_problem(None, self._refused_at)
        self._refused_at = problem.field or ""
        if self._refused_at:
            self.settings.show_problem(problem)
        self.sample.show_problem(problem)
        self._show_use()

    def _needs(self) -> str:
        """Return what must be given before a sample can be made; "" for nothing."""
        entry = self._entry
        if entry is None:
            return tr("Select a corpus at the left.")
        if entry.download is not None and not entry.download.here:
            return tr("A sample appears here once it is downloaded.")
        config = self._session.plugins.card("corpora", entry.card).config
        given: Mapping[str, Any] = {**self._values.get(entry.key, {}), **entry.settings}
        for one in settings_of(config, nested=False):
            if one.default is None and not one.optional and one.kind == "text" and not given.get(one.name):
                name = title_of(one.name).lower()
                return tr("A sample appears here once its {setting} is given.", setting=name)
        return ""

    def _is_remote(self) -> bool:
        """Return True if making a sample would download something."""
        path = self._values.get(DATASET, {}).get("path", "")
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # no path at all
            return self._entry is not None and self._entry.card == DATASET and not Path(path).expanduser().exists()
        return False

    def _resolve(self, entry: Entry) -> Resolved:
        """Return the card of an entry with the settings that are shown.

        Raises:
            BadInput: The settings are not allowed.
        """
        settings = {**self._values.get(entry.key, {}), **entry.settings}
        return resolve(self._session.plugins, "corpora", Choice(name=entry.card, **settings), FIELD)

    def _is_shown(self) -> bool:
        """Return True if the corpus of the draft is the selected one, with the same settings."""
        try:
            draft, shown = self._draft.card(FIELD), None if self._entry is None else self._resolve(self._entry)
        except LabError:
            return False
        return shown is not None and draft.card.name == shown.card.name and draft.config == shown.config

    # ----------------------------------------------------------------------------------------- the corpus of the draft

    def _show_use(self) -> None:
        """Show whether the selected entry can be used as corpus, or is the corpus already."""
        if self._entry is None:
            return
        try:
            resolved = self._resolve(self._entry)
        except LabError:
            self.settings.show_use(can=False, is_draft=False, needs="")
            return
        is_draft = self._is_shown()
        problems, sample = self.settings.problems, self.sample.sample
        waits = resolved.card.tokenizer is not None and sample is None  # its longest example decides the context length
        can = not (problems or waits or self._needs() or self._refused_at)
        needs = ""
        context = self._draft.recipe.training.context_length
        if sample is not None and not is_draft and sample.longest - 1 > context:
            longer = f"{sample.longest - 1:,}"
            needs = tr("Raises the context length from {now} to {n} tokens", now=f"{context:,}", n=longer)
        self.settings.show_use(can=can, is_draft=is_draft, needs=needs)

    def _use(self) -> None:
        """Make the selected entry the corpus of the draft, and the context as long as its longest example."""
        if self._entry is None:
            return
        try:
            resolved = self._resolve(self._entry)
        except LabError as error:
            self.settings.show_problem(error.problem)
            return
        pieces: dict[str, Any] = {FIELD: {"name": resolved.card.name, **resolved.config.stored()}}
        longest = 0 if self.sample.sample is None else self.sample.sample.longest
        raised = longest - 1 > self._draft.recipe.training.context_length
        if raised:
            pieces["training"] = {"context_length": longest - 1}
        problem = self._draft.apply({FIELD: None}, pieces)  # no setting of the previous corpus stays
        if problem is not None:
            self.settings.show_problem(problem)
            return
        self.list.setFocus()  # the button has nothing more to do
        message = tr("The next run learns from “{name}”", name=self._entry.title)
        if raised:
            context = tr("the context length is {n} tokens now, for its longest example", n=f"{longest - 1:,}")
            message = tr("{what}; {context}", what=message, context=context)
        if resolved.card.tokenizer is not None:
            message = tr("{what}; it brings symbols of its own", what=message)
        notify("info", message)

    def _take(self, key: str) -> None:
        """Use an entry after Return or a double click on its row."""
        if self._entry is not None and key == self._entry.key and self.settings.use.isEnabled():
            self._use()

    def _open_file(self) -> None:
        self._session.open_paths(ask_for_files(self.window()))

    def _open_folder(self) -> None:
        self._session.open_paths(ask_for_folder(self.window()))

    def _paste(self) -> None:
        self._session.paste(QApplication.clipboard().text())

    # --------------------------------------------------------------------------------------------------------- its size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the description of a source the height it needs, and the sample the rest."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self.width() - LIST - SETTINGS - 2 * BETWEEN
        self.about.fit(width, int(SHARE * self.height()))
