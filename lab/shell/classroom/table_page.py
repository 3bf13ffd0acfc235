"""The table of a class over the window: who handed in what, the curves of all, and samples side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.base.files.writing import write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.settings import change_section, read_section
from lab.base.units import short
from lab.interop.report.words import Words
from lab.shell.classroom.collecting_panel import CollectingPanel
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.lines import Line, Style
from lab.widgets.core.controls import Button, ElidedButton, follow_in_tab_order, label, plain_tip
from lab.widgets.core.i18n import language, localized, number_text, tr, tr_n, tr_registered
from lab.widgets.core.messages import message_text, problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import INSIDE, px, themes
from lab.workbench.classroom.table import Ranked, class_csv, read_class

if TYPE_CHECKING:
    from lab.base.jobs import Job

SECTION = "class"
"""The section of the settings with the folder."""
MARGIN, TOP, FOOT = 10, 56, 36
"""Free margins of the window in pixels: at the sides, above and below."""
ROW, SAMPLES, SAMPLE_LINES = 26, 3, 5
"""Pixels of a row; number of samples side by side, and their lines."""
TABLE_SHARE, CHART_SHARE = 4, 3
"""Shares of the width of table and chart."""
WIDEST, BETWEEN_COLUMNS = 260, 16
"""Most pixels of a text, and those between two columns."""
RANK, LOSS, REMARK = 0, 2, 7
"""The columns of the rank, of the loss, where a damaged file says why, and of the remark."""
TABLE = "class table"
"""The key of the job that reads."""


class ClassTable(Overlay):
    """The table of what was handed in to a folder.

    Args:
        window: The window over which it opens.
        background: Reads and writes in threads.
        collecting: The panel of the page on the network.

    Attributes:
        rows: The rows that are shown, in order.
        table: Their table.
        chart: The curves of those that compare.
    """

    help_requested = Signal()
    """The page of the help about a class is to be shown."""

    def __init__(self, window: QWidget, background: Background, collecting: CollectingPanel) -> None:
        super().__init__(window, tr("Class"))
        self._background, self._collecting = background, collecting
        self._folder: Path | None = None
        self.rows: list[Ranked] = []
        self._count, self._state = label("", "note"), label("", "dim")
        self._state.setWordWrap(True)
        self.choose = ElidedButton(role="")
        self.choose.clicked.connect(self._choose)
        self.reload = Button(tr("Read again"), hint=tr("Read the files that are new or changed"), role="")
        self.reload.clicked.connect(self.read)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(self._cancel)
        self.collect = Button(tr("Collect over the network…"), role="")
        self.collect.clicked.connect(self._open_collecting)
        self.export = Button(
            tr("Export…"), hint=tr("Save the table as CSV, or all as one page for the projector"), role=""
        )
        self.export.clicked.connect(self._export)
        self.explain = Button(tr("Help"), hint=tr("Show the page of the help about a class"), role="")
        self.explain.clicked.connect(self.help_requested)
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(tr("Class"), "title"))
        head.addWidget(self._count)
        head.addWidget(self.choose, 1)
        for button in (self.cancel, self.reload, self.collect, self.export, self.explain, close):
            head.addWidget(button)
        self.table = _Table()
        self.table.itemSelectionChanged.connect(self._show_selected)
        self.chart = Chart()
        self.chart.setMinimumWidth(320)
        self.split = Splitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.table)
        self.split.addWidget(self.chart)
        self.split.setStretchFactor(0, TABLE_SHARE)
        self.split.setStretchFactor(1, CHART_SHARE)
        self.split.setSizes([1000 * TABLE_SHARE, 1000 * CHART_SHARE])
        self._samples = [_Sample() for _ in range(SAMPLES)]
        self._below = QWidget()
        below = QHBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(8)
        for sample in self._samples:
            below.addWidget(sample, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(8)
        rows.addLayout(head)
        rows.addWidget(self._state)
        rows.addWidget(self.split, 1)
        rows.addWidget(self._below)
        follow_in_tab_order(close, self.split, self._below)
        collecting.taken.connect(self._follow)
        collecting.changed.connect(self._show_collecting)
        themes.changed.connect(self._draw)
        self._show_folder()
        self._show_collecting()

    def open(self) -> None:
        """Show the table of the folder of last time."""
        stored = read_section(SECTION).get("folder")
        self._folder = Path(stored) if isinstance(stored, str) and stored else None
        self.show_over(self.table)
        self.read()

    def place(self) -> None:
        """Cover most of the window."""
        width, height = self._window.width(), self._window.height()
        self.setGeometry(MARGIN, TOP, width - 2 * MARGIN, height - TOP - FOOT)

    def shut(self) -> None:
        """Close the table, and stop to read."""
        self._background.cancel(TABLE)
        super().shut()

    def read(self) -> None:
        """Read the folder in a thread."""
        folder = self._folder
        self._show_folder()
        if folder is None:
            self._take([])
            return
        self.cancel.setVisible(True)
        self.reload.setVisible(False)
        work = partial(_read, folder)
        self._background.run(tr("Reading what was handed in"), work, self._take, self._refuse, replaces=TABLE)

    def _show_folder(self) -> None:
        folder = tr("Select a folder…") if self._folder is None else str(self._folder)
        self.choose.set_full_text(folder, hint=tr("Select the folder into which a class hands in"))

    def _cancel(self) -> None:
        self._background.cancel(TABLE)
        self._take(self.rows)

    def _take(self, rows: list[Ranked]) -> None:
        """Show the rows that were read."""
        selected = {row.entry.file for row in self._selected()}
        self.rows = rows
        damaged = sum(row.entry.problem is not None for row in rows)
        count = tr_n("1 run handed in", "{n} runs handed in", len(rows) - damaged)
        self._count.setText(f"{count}, {tr_n('1 damaged file', '{n} damaged files', damaged)}" if damaged else count)
        self._show_state("" if rows else _steps(has_folder=self._folder is not None))
        self.table.show_rows(rows, selected)
        self._show_selected()

    def _refuse(self, problem: Problem) -> None:
        self._take([])
        self._show_state(problem_line(problem))

    def _show_state(self, what: str) -> None:
        self._state.setText(what)
        self._state.setVisible(bool(what))
        self.cancel.setVisible(False)
        self.reload.setVisible(self._folder is not None)
        self.collect.setEnabled(self._folder is not None)
        self.export.setEnabled(bool(self.rows))
        self.split.setVisible(bool(self.rows))
        self._below.setVisible(any(row.entry.sample for row in self.rows))
        self.layout().setAlignment(self._state, Qt.AlignmentFlag.AlignTop)  # type: ignore[union-attr]

    # --------------------------------------------------------------------------------------------- curves and samples

    def _selected(self) -> list[Ranked]:
        return [self.rows[row] for row in self.table.selected_rows() if row < len(self.rows)]

    def _show_selected(self) -> None:
        """Emphasise the curves of the selected rows, and show their samples, filled up with those of the best."""
        self._draw()
        picked = [row for row in self._selected() if row.entry.sample]
        others = [row for row in self.rows if row.entry.sample and row not in picked]
        shown = [*picked, *others][:SAMPLES]
        for index, sample in enumerate(self._samples):
            sample.show_row(shown[index] if index < len(shown) else None)

    def _draw(self) -> None:
        """Draw the curves of the rows that compare: those of the best and the selected ones in colours."""
        selected = {row.entry.file for row in self._selected()}
        drawn = [row for row in self.rows if row.entry.curve and not row.difference]
        colours = themes.now.runs
        lines = []
        for index, row in reversed(list(enumerate(drawn))):
            is_named = index < len(colours) or row.entry.file in selected
            style: Style = "main" if row.entry.file in selected else "thin" if is_named else "faint"
            colour = colours[index % len(colours)] if is_named else themes.now.dim
            name = row.entry.label if is_named else ""
            x, y = np.asarray(row.entry.curve_steps, float), np.asarray(row.entry.curve, float)
            lines.append(Line(row.entry.file, name, colour, x, y, style, long_name=row.entry.label))
        unit = drawn[0].entry.unit if drawn else "nats per token"
        self.chart.set_axes(tr("steps"), f"{tr('validation loss')} ({tr_registered(unit)})", x_kind="steps")
        self.chart.set_lines(lines)
        self.chart.draw()

    # ------------------------------------------------------------------------------------------------------- commands

    def _choose(self) -> None:
        title = tr("Select the folder into which a class hands in")
        start = str(self._folder or last_folder())
        folder = QFileDialog.getExistingDirectory(self._window, title, start)
        if folder:
            remember_folder(Path(folder))
            self._folder = Path(folder)
            change_section(SECTION, lambda section: {**section, "folder": folder})
            self.rows = []
            self.read()

    def _open_collecting(self) -> None:
        if self._folder is not None:
            self._collecting.open(self._folder)

    def _show_collecting(self) -> None:
        is_on = self._collecting.collection is not None
        self.collect.change_role("primary" if is_on else "")
        hint = tr("The page is on; show its address") if is_on else tr("Let the class hand in with a browser")
        self.collect.setToolTip(hint)

    def _follow(self, path: Path) -> None:
        """Read a run that was handed in over the network."""
        if not self.isHidden() and path.parent == self._folder:
            self.read()

    def _export(self) -> None:
        """Ask for a file, and write the table, or the page for the projector."""
        assert self._folder is not None
        pages, tables = tr("Page for the projector (*.html)"), tr("Table (*.csv)")
        name = file_name(self._folder.name or tr("class"))
        start = str(unused(last_folder() / f"{name}.html"))
        file, kind = QFileDialog.getSaveFileName(self._window, tr("Export the table of the class"), start,
                                                 f"{pages};;{tables}")  # fmt: skip
        if not file:
            return
        path = Path(file)
        if path.suffix.lower() not in (".html", ".csv"):
            path = unused(path.with_name(path.name + (".csv" if kind == tables else ".html")))
        elif str(path) == start and kind == tables:  # the proposed name, as a table
            path = unused(path.with_suffix(".csv"))
        remember_folder(path.parent)
        words = Words(language.code, tr_registered, tr_n, localized, message_text)
        work = partial(_write, path, self.rows, self._folder.name, words)
        self._background.run(tr("Saving {file}", file=path.name), work, _report)


class _Table(QTableWidget):
    """The rows of a class."""

    def __init__(self) -> None:
        titles = [
            tr("rank"), tr("student"), tr("best loss"), tr("architecture"), tr("run"), tr("steps"), tr("parameters"),
            tr("remark"),
        ]  # fmt: skip
        super().__init__(0, len(titles))
        self.setAccessibleName(tr("What was handed in"))
        self.setProperty("role", "view")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setStretchLastSection(True)
        for column, title in enumerate(titles):
            item = QTableWidgetItem(title)
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)

    def selected_rows(self) -> list[int]:
        """Return the indices of the selected rows, in order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def show_rows(self, rows: Sequence[Ranked], selected: set[str]) -> None:
        """Show rows, of which those of some files are selected."""
        self.blockSignals(True)
        self.clearSelection()
        self.setRowCount(len(rows))
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        for number, row in enumerate(rows):
            for column, text in enumerate(_cells(row)):
                item = QTableWidgetItem(text)
                item.setTextAlignment(_side(column))
                item.setToolTip(plain_tip(text))
                self.setItem(number, column, item)
        self._fit(rows)
        for number, row in enumerate(rows):
            if row.entry.file in selected:
                self.selectRow(number)
        self.blockSignals(False)

    def _fit(self, rows: Sequence[Ranked]) -> None:
        """Give the columns the widths of their texts, and the reasons of damaged files all columns but the first."""
        self.clearSpans()
        for column in range(REMARK):
            texts = [self.item(number, column) for number, row in enumerate(rows) if row.entry.problem is None]
            wanted = [self.fontMetrics().horizontalAdvance(item.text()) for item in texts if item is not None]
            widest = max([self.horizontalHeader().sectionSizeHint(column), *wanted])
            self.setColumnWidth(column, min(px(WIDEST), widest + px(BETWEEN_COLUMNS)))
        for number, row in enumerate(rows):
            if row.entry.problem is not None:
                self.setSpan(number, LOSS, 1, self.columnCount() - LOSS)


