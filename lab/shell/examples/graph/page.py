"""The page of the computation graph: an expression is typed, drawn, and walked forward and backward step by step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.base.jobs import Job
from lab.base.problems import BadInput, Problem
from lab.host import Plugins
from lab.runs import RunFolder
from lab.shell.examples.fields import AFTER_TYPING, InputArea, InputFields
from lab.shell.examples.graph.view import GraphArea
from lab.shell.examples.graph.walk import Mode, Walk
from lab.shell.examples.graph.walk_list import WalkList
from lab.shell.runtime.background import Background
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label, refresh_style
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import px, token_font
from lab.workbench.analysis.measurements import Measurer
from lab.workbench.analysis.step_graph import StepProgram
from lab.worked import Graph, parse
from lab.worked.expressions.syntax import names_in
from lab.worked.expressions.values import Array, Value, as_value
from lab.worked.snippet import program_as_python

LINES = 4
"""Height of the field of the expression in lines."""
MOST_INPUTS = 122
"""Most pixels of height for the values of the inputs, which scroll beyond."""


class Preset(NamedTuple):
    """A program that is offered, with values of its inputs."""

    program: str
    inputs: Mapping[str, object]


PRESETS: Mapping[str, Preset] = {
    "product": Preset("y = (x1 + x2)·x1\ny^2", {"x1": 2, "x2": 3}),
    "logistic": Preset(
        "p = sigmoid(w @ x + b)\n−(y·log(p) + (1 − y)·log(1 − p))", {"w": [0.5, -1.0], "x": [1, 2], "b": 0.1, "y": 1}
    ),
    "network": Preset(
        "z = W1 @ x + b1\na = relu(z)\np = sigmoid(W2 @ a + b2)\n−(y·log(p) + (1 − y)·log(1 − p))",
        {"W1": [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], "x": [0.5, 0.2], "b1": [0.01, 0.02, 0.03], "W2": [0.7, 0.8, 0.9],
         "b2": 0.1, "y": 0},
    ),
    "softmax": Preset("−sum(y·log(softmax(z)))", {"z": [1.5, 0.5, 0.2, -0.2], "y": [1, 0, 0, 0]}),
    "recurrent": Preset(
        "h1 = tanh(u·x1)\nh2 = tanh(w·h1 + u·x2)\nh3 = tanh(w·h2 + u·x3)\n(h3 − y)^2",
        {"w": 0.9, "u": 0.5, "x1": 1, "x2": -1, "x3": 0.5, "y": 1},
    ),
    "attention": Preset(
        "A = softmax(Q @ Kᵀ / sqrt(2))\nsum(A @ V)",
        {"Q": [[1, 0], [0, 1], [1, 1]], "K": [[0, 1], [1, 1], [1, 0]], "V": [[2, 2], [3, 3], [4, 4]]},
    ),
    "logsumexp": Preset("m = max(z)\nm + log(sum(exp(z − m)))", {"z": [1000, 999, 998]}),
}  # fmt: skip
"""The programs by key."""
OF_RUN = "run"
"""The key of the next training step of the selected run, in the menu of the programs and of the job that makes it."""


def preset_titles() -> list[tuple[str, str]]:
    """Return key and title of each program."""
    return [
        ("product", tr("A product and a square")),
        ("logistic", tr("Logistic regression")),
        ("network", tr("A training step of a network")),
        ("softmax", tr("Softmax and cross-entropy")),
        ("recurrent", tr("Three steps of recurrence")),
        ("attention", tr("Attention")),
        ("logsumexp", tr("Log-sum-exp without overflow")),
        (OF_RUN, tr("Next training step of the selected run")),
    ]


class GraphPage(QWidget):
    """The computation graph of a typed expression, or of a training step of the selected run.

    Args:
        registry: The runs.
        plugins: The plugins.
        background: Runs work in threads.

    Attributes:
        walk: The walk through the graph; None while the expression cannot be read.
    """

    def __init__(self, registry: RunRegistry, plugins: Plugins, background: Background) -> None:
        super().__init__()
        self._registry, self._plugins, self._background = registry, plugins, background
        self.walk: Walk | None = None
        self._graph: Graph | None = None
        self._inputs: dict[str, Value] = {}
        self.card = Card(tr("Computation graph"))
        self.card.set_caption(
            tr("Values are computed from left to right, adjoints from right to left, each from its neighbours.")
        )
        self.presets = MenuButton(tr("Example"), preset_titles(), self.show_preset, face=tr("Examples"))
        modes = [
            (Mode.REVERSE.value, tr("reverse mode")),
            (Mode.FORWARD.value, tr("forward mode")),
            (Mode.VALUES.value, tr("values alone")),
        ]
        self.mode = MenuButton(tr("Derivatives"), modes, self._take_mode)
        self.direction = MenuButton(tr("Direction"), [("", "x")], self._take_direction, prefix=tr("along "))
        self.back = Button(tr("Back"), hint=tr("Undo the last step"), icon_name="left")
        self.step = Button(tr("Step"), hint=tr("Do the next step"), icon_name="step")
        self.restart = Button(hint=tr("Go back to the values"), icon_name="undo")
        self.finish = Button(tr("All steps"), hint=tr("Do all steps at once"))
        self.python = Button(tr("Copy as Python"), hint=tr("Copy the expression as Python with numpy"))
        for button, do in (
            (self.back, self._back),
            (self.step, self._step),
            (self.restart, self._restart),
            (self.finish, self._finish),
            (self.python, self._copy_python),
        ):
            button.clicked.connect(do)
        for control in (
            self.presets, self.mode, self.direction, self.restart, self.back, self.step, self.finish, self.python,
        ):  # fmt: skip
            self.card.add_control(control)
        self.card.set_content(self._make_body())
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.card)
        self._later = QTimer(self, singleShot=True, interval=AFTER_TYPING)
        self._later.timeout.connect(self._read)
        self.show_preset("network")

    def _make_body(self) -> QWidget:
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Expression"))
        self.field.setPlaceholderText("y = (x1 + x2)·x1")
        self.field.setTabChangesFocus(True)
        follow_type(self.field, _fit_field)
        self.field.textChanged.connect(self._typed)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.fields = InputFields()
        self.fields.edited.connect(self._take_values)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self._problem)
        column.addStretch(1)
        right = QWidget()
        other = QVBoxLayout(right)
        other.setContentsMargins(0, 0, 0, 0)
        other.addWidget(InputArea(self.fields, MOST_INPUTS))
        other.addStretch(1)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(left, 3)
        head.addWidget(right, 2)
        self.area = GraphArea()
        self.list = WalkList()
        self.list.picked.connect(self._go_to)
        self._counts = label("", "note")
        self._counts.setWordWrap(True)
        side = QWidget()
        steps = QVBoxLayout(side)
        steps.setContentsMargins(0, 0, 0, 0)
        steps.setSpacing(6)
        steps.addWidget(self.list, 1)
        steps.addWidget(self._counts)
        splitter = Splitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.area)
        splitter.addWidget(side)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([px(800), px(380)])
        splitter.setChildrenCollapsible(False)
        body = QWidget()
        rows = QVBoxLayout(body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(head)
        rows.addWidget(splitter, 1)
        return body

    def sizeHint(self) -> QSize:
        """Return a size that suits the window; the graph scrolls."""
        return QSize(900, 600)

    @property
    def cards(self) -> list[Card]:
        """The card of the page."""
        return [self.card]

    # --------------------------------------------------------------------------------------------------------- input

    def show_preset(self, key: str) -> None:
        """Show one of the offered programs, or the next training step of the selected run."""
        if key == OF_RUN:
            self._read_run()
        else:
            self.show_program(*PRESETS[key])

    def _read_run(self) -> None:
        """Read the next training step of the selected run in a thread."""
        run = self._registry.selected
        folder = None if run is None else run.source.folder
        steps = [] if folder is None else folder.checkpoint_steps()
        if folder is None or not steps:
            self._show_problem(tr("Select a run of a small network that has a checkpoint."))
            return
        work = partial(_step_of, folder, steps[-1], self._plugins)
        self._background.run(tr("Reading the training step"), work, self._show_step, self._refuse_step, replaces=OF_RUN)

    def _show_step(self, found: StepProgram) -> None:
        self.show_program(found.program, found.inputs)

    def _refuse_step(self, problem: Problem) -> None:
        self._show_problem(problem_line(problem))

    def show_program(self, program: str, inputs: object) -> None:
        """Show the graph of a program.

        Args:
            program: The program.
            inputs: Values of its inputs by name; others are left out.
        """
        assert isinstance(inputs, Mapping)
        self._inputs |= {name: as_value(value, name) for name, value in inputs.items()}
        self.field.setPlainText(program)
        self._later.stop()
        self._read()

    def _typed(self) -> None:
        self._background.cancel(OF_RUN)  # what is read now would take the place of the text
        self._later.start()

    def _read(self) -> None:
        """Read the expression, and show a field for each of its inputs; new ones are 1."""
        try:
            statements = parse(self.field.toPlainText())
        except BadInput as error:
            self._refuse(error)
            return
        defined: set[str] = set()
        names: list[str] = []
        for statement in statements:
            names += [name for name in names_in(statement.expression) if name not in defined]
            defined.add(statement.name)
        one: Array = as_value(1.0, "1")  # type: ignore[assignment]
        self._inputs = {name: self._inputs.get(name, one) for name in dict.fromkeys(names)}
        self.fields.show_values(self._inputs)
        self._compute()

    def _take_values(self) -> None:
        self._inputs = dict(self.fields.values)
        self._compute()

    def _compute(self) -> None:
        """Compute the graph, and walk it as far as before."""
        try:
            self._graph = Graph(self.field.toPlainText(), self._inputs)
        except BadInput as error:
            self._refuse(error)
            return
        self._offer_directions()
        self._start_walk()

    def _offer_directions(self) -> None:
        assert self._graph is not None
        found = []
        for node in self._graph.inputs:
            if isinstance(node.value, str | tuple):
                continue
            for entry in _entries(node.value):
                text = node.name + (f"[{', '.join(map(str, entry))}]" if entry else "")
                found.append((f"{node.name}|{','.join(map(str, entry))}", text))
        self.direction.set_choices(found[:200])

    def _start_walk(self) -> None:
        assert self._graph is not None
        mode = Mode(self.mode.value)
        direction = None
        if mode is Mode.FORWARD and self.direction.choices:
            name, _, entry = self.direction.value.partition("|")
            direction = name, tuple(int(each) for each in entry.split(",") if each)
        problem = ""
        try:
            if mode is Mode.FORWARD and direction is None:
                mode = Mode.VALUES
            walk = Walk(self._graph, mode, direction)
        except BadInput as error:
            problem = problem_line(error.problem)
            walk = Walk(self._graph, Mode.VALUES)
        self.walk = walk
        self._show_problem(problem)
        self.direction.setVisible(Mode(self.mode.value) is Mode.FORWARD)
        self.area.view.show_walk(walk)
        self.list.show_walk(walk)
        self._show_counts()
        self._refresh()

    def _refuse(self, error: BadInput) -> None:
        self.walk = self._graph = None
        self._show_problem(problem_line(error.problem))
        self.area.view.show_walk(None)
        self.list.show_walk(None)
        self._counts.setText("")
        self._refresh()

    def _show_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        refresh_style(self.field, "state", "bad" if text else "")

    def _show_counts(self) -> None:
        counts = self.walk.counts if self.walk is not None else None
        if counts is None:
            self._counts.setText("")
            return
        self._counts.setText(
            tr(
                "Operations: {value} for the value. Reverse mode: {reverse} with all {passes} derivatives. "
                "Forward mode: {forward} in {passes} passes.",
                value=number_text(counts.value), reverse=number_text(counts.reverse),
                forward=number_text(counts.forward), passes=number_text(counts.passes),
            )
        )  # fmt: skip

    def _take_mode(self, _: str) -> None:
        if self._graph is not None:
            self._start_walk()

    def _take_direction(self, _: str) -> None:
        if self._graph is not None:
            self._start_walk()

    # ---------------------------------------------------------------------------------------------------------- walk

    def _step(self) -> None:
        if self.walk is not None:
            self.walk.step()
            self._refresh()

    def _back(self) -> None:
        if self.walk is not None:
            self.walk.back()
            self._refresh()

    def _finish(self) -> None:
        if self.walk is not None:
            self.walk.finish()
            self._refresh()

    def _restart(self) -> None:
        if self.walk is not None:
            self.walk.restart()
            self._refresh()

    def _go_to(self, position: int) -> None:
        if self.walk is not None:
            self.walk.position = position
            self._refresh()

    def _refresh(self) -> None:
        walk = self.walk
        at, count = (0, 0) if walk is None else (walk.position, len(walk.stages))
        for button, is_possible in (
            (self.back, at > 0), (self.restart, at > 0), (self.step, at < count), (self.finish, at < count),
            (self.python, walk is not None),
        ):  # fmt: skip
            button.setEnabled(is_possible)
        self.area.view.refresh()
        self.list.refresh()

    def _copy_python(self) -> None:
        QGuiApplication.clipboard().setText(program_as_python(self.field.toPlainText(), self._inputs))


def _entries(value: Array) -> list[tuple[int, ...]]:
    import numpy as np

    return list(np.ndindex(value.shape))


def _fit_field(field: QPlainTextEdit) -> None:
    """Give the field the height of its lines, with borders and padding."""
    field.setFont(token_font())
    field.setFixedHeight(LINES * QFontMetrics(token_font()).lineSpacing() + 26)


def _step_of(folder: RunFolder, step: int, plugins: Plugins, job: Job) -> StepProgram:
    return Measurer(folder, step, plugins, cancelled=lambda: job.cancelled).step_graph()
