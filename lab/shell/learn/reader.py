"""A lesson as a page: text, prediction, run, result, questions, and what lies further."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lab.lessons.lesson import DEPTHS
from lab.shell.learn.demonstration import Scene
from lab.shell.learn.model import LearnModel
from lab.shell.learn.prediction_box import PredictionBox
from lab.shell.learn.questions import Questions
from lab.shell.learn.result_view import ResultView
from lab.shell.learn.run_row import RunRow
from lab.shell.learn.text import LessonText
from lab.shell.runtime.background import Background
from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import enumerated, tr
from lab.widgets.core.theme import px
from lab.widgets.formulas.marks import SymbolMarks

if TYPE_CHECKING:
    from lab.lessons.lesson import Depth, Lesson

WIDEST = 760
"""Most pixels of a line of text."""
MakeLinked = Callable[[str, SymbolMarks], QWidget | None]
"""The type of what makes an explorable by its key, linked to the symbols of a page; None if there is none."""


class LessonReader(QWidget):
    """The page of the selected lesson.

    Args:
        model: The state of Learn.
        background: Typesets formulas.
        make_explorable: Makes the explorables that texts name, by key and marks; None leaves their titles.

    Attributes:
        prediction: The prediction.
        run_row: The row that runs the lesson.
        result: What was measured.
        questions: The questions.
        marks: The symbol that is pointed at.
    """

    changed = Signal()
    """A prediction, an answer or the depth changed."""
    view_requested = Signal()
    """The place of the window that the lesson names is to be opened."""
    help_requested = Signal(str)
    """A page of the help is to be shown."""
    example_requested = Signal(str)
    """A worked example is to be shown."""
    demonstration_requested = Signal()
    """The lesson is to be played by itself."""
    restarting = Signal()
    """Another depth is about to be taken, or the lesson to begin again; a demonstration ends."""

    def __init__(
        self,
        model: LearnModel,
        background: Background,
        make_explorable: MakeLinked | None = None,
    ) -> None:
        super().__init__()
        self.marks = SymbolMarks(self)
        make = None if make_explorable is None else partial(_made, make_explorable, self.marks)
        self._model = model
        self._shown: tuple[str, str] = ("", "")
        self.estimate: float | None = None
        self._summary = label("")
        self._about = label("", "note")
        for text in (self._summary, self._about):
            text.setWordWrap(True)
        depths = [("look", tr("ten minutes")), ("lesson", tr("the lesson")), ("further", tr("going further"))]
        self.depth_menu = MenuButton(tr("Depth"), depths, self._take_depth, prefix=tr("depth "))
        self.reset = Button(tr("Begin again"), hint=tr("Forget the prediction and the answers of this lesson"))
        self.reset.clicked.connect(self._reset)
        self._texts = {one: LessonText(background, title, self.marks, make) for one, title in (
            ("look", tr("Introduction")), ("lesson", tr("Text of the lesson")),
            ("further", tr("Going further")), ("teacher", tr("For the teacher")),
        )}  # fmt: skip
        for shown in self._texts.values():
            shown.help_requested.connect(self.help_requested)
            shown.example_requested.connect(self.example_requested)
        self.prediction = PredictionBox()
        self.prediction.predicted.connect(self._predict)
        self.run_row = RunRow()
        self.run_row.result_clicked.connect(self.show_result)
        self.result = ResultView()
        self.view = Button("", role="")
        self.view.clicked.connect(self.view_requested)
        self._look = label("", "dim")
        self._look.setWordWrap(True)
        self.questions = Questions()
        self.questions.answered.connect(self._answer)
        self.teacher = Button(tr("For the teacher"), role="quiet")
        self.teacher.setCheckable(True)
        self.teacher.toggled.connect(self._show_teacher)
        self.play = Button(tr("Demonstrate"), hint=tr("Play the lesson by itself, with a prediction as an example"))
        self.play.clicked.connect(self.demonstration_requested)
        self._mistake = label("", "dim")
        self._mistake.setWordWrap(True)
        self._headings = {
            "predict": label(tr("Predict"), "title"), "run": label(tr("Run the lesson"), "title"),
            "explain": label(tr("Explain"), "title"), "questions": label(tr("Questions"), "title"),
            "further": label(tr("Going further"), "title"),
        }  # fmt: skip
        self.scroll_area = VerticalScroll(self._laid_out())
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.scroll_area)

    def _laid_out(self) -> QWidget:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._about, 1)
        head.addWidget(self.depth_menu)
        head.addWidget(self.reset)
        view = QHBoxLayout()
        view.setSpacing(10)
        view.addWidget(self.view)
        view.addWidget(self._look, 1)
        teacher = QHBoxLayout()
        teacher.addWidget(self.teacher)
        teacher.addWidget(self.play)
        teacher.addStretch(1)
        column = QWidget()
        follow_type(column, lambda column: column.setMaximumWidth(px(WIDEST)))
        column.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, 0, 12, 24)
        rows.setSpacing(12)
        rows.addWidget(self._summary)
        rows.addLayout(head)
        rows.addWidget(self._texts["look"])
        rows.addWidget(self._headings["predict"])
        rows.addWidget(self.prediction)
        rows.addWidget(self._headings["run"])
        rows.addWidget(self.run_row)
        rows.addWidget(self.result)
        rows.addLayout(view)
        rows.addWidget(self._headings["explain"])
        rows.addWidget(self._texts["lesson"])
        rows.addWidget(self._headings["questions"])
        rows.addWidget(self.questions)
        rows.addWidget(self._headings["further"])
        rows.addWidget(self._texts["further"])
        rows.addLayout(teacher)
        rows.addWidget(self._mistake)
        rows.addWidget(self._texts["teacher"])
        rows.addStretch(1)
        content = QWidget()
        outer = QHBoxLayout(content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(column, 100)
        outer.addStretch(1)
        return content

    # --------------------------------------------------------------------------------------------------------- showing

    def show_lesson(self) -> None:
        """Show the selected lesson as it is now."""
        lesson, model = self._model.lesson, self._model
        if lesson is None:
            return
        depth, result, score = model.depth, model.result, model.score
        is_new = self._shown != (lesson.name, depth)
        self._shown = (lesson.name, depth)
        self._summary.setText(lesson.summary)
        self._about.setText(_about(lesson))
        self.depth_menu.show_value(depth)
        self.reset.setEnabled(model.given.is_started)
        for name, text in self._texts.items():
            text.show_text(lesson.texts.get(name, ""), lesson.folder)
        outcome = None if score is None or result is None else result.first
        self.prediction.show_lesson(lesson, model.prediction, score, outcome)
        self.result.setVisible(outcome is not None)
        if outcome is not None:
            self.result.show_outcome(lesson, outcome)
        self._show_by_depth(lesson, depth, is_seen=outcome is not None)
        if is_new or lesson.questions:
            self._show_questions(lesson, depth, is_new=is_new)
        self.show_run()
        if is_new:
            self.teacher.setChecked(False)
            self._show_teacher(False)
            self.scroll_area.verticalScrollBar().setValue(0)

    def show_run(self) -> None:
        """Show what can be run, after a run or an estimate."""
        lesson, model = self._model.lesson, self._model
        if lesson is not None:
            self.run_row.show_ready(
                trainings=lesson.training_count,
                seconds=self.estimate,
                is_predicted=model.prediction is not None,
                result=model.result,
                is_seen=model.given.seen,
            )

    def _show_by_depth(self, lesson: Lesson, depth: Depth, *, is_seen: bool) -> None:
        """Show what belongs to a depth; what explains the result comes after it."""
        explained = is_seen and depth != "look"
        for name in ("explain", "questions"):
            self._headings[name].setVisible(explained)
        self._texts["lesson"].setVisible(explained)
        self.questions.setVisible(explained and bool(lesson.questions))
        self._headings["questions"].setVisible(explained and bool(lesson.questions))
        is_further = is_seen and depth == "further" and bool(lesson.texts.get("further"))
        self._headings["further"].setVisible(is_further)
        self._texts["further"].setVisible(is_further)
        view = lesson.view
        is_there = is_seen and view is not None
        self.view.setVisible(is_there)
        self._look.setVisible(is_there)
        if view is not None:
            titles = {"data": tr("Data"), "train": tr("Train"), "inspect": tr("Inspect"), "play": tr("Play"),
                      "compare": tr("Compare")}  # fmt: skip
            self.view.setText(tr("Open {place}", place=titles[view.place]))
            self._look.setText(view.look)

    def _show_questions(self, lesson: Lesson, depth: Depth, *, is_new: bool) -> None:
        if is_new or not self.questions.fields:
            self.questions.show_lesson(lesson, depth, self._model.given)

    def _show_teacher(self, shown: bool) -> None:
        lesson = self._model.lesson
        self._texts["teacher"].setVisible(shown)
        self._mistake.setVisible(shown)
        if lesson is not None:
            self._mistake.setText(tr("The mistake it meets: {mistake}", mistake=lesson.mistake))

    def show_scene(self, scene: Scene, share: float) -> None:
        """Scroll to what a scene of a demonstration shows, and through it as far as a share of it has passed."""
        heading, shown = self._parts_of(scene)
        content = self.scroll_area.widget()
        assert content is not None
        top = heading.mapTo(content, QPoint(0, 0)).y()
        bottom = shown.mapTo(content, QPoint(0, shown.height())).y()
        hidden = max(0, bottom - top - self.scroll_area.viewport().height())
        self.scroll_area.verticalScrollBar().setValue(top - 8 + round(share * hidden))

    def _parts_of(self, scene: Scene) -> tuple[QWidget, QWidget]:
        """Return the first and the last widget of a scene."""
        if scene.kind == "question" and scene.number in self.questions.fields:
            return self.questions.fields[scene.number], self.questions.answers[scene.number]
        parts: dict[str, tuple[QWidget, QWidget]] = {
            "look": (self._summary, self._texts["look"]), "predict": (self._headings["predict"], self.prediction),
            "run": (self._headings["run"], self.run_row), "result": (self._headings["predict"], self.result),
            "explain": (self._headings["explain"], self._texts["lesson"]),
            "further": (self._headings["further"], self._texts["further"]),
        }  # fmt: skip
        return parts.get(scene.kind, (self._headings["questions"], self.questions))

    def reload(self) -> None:
        """Show the selected lesson again, since its files changed."""
        self._shown = ("", "")
        self.prediction.forget()
        self.show_lesson()

    # --------------------------------------------------------------------------------------------------------- changes

    def show_result(self) -> None:
        """Show the result that is there, which fixes the prediction."""
        self._model.show_result()
        self.show_lesson()
        self.changed.emit()

    def _predict(self, predicted: object) -> None:
        self._model.predict(predicted)  # type: ignore[arg-type]
        self.show_lesson()
        self.changed.emit()

    def _answer(self, number: int, text: str) -> None:
        self._model.answer(number, text)
        self.changed.emit()

    def _take_depth(self, value: str) -> None:
        depth = next((one for one in DEPTHS if one == value), None)
        if depth is not None and depth != self._model.depth:
            self.restarting.emit()
            self.questions.store()
            self._model.take_at(depth)
            self.show_lesson()
            self.changed.emit()

    def _reset(self) -> None:
        if self._model.is_demonstrating:  # the learner's own prediction and answers stay
            self.restarting.emit()
            return
        self.questions.store()
        self._model.reset()
        self.reload()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll with the keys of pages."""
        bar = self.scroll_area.verticalScrollBar()
        steps = {Qt.Key.Key_PageDown.value: bar.pageStep(), Qt.Key.Key_PageUp.value: -bar.pageStep()}
        if event.key() in steps:
            bar.setValue(bar.value() + steps[event.key()])
        else:
            super().keyPressEvent(event)


def _made(make: MakeLinked, marks: SymbolMarks, key: str) -> QWidget | None:
    return make(key, marks)


def _about(lesson: Lesson) -> str:
    """Return minutes, lectures and worked examples of a lesson in a line."""
    parts = [tr("{n} minutes", n=lesson.minutes)]
    if lesson.lectures:
        parts.append(tr("lectures {sections}", sections=enumerated(lesson.lectures)))
    if lesson.examples:
        parts.append(tr("worked examples {names}", names=enumerated(lesson.examples)))
    return " · ".join(parts)
