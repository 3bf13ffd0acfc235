"""From a recipe to an experiment: settings checked, corpus read, model built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from lab.api import Architecture, Corpus, ModelConfig, Objective, Source, Task, Tokenizer, Vectors, field_prefix
from lab.base import BadInput, LabError
from lab.base.notices import notify
from lab.base.problems import attributed
from lab.base.process_state import preparing
from lab.base.torch_lock import own_draws, torch_lock
from lab.diagnostics.cost import blueprint, measure
from lab.layers import ChannelMixer, LanguageModel
from lab.layers.restarts import can_restart
from lab.recipes import Choice, Recipe
from lab.text.documents import DocumentTokenizer
from lab.text.mixed import MixedSource
from lab.text.rows.source import RowShape, RowSource
from lab.text.streams import TokenSource
from lab.text.tokenizers.nothing import NoTokenizer
from lab.training.adapters.attaching import adapter_of, attach, merge
from lab.training.amounts.budget import epoch_of, steps_of
from lab.training.controls import check_controls, check_full_batch, save_memory, schedule_beyond
from lab.training.corpus_fit import (
    NAMES_OF_TARGETS,
    NO_TOKENIZER,
    TASKS,
    fits,
    fitting,
    inputs_of,
    objectives,
    offers,
    target_of,
)
from lab.training.devices import Placement, placement_of
from lab.training.failures import is_out_of_memory
from lab.training.material import ROWS_AT_ONCE, Fitted, Given, Material, read_material
from lab.training.objectives import Binary
from lab.training.optimizers.groups import freeze
from lab.training.processes import ALONE, Processes
from lab.training.resolution import NAMES_OF_DATA, Cards, Resolved, resolve, resolve_all, written_out

INITIAL_WEIGHTS = 1
"""Second number of the seed of the initial weights; steps use (seed, 0, step)."""


@dataclass(frozen=True)
class Shape:
    """The properties of a source that an objective needs to define the model's task.

    Args:
        vocabulary_size: Symbols of the tokenizer.
        context_length: Tokens of one example.
        rows: What else the model must fit, if the corpus gives rows.
    """

    vocabulary_size: int
    context_length: int
    rows: RowShape = field(default_factory=RowShape)

    @property
    def classes(self) -> int | None:
        """The number of classes; None if there are none."""
        return self.rows.classes

    @property
    def input_shape(self) -> tuple[int, ...] | None:
        """The shape of one input that is not text; None for text."""
        return self.rows.input_shape

    @property
    def outputs(self) -> int | None:
        """How many numbers are predicted; None if there are none."""
        return self.rows.outputs

    @property
    def by_token(self) -> bool:
        """True if each token has a class."""
        return self.rows.by_token


@dataclass
class Experiment:
    """A recipe with everything it names.

    Attributes:
        recipe: The recipe, with all settings of its cards written out.
        architecture: Its card and config; the model shares the config.
        objective: The training objective.
        train: The training split.
        validation: The validation split; None to evaluate nothing.
        placement: Device, precision, threads.
        optimizer: The optimizer's card and config.
        schedule: The schedule's card and config.
        probes: The recorded probes.
        observers: All registered observers.
        tokenizer: The tokenizer; None if the source is not text.
        corpus: Facts of the corpus, stored with the run.
        floors: Losses of the simplest models, nats per token.
        objective_plugin: The owner of the objective.
        corpus_config: The settings of the corpus, of which a mixture reads those that are live at use.
        adapter: What is trained in place of the weights; None trains the weights.
        processes: The processes that train it together.
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
    corpus_config: ModelConfig | None = None
    adapter: Resolved | None = None
    processes: Processes = ALONE

    @property
    def task(self) -> Task:
        """The task that the model is built for."""
        return self.objective.task(self.train)

    @property
    def loss_unit(self) -> str:
        """The unit of the loss as a series names it: "nats", without what it is counted per."""
        return self.objective.unit.partition(" per ")[0]

    @property
    def is_of_text(self) -> bool:
        """True if the source is text, from which windows are cut, and not examples or rows."""
        return self.tokenizer is not None and isinstance(self.train, TokenSource | MixedSource)

    @property
    def sizes(self) -> np.ndarray | None:
        """The bytes of text of each symbol, as of `sizes_of_targets`; None if targets are not text."""
        return None if self.tokenizer is None else sizes_of_targets(self.tokenizer, self.objective, self.train)

    def check_metrics(self, names: Iterable[str]) -> None:
        """Refuse a metric of the objective whose series would have the same name as the loss.

        Raises:
            LabError: There is such a metric.
        """
        if "loss" in names:
            objective = self.recipe.objective.name
            raise LabError(
                f"the objective {objective} calls one of its metrics 'loss', like the loss itself",
                plugin=self.objective_plugin,
                remedy="Give that metric another name",
            )

    def build(self) -> LanguageModel:
        """Return the model with initial weights that only depend on the seed, on the device.

        Raises:
            BadInput: This model cannot be trained on this objective.
            LabError: The plugin's code raised.
        """
        model = build_model(self.architecture, self.task, self.recipe.training.seed, self.adapter)
        check_reach(model, self.objective, self.recipe.objective.name)
        if self.recipe.training.separate_documents:
            _check_separates(model, self.objective)
        save_memory(model, self.recipe.training)
        freeze(model, self.recipe.training.frozen)
        return model.to(self.placement.device)


