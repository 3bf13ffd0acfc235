"""Cases of the checks of registrations other than models, and the registry of those checks by kind of card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from lab.api import HOOKS, Architecture, ModelConfig, Source
from lab.api.registrations import Registration
from lab.testing.check import Check

KINDS = tuple(kind for kind, card in HOOKS.items() if issubclass(card, Registration))
"""The kinds of cards other than models and commands, by the last part of their hook, lab_register_<kind>."""


@dataclass(frozen=True)
class RegistrationCase:
    """One card with one config, and the inputs it is tested on.

    Args:
        kind: One of KINDS.
        card: The card.
        label: The name of the config ("defaults").
        given: The config.
        text: For tokenizers: the text they are fitted to; None means tiny.TEXT, or tiny.ASCII if that is refused.
        source: For objectives: the source they read; None means a tiny one of the kind that they need.
        model: For probes, interventions, objectives and checkpoint formats: a model that they support; None means tiny
            ones.
        architecture: For checkpoint formats: the architecture they name; None means the lab's own of that name.
    """

    kind: str
    card: Any
    label: str
    given: ModelConfig
    text: str | None = None
    source: Source | None = None
    model: Any = None
    architecture: Architecture | None = None

    @property
    def name(self) -> str:
        """The name of the card."""
        return str(self.card.name)

    def config(self) -> ModelConfig:
        """Return a new copy of the config."""
        return self.given.model_copy(deep=True)

    def make(self, *arguments: Any, config: ModelConfig | None = None) -> Any:
        """Call the factory with these arguments and a config, a new copy unless one is given."""
        return self.card.make(self.config() if config is None else config, *arguments)


Use: TypeAlias = Callable[[RegistrationCase, ModelConfig], Any]

REGISTRATION_CHECKS: dict[str, dict[str, Check]] = {kind: {} for kind in KINDS}
"""The checks of each kind by name, the most basic first."""

USES: dict[str, Use] = {}
"""By kind: a function that makes an object with a config and uses it like a run, so that it reads its settings."""

_Run = TypeVar("_Run", bound=Callable[[RegistrationCase], None])
_Use = TypeVar("_Use", bound=Use)


def registration_check(*kinds: str, name: str, after: str | None = "contract") -> Callable[[_Run], _Run]:
    """Register a function as a check, with its docstring as title.

    Args:
        *kinds: The kinds of cards that it applies to.
        name: The name of its test; unique within each kind.
        after: The check of the same kind that must pass first: if it fails, this one would be misleading.
    """

    def add(run: _Run) -> _Run:
        title = (run.__doc__ or "").strip().partition("\n")[0]
        for kind in kinds:
            REGISTRATION_CHECKS[kind][name] = Check(name, title, frozenset(), after, run)
        return run

    return add


def use_of(kind: str) -> Callable[[_Use], _Use]:
    """Register a function that makes and uses objects of this kind."""

    def add(use: _Use) -> _Use:
        USES[kind] = use
        return use

    return add
