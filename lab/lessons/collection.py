"""All lessons that are found: the lab's, those of plugins, those of a machine, and the user's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.base import BadInput, LabError, Problem
from lab.base.folders import home, resources
from lab.base.problems import problem_of
from lab.base.system.folders import report_unreadable, shared_files
from lab.base.system.policy import policy
from lab.lessons.lesson import TRACKS, Lesson
from lab.lessons.reading import FILE, read_lesson

LAB, SHARED, OWN = "lab", "shared", "own"
"""The origins of lessons that come from no plugin."""
MOST = 1000
"""Most folders of a folder of lessons that are looked at."""


@dataclass(frozen=True)
class Found:
    """A lesson that was found.

    Args:
        name: The name of its folder.
        folder: The folder.
        origin: "lab", "shared", "own", or the name of a plugin.
        lesson: The lesson; None if it cannot be used.
        problem: Why it cannot be used.
    """

    name: str
    folder: Path
    origin: str
    lesson: Lesson | None = None
    problem: Problem | None = None


def lessons_folder() -> Path:
    """Return the folder of the user's own lessons, which need not exist."""
    return home() / "lessons"


def shipped_folder() -> Path:
    """Return the folder of the lessons that come with the lab."""
    return Path(str(resources())) / "lessons"


def find_lessons(
    cards: Mapping[str, Any] | None = None, language: str = "en", also: Sequence[Path] = ()
) -> list[Found]:
    """Return all lessons in the order of tracks and positions; of two of one name the first is used.

    Those that the policy of the machine does not name are left out.

    Args:
        cards: The cards of plugins that bring lessons, by name; None for none.
        language: The language of their texts where they have it.
        also: Further folders of a lesson, or of lessons.
    """
    found: dict[str, Found] = {}
    refused: list[Found] = []
    for origin, folder in _folders(cards or {}, also):
        if not policy().allows_lesson(folder.name):
            continue
        one = read_found(folder, origin, language)
        if one.name in found:
            other = found[one.name]
            what = f"there is another lesson of this name in {other.folder}"
            problem = Problem(what, "lesson", str(one.folder), remedy="Rename the folder of one of them")
            refused.append(Found(one.name, one.folder, origin, problem=problem))
        else:
            found[one.name] = one
    return sorted([*found.values(), *refused], key=_order)


def read_found(folder: Path, origin: str, language: str = "en") -> Found:
    """Read one lesson; a problem becomes a part of what is returned."""
    try:
        return Found(folder.name, folder, origin, read_lesson(folder, language))
    except LabError as error:
        return Found(folder.name, folder, origin, problem=error.problem)
    except Exception as error:  # noqa: BLE001 - one lesson never hides the others
        return Found(folder.name, folder, origin, problem=problem_of(error, doing="Reading the lesson"))


def find_lesson(name: str, cards: Mapping[str, Any] | None = None, language: str = "en") -> Lesson:
    """Return a lesson by its name, or by the path of its folder.

    Raises:
        BadInput: There is none, it cannot be used, or the policy of the machine does not allow it.
    """
    path = Path(name).expanduser()
    is_folder = (path / FILE).is_file()
    if not policy().allows_lesson(path.absolute().name if is_folder else name):
        what = f"this lesson is not allowed by {policy().source('lessons')}"
        raise BadInput(what, field="lesson", value=name, allowed=", ".join(policy().lessons or ()) or "none")
    if is_folder:
        return read_lesson(path.absolute(), language)
    lessons = find_lessons(cards, language)
    one = next((one for one in lessons if one.name == name), None)
    if one is None:
        known = ", ".join(found.name for found in lessons)
        raise BadInput("there is no such lesson", field="lesson", value=name, allowed=known or "none")
    if one.lesson is None:
        raise BadInput(one.problem or Problem("the lesson cannot be used", "lesson", name))
    return one.lesson


def lessons_in(folder: Path) -> list[Path]:
    """Return the folders of lessons in a folder, or the folder itself if it is a lesson; [] if there are none."""
    try:
        if (folder / FILE).is_file():
            return [folder]
        inside = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    except FileNotFoundError:
        return []
    except OSError as error:
        report_unreadable(folder, error)
        return []
    return [path for path in inside[:MOST] if (path / FILE).is_file()]


def _folders(cards: Mapping[str, Any], also: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Yield (origin, folder) for each lesson: the lab's first, so that nobody replaces one of them by its name."""
    for folder in lessons_in(shipped_folder()):
        yield LAB, folder
    for path in shared_files("lessons"):
        for folder in lessons_in(path):
            yield SHARED, folder
    for name, card in cards.items():
        for folder in lessons_in(Path(card.folder)):
            yield name, folder
    for path in (lessons_folder(), *also):
        for folder in lessons_in(path):
            yield OWN, folder


def _order(found: Found) -> tuple[bool, int, str, int, str]:
    lesson = found.lesson
    tracks = list(TRACKS)
    track = lesson.track if lesson is not None else ""
    known = tracks.index(track) if track in tracks else len(tracks)
    return (lesson is None, known, track, lesson.position if lesson else 0, found.name)