def sizes_of_targets(tokenizer: Tokenizer, objective: Objective, source: Source) -> np.ndarray | None:
    """Return the bytes of text of each symbol that a model predicts, 0 for the objective's own symbols.

    Args:
        tokenizer: The tokenizer.
        objective: The objective.
        source: The source; its targets are text if it is text, or rows without classes and numbers.

    Returns:
        (V,), with the symbols of the objective after those of the tokenizer; None if targets are not text.
    """
    is_text = isinstance(source, TokenSource | MixedSource)
    if isinstance(source, RowSource) and source.classes is None and source.outputs is None:
        is_text = objective.needs in TASKS["tokens"]
    if not is_text:
        return None
    return np.concatenate([tokenizer.sizes(), np.zeros(len(objective.symbols), np.int64)])


def check_reach(model: LanguageModel, objective: Objective, name: str) -> None:
    """Refuse to carry the state of a model that reads a limited number of positions or has no state.

    Raises:
        BadInput: The objective of this name would carry a state.
    """
    if objective.carries and (model.reach is not None or not model.causal):
        reads = "later tokens too" if model.reach is None else f"at most {model.reach} positions"
        raise BadInput(
            f"this model reads {reads}, so no state can be carried",
            field="objective.name",
            value=name,
            allowed="an objective without carried state, such as causal",
        )


def _check_separates(model: LanguageModel, objective: Objective) -> None:
    """Refuse to read documents separately with a model that cannot.

    Raises:
        BadInput: It counts a text, chooses among the tokens of all documents, or has a state that cannot restart.
    """
    what = ""
    if model.learns == "counting":
        what = "this model counts one continuous text, and cannot read documents separately"
    elif (model.task.causal and not model.causal) or any(
        isinstance(part, ChannelMixer) and not part.causal for part in model.modules()
    ):
        what = "this model chooses among the tokens of all documents, and cannot read them separately"
    elif objective.carries and not can_restart(model):
        what = "the state of this model cannot start again where a document begins in one of its rows"
    if what:
        raise BadInput(
            what,
            field="training.separate_documents",
            value="true",
            remedy="Switch it off, or choose another architecture",
        )


def build_model(architecture: Resolved, task: Task, seed: int = 0, adapter: Resolved | None = None) -> LanguageModel:
    """Return a model with initial weights that only depend on the seed, on the CPU.

    Args:
        architecture: Its card and settings.
        task: The task it is built for.
        seed: Of the initial weights.
        adapter: What is attached to it; None for nothing.

    Raises:
        BadInput: The config and the task do not fit each other, as the plugin reports.
        LabError: The plugin's code raised.
    """
    card, plugin = architecture.card, architecture.plugin
    added = adapter_of(adapter)
    with (
        preparing(plugin, f"Building {card.title}"),
        own_draws(seed, INITIAL_WEIGHTS),
        field_prefix(architecture.field),
    ):
        try:
            model = card.make(architecture.config, task if added is None else added.task(task))
        except (MemoryError, RuntimeError) as error:
            if is_out_of_memory(error):
                raise BadInput("a model of this size does not fit into memory", remedy="Make it smaller") from None
            raise
    if not isinstance(model, LanguageModel):
        raise LabError(
            f"{card.name} built a {type(model).__name__}", plugin=plugin, allowed="a lab.layers.LanguageModel"
        )
    if added is not None and adapter is not None:
        attach(model, added, adapter, seed)
        model.task = task
    return model


