"""The page about losses that do not compare: what separates the shown runs, and their losses on the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
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
from lab.base.problems import Problem
from lab.base.units import duration, short
from lab.shell.runtime.background import Background
from lab.shell.session.runs.comparability import Comparability, Compared, Difference
from lab.shell.session.runs.formatting import loss_text, part_label, protocol_label, protocol_phrase
from lab.shell.session.runs.loss_unit import BYTES, NATS, PERPLEXITY, convert_one, shared_unit, unit_phrase, with_unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.comparison.chance import chance_note, loss_in, same_text_title
from lab.shell.train.comparison.evaluation import (
    CHARACTERS,
    Row,
    SameTextEvaluation,
    State,
    can_evaluate,
    can_evaluate_on_file,
    evaluate_run,
    text_of_file,
    validation_text,
)
from lab.shell.train.comparison.leading import Standing, standing_of, standing_remarks, standing_sentence
from lab.shell.train.comparison.repeat_row import RepeatRow
from lab.widgets.core.card import title_row
from lab.widgets.core.controls import Button, MenuButton, label, plain_tip
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import CONTROL, INSIDE, control_height, px

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.evaluation import Evaluation

WIDTH, LINE, MOST_LINES = 1060, 26, 12
"""Least pixels of the page's width, pixels of a line of the table; number of lines from which on the table scrolls."""
NAME, VERDICT, SAME_TEXT, SAME_BYTES = 0, 2, 6, 7
"""The columns of the names, of what separates the losses, and of the losses on the same text in the unit of the charts
and in bits per byte."""
BETWEEN_COLUMNS = 12
"""Pixels between the texts of two columns."""
LONGEST, NARROWEST = 320, 150
"""Most pixels of a name; pixels from which on the columns with long texts are not narrowed further."""


def difference_label(difference: Difference) -> str:
    """Return the label of a reason why two losses do not compare."""
    return {
        Difference.CORPUS: tr("another corpus"),
        Difference.SPLIT: tr("another validation split"),
        Difference.OBJECTIVE: tr("another objective"),
        Difference.VOCABULARY: tr("other tokens"),
        Difference.PROTOCOL: tr("another protocol"),
        Difference.STEPS: tr("another number of steps"),
    }[difference]


def comparability_line(found: Comparability) -> str:
    """Return one line about the losses that do not compare; "" if all do."""
    others, counts = found.others, found.counts
    if not others:
        return ""
    if len(counts) == 1:
        why = difference_label(next(iter(counts)))
    else:
        why = ", ".join(f"{difference_label(reason)} ({count})" for reason, count in counts.items())
    if len(others) == 1:
        return tr("1 of {all} losses does not compare: {why}", all=len(found.runs), why=why)
    return tr("{n} of {all} losses do not compare: {why}", n=len(others), all=len(found.runs), why=why)


def comparability_details(found: Comparability, standing: Standing | None) -> str:
    """Return a text about who is ahead, with the reasons of each run whose loss does not compare."""
    lines = [standing_sentence(standing), *standing_remarks(standing)]
    if found.reference is not None and found.others:
        lines.append(tr("Compared with {run}:", run=found.reference.name))
        lines += [f"{one.run.name}: {reasons_label(one.differences)}" for one in found.others]
    lines.append(tr("Click for details, and to measure these runs on the same text."))
    return "\n".join(filter(None, lines))


def without_steps(found: Comparability, standing: Standing | None) -> Comparability:
    """Return a comparison without the numbers of steps that need no remark.

    A run that trains or waits catches up, and runs with an order are compared at a step that all of them made.
    """
    reference, ranked = found.reference, [] if standing is None else [run for run, _ in standing.losses]

    def is_remarkable(run: RunModel, difference: Difference) -> bool:
        return difference is not Difference.STEPS or not (run in ranked or catches_up(run, reference))

    return Comparability(
        reference,
        tuple(
            replace(one, differences=tuple(filter(partial(is_remarkable, one.run), one.differences)))
            for one in found.runs
        ),
    )


def catches_up(*runs: RunModel | None) -> bool:
    """Return True if one of these runs trains or waits."""
    return any(run is not None and (run.works or run.elsewhere) for run in runs)


def waiting_label(runs: Iterable[RunModel]) -> str:
    """Return a label that names the run that trains or waits, or their number; "" if all are over."""
    waiting = [run for run in runs if catches_up(run)]
    if not waiting:
        return ""
    if len(waiting) > 1:
        return tr("{count} runs still train or are queued", count=len(waiting))
    run = waiting[0]
    return tr("{run} is queued", run=run.name) if run.state == "queued" else tr("{run} still trains", run=run.name)


def reasons_label(reasons: Iterable[Difference]) -> str:
    """Return the labels of several reasons."""
    return ", ".join(map(difference_label, reasons))


