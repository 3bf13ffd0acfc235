"""From a recipe to what a trainer needs: settings checked, its material read, model built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lab.api import Architecture, Objective, Source, Task, Tokenizer, within
from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.base.problems import attributed, problem_of
from lab.base.torch_lock import own_draws
from lab.layers import LanguageModel
from lab.recipes import Choice, Recipe
from lab.text.streams import TokenSource
from lab.training.choices import Cards, Resolved, all_chosen, chosen, written_out
from lab.training.devices import Placement, place
from lab.training.failures import is_out_of_memory
from lab.training.material import read_material

INITIAL_WEIGHTS = 1
"""Second number of the seed of the initial weights; steps are seeded with (seed, 0, step)."""


@dataclass(frozen=True)
class Shape:
    """What an objective must know of a source to say what model it needs, where the source itself is not at hand."""

    vocabulary_size: int
    context_length: int


@dataclass
class Experiment:
    """A recipe with everything it names at hand.

    Attributes:
        recipe: The recipe, with all settings of its cards written out.
        architecture: Its card, whose config is the one config object of the model.
        objective: What is trained for.
        train: The training split.
        validation: The validation split; None evaluates nothing.
        placement: Device, precision, threads.
        optimizer: Its card.
        schedule: Its card.
        probes: The probes that are recorded.
        observers: Every observer there is.
        tokenizer: Text to tokens; None where the source is no text.
        corpus: Facts of the corpus, stored with the run.
        floors: Losses of the simplest classes of models, nats per token.
        objective_plugin: Owner of the objective.
    """

    recipe: Recipe
    architecture: Resolved
    objective: Objective
    train: Source
    validation: Source | None
    placement: Placement
    optimizer: Resolved
    schedule: Resolved
    probes: Sequence[Resolved] = ()
    observers: Sequence[Resolved] = ()
    tokenizer: Tokenizer | None = None
    corpus: Mapping[str, Any] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    objective_plugin: str | None = None

    @property
    def task(self) -> Task:
        """What the model is built for."""
        return self.objective.task(self.train)

    @property
    def sizes(self) -> np.ndarray | None:
        """(V,) bytes of text per symbol; None where the source is no text."""
        return self.tokenizer.sizes() if self.tokenizer is not None and isinstance(self.train, TokenSource) else None

    def check_metrics(self, names: Iterable[str]) -> None:
        """Refuses an objective's metric whose series would be that of the loss itself.

        Raises:
            LabError: There is one.
        """
        if "loss" in names:
            objective = self.recipe.objective.name
            raise LabError(
                f"the objective {objective} calls one of its metrics 'loss', as the loss itself is called",
                plugin=self.objective_plugin,
                remedy="Give that metric another name",
            )

    def build(self) -> LanguageModel:
        """The model with its initial weights, a function of the seed alone, on the device.

        Raises:
            BadInput: This model cannot be trained on this objective.
            LabError: The plugin's code raised.
        """
        model = built(self.architecture, self.task, self.recipe.training.seed)
        check_reach(model, self.objective, self.recipe.objective.name)
        return model.to(self.placement.device)


def check_reach(model: LanguageModel, objective: Objective, name: str) -> None:
    """Refuses to carry the state of a model that reads only so many positions, or that has none.

    Raises:
        BadInput: The objective of this name would.
    """
    if objective.carries and (model.reach is not None or not model.causal):
        reads = "later tokens too" if model.reach is None else f"at most {model.reach} positions"
        raise BadInput(
            f"this model reads {reads}, so no state can be carried on and on",
            field="objective.name",
            value=name,
            allowed="an objective without carried state, as causal",
        )


def built(architecture: Resolved, task: Task, seed: int = 0) -> LanguageModel:
    """A model with initial weights drawn from (seed) alone, on the processor.

    Raises:
        BadInput: The config and the task do not fit each other, in the plugin's words.
        LabError: The plugin's code raised.
    """
    card, plugin = architecture.card, architecture.plugin
    with own_draws(seed, INITIAL_WEIGHTS):
        try:
            with within(architecture.field):
                model = card.make(architecture.config, task)
        except (LabError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - a plugin's code
            if is_out_of_memory(error):
                raise BadInput(
                    "a model of this size does not fit into memory", field="architecture", remedy="Make it smaller"
                ) from None
            raise LabError(problem_of(error, plugin=plugin, doing=f"Building {card.title}")) from None
    if not isinstance(model, LanguageModel):
        raise LabError(
            f"{card.name} built a {type(model).__name__}", plugin=plugin, allowed="a lab.layers.LanguageModel"
        )
    return model


def prepare(
    recipe: Recipe,
    cards: Cards,
    *,
    vocabulary: Mapping[str, Any] | None = None,
    sha256: str | None = None,
    progress: Callable[[float, str], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Experiment:
    """Everything a recipe names. Cards and settings are checked before the corpus is read.

    Args:
        recipe: The recipe.
        cards: Where its cards are found.
        vocabulary: That of a tokenizer which cut a text before and cuts this one; None fits one to the text.
        sha256: That of the text it must be; None for any.
        progress: Told the share that is done and what is being done, where that takes long.
        cancelled: Asked now and then; True ends it.

    Raises:
        BadInput: Something in the recipe cannot be used; the problem names the field.
        LabError: A plugin's code raised, or it was cancelled.
    """
    named = recipe.tokenizer.name
    recipe, everything = checked(recipe, cards)
    if recipe.tokenizer.name != named and named != Recipe().tokenizer.name:  # nobody asked for the default
        corpus = everything["corpus"].card.title
        notify("info", f"{corpus} brings symbols of its own: the tokenizer is {recipe.tokenizer.name}, not {named}")
    objective = everything["objective"].make()
    material = read_material(everything, vocabulary, sha256, progress=progress, cancelled=cancelled)
    with attributed(everything["tokenizer"].plugin, everything["tokenizer"].card.title):
        facts = material.facts()
    splits = material.splits(recipe, carries=objective.carries)
    next_token = objective.needs == "causal"  # a model that reads both ways may pass what holds for the next token
    return Experiment(
        recipe=recipe,
        architecture=everything["architecture"],
        objective=objective,
        train=splits[0],
        validation=splits[1],
        placement=place(recipe.training, everything["architecture"].card.devices),
        optimizer=everything["training.optimizer"],
        schedule=everything["training.schedule"],
        probes=_probes(everything, cards),
        observers=_observers(everything, cards),
        tokenizer=material.tokenizer,
        corpus=facts,
        floors=material.floors(splits) if next_token else {},
        objective_plugin=everything["objective"].plugin,
    )


def checked(recipe: Recipe, cards: Cards) -> tuple[Recipe, dict[str, Resolved]]:
    """The recipe with all settings written out and every card it names, looked over without reading its corpus.

    Raises:
        BadInput: Something in the recipe cannot be used; the problem names the field.
        LabError: A plugin's code raised.
    """
    everything = all_chosen(recipe, cards)
    recipe = written_out(recipe, everything)
    architecture = everything["architecture"].card
    placement = place(recipe.training, architecture.devices)
    _check_objective(everything["objective"].make(), architecture, cards, recipe.objective.name)
    _check_device(architecture, placement)
    return recipe, everything


def _probes(everything: Mapping[str, Resolved], cards: Cards) -> list[Resolved]:
    """The probes that the recipe names, and those that the architecture records beside them."""
    named = {field: one for field, one in everything.items() if field.startswith("readings.probes.")}
    for name in everything["architecture"].card.records:
        field = f"readings.probes.{name}"
        if field not in named:
            named[field] = chosen(cards, "probes", Choice(name=name), field)
    return list(named.values())


def _observers(everything: Mapping[str, Resolved], cards: Cards) -> list[Resolved]:
    """Every observer there is: those the recipe names with its settings, the others with their defaults."""
    return [
        everything.get(f"observers.{name}") or chosen(cards, "observers", Choice(name=name), f"observers.{name}")
        for name in cards.cards("observers")
    ]


def _check_objective(objective: Objective, card: Architecture, cards: Cards, name: str) -> None:
    if objective.needs in card.tasks:
        return
    offered = {
        other: chosen(cards, "objectives", Choice(name=other), "objective") for other in cards.cards("objectives")
    }
    fit = [other for other, one in offered.items() if one.make().needs in card.tasks]
    raise BadInput(
        f"{card.title} cannot be trained on it",
        field="objective.name",
        value=name,
        allowed=", ".join(fit) or "none that the lab has",
        remedy=f"Write --objective {fit[0]}" if len(fit) == 1 else "Choose one: --objective NAME",
    )


def _check_device(architecture: Architecture, placement: Placement) -> None:
    device = placement.device.type
    if architecture.devices is not None and device not in architecture.devices:
        raise BadInput(
            f"{architecture.title} does not run there",
            field="training.device",
            value=device,
            allowed=", ".join(sorted(architecture.devices)),
        )
