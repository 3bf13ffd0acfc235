"""The labels that the user gives a run, in its `label.json`: name, note, star, tags, colour, visibility."""

from __future__ import annotations

import json
import threading
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from lab.base.files.writing import write_json
from lab.base.folders import runs_folder
from lab.base.notices import notify
from lab.base.problems import BadInput, LabError
from lab.runs.library.differences import settings_without_seed
from lab.runs.library.recipe_fields import Value, read_fields
from lab.runs.library.styles import style_of_new_run
from lab.runs.records import damaged, read_record, read_text

FORMAT = 1
NAME, NOTE, TAG, TAGS = 200, 10_000, 40, 50  # characters of the first three, and the number of tags

_lock = threading.RLock()
_reported: set[Path] = set()  # damaged label files that were reported


@dataclass(frozen=True)
class Label:
    """The labels that the user gives a run.

    Args:
        name: The name; "" means the folder's name.
        note: Any text, also of several lines.
        star: True if it is starred.
        tags: Short words, in the order in which they were added.
        colour: The permanent number of the style, see lab.runs.library.styles; None before it is assigned.
        shown: True if it is drawn together with the selected run.
    """

    name: str = ""
    note: str = ""
    star: bool = False
    tags: tuple[str, ...] = ()
    colour: int | None = None
    shown: bool = False


def read_label(run: Path) -> Label:
    """Return the label of a run; the default if it has none or a damaged one, which is reported once.

    Args:
        run: The run's folder.
    """
    file = run / "label.json"
    try:
        return _read(file)
    except LabError as error:
        with _lock:
            reported = file in _reported
            _reported.add(file)
        if not reported:
            notify("warning", replace(error.problem, remedy="It is ignored; a new name or tag replaces it"))
        return Label()


def checked_label(**changes: Any) -> dict[str, Any]:
    """Return fields of a label as it stores them: tags as a tuple, texts without white space at their ends.

    Args:
        changes: Fields of Label by name.

    Raises:
        BadInput: A value cannot be used; the problem names the field.
    """
    return {name: _CHECKS[name](value) if name in _CHECKS else value for name, value in changes.items()}


def change_label(run: Path, **changes: Any) -> Label:
    """Change some fields of a label and store it; a damaged one is replaced.

    Args:
        run: The run's folder.
        changes: Fields of Label by name.

    Returns:
        The new label.

    Raises:
        BadInput: A value cannot be used; the problem names the field.
        LabError: It could not be written; the old label remains.
        TypeError: There is no such field.
    """
    checked = checked_label(**changes)
    with _lock:
        label = replace(read_label(run), **checked)
        write_json(run / "label.json", {"format": FORMAT, **asdict(label)})
    return label


def coloured_labels(runs: Sequence[Path]) -> list[Label]:
    """Return the labels of some runs; those without a colour get a permanent one.

    A new colour is that of `style_of_new_run` among these runs and those in the lab's folder. If it cannot be stored
    (read-only media), it is assigned again in the next call.

    Args:
        runs: Their folders, the oldest first; colours are assigned in this order.
    """
    labels = [read_label(run) for run in runs]
    if all(label.colour is not None for label in labels):
        return labels
    known = {**_in_the_lab(), **dict(zip(runs, labels, strict=True))}
    kinds = {run: _kind(run) for run in known}
    used = {run: label.colour for run, label in known.items() if label.colour is not None}
    for number, (run, label) in enumerate(zip(runs, labels, strict=True)):
        if label.colour is None:
            repeated = [style for other, style in used.items() if kinds[run] and kinds[other] == kinds[run]]
            colour = used[run] = style_of_new_run(used.values(), repeated)
            try:
                labels[number] = change_label(run, colour=colour)
            except LabError:
                labels[number] = replace(label, colour=colour)
    return labels


def _kind(run: Path) -> dict[str, Value]:
    """Return the settings of a run that its repetitions share; none if they cannot be read."""
    try:
        return settings_without_seed(read_fields(read_text(run / "recipe.toml"), run.name))
    except LabError:  # it is reported when the runs are listed
        return {}


def _in_the_lab() -> dict[Path, Label]:
    try:
        return {file.parent: read_label(file.parent) for file in runs_folder().glob("*/label.json")}
    except OSError:  # there are no runs yet
        return {}


def _read(file: Path) -> Label:
    """Return the label in a file, without fields that a newer lab may have added."""
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
        raise BadInput("is not text", field=field, value=json.dumps(value, default=str)[:80])
    text = value.replace("\r\n", "\n").strip()
    if len(text) > limit:
        raise BadInput("is too long", field=field, value=f"{text[:40]}…", allowed=f"at most {limit:,} characters")
    # Control characters, halves of surrogate pairs, and line breaks.
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
        raise BadInput("is not a list of words", field="tags", value=json.dumps(value, default=str)[:80])
    tags = tuple(dict.fromkeys(_text("tags", tag, TAG) for tag in value))
    for tag in tags:
        if not tag or any(each.isspace() or each == "," for each in tag) or tag[0] in "+-":
            allowed = "a word without white space and commas that does not start with + or -"
            raise BadInput("is not a valid tag", field="tags", value=tag, allowed=allowed)
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
        raise BadInput("is not the number of a style", field="colour", value=str(value)[:80], allowed="0, 1, 2, …")
    return value


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "name": _name,
    "note": _note,
    "star": _flag("star"),
    "tags": _tags,
    "colour": _colour,
    "shown": _flag("shown"),
}