def verdict_label(one: Compared, reference: RunModel | None) -> str:
    """Return whether the loss of a run compares with that of the reference, and why it does not.

    A run that has not made all of its steps compares with no other, nor does a training loss with a validation loss.

    Args:
        one: The run, and what separates its loss from the reference.
        reference: The run with which it is compared; None if there is none.
    """
    run = one.run
    if run.awaits_evaluation:
        return tr("not yet: its last evaluation is running")
    reasons = [reason for reason in one.differences if run.is_finished or reason is not Difference.STEPS]
    if not run.is_finished:
        steps = tr("step {n} of {all}", n=number_text(run.step), all=number_text(run.last_step))
        about = steps if run.is_validated else tr("{steps}, training loss", steps=steps)
        others = reasons_label(reasons)
        return tr("not finished: {about}", about=", ".join(filter(None, (about, others))))
    if run is reference or reference is None:
        return tr("the reference")
    if reasons:
        return tr("no: {why}", why=reasons_label(reasons))
    if reference.awaits_evaluation:
        return tr("not yet: the last evaluation of {run} is running", run=reference.name)
    if not reference.is_finished:
        return tr("no: {run} is not finished", run=reference.name)
    if run.is_validated != reference.is_validated:
        return tr("no: validation loss and training loss")
    return tr("yes")


