"""Study files: TOML that is read with limits, checked field by field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lab.base import BadInput
from lab.base.files.reading import DEEPEST, LARGEST_INTEGER, parse_toml, read_text
from lab.recipes import Recipe, parse_assignments, shared_recipe, shipped, shipped_names
from lab.runs.library.measure import RunMeasure
from lab.studies.plans.points import MOST
from lab.studies.plans.study import (
    ADAPTIVE,
    COMPARED,
    EQUAL,
    FORMAT,
    RULES,
    SAMPLERS,
    FairFight,
    Sampler,
    Stopping,
    Study,
    Value,
    Variation,
)

LONGEST, LONGEST_LOOK = 200, 1000
MOST_VARIATIONS, MOST_VALUES, MOST_SEEDS, MOST_ARMS, MOST_MEASURES = 32, 1000, 1000, 64, 32
LARGEST = 1e300
"""The largest number of a range, whose length is then finite."""


def load_study(file: Path) -> Study:
    """Read a study file; the recipe that it names is one of the lab's, or a file beside it.

    Raises:
        BadInput: It is missing, is no TOML, or holds what is not allowed; the problem names the field.
    """
    try:
        text = read_text(file)
    except FileNotFoundError:
        raise BadInput("there is no such study file", field="study", value=str(file)) from None
    except UnicodeDecodeError:
        raise BadInput("is not a study: not a text file", field="study", value=str(file)) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise BadInput(f"cannot be read: {reason}", field="study", value=str(file)) from None
    return parse_study(text, file.parent, name=file.name)


def parse_study(text: str, folder: Path | None = None, *, name: str = "study") -> Study:
    """Read a study from text.

    Args:
        text: The text of a study file.
        folder: Where a recipe that it names is searched for; None for none.
        name: Its name in problems.

    Raises:
        BadInput: It is no study; the problem names the field.
    """
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise BadInput(f"is not TOML: {error}", field="study", value=name) from None
    _known(data, "study", "format", "title", "question", "look", "minutes", "figure", "recipe", "base", "set", "seeds",
           "data_per_seed", "vary", "measures", "sampler", "stopping", "fair")  # fmt: skip
    version = data.get("format", FORMAT)
    if version != FORMAT or isinstance(version, bool):
        raise BadInput("is not a format of studies that this lab knows", field="format", value=version, allowed=FORMAT)
    study = Study(
        title=_text(data, "title", "study"),
        question=_text(data, "question", ""),
        look=_text(data, "look", "", LONGEST_LOOK),
        minutes=_minutes(data, "study"),
        base=_base(data, folder),
        seeds=_seeds(data.get("seeds", [0])),
        variations=_variations(data.get("vary", [])),
        sampler=_sampler(_table(data, "sampler")),
        stopping=_stopping(_table(data, "stopping")),
        fair=_fair(_table(data, "fair")) if "fair" in data else None,
        figure=_one_of(data, "figure", COMPARED[0], COMPARED, "study"),
        data_per_seed=_flag(data, "data_per_seed", "study"),
        measures=_measures(data.get("measures", [])),
    )
    _check(study)
    return study


def _check(study: Study) -> None:
    """Check what goes together."""
    if study.fair is None and not study.variations and len(study.seeds) < 2:
        remedy = "Add [[vary]] with a path and values, several seeds, or [fair]"
        raise BadInput("varies nothing", field="vary", remedy=remedy)
    if study.fair is not None and (study.variations or study.sampler.name != "grid"):
        raise BadInput("a fair fight varies architectures and rates alone", field="vary", remedy="Remove [[vary]]")
    if study.fair is not None and study.fair.equal == "seconds" and study.base.training.budget == "":
        remedy = 'Set it, as in set = ["training.budget=60 seconds"]'
        raise BadInput("equal seconds need a budget of seconds", field="training.budget", remedy=remedy)
    runs = study.sampler.runs * len(study.seeds)
    if study.variations and study.sampler.name != "grid" and runs > MOST:
        raise BadInput("has too many runs", field="sampler.runs", value=f"{runs:,} with all seeds", allowed=f"{MOST:,}")
    if study.data_per_seed and study.fair is not None:
        raise BadInput("a fair fight reads the same data", field="data_per_seed", remedy="Remove it")
    for each in study.variations:
        if study.sampler.name in ADAPTIVE and any(isinstance(value, tuple) for value in each.values):
            raise BadInput(
                f"the sampler {study.sampler.name} takes no lists",
                field=f"vary {each.path}",
                remedy="Take grid or random",
            )
        if study.sampler.name == "gp" and each.when:
            raise BadInput("the sampler gp has no conditions", field=f"vary {each.path}", remedy="Take tpe or random")


def _base(data: Mapping[str, Any], folder: Path | None) -> Recipe:
    named, table = data.get("recipe"), data.get("base")
    if named is not None and table is not None:
        raise BadInput("a study has either a recipe or a base", field="recipe", value=named)
    if table is not None:
        if not isinstance(table, Mapping):
            raise BadInput("is not a table", field="base")
        values = dict(table)
        version = values.pop("format", Recipe.version)
        if version != Recipe.version:
            raise BadInput("is not a format of recipes that this lab knows", field="base.format", value=version)
        base = Recipe.read(values, field="")
    elif named is None:
        base = Recipe()
    else:
        base = _named(named, folder)
    changes = data.get("set", [])
    if not isinstance(changes, list) or not all(isinstance(change, str) for change in changes):
        raise BadInput("is not a list of assignments", field="set", allowed='such as ["training.steps=300"]')
    return base.with_values(*parse_assignments(changes))


def _named(name: object, folder: Path | None) -> Recipe:
    if not isinstance(name, str) or not name:
        raise BadInput("is not the name of a recipe", field="recipe", value=name)
    if name in shipped_names():
        return shipped(name)
    shared = shared_recipe(name) if not set(name) & set("/\\.") else None
    if shared is not None:
        return Recipe.load(shared)
    if folder is None or not name.endswith(".toml") or set(name) & set("/\\:"):
        allowed = f"a .toml file beside the study, or {', '.join(shipped_names())}"
        raise BadInput("there is no such recipe", field="recipe", value=name, allowed=allowed)
    return Recipe.load(folder / name)


def _variations(given: object) -> tuple[Variation, ...]:
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        raise BadInput("is not a list of tables", field="vary", remedy="Write each setting under [[vary]]")
    if len(given) > MOST_VARIATIONS:
        raise BadInput("varies too many settings", field="vary", value=len(given), allowed=f"at most {MOST_VARIATIONS}")
    found = tuple(_variation(each, at) for at, each in enumerate(given, 1))
    paths = [each.path for each in found]
    for path in paths:
        if paths.count(path) > 1:
            raise BadInput("varies twice", field="vary", value=path, remedy="Write its values once")
    return found


def _variation(given: Mapping[str, Any], number: int) -> Variation:
    where = f"vary {number}"
    _known(given, where, "path", "values", "low", "high", "log", "whole", "count", "when")
    path = _path(given.get("path"), f"{where}.path")
    where = f"vary {path}"
    when = given.get("when", {})
    if not isinstance(when, Mapping):
        raise BadInput("is not a table of paths and values", field=f"{where}.when")
    conditions = {
        _path(other, f"{where}.when"): tuple(_values(values if isinstance(values, list) else [values], f"{where}.when"))
        for other, values in when.items()
    }
    if "values" in given:
        if {"low", "high"} & given.keys():
            raise BadInput("has either values or a range", field=where, remedy="Remove low and high, or the values")
        return Variation(path, tuple(_values(given["values"], f"{where}.values")), when=conditions)
    log, whole = _flag(given, "log", where), _flag(given, "whole", where)
    low, high = (_number(given, name, where) for name in ("low", "high"))
    if low >= high or (log and low <= 0):
        allowed = "0 < low < high" if log else "low < high"
        raise BadInput("is not a range", field=where, value=f"{low:g} to {high:g}", allowed=allowed)
    count = _whole(given, "count", 3, 1, MOST_VALUES, where)
    return Variation(path, (), low, high, log, whole, count, conditions)


def _path(given: object, field: str) -> str:
    if not isinstance(given, str) or len(given) > LONGEST or not all(given.split(".")) or given.count(".") >= DEEPEST:
        allowed = f"a path in the recipe such as training.batch_size, of at most {LONGEST} characters"
        raise BadInput("is not a path", field=field, value=given, allowed=allowed)
    return given


def _values(given: object, field: str) -> list[Value]:
    """Return values: numbers, texts, truths, or lists of them, which become tuples."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_VALUES:
        raise BadInput("is not a list of values", field=field, allowed=f"1 to {MOST_VALUES} of them")
    found: list[Value] = []
    for value in given:
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            most = LARGEST_INTEGER if isinstance(part, int) else LARGEST
            if not isinstance(part, str) and not (isinstance(part, int | float) and abs(part) <= most):
                raise BadInput("is not a number, a text or a truth, or a list of them", field=field, value=value)
        if len(parts) > MOST_VALUES:
            raise BadInput("is too long", field=field, value=len(parts), allowed=f"at most {MOST_VALUES}")
        found.append(tuple(parts) if isinstance(value, list) else value)
    return found


