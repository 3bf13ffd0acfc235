"""The data of an evaluation: the run's validation text, found again on this machine, or a file of yours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, LabError, Text, Tokenizer
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch import known_corpora

if TYPE_CHECKING:
    import numpy as np

    from lab.api import Objective
    from lab.training.experiment import Experiment


@dataclass(frozen=True)
class EvaluationData:
    """The data and settings of an evaluation.

    Args:
        objective: What the model was trained to do.
        source: The examples to score, a lab.api.Source.
        sizes: (V,) bytes of text per symbol, for bits per byte; None where targets are no text.
        limit: Targets that an evaluation reads while the run trains; 0 reads all.
    """

    objective: Objective
    source: Any
    sizes: np.ndarray | None
    limit: int


def data_of(experiment: Experiment, text: Path | None, plugins: Plugins, limit: int) -> EvaluationData:
    """Return the validation split that an experiment trains with, or a file of yours.

    Args:
        experiment: What is or would be trained.
        text: A UTF-8 file; None takes the validation split.
        plugins: Where the tokenizer's owner is found.
        limit: Targets that an evaluation reads while it trains.

    Raises:
        BadInput: There is no validation split, or the file cannot be used.
        LabError: The tokenizer's code raised.
    """
    if text is not None:
        check_reads_text(text, of_examples=not experiment.is_of_text)
        assert experiment.tokenizer is not None  # every corpus is text
        source = source_of_file(text, experiment.recipe, plugins, experiment.tokenizer)
    elif experiment.validation is None:
        raise BadInput("this recipe has no validation text", field="training.validation_share", value=0)
    else:
        source = experiment.validation
    return EvaluationData(experiment.objective, source, experiment.sizes, limit)


def check_reads_text(text: Path, *, of_examples: bool) -> None:
    """Refuse a text for a run that learns from generated examples or from rows.

    Raises:
        BadInput: It does.
    """
    if of_examples:
        raise BadInput(
            "this run learns from examples, and a text has none",
            field="corpus.path",
            value=str(text),
            remedy="Leave the text out",
        )


def source_of_file(file: Path, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer) -> Any:
    """Return a UTF-8 file cut into windows by the tokenizer of a run.

    Raises:
        BadInput: The file cannot be read, or holds what the vocabulary lacks.
        LabError: The tokenizer's code raised.
    """
    from lab.text.corpora.files import FileConfig, read_file
    from lab.text.streams import TokenSource
    from lab.text.token_files import tokens_of
    from lab.text.tokenizers.edges import word_edges

    given = read_file(FileConfig.read({"path": str(file)}, field="corpus"))
    text = given.text if isinstance(given, Text) else tokens_of(given, tokenizer)
    with attributed(plugins.owner("tokenizers", recipe.tokenizer.name), "Encoding the text"):
        tokens = tokenizer.encode(text) if isinstance(text, str) else text
    words = lru_cache(maxsize=1)(partial(word_edges, tokenizer))
    return TokenSource(tokens, tokenizer.vocabulary_size, recipe.training.context_length, "windows", words=words)


def validation_split(folder: RunFolder, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer, remedy: str) -> Any:
    """Return the source whose examples a run's evaluations read, once its corpus is found and is the same text.

    Args:
        folder: The run.
        recipe: Its own.
        plugins: Where corpus and tokenizer are found.
        tokenizer: As the run stores it.
        remedy: What to do where the corpus is not here; "" leaves it to what went wrong.

    Raises:
        BadInput: The corpus cannot be read, or is another one now.
        LabError: The run does not say what it was.
    """
    from lab.training.material import read_material
    from lab.training.resolution import resolve

    sha256 = known_corpora.sha256_of(folder)
    if sha256 is None:
        raise LabError("this run does not record its corpus", field="run.json", remedy="Give --text FILE")
    try:
        here = known_corpora.localised(recipe, folder)
        named = {"corpus": ("corpora", here.corpus), "tokenizer": ("tokenizers", here.tokenizer)}
        cards = {field: resolve(plugins, kind, choice, field) for field, (kind, choice) in named.items()}
        share, fitted = 1 - here.training.validation_share, known_corpora.fitted_in(folder)
        material = read_material(cards, share, tokenizer.vocabulary(), fitted=fitted)
    except BadInput as error:
        what = f"the corpus of this run cannot be read: {error.problem.what}"
        raise BadInput(replace(error.problem, what=what, remedy=remedy or error.problem.remedy)) from None
    if material.sha256 != sha256:
        raise BadInput(
            "the corpus is not the text this run was trained on any more",
            field="corpus",
            value=material.given.name,
            remedy=remedy or None,
        )
    return material.splits(here, carries=False)[1]
