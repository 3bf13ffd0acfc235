"""The strategy and the filters of the next text, without Qt: what is chosen, in which order, with which settings."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import ModelConfig
from lab.base.problems import LabError
from lab.host import Plugins
from lab.recipes import Decoding


class DecodingDraft:
    """Strategy and filters as the user chose them; each card keeps its settings while it is not used.

    Args:
        plugins: The plugins that provide strategies and filters.

    Attributes:
        strategy: The name of the strategy.
        filters: The names of the filters in the order in which they are applied.
    """

    def __init__(self, plugins: Plugins) -> None:
        usual = Decoding()
        self._plugins = plugins
        self._configs: dict[tuple[str, str], ModelConfig] = {}
        self.strategy = usual.strategy.name
        self.filters = [one.name for one in usual.filters]

    def config(self, kind: str, name: str) -> ModelConfig:
        """Return the settings of a card of "strategies" or "filters"."""
        if (kind, name) not in self._configs:
            self._configs[kind, name] = self._plugins.card(kind, name).config()
        return self._configs[kind, name]

    def edit(self, kind: str, name: str, path: str, value: object) -> None:
        """Change a setting of a card.

        Raises:
            BadInput: The value is not allowed.
        """
        config = self.config(kind, name)
        self._configs[kind, name] = type(config).read({**config.stored(), path: value})

    def drop_missing(self) -> bool:
        """Drop strategy and filters that no plugin provides any more; return True if one of them was chosen."""
        before = self.strategy, self.filters
        cards = {kind: self._plugins.cards(kind) for kind in ("strategies", "filters")}
        self._configs = {(kind, name): one for (kind, name), one in self._configs.items() if name in cards[kind]}
        self.filters = [name for name in self.filters if name in cards["filters"]]
        if self.strategy not in cards["strategies"]:
            self.strategy = Decoding().strategy.name
        return before != (self.strategy, self.filters)

    @property
    def unused(self) -> list[str]:
        """The names of the filters that can be added."""
        return [name for name in self._plugins.cards("filters") if name not in self.filters]

    def add(self, name: str) -> None:
        """Apply a filter after all others."""
        self.filters.append(name)

    def remove(self, name: str) -> None:
        """Apply a filter no more."""
        self.filters.remove(name)

    def move(self, name: str, index: int) -> bool:
        """Move a filter to an index, the nearest one there is; return True if that is another one than before."""
        index = min(max(index, 0), len(self.filters) - 1)
        is_other = self.filters.index(name) != index
        self.filters.remove(name)
        self.filters.insert(index, name)
        return is_other

    def decoding(self, *, stop: Sequence[str], stop_symbols: Sequence[str], end_of_text: bool) -> Decoding:
        """Return the decoding of a text.

        Args:
            stop: The stop strings.
            stop_symbols: The tokens that end the text, as text.
            end_of_text: Whether the text ends at the symbol for the end of a text.
        """
        stops = {"stop": list(stop), "stop_symbols": list(stop_symbols), "end_of_text": end_of_text}
        return Decoding.read({**self.state_dict(), **stops})

    def state_dict(self) -> dict[str, Any]:
        """Return the strategy and the filters with their settings."""
        return {
            "strategy": self._stored("strategies", self.strategy),
            "filters": [self._stored("filters", name) for name in self.filters],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; cards and settings that are not there any more are left out."""
        if "sampler" in state:
            state = _of_sampler(state)
        strategy, filters = state.get("strategy"), state.get("filters")
        if isinstance(strategy, Mapping) and self._load("strategies", strategy):
            self.strategy = strategy["name"]
        if isinstance(filters, list):
            found = [one["name"] for one in filters if isinstance(one, Mapping) and self._load("filters", one)]
            self.filters = list(dict.fromkeys(found))

    def take_preset(self, preset: Mapping[str, Any]) -> list[str]:
        """Choose what a preset has; a strategy without settings keeps those that it has.

        Returns:
            The names of its strategy and filters that no plugin provides; they are left out.
        """
        strategy = preset["strategy"]
        if len(strategy) == 1 and strategy["name"] in self._plugins.cards("strategies"):
            strategy = self._stored("strategies", strategy["name"])
        cards = {"strategies": [strategy["name"]], "filters": [one["name"] for one in preset["filters"]]}
        self.load_state_dict({**preset, "strategy": strategy})
        return [name for kind, names in cards.items() for name in names if name not in self._plugins.cards(kind)]

    def matches(self, preset: Mapping[str, Any]) -> bool:
        """Return True if strategy, filters, their order and their settings are those of a preset."""
        strategy, filters = preset["strategy"], preset["filters"]
        if not strategy.items() <= self._stored("strategies", self.strategy).items():
            return False
        if [one["name"] for one in filters] != self.filters:
            return False
        usual = [{"name": name, **type(self.config("filters", name))().stored()} for name in self.filters]
        now = [self._stored("filters", name) for name in self.filters]
        return all({**default, **one} == its for default, one, its in zip(usual, filters, now, strict=True))

    def _stored(self, kind: str, name: str) -> dict[str, Any]:
        return {"name": name, **self.config(kind, name).stored()}

    def _load(self, kind: str, stored: Mapping[str, Any]) -> bool:
        """Take the settings of a card if they are allowed; return True if there is such a card."""
        name = stored.get("name")
        if not isinstance(name, str) or name not in self._plugins.cards(kind):
            return False
        with contextlib.suppress(LabError, TypeError):
            config = self._plugins.card(kind, name).config
            settings = {key: value for key, value in stored.items() if key not in ("name", "version")}
            version = stored.get("version")  # of a recipe; the window stores settings of the present version
            self._configs[kind, name] = config.read(settings, version=version if isinstance(version, int) else None)
        return True


def _of_sampler(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the window stored as a sampler and its settings, before there were strategies and filters."""
    settings = state.get("settings")
    named = settings if isinstance(settings, Mapping) else {}
    if state["sampler"] != Decoding().strategy.name:
        return {"filters": [{"name": state["sampler"], **named}]}
    given = {"temperature": ("temperature", "temperature"), "top-k": ("k", "top_k"), "top-p": ("p", "top_p")}
    return {
        "filters": [
            {"name": name, **({field: named[old]} if old in named else {})} for name, (field, old) in given.items()
        ]
    }
