"""Lessons as data: their format, the comparisons that decide their checks, results, answers, the table of a class."""

from lab.lessons.answers import Answers, LessonAnswers, own_answers
from lab.lessons.collection import Found, find_lesson, find_lessons
from lab.lessons.comparisons import Comparison, Values, parse_comparison
from lab.lessons.lesson import DEPTHS, TRACKS, Depth, Lesson
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome, Result

__all__ = [
    "DEPTHS",
    "TRACKS",
    "Answers",
    "Comparison",
    "Depth",
    "Found",
    "Lesson",
    "LessonAnswers",
    "Outcome",
    "Result",
    "Values",
    "answers",
    "collection",
    "comparisons",
    "find_lesson",
    "find_lessons",
    "glossary",
    "lesson",
    "lines",
    "markdown",
    "own_answers",
    "parse_comparison",
    "pictures",
    "predictions",
    "read_lesson",
    "reading",
    "results",
    "spoken",
    "table",
]