class SameTextEvaluator(QObject):
    """Evaluates runs on the same text in the background, one after the other.

    Args:
        registry: The runs; the model of the selected one stays in memory.
        background: Runs the evaluations in threads.
        parent: Its parent; no result is delivered after Qt has deleted it.

    Attributes:
        model: The state.
    """

    changed = Signal()
    """The state has changed."""

    def __init__(self, registry: RunRegistry, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self.model = SameTextEvaluation()
        self._registry, self._background = registry, background

    def start(self, found: Comparability, protocol: str, file: Path | None = None) -> None:
        """Evaluate the runs of a comparison on the validation text of its reference, or on a file."""
        if found.reference is None:
            return
        number = self.model.start([one.run for one in found.runs], found.reference, protocol, file)
        taken = partial(self._take_text, number)
        if file is None:
            work: Callable[[Job], str] = partial(validation_text, found.reference.run)
            title = tr("Reading the validation text of {run}", run=found.reference.name)
        else:
            work, title = partial(text_of_file, file), tr("Reading {name}", name=file.name)
        self._background.run(title, work, taken, partial(self._refuse, number))
        self.changed.emit()

    def cancel(self) -> None:
        """End the evaluation; what was measured stays."""
        self.model.cancel()
        self.changed.emit()

    def _take_text(self, number: int, text: str) -> None:
        if self.model.take_text(number, text):
            self._evaluate_next(number)

    def _refuse(self, number: int, problem: Problem) -> None:
        self.model.refuse(number, problem)
        self.changed.emit()

    def _evaluate_next(self, number: int) -> None:
        row = self.model.next_run()
        if row is not None:
            title = tr("Evaluating {run}", run=row.run.name)
            work = partial(self._evaluate, number, row, release=row.run is not self._registry.selected)
            taken, failed = partial(self._take, number, row), partial(self._fail, number, row)
            self._background.run(title, work, taken, failed)
        self.changed.emit()

    def _evaluate(self, number: int, row: Row, job: Job, *, release: bool) -> Evaluation:
        """Evaluate a run; in a thread."""
        model = self.model

        def cancelled() -> bool:
            return job.cancelled or not model.is_current(number)

        return evaluate_run(row.run.run, model.text, model.protocol, release=release, cancelled=cancelled)

    def _take(self, number: int, row: Row, found: Evaluation) -> None:
        if self.model.take(number, row, found):
            self._evaluate_next(number)

    def _fail(self, number: int, row: Row, problem: Problem) -> None:
        if self.model.take(number, row, None, problem):
            self._evaluate_next(number)


class ComparisonPage(Overlay):
    """The page over the window: a table of the shown runs, and the button that evaluates them on the same text.

    Args:
        window: The window over which it opens.
        registry: The runs.
        background: Runs the evaluations in threads.
    """

    changed = Signal()
    """An evaluation made progress, started or ended."""
    help_requested = Signal()
    """The page of the help about differences is to be shown."""

    def __init__(self, window: QWidget, registry: RunRegistry, background: Background) -> None:
        super().__init__(window, tr("Are the losses comparable?"))
        self.evaluator = SameTextEvaluator(registry, background, self)
        self.evaluator.changed.connect(self._evaluation_changed)
        self._registry = registry
        self._found = Comparability(None, ())
        self._version: object = None
        self._note = label("", "dim")
        self._note.setWordWrap(True)
        self._table = _Table()
        self.repeats = RepeatRow(registry)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedWidth(160)
        self._progress.setAccessibleName(tr("Evaluated runs"))
        protocols = [("windows", tr("windows")), ("stream", tr("stream"))]
        self._protocol = MenuButton(tr("Protocol"), protocols, self._take_protocol, prefix=tr("protocol "))
        self.evaluate = Button(tr("Measure all on the same text"), role="primary")
        self.evaluate.clicked.connect(self._start)
        self.own_text = Button(tr("Measure on a text of mine…"), hint=tr("Evaluate these runs on the text of a file"))
        self.own_text.clicked.connect(self._ask_for_text)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(self.evaluator.cancel)
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(label(tr("Are the losses comparable?"), "title"))
        head.addStretch(1)
        head.addWidget(close)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(8)
        self.explain = Button(tr("Is the difference real?"), hint=tr("Show the page of the help about seeds and noise"))
        self.explain.clicked.connect(self.help_requested)
        foot.addWidget(self._protocol)
        foot.addWidget(self.explain)
        foot.addStretch(1)
        for widget in (self._progress, self.cancel, self.own_text, self.evaluate):
            foot.addWidget(widget)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(INSIDE, 8, INSIDE, INSIDE)
        self._rows.setSpacing(8)
        self._rows.addWidget(title_row(head))
        self._rows.addWidget(self._note)
        self._rows.addWidget(self._table, 1)
        self._rows.addWidget(self.repeats)
        self._rows.addLayout(foot)
        registry.list_changed.connect(self._list_changed)

    def open(self, found: Comparability) -> None:
        """Open the page for the shown runs."""
        self.show_runs(found)
        self._show()
        self.show_over(self.evaluate if self.evaluate.isEnabled() else self._table)

    def show_runs(self, found: Comparability) -> None:
        """Show other runs, or the same ones after they changed; a table that is hidden is filled when it opens."""
        unit = self._registry.loss_unit
        version = (unit, found, [(one.run.step, one.run.state, one.run.loss) for one in found.runs])
        if version != self._version:
            self._found, self._version = found, version
            if self.isVisible():
                self._show()

    def start(self) -> None:
        """Evaluate the shown runs on the same text."""
        self.evaluator.start(self._found, self._protocol.value)

    def _start(self) -> None:
        self.start()

    def _ask_for_text(self) -> None:
        """Ask for a file, and evaluate the shown runs on its text."""
        title = tr("Select a text on which the runs are measured")
        file, _ = QFileDialog.getOpenFileName(self._window, title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self.evaluator.start(self._found, self._protocol.value, Path(file))

    def _take_protocol(self, _protocol: str) -> None:
        self._show()

    def _list_changed(self) -> None:
        """Show what became of the repetitions, which the queue and the list can remove."""
        if self.isVisible():
            self._show()

    def _evaluation_changed(self) -> None:
        self._show()
        self.changed.emit()

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(max(WIDTH, self._table.natural_width() + 2 * INSIDE), self._window.width() - 40)
        inside = width - 2 * INSIDE
        table = self._table.height_for(inside)
        buttons = self.evaluate.sizeHint().height() + control_height(CONTROL)
        around = buttons + 8 + 3 * self._rows.spacing() + INSIDE + 2 * self.frameWidth()
        if not self.repeats.isHidden():
            around += self._rows.spacing() + self.repeats.sizeHint().height()
        height = min(self._window.height() - 40, around + self._note.heightForWidth(inside) + table)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _show(self) -> None:
        model, found = self.evaluator.model, self._found
        runs = [one.run for one in found.runs]
        unit = shared_unit(runs, self._registry.loss_unit)
        standing = standing_of(found, unit)
        rows = [_cells(one, found.reference, model.row_of(one.run), unit, standing) for one in found.runs]
        has_other_tokens = any(Difference.VOCABULARY in one.differences for one in found.runs)
        self._table.show_rows(rows, unit, in_bytes=unit == BYTES or has_other_tokens)
        self.repeats.show_runs(runs)
        note = _note(model, found, self.repeats.plan.waiting, unit)
        lead = (standing_sentence(standing), *standing_remarks(standing))
        self._note.setText("\n".join(filter(None, (measured_on(runs, unit), *lead, note))))
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
        if self.isVisible():
            self.place()


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

    def natural_width(self) -> int:
        """Return the pixels in which every text has a line of its own, except the longest names."""
        return sum(self._natural_widths()) + 2 * self.frameWidth() + 2

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


def _note(model: SameTextEvaluation, found: Comparability, waiting: int, unit: str) -> str:
    """Return the text above the table, with what is known about chance."""
    return "\n".join(filter(None, (_state_note(model, found), chance_note(model, found, waiting, unit))))


def _state_note(model: SameTextEvaluation, found: Comparability) -> str:
    """Return the text above the table about the evaluation."""
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
