"""From what an author hands over, a file, a module, a card, to the architectures that are tested."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from lab.api import Architecture, BadInput, Mixer
from lab.host.card_checks import check_card
from lab.host.discovery import read_file
from lab.host.offers import Guard, offers_of

Card: TypeAlias = Architecture | Mixer


@dataclass(frozen=True, eq=False)
class Offer:
    """What an author hands over: a plugin, or one card. The host has its say before anything of it is tested.

    Args:
        given: A plugin's .py file or folder, its module or the module's name; or a card.
        only: The one card of a plugin that is wanted, by name; None means all.
    """

    given: str | Path | ModuleType | Card
    only: str | None = None

    @property
    def name(self) -> str:
        """What it is called in a failure."""
        return self.given.name if isinstance(self.given, Card) else _name(self.given)

    @property
    def case(self) -> str:
        """It is looked at as a whole."""
        return ""

    @cached_property
    def architectures(self) -> dict[str, Architecture]:
        """What is tested, by name; a mixer's is a stack of it.

        Raises:
            LabError: The host refuses it, or it registers nothing of the name that is wanted.
        """
        if isinstance(self.given, Card):
            check_card("mixers" if isinstance(self.given, Mixer) else "architectures", self.given, plugin="")
            return {self.given.name: _architecture(self.given)}
        cards = cards_of(self.given)
        if self.only is None:
            return {name: _architecture(card) for name, card in cards.items()}
        if self.only not in cards:
            what = "registers no architecture or mixer of this name"
            raise BadInput(what, value=self.only, field=self.name, allowed=", ".join(cards) or "none")
        return {self.only: _architecture(cards[self.only])}


def offer_of(card: str | Card | None, plugin: str | Path | ModuleType | None = None) -> Offer:
    """A card; or what a plugin registers under a name, or all that it registers where no name is given.

    Raises:
        ValueError: There is neither a card nor a plugin.
    """
    if isinstance(card, Card):
        return Offer(card)
    if plugin is None:
        raise ValueError(f"conformance({card!r}, plugin=…): say which file or module registers it")
    return Offer(plugin, card)


def architecture_of(card: str | Card, plugin: str | Path | ModuleType | None = None) -> Architecture:
    """The architecture of a card, or of the name under which a plugin registers one; a mixer's is a stack of it.

    Raises:
        LabError: The host refuses it, or the plugin registers nothing of that name.
        ValueError: A name is given without a plugin.
    """
    (architecture,) = offer_of(card, plugin).architectures.values()
    return architecture


def cards_of(plugin: str | Path | ModuleType) -> dict[str, Card]:
    """The architectures and mixers that the host takes from a plugin, by name.

    A mixer beside another architecture of its name is called "mixer:NAME".

    Raises:
        LabError: The host refuses the plugin.
    """
    guard = Guard(_name(plugin))
    module = plugin if isinstance(plugin, ModuleType) else guard.run("its import", lambda: _imported(plugin))
    offers = offers_of(module, guard)
    if not any(offers.values()):
        remedy = "Write a function lab_register_… with @hookimpl (of lab.api) above it"
        raise BadInput("registers no card; is @hookimpl missing?", remedy=remedy, plugin=guard.plugin)
    cards: dict[str, Card] = dict(offers["architectures"])
    for name, mixer in offers["mixers"].items():
        if name not in cards:
            cards[name] = mixer
        elif getattr(cards[name].config, "mixer", None) is not mixer:
            cards[f"mixer:{name}"] = mixer
    return cards


def _name(plugin: str | Path | ModuleType) -> str:
    """The plugin's name, as the host would call it."""
    if isinstance(plugin, ModuleType):
        return plugin.__name__
    path = Path(plugin)
    return path.absolute().parent.name if path.name == "__init__.py" else path.name.removesuffix(".py")


def _imported(plugin: str | Path) -> ModuleType:
    path = Path(plugin) / "__init__.py" if Path(plugin).is_dir() else Path(plugin)
    if path.suffix != ".py":
        return importlib.import_module(str(plugin))
    return read_file(f"lab_conformance_{_name(plugin)}", path.absolute())


def _architecture(card: Card) -> Architecture:
    return card.stack() if isinstance(card, Mixer) else card
