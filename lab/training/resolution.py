"""Resolution of the names in a recipe to cards with checked settings, and recipes with all settings."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from lab.api import DataKind, settings_of
from lab.base import BadInput
from lab.base.process_state import preparing
from lab.recipes import LISTED, Choice, Recipe
from lab.text.corpora.mixture import MIXED, MIXTURE, MixtureConfig, PartConfig

NAMES_OF_DATA: dict[DataKind, str] = {
    "text": "text",
    "examples": "generated examples",
    "pairs": "pairs of texts",
    "labels": "texts with labels",
    "conversations": "conversations",
    "vectors": "vectors",
    "images": "images",
}
"""The names for display of what a corpus gives."""


class Cards(Protocol):
    """A source of registered cards: lab.host.Plugins."""

    def cards(self, kind: str) -> Mapping[str, Any]:
        """Return all cards of a kind, by name."""
        ...

    def card(self, kind: str, name: str, field: str | None = None) -> Any:
        """Return one card, or raise BadInput."""
        ...

    def owner(self, kind: str, name: str) -> str:
        """Return the plugin that registered a card."""
        ...


@dataclass(frozen=True)
class Resolved:
    """A card that a recipe names, with its checked settings.

    Args:
        card: The card.
        config: The config object, which everything made from the card shares.
        plugin: The plugin that registered it.
        field: The field of the recipe that names it ("training.optimizer").
        parts: The corpora of which a mixture consists, by the names of their settings.
    """

    card: Any
    config: Any
    plugin: str
    field: str
    parts: Mapping[str, Resolved] = dataclasses.field(default_factory=dict)

    def make(self, *arguments: Any) -> Any:
        """Call the card's factory with its config and further arguments.

        Raises:
            BadInput: The factory refuses the settings, or its result does not fit into memory.
            LabError: The plugin's code raised.
        """
        with preparing(self.plugin, self.card.title):
            try:
                return self.card.make(self.config, *arguments)
            except MemoryError:
                raise BadInput("does not fit into memory", field=self.field, value=self.card.name) from None


def resolve(cards: Cards, kind: str, choice: Choice, field: str) -> Resolved:
    """Return the card that a field of a recipe names, with its checked settings.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
    """
    card = cards.card(kind, choice.name, field=field.rpartition(".")[0] if kind in LISTED else f"{field}.name")
    config = card.config.read(choice.settings, version=choice.version, field=field)
    parts = _parts(cards, config, field) if isinstance(config, MixtureConfig) else {}
    if parts:  # a mixture gives what its parts give
        card = dataclasses.replace(card, kind=next(iter(parts.values())).card.kind)
    return Resolved(card, config, cards.owner(kind, choice.name), field, parts)


def data_kind(cards: Cards, corpus: Choice) -> DataKind:
    """Return what the corpus of a recipe gives; its settings need not be complete, unless it is a mixture.

    Raises:
        BadInput: There is no such card, or it is a mixture of which a setting is not allowed.
    """
    card = cards.card("corpora", corpus.name, field="corpus.name")
    if issubclass(card.config, MixtureConfig):
        card = resolve(cards, "corpora", corpus, "corpus").card
    kind: DataKind = card.kind
    return kind


def _parts(cards: Cards, mixture: MixtureConfig, field: str) -> dict[str, Resolved]:
    """Return the corpora of which a mixture consists, all of one kind.

    Raises:
        BadInput: There is no such corpus, it cannot be mixed or gives another kind than the first, or needs settings.
    """
    found: dict[str, Resolved] = {}
    kind: DataKind | None = None
    for name, part in mixture.used().items():
        card = cards.card("corpora", part.reader, field=f"{field}.{name}.corpus")
        can_be_mixed = card.kind in MIXED and card.name != MIXTURE
        if not can_be_mixed or kind not in (None, card.kind):
            what, remedy = "is a mixture itself", "Name its parts as parts of this one"
            if can_be_mixed and kind is not None:
                what = f"gives {NAMES_OF_DATA[card.kind]}, and the first corpus gives {NAMES_OF_DATA[kind]}"
                remedy = "Mix corpora of one kind"
            elif card.name != MIXTURE:
                what = f"gives {NAMES_OF_DATA[card.kind]}, which are not mixed"
                remedy = "Train on it alone, or mix corpora of text or of rows"
            kinds = MIXED if kind is None else (kind,)
            corpora = [one for one in cards.cards("corpora").values() if one.kind in kinds and one.name != MIXTURE]
            raise BadInput(
                what,
                field=f"{field}.{name}.{'holds' if part.path else 'corpus'}",
                value=part.holds if part.path else part.corpus,
                allowed=", ".join(kinds if part.path else (one.name for one in corpora)),
                remedy=remedy,
            )
        kind = card.kind
        where = f"{field}.{name}"
        config = _config_of_part(card, part, where)
        found[name] = Resolved(card, config, cards.owner("corpora", card.name), where)
    return found


def _config_of_part(card: Any, part: PartConfig, where: str) -> Any:
    """Return the settings of the corpus of a part.

    Raises:
        BadInput: A setting is not allowed, or names a path.
    """
    try:
        settings = part.corpus_settings()
    except BadInput as error:
        raise BadInput(dataclasses.replace(error.problem, field=f"{where}.settings")) from None
    paths = [one.name for one in settings_of(card.config) if one.path]
    named = next((name for name in paths if _names(settings, name)), None)
    if named is not None:
        what, remedy = "no path stands among the settings of a part", f"Give a file in {where}.path"
        raise BadInput(what, field=f"{where}.settings", value=named, remedy=remedy)
    with field_of_part(part, where):
        return card.config.read(settings | ({"path": part.path} if part.path else {}), field=where)


@contextlib.contextmanager
def field_of_part(part: PartConfig, where: str) -> Iterator[None]:
    """Turn the field of a problem with the settings of a part's corpus into one of the part."""
    try:
        yield
    except BadInput as error:
        own = (error.problem.field or "").removeprefix(where).removeprefix(".")
        if not own or own.partition(".")[0] in type(part).model_fields:
            raise
        value = own if error.problem.value is None else f"{own}={error.problem.value}"
        raise BadInput(dataclasses.replace(error.problem, field=f"{where}.settings", value=value)) from None


