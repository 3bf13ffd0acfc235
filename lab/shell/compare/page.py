"""The comparison of the shown runs: what separates their losses, and their losses on the same text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.base.last_folder import last_folder, remember_folder
from lab.base.units import duration, short
from lab.shell.compare.chance import chance_note, loss_in, same_text_title
from lab.shell.compare.loss_chart import LossChart
from lab.shell.compare.repeat_row import RepeatRow
from lab.shell.session.comparison.evaluation import (
    CHARACTERS,
    Row,
    SameTextEvaluation,
    State,
    can_evaluate,
    can_evaluate_on_file,
)
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.comparison.labels import verdict_label
from lab.shell.session.comparison.leading import Standing, standing_of, standing_remarks, standing_sentence
from lab.shell.session.runs.comparability import Comparability, Compared, Difference
from lab.shell.session.runs.formatting import loss_text, part_label, protocol_label, protocol_phrase
from lab.shell.session.runs.loss_unit import BYTES, NATS, PERPLEXITY, convert_one, shared_unit, unit_phrase, with_unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, MenuButton, MenuChoices, label, plain_tip
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px

LINE, MOST_LINES = 26, 12
"""Pixels of a line of the table; number of lines from which on the table scrolls."""
NAME, VERDICT, SAME_TEXT, SAME_BYTES = 0, 2, 6, 7
"""The columns of the names, of what separates the losses, and of the losses on the same text in the unit of the charts
and in bits per byte."""
SPACING, LOWEST = 8, 120
"""Pixels between two rows of the page; the least height of the chart in pixels, without which it is not shown."""
BETWEEN_COLUMNS = 12
"""Pixels between the texts of two columns."""
LONGEST, NARROWEST = 320, 150
"""Most pixels of a name; pixels from which on the columns with long texts are not narrowed further."""


class ComparisonPage(QWidget):
    """A table of runs with the sentences about them, and the buttons that evaluate them on the same text.

    Args:
        registry: The runs.
        evaluator: Evaluates runs on the same text.
    """

    help_requested = Signal()
    """The page of the help about differences is to be shown."""

    def __init__(self, registry: RunRegistry, evaluator: SameTextEvaluator) -> None:
        super().__init__()
        self.evaluator = evaluator
        self._registry = registry
        self._found = Comparability(None, ())
        self._lead = label("")
        self._note, self._chance, self._how = (label("", "dim") for _ in range(3))
        for each in (self._lead, self._note, self._chance, self._how):
            each.setWordWrap(True)
        self._table = _Table()
        self.chart = LossChart()
        self.repeats = RepeatRow(registry)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedWidth(160)
        self._progress.setAccessibleName(tr("Evaluated runs"))
        protocols = [("windows", tr("windows")), ("stream", tr("stream"))]
        self._protocol = MenuButton(tr("Protocol"), protocols, self._take_protocol, prefix=tr("protocol "))
        self.choices = MenuChoices(protocol=self._protocol)
        self.evaluate = Button(tr("Measure all on the same text"), role="primary")
        self.evaluate.clicked.connect(self._start)
        own = tr("Evaluate these runs on the text of a file")
        self.own_text = Button(tr("Measure on a text of mine…"), hint=own, role="")
        self.own_text.clicked.connect(self._ask_for_text)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(evaluator.cancel)
        seeds = tr("Show the page of the help about seeds and noise")
        self.explain = Button(tr("Is the difference real?"), hint=seeds, icon_name="info", role="")
        self.explain.clicked.connect(self.help_requested)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACING)
        rows.addWidget(self._lead)
        rows.addWidget(self._note)
        rows.addWidget(self._table, 1)
        rows.addWidget(self.chart, 1)
        chance, foot = QHBoxLayout(), QHBoxLayout()
        for row in (chance, foot):
            row.setSpacing(SPACING)
        chance.addWidget(self._chance, 1)
        chance.addStretch()
        chance.addWidget(self.explain)
        rows.addLayout(chance)
        rows.addWidget(self.repeats)
        rows.addWidget(self._how)
        foot.addStretch(1)
        for widget in (self._progress, self.cancel, self._protocol, self.own_text, self.evaluate):
            foot.addWidget(widget)
        rows.addLayout(foot)
        rows.addStretch()
        evaluator.changed.connect(self._refresh)

    def show_runs(self, found: Comparability) -> None:
        """Show other runs, or the same ones after they changed; a table that is hidden is filled when it is shown."""
        self._found = found
        self._refresh()

    def start(self) -> None:
        """Evaluate the shown runs on the same text."""
        self.evaluator.start(self._found, self._protocol.value)

    def _start(self) -> None:
        self.start()

    def _ask_for_text(self) -> None:
        """Ask for a file, and evaluate the shown runs on its text."""
        title = tr("Select a text on which the runs are measured")
        file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self.evaluator.start(self._found, self._protocol.value, Path(file))

    def _take_protocol(self, _protocol: str) -> None:
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Fill the table."""
        super().showEvent(event)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns of the table into the width."""
        super().resizeEvent(event)
        self._fit()

    def _refresh(self) -> None:
        """Show what became of the runs, of their repetitions and of the evaluation, if the page is visible."""
        if self.isVisible():
            self._show()

    def _fit(self) -> None:
        """Give the table the height of its lines in the width of the page, and the rest to the chart if that is enough.

        The table scrolls where there is less room.
        """
        self._table.setMaximumHeight(self._table.height_for(self.width()))
        button, rest = self.explain.sizeHint(), self.width() - self.explain.sizeHint().width() - SPACING
        heights = [each.heightForWidth(self.width()) for each in (self._lead, self._note, self._how) if each.text()]
        heights += [max(button.height(), self._chance.heightForWidth(rest)), button.height()]
        heights += [self._table.maximumHeight()]
        heights += [self.repeats.sizeHint().height()] if self.repeats.note.text() else []
        room = self.height() - sum(heights) - len(heights) * SPACING
        self.chart.setVisible(self.chart.has_curves and room >= px(LOWEST))

    def _show(self) -> None:
        model, found = self.evaluator.model, self._found
        runs = [one.run for one in found.runs]
        unit = shared_unit(runs, self._registry.loss_unit)
        standing = standing_of(found, unit)
        rows = [_cells(one, found.reference, model.row_of(one.run), unit, standing) for one in found.runs]
        has_other_tokens = any(Difference.VOCABULARY in one.differences for one in found.runs)
        self._table.show_rows(rows, unit, in_bytes=unit == BYTES or has_other_tokens)
        self.repeats.show_runs(runs)
        self.chart.show_runs(runs, unit)
        texts = {
            self._lead: standing_sentence(standing),
            self._note: "\n".join(filter(None, (measured_on(runs, unit), *standing_remarks(standing)))),
            self._chance: chance_note(model, found, self.repeats.plan.waiting, unit),
            self._how: _state_note(model, found),
        }
        for where, text in texts.items():
            where.setText(text)
            where.setVisible(bool(text))
        done, total = model.progress
        self._progress.setVisible(model.works)
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self.cancel.setVisible(model.works)
        possible = can_evaluate(runs, found.reference)
        self.evaluate.setEnabled(possible and not model.works)
        hint = tr("Evaluate these runs in one protocol on the same text, the validation text of one of them")
        self.evaluate.setToolTip(
            hint if possible else tr("Show two runs at least; the selected one must train on text")
        )
        self._protocol.setEnabled(not model.works)
        self.own_text.setEnabled(can_evaluate_on_file(runs, found.reference) and not model.works)
        self._fit()


class _Table(QTableWidget):
    """The table: a line for each run."""

    def __init__(self) -> None:
        titles = _titles(NATS)
        super().__init__(0, len(titles))
        self.setHorizontalHeaderLabels(titles)
        self.setAccessibleName(tr("Losses of the shown runs"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(LINE)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_rows(self, rows: list[list[tuple[str, str]]], unit: str, *, in_bytes: bool) -> None:
        """Show text and tool tip of each cell.

        Args:
            rows: The cells of each run.
            unit: The unit of the losses.
            in_bytes: True to show the losses on the same text in bits per byte, in which other tokens compare.
        """
        self.setHorizontalHeaderLabels(_titles(unit))
        self.setRowCount(len(rows))
        for number, cells in enumerate(rows):
            for column, (text, tip) in enumerate(cells):
                item = self.item(number, column)
                if item is None:
                    item = QTableWidgetItem()
                    self.setItem(number, column, item)
                item.setText(text)
                item.setToolTip(plain_tip(tip or text))
        is_measured = any(cells[SAME_TEXT][0] for cells in rows)
        self.setColumnHidden(SAME_TEXT, not is_measured or unit == BYTES)
        self.setColumnHidden(SAME_BYTES, not (is_measured and in_bytes))

    def _natural_widths(self) -> list[int]:
        head = self.horizontalHeader()
        widths = [
            0
            if self.isColumnHidden(column)
            else max(self.sizeHintForColumn(column), head.sectionSizeHint(column)) + px(BETWEEN_COLUMNS)
            for column in range(self.columnCount())
        ]
        widths[NAME] = min(widths[NAME], px(LONGEST))
        return widths

    def height_for(self, width: int) -> int:
        """Give the columns their widths in a table of a width, and return the pixels of its height.

        Where they have no room, what separates the losses is wrapped and the names are cut.
        """
        widths = self._natural_widths()
        room = width - 2 * self.frameWidth() - 2 - sum(widths)
        if room < 0:
            shortened = min(-room, max(0, widths[VERDICT] - px(NARROWEST)))
            widths[VERDICT] -= shortened
            widths[NAME] = max(px(NARROWEST), widths[NAME] + room + shortened)
        else:
            widths[VERDICT] += room
        for column, pixels in enumerate(widths):
            self.setColumnWidth(column, pixels)
        heights = 0
        for row in range(self.rowCount()):
            self.resizeRowToContents(row)
            self.setRowHeight(row, max(LINE, self.rowHeight(row)))
            heights += self.rowHeight(row) if row < MOST_LINES else 0
        return max(2 * LINE, heights) + self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()


def measured_on(runs: Sequence[RunModel], unit: str) -> str:
    """Return a sentence that says on which text the losses of runs are measured, and in which unit; "" for none."""
    if not runs:
        return ""
    parts: dict[str, list[str]] = {}
    for run in runs:
        parts.setdefault(part_label(run), []).append(run.name)
    phrase = tr("perplexity") if unit == PERPLEXITY else unit_phrase(unit, runs[0])
    if len(parts) == 1:
        return tr("Losses in {unit}, measured on {part}.", unit=phrase, part=next(iter(parts)))
    each = "; ".join(f"{part} ({', '.join(names)})" for part, names in parts.items())
    return tr("Losses in {unit}, measured on different texts: {parts}.", unit=phrase, parts=each)


def _titles(unit: str) -> list[str]:
    """Return the titles of the columns, in the order of `_cells`."""
    return [
        tr("Run"), tr("Its own loss"), tr("Comparable"), tr("Parameters"), tr("Steps"), tr("Training time"),
        same_text_title(unit), same_text_title(BYTES),
    ]  # fmt: skip


def _verdict(one: Compared, reference: RunModel | None, standing: Standing | None) -> str:
    """Return whether the loss of a run compares, and at which step where it does not at the end."""
    verdict, ranked = verdict_label(one, reference), [] if standing is None else [run for run, _ in standing.losses]
    is_cut = one.run is not reference and (one.differences == (Difference.STEPS,) or not one.run.is_finished)
    if standing is None or standing.step is None or one.run not in ranked or not is_cut:
        return verdict
    return tr("at step {step}; {verdict}", step=number_text(standing.step), verdict=verdict)


def _cells(
    one: Compared, reference: RunModel | None, row: Row | None, unit: str, standing: Standing | None
) -> list[tuple[str, str]]:
    """Return text and tool tip of each cell of the line of a run."""
    run = one.run
    own = "" if run.loss is None else with_unit(convert_one(run.loss, run, unit), unit, run)
    protocol = f" · {protocol_label(run.protocol)}" if run.protocol and run.is_validated else f" · {tr('train')}"
    cells = [(run.name, ""), (f"{own}{protocol}", ""), (_verdict(one, reference, standing), "")]
    parameters, seconds = run.parameters, run.training_seconds
    cells.append(("–", "") if parameters is None else (localized(short(parameters)), number_text(parameters)))
    cells.append(
        (number_text(run.step), tr("step {n} of {all}", n=number_text(run.step), all=number_text(run.last_step)))
    )
    cells.append(("–" if seconds is None else localized(duration(seconds)), ""))
    if row is None:
        return [*cells, ("", ""), ("", "")]
    if row.problem is not None:
        return [*cells, (tr("not measured"), problem_line(row.problem)), (problem_line(row.problem), "")]
    if row.evaluation is None:
        return [*cells, ("…", tr("Not evaluated yet")), ("…", tr("Not evaluated yet"))]
    found = row.evaluation
    loss, bits = ("–" if one is None else loss_text(one) for one in (loss_in(found, unit), found.bits_per_byte))
    how = tr("{n} tokens of the text, {by}", n=number_text(found.targets), by=protocol_phrase(found.protocol))
    if row.seen:
        loss, bits = (tr("{bits}, seen in training", bits=one) for one in (loss, bits))
        how += "\n" + tr("This run trained on a part of the text, as it kept less of the corpus for validation.")
    if not row.is_current:
        step = number_text(found.step or 0)
        loss, bits = (tr("{loss} at step {step}", loss=one, step=step) for one in (loss, bits))
        how += "\n" + tr("The run has moved on since then. Measure again for its loss of now.")
    return [*cells, (loss, how), (bits, how)]


def _state_note(model: SameTextEvaluation, found: Comparability) -> str:
    """Return the text about the evaluation on the same text."""
    if model.state is State.REFUSED and model.problem is not None:
        return problem_line(model.problem)
    if model.state is State.IDLE or model.reference is None:
        name = "" if found.reference is None else found.reference.name
        return tr("Losses compare if the runs read the same text in the same way. Measured on the same text, all runs "
                  "read the validation text of {run}, the selected one, up to {n} characters.",
                  run=name, n=number_text(CHARACTERS))  # fmt: skip
    if model.state is State.READING:
        if model.file is not None:
            return tr("Reading {name} …", name=model.file.name)
        return tr("Reading the validation text of {run} …", run=model.reference.name)
    source = tr("the validation text of {run}", run=model.reference.name) if model.file is None else model.file.name
    note = tr("On the same text: {n} characters of {text}, {by}.",
              n=number_text(len(model.text)), text=source, by=protocol_phrase(model.protocol))  # fmt: skip
    if model.state is State.CANCELLED:
        return f"{note} {tr('Cancelled.')}"
    return f"{note} {tr('Nats per token compare where the tokens are the same, bits per byte always.')}"
