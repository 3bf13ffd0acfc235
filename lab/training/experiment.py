"""From a recipe to what a trainer needs: cards found, configs checked, corpus read, tokens cut, model built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch

from lab.api import Architecture, Objective, Part, Source, Task, Text, Tokenizer
from lab.base import BadInput, LabError
from lab.base.problems import attributed, problem_of
from lab.base.torch_lock import own_draws
from lab.layers import LanguageModel
from lab.recipes import Choice, Recipe
from lab.text.measures import floors
from lab.text.streams import TokenSource, split_tokens
from lab.training.devices import Placement, place
from lab.training.failures import is_out_of_memory

INITIAL_WEIGHTS = 1
"""Second number of the seed of the initial weights; steps are seeded with (seed, 0, step)."""


@dataclass(frozen=True)
class Shape:
    """What an objective must know of a source to say what model it needs, where the source itself is not at hand."""

    vocabulary_size: int
    context_length: int


class Cards(Protocol):
    """Where registered cards are found: lab.host.Plugins."""

    def card(self, kind: str, name: str, field: str | None = None) -> Any:
        """One card, or BadInput."""
        ...

    def owner(self, kind: str, name: str) -> str:
        """The plugin that registered it."""
        ...


@dataclass
class Experiment:
    """A recipe with everything it names at hand.

    Attributes:
        recipe: The recipe.
        architecture: Its architecture's card.
        config: The architecture's settings: the one config object of the model.
        objective: What is trained for.
        train: The training split.
        validation: The validation split; None evaluates nothing.
        placement: Device, precision, threads.
        optimizer: Card of the optimizer and its settings.
        schedule: Card of the schedule and its settings.
        tokenizer: Text to tokens; None where the source is no text.
        text: Facts of the corpus, stored with the run.
        floors: Losses of the simplest classes of models, nats per token.
        plugin: Owner of the architecture.
        objective_plugin: Owner of the objective.
    """

    recipe: Recipe
    architecture: Architecture
    config: Any
    objective: Objective
    train: Source
    validation: Source | None
    placement: Placement
    optimizer: tuple[Part, Any]
    schedule: tuple[Part, Any]
    tokenizer: Tokenizer | None = None
    text: Mapping[str, Any] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    plugin: str | None = None
    objective_plugin: str | None = None

    @property
    def task(self) -> Task:
        """What the model is built for."""
        return self.objective.task(self.train)

    @property
    def sizes(self) -> np.ndarray | None:
        """(V,) bytes of text per symbol; None where the source is no text."""
        return None if self.tokenizer is None else self.tokenizer.sizes()

    def check_metrics(self, names: Iterable[str]) -> None:
        """Refuses an objective's metric whose series would be that of the loss itself.

        Raises:
            LabError: There is one.
        """
        if "loss" in names:
            raise LabError(
                f"the objective {self.objective.name} calls one of its metrics 'loss', as the loss itself is called",
                plugin=self.objective_plugin,
                remedy="Give that metric another name",
            )

    def build(self) -> LanguageModel:
        """The model with its initial weights, a function of the seed alone, on the device.

        Raises:
            BadInput: This model cannot be trained on this objective.
            LabError: The plugin's code raised.
        """
        model = built(self.architecture, self.config, self.task, self.recipe.training.seed, self.plugin)
        if self.objective.carries and model.reach is not None:
            raise BadInput(
                f"this model reads at most {model.reach} positions, so no state can be carried on and on",
                field="objective.name",
                value=self.objective.name,
                allowed="causal",
            )
        return model.to(self.placement.device)


def built(
    architecture: Architecture, config: Any, task: Task, seed: int = 0, plugin: str | None = None
) -> LanguageModel:
    """A model with initial weights drawn from (seed) alone, on the processor.

    Raises:
        BadInput: The config and the task do not fit each other, in the plugin's words.
        LabError: The plugin's code raised.
    """
    with own_draws(seed, INITIAL_WEIGHTS):
        try:
            model = architecture.make(config, task)
        except (LabError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            if is_out_of_memory(error):
                raise BadInput(
                    "a model of this size does not fit into memory", field="architecture", remedy="Make it smaller"
                ) from None
            raise LabError(problem_of(error, plugin=plugin, doing=f"Building {architecture.title}")) from None
    if not isinstance(model, LanguageModel):
        raise LabError(
            f"{architecture.name} built a {type(model).__name__}", plugin=plugin, allowed="a lab.layers.LanguageModel"
        )
    return model


def prepare(recipe: Recipe, cards: Cards) -> Experiment:
    """Everything a recipe names. Cards and settings are checked before the corpus is read.

    Raises:
        BadInput: Something in the recipe cannot be used; the problem names the field.
        LabError: A plugin's code raised.
    """
    architecture, config = found(cards, "architectures", recipe.architecture, "architecture")
    _, objective = made(cards, "objectives", recipe.objective, "objective")
    optimizer = found(cards, "optimizers", recipe.training.optimizer, "training.optimizer")
    schedule = found(cards, "schedules", recipe.training.schedule, "training.schedule")
    for name in recipe.readings.probes:
        cards.card("probes", name, field="readings.probes")
    found(cards, "tokenizers", recipe.tokenizer, "tokenizer")
    placement = place(recipe.training, architecture.devices)
    _check_fit(architecture, objective, placement)

    text = read_corpus(recipe, cards)
    card, tokenizer = made(cards, "tokenizers", recipe.tokenizer, "tokenizer", text.text)
    with attributed(cards.owner("tokenizers", card.name), card.title):
        train, validation = sources(text.text, tokenizer, recipe, carries=objective.carries)
        simplest = floors(train.tokens, validation.tokens, tokenizer.vocabulary_size)
        facts = corpus_facts(text, tokenizer)
    per_token = len(text.text) / (len(train.tokens) + len(validation.tokens))  # the source counts in characters
    known = {name: float(value) * per_token for name, value in text.floors.items()}
    return Experiment(
        recipe=recipe,
        architecture=architecture,
        config=config,
        objective=objective,
        train=train,
        validation=validation,
        placement=placement,
        optimizer=optimizer,
        schedule=schedule,
        tokenizer=tokenizer,
        text=facts,
        floors={**simplest, **known},
        plugin=cards.owner("architectures", recipe.architecture.name),
        objective_plugin=cards.owner("objectives", recipe.objective.name),
    )


def read_corpus(recipe: Recipe, cards: Cards) -> Text:
    """The text that a recipe names.

    Raises:
        BadInput: It cannot be read, or a setting is not allowed.
        LabError: A plugin's code raised, or gave no text.
    """
    card, text = made(cards, "corpora", recipe.corpus, "corpus")
    if not isinstance(text, Text):
        plugin, given = cards.owner("corpora", card.name), type(text).__name__
        raise LabError(f"the corpus {card.name} gave a {given}", plugin=plugin, allowed="a lab.api.Text")
    return text


def sources(text: str, tokenizer: Tokenizer, recipe: Recipe, *, carries: bool) -> tuple[TokenSource, TokenSource]:
    """The training and validation split of a text as numbered examples.

    Raises:
        BadInput: The text is too short for the context length.
    """
    training = recipe.training
    train, validation = split_tokens(tokenizer.encode(text), 1 - training.validation_share)
    size, length = tokenizer.vocabulary_size, training.context_length
    return (
        TokenSource(train, size, length, "lanes" if carries else training.order, training.batch_size if carries else 1),
        TokenSource(validation, size, length, "windows"),
    )


def corpus_facts(text: Text, tokenizer: Tokenizer) -> dict[str, Any]:
    """What a run stores about its corpus: enough to recognise it, nothing about where it lies."""
    return {
        "name": text.name,
        "characters": len(text.text),
        "sha256": text.sha256,
        "dropped": text.dropped,
        "facts": dict(text.facts),
        "vocabulary": tokenizer.vocabulary(),
    }


def found(cards: Cards, kind: str, choice: Choice, field: str) -> tuple[Any, Any]:
    """A card and its checked settings.

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
    """
    card = cards.card(kind, choice.name, field=f"{field}.name")
    return card, card.config.read(choice.settings, version=choice.version, field=field)


def made(cards: Cards, kind: str, choice: Choice, field: str, *arguments: Any) -> tuple[Part, Any]:
    """A card and what its factory makes of its settings (and further arguments).

    Raises:
        BadInput: There is no such card, or a setting is not allowed.
        LabError: The plugin's code raised.
    """
    card, config = found(cards, kind, choice, field)
    try:
        return card, card.make(config, *arguments)
    except (LabError, KeyboardInterrupt):
        raise
    except MemoryError:
        raise BadInput("does not fit into memory", field=field, value=choice.name) from None
    except BaseException as error:  # noqa: BLE001 - a plugin's code
        raise LabError(problem_of(error, plugin=cards.owner(kind, choice.name), doing=card.title)) from None


def _check_fit(architecture: Architecture, objective: Objective, placement: Placement) -> None:
    if objective.needs not in architecture.tasks:
        raise BadInput(
            f"{architecture.title} cannot be trained on it",
            field="objective.name",
            value=objective.name,
            allowed=f"objectives that need: {', '.join(sorted(architecture.tasks))}",
        )
    device = placement.device.type
    if architecture.devices is not None and device not in architecture.devices:
        raise BadInput(
            f"{architecture.title} does not run there",
            field="training.device",
            value=device,
            allowed=", ".join(sorted(architecture.devices)),
        )


def with_versions(recipe: Recipe, cards: Cards) -> Recipe:
    """The recipe with all settings of its cards written out, and the version of each card's settings."""
    whole = recipe.model_dump(exclude_none=True)
    places = (
        ("corpora", recipe.corpus, "corpus"),
        ("tokenizers", recipe.tokenizer, "tokenizer"),
        ("architectures", recipe.architecture, "architecture"),
        ("objectives", recipe.objective, "objective"),
        ("optimizers", recipe.training.optimizer, "training.optimizer"),
        ("schedules", recipe.training.schedule, "training.schedule"),
    )
    for kind, choice, path in places:
        _, config = found(cards, kind, choice, path)
        values = {"name": choice.name, "version": config.version, **config.stored()}
        *outer, last = path.split(".")
        table = whole
        for part in outer:
            table = table[part]
        table[last] = values  # not laid over the older ones, whose names may be gone
    return type(recipe).read(whole, field="")


def to_device(tensors: Mapping[str, torch.Tensor], device: torch.device) -> dict[str, torch.Tensor]:
    """The tensors on a device."""
    return {name: tensor.to(device, non_blocking=True) for name, tensor in tensors.items()}
