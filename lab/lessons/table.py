"""The answers of a class as a table: who predicted what, how predictions spread, open answers side by side."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.base import BadInput, LabError, Problem
from lab.lessons.answers import ENDING, Answers, LessonAnswers, read_answers
from lab.lessons.comparisons import Values
from lab.lessons.lesson import Lesson
from lab.lessons.predictions import Predicted, Score, read_prediction, score, shown

MOST = 1000
"""Most files of a table."""


@dataclass(frozen=True)
class Row:
    """One file of a folder.

    Args:
        file: Its name.
        answers: The answers in it; None if it cannot be read.
        problem: Why it cannot be read.
    """

    file: str
    answers: Answers | None = None
    problem: Problem | None = None

    @property
    def student(self) -> str:
        """The name in the file, or else that of the file."""
        return (self.answers.student if self.answers else "") or self.file.removesuffix(ENDING)


@dataclass(frozen=True)
class Entry:
    """The answers of one learner to one lesson.

    Args:
        student: The name.
        given: The answers.
        predicted: The prediction; None if there is none that fits the lesson.
        score: What became of it; None without a prediction or without a result.
    """

    student: str
    given: LessonAnswers
    predicted: Predicted | None
    score: Score | None


def read_folder(folder: Path, cancelled: Callable[[], bool] = lambda: False) -> list[Row]:
    """Read the answers that were handed in to a folder, sorted by name; damaged files last.

    Args:
        folder: The folder.
        cancelled: Called for each file; returning True ends the work with what was read.

    Raises:
        BadInput: The folder cannot be read.
    """
    try:
        names = sorted(one.name for one in os.scandir(folder) if one.name.endswith(ENDING) and one.name[0] != ".")
    except OSError as error:
        remedy = "Choose the folder into which answers are handed in"
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="folder", value=str(folder), remedy=remedy) from None
    rows: list[Row] = []
    for name in names[:MOST]:
        if cancelled():
            break
        try:
            rows.append(Row(name, read_answers(folder / name)))
        except LabError as error:
            rows.append(Row(name, problem=error.problem))
    return sorted(rows, key=lambda row: (row.problem is not None, row.student.casefold(), row.file))


def entries(rows: Sequence[Row], lesson: Lesson, values: Values | None) -> list[Entry]:
    """Return the answers to a lesson of all who began it.

    Args:
        rows: The files.
        lesson: The lesson.
        values: What was measured, by which predictions are scored; None leaves them without a score.
    """
    found = []
    for row in rows:
        if row.answers is None or lesson.name not in row.answers.lessons:
            continue
        given = row.answers.of(lesson.name)
        predicted = read_prediction(lesson, given.prediction)
        scored = None if predicted is None or values is None else score(lesson, predicted, values)
        found.append(Entry(row.student, given, predicted, scored))
    return found


def table_csv(rows: Sequence[Row], lesson: Lesson, values: Values | None) -> str:
    """Return the table of a lesson as CSV. A text that a spreadsheet would compute begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [
        "student",
        "prediction",
        "measured",
        "right",
        *(f"answer {n}" for n in range(1, len(lesson.questions) + 1)),
    ]
    writer.writerow(heads)
    for entry in entries(rows, lesson, values):
        answer = None if entry.score is None else entry.score.answer
        right = "" if entry.score is None or entry.score.right is None else "yes" if entry.score.right else "no"
        texts = [entry.given.answers.get(str(number), "") for number in range(1, len(lesson.questions) + 1)]
        cells = [entry.student, shown(lesson, entry.predicted), shown(lesson, answer), right, *texts]
        writer.writerow(map(spreadsheet_text, cells))
    for row in rows:
        if row.problem is not None:
            writer.writerow(map(spreadsheet_text, [row.student, f"cannot be read: {row.problem.what}"]))
    return out.getvalue()


def spreadsheet_text(text: str) -> str:
    """Return a text that no spreadsheet computes."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
