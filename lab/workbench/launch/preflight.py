"""The figures of a run before its model is built: its cost, and whether it fits into the memory of this machine."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil  # type: ignore[import-untyped]

from lab.api import Architecture, Cost, Examples, ModelConfig, Rows, Task, Text
from lab.base import BadInput, Problem
from lab.base.jobs import Cancelled, check_cancelled
from lab.base.problems import attributed, problem_of
from lab.base.system.policy import GB, policy
from lab.base.torch_lock import torch_lock
from lab.base.units import short
from lab.recipes import Recipe, Training
from lab.workbench.launch.hints import Hint, hints_of
from lab.workbench.launch.known_corpora import paths_of
from lab.workbench.launch.summary import stored_speed

if TYPE_CHECKING:
    import torch

    from lab.training.devices import Placement
    from lab.training.material import Material
    from lab.training.optimizers.listing import UpdatedGroup
    from lab.training.resolution import Cards, Resolved

FLOAT = 4
"""Bytes of a float32."""

COSTS = 64
"""Most costs that are cached; a form, its preflight and the start of its run need the same one."""

COPIES = 4
"""Numbers stored for each trained parameter: itself, its gradient, and the two means of AdamW."""

WITHOUT_COST = "The run continues without its cost"


@dataclass(frozen=True)
class Preflight:
    """The figures of a recipe before it is trained.

    Args:
        parameters: Number of trained parameters; tied ones count once.
        active_parameters: Number of those that take part in computing one token.
        flops_per_token: Operations of a training step per token; None for models that count, and if unknown.
        state_bytes: Bytes of decoding state after a full context; None if unknown, or if the model cannot decode.
        vocabulary_size: Symbols of the tokenizer.
        train_tokens: Tokens of the training part of the corpus.
        tokens: Tokens that the training reads.
        steps: Steps of the training, which may follow from its budget.
        tokens_per_parameter: `tokens` over `parameters`; None for models that count.
        memory_bytes: Weights, gradients, the optimizer's means, one batch, and the activations of a piece of it that
            are saved for the backward pass; None for models that count, whose tables grow with the text.
        seconds: Time at the speed of the last finished run on such a device; None before there is one.
        blocks: Parameters by part of the model.
        activation_bytes: Bytes of activations saved per token for the backward pass; None if unknown.
        backward_bytes: Bytes of activations saved for a complete piece of a batch; None if unknown.
        plain_backward_bytes: What that would be if no block were computed again (training.recompute).
        state_formula: The formula of `state_bytes` for display; "" if the card gives none.
        device_bytes: Bytes of memory of the device that the training would use; None if unknown.
        groups: Which parameters are updated at which rate, and which decay; () for models that count.
        all_tokens: Tokens of the whole corpus.
        documents: Documents of the corpus; 0 if it is one continuous text, or none.
        table_parameters: Parameters of embedding and head that grow with the vocabulary.
        hints: What is likely to go wrong, and what helps.
    """

    parameters: int
    active_parameters: int
    flops_per_token: float | None
    state_bytes: int | None
    vocabulary_size: int
    train_tokens: int
    tokens: int
    steps: int
    tokens_per_parameter: float | None
    memory_bytes: int | None
    seconds: float | None
    blocks: Mapping[str, int]
    activation_bytes: float | None
    backward_bytes: float | None
    plain_backward_bytes: float | None
    state_formula: str
    device_bytes: int | None = None
    groups: Sequence[UpdatedGroup] = ()
    all_tokens: int = 0
    documents: int = 0
    table_parameters: int = 0
    hints: Sequence[Hint] = ()


@dataclass(frozen=True)
class Checked:
    """A recipe that can be trained.

    Args:
        recipe: The recipe.
        everything: Its cards with their settings, by field.
        objective: Its objective.
        task: What its model is built for.
        train: The training part of the corpus, with zeros for the tokens of a text.
        vocabulary_size: Symbols of the tokenizer.
        all_tokens: Tokens of the whole corpus.
        documents: As of Preflight.
    """

    recipe: Recipe
    everything: Mapping[str, Resolved]
    objective: Any
    task: Task
    train: Any
    vocabulary_size: int
    all_tokens: int = 0
    documents: int = 0

    @property
    def architecture(self) -> Resolved:
        """The architecture with its settings."""
        return self.everything["architecture"]


class Estimator:
    """Computes preflights. Reading and tokenizing a corpus is slow, so the sizes of the last one are cached."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: tuple[Any, Material] | None = None  # the last material, with its key
        self._documents = 0  # of it

    def preflight(self, recipe: Recipe, cards: Cards) -> Preflight:
        """Return the figures of a recipe.

        Raises:
            BadInput: Something in the recipe cannot be used, or would not fit into memory; the problem names the field.
            LabError: A plugin's code raised.
        """
        from lab.training.devices import placement_of
        from lab.training.experiment import build_model, check_reach
        from lab.training.optimizers.groups import freeze
        from lab.training.optimizers.listing import updated_groups

        checked = self.check(recipe, cards)
        check_cancelled()
        recipe, architecture, objective, task = checked.recipe, checked.architecture, checked.objective, checked.task
        train, vocabulary_size = checked.train, checked.vocabulary_size
        placement = placement_of(recipe.training, architecture.card.devices)
        model = model_of(architecture, task)
        cost = None if model is None else measured_cost(model, architecture, task, recipe.training, placement)[0]
        if model is None:
            model = build_model(architecture, task, recipe.training.seed)
        check_reach(model, objective, recipe.objective.name)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        cost = cost or Cost(parameters, parameters, None, None)
        counts = model.learns == "counting"
        freeze(model, recipe.training.frozen)
        groups = () if counts else updated_groups(model, checked.everything["training.optimizer"])
        train_tokens = tokens_in(train)
        tokens = tokens_read(recipe.training, train_tokens, counts=counts)
        width = getattr(architecture.config, "width", 0)
        held, saved = memory_needed(cost, recipe.training, task.vocabulary_size, width)
        plain = None if cost.activation_bytes is None else cost.activation_bytes * piece_tokens(recipe.training)
        speed, flops = stored_speed(placement.device.type), cost.flops_per_token
        found = Preflight(
            parameters=cost.parameters,
            active_parameters=cost.active_parameters,
            flops_per_token=flops,
            state_bytes=cost.state_bytes,
            vocabulary_size=vocabulary_size,
            train_tokens=train_tokens,
            tokens=tokens,
            steps=recipe.training.steps,
            tokens_per_parameter=None if counts or not cost.parameters else tokens / cost.parameters,
            memory_bytes=None if counts else held + round(saved or 0),
            seconds=None if speed is None or flops is None else tokens * flops * _passes(recipe.training) / speed,
            blocks=cost.blocks,
            activation_bytes=cost.activation_bytes,
            backward_bytes=saved,
            plain_backward_bytes=plain,
            state_formula=state_formula(architecture, task),
            device_bytes=device_memory(placement.device),
            groups=groups,
            all_tokens=checked.all_tokens,
            documents=checked.documents,
            table_parameters=_table_parameters(model, task.vocabulary_size),
        )
        return replace(found, hints=hints_of(recipe, found))

    def check(self, recipe: Recipe, cards: Cards) -> Checked:
        """Return what a recipe trains, without its model.

        Raises:
            BadInput: Something in the recipe cannot be used; the problem names the field.
            LabError: A plugin's code raised.
        """
        from lab.training.experiment import check_recipe, with_steps

        recipe, everything = check_recipe(recipe, cards)
        objective = everything["objective"].make()
        material = self._material(recipe, everything)
        train, _ = material.splits(recipe, carries=objective.carries)
        size = material.tokenizer.vocabulary_size
        task = objective.task(train)
        recipe = with_steps(recipe, everything, objective, train)
        tokens, documents = len(material.tokens), self._documents
        return Checked(recipe, everything, objective, task, train, size, tokens, documents)

    def _material(self, recipe: Recipe, everything: Mapping[str, Resolved]) -> Material:
        """Return the material of the recipe, with the tokens of a text replaced by zeros, which take no memory."""
        from lab.training.material import read_material

        corpus, cut = everything["corpus"], everything["tokenizer"]
        named = (corpus.plugin, recipe.corpus.model_dump_json(), cut.plugin, recipe.tokenizer.model_dump_json())
        share = 1 - recipe.training.validation_share
        by_training = cut.card.fitted_to == "training"  # then another share gives another tokenizer
        with self._lock:
            key = (named, stamp(recipe), share if by_training else None)
            if self._last is None or self._last[0] != key:
                material = read_material(everything, share)
                zero = np.zeros((), np.min_scalar_type(material.tokenizer.vocabulary_size - 1))
                given = material.given
                self._documents = documents_in(given)
                given = given if isinstance(given, Examples | Rows) else Text("", given.name)
                tokens = np.broadcast_to(zero, len(material.tokens))
                self._last = key, replace(material, given=given, tokens=tokens, parts={})
            return self._last[1]