class _Sample(QWidget):
    """The last sample of a run, below the name of who handed it in."""

    def __init__(self) -> None:
        super().__init__()
        self._name = label("", "strong")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(SAMPLE_LINES * self._text.fontMetrics().lineSpacing() + 20)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self._name)
        rows.addWidget(self._text)

    def show_row(self, row: Ranked | None) -> None:
        """Show the sample of a row; nothing for None."""
        self.setVisible(row is not None)
        if row is not None:
            self._name.setText(row.entry.label)
            self._text.setPlainText(row.entry.sample)
            self._text.setAccessibleName(tr("Sample of {name}", name=row.entry.label))


def _side(column: int) -> Qt.AlignmentFlag:
    """Return the alignment of the texts of a column."""
    side = Qt.AlignmentFlag.AlignRight if column == RANK else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _cells(row: Ranked) -> list[str]:
    """Return the text of each cell of a row."""
    one = row.entry
    if one.problem is not None:
        problem = Problem(one.problem, remedy=one.remedy)
        return ["", one.label, problem_line(problem), "", "", "", "", ""]
    remark = tr("not compared: {why}", why=tr_registered(row.difference)) if row.difference else ""
    return [
        "" if row.rank is None else number_text(row.rank),
        one.label,
        "–" if one.loss is None else number_text(one.loss, ".4f"),
        tr_registered(one.architecture),
        one.run,
        number_text(one.steps),
        "–" if one.parameters is None else localized(short(one.parameters)),
        remark,
    ]


