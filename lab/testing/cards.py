"""The inputs of the suite, a file, a module or a card, and the cards in them that are tested."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from lab.api import HOOKS, Architecture, BadInput, Mixer, PatternStackConfig, Registration, completed
from lab.host import Plugins
from lab.host.card_checks import check_card
from lab.host.discovery import read_file
from lab.host.offers import Cards, Guard, offers_of
from lab.testing.registration_case import KINDS

Card: TypeAlias = Architecture | Mixer


@dataclass(frozen=True, eq=False)
class Offer:
    """The input of the suite: a plugin or one card. The host checks it before any test.

    Args:
        given: A plugin's .py file or folder, its module or the module's name; or a card.
        only: The name of the plugin's cards to test; None means all.
    """

    given: str | Path | ModuleType | Card | Registration
    only: str | None = None

    @property
    def name(self) -> str:
        """The name in failures."""
        return self.given.name if isinstance(self.given, Card | Registration) else _name(self.given)

    @property
    def label(self) -> str:
        """The empty label, since the input is tested as one."""
        return ""

    @cached_property
    def architectures(self) -> dict[str, Architecture]:
        """The architectures to test by name; for a mixer, a stack of it.

        Raises:
            LabError: The host refuses the input, or it registers no card with the name in `only`.
        """
        return self._found[0]

    @property
    def registrations(self) -> list[tuple[str, Registration]]:
        """The other cards to test, each with its kind, such as "corpora".

        Raises:
            LabError: As for `architectures`.
        """
        return self._found[1]

    def named(self, architecture: str) -> Architecture | None:
        """Return an architecture of the same plugin by name, whether tested or not; None if there is none."""
        found = None if isinstance(self.given, Card | Registration) else self._models.get(architecture)
        return None if found is None else self._architecture(found)

    @cached_property
    def _offers(self) -> Cards:
        return _offers(self.given)  # type: ignore[arg-type]  # only for plugins

    @cached_property
    def _models(self) -> dict[str, Card]:
        return _models(self._offers)

    @cached_property
    def _found(self) -> tuple[dict[str, Architecture], list[tuple[str, Registration]]]:
        if isinstance(self.given, Registration):
            kind = next((kind for kind in KINDS if isinstance(self.given, HOOKS[kind])), KINDS[0])
            check_card(kind, self.given, plugin="")
            return {}, [(kind, self.given)]
        if isinstance(self.given, Card):
            check_card("mixers" if isinstance(self.given, Mixer) else "architectures", self.given, plugin="")
            return {self.given.name: self._architecture(self.given)}, []
        cards = self._models
        samplers = self._offers["samplers"]  # which are filters, too
        registrations = [
            (kind, card)
            for kind in KINDS
            for name, card in self._offers[kind].items()
            if kind != "filters" or name not in samplers
        ]
        if self.only is not None:
            names = dict.fromkeys([*cards, *(card.name for _, card in registrations)])
            if self.only not in names:
                what = "registers no card of this name"
                raise BadInput(what, value=self.only, field=self.name, allowed=", ".join(names))
            cards = {name: card for name, card in cards.items() if name == self.only}
            registrations = [(kind, card) for kind, card in registrations if card.name == self.only]
        return {name: self._architecture(card) for name, card in cards.items()}, registrations

    def _architecture(self, card: Card) -> Architecture:
        """Return a mixer as a stack of it; patterns may name the author's mixers and the lab's own."""
        if isinstance(card, Mixer):
            return card.stack()
        if not issubclass(card.config, PatternStackConfig):
            return card
        own = {} if isinstance(self.given, Card | Registration) else self._offers["mixers"]
        return completed(card, {**Plugins(safe_mode=True).cards("mixers"), **own})


def offer_of(card: str | Card | Registration | None, plugin: str | Path | ModuleType | None = None) -> Offer:
    """Return the input of the suite: a card, or the cards of a plugin with this name or all of them.

    Raises:
        ValueError: Neither a card nor a plugin is given.
    """
    if isinstance(card, Card | Registration):
        return Offer(card)
    if plugin is None:
        raise ValueError(f"conformance({card!r}, plugin=…): name the file or module that registers it")
    return Offer(plugin, card)


def _offers(plugin: str | Path | ModuleType) -> Cards:
    """Return every card that the host accepts from a plugin, by kind and name."""
    guard = Guard(_name(plugin))
    module = plugin if isinstance(plugin, ModuleType) else guard.run("its import", lambda: _imported(plugin))
    offers = offers_of(module, guard)
    if not any(offers.values()):
        remedy = "Write a function lab_register_… with @hookimpl (of lab.api) above it"
        raise BadInput("registers no card; is @hookimpl missing?", remedy=remedy, plugin=guard.plugin)
    return offers


def _models(offers: Cards) -> dict[str, Card]:
    """Return architectures and mixers by name; "mixer:NAME" is a mixer with the name of another architecture."""
    cards: dict[str, Card] = dict(offers["architectures"])
    for name, mixer in offers["mixers"].items():
        if name not in cards:
            cards[name] = mixer
        elif getattr(cards[name].config, "mixer", None) is not mixer:
            cards[f"mixer:{name}"] = mixer
    return cards


def _name(plugin: str | Path | ModuleType) -> str:
    """Return the plugin's name as the host uses it."""
    if isinstance(plugin, ModuleType):
        return plugin.__name__
    path = Path(plugin)
    return path.absolute().parent.name if path.name == "__init__.py" else path.name.removesuffix(".py")


def _imported(plugin: str | Path) -> ModuleType:
    path = Path(plugin) / "__init__.py" if Path(plugin).is_dir() else Path(plugin)
    if path.suffix != ".py":
        return importlib.import_module(str(plugin))
    return read_file(f"lab_conformance_{_name(plugin)}", path.absolute())