def _names(settings: Any, path: str) -> bool:
    """Return True if nested settings hold a value at a dotted path."""
    for part in path.split("."):
        if not isinstance(settings, Mapping) or part not in settings:
            return False
        settings = settings[part]
    return True


def resolve_all(recipe: Recipe, cards: Cards) -> dict[str, Resolved]:
    """Return every card that a recipe names, by field. A corpus may replace the recipe's tokenizer by its own.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
    """
    everything = {field: resolve(cards, kind, choice, field) for field, (kind, choice) in recipe.choices().items()}
    own_tokenizer = everything["corpus"].card.tokenizer  # a source with its own symbols is split into these
    if own_tokenizer is not None and recipe.tokenizer.name != own_tokenizer:
        everything["tokenizer"] = resolve(cards, "tokenizers", Choice(name=own_tokenizer), "tokenizer")
    return everything


def written_out(recipe: Recipe, everything: Mapping[str, Resolved]) -> Recipe:
    """Return the recipe with all settings of its cards written out, and the version of each card's settings.

    Args:
        recipe: The recipe.
        everything: The result of `resolve_all` for it.
    """
    values_by_path = recipe.model_dump(exclude_none=True)
    for field, one in everything.items():
        values = {"name": one.card.name, "version": one.config.version, **one.config.stored()}
        *outer, last = field.split(".")
        table: Any = values_by_path
        for part in outer:
            table = table[part]
        if isinstance(table, list):  # a list of choices with distinct names
            index = next(index for index, other in enumerate(table) if other["name"] == last)
            table[index] = values
        else:
            table[last] = values  # replace the older settings: some may no longer exist
    return type(recipe).read(values_by_path, field="")
