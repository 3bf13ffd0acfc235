"""A look into a model: what a probe finds on a text, with the label of each token that was read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from lab.api import LabError, Reading, Tokenizer, checked_readings
from lab.base.problems import attributed
from lab.base.routing import by_class
from lab.base.token_classes import CLASSES, classes_of
from lab.host import Plugins
from lab.recipes import Choice, Recipe, merged
from lab.runs import RunFolder, read_readings
from lab.runs.readings import read_sample
from lab.workbench.access.generation import Likeliest, Piece, one_thread
from lab.workbench.access.without_experts import Without

if TYPE_CHECKING:
    import torch

    from lab.layers import LanguageModel
    from lab.training.experiment import Experiment

POSITIONS = ("token", "query", "key")
"""Axes along which the tokens of the text run; the first that a reading has tells how many were read."""


@dataclass(frozen=True)
class Inspection:
    """What was found in a model at one moment of its training.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        labels: Of each token that was read, as the tokenizer shows it to people.
        readings: What the probe found.
        sample: What the model wrote then, where that was recorded.
        symbol: What a symbol of the vocabulary is shown as.
        text: What was read, for another model to read it too; "" where it is not known.
    """

    step: int
    labels: tuple[str, ...]
    readings: list[Reading]
    sample: str | None = None
    symbol: Callable[[int], str] = str
    text: str = ""


class Subject(Protocol):
    """A model one can play with and look into: of a run that trains, of one on disk, or before any training.

    Every call may come from any thread. All raise BadInput where prompt, text, sampler, probe or a setting cannot be
    used, and LabError where there is no model yet or a plugin's code raised.
    """

    def generate(
        self,
        prompt: str,
        *,
        sampler: str = "sampling",
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        alternatives: int = 5,
    ) -> Iterator[Piece]:
        """`count` tokens after a prompt, each with so many of the likeliest alternatives."""
        ...

    def next_tokens(self, prompt: str, count: int = 20) -> Likeliest:
        """The likeliest tokens after a prompt."""
        ...

    def look(
        self, text: str | None = None, *, probe: str = "reports", settings: Mapping[str, Any] | None = None
    ) -> Inspection:
        """What a probe finds on a text; None reads the run's own probe text."""
        ...

    def without_experts(
        self,
        off: Mapping[int, Collection[int]],
        *,
        tokens: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Without:
        """The validation loss without some experts, and with all; raises Cancelled where `cancelled` said so.

        Args:
            off: By block the experts whose tokens go to others, both numbered from 0.
            tokens: Of the validation text; 0 reads all, None as many as an evaluation while it trains.
            cancelled: Asked again and again meanwhile.
        """
        ...


def look_into(
    model_and_step: Callable[[], tuple[LanguageModel, int]],
    text: str | None,
    *,
    probe: str,
    settings: Mapping[str, Any] | None,
    recipe: Recipe,
    plugins: Plugins,
    tokenizer: Tokenizer,
    device: torch.device,
    otherwise: Callable[[], Sequence[int]],
) -> Inspection:
    """Calls a probe on a model that nobody else uses meanwhile.

    Args:
        model_and_step: Gives the model in eval mode and its updates; called once probe and text are known to be good.
        text: What the model reads; None takes the probe text of the recipe.
        probe: Name of a registered probe.
        settings: Its settings, over those that the recipe gives it.
        recipe: What the model is trained by.
        plugins: Where probe and owners are found.
        tokenizer: What the model is trained with.
        device: Where it is.
        otherwise: The tokens to read where neither `text` nor the recipe has any.

    Raises:
        BadInput: There is no such probe, it is not made for this model, or text or a setting cannot be used.
        LabError: A plugin's code raised.
    """
    import torch

    from lab.training.resolution import resolve

    field = f"readings.probes.{probe}"
    named = (choice for choice in recipe.readings.probes if choice.name == probe)
    one = resolve(plugins, "probes", next(named, Choice(name=probe)), field)
    config = one.card.config.read(merged(one.config.stored(), settings or {}), field=field)
    tokens = tokens_to_read(text, recipe, plugins, tokenizer, otherwise)
    model, step = model_and_step()
    tokens = tokens[: model.reach]
    call = replace(one, config=config).make()
    with attributed(one.plugin, one.card.title), torch.no_grad(), one_thread():
        readings = checked_readings(call(model, torch.tensor([tokens], device=device)))
    labels, read = labels_of(tokens, recipe, plugins, tokenizer), text_of(tokens, recipe, plugins, tokenizer)
    return Inspection(step, labels, readings, symbol=tokenizer.label, text=read)


def experts_by_class(look: Inspection) -> list[Reading]:
    """Of each block that the probe "routing" found, how each class of tokens spreads over its experts."""
    classes = classes_of(look.labels)
    names = tuple(name for name in CLASSES if name in classes)
    return [
        Reading(
            "experts by class",
            ("quantity", "expert"),
            by_class(one.values, classes, names),
            one.layer,
            one.path,
            coordinates={"quantity": names},
        )
        for one in look.readings
        if one.name == "assignments" and one.axes == ("token", "expert")
    ]


def tokens_to_read(
    text: str | None, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer, otherwise: Callable[[], Sequence[int]]
) -> list[int]:
    """The tokens of a text, else of the recipe's probe text, else `otherwise`: no more than the recipe reads.

    Raises:
        BadInput: The text holds what the vocabulary lacks.
        LabError: A plugin's code raised.
    """
    asked = text or recipe.readings.text
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Encoding the text"):
        tokens = tokenizer.encode(asked) if asked else otherwise()
    longest = recipe.readings.tokens or type(recipe.readings)().tokens  # 0 records nothing; this is asked for
    return [int(token) for token in tokens[:longest]]


def labels_of(tokens: Sequence[int], recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> tuple[str, ...]:
    """The label of each token.

    Raises:
        LabError: The tokenizer's code raised.
    """
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Naming the tokens"):
        return tuple(tokenizer.label(token) for token in tokens)


def text_of(tokens: Sequence[int], recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> str:
    """The text of tokens.

    Raises:
        LabError: The tokenizer's code raised.
    """
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Writing the tokens as text"):
        return str(tokenizer.decode(tokens))


def validation_tokens(experiment: Experiment) -> Sequence[int]:
    """What is read where no probe text is named: the validation text from its start."""
    source: Any = experiment.validation or experiment.train  # of text, the one kind of corpus there is
    tokens: Sequence[int] = source.tokens
    return tokens


def probe_text_of(experiment: Experiment, plugins: Plugins) -> list[int]:
    """The probe text of a run that begins, for it to store; [] where it cannot be read, which the probing tells."""
    with contextlib.suppress(LabError):
        if experiment.tokenizer is not None:
            rest = partial(validation_tokens, experiment)
            return tokens_to_read(None, experiment.recipe, plugins, experiment.tokenizer, rest)
    return []


def recorded(run: RunFolder, step: int, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> Inspection:
    """The readings that a run recorded at a step; tokens that the run does not tell are numbered from 1.

    Raises:
        BadInput: There are none at this step; the problem says at which there are.
        LabError: A file of the run is damaged, or the tokenizer's code raised.
    """
    readings, sample = read_readings(run.path, step), read_sample(run.path, step)
    sizes = {axis: size for one in readings for axis, size in zip(one.axes, one.values.shape, strict=True)}
    length = next((sizes[axis] for axis in POSITIONS if axis in sizes), 0)
    tokens = stored_tokens(run, tokenizer)[:length]
    if len(tokens) == length:
        labels, read = labels_of(tokens, recipe, plugins, tokenizer), text_of(tokens, recipe, plugins, tokenizer)
        return Inspection(step, labels, readings, sample, tokenizer.label, read)
    numbers = tuple(str(number) for number in range(1, length + 1))
    return Inspection(step, numbers, readings, sample, tokenizer.label)


def stored_tokens(run: RunFolder, tokenizer: Tokenizer) -> list[int]:
    """The probe text as the run stores it; [] in runs that do not, and where it is not of this vocabulary."""
    tokens, size = run.facts.get("probe_text"), tokenizer.vocabulary_size
    if isinstance(tokens, list) and all(type(token) is int and 0 <= token < size for token in tokens):
        return tokens
    return []
