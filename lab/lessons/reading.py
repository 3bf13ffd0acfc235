"""The reader of a lesson: one folder of Markdown and TOML, checked with file and line. Nothing in it is run."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from lab.base import BadInput, Problem
from lab.base.files.reading import check_plain, parse_toml, read_text
from lab.lessons.comparisons import NotComparable, parse_comparison, parse_term
from lab.lessons.lesson import DEPTHS, MOST_RUNS, Lesson, Run, Written
from lab.lessons.lines import line_of, toml_lines
from lab.lessons.markdown import EXPLORABLE, EXPLORABLES, foreign_links, formulas, pictures
from lab.lessons.pictures import picture_problem
from lab.recipes import Recipe, parse_assignment, shipped, shipped_names

FILE = "lesson.toml"
"""The file that makes a folder a lesson."""
TEXTS = (*DEPTHS, "teacher")
"""The names of the Markdown files, without ".md"."""
LARGEST, LARGEST_TEXT = 256 * 1024, 16 * 1024
"""Most bytes of a TOML file of a lesson, and of a text."""
LONGEST_FORMULA, MOST_FORMULAS = 2000, 200
"""Most characters of a formula, and most formulas of a text."""
PREDICTION = "prediction"
"""The name of the prediction in comparisons."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


def read_lesson(folder: Path, language: str = "en") -> Lesson:
    """Read and check a lesson.

    Args:
        folder: Its folder.
        language: The code of a language; texts in the folder of this name replace the English ones where they exist.

    Raises:
        BadInput: The lesson cannot be used; the problem names file and line.
    """
    name = folder.name
    if not _NAME.fullmatch(name):
        allowed = "small letters, digits and -, at most 60"
        raise BadInput("is no name of a lesson", field="folder", value=name, allowed=allowed, remedy="Rename it")
    file = folder / FILE
    text = _read(file)
    try:
        tables = parse_toml(text)
    except ValueError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise _refusal(file, int(found[1]) if found else 1, f"is not TOML: {error}") from None
    try:
        check_plain(tables)
    except ValueError as error:
        raise _refusal(file, 1, f"cannot be used: {error}") from None
    lines = toml_lines(text)
    translated = folder / language
    if language != "en" and (translated / FILE).is_file():
        tables = _translated(tables, translated / FILE)
    written = _validated(tables, file, lines)
    texts = {one: _text(folder, translated, one, language) for one in TEXTS}
    if not texts["lesson"]:
        what = "the text lesson.md is missing"
        raise BadInput(Problem(what, f"{name}/lesson.md", remedy="Write it beside lesson.toml"))
    recipes = _recipes(written, folder, file, lines)
    used = language if (translated / FILE).is_file() else "en"
    values = {**dict(written), "name": name, "folder": folder, "language": used, "texts": texts, "recipes": recipes}
    lesson = Lesson.model_validate(values)
    _check_names(lesson, file, lines)
    _check_comparisons(lesson, file, lines)
    _check_texts(lesson, folder, translated if used == language else folder)
    return lesson


def recipe_of(lesson: Lesson, run: str, key: str = "", seed: int | None = None) -> Recipe:
    """Return the recipe of a training of a lesson.

    Args:
        lesson: The lesson.
        run: The name of the run.
        key: The key of the value of the setting that differs; "" for a single training.
        seed: The seed; None leaves that of the recipe.

    Raises:
        BadInput: A setting in it is not allowed.
    """
    one = lesson.run(run)
    base = Recipe()
    if one.start:
        base = recipe_of(lesson, one.start, seed=seed)
    elif one.recipe in lesson.recipes:
        base = Recipe.from_toml(lesson.recipes[one.recipe], name=f"{lesson.name}/{one.recipe}")
    elif one.recipe:
        base = shipped(one.recipe)
    return base.with_assignments(*changes_of(one, key, seed))


def changes_of(run: Run, key: str = "", seed: int | None = None) -> list[str]:
    """Return what a training of a run changes in the recipe that it begins with, as assignments.

    Args:
        run: The run.
        key: The key of the value of the setting that differs; "" for a single training.
        seed: The seed; None leaves that of the recipe.
    """
    assignments = list(run.settings)
    if run.along:
        value = run.values[run.keys.index(key)]
        assignments.append(f"{run.along}={_written(value)}")
    if seed is not None:
        assignments.append(f"training.seed={seed}")
    title = run.title if not key else f"{run.title}, {run.along.rpartition('.')[2].replace('_', ' ')} {key}"
    return [*assignments, f"title={title!r}" if "'" not in title else f"title={title}"]


