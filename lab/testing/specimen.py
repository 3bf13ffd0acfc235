"""What the checks of parts look at: one card with one config, and the register of those checks by kind of card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from lab.api import HOOKS, Architecture, ModelConfig, Part, Source
from lab.testing.check import Check

KINDS = tuple(kind for kind, card in HOOKS.items() if issubclass(card, Part))
"""The kinds of cards that are no models or commands, each called as in the name of its hook, lab_register_<kind>."""


@dataclass(frozen=True)
class Specimen:
    """One card with one config, and what it is tried on.

    Args:
        kind: One of KINDS.
        card: The card.
        case: What the config is called ("defaults").
        given: The config.
        text: For tokenizers: what they are fitted to; None means tiny.TEXT, or tiny.ASCII where that is refused.
        source: For objectives: what they read; None means a tiny one of the kind that they need.
        model: For probes, interventions, objectives and checkpoint formats: a model that they are made for; None means
            tiny ones.
        architecture: For checkpoint formats: what they name; None means the lab's own of that name.
    """

    kind: str
    card: Any
    case: str
    given: ModelConfig
    text: str | None = None
    source: Source | None = None
    model: Any = None
    architecture: Architecture | None = None

    @property
    def name(self) -> str:
        """The card's name."""
        return str(self.card.name)

    def config(self) -> ModelConfig:
        """A config of its own for one thing that is made."""
        return self.given.model_copy(deep=True)

    def make(self, *arguments: Any, config: ModelConfig | None = None) -> Any:
        """What the factory makes of these arguments and a config, a fresh one unless it is given."""
        return self.card.make(self.config() if config is None else config, *arguments)


Use: TypeAlias = Callable[[Specimen, ModelConfig], Any]

PART_CHECKS: dict[str, dict[str, Check]] = {kind: {} for kind in KINDS}
"""The checks of each kind by name, the most fundamental first."""

USES: dict[str, Use] = {}
"""By kind: makes a part with a config and uses it in the way of a run, so that it reads its settings."""

_Run = TypeVar("_Run", bound=Callable[[Specimen], None])
_Use = TypeVar("_Use", bound=Use)


def part_check(*kinds: str, name: str, after: str | None = "contract") -> Callable[[_Run], _Run]:
    """Makes a check of a function, whose docstring is its title.

    Args:
        *kinds: The kinds of cards it looks at.
        name: What its test is called; unique within each kind.
        after: The check of the same kind that must be passed first: where it fails, this one would mislead.
    """

    def add(run: _Run) -> _Run:
        title = (run.__doc__ or "").strip().partition("\n")[0]
        for kind in kinds:
            PART_CHECKS[kind][name] = Check(name, title, frozenset(), after, run)
        return run

    return add


def use_of(kind: str) -> Callable[[_Use], _Use]:
    """Says of a function how parts of this kind are made and used."""

    def add(use: _Use) -> _Use:
        USES[kind] = use
        return use

    return add
