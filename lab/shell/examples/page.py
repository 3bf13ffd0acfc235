"""The page of the worked examples: a list by topic, and one example with inputs that can be edited and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from lab.base.files.writing import write_file
from lab.base.jobs import Job
from lab.base.last_folder import last_folder, remember_folder
from lab.base.problems import LabError, Problem
from lab.shell.examples.fields import InputArea, InputFields
from lab.shell.examples.steps_view import StepsView
from lab.shell.runtime.background import Background
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_n, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.search_field import SearchField
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import px
from lab.widgets.lists.grouped_list import GroupedList, Row
from lab.worked import Computed, WorkedExample, examples, find_example, search
from lab.worked.expressions.values import typed
from lab.worked.parts.table import Comparison, compare_with_part
from lab.worked.sheet import sheet
from lab.worked.snippet import example_as_python

FIRST = "net-231-sample-1"
"""The example that is shown first: one whose lecture errs."""
MOST_INPUTS = 196
"""Most pixels of height for the inputs, which scroll beyond."""


class WorkedExamplesPage(QWidget):
    """The worked examples of the lectures.

    Args:
        background: Runs work in threads.

    Attributes:
        shown: The example that is shown.
    """

    graph_requested = Signal(str, object)
    """A program, and the values of its inputs by name, whose graph is to be shown."""

    def __init__(self, background: Background) -> None:
        super().__init__()
        self._background = background
        self.shown: WorkedExample = examples()[FIRST]
        self._computed: Computed | None = None
        self._comparison: Comparison | None = None
        self._refusal = ""
        self._count = 0
        splitter = Splitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self._make_list())
        splitter.addWidget(self._make_card())
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([px(330), px(900)])
        splitter.setChildrenCollapsible(False)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(splitter)
        self._fill_list()
        self.show_example(FIRST)

    # ------------------------------------------------------------------------------------------------------- contents

    def _make_list(self) -> QWidget:
        self.search = SearchField(tr("Search"), tr("Search titles, topics, lectures and steps"))
        self.search.textChanged.connect(self._fill_list)
        self.list = GroupedList(tr("Worked examples"), tr("Up and down show an example."))
        self.list.selection_changed.connect(self.show_example)
        self.search.left.connect(self.list.setFocus)
        self._found = label("", "note")
        side = QWidget()
        side.setMinimumWidth(px(200))
        rows = QVBoxLayout(side)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        for widget in (self.search, self._found):
            rows.addWidget(widget)
        rows.addWidget(self.list, 1)
        return side

    def _make_card(self) -> Card:
        self.card = Card("")
        self.back = Button(hint=tr("Hide the last step"), icon_name="left")
        self.back.clicked.connect(self._hide_step)
        self.step = Button(tr("Step"), hint=tr("Show the next step"), icon_name="step")
        self.step.clicked.connect(self._show_step)
        self.all = Button(tr("All steps"), hint=tr("Show all steps at once"))
        self.all.clicked.connect(self._show_all)
        self.graph = Button(tr("Graph"), hint=tr("Show its computation graph, with derivatives node by node"))
        self.graph.clicked.connect(self._request_graph)
        self.part = Button(tr("Compute with the lab"), hint=tr("Compute it with the lab's own layers too, and compare"))
        self.part.clicked.connect(self._compare)
        self.python = Button(tr("Copy as Python"), hint=tr("Copy its arithmetic as Python with numpy"))
        self.python.clicked.connect(self._copy_python)
        self.save = Button(hint=tr("Save a page to print"), icon_name="export")
        self.save.clicked.connect(self._ask_where_to_save)
        for button in (self.back, self.step, self.all):
            self.card.add_control(button)
        foot = QHBoxLayout()
        foot.setSpacing(4)
        for button in (self.graph, self.part, self.python, self.save):
            foot.addWidget(button)
        foot.addStretch(1)
        self._note = label("", "")
        self._note.setWordWrap(True)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.fields = InputFields()
        self.fields.edited.connect(self._compute)
        self.reset = Button(tr("Lecture's inputs"), hint=tr("Put the inputs of the lecture back"), icon_name="undo")
        self.reset.clicked.connect(self._reset)
        self._whose = label("", "note")
        head = QHBoxLayout()
        head.addWidget(label(tr("Inputs"), "strong"))
        head.addWidget(self._whose)
        head.addStretch(1)
        head.addWidget(self.reset)
        self.steps = StepsView()
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self._note)
        rows.addLayout(head)
        rows.addWidget(InputArea(self.fields, MOST_INPUTS))
        rows.addWidget(self.steps, 1)
        rows.addLayout(foot)
        self.card.set_content(inside)
        return self.card

    @property
    def cards(self) -> list[Card]:
        """The card of the example."""
        return [self.card]

    def _fill_list(self) -> None:
        found = search(self.search.text())
        rows: list[Row] = []
        topic = ""
        for example in found:
            if example.topic != topic:
                topic = example.topic
                rows.append(Row("", tr_registered(topic)))
            note = tr("corrects") if example.errs else ""
            tip = tr("Lecture {lecture}, {where}", lecture=example.lecture, where=example.where)
            rows.append(Row(example.name, tr_registered(example.title), note, tip))
        self.list.set_rows(rows)
        self.list.show_selected(self.shown.name)
        self._found.setText(tr_n("1 example", "{n} examples", len(found)))

    # -------------------------------------------------------------------------------------------------------- example

    def show_example(self, name: str) -> None:
        """Show an example with the inputs of its lecture.

        Raises:
            BadInput: There is none of this name.
        """
        self.shown = example = find_example(name)
        where = tr("Lecture {lecture}, {where}", lecture=example.lecture, where=example.where)
        self.card.set_title(tr_registered(example.title), where)
        self.list.show_selected(name)
        self._note.setText(example.note)
        self._note.setVisible(bool(example.note))
        self._whose.setText(tr("the lecture has none or not all of them") if example.inputs_are_ours else "")
        self.fields.show_values(example.inputs)
        self.graph.setEnabled(bool(example.graph))
        self.part.setEnabled(bool(example.part))
        self._count = len(example.steps)
        self._computed = None
        self._compute()

    def _reset(self) -> None:
        self.fields.show_values(self.shown.inputs)
        self._compute()

    def _compute(self) -> None:
        """Compute the steps in a thread, since a search or simulation takes a second."""
        self._comparison, self._refusal = None, ""
        original = self.shown.inputs
        changed = {name: value for name, value in self.fields.values.items() if typed(value) != typed(original[name])}
        self.reset.setEnabled(bool(changed))
        title = tr("Computing {example}", example=tr_registered(self.shown.title))
        self._background.run(
            title, partial(_computed, self.shown, changed), self._take, self._refuse, replaces="worked example"
        )

    def _take(self, computed: Computed) -> None:
        self._computed = computed
        self.fields.show_refusal("")
        self._draw()

    def _refuse(self, problem: Problem) -> None:
        self.fields.show_refusal(problem_line(problem))

    def _draw(self) -> None:
        if self._computed is not None:
            self.steps.show_steps(self._computed, self._count, self._comparison, self._refusal)
        self.back.setEnabled(self._count > 0)
        self.step.setEnabled(self._count < len(self.shown.steps))
        self.all.setEnabled(self._count < len(self.shown.steps))

    def _show_step(self) -> None:
        self._count = min(self._count + 1, len(self.shown.steps))
        self._draw()

    def _hide_step(self) -> None:
        self._count = max(self._count - 1, 0)
        self._draw()

    def _show_all(self) -> None:
        self._count = len(self.shown.steps)
        self._draw()

    # -------------------------------------------------------------------------------------------------------- actions

    def _request_graph(self) -> None:
        self.graph_requested.emit(self.shown.graph, dict(self.fields.values))

    def _compare(self) -> None:
        if self._computed is not None:
            title = tr("Computing {example} with the lab", example=tr_registered(self.shown.title))
            work = partial(_compared, self._computed)
            self._background.run(title, work, self._take_comparison, self._refuse_comparison, replaces="lab's part")

    def _take_comparison(self, found: tuple[Computed, Comparison]) -> None:
        if found[0] is self._computed:
            self._comparison, self._refusal = found[1], ""
            self._draw()
            self.steps.verticalScrollBar().setValue(self.steps.verticalScrollBar().maximum())

    def _refuse_comparison(self, problem: Problem) -> None:
        self._comparison, self._refusal = (
            None,
            tr("The lab's part does not take these inputs: {why}", why=problem_line(problem)),
        )
        self._draw()

    def _copy_python(self) -> None:
        QGuiApplication.clipboard().setText(example_as_python(self.shown, self.fields.values))

    def _ask_where_to_save(self) -> None:
        if self._computed is None:
            return
        proposed = str(last_folder() / f"{self.shown.name}.html")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save a page to print"), proposed, tr("Pages of HTML (*.html)"))
        if name:
            self.save_page(name)

    def save_page(self, name: str) -> None:
        """Write the example as a page to print; a failure is shown where the inputs are."""
        assert self._computed is not None
        try:
            write_file(Path(name), sheet(self._computed))
            remember_folder(Path(name).parent)
        except LabError as error:
            self.fields.show_refusal(problem_line(error.problem))


def _computed(example: WorkedExample, changed: Mapping[str, object], job: Job) -> Computed:
    del job
    return example.compute(changed)


def _compared(computed: Computed, job: Job) -> tuple[Computed, Comparison]:
    del job
    return computed, compare_with_part(computed)
