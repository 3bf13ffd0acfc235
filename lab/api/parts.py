"""What a plugin registers beside architectures and mixers: one shape for all, a card with a config and a factory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lab.api.architecture import load
from lab.api.config import ModelConfig


class NoSettings(ModelConfig):
    """The config of a part that has nothing to set."""


@dataclass(frozen=True)
class Part:
    """A named, configurable piece of an experiment.

    Args:
        name: Lower-case, of letters, digits, "-" and "_"; what recipes and the command line call it.
        title: As people read it.
        build: The factory, or "package.module:function", imported only when called. Its arguments: see each kind.
        config: Its ModelConfig.
        summary: One or two sentences.
    """

    name: str
    title: str
    build: Callable[..., Any] | str
    config: type[ModelConfig] = NoSettings
    summary: str = ""

    def make(self, *arguments: Any) -> Any:
        """What the factory makes of these arguments."""
        return load(self.build)(*arguments)


@dataclass(frozen=True)
class ObjectiveCard(Part):
    """`build(config)` returns an Objective."""


@dataclass(frozen=True)
class Optimizer(Part):
    """`build(config, groups, device)` returns a torch.optim.Optimizer.

    Groups are [{"params": […], "decays": True}, {"params": […], "decays": False}]. The learning rate is set by the
    schedule before every step. The config must have the live field `learning_rate`.
    """


@dataclass(frozen=True)
class Schedule(Part):
    """`build(config, steps)` returns a pure function step -> factor of the learning rate, step counted from 0."""


@dataclass(frozen=True)
class Sampler(Part):
    """`build(config)` returns a function logits (B, V) -> logits (B, V), from which the next token is drawn."""


@dataclass(frozen=True)
class Probe(Part):
    """`build(config)` returns a function (model, tokens (1, T)) -> list of Readings, computed after the fact.

    It is called on a copy of the model, without gradients unless it turns them on.
    """


class RunObserver:
    """Hears a run's life, in the training thread; override what you need. One that raises is not called again."""

    def started(self, run: str, recipe: Mapping[str, Any]) -> None:
        """The first step is about to be made."""

    def stepped(self, step: int, values: Mapping[str, float]) -> None:
        """A step was made; values by series name, those on a GPU one step late."""

    def evaluated(self, step: int, values: Mapping[str, float]) -> None:
        """An evaluation was made."""

    def ended(self, state: str) -> None:
        """The run ended: "finished", "stopped", "failed"."""


@dataclass(frozen=True)
class Observer(Part):
    """`build(config)` returns a RunObserver for one run."""