def _steps(*, has_folder: bool) -> str:
    """Return what the table is for, and how runs come into it."""
    folder = (
        tr("Nothing was handed in to this folder yet.")
        if has_folder
        else tr("Select the folder into which your class hands in: one on a shared drive or a stick, or one that "
                "you collect into over the network.")
    )  # fmt: skip
    what = tr("Here you compare what your class has trained: a table of all runs that were handed in, their curves, "
              "and texts that the models wrote.")  # fmt: skip
    out = tr("“Hand out the configuration” in the menu File writes the file with which all start.")
    back = tr("“Hand in” in the menu of a run, under Export and share, sends it to the folder, or to the address that "
              "you show.")  # fmt: skip
    return "\n\n".join((what, f"1.  {out}", f"2.  {back}", f"3.  {folder}"))


def _read(folder: Path, job: Job) -> list[Ranked]:
    """Read a folder; in a thread."""
    return read_class(folder, cancelled=lambda: job.cancelled)


def _write(path: Path, rows: Sequence[Ranked], title: str, words: Words, job: Job) -> Path:
    """Write a table or page; in a thread."""
    from lab.workbench.classroom.page import class_page

    del job
    write_file(
        path, class_csv(rows) if path.suffix.lower() == ".csv" else class_page(rows, title, words), recorded=True
    )
    return path


def _report(path: Path) -> None:
    notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))
