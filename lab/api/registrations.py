"""The registrations other than architectures and mixers: cards with a config and a factory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

from lab.api.architecture import load
from lab.api.config import ModelConfig
from lab.api.model import LanguageModel, Task
from lab.api.readings import Explanation, Reading
from lab.base import BadInput

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from lab.api.model import LanguageModel
    from lab.api.objectives.objective import Objective

ProbeFunction: TypeAlias = "Callable[[LanguageModel, Tensor], list[Reading]]"
"""The type of a probe: (model, tokens (1, T)) -> readings."""


Role: TypeAlias = Literal["embedding", "head", "matrix", "vector", "norm", "recurrence"]
"""The purpose of a parameter.

embedding: a table of vectors by symbol or position. head: the matrix that gives the logits. matrix: a matrix of a
product, or a stack of them. vector: what acts on each channel alone, such as a bias. norm: gains and shifts of a
normalisation. recurrence: what sets how a state changes from token to token, such as A, B and the step size of a state
space.
"""
ROLES: tuple[str, ...] = get_args(Role)
"""All roles."""


class ParameterGroup(TypedDict):
    """The parameters of a model that have the same role, layer, width and decay.

    Args:
        params: The parameters.
        names: Their names in the model.
        role: Their role.
        layer: The number of their layer, from 0; None for parameters of no layer.
        width: The numbers that an output of a matrix is computed from (fan-in): the size of the last axis, or channels
            times kernel of a convolution; 1 for a scalar.
        decays: Whether weight decay applies to them.
    """

    params: list[torch.nn.Parameter]
    names: list[str]
    role: Role
    layer: int | None
    width: int
    decays: bool


class NoSettings(ModelConfig):
    """The config of a card without settings."""


@dataclass(frozen=True)
class Registration:
    """A named, configurable component of an experiment.

    Args:
        name: Lower-case, of letters, digits, "-" and "_"; used by recipes and the command line.
        title: The name shown to the user.
        build: The factory, or "package.module:function", imported only when called. Each kind defines its arguments.
        config: Its ModelConfig.
        summary: One or two sentences.
    """

    name: str
    title: str
    build: Callable[..., Any] | str
    config: type[ModelConfig] = NoSettings
    summary: str = ""

    def make(self, *arguments: Any) -> Any:
        """Call the factory with these arguments."""
        return load(self.build)(*arguments)


@dataclass(frozen=True)
class ObjectiveCard(Registration):
    """The card of an objective. `build(config)` returns an Objective."""

    build: Callable[[Any], Objective] | str


@dataclass(frozen=True)
class Optimizer(Registration):
    """The card of an optimizer. `build(config, groups, device)` returns a torch.optim.Optimizer.

    Groups are [{"params": […], "decays": True}, {"params": […], "decays": False}], or with `roles` ParameterGroups. The
    config must have the live field `learning_rate`. Before every step each group's "lr" is set to that times the factor
    of the schedule; a group made with another "lr" than the optimizer's default has that one times the factor, and a
    live edit of `learning_rate` scales it in proportion.

    An optimizer with the methods `look_ahead` and `look_back` gets its gradients at other weights than those that are
    evaluated and saved: the first is called before the loss of a step is computed, the second if the step is not made.
    Where its attribute `draws_labels` is true, `note_drawn(labels)` is called before an update, while the parameters
    have the gradients of the mean loss of so many labels drawn from the model (`Objective.drawn_loss`).

    What changes in `state[parameter]` and in the groups is saved in checkpoints: tensors, plain values, and lists and
    dicts of these.

    Args:
        roles: Whether the factory gets a ParameterGroup for each role, layer, width and decay.
        full_batch: Whether it is for steps that read all training examples, since it compares their losses. One with
            the attribute `needs_closure` = True gets a function as argument of `step`, which computes the loss and the
            gradients of the step again.
    """

    build: Callable[[Any, list[Any], torch.device], torch.optim.Optimizer] | str
    roles: bool = field(default=False, kw_only=True)
    full_batch: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Schedule(Registration):
    """The card of a schedule. `build(config, steps)` returns a function step -> factor of the learning rate.

    `steps` is the number of updates of the run. The function gets the updates made so far, from 0 on, and returns a
    factor of 0 or more, also for steps beyond the end, which a live edit may move; it is made anew then. An object with
    more methods can do more: `momentum(step)` sets the momentum (or β₁) of the optimizer too; `note_loss(loss)` is told
    each validation loss but that of the end, and `state_dict()`, plain data, and `load_state_dict(state)` then keep
    what follows from it in checkpoints. Without these it must be a pure function.
    """

    build: Callable[[Any, int], Callable[[int], float]] | str


@dataclass(frozen=True)
class Sampler(Registration):
    """The card of a filter in version 1 of the API. `build(config)` returns a function logits (B, V) -> logits (B, V).

    A plugin of version 2 registers a Filter, whose function gets the histories as well.
    """

    build: Callable[[Any], Callable[[Tensor], Tensor]] | str


@dataclass(frozen=True)
class Probe(Registration):
    """The card of a probe. `build(config)` returns a function (model, tokens (1, T)) -> list of Readings.

    The function is called on a copy of the model, in eval mode if it has one, without gradients unless it turns them on
    (`with torch.enable_grad()`). For other models than its own it raises BadInput, which is reported once, as a notice.

    A window offers it for models of the architectures that its own plugin registers.

    Args:
        everywhere: Whether a window offers it for the models of all architectures.
        reads: What the models read that it is for, as Architecture.inputs: "tokens", "vectors" or "images". For models
            of vectors and images `tokens` is one row of the corpus, (1, F) or (1, H, W, C) float, and
            lab.api.probed_rows(model) has more rows and their targets.
        labelled: (readings, labels of the tokens) -> further readings computed from both, for readings of a saved run;
            None for none.
        explanations: What its readings show, by their names.
    """

    build: Callable[[Any], ProbeFunction] | str
    everywhere: bool = field(default=False, kw_only=True)
    reads: frozenset[str] = field(default=frozenset({"tokens"}), kw_only=True)
    labelled: Callable[[list[Reading], tuple[str, ...]], list[Reading]] | str | None = field(default=None, kw_only=True)
    explanations: Mapping[str, Explanation] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class View(Registration):
    """The card of a view of readings. `build()` returns a QWidget with the method `show_readings`.

    `show_readings(readings: list[Reading], labels: tuple[str, ...]) -> None` gets readings of one name, one per layer,
    all with exactly these axes, and the labels of the tokens that were read. Only a window calls the factory, so import
    Qt where it builds. A view has no settings, and no recipe names it. It adds a card to the lab's own, unless it
    `replaces` them or names `readings`.

    Args:
        axes: The axes of the readings it shows, names from AXES without "batch".
        readings: The names of readings that it shows together in one card, in place of the lab's own views of them; the
            first one must be there. It then gets the readings of all these names and all layers that have these axes,
            in any order and with or without "batch".
        replaces: Whether it is shown in place of the lab's own view of all readings that have these axes, in any order
            and with or without "batch", under their own titles. Of several such views the first one is shown.
        foot: The widget below the view: (lab.widgets.readings.context.ViewContext) -> a QWidget with the method
            `refresh() -> None`, or None for no foot; or "package.module:function".
        explanation: What it shows; None for no explanation.
    """

    build: Callable[[], Any] | str
    config: type[ModelConfig] = field(init=False, default=NoSettings)
    axes: tuple[str, ...] = field(kw_only=True)
    readings: tuple[str, ...] = field(kw_only=True, default=())
    replaces: bool = field(kw_only=True, default=False)
    foot: Callable[[Any], Any] | str | None = field(kw_only=True, default=None)
    explanation: Explanation | None = field(kw_only=True, default=None)

    def selected(self, readings: Sequence[Reading]) -> list[Reading]:
        """Return the readings that it shows together; [] if the first of its names is missing."""
        axes = set(self.axes)
        found = [one for one in readings if one.name in self.readings and set(one.axes) - {"batch"} == axes]
        return found if any(one.name == self.readings[0] for one in found) else []

    def shows(self, axes: Sequence[str]) -> bool:
        """Return True if it shows all readings with these axes, whatever their names are."""
        if self.replaces:
            return not self.readings and set(axes) - {"batch"} == set(self.axes)
        return not self.readings and tuple(axes) == tuple(self.axes)


class Converter(ABC):
    """A converter between other programs' checkpoints and the lab's models. It reads no file, runs no foreign code."""

    @abstractmethod
    def settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of the architecture for a config.json.

        Raises:
            BadInput: The architecture does not support it; the problem names the key.
        """

    @abstractmethod
    def tables(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint under the names and in the shapes of LanguageModel.load_tables.

        Raises:
            BadInput: A tensor is missing or has another shape than its config defines.
        """

    def task(self, config: Mapping[str, Any], tensors: Mapping[str, Tensor], causal: Task) -> Task:
        """Return the task that a checkpoint was trained for; override it for models that do not continue a text.

        Args:
            config: The config.json.
            tensors: The tensors of the checkpoint.
            causal: The task of a model that continues a text, of the same vocabulary and context length.

        Raises:
            BadInput: It is a task that the architecture does not have.
        """
        del config, tensors
        return causal

    @abstractmethod
    def config(self, settings: Any, task: Task) -> dict[str, Any]:
        """Return the config.json of a model with these settings; the inverse of `settings`.

        Raises:
            BadInput: The format cannot express a setting; the problem names it.
        """

    @abstractmethod
    def tensors(self, settings: Any, tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the tensors of the checkpoint; the inverse of `tables`."""


@dataclass(frozen=True)
class CheckpointFormat(Registration):
    """The card of a checkpoint format. `build()` returns a Converter. It has no settings, and no recipe names it.

    Args:
        architecture: Name of the architecture whose models it reads and writes.
        model_type: The value of the key "model_type" in a Hugging Face config.json.
    """

    build: Callable[[], Converter] | str
    config: type[ModelConfig] = field(init=False, default=NoSettings)
    architecture: str = field(kw_only=True)
    model_type: str = field(kw_only=True)


class ModelAdapter(ABC):
    """A few parameters that are trained in place of the weights of a finished model, which stay as they are."""

    def task(self, task: Task) -> Task:
        """Return the task that the model must be built for, so that what the adapter adds fits into it."""
        return task

    @abstractmethod
    def attach(self, model: LanguageModel) -> None:
        """Add the parameters to a model, in place, so that it computes the same as before, or nearly.

        Called once, before the weights are loaded, on the CPU, with random draws that depend on the seed alone. The
        model may also be on the meta device. Of the model's own parameters only those whose `requires_grad` is then
        still true are trained, too; they are all frozen before this call. The model's tables must keep its own tensors,
        under whatever names.

        Raises:
            BadInput: The adapter does not suit this model; the problem names the setting and the reason.
        """

    def initialise(self, model: LanguageModel) -> None:
        """Set initial values that depend on the weights of the base, which the model now has; by default none do."""
        del model

    def merge(self, model: LanguageModel) -> None:
        """Fold the parameters into the weights of a model, in place, so that its tables are named as before `attach`.

        Raises:
            BadInput: The weights cannot express what the adapter does.
        """
        del model
        what, remedy = "cannot be folded into the weights of a model", "Use the run as it is"
        raise BadInput(what, field="adapter.name", remedy=remedy)


@dataclass(frozen=True)
class Adapter(Registration):
    """The card of an adapter. `build(config)` returns a ModelAdapter, or None if all weights are trained.

    Args:
        merges: Whether its `merge` folds it into the weights; a run is then used as the merged model.
    """

    build: Callable[[Any], ModelAdapter | None] | str
    merges: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class LessonFolder:
    """A folder of lessons that a plugin brings, or one lesson. They are data: nothing in them is run.

    Args:
        name: Lower-case, of letters, digits, "-" and "_".
        title: The title shown to the user.
        folder: The folder, such as Path(__file__).parent / "lessons".
    """

    name: str
    title: str
    folder: Path
