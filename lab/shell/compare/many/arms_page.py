"""Many runs as a table, grouped by any setting, beside their losses as points or as small charts of one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from lab.base.last_folder import last_folder, remember_folder
from lab.base.problems import Problem
from lab.base.settings import change_section, read_section
from lab.shell.compare.many.arms import (
    ArmsTable,
    Choices,
    band_labels,
    choices_from,
    field_title,
    figure_labels,
    quantities,
)
from lab.shell.compare.many.multiples import SmallMultiples
from lab.shell.compare.many.parallel import ParallelCoordinates
from lab.shell.compare.many.report import ReportContent, write_report
from lab.shell.compare.many.run_figures import LAST, FiguresReader
from lab.shell.compare.many.scatter import RunScatter
from lab.shell.compare.many.sentences import importance_sentence, law_sentence, paired_sentence
from lab.shell.compare.many.table_model import ArmsModel
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.runs.registry import RunRegistry
from lab.studies.statistics import RunFigures, importance
from lab.studies.statistics.groups import Group
from lab.studies.statistics.importance import LEAST_RUNS
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px
from lab.widgets.figures.table_head import TableHead
from lab.widgets.figures.view import FigureView

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins
    from lab.studies.scaling import ScalingFit
    from lab.studies.statistics import PairedTest

SECTION = "comparison views"
"""The section of the settings with the saved views."""
LINE, SPACING = 26, 8
POINTS, CURVES, PARALLEL = "points", "curves", "parallel"
"""What stands beside the table."""
READING, TESTING = "read the runs of Compare", "test the runs of Compare"
WIDEST = 260
"""Most pixels of a column at first."""
MOST_VIEWS = 100


class ArmsPage(QWidget):
    """The table of runs of a study, tag or all, with its choices, points, and sentences.

    Args:
        registry: The runs.
        background: Reads and compares runs in threads.
        plugins: The plugins, for the models that are compared.
    """

    def __init__(self, registry: RunRegistry, background: Background, plugins: Plugins) -> None:
        super().__init__()
        self._registry, self._background, self._plugins = registry, background, plugins
        self._reader, self.table = FiguresReader(), ArmsTable()
        self._tags = MenuButton(tr("Runs"), [("", tr("all runs"))], self._take)
        self._by = MenuButton(tr("Group by"), [("", tr("nothing"))], self._take, prefix=tr("group by "))
        self._figure = MenuButton(tr("Loss"), list(figure_labels().items()), self._take)
        self._band = MenuButton(tr("Band"), list(band_labels().items()), self._take, prefix=tr("band "))
        self._quantity = MenuButton(tr("Across"), list(quantities().items()), self._take, prefix=tr("across "))
        sides = [(POINTS, tr("points")), (CURVES, tr("small charts")), (PARALLEL, tr("parallel axes"))]
        self._side_view = MenuButton(tr("Beside the table"), sides, self._take)
        self._views = MenuButton(tr("Saved views"), [("", tr("views"))], self._open_view, face=tr("views"))
        self._name = QLineEdit()
        self._name.setPlaceholderText(tr("Name of this view"))
        self._name.setAccessibleName(tr("Name of this view"))
        self._name.setMaximumWidth(px(160))
        self._name.returnPressed.connect(self._save_view)
        self._save = Button(tr("Save view"), hint=tr("Save what is selected here under this name"), role="")
        self._save.clicked.connect(self._save_view)
        self._model = ArmsModel(self)
        self.view = QTableView()
        self._set_up_view()
        self.scatter, self.multiples, self.parallel = RunScatter(), SmallMultiples(), ParallelCoordinates()
        self.parallel.brushed.connect(self._take_ranges)
        self._side = QStackedWidget()
        for widget in (self.scatter, self.multiples, self.parallel):
            self._side.addWidget(widget)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.view)
        self.splitter.addWidget(self._side)
        self.splitter.setSizes([3000, 2000])
        self._note, self._sentence = label("", "dim"), label("")
        for text in (self._note, self._sentence):
            text.setWordWrap(True)
        self._sentence.hide()
        two = tr("Compare the two best groups on the same windows of their validation text")
        self.test = Button(tr("Test the two best"), hint=two, role="primary")
        self.test.clicked.connect(self._start_test)
        law = tr("Fit L = E + A/N^alpha + B/D^beta to the runs of this table")
        self.fit = Button(tr("Fit a scaling law"), hint=law, role="")
        self.fit.clicked.connect(self._start_fit)
        matters = tr("Estimate how much each setting in which these runs differ matters for the loss (fANOVA)")
        self.weigh = Button(tr("Importance"), hint=matters, role="")
        self.weigh.clicked.connect(self._start_importance)
        folder = tr("Write a page with this table and all figures, each as PNG, SVG, PDF, pgf and script, to a folder")
        self.report = Button(tr("Report…"), hint=folder, role="")
        self.report.clicked.connect(self._ask_for_folder)
        self._cancel = Button(tr("Cancel"), role="")
        self._cancel.clicked.connect(self._stop)
        self._cancel.hide()
        self._lay_out()
        for signal in (registry.list_changed, registry.ended):
            signal.connect(self._changed)

    def _set_up_view(self) -> None:
        view = self.view
        view.setHorizontalHeader(TableHead(view))
        view.setModel(self._model)
        view.setAccessibleName(tr("Table of compared runs"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setSortingEnabled(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(px(LINE))
        view.horizontalHeader().setSectionsClickable(True)
        view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _lay_out(self) -> None:
        head, foot = QHBoxLayout(), QHBoxLayout()
        for row in (head, foot):
            row.setSpacing(SPACING)
        for button in (self._tags, self._by, self._figure, self._band, self._side_view, self._quantity):
            head.addWidget(button)
        head.addStretch(1)
        for widget in (self._views, self._name, self._save):
            head.addWidget(widget)
        foot.addWidget(self._note, 1)
        for action in (self._cancel, self.report, self.weigh, self.fit, self.test):
            foot.addWidget(action)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACING)
        rows.addLayout(head)
        rows.addWidget(self.splitter, 1)
        rows.addWidget(self._sentence)
        rows.addLayout(foot)

    def showEvent(self, event: QShowEvent) -> None:
        """Read the runs that changed since the page was last shown."""
        super().showEvent(event)
        self._offer_views()
        self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop reading."""
        super().hideEvent(event)
        self._background.cancel(READING)

    def read(self) -> None:
        """Read the figures of all runs, in a thread."""
        paths = [run.path for run in self._registry.runs if run.path is not None]
        if not paths:
            self._take_runs([])
            return
        if not self.table.runs:
            self._note.setText(tr_n("Reading 1 run …", "Reading {n} runs …", len(paths)))
        work = partial(_read, self._reader, paths)
        self._background.run(tr("Reading the runs"), work, self._take_runs, self._fail, replaces=READING)

    def _changed(self, *_: object) -> None:
        if self.isVisible():
            self.read()

    def _take_runs(self, runs: Sequence[RunFigures]) -> None:
        self.table.set_runs(runs)
        self._tags.set_choices([("", tr("all runs")), *((tag, tag) for tag in self.table.tags())])
        self.show_table()

    def _take(self, _value: str) -> None:
        self.show_table()

    def choices(self) -> Choices:
        """Return what is selected."""
        return Choices(
            self._tags.value, self._by.value, self._figure.value or LAST, self._band.value, self._quantity.value
        )

    def show_table(self) -> None:
        """Show what is selected of the runs."""
        self.table.choices = self.choices()
        self.parallel.show_runs(self.table.coordinates(), [run.name for run in self.table.tagged])
        self.table.selection = self._selection()
        fields = [(name, field_title(name)) for name in self.table.fields()]
        by = self.table.choices.by
        if by and by not in dict(fields):  # the other runs do not differ in it
            fields.append((by, field_title(by)))
        self._by.set_choices([("", tr("nothing")), *fields])
        titles, rows = self.table.table()
        self._model.set_rows(titles, rows)
        for column in range(len(titles)):
            width = max(self.view.sizeHintForColumn(column), self.view.horizontalHeader().sectionSizeHint(column))
            self.view.setColumnWidth(column, min(width + px(12), px(WIDEST)))
        self._band.setVisible(bool(by))
        side = self._side_view.value
        self._quantity.setVisible(side not in (CURVES, PARALLEL))
        self._side.setCurrentWidget({CURVES: self.multiples, PARALLEL: self.parallel}.get(side, self.scatter))
        self._show_side(side)
        runs, groups = self.table.runs, self.table.groups()
        self._note.setText(
            tr("{runs} runs in {groups} groups. {band}", runs=len(runs), groups=len(groups), band=_band_note(by))
            if by
            else tr("{runs} runs. Group them by a setting to see mean and band.", runs=len(runs))
        )
        self.test.setEnabled(len([group for group in groups if group.spread is not None]) > 1)
        self.fit.setEnabled(len(runs) > 5)
        self.weigh.setEnabled(len(runs) >= LEAST_RUNS)
        self.report.setEnabled(bool(runs))

    def _show_side(self, side: str) -> None:
        if side == CURVES:
            self._show_curves()
        elif side != PARALLEL:
            self._show_points()

    def _show_points(self) -> None:
        points, names, front = self.table.points()
        quantity, figure = quantities()[self.table.choices.quantity], figure_labels()[self.table.choices.figure]
        self.scatter.show_runs(points, names, quantity, figure, front, log=self.table.is_log)

    def _show_curves(self) -> None:
        groups = self.table.groups() or [Group(None, tuple(self.table.runs), None)]
        self.multiples.show_groups(groups, self.table.choices.by, self._reader.curves)

    def _selection(self) -> frozenset[str] | None:
        """Return the keys of the runs in the selected ranges of the parallel axes; None for all."""
        inside = self.parallel.selected
        if inside.all():
            return None
        return frozenset(run.key for run, each in zip(self.table.tagged, inside, strict=True) if each)

    def _take_ranges(self) -> None:
        """Let the table show the runs in the selected ranges."""
        if self._selection() != self.table.selection:
            self.show_table()

    # ---------------------------------------------------------------------------------------------------- conclusions

    def _start_test(self) -> None:
        groups = [group for group in self.table.groups() if group.spread is not None][:2]
        self._start(tr("Comparing on the same windows"), partial(_tested, groups, self._plugins), self._take_test)

    def _start_fit(self) -> None:
        self._start(tr("Fitting a scaling law"), partial(_fitted, self.table.runs), self._take_fit)

    def _start(self, title: str, work: Any, done: Any) -> None:
        self._show_sentence(f"{title} …")
        self._cancel.show()
        self._background.run(title, work, done, self._fail, replaces=TESTING)

    def _start_importance(self) -> None:
        runs, figure = list(self.table.runs), self.table.choices.figure
        self._start(tr("Estimating the importance of settings"), partial(_weighed, runs, figure), self._take_importance)

    def _take_importance(self, found: tuple[dict[str, float], int]) -> None:
        self._end(importance_sentence(*found))

    def _ask_for_folder(self) -> None:
        """Ask for a folder, and write the report into it."""
        title = tr("Select a folder for the report")
        folder = QFileDialog.getExistingDirectory(self.window(), title, str(last_folder()))
        if folder:
            remember_folder(Path(folder))
            self.write_report(Path(folder) / file_name(tr("Comparison")))

    def write_report(self, folder: Path) -> None:
        """Write the report of what is shown into a new folder, in a thread."""
        folder, content = unused(folder), self.report_content()
        self._start(tr("Writing the report"), partial(_written, folder, content), self._take_report)

    def report_content(self) -> ReportContent:
        """Return what the report says: what is selected, the table, the sentence, and all figures."""
        self._show_points()
        self._show_curves()
        choices = self.table.choices
        views: dict[str, FigureView] = {"points": self.scatter, "parallel": self.parallel}
        views |= {f"curves-{number + 1}": chart for number, chart in enumerate(self.multiples.drawn)}
        names = {"points": tr("Runs as points"), "parallel": tr("Runs as lines through parallel axes")}
        exports = {name: view.export(names.get(name) or view.caption) for name, view in views.items()}
        titles, rows = self.table.table()
        scope = [self._note.text()]
        scope += [tr("Runs with the tag {tag}.", tag=choices.tag)] if choices.tag else []
        scope += (
            [tr("Only the runs in the ranges selected on the parallel axes.")]
            if self.table.selection is not None
            else []
        )
        return ReportContent(
            title=tr("Comparison of {n} runs", n=len(self.table.runs)),
            scope=scope,
            titles=titles,
            rows=[[cell.text for cell in row] for row in rows],
            conclusions=[text] if (text := self._sentence.text()) and not text.endswith("…") else [],
            figures={name: export.figure for name, export in exports.items() if export is not None},
        )

    def _take_report(self, page: Path) -> None:
        self._end(tr("Saved {file} in {folder}", file=page.name, folder=page.parent))

    def _take_test(self, test: PairedTest) -> None:
        self._end(paired_sentence(test))

    def _take_fit(self, fit: ScalingFit) -> None:
        self._end(law_sentence(fit))

    def _fail(self, problem: Problem) -> None:
        self._end(problem_line(problem))

    def _end(self, text: str) -> None:
        self._cancel.hide()
        self._show_sentence(text)

    def _show_sentence(self, text: str) -> None:
        self._sentence.setText(text)
        self._sentence.setVisible(bool(text))

    def _stop(self) -> None:
        self._background.cancel(TESTING)
        self._end(tr("Cancelled."))

    # ----------------------------------------------------------------------------------------------------------- views

    def _offer_views(self) -> None:
        names = sorted(read_section(SECTION))
        self._views.set_choices([("", tr("views")), *((name, name) for name in names)])
        self._views.setEnabled(bool(names))

    def _save_view(self) -> None:
        name = self._name.text().strip()
        stored = {**self.choices().as_dict(), "side": self._side_view.value}
        if not name or (len(read_section(SECTION)) >= MOST_VIEWS and name not in read_section(SECTION)):
            self._show_sentence(tr("Give the view a name of its own."))
            return
        change_section(SECTION, lambda section: {**section, name: stored})
        self._offer_views()
        self._show_sentence(tr("Saved: {name}", name=name))

    def _open_view(self, name: str) -> None:
        stored = read_section(SECTION).get(name)
        if not name or not isinstance(stored, dict):
            return
        picked = choices_from(stored)
        self.table.choices = picked
        self._tags.show_value(picked.tag if self._tags.offers(picked.tag) else "")
        self._by.set_choices([("", tr("nothing")), *({picked.by: field_title(picked.by)} if picked.by else {}).items()])
        self._by.show_value(picked.by)
        for button, value in (
            (self._figure, picked.figure),
            (self._band, picked.band),
            (self._quantity, picked.quantity),
        ):
            button.show_value(value)
        if stored.get("side") in (POINTS, CURVES, PARALLEL):
            self._side_view.show_value(str(stored["side"]))
        self.show_table()


