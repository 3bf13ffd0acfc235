"""The registry of cards and their owners, a pure function of the plugins' offers and their order."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from lab.api import HOOKS, ObjectiveCard, completed, load
from lab.base.problems import LabError, Problem
from lab.host.card_checks import TASKS, check_tasks
from lab.host.offers import Cards, Guard
from lab.host.reserved import COMMANDS

LAB = "lab"
"""The owner of names that are reserved for the lab."""


def singular(kind: str) -> str:
    """Return the singular of a kind: "corpora" -> "corpus"."""
    return {"corpora": "corpus", "strategies": "strategy"}.get(kind, kind.removesuffix("s"))


class Registry:
    """All registered cards; if two plugins register the same name, the first gets it and the other gets a problem.

    Architectures whose blocks a pattern names get the settings of all offered mixers.

    Args:
        offers: The cards of each plugin, by its name, in loading order.

    Attributes:
        cards: The cards by kind and by name, sorted.
        owners: The plugin of each card, by (kind, name).
        conflicts: The problems of refused cards, by plugin.
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
        """Return the names of a plugin's cards, by kind, sorted; kinds without cards are left out."""
        named = {kind: tuple(name for name in self.cards[kind] if self.owners[kind, name] == plugin) for kind in HOOKS}
        return {kind: names for kind, names in named.items() if names}

    def _complete(self, architectures: dict[str, Any]) -> None:
        """Add the registered mixers to patterns; a card that cannot be completed becomes a problem and is removed.

        So does one with a task that no objective needs.
        """
        mixers = self.cards["mixers"]
        needed = self._needed() if any(card.tasks - {*TASKS} for card in architectures.values()) else frozenset()
        for name, card in list(architectures.items()):
            plugin = self.owners["architectures", name]
            try:
                check_tasks(card, needed)
                architectures[name] = Guard(plugin).run("adding mixers", partial(completed, card, mixers))
            except LabError as error:
                del architectures[name], self.owners["architectures", name]
                self._add_conflict(plugin, replace(error.problem, plugin=plugin))

    def _needed(self) -> frozenset[str]:
        """Return what the registered objectives need; those that cannot be made need nothing."""
        needed = set()
        for name, card in self.cards["objectives"].items():
            with contextlib.suppress(LabError):
                made = Guard(self.owners["objectives", name]).run("making the objective", partial(_made, card))
                needed.add(getattr(made, "needs", "causal"))
        return frozenset(needed)

    def _add_conflict(self, plugin: str, problem: Problem) -> None:
        self.conflicts[plugin] = (*self.conflicts.get(plugin, ()), problem)

    def _refuse_card(self, plugin: str, owner: str, kind: str, name: str) -> None:
        noun = singular(kind)
        if owner == LAB:
            what = f"{name} is a {noun} of the lab itself, which is used; the plugin {plugin} registers it too"
            remedy = f"Rename it, or turn the plugin off: lm-lab plugins disable {plugin}"
        else:
            what = f"the plugins {owner} and {plugin} both register the {noun} {name}; that of {owner} is used"
            remedy = f"Rename one of them, or turn one plugin off: lm-lab plugins disable {owner}"
        problem = Problem(what, field=f"{kind}.{name}", remedy=remedy, plugin=plugin)
        self._add_conflict(plugin, problem)


def _made(card: ObjectiveCard) -> Any:
    return load(card.build)(card.config.read({}))
