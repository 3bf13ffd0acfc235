"""What is learned: the corpus that a recipe names, read, cut into tokens and split in two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from lab.api import ENTROPY_RATE, Examples, LongText, Text, Tokenizer, load
from lab.base import BadInput, LabError
from lab.base.problems import attributed
from lab.recipes import Recipe
from lab.text.examples.promises import check_examples
from lab.text.examples.source import ExampleSource, sha256_of
from lab.text.measures import floors
from lab.text.promises import check_text, check_tokenizer
from lab.text.streams import TokenSource, split_tokens
from lab.text.token_files import tokens_of
from lab.text.tokenizers.symbols import SymbolTokenizer
from lab.training.choices import Resolved

Given: TypeAlias = Text | LongText | Examples
"""What the factory of a corpus gives."""

Splits: TypeAlias = tuple[TokenSource, TokenSource] | tuple[ExampleSource, ExampleSource]
"""Training and validation."""


@dataclass(frozen=True)
class Material:
    """A corpus that was read, and its tokens.

    Args:
        given: What the corpus gave.
        tokenizer: Fitted to it, or to a vocabulary that was there before.
        tokens: (N,) symbol numbers; none of examples, which are made when they are asked for.
    """

    given: Given
    tokenizer: Tokenizer
    tokens: np.ndarray

    @cached_property
    def sha256(self) -> str:
        """What a run recognises its corpus by, in hex."""
        return sha256_of(self.given) if isinstance(self.given, Examples) else self.given.sha256

    def splits(self, recipe: Recipe, *, carries: bool) -> Splits:
        """Training and validation as numbered examples.

        Raises:
            BadInput: The text is too short for the context length, an example too long, or state cannot be carried.
        """
        if not isinstance(self.given, Examples):
            return text_splits(self.tokens, self.tokenizer.vocabulary_size, recipe, carries=carries)
        return example_splits(self.given, recipe, carries=carries)

    def floors(self, splits: Splits) -> dict[str, float]:
        """Losses of the simplest classes of models in nats per scored token, and the truth where it is known."""
        train, validation = splits
        size = self.tokenizer.vocabulary_size
        if isinstance(self.given, Examples):
            learned, wanted = (part.answers for part in splits if isinstance(part, ExampleSource))
            simplest = floors(learned, np.concatenate([wanted[:1], wanted]), size)  # every answer is a target
            return {**_that_tell(simplest), ENTROPY_RATE: self.given.entropy}
        characters = len(self.given.text) if isinstance(self.given, Text) else self.given.characters
        per_token = characters / (len(train.tokens) + len(validation.tokens))  # a source counts in characters
        known = {name: float(value) * per_token for name, value in self.given.floors.items()}
        return {**_that_tell(floors(train.tokens, validation.tokens, size)), **known}

    def facts(self) -> dict[str, Any]:
        """What a run stores about its corpus: enough to recognise it, nothing about where it lies."""
        given = self.given
        facts: dict[str, Any] = {"name": given.name, "sha256": self.sha256}
        if isinstance(given, Examples):
            facts |= {"symbols": len(given.symbols), "length": given.length, "longest": given.longest}
        else:
            characters = len(given.text) if isinstance(given, Text) else given.characters
            facts |= {"characters": characters, "dropped": given.dropped}
        return {**facts, "facts": dict(given.facts), "vocabulary": self.tokenizer.vocabulary()}


def _that_tell(simplest: Mapping[str, float]) -> dict[str, float]:
    """Without the unigram where it is worse than to know nothing, as after too few tokens: that is no floor."""
    return {name: nats for name, nats in simplest.items() if nats <= simplest["uniform"]}


def text_splits(tokens: np.ndarray, size: int, recipe: Recipe, *, carries: bool) -> tuple[TokenSource, TokenSource]:
    """The training and validation split of (N,) tokens of a vocabulary of some size as numbered examples.

    Raises:
        BadInput: The text is too short for the context length.
    """
    training = recipe.training
    train, validation = split_tokens(tokens, 1 - training.validation_share)
    length = training.context_length
    return (
        TokenSource(train, size, length, "lanes" if carries else training.order, training.batch_size if carries else 1),
        TokenSource(validation, size, length, "windows"),
    )


def example_splits(given: Examples, recipe: Recipe, *, carries: bool) -> tuple[ExampleSource, ExampleSource]:
    """The training and validation split of generated examples.

    Raises:
        BadInput: An example is longer than the context, or the objective carries a state from one to the next.
    """
    if carries:
        raise BadInput(
            "reads a text on and on, and each example of this source stands alone",
            field="objective.name",
            value=recipe.objective.name,
            allowed="an objective without carried state, as causal",
        )
    seed, length = recipe.training.seed, recipe.training.context_length
    return ExampleSource(given, "train", seed, length), ExampleSource(given, "validation", seed, length)


def read_material(
    everything: Mapping[str, Resolved],
    vocabulary: Mapping[str, Any] | None = None,
    sha256: str | None = None,
    *,
    progress: Callable[[float, str], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Material:
    """The chosen corpus, with the tokenizer fitted to it or to a vocabulary, and the tokens it becomes.

    Args:
        everything: What `all_chosen` gave for the recipe.
        vocabulary: That of a tokenizer which cut a text before and cuts this one; None fits one.
        sha256: Of the corpus it must be; None for any.
        progress: Told the share that is done and what is being done, where that takes long.
        cancelled: Asked now and then; True ends it.

    Raises:
        BadInput: The corpus cannot be read or cut so, or is another one.
        LabError: A plugin's code raised, or did not keep its promises.
        Cancelled: It was cancelled.
    """
    given, cut = read_corpus(everything["corpus"]), everything["tokenizer"]
    if isinstance(given, Examples):
        material = Material(given, SymbolTokenizer(given.symbols), np.zeros(0, np.int64))
        _check_same(material, sha256)
        return material
    if sha256 is not None and given.sha256 != sha256:
        raise _another(given.name)
    with attributed(cut.plugin, f"Loading the tokenizer {cut.card.title}"):
        known: Tokenizer | None = None if vocabulary is None else load(cut.card.load)(vocabulary)
    beginning = given.text if isinstance(given, Text) else given.beginning
    tokenizer: Tokenizer = cut.make(beginning) if known is None else known
    with attributed(cut.plugin, cut.card.title):
        if isinstance(given, Text):
            tokens = tokenizer.encode(given.text)
            keeps_promises(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, given.text, tokens))
        else:
            keeps_promises(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, beginning))
            tokens = tokens_of(
                given,
                tokenizer,
                progress=lambda done, total: progress(done / max(1, total), f"Cutting {given.name} into tokens"),
                cancelled=cancelled,
            )
    return Material(given, tokenizer, tokens)


def read_corpus(corpus: Resolved) -> Given:
    """What the corpus that a recipe names gives.

    Raises:
        BadInput: It cannot be read, or a setting is not allowed.
        LabError: A plugin's code raised, or gave no text and no examples.
    """
    given: Given = corpus.make()
    check = check_examples if isinstance(given, Examples) else check_text
    keeps_promises(corpus.plugin, lambda: check(given))
    return given


def keeps_promises(plugin: str, check: Callable[[], None]) -> None:
    """Makes a check of what a plugin gave; what it finds is the plugin's.

    Raises:
        BadInput: What was given to the plugin cannot be used.
        LabError: What the plugin gave is not what it should be.
    """
    try:
        check()
    except BadInput:
        raise
    except LabError as error:
        raise LabError(replace(error.problem, plugin=plugin)) from None


def _check_same(material: Material, sha256: str | None) -> None:
    if sha256 is not None and material.sha256 != sha256:
        raise _another(material.given.name)


def _another(name: str) -> BadInput:
    return BadInput(
        "the corpus is not the text this run was trained on",
        field="corpus",
        value=name,
        remedy="Say where that text lies: --corpus FILE",
    )
