"""The outline of the form: which headings and groups it has, and which settings stand where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lab.api import Setting
from lab.shell.session.live_settings import OF_GRADIENTS

DATA, MODEL, TRAINING = HEADINGS = "Data", "Model", "Training"
"""The headings, from top to bottom."""

CARDS = ("corpus", "tokenizer", "architecture")
"""Fields of a recipe whose cards are chosen in the basic rows."""

NUMBERS = (
    "training.steps",
    "training.budget",
    "training.optimizer.learning_rate",
    "training.batch_size",
    "training.context_length",
)
"""Paths of the settings among the basic rows."""

SECTIONS: Mapping[str, tuple[str, str]] = {
    "corpus": (DATA, "Corpus"),
    "tokenizer": (DATA, "Tokenizer"),
    "architecture": (MODEL, "Architecture"),
    "objective": (TRAINING, "Objective"),
    "training.optimizer": (TRAINING, "Optimizer"),
    "training.schedule": (TRAINING, "Schedule"),
    "adapter": (TRAINING, "Adapter"),
    "distillation": (TRAINING, "Distillation"),
    "training": (TRAINING, "Batches"),
    "readings": (TRAINING, "Recording"),
}
"""Parts of a recipe that have settings: their heading, and the group of settings without one of their own."""

CHOICES = {
    "Objective": "objective", "Optimizer": "training.optimizer", "Schedule": "training.schedule", "Adapter": "adapter",
}  # fmt: skip
"""Groups that start with the choice of a card, and the field of the recipe that names it."""

ORDER: Mapping[str, Sequence[str]] = {
    DATA: ("Corpus", "Tokenizer"),
    MODEL: ("Size",),
    TRAINING: (
        "Objective", "Batches", "Optimizer", "Schedule", "Regularisation", "Adapter", "Distillation",
        "Evaluation", "Checkpoints", "Hardware",
        "Recording",
    ),
}  # fmt: skip
"""Groups that come first under a heading; the others follow in the order of their settings."""
LAST = ("Output", "Initialisation")
"""Groups that come last."""


@dataclass(frozen=True)
class Field:
    """A setting in the form.

    Args:
        section: The part of the recipe that it belongs to ("training.optimizer").
        setting: The setting.
    """

    section: str
    setting: Setting

    @property
    def path(self) -> str:
        """Its path in a recipe."""
        return f"{self.section}.{self.setting.name}"


@dataclass(frozen=True)
class GroupOutline:
    """A group of settings.

    Args:
        heading: The heading it stands under.
        name: Its name, the same in every language.
        title: Its title.
        fields: Its settings, in order.
        choice: The field of the recipe whose card is chosen in it; "" for none.
    """

    heading: str
    name: str
    title: str
    fields: tuple[Field, ...]
    choice: str = ""

    @property
    def key(self) -> str:
        """Its key in stored settings."""
        return f"{self.heading}/{self.name}"

    @property
    def is_nested(self) -> bool:
        """True if it is a config inside the config of a card, such as that of a mixer."""
        return len(self.fields) == 1 and self.fields[0].setting.kind == "group"


def outline(
    settings: Mapping[str, Iterable[Setting]], titles: Mapping[str, str], *, counts: bool = False
) -> list[GroupOutline]:
    """Return the groups of the form, from top to bottom.

    Args:
        settings: The settings of each part of the recipe, by its path.
        titles: Titles of groups for settings without one, by part, instead of those in SECTIONS.
        counts: Whether the model counts instead of learning by gradient.
    """
    fields: dict[tuple[str, str], list[Field]] = {}
    group_titles: dict[str, str] = {}
    for name in () if counts else CHOICES:
        fields[TRAINING, name] = []
    fields.setdefault((TRAINING, "Objective"), [])
    for section, (heading, default) in SECTIONS.items():
        for setting in settings.get(section, ()):
            field = Field(section, setting)
            if field.path in NUMBERS:
                continue
            name, title = setting.group, setting.group
            if not name:
                name = setting.name if _is_own_group(setting) else default
                title = setting.title if _is_own_group(setting) else titles.get(section, default)
            group_titles[name] = title
            under = TRAINING if name in ORDER[TRAINING] and section == "architecture" else heading
            if not (counts and name in OF_GRADIENTS):
                fields.setdefault((under, name), []).append(field)
    groups = [
        GroupOutline(
            heading,
            name,
            group_titles.get(name, name),
            tuple(found),
            CHOICES.get(name, "") if heading == TRAINING else "",
        )
        for (heading, name), found in fields.items()
    ]
    return sorted(groups, key=_rank)


def basic_numbers(settings: Mapping[str, Iterable[Setting]], *, counts: bool = False) -> Iterator[Field]:
    """Yield the settings among the basic rows, from top to bottom."""
    by_path = {f"{section}.{one.name}": Field(section, one) for section, given in settings.items() for one in given}
    for path in NUMBERS:
        if path in by_path and not (counts and by_path[path].setting.group in OF_GRADIENTS):
            yield by_path[path]


def _is_own_group(setting: Setting) -> bool:
    return setting.kind == "group" and not setting.optional


def _rank(group: GroupOutline) -> tuple[int, int, int]:
    first = ORDER[group.heading]
    if group.name in first:
        return list(ORDER).index(group.heading), 0, first.index(group.name)
    return list(ORDER).index(group.heading), 2 if group.name in LAST else 1, 0
