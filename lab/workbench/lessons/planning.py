"""The plan of a term: lessons by the sections of the lectures, in sessions, and what each needs of the machine."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lab.base import LabError, Problem
from lab.lessons.lesson import Lesson
from lab.lessons.reading import recipe_of
from lab.lessons.results import read_cached, read_recorded
from lab.lessons.table import spreadsheet_text
from lab.workbench.workbench import Workbench

SESSION = 90
"""Minutes of a session, unless they are given."""


@dataclass(frozen=True)
class Need:
    """What a lesson needs of this machine.

    Args:
        trainings: The number of its trainings.
        seconds: Their time at the speed of this machine, without models that count, which take seconds; None before
            the speed is known.
        memory_bytes: The memory of the largest one; None if only models that count are trained.
        has_result: Whether a result is there already, recorded or of this machine, so that nobody has to wait.
        problem: Why it cannot be trained here; None if it can.
    """

    trainings: int
    seconds: float | None = None
    memory_bytes: int | None = None
    has_result: bool = False
    problem: Problem | None = None


@dataclass(frozen=True)
class Planned:
    """A lesson in a plan.

    Args:
        lesson: The lesson.
        need: What it needs of this machine.
        session: The number of its session, from 1.
    """

    lesson: Lesson
    need: Need
    session: int


def need_of(lesson: Lesson, bench: Workbench) -> Need:
    """Return what a lesson needs of this machine; no model is trained for it."""
    seconds: list[float | None] = []
    memory = []
    has_result = bool(read_cached(lesson).outcomes or read_recorded(lesson).outcomes)
    for run in lesson.runs:
        for key in run.keys:
            try:
                figures = bench.preflight(recipe_of(lesson, run.name, key))
            except LabError as error:
                return Need(lesson.training_count, has_result=has_result, problem=error.problem)
            if figures.flops_per_token is not None:
                seconds.append(figures.seconds)
            if figures.memory_bytes is not None:
                memory.append(figures.memory_bytes)
    known = [one for one in seconds if one is not None]
    total = sum(known) if len(known) == len(seconds) else None
    return Need(lesson.training_count, total, max(memory, default=None), has_result)


def by_section(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons in the order of the first section of the lectures that they belong to; those without one last."""
    return sorted(lessons, key=lambda one: (not one.lectures, min(map(section_order, one.lectures), default=())))


def section_order(section: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key by which sections are in order: "004 19.5" is after "004 19" and before "004 19.10"."""
    parts = re.findall(r"\d+|[^\d\s.]+", section)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def planned(lessons: Sequence[Lesson], needs: Mapping[str, Need], minutes: int = SESSION) -> list[Planned]:
    """Distribute lessons over sessions in their order; one that is longer than a session has one of its own.

    Args:
        lessons: The lessons.
        needs: What each needs, by its name.
        minutes: The minutes of a session.
    """
    found: list[Planned] = []
    session, left = 0, 0
    for lesson in lessons:
        if lesson.minutes > left:
            session, left = session + 1, minutes
        left -= lesson.minutes
        found.append(Planned(lesson, needs[lesson.name], session))
    return found


def all_needs(
    lessons: Sequence[Lesson], bench: Workbench, cancelled: Callable[[], bool] = lambda: False
) -> dict[str, Need]:
    """Return what each lesson needs, by its name; after `cancelled` returned True only the number of trainings."""
    return {one.name: Need(one.training_count) if cancelled() else need_of(one, bench) for one in lessons}


def plan_csv(plan: Sequence[Planned]) -> str:
    """Return a plan as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["session", "lesson", "title", "lectures", "minutes", "trainings", "machine seconds",
                     "memory bytes", "result is there", "problem"])  # fmt: skip
    for one in plan:
        lesson, need = one.lesson, one.need
        seconds = "" if need.seconds is None else f"{need.seconds:.0f}"
        memory = "" if need.memory_bytes is None else str(need.memory_bytes)
        problem = "" if need.problem is None else need.problem.line()
        title, sections = spreadsheet_text(lesson.title), spreadsheet_text("; ".join(lesson.lectures))
        writer.writerow([one.session, lesson.name, title, sections, lesson.minutes, need.trainings,
                         seconds, memory, "yes" if need.has_result else "no", problem])  # fmt: skip
    return out.getvalue()
