"""The facts beside the headings and groups of the form: a summary of the values, and how many settings differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.api import Setting, without_effect
from lab.shell.recipe.outline import DATA, MODEL, TRAINING, GroupOutline
from lab.shell.recipe.summaries import ENGLISH, Wording, summary

SUMMED = ("training.optimizer", "training.schedule")
"""The choices that the heading of the training names; of a model that counts it names the objective."""


@dataclass(frozen=True)
class Part:
    """A part of the recipe.

    Args:
        settings: Its settings.
        values: Their values, by name.
        idle: The names of those without effect.
    """

    settings: Sequence[Setting]
    values: Mapping[str, Any]
    idle: Collection[str]


def facts_of(
    groups: Sequence[GroupOutline],
    parts: Mapping[str, Part],
    titles: Mapping[str, str],
    differing: Collection[str],
    wording: Wording = ENGLISH,
) -> dict[str, tuple[str, int]]:
    """Return the summary of every heading and group, and the number of its settings that differ, by key.

    Args:
        groups: The groups.
        parts: The parts of the recipe, by path.
        titles: The titles of the selected cards, by the field of the recipe.
        differing: The paths of the settings that differ, and the fields of the cards that do.
        wording: The wording of the language.
    """
    facts = {
        one.key: (_summary_of(one, parts, titles.get(one.choice, ""), wording), _count(one, differing))
        for one in groups
    }
    model = parts.get("architecture", Part((), {}, ()))
    effective = [one for one in model.settings if one.name not in model.idle]
    choices = [one.choice for one in groups if one.choice]
    named = [one for one in choices if one in SUMMED] or [one for one in choices if one == "objective"]
    texts = {
        DATA: ", ".join(text for key, (text, _) in facts.items() if key.startswith(DATA) and text),
        MODEL: summary(effective, model.values, wording=wording),
        TRAINING: ", ".join(wording.inside(titles[one]) if at else titles[one] for at, one in enumerate(named)),
    }
    for heading, text in texts.items():
        facts[heading] = text, sum(count for key, (_, count) in facts.items() if key.startswith(f"{heading}/"))
    return facts


def _summary_of(group: GroupOutline, parts: Mapping[str, Part], first: str, wording: Wording) -> str:
    """Return the summary of a group, which starts with the title of its card; of a nested config that of its values."""
    fields = [one for one in group.fields if one.setting.name not in parts[one.section].idle]
    settings = [one.setting for one in fields]
    values = {one.setting.name: parts[one.section].values.get(one.setting.name) for one in fields}
    if group.is_nested and settings and settings[0].config is not None:
        values = dict(values[settings[0].name] or {})
        idle = without_effect(settings[0].config, values)
        settings = [one for one in wording.settings(settings[0].config) if one.name not in idle]
    return summary(settings, values, first, wording)


def _count(group: GroupOutline, differing: Collection[str]) -> int:
    """Return how many settings of a group differ; its card is one of them."""
    inner = sum(f"{path}.".startswith(f"{field.path}.") for path in differing for field in group.fields)
    return inner + (group.choice in differing)