def stamp(recipe: Recipe) -> list[tuple[str, int, int]]:
    """Return name, size and modification time of the files that the corpus reads; [] if it reads none."""
    found = []
    try:
        for path in (Path(named).expanduser() for named in paths_of(recipe).values()):
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            found += [(str(file), file.stat()) for file in files if file.is_file()]
    except (OSError, ValueError, RuntimeError):  # the error is reported when the corpus is read
        return []
    return [(name, status.st_size, status.st_mtime_ns) for name, status in found]


def documents_in(given: Any) -> int:
    """Return the number of documents of what a corpus gives; 0 if it is one continuous text, or no text."""
    from lab.text.corpora.mixture import Mixture

    texts = given.parts if isinstance(given, Mixture) else (given,)
    return sum(len(getattr(text, "starts", ())) for text in texts)


def _table_parameters(model: Any, size: int) -> int:
    """Return the parameters of embedding and head that have a row for each of `size` symbols."""
    from lab.layers import parameter_roles

    roles = parameter_roles(model)
    tables = (p for name, p in model.named_parameters() if roles.get(name) in ("embedding", "head"))
    return sum(table.numel() for table in tables if size in table.shape)


def tokens_in(train: Any) -> int:
    """Return the number of tokens of a training part; of rows without text, the number of rows."""
    from lab.text.rows.source import RowSource

    return train.token_count if isinstance(train, RowSource) else len(train.tokens)


