"""What a person says of a run, in its `label.json`: name, note, star, tags, its colour, whether it is drawn."""

from __future__ import annotations

import json
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from lab.base.folders import runs_folder
from lab.base.notices import notify
from lab.base.problems import BadInput, LabError
from lab.base.writing import write_json
from lab.runs.records import damaged, read_record

FORMAT = 1
NAME, NOTE, TAG, TAGS = 200, 10_000, 40, 50  # characters of the first three, and how many tags
STYLES = 24
"""Styles of lines that can be told apart: 8 hues drawn whole, the same with dashes, the same with dots."""

_lock = threading.RLock()
_told: set[Path] = set()  # label files whose damage was told


@dataclass(frozen=True)
class Label:
    """What a person says of a run.

    Args:
        name: What people call it; "" leaves it the folder's name.
        note: Any text, of several lines.
        star: Whether it is marked.
        tags: Short words, in the order in which they were given.
        colour: Number of its style for ever: hue number % 8, and whole, dashed or dotted by number // 8; None before
            one was given out.
        shown: Whether it is drawn beside the selected run.
    """

    name: str = ""
    note: str = ""
    star: bool = False
    tags: tuple[str, ...] = ()
    colour: int | None = None
    shown: bool = False


def read_label(run: Path) -> Label:
    """The label of a run; the default where there is none, or a damaged one, which is told once.

    Args:
        run: The run's folder.
    """
    file = run / "label.json"
    try:
        return _read(file)
    except LabError as error:
        with _lock:
            told = file in _told
            _told.add(file)
        if not told:
            notify("warning", replace(error.problem, remedy="The run shows without it; a new name or tag replaces it"))
        return Label()


def change_label(run: Path, **changes: Any) -> Label:
    """Changes some fields of a label and stores it; a damaged one is replaced.

    Args:
        run: The run's folder.
        changes: Fields of Label by name.

    Returns:
        The label as it is now.

    Raises:
        BadInput: A value cannot be used; the problem names the field.
        LabError: It could not be written; the old label stands.
        TypeError: There is no such field.
    """
    checked = {name: _CHECKS[name](value) for name, value in changes.items() if name in _CHECKS}
    with _lock:
        label = replace(read_label(run), **{**changes, **checked})
        write_json(run / "label.json", {"format": FORMAT, **asdict(label)})
    return label


def coloured_labels(runs: Sequence[Path]) -> list[Label]:
    """The labels of some runs; those without a colour get one, which they keep.

    It is the style that the fewest runs have, of these and of those in the lab's folder, the earlier the better. Where
    it cannot be stored (read-only media), a run has it until it is asked again.

    Args:
        runs: Their folders, the oldest first, for they choose first.
    """
    labels = [read_label(run) for run in runs]
    if all(label.colour is not None for label in labels):
        return labels
    used = _used({**_in_the_lab(), **dict(zip(runs, labels, strict=True))}.values())
    for number, (run, label) in enumerate(zip(runs, labels, strict=True)):
        if label.colour is None:
            colour = min(range(STYLES), key=lambda style: used[style])
            used[colour] += 1
            try:
                labels[number] = change_label(run, colour=colour)
            except LabError:
                labels[number] = replace(label, colour=colour)
    return labels


def _in_the_lab() -> dict[Path, Label]:
    try:
        return {file.parent: read_label(file.parent) for file in runs_folder().glob("*/label.json")}
    except OSError:  # nobody has made a run
        return {}


def _used(labels: Iterable[Label]) -> Counter[int]:
    return Counter(label.colour % STYLES for label in labels if label.colour is not None)


def _read(file: Path) -> Label:
    """The label in a file; what a newer lab may have added to it is left out."""
    if not file.exists():
        return Label()
    record = read_record(file)
    try:
        given = {each.name: record[each.name] for each in fields(Label) if each.name in record}
        return Label(**{name: _CHECKS[name](value) for name, value in given.items()})
    except BadInput as error:
        raise LabError(damaged(file, error.problem.line())) from None


def _text(field: str, value: Any, limit: int, *, lines: bool = False) -> str:
    if not isinstance(value, str):
        raise BadInput("is no text", field=field, value=json.dumps(value, default=str)[:80])
    text = value.replace("\r\n", "\n").strip()
    if len(text) > limit:
        raise BadInput("is too long", field=field, value=f"{text[:40]}…", allowed=f"at most {limit:,} characters")
    # Controls, halves of surrogate pairs, and what breaks lines.
    if any(unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") and not (lines and each in "\n\t") for each in text):
        what = "holds a control character"
        raise BadInput(what, field=field, value=ascii(text[:40]), remedy="Leave it out")
    return text


def _name(value: Any) -> str:
    return _text("name", value, NAME)


def _note(value: Any) -> str:
    return _text("note", value, NOTE, lines=True)


def _tags(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadInput("is no list of words", field="tags", value=json.dumps(value, default=str)[:80])
    tags = tuple(dict.fromkeys(_text("tags", tag, TAG) for tag in value))
    for tag in tags:
        if not tag or any(each.isspace() or each == "," for each in tag) or tag[0] in "+-":
            allowed = "a word without white space and commas that begins with no + or -"
            raise BadInput("is no tag", field="tags", value=tag, allowed=allowed)
    if len(tags) > TAGS:
        raise BadInput("are too many", field="tags", value=str(len(tags)), allowed=f"at most {TAGS}")
    return tags


def _flag(field: str) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise BadInput("is neither true nor false", field=field, value=str(value)[:80])
        return value

    return check


def _colour(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31):
        raise BadInput("is no number of a style", field="colour", value=str(value)[:80], allowed="0, 1, 2, …")
    return value


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "name": _name,
    "note": _note,
    "star": _flag("star"),
    "tags": _tags,
    "colour": _colour,
    "shown": _flag("shown"),
}
