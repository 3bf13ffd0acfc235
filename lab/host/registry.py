"""The registry of cards: who owns which one, a pure function of what the plugins offer and their order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lab.api import HOOKS, completed
from lab.base.problems import LabError, Problem
from lab.host.offers import Cards, Guard
from lab.host.reserved import COMMANDS

LAB = "lab"
"""The owner of names that the lab keeps for itself."""


def singular(kind: str) -> str:
    """Return the word for one card of a kind: "corpora" -> "corpus"."""
    return {"corpora": "corpus"}.get(kind, kind.removesuffix("s"))


class Registry:
    """All registered cards; where two plugins register one name, the first has it and the other gets a problem.

    Architectures whose blocks a pattern names get the settings of all mixers on offer.

    Args:
        offers: What each plugin offers, by its name, in the order in which they load.

    Attributes:
        cards: By kind, by name, sorted.
        owners: The plugin of a card, by (kind, name).
        conflicts: By plugin, one problem per card of it that was refused.
    """

    def __init__(self, offers: Mapping[str, Cards]) -> None:
        found: Cards = {kind: {} for kind in HOOKS}
        self.owners: dict[tuple[str, str], str] = {("commands", name): LAB for name in COMMANDS}
        self.conflicts: dict[str, tuple[Problem, ...]] = {}
        for plugin, cards in offers.items():
            for kind, named in cards.items():
                for name, card in named.items():
                    owner = self.owners.setdefault((kind, name), plugin)
                    if owner == plugin:
                        found[kind][name] = card
                    else:
                        self._refuse_card(plugin, owner, kind, name)
        self.cards: dict[str, dict[str, Any]] = {kind: dict(sorted(named.items())) for kind, named in found.items()}
        self._complete(self.cards["architectures"])

    def owned_by(self, plugin: str) -> dict[str, tuple[str, ...]]:
        """Return names of a plugin's cards, by kind, sorted; kinds of which it has none are left out."""
        named = {kind: tuple(name for name in self.cards[kind] if self.owners[kind, name] == plugin) for kind in HOOKS}
        return {kind: names for kind, names in named.items() if names}

    def _complete(self, architectures: dict[str, Any]) -> None:
        """Give patterns the registered mixers; a card that cannot be completed becomes a problem and is not offered."""
        mixers = self.cards["mixers"]
        for name, card in list(architectures.items()):
            plugin = self.owners["architectures", name]
            try:
                architectures[name] = Guard(plugin).run("adding mixers", partial(completed, card, mixers))
            except LabError as error:
                del architectures[name], self.owners["architectures", name]
                self._add_conflict(plugin, error.problem)

    def _add_conflict(self, plugin: str, problem: Problem) -> None:
        self.conflicts[plugin] = (*self.conflicts.get(plugin, ()), problem)

    def _refuse_card(self, plugin: str, owner: str, kind: str, name: str) -> None:
        word = singular(kind)
        if owner == LAB:
            what = f"{name} is a {word} of the lab itself, which is used; the plugin {plugin} registers it too"
            remedy = f"Rename it, or turn the plugin off: lm-lab plugins disable {plugin}"
        else:
            what = f"the plugins {owner} and {plugin} both register the {word} {name}; that of {owner} is used"
            remedy = f"Rename one of them, or turn one plugin off: lm-lab plugins disable {owner}"
        problem = Problem(what, field=f"{kind}.{name}", remedy=remedy, plugin=plugin)
        self._add_conflict(plugin, problem)