def tokens_read(training: Training, train_tokens: int, *, counts: bool) -> int:
    """Return the number of tokens that a training reads: those of all batches, or of the slices of a counting model."""
    from lab.training.amounts.budget import tokens_of
    from lab.training.steps.counting import FIRST_SLICE

    if not counts:
        return tokens_of(training)
    doubled = FIRST_SLICE << min(training.steps, 64) - 1 if training.steps else 0  # each slice doubles the text read
    return min(doubled, train_tokens)


def cost_of(
    architecture: Resolved, task: Task, training: Training, placement: Placement
) -> tuple[Cost | None, Problem | None]:
    """Return the cost of a model, or None and the problem of measuring it, which stops no run.

    Raises:
        BadInput: It would not fit into memory, or into what the policy of this machine allows.
    """
    from lab.diagnostics.cost import TooLarge

    try:
        model = model_of(architecture, task)
    except TooLarge as error:
        return None, replace(error.problem, remedy=WITHOUT_COST)
    return (None, None) if model is None else measured_cost(model, architecture, task, training, placement)


def memory_needed(cost: Cost, training: Training, vocabulary_size: int, width: int = 0) -> tuple[int, float | None]:
    """Return the bytes that a training by gradients holds all the time, and those of the activations of a piece.

    The second are None if they are unknown. If blocks are computed again, they are the inputs of all blocks, and the
    activations of one block.

    Args:
        cost: The cost of the model.
        training: The settings of the training.
        vocabulary_size: Symbols of the tokenizer.
        width: C, the channels of the residual stream; 0 if it is unknown.
    """
    held = cost.parameters * FLOAT * COPIES + batch_bytes(training, vocabulary_size)
    each = cost.activation_bytes
    blocks = sum(name.rpartition(".")[2].isdigit() for name in cost.blocks)
    if each is not None and training.recompute and blocks and width:
        each = min(each, blocks * width * FLOAT + each / blocks)
    return held, None if each is None else each * piece_tokens(training)


def _passes(training: Training) -> float:
    """Return the time of a step relative to one of which no block is computed again: a forward pass is a third."""
    return 4 / 3 if training.recompute else 1.0


def measured_cost(
    model: Any, architecture: Resolved, task: Task, training: Training, placement: Placement
) -> tuple[Cost | None, Problem | None]:
    """Return the cost of a model that `model_of` made, or None and the problem; see `cost_of`."""
    if model.learns == "gradient":
        check_batch(training, task.vocabulary_size)
    check_memory(sum(parameter.numel() for parameter in model.parameters()), placement.device.type)
    from lab.diagnostics.cost import TooLarge

    try:
        with torch_lock:
            cost = _cached_cost(architecture.card, architecture.config, task, model)
    except TooLarge as error:
        return None, replace(error.problem, remedy=WITHOUT_COST)
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - a plugin's code
        check_cancelled()
        problem = problem_of(error, plugin=architecture.plugin, doing="Measuring the cost of the model")
        remedy = f"{WITHOUT_COST}. If the plugin is yours, pytest --conformance shows what to change"
        return None, replace(problem, remedy=remedy)
    if model.learns == "gradient":
        width = getattr(architecture.config, "width", 0)
        check_limit(sum(map(round, filter(None, memory_needed(cost, training, task.vocabulary_size, width)))))
    return cost, None


