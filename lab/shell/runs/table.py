"""The table of all runs over the window: chosen columns, any order, and one order for all that are selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from lab.base.settings import change_section, read_section
from lab.shell.runs.columns import FIGURES, FIRST, RunsColumns, own_columns
from lab.shell.runs.panel import RunsPanel
from lab.shell.runs.question import RunQuestion
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.runs.transfers import RunTransfers
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE
from lab.widgets.runs.table import RunTable

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.runtime.background import Background

SECTION = "runs"
"""The section of the settings that has the chosen columns."""
MARGIN, TOP, FOOT = 10, 56, 36
"""Pixels that stay free of the window at the sides, above and below."""
OFFERED = 24
"""Entries of a menu of settings or figures; any other is asked for by its name."""


class RunsTable(Overlay):
    """The table of runs.

    Args:
        panel: The list at the left, whose search it shares.
        registry: The runs.
        moves: What brings them in and out.
        background: Brings reading off the main thread.
        question: Asks for tags and for columns.
        window: The window it lies over.
    """

    asked = Signal(QPoint)
    """Where on the screen the menu of the selected runs is to open."""

    def __init__(
        self,
        panel: RunsPanel,
        registry: RunRegistry,
        moves: RunTransfers,
        background: Background,
        question: RunQuestion,
        window: QWidget,
    ) -> None:
        super().__init__(window, tr("Table of runs"))
        self._panel, self._registry, self._moves = panel, registry, moves
        self._background, self._question = background, question
        self._contents = RunsColumns(background, self)
        self._contents.found.connect(self.refresh)
        self._chosen = list(FIRST)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search, or tag=… state=… layers>=4"))
        self.field.setAccessibleName(tr("Find runs"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(420)
        self.field.textChanged.connect(panel.find_words)
        self._count = label("", "note")
        self.columns = Button(tr("columns ▾"), hint=tr("Choose what stands in the table"))
        self._choices = QMenu(self.columns)
        self._choices.aboutToShow.connect(self._offer_columns)
        self.columns.setMenu(self._choices)
        self.bin = Button(tr("bin ▾"), hint=tr("Runs that were deleted"))
        self._binned = QMenu(self.bin)
        self._binned.aboutToShow.connect(self._offer_bin)
        self.bin.setMenu(self._binned)
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(tr("Runs"), "title"))
        head.addWidget(self._count)
        head.addSpacing(8)
        head.addWidget(self.field, 1)
        head.addStretch()
        for button in (self.columns, self.bin, close):
            head.addWidget(button)
        self.table = RunTable()
        self.table.order_by("created", down=True)  # the newest first, until a person clicks a head
        self.table.selection_changed.connect(self._tell_selected)
        self.table.opened.connect(self._open)
        self.table.shown_changed.connect(registry.show)
        self.table.renamed.connect(self._rename)
        self.table.menu_requested.connect(self.asked)
        self._selected = label("", "note")
        self.show_ = Button(tr("Show"), hint=tr("Draw the selected runs in the charts (E)"), role="")
        self.hide_ = Button(tr("Hide"), hint=tr("Draw the selected runs no more"), role="")
        self.tag = Button(tr("Tag…"), hint=tr("Give the selected runs tags, or take some away"), role="")
        self.delete = Button(tr("Delete"), hint=tr("Move the selected runs into the bin (Delete)"), role="")
        for button, do in (
            (self.show_, self._show),
            (self.hide_, self._hide),
            (self.tag, self._ask_tags),
            (self.delete, self._delete),
        ):
            button.clicked.connect(do)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._selected)
        foot.addStretch()
        for button in (self.show_, self.hide_, self.tag, self.delete):
            foot.addWidget(button)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(8)
        rows.addLayout(head)
        rows.addWidget(self.table, 1)
        rows.addLayout(foot)
        panel.refreshed.connect(self._follow)
        moves.changed.connect(self._count_bin)
        self._count_bin()
        self._told = -1  # how many selected rows the foot tells of

    # ------------------------------------------------------------------------------------------------------- its life

    def toggle(self) -> None:
        """Opens it, or shuts it when it is open."""
        if not self.isHidden():
            self.shut()
            return
        stored = read_section(SECTION).get("columns")
        if isinstance(stored, list) and all(isinstance(one, str) for one in stored):
            self._chosen = list(dict.fromkeys(stored))
        self.field.setText(self._panel.search.words)
        self.show_over(self.table)
        self.refresh()
        self._contents.look_for_names(self._registry.views)
        selected = self._registry.selected
        self.table.select([selected.key] if selected is not None else [])
        self._tell_selected()

    def place(self) -> None:
        """Over most of the window."""
        width, height = self._window.width(), self._window.height()
        self.setGeometry(MARGIN, TOP, width - 2 * MARGIN, height - TOP - FOOT)

    def escaped(self) -> None:
        """Esc shuts it."""
        self.shut()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete moves what is selected into the bin, slash goes to the search."""
        if event.key() == Qt.Key.Key_Delete:
            self._delete()
        elif event.key() == Qt.Key.Key_Slash:
            self.field.setFocus()
        else:
            super().keyPressEvent(event)

    def refresh(self) -> None:
        """Shows the runs as they are now."""
        if self.isHidden():
            return
        everything = self._registry.views
        views = self._panel.search.of(everything)
        rows = self._contents.rows(views, self._chosen)
        self.table.set_table(self._contents.columns(self._chosen), rows)
        count = len(everything)
        self._count.setText(f"{len(views)} / {count}" if len(views) != count else str(count))
        self._tell_selected()

    def _follow(self) -> None:
        if not self.isHidden():
            if self.field.text() != self._panel.search.words:
                self.field.setText(self._panel.search.words)
            self.refresh()

    # -------------------------------------------------------------------------------------------------------- columns

    def _offer_columns(self) -> None:
        self._choices.clear()
        own, offered = own_columns(), self._contents.offered
        for key, one in own.items():
            self._offer(self._choices, key, one.title)
        others = [key for key in self._chosen if key not in own]
        if others:
            self._choices.addSeparator()
        for key in others:
            self._offer(self._choices, key, key)
        self._choices.addSeparator()
        settings = [key for key, says in offered.items() if says == "a setting of its recipe"]
        figures = [key for key in offered if key.startswith(FIGURES)]
        for title, keys in ((tr("Settings"), settings), (tr("Figures"), figures)):
            inner = QMenu(title, self._choices)
            for key in keys[:OFFERED]:
                self._offer(inner, key, key)
            inner.setEnabled(bool(keys))
            self._choices.addMenu(inner)
        other = self._choices.addAction(tr("Another…"))
        other.triggered.connect(self._ask_column)

    def _offer(self, menu: QMenu, key: str, title: str) -> None:
        action = QAction(title.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(key in self._chosen)
        action.setData(key)
        action.triggered.connect(self._turn_column)
        menu.addAction(action)

    def _turn_column(self) -> None:
        self.choose_column(str(self.sender().data()))  # type: ignore[attr-defined]

    def choose_column(self, key: str) -> None:
        """Shows a column, or no more."""
        self._chosen = [one for one in self._chosen if one != key] if key in self._chosen else [*self._chosen, key]
        self.refresh()
        keeping = _Keeping(self._chosen)
        self._background.run(tr("Keeping the columns"), keeping.work, _keep_quiet, replaces="keep columns")

    def _ask_column(self) -> None:
        note = tr("A setting (training.batch_size) or a figure (best validation loss, mean 20 train loss)")
        self._question.ask(tr("Which column?"), note, tr("Show it"), self._take_column)

    def _take_column(self, name: str) -> str:
        if not name:
            return tr("Say what is to be shown")
        if name not in self._chosen:
            self.choose_column(name)
        return ""

    # ------------------------------------------------------------------------------------------------- what is selected

    @property
    def selected(self) -> list[RunModel]:
        """The selected runs."""
        return [view for key in self.table.selected if (view := self._registry.by_key(key)) is not None]

    def _tell_selected(self) -> None:
        count = len(self.table.selected)
        if count == self._told:
            return
        self._told = count
        self._selected.setText(tr("1 selected") if count == 1 else tr("{n} selected", n=count) if count else "")
        for button in (self.show_, self.hide_, self.tag, self.delete):
            button.setEnabled(count > 0)

    def _open(self, key: str) -> None:
        self.shut()
        self._registry.select(key)

    def _rename(self, key: str, name: str) -> None:
        view = self._registry.by_key(key)
        if view is not None:
            self._registry.label(view, name=name)

    def _show(self) -> None:
        self._registry.show(self.table.selected, True)

    def _hide(self) -> None:
        self._registry.show(self.table.selected, False)

    def _delete(self) -> None:
        self._moves.delete(self.selected)

    def _ask_tags(self) -> None:
        views = self.selected
        count = len(views)
        title = tr("Tags of one run") if count == 1 else tr("Tags of {n} runs", n=count)
        note = tr("Words apart by spaces; one with a minus before it is taken away (-old)")
        self._question.ask(title, note, tr("Tag"), _Tagging(self._registry, views))

    # ---------------------------------------------------------------------------------------------------------- the bin

    def _count_bin(self) -> None:
        count = len(self._moves.binned)
        self.bin.setText(tr("bin ({n}) ▾", n=count))
        self.bin.setVisible(count > 0)

    def _offer_bin(self) -> None:
        self._binned.clear()
        for name, place in self._moves.binned[:OFFERED]:
            action = self._binned.addAction(tr("Restore {run}", run=name).replace("&", "&&"))
            action.setData(str(place))
            action.triggered.connect(self._restore)
        self._binned.addSeparator()
        empty = self._binned.addAction(tr("Empty the bin…"))
        empty.triggered.connect(self._ask_to_empty)

    def _restore(self) -> None:
        self._moves.restore([Path(str(self.sender().data()))])  # type: ignore[attr-defined]

    def _ask_to_empty(self) -> None:
        count = len(self._moves.binned)
        note = tr("{n} runs are removed for ever, with their models.", n=count)
        word = tr("empty")
        self._question.ask(
            tr("Empty the bin?"),
            f"{note} {tr('Write {word} to agree.', word=word)}",
            tr("Remove for ever"),
            _Agreeing(word, self._moves.empty_bin),
        )


class _Keeping:
    """The chosen columns on their way to disk."""

    def __init__(self, chosen: Sequence[str]) -> None:
        self._chosen = list(chosen)

    def work(self, job: Job) -> None:
        """Writes them; in a thread of its own."""
        del job
        change_section(SECTION, lambda section: {**section, "columns": self._chosen})


class _Tagging:
    """Tags for several runs at once."""

    def __init__(self, registry: RunRegistry, views: Sequence[RunModel]) -> None:
        self._registry, self._views = registry, views

    def __call__(self, words: str) -> str:
        given = words.replace(",", " ").split()
        added = [word for word in given if not word.startswith("-")]
        taken = {word[1:] for word in given if word.startswith("-")}
        for view in self._views:
            kept = [tag for tag in view.label.tags if tag not in taken]
            tags = tuple(dict.fromkeys([*kept, *added]))
            if tags != view.label.tags:
                self._registry.label(view, tags=tags)
        return ""


class _Agreeing:
    """A word that a person must write before something is done for ever."""

    def __init__(self, word: str, do: Callable[[], object]) -> None:
        self._word, self._do = word, do

    def __call__(self, words: str) -> str:
        if words.casefold() != self._word:
            return tr("Nothing was removed: write {word}", word=self._word)
        self._do()
        return ""


def _keep_quiet(_: Any) -> None:
    """That columns were kept is nothing to tell."""
