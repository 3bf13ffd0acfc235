"""The answers of a learner in one file: predictions and answers by lesson. It is bounded when it is read."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.files.reading import is_link, parse_json, read_bytes
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import make_folder, place_file, write_errors_as_problems, write_file
from lab.base.folders import home
from lab.lessons.lesson import DEPTHS
from lab.runs.bundle import plain_name
from lab.runs.bundle_file import student_name

KIND, FORMAT = "answers to lessons of lm-lab", 1
ENDING = ".answers"
"""The suffix of the files that learners hand in."""
LARGEST = 256 * 1024
"""Most bytes of a file of answers."""
LONGEST_ANSWER, MOST_LESSONS, MOST_ANSWERS = 4000, 200, 40
"""Most characters of an answer, most lessons of a file, and most answers of a lesson."""


@dataclass(frozen=True)
class LessonAnswers:
    """The answers to one lesson.

    Args:
        depth: The depth at which it was taken last.
        prediction: What was drawn, picked or typed; None before.
        seen: True once the result was shown; the prediction stays as it is from then on.
        answers: The answers to its questions, by their number from 1.
        digest: The version of the lesson.
        changed: When it was changed last, in seconds since 1970.
    """

    depth: str = "lesson"
    prediction: Any = None
    seen: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    changed: float = 0.0

    @property
    def is_started(self) -> bool:
        """True once something was predicted or answered."""
        return self.prediction is not None or bool(self.answers)


@dataclass(frozen=True)
class Answers:
    """The answers of a learner.

    Args:
        student: The name under which they are handed in.
        lessons: The answers by the name of the lesson.
    """

    student: str = ""
    lessons: Mapping[str, LessonAnswers] = field(default_factory=dict)

    def of(self, lesson: str) -> LessonAnswers:
        """Return the answers to a lesson, empty ones if there are none."""
        return self.lessons.get(lesson, LessonAnswers())

    def with_lesson(self, lesson: str, **changes: Any) -> Answers:
        """Return the answers with changes of those to one lesson."""
        changed = replace(self.of(lesson), **changes, changed=round(time.time(), 1))
        return replace(self, lessons={**self.lessons, lesson: changed})

    def without_lesson(self, lesson: str) -> Answers:
        """Return the answers without those to one lesson, which begins again."""
        return replace(self, lessons={name: one for name, one in self.lessons.items() if name != lesson})


def answers_file() -> Path:
    """Return the path of the answers on this machine."""
    return home() / "answers.json"


def own_answers() -> Answers:
    """Return the answers on this machine; empty ones if there are none.

    Raises:
        LabError: The file is damaged; it is not overwritten.
    """
    if not answers_file().exists():
        return Answers()
    return read_answers(answers_file())


def write_answers(answers: Answers, file: Path | None = None) -> None:
    """Write the answers on this machine, or to a file.

    Raises:
        LabError: They cannot be written.
    """
    path = file or answers_file()
    make_folder(path.parent)
    write_file(path, _content(answers))


def hand_in_answers(answers: Answers, student: str, folder: Path) -> Path:
    """Write the answers under a name into a folder; no file of anybody is overwritten.

    Returns:
        The path of the file.

    Raises:
        BadInput: The name is empty, or the folder cannot be written to.
        LabError: The file cannot be written.
    """
    name = student_name(student)
    if not name:
        raise BadInput("is empty", field="name", remedy="Enter the name under which the answers are handed in")
    path = make_folder(folder.expanduser().absolute()) / f"{plain_name(name)[:60].strip('. ')}{ENDING}"
    with temporary_path(path, recorded=True) as new, write_errors_as_problems(path):
        new.write_text(_content(replace(answers, student=name)), encoding="utf-8")
        return place_file(new, path)


def read_answers(file: Path) -> Answers:
    """Read a file of answers that anybody may have written; what is too long is refused, not shortened.

    Raises:
        BadInput: It is no file of answers, is too large, or is damaged.
    """
    try:
        if is_link(file):
            raise _refused(file, "it is a link to another file")
        content = read_bytes(file, LARGEST)
    except OSError as error:
        raise _refused(file, f"it cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise _refused(file, str(error)) from None
    try:
        stored = parse_json(content.decode())
    except ValueError as error:
        raise _refused(file, f"it is damaged: {error}") from None
    if not isinstance(stored, dict) or stored.get("kind") != KIND:
        raise _refused(file, "it is no file of answers")
    version = stored.get("format")
    if not isinstance(version, int) or version > FORMAT:
        raise _refused(file, "it was written by a newer lab")
    lessons = stored.get("lessons")
    if not isinstance(lessons, dict) or len(lessons) > MOST_LESSONS:
        raise _refused(file, "it is damaged: it has no list of lessons, or too many of them")
    found = {str(name)[:60]: _lesson(one, file) for name, one in lessons.items()}
    return Answers(student_name(stored.get("student")), found)


def _lesson(stored: Any, file: Path) -> LessonAnswers:
    if not isinstance(stored, dict):
        raise _refused(file, "it is damaged: a lesson in it is no table")
    answers = stored.get("answers", {})
    if not isinstance(answers, dict) or len(answers) > MOST_ANSWERS:
        raise _refused(file, "it is damaged: a lesson has too many answers, or none that are a table")
    if any(not isinstance(text, str) or len(text) > LONGEST_ANSWER for text in answers.values()):
        raise _refused(file, f"an answer is no text, or is longer than {LONGEST_ANSWER:,} characters")
    prediction = stored.get("prediction")
    if not isinstance(prediction, int | float | str | dict | None):
        prediction = None
    changed, depth = stored.get("changed"), stored.get("depth")
    return LessonAnswers(
        depth=depth if depth in DEPTHS else "lesson",
        prediction=prediction,
        seen=stored.get("seen") is True,
        answers={str(number)[:8]: text for number, text in answers.items()},
        digest=str(stored.get("digest", ""))[:64],
        changed=float(changed) if isinstance(changed, int | float) and not isinstance(changed, bool) else 0.0,
    )


def _content(answers: Answers) -> str:
    lessons = {
        name: {
            "depth": one.depth,
            "prediction": dict(one.prediction) if isinstance(one.prediction, Mapping) else one.prediction,
            "seen": one.seen,
            "answers": {number: text[:LONGEST_ANSWER] for number, text in one.answers.items()},
            "digest": one.digest,
            "changed": one.changed,
        }
        for name, one in answers.lessons.items()
    }
    content = {"kind": KIND, "format": FORMAT, "student": answers.student, "lessons": lessons}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _refused(file: Path, what: str) -> BadInput:
    remedy = "Let it be handed in again"
    return BadInput(what, field="answers", value=file.name, remedy=remedy)