_costs: deque[tuple[Architecture, str, Task, Cost]] = deque(maxlen=COSTS)


def _cached_cost(card: Architecture, config: ModelConfig, task: Task, model: Any) -> Cost:
    """Return the cost of a model, measured once for the same card, settings and task. Hold torch_lock."""
    from lab.diagnostics.cost import measure

    settings = config.model_dump_json()
    for known, known_settings, known_task, cost in _costs:
        if known == card and known_settings == settings and known_task == task:
            return cost
    cost = measure(card, config, task, model=model)
    check_cancelled()  # torch or a plugin may have taken the interruption for an error of its own
    _costs.append((card, settings, task, cost))
    return cost


def model_of(architecture: Resolved, task: Task) -> Any:
    """Return the model without its weights; None if it cannot be made: building the model then reports the problem.

    Raises:
        BadInput: It has too many parts; nobody should build it only to report its figures.
    """
    from lab.diagnostics.cost import TooLarge, blueprint

    try:
        with torch_lock:  # a model that draws random numbers while it is built must not disturb another training
            return blueprint(architecture.card, architecture.config, task)
    except (TooLarge, Cancelled):
        raise
    except Exception:  # noqa: BLE001 - a plugin's code
        check_cancelled()  # an import that was interrupted raises something else
        return None


def state_formula(architecture: Resolved, task: Task) -> str:
    """Return the formula of the decoding state of a model; "" if its card gives none.

    Raises:
        LabError: The card's code raised.
    """
    if architecture.card.state_formula is None:
        return ""
    with attributed(architecture.plugin, "Writing the size of the decoding state"):
        formula, _ = architecture.card.state_formula(architecture.config, task)
        return str(formula)


def device_memory(device: torch.device) -> int | None:
    """Return the bytes of memory of a device; None if it cannot be told."""
    import torch

    if device.type == "cpu":
        return int(psutil.virtual_memory().total)
    try:
        if device.type == "cuda":
            return int(torch.cuda.get_device_properties(device).total_memory)
        return int(torch.mps.recommended_max_memory()) if device.type == "mps" else None
    except (RuntimeError, AssertionError):  # a driver that does not answer
        return None


def piece_tokens(training: Training) -> int:
    """Return the number of tokens in the largest piece of a batch; the model computes one piece at a time."""
    return -(-training.batch_size // training.accumulation) * training.context_length


def check_memory(parameters: int, device: str) -> None:
    """Refuse a model that does not fit into memory, before it is built.

    Raises:
        BadInput: Its weights need more memory than is free; on the CPU, gradients and the means of AdamW count too.
    """
    needed = parameters * FLOAT * (COPIES if device == "cpu" else 1)
    free = psutil.virtual_memory().available
    if needed > free:
        raise BadInput(
            f"a model of {short(parameters)} parameters does not fit into memory: training needs {short(needed)}B, "
            f"{short(free)}B are free",
            field="architecture",
            allowed=f"at most {short(parameters * free // needed)} parameters now",
            remedy="Make it smaller (fewer layers, less width), or close other programs",
        )


def check_limit(needed: int) -> None:
    """Refuse a training that needs more memory than the policy of this machine allows.

    Args:
        needed: The bytes that it needs.

    Raises:
        BadInput: It needs more.
    """
    limit = policy().memory_gb
    if limit is not None and needed > limit * GB:
        raise BadInput(
            f"this training would need {short(needed)}B of memory, and no more than {short(limit * GB)}B are allowed "
            f"by {policy().source('memory_gb')}",
            field="architecture",
            remedy="Make the model smaller, lower training.batch_size or training.context_length, or raise "
            "training.accumulation",
        )


def batch_bytes(training: Training, vocabulary_size: int) -> int:
    """Return the bytes of the tokens of a batch and the logits of one piece of it."""
    tokens = training.batch_size * training.context_length
    at_once = piece_tokens(training)
    return tokens * 16 + min(at_once, training.loss_chunk or at_once) * vocabulary_size * FLOAT


def check_batch(training: Training, vocabulary_size: int) -> None:
    """Refuse a batch whose tokens and logits of one piece need more memory than is free.

    Raises:
        BadInput: They do not fit.
    """
    needed = batch_bytes(training, vocabulary_size)
    free = psutil.virtual_memory().available
    if needed > free:
        raise BadInput(
            f"a batch of {training.batch_size} examples of {training.context_length} tokens does not fit into memory: "
            f"tokens and logits alone take {short(needed)}B, {short(free)}B are free",
            field="training.batch_size",
            value=str(training.batch_size),
            remedy="Lower it or training.context_length, or raise training.accumulation",
        )
