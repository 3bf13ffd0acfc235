"""From the names in a recipe to cards with checked settings, and back: the recipe with all of them written out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from lab.base import BadInput, LabError
from lab.base.problems import problem_of
from lab.recipes import LISTED, Choice, Recipe


class Cards(Protocol):
    """Where registered cards are found: lab.host.Plugins."""

    def cards(self, kind: str) -> Mapping[str, Any]:
        """All of a kind, by name."""
        ...

    def card(self, kind: str, name: str, field: str | None = None) -> Any:
        """One card, or BadInput."""
        ...

    def owner(self, kind: str, name: str) -> str:
        """The plugin that registered it."""
        ...


@dataclass(frozen=True)
class Resolved:
    """A card that a recipe names, with its checked settings.

    Args:
        card: The card.
        config: Its settings: the one config object of what is made of it.
        plugin: Who registered it.
        field: Where the recipe names it ("training.optimizer").
    """

    card: Any
    config: Any
    plugin: str
    field: str

    def make(self, *arguments: Any) -> Any:
        """What the card's factory makes of its config and further arguments.

        Raises:
            BadInput: The factory refuses the settings, or what it makes does not fit into memory.
            LabError: The plugin's code raised.
        """
        try:
            return self.card.make(self.config, *arguments)
        except (LabError, KeyboardInterrupt):
            raise
        except MemoryError:
            raise BadInput("does not fit into memory", field=self.field, value=self.card.name) from None
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            raise LabError(problem_of(error, plugin=self.plugin, doing=self.card.title)) from None


def chosen(cards: Cards, kind: str, choice: Choice, field: str) -> Resolved:
    """The card that a recipe names in one place.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
    """
    card = cards.card(kind, choice.name, field=field.rpartition(".")[0] if kind in LISTED else f"{field}.name")
    config = card.config.read(choice.settings, version=choice.version, field=field)
    return Resolved(card, config, cards.owner(kind, choice.name), field)


def all_chosen(recipe: Recipe, cards: Cards) -> dict[str, Resolved]:
    """Every card that a recipe names, by the field that names it; the tokenizer may be the one that its corpus brings.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
    """
    everything = {field: chosen(cards, kind, choice, field) for field, (kind, choice) in recipe.choices().items()}
    brought = everything["corpus"].card.tokenizer  # a source with symbols of its own is cut into just these
    if brought is not None and recipe.tokenizer.name != brought:
        everything["tokenizer"] = chosen(cards, "tokenizers", Choice(name=brought), "tokenizer")
    return everything


def written_out(recipe: Recipe, everything: Mapping[str, Resolved]) -> Recipe:
    """The recipe with all settings of its cards written out, and the version of each card's settings.

    Args:
        recipe: The recipe.
        everything: What `all_chosen` gave for it.
    """
    whole = recipe.model_dump(exclude_none=True)
    for field, one in everything.items():
        values = {"name": one.card.name, "version": one.config.version, **one.config.stored()}
        *outer, last = field.split(".")
        table: Any = whole
        for part in outer:
            table = table[part]
        if isinstance(table, list):  # a list of choices, in which a name stands once
            place = next(place for place, other in enumerate(table) if other["name"] == last)
            table[place] = values
        else:
            table[last] = values  # not laid over the older ones, whose names may be gone
    return type(recipe).read(whole, field="")