def _sampler(given: Mapping[str, Any]) -> Sampler:
    _known(given, "sampler", "name", "runs", "seed")
    name = _one_of(given, "name", "grid", SAMPLERS, "sampler")
    return Sampler(name, _whole(given, "runs", 10, 1, MOST, "sampler"), _whole(given, "seed", 0, 0, 2**31, "sampler"))


def _stopping(given: Mapping[str, Any]) -> Stopping:
    _known(given, "stopping", "rule", "first", "factor", "minutes")
    return Stopping(
        _one_of(given, "rule", "none", RULES, "stopping"),
        _whole(given, "first", 100, 1, 10**9, "stopping"),
        _whole(given, "factor", 3, 2, 100, "stopping"),
        _minutes(given, "stopping"),
    )


def _minutes(given: Mapping[str, Any], where: str) -> float:
    minutes = _number({"minutes": 0.0, **given}, "minutes", where)
    if minutes < 0:
        raise BadInput("is not allowed", field=f"{where}.minutes", value=minutes, allowed="a number of at least 0")
    return minutes


def _measures(given: object) -> tuple[RunMeasure, ...]:
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        raise BadInput("is not a list of tables", field="measures", remedy="Write each measure under [[measures]]")
    if len(given) > MOST_MEASURES:
        raise BadInput("measures too much", field="measures", value=len(given), allowed=f"at most {MOST_MEASURES}")
    found: list[RunMeasure] = []
    for number, each in enumerate(given, 1):
        where = f"measures {number}"
        try:
            measure = RunMeasure.model_validate(dict(each))
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join([where, *map(str, first["loc"])])
            raise BadInput("cannot be used", field=path, value=str(first["input"]), allowed=first["msg"]) from None
        if measure.missing is not None:
            what, name = measure.missing
            raise BadInput(f"does not say {what}", field=where, value=measure.title, remedy=f"Add the field {name}")
        if measure.title in [other.title for other in found]:
            raise BadInput("is measured twice", field=f"{where}.title", value=measure.title, remedy="Rename one")
        found.append(measure)
    return tuple(found)


