"""The tab that selects the corpus: a list of corpora, the settings of the selected one, and a sample."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
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
from lab.recipes import Choice, Recipe
from lab.shell.corpus.picker.downloads import Downloads
from lab.shell.corpus.picker.entries import DATASET, Entry, groups_of, key_of
from lab.shell.corpus.picker.sample import Sample, make_sample
from lab.shell.corpus.picker.sample_card import SampleCard
from lab.shell.corpus.picker.settings import FIELD, EntryPanel
from lab.shell.corpus.picker.source_card import AboutCard
from lab.shell.runtime.file_dialogs import ask_for_files, ask_for_folder
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.corpus.labels import corpus_name
from lab.training.resolution import Resolved, resolve
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import inside, localized, number_text, tr, tr_registered
from lab.widgets.core.theme import BETWEEN, px
from lab.widgets.lists.grouped_list import GroupedList, Row

if TYPE_CHECKING:
    from lab.shell.session.session import Session

AFTER_EDIT = 200
"""Milliseconds without an edit after which a sample is made."""
LIST, SETTINGS = 286, 316
"""Widths of the list and of the selected entry in pixels; large type widens them as far as the window allows."""
SHARE = 0.55
"""The largest share of the height for the description of a source."""


class PickerTab(QWidget):
    """The tab that selects the corpus.

    Args:
        session: The session, whose draft gets the corpus.
        corpus: The corpus of the draft, which is watched while the page is open.
        train: Starts a run of the draft.
    """

    def __init__(self, session: Session, corpus: DraftCorpus, train: Callable[[], object]) -> None:
        super().__init__()
        self._session, self._draft, self._corpus = session, session.draft, corpus
        self._entries: dict[str, Entry] = {}
        self._values: dict[str, dict[str, Any]] = {}  # the settings of each entry
        self._entry: Entry | None = None
        self._shown: Choice | None = None  # the corpus of the draft when it was last shown
        self._request = 0  # number of the newest sample; results of older ones are dropped
        self._refused_at = ""  # the field at which the sample's problem is shown
        self.downloads = Downloads(session.background, self)
        self.downloads.changed.connect(self._downloaded)
        self.list = GroupedList(tr("Corpora"), tr("Up and down select a corpus, Return uses it for the next run"))
        self.list.selection_changed.connect(self.choose)
        self.list.taken.connect(self._take)
        self.settings = EntryPanel(self.downloads)
        self.settings.setMinimumWidth(SETTINGS)
        follow_type(self.settings, lambda settings: settings.setMaximumWidth(max(SETTINGS, px(SETTINGS))))
        self.settings.edited.connect(self._edited)
        self.settings.taken.connect(self._use)
        self.settings.train_clicked.connect(train)
        self._suggestion: tuple[Recipe, str] | None = None
        self.about, self.sample = AboutCard(), SampleCard()
        self._right = QVBoxLayout()
        self._right.setSpacing(BETWEEN)
        self._right.addWidget(self.about)
        self._right.addWidget(self.sample, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(BETWEEN)
        row.addWidget(self._make_list(), 13)
        row.addWidget(self.settings, 13)
        row.addLayout(self._right, 12)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_EDIT)
        self._later.timeout.connect(self._make_sample)
        self._draft.changed.connect(self._draft_changed)

    def _make_list(self) -> QWidget:
        self.open_file = Button(
            tr("Open file…"), hint=tr("Open file: text, code, a table, a page or a document"), role="quiet"
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
        note.setWordWrap(True)  # for large type
        panel = QFrame()
        panel.setProperty("role", "panel")
        panel.setMinimumWidth(LIST)
        follow_type(panel, lambda panel: panel.setMaximumWidth(max(LIST, px(LIST))))
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
        """List the corpora; select that of the draft when the page opens."""
        super().showEvent(event)
        opens = not self._corpus.watched
        self._list_rows()
        if opens or self._entry is None or self._shown != self._draft.recipe.corpus:
            self._choose_draft()
        else:
            self.choose(self._entry.key)

    def _list_rows(self) -> None:
        """List the corpora loaded so far, since plugins of third parties load late."""
        rows = []
        self._entries = {}
        marked, mark = key_of(self._draft), tr("used for the next run")
        for title, entries in groups_of(self._session.plugins):
            rows += [Row("", title)] if entries else []
            for entry in entries:
                self._entries[entry.key] = entry
                tip = tr_registered(self._session.plugins.card("corpora", entry.card).summary)
                if entry.shared:
                    tip = entry.shared
                if entry.download is not None:
                    tip = f"{entry.download.title} · {entry.download.licence}"
                rows.append(Row(entry.key, entry.title, self._note(entry), tip, mark if entry.key == marked else ""))
        self.list.set_rows(rows)

    def _note(self, entry: Entry) -> str:
        if entry.download is None:
            return ""
        share = self.downloads.share(entry.download.name)
        if share is not None:
            return tr("{n} %", n=number_text(100 * share, ".0f"))
        return tr("downloaded") if entry.download.here else tr("{n}B", n=localized(short(entry.download.bytes)))

    def choose(self, key: str) -> None:
        """Show an entry, with the last values of its settings."""
        entry = self._entries.get(key)
        if entry is None:
            self.list.show_selected("")
            self.sample.show_none(tr("Select a corpus on the left."))
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
        elif self._is_remote():  # nothing is downloaded unless the user requests it
            self._later.stop()
            message = tr("This corpus is on the Hugging Face hub and must be downloaded once.")
            self.sample.show_none(message, tr("Download and show a sample"), self._make_sample)
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
        """Return a message about what is missing for a sample; "" if nothing is."""
        entry = self._entry
        if entry is None:
            return tr("Select a corpus on the left.")
        if entry.download is not None and not entry.download.here:
            return tr("Download this text to see a sample.")
        config = self._session.plugins.card("corpora", entry.card).config
        given: Mapping[str, Any] = {**self._values.get(entry.key, {}), **entry.settings}
        for setting in settings_of(config, nested=False):
            is_required = setting.default is None and not setting.optional and setting.kind == "text"
            if is_required and not given.get(setting.name):
                name = inside(tr_registered(setting.title))
                return tr("Enter the {setting} to see a sample.", setting=name)
        return ""

    def _is_remote(self) -> bool:
        """Return True if making a sample would download something."""
        path = self._values.get(DATASET, {}).get("path", "")
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # it is not a valid path
            return self._entry is not None and self._entry.card == DATASET and not Path(path).expanduser().exists()
        return False

    def _resolve(self, entry: Entry) -> Resolved:
        """Return the card of an entry with the shown settings.

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

    def suggest(self, recipe: Recipe, text: str) -> None:
        """Show a text about the settings that were chosen for a corpus, as long as the draft has them.

        Args:
            recipe: The draft with these settings.
            text: What was chosen, and why.
        """
        self._suggestion = recipe, text
        self._show_use()

    def _show_use(self) -> None:
        """Update the button that uses the selected entry as the corpus."""
        if self._entry is None:
            return
        try:
            resolved = self._resolve(self._entry)
        except LabError:
            self.settings.show_use(can=False, draft="", needs="")
            return
        is_draft = self._is_shown()
        problems, sample = self.settings.problems, self.sample.sample
        needs_sample = resolved.card.tokenizer is not None and sample is None  # for the length of its longest example
        can = not (problems or needs_sample or self._needs() or self._refused_at)
        needs = ""
        context = self._draft.recipe.training.context_length
        if sample is not None and not is_draft and sample.longest - 1 > context:
            longer = number_text(sample.longest - 1)
            needs = tr("This raises the context length from {now} to {n} tokens", now=number_text(context), n=longer)
        if is_draft:
            needs = tr("Used for the next run.")
            if self._suggestion is not None and self._suggestion[0] == self._draft.recipe:
                needs = f"{needs}\n{self._suggestion[1]}"
            needs = "\n".join(filter(None, [needs, self._draft.note]))
        self.settings.show_use(can=can, draft=corpus_name(self._draft) if is_draft else "", needs=needs)

    def _use(self) -> None:
        """Make the selected entry the corpus of the draft; raise the context length for its longest example."""
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
        problem = self._draft.apply({FIELD: None}, pieces)  # without the settings of the previous corpus
        if problem is not None:
            self.settings.show_problem(problem)
            return
        self.list.setFocus()  # not the button that starts, which the user has not read yet
        message = tr("The next run trains on “{name}”", name=self._entry.title)
        if raised:
            context = tr("the context length is now {n} tokens, to fit the longest example", n=number_text(longest - 1))
            message = tr("{what}; {context}", what=message, context=context)
        if resolved.card.tokenizer is not None:
            message = tr("{what}; it comes with its own symbols", what=message)
        notify("info", message)

    def _take(self, key: str) -> None:
        """Use the entry of a row after Return or a double click."""
        if self._entry is not None and key == self._entry.key and self.settings.use.isEnabled():
            self._use()

    def _open_file(self) -> None:
        self._session.open_paths(ask_for_files(self.window()))

    def _open_folder(self) -> None:
        self._session.open_paths(ask_for_folder(self.window()))

    def _paste(self) -> None:
        self._session.opener.paste(QApplication.clipboard().text())

    # --------------------------------------------------------------------------------------------------------- its size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height of the source's description; the sample gets the rest."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self.width() - LIST - SETTINGS - 2 * BETWEEN
        self.about.fit(width, int(SHARE * self.height()))
