"""The tables of a page about a run: recipe, events, lineage and provenance."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from lab.api import settings_of
from lab.base.problems import LabError
from lab.interop.report.markup import Content, Markup, element, joined, table
from lab.interop.report.words import number, tr, tr_n, tr_name, words
from lab.recipes import Choice, Recipe
from lab.runs import RunFolder
from lab.runs.library.recipe_fields import Value, fields_of, read_fields
from lab.training.resolution import Cards, resolve

OMITTED_FACTS = ("format", "id", "created", "parent", "vocabulary", "probe_text", "floors", "plugins")
"""Facts of a run that are shown elsewhere in the page or mean nothing to the user."""


def recipe_section(run: RunFolder, cards: Cards | None) -> Markup:
    """Return the section of the recipe: first the settings that differ from the defaults, then the others.

    Args:
        run: The run.
        cards: Source of the defaults of settings of cards; None shows them without defaults.

    Raises:
        LabError: Its recipe cannot be read.
    """
    stored = read_fields(run.recipe, run.name)
    settings = {path: value for path, value in stored.items() if path.rpartition(".")[2] not in ("format", "version")}
    defaults, units, titles = _defaults(run, cards)
    changed = {path: value for path, value in settings.items() if path not in defaults or defaults[path] != value}
    same = {path: value for path, value in settings.items() if path not in changed}

    def rows(shown: Mapping[str, Value]) -> list[tuple[Content, ...]]:
        return [
            (
                _label_of(path, titles),
                _shown(value, units.get(path)),
                _shown(defaults[path]) if path in defaults else "",
            )
            for path, value in shown.items()
            if value not in ("", ())
        ]

    heads = (tr("setting"), tr("value of the setting"), tr("default"))
    first = table(rows(changed), *heads, class_="changed")
    rest = None
    if same:
        summary = tr_n("1 setting at its default", "{n} settings at their defaults", len(same))
        rest = element("details", element("summary", summary), table(rows(same), *heads))
    return section(tr("Recipe"), first, rest)


def _defaults(run: RunFolder, cards: Cards | None) -> tuple[dict[str, Value], dict[str, str], dict[str, str]]:
    """Return defaults, units and titles by the path of a setting, as far as they are known."""
    defaults = fields_of(Recipe().model_dump(mode="json", exclude_none=True))
    known = list(settings_of(Recipe))
    with contextlib.suppress(LabError):  # a recipe that this lab cannot read is shown without defaults
        recipe = run.read_recipe()
        for field, (kind, choice) in recipe.choices().items() if cards is not None else ():
            with contextlib.suppress(LabError):  # its plugin is missing, or it has a setting without a default
                config = type(resolve(cards, kind, Choice(name=choice.name), field).config)  # type: ignore[arg-type]
                known += settings_of(config, prefix=f"{field}.")
    for setting in known:
        if isinstance(setting.default, bool | int | float | str):
            defaults[setting.name] = setting.default
    units = {setting.name: setting.unit for setting in known if setting.unit}
    return defaults, units, {setting.name: setting.title for setting in known}


def events_section(events: Sequence[Mapping[str, Any]]) -> Markup:
    """Return the section of the events during training, oldest first."""
    rows: list[tuple[Content, ...]] = [
        (_shown(event.get("step")), event_text(event), format_time(event.get("time")).removesuffix(" UTC"))
        for event in events
    ]
    heads = (tr("step"), tr("event"), tr("time (UTC)"))
    return section(tr("Events"), table(rows, *heads, class_="events")) if rows else Markup()


def event_text(event: Mapping[str, Any]) -> str:
    """Describe an event."""
    kind = str(event.get("event", "event"))
    if kind == "set":
        name = str(event.get("path", "")).rpartition(".")[2].replace("_", " ")
        return f"{name} {_shown(event.get('before'))} → {_shown(event.get('value'))}"
    if kind == "problem":
        return ". ".join(
            words().message(str(event[part])).rstrip(".") for part in ("what", "remedy") if event.get(part)
        )
    details = fields_of({name: value for name, value in event.items() if name not in ("event", "step", "time")})
    return ", ".join([tr_name(kind), *(f"{_label_of(name)} {_shown(value)}" for name, value in details.items())])


def lineage_section(run: RunFolder) -> Markup:
    """Return the section of the parent run and the changes; empty for a run without a parent."""
    parent = run.parent
    if parent is None:
        return Markup()
    step = number(f"{parent['step']:,}")
    branched = tr("Branched off the run {run} at step {step}.", run=parent.get("name"), step=step)
    origin = element("p", branched, " ", tr("Its identity: {id}.", id=parent.get("id")))
    stored = parent.get("changes")
    changes = [str(change).partition("=") for change in stored] if isinstance(stored, list) else []
    rows: list[tuple[Content, ...]] = [(_label_of(path), value) for path, _, value in changes]
    heads = (tr("changed setting"), tr("value of the setting"))
    return section(tr("Lineage"), origin, table(rows, *heads) if rows else None)


def provenance_section(run: RunFolder) -> Markup:
    """Return the section of provenance: versions, machine, corpus, command."""
    facts = {name: value for name, value in run.facts.items() if name not in OMITTED_FACTS}
    plugins = run.facts.get("plugins")
    rows: list[tuple[Content, ...]] = [(tr("identity of the run"), run.id), (tr("made"), format_time(run.created))]
    rows += [(_label_of(path), _shown(value)) for path, value in fields_of(facts).items() if value not in ((), "")]
    rows += [(tr("Plugins"), ", ".join(map(str, plugins)))] if isinstance(plugins, dict) else []
    return section(tr("Provenance"), table(rows))


def section(title: str, *content: Content, class_: str | None = None) -> Markup:
    """Return a section of the page with its title."""
    return element("section", element("h2", title), joined(*content), class_=class_)


def format_time(time: Any) -> str:
    """Format a time, in seconds since 1970 or ISO 8601, as "2026-11-21 23:05:01 UTC"; "" if it is not a time."""
    with contextlib.suppress(ValueError, OverflowError, OSError, TypeError):
        read = datetime.fromisoformat(time) if isinstance(time, str) else datetime.fromtimestamp(time, UTC)
        return f"{read.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    return ""


def _label_of(path: str, titles: Mapping[str, str] | None = None) -> str:
    """Return the words of a path; in another language than English the title of the setting, if it is translated."""
    title = (titles or {}).get(path, "")
    if words().code != "en" and tr_name(title) != title:
        return tr_name(title)
    return path.removesuffix(".name").replace(".", " · ").replace("_", " ")


def _shown(value: Any, unit: str | None = None) -> str:
    """Format a value exactly, for display."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int):
        return number(f"{value:,}") + (f" {tr_name(unit)}" if unit and value != 1 else "")
    if isinstance(value, float):
        return number(f"{value!r}") + (f" {tr_name(unit)}" if unit else "")
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return "" if value is None else str(value)
