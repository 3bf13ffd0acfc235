"""The reference of all settings, made from the configs of the registered cards: Markdown pages, and entries by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import BaseModel

from lab.api import Setting, settings_of
from lab.host import Plugins
from lab.recipes import Choice, Distillation, Readings, Training

KINDS = {
    "architectures": ("Architectures", "architecture"),
    "mixers": ("Mixers", "architecture"),
    "corpora": ("Corpora", "corpus"),
    "tokenizers": ("Tokenizers", "tokenizer"),
    "objectives": ("Objectives", "objective"),
    "optimizers": ("Optimizers", "training.optimizer"),
    "schedules": ("Schedules", "training.schedule"),
    "adapters": ("Adapters", "adapter"),
    "strategies": ("Strategies", ""),
    "filters": ("Filters", ""),
    "probes": ("Probes", "readings.probes"),
    "observers": ("Observers", "observers"),
}
"""Kinds of cards that have settings: their title, and the path of their settings in a recipe."""
NAMED = ("mixers", "probes", "observers")
"""Kinds whose settings are stored under the name of the card."""
OWN_PAGES = ("architectures",)
"""Kinds with a page for each card; the cards of each other kind share one."""


@dataclass(frozen=True)
class SettingsEntry:
    """The settings of one card, or of a part of every recipe.

    Args:
        name: Name of the card.
        title: Its title.
        kind: Its kind ("architectures"); "recipe" for a part of every recipe.
        summary: One sentence about it.
        path: Path of its settings in a recipe; "" if recipes have no settings of this kind.
        config: The config.
        notes: Further sentences, such as its presets.
    """

    name: str
    title: str
    kind: str
    summary: str
    path: str
    config: type[BaseModel]
    notes: tuple[str, ...] = ()

    def settings(self) -> Iterator[Setting]:
        """Yield the settings without those of mixers in the config of a hybrid, which have entries of their own."""
        for setting in settings_of(self.config, nested=False):
            if setting.kind != "group" or setting.config is None:
                yield setting
            elif setting.config is Choice:  # the settings of the named card have entries of their own
                name, default = f"{setting.name}.name", getattr(setting.default, "name", None)
                yield replace(setting, name=name, kind="text", config=None, default=default)
            elif self.kind != "architectures" or len(_groups(self.config)) == 1:
                yield from settings_of(setting.config, prefix=f"{setting.name}.")


@dataclass(frozen=True)
class SettingsPage:
    """A page of the reference.

    Args:
        name: Name of the page ("transformer", "corpora").
        title: Its title.
        text: The page in Markdown; on a page of several cards each has its name as heading.
    """

    name: str
    title: str
    text: str


def settings_entries(plugins: Plugins) -> list[SettingsEntry]:
    """Return everything that has settings: the parts of every recipe, then the registered cards by kind."""
    entries = [
        SettingsEntry("training", "Training", "recipe", "How every model is trained.", "training", Training),
        SettingsEntry(
            "distillation",
            "Distillation",
            "recipe",
            "Learning from the predictions of another run.",
            "distillation",
            Distillation,
        ),
        SettingsEntry("readings", "Readings", "recipe", "What a run records of its model.", "readings", Readings),
    ]
    for kind, (_, path) in KINDS.items():
        for name, card in plugins.cards(kind).items():
            own = f"{path}.{name.replace('-', '_') if kind == 'mixers' else name}" if kind in NAMED else path
            notes = []
            if getattr(card, "presets", None):
                notes.append(f"Presets: {', '.join(card.presets)}.")
            if getattr(card, "baselines", None):
                notes.append(f"Baselines: {', '.join(card.baselines)}.")
            references = [reference.rstrip(".") for reference in getattr(card, "references", ())]
            notes += [f"From {'; '.join(references)}."] if references else []
            entries.append(SettingsEntry(name, card.title, kind, card.summary, own, card.config, tuple(notes)))
    return entries


def settings_pages(plugins: Plugins) -> list[SettingsPage]:
    """Return the reference as pages: the parts of every recipe, each architecture, and the other kinds of cards."""
    entries = settings_entries(plugins)
    pages = [_page_of_one(entry) for entry in entries if entry.kind in ("recipe", *OWN_PAGES)]
    for kind, (title, _) in KINDS.items():
        cards = [entry for entry in entries if entry.kind == kind]
        if cards and kind not in OWN_PAGES:
            parts = [f"# {title}", *(f"## {entry.name}\n\n*{entry.title}.* {_body(entry)}" for entry in cards)]
            pages.append(SettingsPage(kind, title, "\n\n".join(parts)))
    return pages


def default_text(setting: Setting) -> str:
    """Return the default of a setting in the form that --set accepts."""
    value = setting.default.kind if setting.kind == "union" and setting.default else setting.default
    if value is None:
        return "(nothing)" if setting.optional else "(needed)"
    if isinstance(value, list | tuple):
        return json.dumps(value, default=lambda card: card.name)
    if value == "":
        return '""'
    return str(value).lower() if isinstance(value, bool) else str(value)


def facts_of(setting: Setting) -> list[str]:
    """Return the allowed values of a setting, its unit, "live" if a training can change it, and its citation."""
    facts = [setting.allowed()]
    facts += [setting.unit] if setting.unit else []
    facts += ["live"] if setting.live else []
    facts += [setting.cite] if setting.cite else []
    return facts


def _groups(config: type[BaseModel]) -> list[str]:
    return [setting.name for setting in settings_of(config, nested=False) if setting.kind == "group"]


def _page_of_one(entry: SettingsEntry) -> SettingsPage:
    return SettingsPage(entry.name, entry.title, f"# {entry.title}\n\n{_body(entry)}")


def _body(entry: SettingsEntry) -> str:
    parts = [part for part in (entry.summary, *entry.notes) if part]
    if entry.kind == "architectures" and len(_groups(entry.config)) > 1:
        parts.append("The settings of each mixer are under its name; the page Mixers explains them.")
    settings = list(_paragraphs(entry.path, entry.settings()))
    return "\n\n".join([*parts, *(settings or ["It has no settings."])])


def _paragraphs(path: str, settings: Iterator[Setting]) -> Iterator[str]:
    for setting in settings:
        if setting.kind == "group":
            continue
        name = f"{path}.{setting.name}" if path else setting.name
        if setting.kind == "union":
            name += ".kind"
        facts = " · ".join(_plain(fact) for fact in facts_of(setting))
        yield f"### `{name}` = `{default_text(setting)}`"
        label = f"**{_plain(setting.label)}.** " if setting.label else ""
        yield f"{label}{_plain(setting.help)} *{facts[0].upper()}{facts[1:]}.*"
        for kind, variant in setting.variants.items():
            yield f"With `{name} = {kind}`:"
            yield from _paragraphs(name.removesuffix(".kind"), settings_of(variant))


def _plain(text: str) -> str:
    """Return a text with its markup characters escaped."""
    return "".join(f"\\{sign}" if sign in "*_`<>[]\\|" else sign for sign in text)