def _fair(given: Mapping[str, Any]) -> FairFight:
    _known(given, "fair", "architectures", "equal", "target", "rates")
    names = given.get("architectures")
    if not isinstance(names, list) or not 2 <= len(names) <= MOST_ARMS or not all(isinstance(n, str) for n in names):
        raise BadInput("is not a list of architectures", field="fair.architectures", allowed="two names or more")
    if len(set(names)) < len(names):
        raise BadInput("names an architecture twice", field="fair.architectures", value=", ".join(names))
    rates = _values(given["rates"], "fair.rates") if given.get("rates") else []
    known: list[float] = []
    for rate in rates:
        if isinstance(rate, bool | str | tuple) or rate <= 0:
            raise BadInput("is not a learning rate", field="fair.rates", value=rate, allowed="numbers above 0")
        known.append(float(rate))
    target = _number({"target": 0.0, **given}, "target", "fair")
    if target < 0:
        raise BadInput("is not allowed", field="fair.target", value=target, allowed="a number of at least 0")
    equal = _one_of(given, "equal", "parameters", EQUAL, "fair")
    return FairFight(tuple(names), equal, target, tuple(known))


def _seeds(given: object) -> tuple[int, ...]:
    whole = isinstance(given, list) and all(
        isinstance(each, int) and not isinstance(each, bool) and 0 <= each < 2**63 for each in given
    )
    if not isinstance(given, list) or not whole or not 0 < len(given) <= MOST_SEEDS or len(set(given)) < len(given):
        raise BadInput(
            "is not a list of seeds", field="seeds", value=given, allowed="different whole numbers from 0 on"
        )
    return tuple(given)


def _known(given: Mapping[str, Any], where: str, *names: str) -> None:
    for name in given:
        if name not in names:
            raise BadInput("there is no such setting of a study", field=f"{where}.{name}", allowed=", ".join(names))


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name, {})
    if not isinstance(found, Mapping):
        raise BadInput("is not a table", field=name, remedy=f"Write its settings under [{name}]")
    return found


def _text(data: Mapping[str, Any], name: str, default: str, longest: int = LONGEST) -> str:
    found = data.get(name, default)
    if not isinstance(found, str) or len(found) > longest or not found.isprintable():
        raise BadInput("is not a line of text", field=name, value=found, allowed=f"at most {longest} characters")
    return found


def _flag(given: Mapping[str, Any], name: str, where: str) -> bool:
    found = given.get(name, False)
    if not isinstance(found, bool):
        raise BadInput("is neither true nor false", field=f"{where}.{name}", value=found)
    return found


def _number(given: Mapping[str, Any], name: str, where: str) -> float:
    found = given.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not abs(found) <= LARGEST:
        allowed = f"a number from -{LARGEST:g} to {LARGEST:g}"
        raise BadInput("is not allowed", field=f"{where}.{name}", value=found, allowed=allowed)
    return float(found)


def _whole(given: Mapping[str, Any], name: str, default: int, least: int, most: int, where: str) -> int:
    found = given.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
        allowed = f"a whole number, {least:,} ≤ x ≤ {most:,}"
        raise BadInput("is not allowed", field=f"{where}.{name}", value=found, allowed=allowed)
    return found


def _one_of(given: Mapping[str, Any], name: str, default: str, names: tuple[str, ...], where: str) -> str:
    found = given.get(name, default)
    if found not in names:
        raise BadInput("is not allowed", field=f"{where}.{name}", value=found, allowed=", ".join(names))
    return str(found)
