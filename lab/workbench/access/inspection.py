"""The readings of a model on a text, with the label of each token that was read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, LabError, Reading, Tokenizer, checked_readings
from lab.api.architecture import load
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder, read_readings
from lab.runs.readings import read_sample

if TYPE_CHECKING:
    from lab.training.experiment import Experiment

POSITIONS = ("token", "query", "key")
"""Axes along the tokens of the text; the first that a reading has gives how many were read."""


@dataclass(frozen=True)
class Inspection:
    """The readings of a model at one step of its training.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        labels: The label of each token that was read.
        readings: What the probe found.
        sample: The text that the model generated then, if it was recorded.
        symbol: Returns the label of a symbol of the vocabulary.
        text: What was read, for another model to read it too; "" where it is not known.
        given: The number of tokens of the text that was given, of which the first were read; 0 without one.
    """

    step: int
    labels: tuple[str, ...]
    readings: list[Reading]
    sample: str | None = None
    symbol: Callable[[int], str] = str
    text: str = ""
    given: int = 0


def further_readings(inspection: Inspection, probe: str, plugins: Plugins) -> list[Reading]:
    """Return the readings that a probe adds by the labels of the tokens.

    Raises:
        LabError: The plugin's code raised.
    """
    card = plugins.card("probes", probe)
    if card.labelled is None:
        return []
    with attributed(plugins.owner("probes", probe), card.title):
        return checked_readings(load(card.labelled)(inspection.readings, inspection.labels))


def tokens_to_read(
    text: str | None, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer, otherwise: Callable[[], Sequence[int]]
) -> list[int]:
    """Return the tokens of a text, else of the recipe's probe text, else `otherwise`: no more than the recipe reads.

    Raises:
        BadInput: The text holds what the vocabulary lacks.
        LabError: A plugin's code raised.
    """
    wanted = text or recipe.readings.text
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Encoding the text"):
        tokens = tokenizer.encode(wanted) if wanted else otherwise()
    longest = recipe.readings.tokens or type(recipe.readings)().tokens  # 0 records nothing, but this is requested
    return [int(token) for token in tokens[:longest]]


def labels_of(tokens: Sequence[int], recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the label of each token.

    Raises:
        LabError: The tokenizer's code raised.
    """
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Naming the tokens"):
        return tuple(tokenizer.label(token) for token in tokens)


def text_of(tokens: Sequence[int], recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> str:
    """Return the text of tokens.

    Raises:
        LabError: The tokenizer's code raised.
    """
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Writing the tokens as text"):
        return str(tokenizer.decode(tokens))


def validation_tokens(experiment: Experiment) -> Sequence[int]:
    """Return what is inspected where no probe text is given: the validation text from its start.

    Raises:
        BadInput: The run does not read one sequence of tokens.
    """
    return tokens_of(experiment.validation or experiment.train)


def tokens_of(source: Any) -> Sequence[int]:
    """Return the tokens of a split from its start.

    Raises:
        BadInput: Its rows are not one sequence of tokens each.
    """
    tokens: Sequence[int] | None = getattr(source, "tokens", None)
    if tokens is None:
        what = "this run reads rows that are not one sequence of tokens, which probes and prompts need"
        raise BadInput(what, field="corpus", remedy="Choose a run that reads text, examples, labels or conversations")
    return tokens


def probe_text_of(experiment: Experiment, plugins: Plugins) -> list[int]:
    """Return the probe text for a new run to store; [] if it cannot be read, which probing reports."""
    with contextlib.suppress(LabError):
        if experiment.tokenizer is not None:
            rest = partial(validation_tokens, experiment)
            return tokens_to_read(None, experiment.recipe, plugins, experiment.tokenizer, rest)
    return []


def recorded(run: RunFolder, step: int, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> Inspection:
    """Return the readings that a run recorded at a step; tokens that the run did not store are numbered from 1.

    Raises:
        BadInput: There are none at this step; the problem names the steps that have some.
        LabError: A file of the run is damaged, or the tokenizer's code raised.
    """
    readings, sample = read_readings(run.path, step), read_sample(run.path, step)
    labels = next((tuple(map(str, one.coordinates["token"])) for one in readings if "token" in one.coordinates), ())
    if labels:  # of a target, which the readings have with those of its source
        return Inspection(step, labels, readings, sample, _symbol_labels(recipe, plugins, tokenizer))
    sizes = {axis: size for one in readings for axis, size in zip(one.axes, one.values.shape, strict=True)}
    length = next((sizes[axis] for axis in POSITIONS if axis in sizes), 0)
    tokens = stored_tokens(run, tokenizer)[:length]
    if len(tokens) == length:
        labels, read = labels_of(tokens, recipe, plugins, tokenizer), text_of(tokens, recipe, plugins, tokenizer)
        return Inspection(step, labels, readings, sample, tokenizer.label, read)
    numbers = tuple(str(number) for number in range(1, length + 1))
    return Inspection(step, numbers, readings, sample, tokenizer.label)


def _symbol_labels(recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> Callable[[int], str]:
    """Return the function that labels symbols, those of the objective too."""
    from lab.diagnostics.source import symbol_label
    from lab.training.resolution import resolve

    objective = resolve(plugins, "objectives", recipe.objective, "objective").make()
    return partial(symbol_label, tokenizer=tokenizer, objective=objective)


def stored_tokens(run: RunFolder, tokenizer: Tokenizer) -> list[int]:
    """Return the probe text that a run stores; [] if it stores none, or it does not fit this vocabulary."""
    tokens, size = run.facts.get("probe_text"), tokenizer.vocabulary_size
    if isinstance(tokens, list) and all(type(token) is int and 0 <= token < size for token in tokens):
        return tokens
    return []
