"""What a plugin registers beside architectures and mixers: one shape for all, a card with a config and a factory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.api.architecture import Task, load
from lab.api.config import ModelConfig
from lab.api.readings import Reading
from lab.base import Problem

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from lab.api.model import LanguageModel
    from lab.api.objective import Objective

ProbeFunction: TypeAlias = "Callable[[LanguageModel, Tensor], list[Reading]]"
"""What a probe is: (model, tokens (1, T)) -> readings."""


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

    build: Callable[[Any], Objective] | str


@dataclass(frozen=True)
class Optimizer(Part):
    """`build(config, groups, device)` returns a torch.optim.Optimizer.

    Groups are [{"params": […], "decays": True}, {"params": […], "decays": False}]. The learning rate is set by the
    schedule before every step. The config must have the live field `learning_rate`.
    """

    build: Callable[[Any, list[dict[str, Any]], torch.device], torch.optim.Optimizer] | str


@dataclass(frozen=True)
class Schedule(Part):
    """`build(config, steps)` returns a pure function step -> factor of the learning rate, step counted from 0."""

    build: Callable[[Any, int], Callable[[int], float]] | str


@dataclass(frozen=True)
class Sampler(Part):
    """`build(config)` returns a function logits (B, V) -> logits (B, V), from which the next token is drawn."""

    build: Callable[[Any], Callable[[Tensor], Tensor]] | str


@dataclass(frozen=True)
class Probe(Part):
    """`build(config)` returns a function (model, tokens (1, T)) -> list of Readings, computed after the fact.

    It is called on a copy of the model, in eval mode where it has one, without gradients unless it turns them on
    (`with torch.enable_grad()`). For a model it is not made for it raises BadInput: that is told once, as no fault.

    A window offers it for the models of the architectures that came in one plugin with it.

    Args:
        everywhere: Whether a window offers it for the models of all architectures.
        labelled: (readings, labels of the tokens) -> further readings that follow from both, for what a probe finds
            of a saved run; None for none.
    """

    build: Callable[[Any], ProbeFunction] | str
    everywhere: bool = field(default=False, kw_only=True)
    labelled: Callable[[list[Reading], tuple[str, ...]], list[Reading]] | str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class View(Part):
    """A picture of readings, for a window: `build()` returns a QWidget with one method of ours, `show_readings`.

    `show_readings(readings: list[Reading], labels: tuple[str, ...]) -> None` gets readings of one name, one per layer,
    all with exactly these axes, and the labels of the tokens that were read. The factory is called by a window alone,
    so Qt is imported where it builds. A view has no settings, and no recipe names it.

    Args:
        axes: Of the readings it shows, names from AXES without "batch".
        readings: Names of readings that it shows together in one card, in place of the lab's own views of them; the
            first one must be there. It then gets the readings of all these names and all layers that have these axes,
            in any order and with or without "batch". () is a further card beside the lab's own.
        foot: What stands below the view: (lab.widgets.readings.context.ViewContext) -> a QWidget with one method of
            ours, `refresh() -> None`, or None for no foot; or "package.module:function".
    """

    build: Callable[[], Any] | str
    config: type[ModelConfig] = field(init=False, default=NoSettings)
    axes: tuple[str, ...] = field(kw_only=True)
    readings: tuple[str, ...] = field(kw_only=True, default=())
    foot: Callable[[Any], Any] | str | None = field(kw_only=True, default=None)

    def selected(self, readings: Sequence[Reading]) -> list[Reading]:
        """Return those of some readings that it shows together; [] where the first of its names is missing."""
        axes = set(self.axes)
        found = [one for one in readings if one.name in self.readings and set(one.axes) - {"batch"} == axes]
        return found if any(one.name == self.readings[0] for one in found) else []


class Converter(ABC):
    """Between the checkpoints of another program and a model of ours. No method reads a file or runs their code."""

    @abstractmethod
    def settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of the architecture that a config.json asks for.

        Raises:
            BadInput: It asks for what the architecture has not; the problem names its key.
        """

    @abstractmethod
    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The tensors of a checkpoint under the names and in the shapes that LanguageModel.load_tables takes.

        Raises:
            BadInput: One is missing or has another shape than its config says.
        """

    @abstractmethod
    def config(self, settings: Any, task: Task) -> dict[str, Any]:
        """The config.json of a model with these settings; the inverse of `settings`.

        Raises:
            BadInput: The format cannot say what a setting says; the problem names the setting.
        """

    @abstractmethod
    def tensors(self, settings: Any, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The tensors of that checkpoint; the inverse of `tables`."""


@dataclass(frozen=True)
class CheckpointFormat(Part):
    """`build()` returns a Converter. It has no settings, and no recipe names it.

    Args:
        architecture: Name of the architecture whose models it reads and writes.
        model_type: What the key "model_type" of a Hugging Face config.json says.
    """

    build: Callable[[], Converter] | str
    config: type[ModelConfig] = field(init=False, default=NoSettings)
    architecture: str = field(kw_only=True)
    model_type: str = field(kw_only=True)


class RunObserver:
    """Hears a run's life, in the training thread; override what you need. One that raises is not called again."""

    def started(self, run: Path, recipe: Mapping[str, Any]) -> None:
        """The first step is about to be made.

        Args:
            run: The run's folder; run.name is its name. Files of yours may lie in it.
            recipe: The recipe with all its settings, as its TOML file has them.
        """

    def stepped(self, step: int, values: Mapping[str, float]) -> None:
        """A step was made.

        Args:
            step: How many there are now.
            values: By series: "train loss" (nats per token), and where a model learns by gradient "gradient norm",
                "gradient norm LAYER", "auxiliary NAME", "auxiliary NAME LAYER" where several layers add it, "train
                METRIC"; where the recipe clips, also "clipped gradient norm" (after clipping) and "clipped steps" (1
                where this one was, else 0). On a GPU they come some steps late, and are not there at the first ones:
                use values.get.
        """

    def evaluated(self, step: int, values: Mapping[str, float]) -> None:
        """An evaluation was made.

        Args:
            step: After which step.
            values: By series: "validation loss" (nats per token), "validation METRIC", "tokens per second".
        """

    def ended(self, state: str, problem: Problem | None) -> None:
        """The run ended.

        Args:
            state: "finished", "stopped" or "failed".
            problem: Why it failed, or what it waited for when it was stopped.
        """


@dataclass(frozen=True)
class Observer(Part):
    """`build(config)` returns a RunObserver for one run."""

    build: Callable[[Any], RunObserver] | str
