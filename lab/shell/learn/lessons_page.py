"""The page Lessons: the list by track, and the selected lesson."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QInputDialog, QVBoxLayout, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.lessons.answers import hand_in_answers
from lab.lessons.collection import Found
from lab.lessons.lesson import TRACKS, Lesson
from lab.lessons.predictions import example_prediction
from lab.lessons.results import Outcome
from lab.shell.learn.demonstration import Demonstration, Scene, scenes
from lab.shell.learn.model import LearnModel
from lab.shell.learn.reader import LessonReader, MakeLinked
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import language, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import BETWEEN, px
from lab.widgets.lists.grouped_list import GroupedList, Row
from lab.workbench.lessons.training import LessonTraining, Progress, estimated_seconds

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.session import Session
    from lab.workbench import Runner

LIST = 330
"""Width of the list in pixels at a size of the type of 100 percent."""
WATCHED = 1000
"""Milliseconds between two looks at the files of lessons, for one who writes them."""
RUN, ESTIMATE, FIND, WATCH = "run a lesson", "estimate a lesson", "find lessons", "watch lessons"
"""The keys of the jobs."""


class LessonsPage(QWidget):
    """The list of lessons and the selected one.

    Args:
        session: The session.
        make_explorable: Makes the explorables that texts name, by key and marks; None leaves their titles.
        parent: Its parent.
    """

    view_requested = Signal(str)
    """The key of a place that is to be opened."""
    help_requested = Signal(str)
    """A page of the help is to be shown."""
    example_requested = Signal(str)
    """A worked example is to be shown."""
    _progressed = Signal(object)
    _started = Signal(object)

    def __init__(
        self, session: Session, make_explorable: MakeLinked | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._background = session, session.background
        self.model = LearnModel()
        self._work: LessonTraining | None = None
        self._demonstrate_first = ""  # the lesson to demonstrate once the lessons are read
        self._keys: dict[str, list[str]] = {}  # keys of the runs of each lesson that ran here, in order
        self.list = GroupedList(tr("Lessons"), tr("Up and down select a lesson"))
        self.list.selection_changed.connect(self.select)
        self.hand_in = Button(tr("Hand in…"), hint=tr("Write all predictions and answers into a folder"), role="")
        self.hand_in.clicked.connect(self._hand_in)
        self.reader = LessonReader(self.model, session.background, make_explorable)
        self.reader.changed.connect(self._show_list)
        self.reader.view_requested.connect(self._open_view)
        self.reader.help_requested.connect(self.help_requested)
        self.reader.example_requested.connect(self.example_requested)
        row = self.reader.run_row
        row.start_clicked.connect(self.run)
        row.pause_clicked.connect(self._pause)
        row.cancel_clicked.connect(self.cancel)
        row.show_problem(None)
        self._progressed.connect(self._show_progress)
        self._started.connect(self._adopt)
        self.demonstration = Demonstration()
        self.demonstration.scene_changed.connect(self._begin_scene)
        self.demonstration.moved.connect(self.reader.show_scene)
        self.demonstration.ended.connect(self._end_demonstration)
        self.demonstration.pause.toggled.connect(self._pause_demonstrated)
        self.reader.demonstration_requested.connect(self.demonstrate)
        self.reader.restarting.connect(self.demonstration.stop)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.reader, 1)
        rows.addWidget(self.demonstration)
        self.card = Card(tr("Lesson"))
        self.card.set_content(content)
        self.cards = [self._make_list(), self.card]
        columns = QHBoxLayout(self)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(BETWEEN)
        columns.addWidget(self.cards[0])
        columns.addWidget(self.card, 1)
        self._watching = QTimer(self, interval=WATCHED)
        self._watching.timeout.connect(self._watch)
        self.card.show_empty(tr("The lessons are being read."), "", None)

    def _make_list(self) -> Card:
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.hand_in)
        buttons.addStretch(1)
        rows.addLayout(buttons)
        card = Card(tr("Lessons"))
        card.set_content(content)
        follow_type(card, lambda card: card.setFixedWidth(px(LIST)))
        return card

    # ------------------------------------------------------------------------------------------------------- the list

    def showEvent(self, event: QShowEvent) -> None:
        """Read the lessons when the page is shown first, and follow their files."""
        super().showEvent(event)
        if not self.model.found:
            self.read_lessons()
        self._watching.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Store the answers, and leave the files alone."""
        super().hideEvent(event)
        self._watching.stop()
        self.reader.questions.store()

    def read_lessons(self) -> None:
        """Read all lessons in a thread."""
        work = partial(_find, self.model, self._session, language.code)
        self._background.run(tr("Reading the lessons"), work, self._take, replaces=FIND)

    def _take(self, found: list[Found]) -> None:
        self.model.take(found)
        self._show_list()
        self._show_selected()
        if self.model.problem is not None:
            notify("warning", self.model.problem)
        first, self._demonstrate_first = self._demonstrate_first, ""
        if first:
            self.demonstrate(first)

    def _show_list(self) -> None:
        rows: list[Row] = []
        track = None
        for one in self.model.found:
            lesson = one.lesson
            group = tr("Not usable") if lesson is None else track_title(lesson)
            if group != track:
                rows.append(Row("", group))
                track = group
            if lesson is None:
                rows.append(Row(one.name, one.name, tr("cannot be used"), problem_line(_problem(one)), is_bad=True))
                continue
            done = {"": "", "predicted": tr("predicted"), "seen": tr("result seen"), "done": tr("done")}
            state = self.model.state_of(lesson)
            note = done[state] or tr("{n} min", n=lesson.minutes)
            mark = done["done"] if state == "done" else ""
            rows.append(Row(one.name, lesson.title, note, lesson.summary, mark))
        self.list.set_rows(rows)
        selected = self.model.selected
        self.list.show_selected("" if selected is None else selected.name)
        self.hand_in.setEnabled(
            not self.model.is_demonstrating and any(given.is_started for given in self.model.answers.lessons.values())
        )

    def select(self, name: str) -> None:
        """Select a lesson."""
        self.demonstration.stop()
        self.reader.questions.store()
        self.model.select(name)
        self.list.show_selected(name)
        self._show_selected()

    def _show_selected(self) -> None:
        selected = self.model.selected
        self.reader.estimate = None
        if selected is None:
            self.card.set_title(tr("Lesson"))
            self.card.show_empty(tr("There are no lessons."), "", None)
            return
        if selected.lesson is None:
            self.card.set_title(selected.name)
            self.card.show_broken(_problem(selected))
            return
        self.card.set_title(selected.lesson.title, track_title(selected.lesson))
        self.reader.run_row.show_problem(None)
        self.reader.show_lesson()
        self.card.show_content()
        if self._work is not None and self._work.lesson.name == selected.name:
            self.reader.run_row.progress.show()
        if self._session.warm_up.ready:
            work = partial(_estimate, selected.lesson, self._session)
            self._background.run(tr("Estimating the lesson"), work, self._take_estimate, _ignore, replaces=ESTIMATE)

    def _take_estimate(self, found: tuple[str, float | None]) -> None:
        selected = self.model.selected
        if selected is not None and selected.name == found[0]:
            self.reader.estimate = found[1]
            if self._work is None:
                self.reader.show_run()

    def _watch(self) -> None:
        """Look for changed files in a thread."""
        if self.model.found:
            work = partial(_changed, self.model, language.code)
            self._background.run(tr("Reading the lessons"), work, self._take_changed, _ignore, replaces=WATCH)

    def _take_changed(self, again: list[Found]) -> None:
        if not again:
            return
        self.model.replace(again)
        self._show_list()
        selected = self.model.selected
        if selected is not None and selected.folder in [one.folder for one in again]:
            if selected.lesson is not None:
                self.reader.reload()
            self._show_selected()

    # -------------------------------------------------------------------------------------------------------- running

    def run(self) -> None:
        """Train the runs of the selected lesson, and measure."""
        lesson = self.model.lesson
        if lesson is None or self._work is not None or not self._session.warm_up.ready:
            return
        self._keys[lesson.name] = []
        work = self._work = LessonTraining(lesson, self._session.workbench, started=self._started.emit)
        self.reader.run_row.show_problem(None)
        self._show_progress(Progress(tr("preparing"), 0, lesson.training_count, 0.0, None))
        done, failed = partial(self._take_outcome, lesson), partial(self._fail, lesson)
        title = tr("Running the lesson {title}", title=lesson.title)
        self._background.run(title, partial(_train, work, self._progressed.emit), done, failed, replaces=RUN)

    def cancel(self) -> None:
        """Stop the lesson that runs."""
        work, self._work = self._work, None
        if work is not None:
            work.stop()
            self._background.cancel(RUN)
            self.reader.show_run()

    def _pause(self) -> None:
        if self._work is None:
            return
        if self._work.is_paused:
            self._work.resume()
        else:
            self._work.pause()

    def _show_progress(self, at: Progress) -> None:
        selected = self.model.selected
        if self._work is not None and selected is not None and selected.name == self._work.lesson.name:
            self.reader.run_row.show_progress(at, is_paused=self._work.is_paused)

    def _adopt(self, run: Runner) -> None:
        """Show a run of the lesson in the list of runs."""
        if self._work is not None:
            made = self._session.registry.adopt(run, select=False)
            self._keys[self._work.lesson.name].append(made.key)

    def _take_outcome(self, lesson: Lesson, outcome: Outcome) -> None:
        self._work = None
        self.model.take_outcome(lesson, outcome)
        if self.model.lesson is not None and self.model.lesson.name == lesson.name:
            self.reader.show_result()
        self._show_list()
        scene = self.demonstration.scene
        if scene is not None and scene.kind == "run":
            self.demonstration.go_on()

    def _fail(self, lesson: Lesson, problem: Problem) -> None:
        self._work = None
        self.demonstration.stop()
        if self.model.lesson is not None and self.model.lesson.name == lesson.name:
            self.reader.show_run()
            self.reader.run_row.show_problem(problem)

    def _open_view(self) -> None:
        """Show the runs of the lesson in the place that it names."""
        lesson = self.model.lesson
        if lesson is None or lesson.view is None:
            return
        order = [(run.name, key) for run in lesson.runs for key in run.keys]
        keys = self._keys.get(lesson.name, [])
        wanted = lesson.view.runs or tuple(run.name for run in lesson.runs)
        shown = [key for (name, _), key in zip(order, keys, strict=False) if name in wanted]
        shown = [key for key in shown if self._session.registry.by_key(key) is not None]
        if shown:
            self._session.registry.show_only(shown)
            self._session.registry.show(shown, True)
            self._session.registry.select(shown[0])
        self.view_requested.emit(lesson.view.place)

    # -------------------------------------------------------------------------------------------------- demonstrating

    def demonstrate(self, name: str = "") -> None:
        """Play a lesson by itself; the learner's own prediction and answers stay as they are.

        Args:
            name: The name of the lesson; "" for the selected one.
        """
        if not self.model.found:  # they are being read
            self._demonstrate_first = name
            return
        if name:
            self.select(name)
        lesson, depth = self.model.lesson, self.model.depth
        if lesson is None or self._work is not None:
            return
        self.reader.questions.store()
        self.model.demonstrate(True)
        self.model.take_at(depth)
        self.reader.reload()
        self._show_list()
        self.demonstration.start(scenes(lesson, depth))

    def _begin_scene(self, scene: Scene) -> None:
        lesson = self.model.lesson
        if lesson is None:
            return
        result = self.model.result
        if scene.kind == "predict":
            self.model.predict(example_prediction(lesson, None if result is None or result.first is None
                                                  else result.first.values))  # fmt: skip
            self.reader.show_lesson()
        if scene.kind == "run":
            if result is not None:
                self.reader.show_result()
                self.demonstration.go_on()
                return
            self.run()
            if self._work is None:
                self.demonstration.stop()
                notify("info", tr("The lab is still loading; start it again in a moment."))
                return
        if scene.kind == "question":
            self.reader.questions.reveal(scene.number)
        QTimer.singleShot(0, self.reader, partial(self.reader.show_scene, scene, 0.0))

    def _pause_demonstrated(self, paused: bool) -> None:
        """Pause or resume the trainings of the demonstration, too."""
        if self._work is not None and self._work.is_paused != paused:
            self._pause()

    def _end_demonstration(self) -> None:
        self.cancel()
        self.reader.questions.store()  # what was typed meanwhile belongs to the demonstration
        self.model.demonstrate(False)
        self.reader.reload()
        self._show_list()

    # ------------------------------------------------------------------------------------------------------ handing in

    def _hand_in(self) -> None:
        self.reader.questions.store()
        title, question = tr("Hand in"), tr("Your name")
        name, accepted = QInputDialog.getText(self, title, question, text=self.model.answers.student)
        if not accepted:
            return
        folder = QFileDialog.getExistingDirectory(self, tr("Select the folder of the class"), str(last_folder()))
        if folder:
            remember_folder(Path(folder))
            self.hand_in_to(name, Path(folder))

    def hand_in_to(self, name: str, folder: Path) -> None:
        """Hand the answers in under a name, into a folder."""
        self.model.name_student(name)
        try:
            path = hand_in_answers(self.model.answers, name, folder)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("Handed in as {file}", file=path.name))

    def close_down(self) -> None:
        """Stop what runs, and store the answers, as the window closes or is replaced."""
        self._watching.stop()
        self.demonstration.stop()
        self.reader.questions.store()
        self.cancel()


def track_title(lesson: Lesson) -> str:
    """Return the title of the track of a lesson."""
    return tr_registered(TRACKS[lesson.track]) if lesson.track in TRACKS else lesson.track


def _problem(found: Found) -> Problem:
    """Return why a lesson cannot be used."""
    assert found.problem is not None
    return found.problem


def _find(model: LearnModel, session: Session, code: str, job: Job) -> list[Found]:
    del job
    return model.find(session.plugins.cards("lessons"), code)


def _changed(model: LearnModel, code: str, job: Job) -> list[Found]:
    del job
    return model.read_again(model.changed_lessons(), code)


def _estimate(lesson: Lesson, session: Session, job: Job) -> tuple[str, float | None]:
    del job
    return lesson.name, estimated_seconds(lesson, session.workbench)


def _train(work: LessonTraining, progress: object, job: Job) -> Outcome:
    job.when_cancelled(work.stop)
    return work.run(progress)  # type: ignore[arg-type]


def _ignore(_: Problem) -> None:
    """Show no estimate."""