def _band_note(by: str) -> str:
    return (
        tr("The band is over the runs of a group, which are repetitions only if the seed alone differs.") if by else ""
    )


def _read(reader: FiguresReader, paths: Sequence[Path], job: Job) -> list[RunFigures]:
    return reader.read(paths, cancelled=lambda: job.cancelled)


def _tested(groups: Sequence[Group], plugins: Plugins, job: Job) -> PairedTest:
    """Compare two groups of runs on the same windows; in a thread."""
    from lab.studies.statistics import compare_arms
    from lab.workbench.studies.conclusions import arm_of, windows_of

    arms = []
    for arm, group in enumerate(groups):
        windows = {}
        finished = [run for run in group.runs if math.isfinite(run.values.get(LAST, math.nan))]
        for number, run in enumerate(finished):
            if job.cancelled:
                break
            own = -1 - arm - len(groups) * number  # no seed, and no number of another arm
            seed = own if run.seed is None or run.seed in windows else run.seed
            windows[seed] = windows_of(Path(run.key), plugins)
        arms.append(arm_of(str(group.value), windows))
    return compare_arms(*arms)


def _weighed(runs: Sequence[RunFigures], figure: str, job: Job) -> tuple[dict[str, float], int]:
    """Return the importance of the settings of runs, and how many have a loss; in a thread."""
    del job
    left_out = ("tags", "training.seed")
    points = [{name: value for name, value in run.fields.items() if name not in left_out} for run in runs]
    losses = [run.values.get(figure, math.nan) for run in runs]
    return importance(points, losses), sum(map(math.isfinite, losses))


def _written(folder: Path, content: ReportContent, job: Job) -> Path:
    """Write a report; in a thread."""
    return write_report(folder, content, lambda: job.cancelled)


def _fitted(runs: Sequence[RunFigures], job: Job) -> ScalingFit:
    """Fit Chinchilla's law to runs; in a thread."""
    del job
    from lab.studies.scaling import FitOptions, ScalingTable, fit_law

    names = {"N": "parameters", "D": "tokens", "L": LAST}
    rows = np.array([[run.values.get(name, np.nan) for name in names.values()] for run in runs])
    rows = rows[np.isfinite(rows).all(axis=1) & (rows > 0).all(axis=1)]
    return fit_law("chinchilla", ScalingTable(dict(zip(names, rows.T, strict=True))), FitOptions(resamples=300))