def without_adapter(
    experiment: Experiment, adapter: Resolved, tables: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Return the tables of an adapted model with the adapter folded into them.

    Args:
        experiment: The architecture and the task of the model.
        adapter: The adapter.
        tables: The tables of the adapted model.

    Raises:
        BadInput: The adapter cannot be folded in.
        ValueError: The tables do not fit the model.
    """
    model = build_model(experiment.architecture, experiment.task, adapter=adapter)
    model.load_tables(tables)
    with preparing(adapter.plugin, adapter.card.title):
        merge(model)
    return model.tables()


def prepare(
    recipe: Recipe,
    cards: Cards,
    *,
    vocabulary: Mapping[str, Any] | None = None,
    sha256: str | None = None,
    fitted: Fitted | None = None,
    progress: Callable[[float, str], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Experiment:
    """Prepare everything that a recipe names. Cards and settings are checked before the corpus is read.

    Args:
        recipe: The recipe.
        cards: The registered cards.
        vocabulary: The vocabulary of a fitted tokenizer to use; None fits one to the text.
        sha256: The hash of the expected text; None for any.
        fitted: What the tokenizer of that vocabulary was fitted to; None if it is unknown, as in older runs.
        progress: Called during long work with the share that is done, 0 to 1, and a description of the work.
        cancelled: Called now and then; returning True ends the work.

    Raises:
        BadInput: A setting of the recipe cannot be used; the problem names the field.
        LabError: A plugin's code raised, or the work was cancelled.
    """
    named = recipe.tokenizer.name
    recipe, everything = check_recipe(recipe, cards)
    if recipe.tokenizer.name != named and named != Recipe().tokenizer.name:  # the default is replaced without notice
        corpus, own = everything["corpus"].card.title, recipe.tokenizer.name
        has = "no text" if own == NO_TOKENIZER else "its own symbols"
        notify("info", f"{corpus} has {has}: the tokenizer is {own}, not {named}")
    objective = everything["objective"].make()
    share = 1 - recipe.training.validation_share
    material = read_material(
        everything, share, vocabulary, sha256, fitted=fitted, progress=progress, cancelled=cancelled
    )
    with preparing(everything["tokenizer"].plugin, everything["tokenizer"].card.title):
        facts = material.facts()
    if isinstance(material.tokenizer, NoTokenizer):
        everything["tokenizer"] = resolve(cards, "tokenizers", Choice(name=NO_TOKENIZER), "tokenizer")
        recipe = written_out(recipe, everything)
    if recipe.training.separate_documents:
        _check_documents(objective, material, recipe)
    splits = material.splits(recipe, carries=objective.carries)
    recipe = with_steps(recipe, everything, objective, splits[0])
    beyond = schedule_beyond(everything["training.schedule"].config, recipe.training.steps)
    if beyond is not None and everything["architecture"].card.learns != "counting":
        notify("warning", beyond)
    if isinstance(splits[0], RowSource):
        _check_targets(objective, material.given, everything, cards)
        if isinstance(objective, Binary) and isinstance(material.given, Vectors):
            _check_probabilities(material.given, material.columns["numbers"])
        _check_first_rows(everything["objective"], objective, splits[0])
    return Experiment(
        recipe=recipe,
        architecture=everything["architecture"],
        objective=objective,
        train=splits[0],
        validation=splits[1],
        placement=placement_of(recipe.training, everything["architecture"].card.devices),
        optimizer=everything["training.optimizer"],
        schedule=everything["training.schedule"],
        probes=_probes(everything, cards, inputs_of(everything["corpus"].card.kind)),
        observers=_observers(everything, cards),
        tokenizer=material.tokenizer,
        corpus=facts,
        floors=material.floors(splits, objective),
        objective_plugin=everything["objective"].plugin,
        corpus_config=everything["corpus"].config,
        adapter=everything["adapter"],
    )


def with_steps(recipe: Recipe, everything: Mapping[str, Resolved], objective: Objective, train: Source) -> Recipe:
    """Return the recipe with the steps that its budget pays for; refuse an optimizer that these examples do not suit.

    Args:
        recipe: The recipe.
        everything: Its cards.
        objective: Its objective.
        train: The training split.

    Raises:
        BadInput: The budget cannot be read, or this training has not its unit; or the model cannot be measured.
    """
    architecture, training, epoch = everything["architecture"], recipe.training, epoch_of(train)

    def flops_per_token() -> float | None:
        task = objective.task(train)
        with torch_lock, attributed(architecture.plugin, "Measuring the cost of the model"):
            model = blueprint(architecture.card, architecture.config, task)
            return measure(architecture.card, architecture.config, task, model=model).flops_per_token

    counts = architecture.card.learns == "counting"
    if not counts:
        check_full_batch(training, everything["training.optimizer"].card, epoch, carries=objective.carries)
    steps = steps_of(training, epoch=epoch, flops_per_token=flops_per_token, counts=counts)
    return recipe.model_copy(update={"training": training.model_copy(update={"steps": steps})})


def _check_documents(objective: Objective, material: Material, recipe: Recipe) -> None:
    """Refuse to read documents separately where there are none, or with an objective that cannot."""
    if not isinstance(material.tokenizer, DocumentTokenizer):
        raise BadInput(
            "this corpus has no documents that could be read separately",
            field="training.separate_documents",
            value="true",
            remedy="Switch it off, or set corpus.documents=true where the corpus has that setting",
        )
    if not objective.reads_documents:
        raise BadInput(
            "this objective cannot read documents separately (training.separate_documents)",
            field="objective.name",
            value=recipe.objective.name,
            allowed="causal, carried, masked",
            remedy="Choose one of these, or switch training.separate_documents off",
        )


def check_recipe(recipe: Recipe, cards: Cards) -> tuple[Recipe, dict[str, Resolved]]:
    """Return the recipe with all settings written out and every card it names, checked without reading its corpus.

    Raises:
        BadInput: A setting of the recipe cannot be used; the problem names the field.
        LabError: A plugin's code raised.
    """
    everything = resolve_all(recipe, cards)
    recipe = written_out(recipe, everything)
    architecture = everything["architecture"].card
    placement = placement_of(recipe.training, architecture.devices)
    objective = everything["objective"].make()
    _check_objective(objective, architecture, everything["corpus"].card, cards, recipe.objective.name)
    check_controls(recipe.training, architecture, objective, everything["corpus"].card)
    _check_device(architecture, placement)
    if everything["corpus"].parts:
        _check_mixture(objective, recipe)
    return recipe, everything


def _check_mixture(objective: Objective, recipe: Recipe) -> None:
    """Refuse to read a mixture in an order in which its examples are not drawn by weight."""
    if recipe.training.order != "crops":
        raise BadInput(
            "a mixture draws its examples by weight, in no other order",
            field="training.order",
            value=recipe.training.order,
            allowed="crops",
        )
    if objective.carries:
        raise BadInput(
            "needs one continuous text, and a mixture draws its examples",
            field="objective.name",
            value=recipe.objective.name,
            allowed="an objective without carried state, such as causal",
        )


def _probes(everything: Mapping[str, Resolved], cards: Cards, reads: str) -> list[Resolved]:
    """Return the probes that the recipe names, and those that the architecture always records, for what it reads."""
    named = {field: one for field, one in everything.items() if field.startswith("readings.probes.")}
    for name in everything["architecture"].card.records:
        field = f"readings.probes.{name}"
        if field not in named:
            named[field] = resolve(cards, "probes", Choice(name=name), field)
    return [one for one in named.values() if reads in one.card.reads]


def _observers(everything: Mapping[str, Resolved], cards: Cards) -> list[Resolved]:
    """Return all registered observers: with the settings of the recipe if it names them, else with their defaults."""
    return [
        everything.get(f"observers.{name}") or resolve(cards, "observers", Choice(name=name), f"observers.{name}")
        for name in cards.cards("observers")
    ]


def _check_objective(objective: Objective, card: Architecture, corpus: Corpus, cards: Cards, name: str) -> None:
    """Refuse an objective that the architecture or the corpus is not for, or an architecture that cannot read it."""
    kind, given = corpus.kind, f"{NAMES_OF_DATA[corpus.kind]}, which {corpus.title} gives"
    inputs = inputs_of(kind)
    is_read, is_learned = inputs in card.inputs, objective.needs in card.tasks
    if is_read and is_learned and kind in objective.reads:
        return
    readers = {other: one for other, one in objectives(cards).items() if kind in one.reads}
    fit = [other for other, one in readers.items() if one.needs in card.tasks]
    if is_read and fit:
        what = f"this objective does not read {given}"
        raise BadInput(
            what if is_learned else f"{card.title} cannot be trained on this objective",
            field="objective.name",
            value=name,
            allowed=", ".join(fit),
            remedy=f"Write --objective {fit[0]}" if len(fit) == 1 else "Choose one: --objective NAME",
        )
    tasks = {one.needs for one in readers.values()}
    reader = name if name in readers else next(iter(readers), name)
    able = [one.name for one in cards.cards("architectures").values() if inputs in one.inputs and one.tasks & tasks]
    raise BadInput(
        f"{card.title} cannot be trained on {given}",
        field="architecture.name",
        value=card.name,
        allowed=", ".join(able) or "none of the registered architectures",
        remedy=f"Write --architecture {able[0]} --objective {reader}" if len(able) == 1 else None,
    )


def _check_targets(objective: Objective, given: Given, everything: Mapping[str, Resolved], cards: Cards) -> None:
    """Refuse an objective whose targets the rows do not have, such as numbers where they have classes."""
    corpus, card = everything["corpus"].card, everything["architecture"].card
    kind, target = corpus.kind, target_of(given)
    if fits(objective, kind, target):
        return
    fit = [name for name, one in fitting(cards, kind, target).items() if offers(card, one, kind)]
    predicted = next((one for one, tasks in TASKS.items() if objective.needs in tasks), target)
    raise BadInput(
        f"this objective predicts {NAMES_OF_TARGETS[predicted]}, and {corpus.title} has {NAMES_OF_TARGETS[target]}",
        field="objective.name",
        value=everything["objective"].card.name,
        allowed=", ".join(fit) or None,
        remedy=f"Write --objective {fit[0]}" if len(fit) == 1 else "Choose one: --objective NAME",
    )


def _check_probabilities(given: Vectors, numbers: Any) -> None:
    """Refuse numbers (N, K) that are no probabilities; a later row would stop a run that trains."""
    wrong = np.argwhere((numbers < 0) | (numbers > 1))
    if len(wrong):
        row, column = (int(index) for index in wrong[0])
        name = given.outputs[column] if given.outputs else str(column + 1)
        raise BadInput(
            f"the number of row {row + 1} in the column {name!r} is no probability",
            field="objective.name",
            value=f"{numbers[row, column]:g}",
            allowed="0 to 1",
            remedy="Choose the objective regression, or give labels 0 and 1",
        )


def _check_first_rows(objective: Resolved, made: Objective, rows: RowSource) -> None:
    """Refuse rows that an objective cannot use: it makes one batch of the first ones."""
    with preparing(objective.plugin, objective.card.title):
        made.batch(rows.ordered(), np.arange(min(ROWS_AT_ONCE, rows.examples)), 0)


def _check_device(architecture: Architecture, placement: Placement) -> None:
    device = placement.device.type
    if architecture.devices is not None and device not in architecture.devices:
        raise BadInput(
            f"{architecture.title} does not run on this device",
            field="training.device",
            value=device,
            allowed=", ".join(sorted(architecture.devices)),
        )
