"""The table of all runs over the window: selectable columns and order, and commands for several runs at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from lab.base.settings import change_section, read_section
from lab.host import Plugins
from lab.shell.runs.columns import FIRST, RunsColumns
from lab.shell.runs.offering import OFFERED
from lab.shell.runs.panel import RunsPanel
from lab.shell.runs.question import RunQuestion
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.runs.transfers import RunTransfers
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE
from lab.widgets.runs.table import RunTable

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.runtime.background import Background

SECTION = "runs"
"""The section of the settings with the selected columns."""
MARGIN, TOP, FOOT = 10, 56, 36
"""Free margins of the window in pixels: at the sides, above and below."""
BINNED = 24
"""Most entries of the menu of the bin."""


class RunsTable(Overlay):
    """The table of runs.

    Args:
        panel: The list on the left, whose search it shares.
        registry: The runs.
        transfers: Deletes and restores runs.
        background: Runs the reading of columns in threads.
        plugins: The plugins whose cards have settings.
        question: Asks for tags and columns.
        window: The window over which it opens.
    """

    menu_requested = Signal(QPoint)
    """The user opened the context menu, at a position on the screen."""
    compare_requested = Signal()
    """The losses of the runs that are shown in the charts are to be compared."""

    def __init__(
        self,
        panel: RunsPanel,
        registry: RunRegistry,
        transfers: RunTransfers,
        background: Background,
        plugins: Plugins,
        question: RunQuestion,
        window: QWidget,
    ) -> None:
        super().__init__(window, tr("Table of runs"))
        self._panel, self._registry, self._transfers = panel, registry, transfers
        self._background, self._question = background, question
        self._contents = RunsColumns(background, plugins, self)
        self._contents.found.connect(self.refresh)
        registry.unit_changed.connect(self._show_unit)
        self._keys = list(FIRST)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search, or tag=… state=… layers>=4"))
        self.field.setAccessibleName(tr("Find runs"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(420)
        self.field.textChanged.connect(panel.search_for)
        self._count = label("", "note")
        self.columns = Button(tr("columns ▾"), hint=tr("Select the columns of the table"))
        self._choices = QMenu(self.columns)
        self._choices.aboutToShow.connect(self._offer_columns)
        self.columns.setMenu(self._choices)
        self.order = Button(tr("order ▾"), hint=tr("Sort the runs by a column, ascending or descending"))
        self._orders = QMenu(self.order)
        self._orders.aboutToShow.connect(self._offer_orders)
        self.order.setMenu(self._orders)
        self.bin = Button(tr("bin ▾"), hint=tr("Deleted runs"))
        self._binned = QMenu(self.bin)
        self._binned.aboutToShow.connect(self._offer_bin)
        self.bin.setMenu(self._binned)
        compare_hint = tr("Compare the losses of the selected runs, or of those that are shown in the charts")
        self.compare = Button(tr("Compare…"), hint=compare_hint, role="")
        self.compare.clicked.connect(self._compare)
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(tr("Runs"), "title"))
        head.addWidget(self._count)
        head.addSpacing(8)
        head.addWidget(self.field, 1)
        head.addStretch()
        for button in (self.compare, self.order, self.columns, self.bin, close):
            head.addWidget(button)
        self.table = RunTable()
        self.table.order_by("created", down=True)  # the newest run first, until the user chooses another order
        self.table.selection_changed.connect(self._show_count)
        self.table.opened.connect(self._open)
        self.table.shown_changed.connect(registry.show)
        self.table.renamed.connect(self._rename)
        self.table.menu_requested.connect(self.menu_requested)
        self._selected = label("", "note")
        self.show_button = Button(tr("Show"), hint=tr("Draw the selected runs in the charts (E)"), role="")
        self.hide_button = Button(tr("Hide"), hint=tr("Remove the selected runs from the charts"), role="")
        self.tag = Button(tr("Tag…"), hint=tr("Add tags to the selected runs, or remove some"), role="")
        self.delete = Button(tr("Delete"), hint=tr("Move the selected runs to the bin (Delete)"), role="")
        for button, do in (
            (self.show_button, self._show),
            (self.hide_button, self._hide),
            (self.tag, self._ask_tags),
            (self.delete, self._delete),
        ):
            button.clicked.connect(do)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._selected)
        foot.addStretch()
        for button in (self.show_button, self.hide_button, self.tag, self.delete):
            foot.addWidget(button)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(8)
        rows.addLayout(head)
        rows.addWidget(self.table, 1)
        rows.addLayout(foot)
        panel.refreshed.connect(self._follow)
        transfers.changed.connect(self._count_bin)
        self._count_bin()
        self._shown_count = -1  # the number of selected rows that is shown

    # ------------------------------------------------------------------------------------------------ opening, closing

    def toggle(self) -> None:
        """Open or close the table."""
        if not self.isHidden():
            self.shut()
            return
        stored = read_section(SECTION).get("columns")
        if isinstance(stored, list) and all(isinstance(one, str) for one in stored):
            self._keys = list(dict.fromkeys(stored))
        self.field.setText(self._panel.search.text)
        self.show_over(self.table)
        self.refresh()
        self._contents.find_names(self._registry.runs)
        selected = self._registry.selected
        self.table.select([selected.key] if selected is not None else [])
        self._show_count()

    def place(self) -> None:
        """Cover most of the window."""
        width, height = self._window.width(), self._window.height()
        self.setGeometry(MARGIN, TOP, width - 2 * MARGIN, height - TOP - FOOT)

    def escaped(self) -> None:
        """Close the table."""
        self.shut()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Delete move the selected runs to the bin, and the slash key move the focus to the search."""
        if event.key() == Qt.Key.Key_Delete:
            self._delete()
        elif event.key() == Qt.Key.Key_Slash:
            self.field.setFocus()
        else:
            super().keyPressEvent(event)

    def refresh(self) -> None:
        """Show the current state of the runs."""
        if self.isHidden():
            return
        everything = self._registry.runs
        runs = self._panel.search.select(everything)
        rows = self._contents.rows(runs, self._keys)
        self.table.set_table(self._contents.columns(self._keys), rows)
        count = len(everything)
        problem = self._panel.search.problem
        found = f"{len(runs)} / {count}" if len(runs) != count else str(count)
        self._count.setText(found if problem is None else problem_line(problem))
        self.compare.setEnabled(len(self.table.selected) > 1 or len(self._registry.shown) > 1)
        self._show_count()

    def _follow(self) -> None:
        if not self.isHidden():
            if self.field.text() != self._panel.search.text:
                self.field.setText(self._panel.search.text)
            self.refresh()

    # -------------------------------------------------------------------------------------------------------- columns

    def _show_unit(self) -> None:
        self._contents.show_losses_in(self._registry.loss_unit)
        self._contents.find_names(self._registry.runs)  # their titles have the unit
        self.refresh()

    def _offer_orders(self) -> None:
        self.table.offer_order(self._orders)

    def _offer_columns(self) -> None:
        self._choices.clear()
        own = self._contents.own
        for key, own_column in own.items():
            self._offer(self._choices, key, own_column.title)
        others = [key for key in self._keys if key not in own]
        if others:
            self._choices.addSeparator()
        for key in others:
            self._offer(self._choices, key, self._contents.title_of(key))
        self._choices.addSeparator()
        for title, offered in ((tr("Settings"), self._contents.settings), (tr("Figures"), self._contents.figures)):
            submenu = QMenu(title, self._choices)
            inner = submenu
            for index, (key, named) in enumerate(offered.items()):
                if index and index % OFFERED == 0:
                    inner = inner.addMenu(tr("More"))
                self._offer(inner, key, named)
            submenu.setEnabled(bool(offered))
            self._choices.addMenu(submenu)
        other = self._choices.addAction(tr("Another…"))
        other.triggered.connect(self._ask_column)

    def _offer(self, menu: QMenu, key: str, title: str) -> None:
        action = QAction(title.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(key in self._keys)
        action.setData(key)
        action.triggered.connect(self._toggle_sender)
        menu.addAction(action)

    def _toggle_sender(self) -> None:
        self.toggle_column(str(self.sender().data()))  # type: ignore[attr-defined]

    def toggle_column(self, key: str) -> None:
        """Show or hide a column."""
        self._keys = [one for one in self._keys if one != key] if key in self._keys else [*self._keys, key]
        self.refresh()
        work = partial(_store_columns, list(self._keys))
        self._background.run(tr("Saving the columns"), work, _ignore, replaces="store columns")

    def _ask_column(self) -> None:
        note = tr("Enter a setting (training.batch_size) or a figure (best validation loss, mean 20 train loss).")
        self._question.ask(tr("Add a column"), note, tr("Add"), self._take_column)

    def _take_column(self, name: str) -> str:
        if not name:
            return tr("Enter the name of a setting or figure")
        if name not in self._keys:
            self.toggle_column(name)
        return ""

    # --------------------------------------------------------------------------------------------------- selected runs

    @property
    def selected(self) -> list[RunModel]:
        """The selected runs."""
        return [run for key in self.table.selected if (run := self._registry.by_key(key)) is not None]

    def _show_count(self) -> None:
        count = len(self.table.selected)
        if count == self._shown_count:
            return
        self._shown_count = count
        self._selected.setText(tr("{n} selected", n=count) if count else "")
        self.compare.setEnabled(count > 1 or len(self._registry.shown) > 1)
        for button in (self.show_button, self.hide_button, self.tag, self.delete):
            button.setEnabled(count > 0)

    def _open(self, key: str) -> None:
        self.shut()
        self._registry.select(key)

    def _rename(self, key: str, name: str) -> None:
        run = self._registry.by_key(key)
        if run is not None:
            self._registry.label(run, name=name)

    def _show(self) -> None:
        self._registry.show(self.table.selected, True)

    def _hide(self) -> None:
        self._registry.show(self.table.selected, False)

    def _compare(self) -> None:
        """Show the selected runs alone, if there are several, and compare what is shown."""
        selected = self.table.selected
        if len(selected) > 1:
            self._registry.show([run.key for run in self._registry.shown if run.key not in selected], False)
            self._registry.show(selected, True)
        self.shut()
        self.compare_requested.emit()

    def _delete(self) -> None:
        self._transfers.delete(self.selected)

    def _ask_tags(self) -> None:
        runs = self.selected
        count = len(runs)
        title = tr_n("Tags of 1 run", "Tags of {n} runs", count)
        note = tr("Enter tags, separated by spaces. A minus before a tag removes it (-old).")
        self._question.ask(title, note, tr("Tag"), partial(self._tag, runs))

    def _tag(self, runs: Sequence[RunModel], answer: str) -> str:
        """Add tags to runs, and remove those with a minus before them."""
        tags = answer.replace(",", " ").split()
        added = [tag for tag in tags if not tag.startswith("-")]
        removed = {tag[1:] for tag in tags if tag.startswith("-")}
        for run in runs:
            others = [tag for tag in run.label.tags if tag not in removed]
            new = tuple(dict.fromkeys([*others, *added]))
            if new != run.label.tags:
                self._registry.label(run, tags=new)
        return ""

    # ---------------------------------------------------------------------------------------------------------- the bin

    def _count_bin(self) -> None:
        count = len(self._transfers.binned)
        self.bin.setText(tr("bin ({n}) ▾", n=count))
        self.bin.setVisible(count > 0)

    def _offer_bin(self) -> None:
        self._binned.clear()
        for name, path in self._transfers.binned[:BINNED]:
            action = self._binned.addAction(tr("Restore {run}", run=name).replace("&", "&&"))
            action.setData(str(path))
            action.triggered.connect(self._restore)
        self._binned.addSeparator()
        empty = self._binned.addAction(tr("Empty the bin…"))
        empty.triggered.connect(self._ask_to_empty)

    def _restore(self) -> None:
        self._transfers.restore([Path(str(self.sender().data()))])  # type: ignore[attr-defined]

    def _ask_to_empty(self) -> None:
        count = len(self._transfers.binned)
        note = tr_n(
            "1 run will be deleted permanently, with its model.",
            "{n} runs will be deleted permanently, with their models.",
            count,
        )
        word = tr("empty")

        def answer(entered: str) -> str:
            if entered.casefold() != word:
                return tr("Nothing was deleted. Type {word} to confirm", word=word)
            self._transfers.empty_bin()
            return ""

        confirm = tr("Type {word} to confirm.", word=word)
        self._question.ask(tr("Empty the bin?"), f"{note} {confirm}", tr("Delete permanently"), answer)


def _store_columns(keys: Sequence[str], job: Job) -> None:
    """Write the selected columns to the settings; in a thread."""
    del job
    change_section(SECTION, lambda section: {**section, "columns": keys})


def _ignore(_: Any) -> None:
    """Ignore the result of a job."""