def _written(value: float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(file: Path, limit: int = LARGEST) -> str:
    try:
        return read_text(file, limit)
    except FileNotFoundError:
        remedy = "Choose the folder of a lesson, which holds lesson.toml"
        raise BadInput("there is no such file", field="lesson", value=_shown(file), remedy=remedy) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadInput(f"cannot be read: {reason}", field="lesson", value=_shown(file)) from None


def _text(folder: Path, translated: Path, name: str, language: str) -> str:
    for file in ((translated / f"{name}.md",) if language != "en" else ()) + (folder / f"{name}.md",):
        if file.is_file() or file.is_symlink():
            return _read(file, LARGEST_TEXT)
    return ""


def _shown(file: Path, root: Path | None = None) -> str:
    return f"{(root or file.parent).name}/{file.name}"


def _refusal(file: Path, line: int, what: str, *, allowed: str | None = None, remedy: str | None = None) -> BadInput:
    problem = Problem(what, f"{_shown(file)}, line {line}", allowed=allowed, remedy=remedy)
    return BadInput(problem)


def _translated(tables: dict[str, Any], file: Path) -> dict[str, Any]:
    """Return the tables with the texts of a translation, whose tables and lists have the same order."""
    try:
        found: dict[str, Any] = _with_texts(tables, parse_toml(_read(file)), file)
    except ValueError as error:
        raise _refusal(file, 1, f"is not TOML: {error}") from None
    return found


def _with_texts(original: Any, translation: Any, file: Path) -> Any:
    if isinstance(original, dict) and isinstance(translation, dict):
        unknown = next((key for key in translation if key not in original), None)
        if unknown is not None:
            raise _refusal(file, 1, f"translates {unknown}, which the lesson does not have", remedy="Remove it")
        return {key: _with_texts(value, translation.get(key), file) for key, value in original.items()}
    if isinstance(original, list) and isinstance(translation, list):
        padded = [*translation, *[None] * len(original)]
        return [_with_texts(value, other, file) for value, other in zip(original, padded, strict=False)]
    return translation if isinstance(original, str) and isinstance(translation, str) else original


def _validated(tables: Mapping[str, Any], file: Path, lines: dict[tuple[str | int, ...], int]) -> Written:
    try:
        return Written.model_validate(tables)
    except ValidationError as error:
        errors = error.errors()
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        path = [part for part in first["loc"] if not str(part).startswith(("tuple[", "function-", "constrained-"))]
        where = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        line = line_of(lines, path)
        if first["type"] == "extra_forbidden":
            known = _fields(path[:-1])
            near = difflib.get_close_matches(str(path[-1]), known, n=1)
            remedy = f"Did you mean {near[0]}?" if near else "Remove it"
            allowed = ", ".join(known) or None
            raise _refusal(file, line, f"{where} is no field of a lesson", allowed=allowed, remedy=remedy) from None
        if first["type"] == "missing":
            raise _refusal(file, line, f"{where} is missing", remedy="Add it") from None
        message = str(first["msg"]).replace("Input should", "it should").replace("Value error, ", "")
        raise _refusal(file, line, f"{where} is not allowed: {message}") from None


def _fields(path: Sequence[str | int]) -> list[str]:
    """Return the names of the fields of the part of a lesson at a path."""
    model: Any = Written
    for part in path:
        if isinstance(part, int):
            continue
        if not (isinstance(model, type) and issubclass(model, BaseModel)) or part not in model.model_fields:
            return []
        model = _model_in(model.model_fields[part].annotation)
    return list(model.model_fields) if isinstance(model, type) and issubclass(model, BaseModel) else []


def _model_in(annotation: Any) -> Any:
    """Return the first class of a part in an annotation such as tuple[Run, ...]."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, getattr(annotation, "__args__", ()))), None)


def _recipes(written: Written, folder: Path, file: Path, lines: dict[tuple[str | int, ...], int]) -> dict[str, str]:
    """Return the texts of the recipes in the folder, by name; check that all others are shipped."""
    found: dict[str, str] = {}
    for index, run in enumerate(written.runs):
        line = line_of(lines, ("runs", index, "recipe"))
        if not run.recipe or run.recipe in found or run.recipe in shipped_names():
            continue
        if not run.recipe.endswith(".toml") or Path(run.recipe).name != run.recipe:
            allowed = "the name of a recipe of the lab, or a .toml file in the folder of the lesson"
            near = difflib.get_close_matches(run.recipe, shipped_names(), n=1)
            remedy = f"Did you mean {near[0]}?" if near else None
            raise _refusal(file, line, f"there is no recipe {run.recipe}", allowed=allowed, remedy=remedy)
        if not (folder / run.recipe).is_file():
            what = f"the recipe {run.recipe} is missing in the folder of the lesson"
            raise _refusal(file, line, what, remedy="Put it there, or name a recipe of the lab")
        found[run.recipe] = _read(folder / run.recipe)
        Recipe.from_toml(found[run.recipe], name=f"{folder.name}/{run.recipe}")
    return found


def _check_names(lesson: Lesson, file: Path, lines: dict[tuple[str | int, ...], int]) -> None:
    """Check that names are given once, and that what is named exists."""
    for kind, named in (
        ("runs", [one.name for one in lesson.runs]),
        ("measures", [one.name for one in lesson.measures]),
    ):
        twice = next((name for name, count in Counter(named).items() if count > 1), None)
        if twice is not None:
            index = len(named) - 1 - named[::-1].index(twice)
            raise _refusal(file, line_of(lines, (kind, index, "name")), f"{twice} is named twice", remedy="Rename one")
    if lesson.training_count > MOST_RUNS:
        what = f"the lesson has {lesson.training_count} trainings"
        raise _refusal(file, line_of(lines, ("runs",)), what, allowed=f"at most {MOST_RUNS}")
    for index, run in enumerate(lesson.runs):
        if bool(run.along) != bool(run.values):
            what, remedy = f"the run {run.name} has only one of along and values", "Give both, or neither"
            raise _refusal(file, line_of(lines, ("runs", index)), what, remedy=remedy)
        _check_earlier(lesson, index, file, lines)
        for setting in run.settings:
            try:
                parse_assignment(setting)
            except BadInput as error:
                line = line_of(lines, ("runs", index, "settings"))
                raise _refusal(file, line, f"{setting} {error.problem.what}", allowed=error.problem.allowed) from None
    _check_known(lesson, [("measures", index, one.runs) for index, one in enumerate(lesson.measures)], file, lines)
    if lesson.view is not None:
        _check_known(lesson, [("view", None, lesson.view.runs)], file, lines)
    for index, measure in enumerate(lesson.measures):
        if bool(measure.runs) == (measure.figure == "example"):
            what = f"the measure {measure.name} {'has runs and is of an example' if measure.runs else 'has no runs'}"
            remedy = "Remove the field runs" if measure.runs else "Add the field runs"
            raise _refusal(file, line_of(lines, ("measures", index)), what, remedy=remedy)
        several = len(measure.runs) > 1 and any(lesson.run(name).along for name in measure.runs)
        if several:
            what = f"the measure {measure.name} joins a run with values and others"
            raise _refusal(file, line_of(lines, ("measures", index, "runs")), what, remedy="Measure it alone")
        if measure.missing is not None:
            what, name = measure.missing
            what = f"the measure {measure.name} does not say {what}"
            raise _refusal(file, line_of(lines, ("measures", index)), what, remedy=f"Add the field {name}")
    _check_prediction(lesson, file, line_of(lines, ("prediction",)))


def _check_earlier(lesson: Lesson, index: int, file: Path, lines: dict[tuple[str | int, ...], int]) -> None:
    """Check that what a run starts with, or learns from, is a single training before it."""
    run = lesson.runs[index]
    earlier = [one.name for one in lesson.runs[:index] if not one.along]
    for field, name in (("start", run.start), ("teacher", run.teacher)):
        if name and name not in earlier:
            what = f"the run {run.name} names {name} as its {field}, which is no single training before it"
            raise _refusal(file, line_of(lines, ("runs", index, field)), what, allowed=", ".join(earlier) or "none")
    if run.start and run.recipe:
        what = f"the run {run.name} has both a recipe and a start"
        raise _refusal(file, line_of(lines, ("runs", index)), what, remedy="Remove one of them")


def _check_known(
    lesson: Lesson,
    used: Iterable[tuple[str, int | None, Sequence[str]]],
    file: Path,
    lines: dict[tuple[str | int, ...], int],
) -> None:
    known = [run.name for run in lesson.runs]
    for kind, index, names in used:
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            path = (kind, "runs") if index is None else (kind, index, "runs")
            what = f"there is no run {unknown}"
            raise _refusal(file, line_of(lines, path), what, allowed=", ".join(known))


def _check_prediction(lesson: Lesson, file: Path, line: int) -> None:
    prediction = lesson.prediction
    if prediction.kind == "curve":
        drawn = next((one for one in lesson.measures if one.name == prediction.of), None)
        if drawn is None or not lesson.keys_of(drawn):
            several = [one.name for one in lesson.measures if lesson.keys_of(one)]
            what = "the curve of the prediction is of no measured quantity with several entries"
            raise _refusal(file, line, what, allowed=", ".join(several) or "none", remedy="Name one in the field of")
    if prediction.kind == "pick" and len(prediction.options) < 2:
        raise _refusal(file, line, "the prediction has fewer than two options", remedy="Add options")
    if prediction.kind != "curve" and not prediction.answer:
        raise _refusal(file, line, "the prediction has no answer", remedy="Add the field answer, such as argmin(loss)")
    if not prediction.low < prediction.high or (prediction.log and prediction.low <= 0):
        raise _refusal(file, line, "the prediction has no range: low is not below high, or a log axis begins at 0")


def _check_comparisons(lesson: Lesson, file: Path, lines: dict[tuple[str | int, ...], int]) -> None:
    """Check that every comparison can be parsed and names measured quantities."""
    measured = {measure.name for measure in lesson.measures}
    written = [(("checks", index, "holds"), text) for index, one in enumerate(lesson.checks) for text in one.holds]
    for path, text in written:
        _check_one(text, measured, file, line_of(lines, path))
    for text in lesson.prediction.right:
        _check_one(text, measured | {PREDICTION}, file, line_of(lines, ("prediction", "right")))
    if lesson.prediction.answer:
        line = line_of(lines, ("prediction", "answer"))
        _check_one(lesson.prediction.answer, measured, file, line, is_term=True)


def _check_one(text: str, known: set[str], file: Path, line: int, *, is_term: bool = False) -> None:
    try:
        names = parse_term(text).names if is_term else parse_comparison(text).names
    except NotComparable as error:
        raise _refusal(file, line, f"the comparison {text!r} {error}") from None
    unknown = min(names - known, default=None)
    if unknown is not None:
        what = f"the comparison {text!r} names {unknown}, which is not measured"
        raise _refusal(file, line, what, allowed=", ".join(sorted(known)))


def _check_texts(lesson: Lesson, folder: Path, translated: Path) -> None:
    """Check the pictures and links of all texts."""
    for name, text in lesson.texts.items():
        file = translated / f"{name}.md" if (translated / f"{name}.md").is_file() else folder / f"{name}.md"
        found = formulas(text)
        if len(found) > MOST_FORMULAS or any(len(latex) > LONGEST_FORMULA for latex in found):
            allowed = f"{MOST_FORMULAS} of at most {LONGEST_FORMULA:,} characters"
            raise _refusal(file, 1, "the text has too many formulas, or too long ones", allowed=allowed)
        for picture in pictures(text):
            if picture.name.startswith(EXPLORABLE):
                _check_explorable(picture.name.removeprefix(EXPLORABLE), file, picture.line)
                continue
            wrong = picture_problem(folder, picture.name)
            if wrong is not None:
                raise _refusal(file, picture.line, f"{picture.name[:80]}: {wrong}")
        for link in foreign_links(text):
            allowed = "links that begin with help:, term:, example: or https://"
            raise _refusal(file, link.line, f"a link leads to {link.name[:80]}", allowed=allowed)


def _check_explorable(key: str, file: Path, line: int) -> None:
    if key not in EXPLORABLES:
        near = difflib.get_close_matches(key, EXPLORABLES, n=1)
        remedy = f"Did you mean {near[0]}?" if near else None
        raise _refusal(file, line, f"there is no explorable {key[:80]}", allowed=", ".join(EXPLORABLES), remedy=remedy)
