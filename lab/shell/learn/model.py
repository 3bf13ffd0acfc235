"""The state of Learn without widgets: lessons, the selected one, its answers and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.base import LabError, Problem
from lab.lessons.answers import Answers, LessonAnswers, own_answers, write_answers
from lab.lessons.collection import Found, find_lessons, read_found
from lab.lessons.lesson import DEPTHS, Depth, Lesson
from lab.lessons.predictions import Predicted, Score, read_prediction, score
from lab.lessons.results import Outcome, Result, read_cached, read_recorded


class LearnModel:
    """The lessons, and what the learner did with them.

    Attributes:
        found: All lessons in order; () before `take`.
        problem: Why the answers cannot be stored; None while they can.
    """

    def __init__(self) -> None:
        self.found: Sequence[Found] = ()
        self.problem: Problem | None = None
        self._selected = ""
        self._answers: Answers | None = None
        self._demonstrated: Answers | None = None  # those of a demonstration, which are stored nowhere
        self._results: dict[str, Result] = {}
        self._stamps: dict[str, float] = {}

    def find(self, cards: Mapping[str, Any], language: str) -> list[Found]:
        """Return all lessons; any thread may call it."""
        return find_lessons(cards, language)

    def take(self, found: Sequence[Found]) -> None:
        """Take the lessons that were found; the selected one stays selected if it is still there."""
        self.found = found
        self._results = {}
        self._stamps = {one.name: changed_at(one.folder) for one in found}
        usable = [one.name for one in found if one.lesson is not None]
        if self._selected not in [one.name for one in found]:
            self._selected = usable[0] if usable else ""

    @property
    def answers(self) -> Answers:
        """The answers of the learner; empty ones if the file is damaged, which is then left as it is.

        While a lesson is demonstrated, they are those of the demonstration.
        """
        if self._demonstrated is not None:
            return self._demonstrated
        if self._answers is None:
            try:
                self._answers = own_answers()
            except LabError as error:
                self.problem = error.problem
                self._answers = Answers()
        return self._answers

    @property
    def selected(self) -> Found | None:
        """The selected lesson; None if there is none."""
        return next((one for one in self.found if one.name == self._selected), None)

    @property
    def lesson(self) -> Lesson | None:
        """The selected lesson, if it can be used."""
        return None if self.selected is None else self.selected.lesson

    @property
    def given(self) -> LessonAnswers:
        """The answers to the selected lesson."""
        return self.answers.of(self._selected)

    @property
    def depth(self) -> Depth:
        """The depth at which the selected lesson is taken."""
        return next((depth for depth in DEPTHS if depth == self.given.depth), "lesson")

    @property
    def prediction(self) -> Predicted | None:
        """The prediction for the selected lesson; None before it was made."""
        lesson = self.lesson
        return None if lesson is None else read_prediction(lesson, self.given.prediction)

    @property
    def result(self) -> Result | None:
        """The result of the selected lesson: of this machine, or else recorded; None if there is none."""
        lesson = self.lesson
        if lesson is None:
            return None
        if lesson.name not in self._results:
            here = read_cached(lesson)
            self._results[lesson.name] = here if here.outcomes else read_recorded(lesson)
        found = self._results[lesson.name]
        return found if found.outcomes else None

    @property
    def score(self) -> Score | None:
        """What became of the prediction; None while there is no result that was seen."""
        lesson, predicted, result = self.lesson, self.prediction, self.result
        if lesson is None or predicted is None or result is None or result.first is None or not self.given.seen:
            return None
        return score(lesson, predicted, result.first.values)

    def select(self, name: str) -> None:
        """Select a lesson."""
        self._selected = name

    def predict(self, predicted: Predicted) -> None:
        """Keep a prediction; once the result was seen it stays as it is."""
        if self.lesson is not None and not self.given.seen:
            self._change(prediction=predicted, digest=self.lesson.digest)

    def show_result(self) -> None:
        """Note that the result was seen."""
        if self.prediction is not None:
            self._change(seen=True)

    def answer(self, number: int, text: str) -> None:
        """Keep the answer to a question, from 1."""
        answers = {**self.given.answers, str(number): text}
        self._change(answers={key: one for key, one in answers.items() if one.strip()})

    def take_at(self, depth: Depth) -> None:
        """Take the selected lesson at a depth."""
        self._change(depth=depth)

    def reset(self) -> None:
        """Forget the prediction and the answers of the selected lesson."""
        self._write(self.answers.without_lesson(self._selected))

    @property
    def is_demonstrating(self) -> bool:
        """True while a lesson is demonstrated."""
        return self._demonstrated is not None

    def demonstrate(self, started: bool) -> None:
        """Put answers that are not stored in the place of the learner's, or put those back."""
        self._demonstrated = Answers() if started else None

    def take_outcome(self, lesson: Lesson, outcome: Outcome) -> None:
        """Take what was measured on this machine."""
        self._results[lesson.name] = Result({1: outcome})

    def state_of(self, lesson: Lesson) -> str:
        """Return how far a lesson was taken: "", "predicted", "seen" or "done"."""
        given = self.answers.of(lesson.name)
        if not given.is_started:
            return ""
        done = given.seen and (bool(given.answers) or not lesson.questions)
        return "done" if done else "seen" if given.seen else "predicted"

    def name_student(self, student: str) -> None:
        """Keep the name under which answers are handed in."""
        if student != self.answers.student:
            self._write(replace(self.answers, student=student))

    def changed_lessons(self) -> list[Found]:
        """Return the lessons whose files changed since they were read; any thread may call it."""
        stamps = dict(self._stamps)
        return [one for one in self.found if changed_at(one.folder) != stamps.get(one.name)]

    def read_again(self, changed: Sequence[Found], language: str) -> list[Found]:
        """Return the lessons of changed files, read again; any thread may call it."""
        return [read_found(one.folder, one.origin, language) for one in changed]

    def replace(self, again: Sequence[Found]) -> None:
        """Take lessons that were read again."""
        by_folder = {one.folder: one for one in again}
        self.found = [by_folder.get(one.folder, one) for one in self.found]
        for one in again:
            self._stamps[one.name] = changed_at(one.folder)
            self._results.pop(one.name, None)

    def _change(self, **changes: Any) -> None:
        self._write(self.answers.with_lesson(self._selected, **changes))

    def _write(self, answers: Answers) -> None:
        if self._demonstrated is not None:
            self._demonstrated = answers
            return
        self._answers = answers
        if self.problem is not None and self.problem.field == "answers":  # a damaged file, which is not overwritten
            return
        try:
            write_answers(answers)
        except LabError as error:
            self.problem = error.problem


def changed_at(folder: Path) -> float:
    """Return when a file of a lesson changed last; 0 if the folder cannot be read."""
    try:
        files = [
            *folder.iterdir(),
            *(file for inside in folder.iterdir() if inside.is_dir() for file in inside.iterdir()),
        ]
        return max((file.stat().st_mtime for file in files), default=0.0)
    except OSError:
        return 0.0
