"""The training data: the corpus of a recipe, read, tokenized and split in two."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, TypeAlias

import numpy as np

from lab.api import (
    ENTROPY_RATE,
    Conversations,
    Corpus,
    DataKind,
    Examples,
    LongText,
    Objective,
    Rows,
    Text,
    Tokenizer,
    Vectors,
    load,
)
from lab.base import BadInput, LabError
from lab.base.process_state import preparing
from lab.recipes import Recipe
from lab.runs.fitting import ANOTHER, FITTED_TO
from lab.text.corpora.mixture import MixedVectors, Mixture, RowMixture
from lab.text.documents import FACT, DocumentTokenizer, characters_of, end_of, packed, training_documents
from lab.text.examples.promises import check_examples
from lab.text.examples.source import ExampleSource, sha256_of
from lab.text.fitting import border_of, first_characters, text_to_fit, tokens_within
from lab.text.measures import cross_entropy, floors, symbol_counts
from lab.text.mixed import MixedRowSource, MixedSource, mixed_floors, split_parts, weighted_counts
from lab.text.promises import SAMPLE, check_text, check_tokenizer
from lab.text.rows.columns import Columns, columns_of, has_text, texts_of
from lab.text.rows.floors import (
    MEAN,
    PRIORS,
    class_counts,
    floor_of_absolute,
    floors_of_huber,
    floors_of_labels,
    floors_of_rows,
    numbers_of,
)
from lab.text.rows.promises import check_rows
from lab.text.rows.scaling import SCALED, scaled_by_training
from lab.text.rows.source import RowShape, RowSource, check_lengths, split_rows
from lab.text.rows.turns import TurnTokenizer, turn_tokenizer
from lab.text.streams import Edges, Order, TokenSource, split_tokens
from lab.text.token_files import tokens_of
from lab.text.tokenizers.edges import sentence_edges, word_edges
from lab.text.tokenizers.nothing import NoTokenizer
from lab.text.tokenizers.symbols import SymbolTokenizer
from lab.training.resolution import Resolved, field_of_part

Given: TypeAlias = Text | LongText | Examples | Rows
"""The result of a corpus."""

Splits: TypeAlias = (
    tuple[TokenSource, TokenSource]
    | tuple[MixedSource, MixedSource]
    | tuple[ExampleSource, ExampleSource]
    | tuple[RowSource, RowSource]
)
"""The training and validation splits."""

LABEL_UNIT = "nats per label"
"""The unit of losses of classes, and of numbers that are probabilities of labels."""
MASKING = ("masked", "next-sentence")
"""The tasks whose targets are hidden tokens, each as likely as any other: their floors are those of any token."""
ROWS_AT_ONCE = 256
"""Rows whose targets are counted at once."""


@dataclass(frozen=True)
class Material:
    """A corpus that was read, with its tokens.

    Args:
        given: The result of the corpus.
        tokenizer: The tokenizer, fitted to it or loaded from a vocabulary.
        tokens: Symbol numbers (N,); empty for examples, which are generated on demand, and for rows.
        fitted_to: What the tokenizer was fitted to: "training", "all", "nothing" or ANOTHER.
        border: Number of tokens for training, if they follow from the text; None cuts by the number of tokens. Of
            documents the position of the end symbol between both parts, which belongs to both.
        columns: The columns of rows.
        parts: By name, the tokens of each part of a mixture for training and for validation.
        scale: The fact that states the scaling of the columns by the training rows; {} if they have none.
    """

    given: Given
    tokenizer: Tokenizer
    tokens: np.ndarray
    fitted_to: str = "nothing"
    border: int | None = None
    columns: Columns = field(default_factory=dict)
    parts: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    scale: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """The hash by which a run recognises its corpus, in hexadecimal digits."""
        return sha256_of(self.given) if isinstance(self.given, Examples) else self.given.sha256

    def splits(self, recipe: Recipe, *, carries: bool) -> Splits:
        """Return training and validation as numbered examples.

        Raises:
            BadInput: The text is too short for the context length, an example is too long, or state cannot be carried.
        """
        if isinstance(self.given, Rows):
            return row_splits(self.given, self.columns, self.tokenizer.vocabulary_size, recipe, carries=carries)
        if not isinstance(self.given, Examples):
            tokenizer = self.tokenizer
            end = tokenizer.end if isinstance(tokenizer, DocumentTokenizer) else None
            size = tokenizer.vocabulary_size
            if isinstance(self.given, Mixture):
                return mixed_splits(self.given.weights, self.parts, size, recipe, end)
            words, sentences = (lru_cache(maxsize=1)(partial(of, tokenizer)) for of in (word_edges, sentence_edges))
            given: dict[str, Any] = {"border": self.border, "end": end, "words": words, "sentences": sentences}
            return text_splits(self.tokens, size, recipe, carries=carries, **given)
        return example_splits(self.given, recipe, carries=carries)

    def floors(self, splits: Splits, objective: Objective) -> dict[str, float]:
        """Return losses of the simplest models per target, and the entropy rate if it is known; {} where none apply.

        They are in nats; for numbers in mean squared error, mean absolute error or mean Huber loss.
        """
        train, validation = splits
        if isinstance(train, RowSource) and isinstance(validation, RowSource):
            assert isinstance(self.given, Rows)
            return _floors_of_rows(train, validation, objective, self.given.floors)
        if objective.needs in MASKING and isinstance(train, TokenSource) and isinstance(validation, TokenSource):
            return _informative(floors(train.tokens, validation.tokens, self.tokenizer.vocabulary_size))
        if isinstance(train, MixedSource) and isinstance(validation, MixedSource):
            return _informative(mixed_floors(train, validation)) if objective.needs == "causal" else {}
        if objective.needs != "causal" or isinstance(train, RowSource) or isinstance(validation, RowSource):
            return {}  # floors for the next token do not apply to others
        assert not isinstance(self.given, Rows)
        size = self.tokenizer.vocabulary_size
        if isinstance(self.given, Examples):
            learned, wanted = (part.answers for part in splits if isinstance(part, ExampleSource))
            simplest = floors(learned, np.concatenate([wanted[:1], wanted]), size)  # every answer is a target
            return {**_informative(simplest), ENTROPY_RATE: self.given.entropy}
        per_token = characters_of(self.given) / (
            len(train.tokens) + len(validation.tokens)
        )  # floors of a source are per character
        known = {name: float(value) * per_token for name, value in self.given.floors.items()}
        return {**_informative(floors(train.tokens, validation.tokens, size)), **known}

    def facts(self) -> dict[str, Any]:
        """Return the facts that a run stores about its corpus: enough to recognise it, nothing about its location."""
        given = self.given
        facts: dict[str, Any] = {"name": given.name, "sha256": self.sha256}
        if isinstance(given, Rows):
            facts |= {"kind": given.kind, "rows": len(given), "shape": RowShape.of(given).facts()}
            if not isinstance(self.tokenizer, NoTokenizer):
                facts[FITTED_TO] = self.fitted_to
            if isinstance(self.tokenizer, TurnTokenizer):
                turns = self.tokenizer
                facts |= {"roles": list(turns.roles), "reads": turns.reads, "writes": turns.writes}
        elif isinstance(given, Examples):
            facts |= {"symbols": len(given.symbols), "length": given.length, "longest": given.longest}
        else:
            facts |= {"characters": characters_of(given), "dropped": given.dropped, FITTED_TO: self.fitted_to}
            if isinstance(self.tokenizer, DocumentTokenizer):
                texts = given.parts if isinstance(given, Mixture) else (given,)
                facts[FACT] = sum(len(text.starts) for text in texts)
        return {**facts, "facts": {**given.facts, **self.scale}, "vocabulary": self.tokenizer.vocabulary()}


@dataclass(frozen=True)
class Fitted:
    """The text to which the tokenizer of a run was fitted.

    Args:
        to: "training", "all", "nothing" or ANOTHER; older runs do not record it, and were fitted to all of their text.
        sha256: The hash of that text; None if it is unknown.
        share: The share of it for training; None if it is unknown.
    """

    to: str = "all"
    sha256: str | None = None
    share: float | None = None

    def to_part_of(self, sha256: str, share: float) -> str:
        """Return what it was fitted to in relation to a text and its training part; ANOTHER if they are not these."""
        is_other_text = self.sha256 not in (None, sha256)
        is_other_part = self.to == "training" and self.share not in (None, share)
        return ANOTHER if is_other_text or is_other_part else self.to


def _informative(simplest: Mapping[str, float]) -> dict[str, float]:
    """Leave out a unigram loss above the uniform one, as after too few tokens, since it is not a floor."""
    return {name: nats for name, nats in simplest.items() if nats <= simplest["uniform"]}


def text_splits(
    tokens: np.ndarray,
    size: int,
    recipe: Recipe,
    *,
    carries: bool,
    border: int | None = None,
    end: int | None = None,
    words: Edges | None = None,
    sentences: Edges | None = None,
) -> tuple[TokenSource, TokenSource]:
    """Split tokens (N,) of a vocabulary of this size into training and validation, as numbered examples.

    Args:
        tokens: The tokens.
        size: The number of symbols.
        recipe: The recipe.
        carries: True if the objective carries a state from one example to the next.
        border: Number of tokens for training; None takes the recipe's share of all tokens.
        end: The end symbol, if the tokens are those of documents: the one at the border belongs to both parts.
        words: The edges of words, as of a TokenSource.
        sentences: The edges of sentences, as of a TokenSource.

    Raises:
        BadInput: The text is too short for the context length.
    """
    training = recipe.training
    if border is None:
        train, validation = split_tokens(tokens, 1 - training.validation_share)
    else:
        train, validation = tokens[: border + (end is not None)], tokens[border:]
    length = training.context_length
    order: Order = "lanes" if carries else training.order
    between = end if end is not None and training.separate_documents else None
    return (
        TokenSource(train, size, length, order, training.batch_size if carries else 1, between, words, sentences),
        TokenSource(validation, size, length, "windows", end=between, words=words, sentences=sentences),
    )


def mixed_splits(
    weights: Callable[[], Sequence[float]],
    parts: Mapping[str, tuple[np.ndarray, np.ndarray]],
    size: int,
    recipe: Recipe,
    end: int | None,
) -> tuple[MixedSource, MixedSource]:
    """Return the training and validation splits of a mixture.

    Args:
        weights: Returns the weight of each part that is in force.
        parts: By name, the tokens of each part for training and for validation.
        size: The number of symbols.
        recipe: The recipe.
        end: The end symbol, if a part has documents.

    Raises:
        BadInput: A part is too short for the context length.
    """
    training = recipe.training
    between = end if training.separate_documents else None
    length = training.context_length
    train = {name: TokenSource(tokens, size, length, end=between) for name, (tokens, _) in parts.items()}
    ordered: Order = "windows"
    validation = {name: TokenSource(tokens, size, length, ordered, end=between) for name, (_, tokens) in parts.items()}
    return MixedSource(train, weights), MixedSource(validation, weights, in_order=True)


def example_splits(given: Examples, recipe: Recipe, *, carries: bool) -> tuple[ExampleSource, ExampleSource]:
    """Return the training and validation splits of generated examples.

    Raises:
        BadInput: An example is longer than the context, or the objective carries a state from one to the next.
    """
    if carries:
        raise _independent(recipe)
    seed, length = recipe.training.seed, recipe.training.context_length
    return ExampleSource(given, "train", seed, length), ExampleSource(given, "validation", seed, length)


def row_splits(
    given: Rows, columns: Columns, size: int, recipe: Recipe, *, carries: bool
) -> tuple[RowSource, RowSource]:
    """Return the training and validation splits of rows.

    Args:
        given: The rows.
        columns: Their columns.
        size: The number of symbols.
        recipe: The recipe.
        carries: True if the objective carries a state from one example to the next.

    Raises:
        BadInput: A row is longer than the context, or the objective carries a state from one to the next.
    """
    if carries:
        raise _independent(recipe)
    training, shape = recipe.training, RowShape.of(given)
    if isinstance(given, RowMixture):
        check_lengths(columns, recipe.training.context_length, partial(_number_in_mixture, given))
        sizes = {part.name: len(part) for part in given.parts}
        return mixed_row_splits(given.weights, columns, sizes, shape, size, recipe)
    train, validation = split_rows(len(given), 1 - training.validation_share)
    length = training.context_length
    check_lengths(columns, length, lambda row: str(row + 1))
    return (
        RowSource(columns, train, shape, size, length, training.order),
        RowSource(columns, validation, shape, size, length, "rows"),
    )


def _number_in_mixture(given: RowMixture, row: int) -> str:
    """Return the number of a row of a mixture for display: in its part, and the part."""
    for part in given.parts:
        if row < len(part):
            return f"{row + 1} ({part.name})"
        row -= len(part)
    raise IndexError(row)


def mixed_row_splits(
    weights: Callable[[], Sequence[float]],
    columns: Columns,
    sizes: Mapping[str, int],
    shape: RowShape,
    size: int,
    recipe: Recipe,
) -> tuple[RowSource, RowSource]:
    """Return the training and validation splits of a mixture of rows.

    Args:
        weights: Returns the weight of each part that is in force.
        columns: The columns of the rows of all parts, one part after the other.
        sizes: The number of rows of each part, by name.
        shape: The shape of all rows.
        size: The number of symbols.
        recipe: The recipe.
    """
    training, validation = split_parts(list(sizes.values()), 1 - recipe.training.validation_share)
    length = recipe.training.context_length
    train = MixedRowSource(columns, np.concatenate(training), shape, size, length, sizes=sizes, weights=weights)
    return train, replace(train, numbers=np.concatenate(validation), order="rows")


def _independent(recipe: Recipe) -> BadInput:
    return BadInput(
        "needs one continuous text, and the examples of this source are independent",
        field="objective.name",
        value=recipe.objective.name,
        allowed="an objective without carried state, such as causal",
    )


def _floors_of_rows(
    train: RowSource, validation: RowSource, objective: Objective, known: Mapping[str, float]
) -> dict[str, float]:
    """Return the floors that apply to the targets of an objective, and those that the source knows.

    Those of a mixture are for its parts by their weights; no linear model is fitted to it.
    """
    if train.outputs is not None:
        if isinstance(train, MixedRowSource) and isinstance(validation, MixedRowSource):
            return _floor_of_mixed_numbers(train, validation) if objective.unit == "mean squared error" else {}
        if objective.unit == "mean squared error":
            return {**floors_of_rows(train, validation), **known}
        from lab.training.objectives import Regression  # late: it imports torch

        if isinstance(objective, Regression) and objective.config.loss == "absolute":
            return floor_of_absolute(train, validation)
        if isinstance(objective, Regression):
            return floors_of_huber(train, validation, objective.config.delta)
        return floors_of_labels(train, validation) if objective.unit == LABEL_UNIT else {}
    if train.classes is not None:
        if objective.needs != "classification" or objective.unit != LABEL_UNIT:
            return {}
        if not isinstance(train, MixedRowSource):
            return {**floors_of_rows(train, validation), **known}
        priors = cross_entropy(*(_counts(part, train, class_counts) for part in (train, validation)))
        uniform = math.log(train.classes)
        return {"uniform": uniform, **({PRIORS: priors} if priors <= uniform else {}), **known}
    if objective.needs not in ("causal", "sequence-to-sequence"):
        return {}
    size = objective.task(train).vocabulary_size
    learned, wanted = (
        _counts(part, train, lambda one: target_counts(one, objective, size)) for part in (train, validation)
    )
    simplest = _informative({"uniform": math.log(size), "unigram": cross_entropy(learned, wanted)})
    return {**simplest, **known} if objective.needs == "sequence-to-sequence" else simplest


def _floor_of_mixed_numbers(train: MixedRowSource, validation: MixedRowSource) -> dict[str, float]:
    """Return the mean squared error of the mean of training, both weighted by part."""
    shares = train.shares()
    learned, wanted = ([numbers_of(part) for part in one.parts.values()] for one in (train, validation))
    mean = sum(share * part.mean(axis=0) for share, part in zip(shares, learned, strict=True))
    errors = [float(((part - mean) ** 2).mean()) for part in wanted]
    return {MEAN: float(shares @ errors)}


def _counts(source: RowSource, train: RowSource, counts_of: Callable[[RowSource], np.ndarray]) -> np.ndarray:
    """Return the counts of a split; of a mixture those of its parts by their weights in training."""
    if not isinstance(source, MixedRowSource) or not isinstance(train, MixedRowSource):
        return counts_of(source)
    of_parts = [counts_of(part) for part in source.parts.values()]
    return weighted_counts(of_parts, train.shares(), sum(int(counts.sum()) for counts in of_parts))


def target_counts(source: RowSource, objective: Objective, size: int) -> np.ndarray:
    """Return (V,) how often each symbol is a target of an objective in one pass over a split."""
    ordered, counts = source.ordered(), np.zeros(size, np.int64)
    for start in range(0, source.examples, ROWS_AT_ONCE):
        numbers = np.arange(start, min(start + ROWS_AT_ONCE, source.examples))
        counts += symbol_counts(objective.batch(ordered, numbers, 0).targets.numpy(), size)
    return counts


def read_material(
    everything: Mapping[str, Resolved],
    share: float,
    vocabulary: Mapping[str, Any] | None = None,
    sha256: str | None = None,
    *,
    fitted: Fitted | None = None,
    progress: Callable[[float, str], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Material:
    """Read the corpus and split it into tokens, with a tokenizer fitted to it or loaded from a vocabulary.

    Args:
        everything: The result of `resolve_all` for the recipe.
        share: The share of a text for training.
        vocabulary: The vocabulary of a fitted tokenizer to use; None fits one.
        sha256: The hash of the expected corpus; None for any.
        fitted: What the tokenizer of that vocabulary was fitted to; None if it is unknown, as in older runs.
        progress: Called during long work with the share that is done, 0 to 1, and a description of the work.
        cancelled: Called now and then; returning True ends the work.

    Raises:
        BadInput: The corpus cannot be read or tokenized, or is not the expected one.
        LabError: A plugin's code raised, or broke its contract.
        Cancelled: The work was cancelled.
    """
    given, cut = read_corpus(everything["corpus"]), everything["tokenizer"]
    if isinstance(given, Examples):
        material = Material(given, SymbolTokenizer(given.symbols), np.zeros(0, np.int64))
        _check_same(material, sha256)
        return material
    if sha256 is not None and given.sha256 != sha256:
        raise _another(given.name)
    if isinstance(given, Rows):
        return _material_of_rows(given, cut, share, vocabulary, fitted)
    with preparing(cut.plugin, f"Loading the tokenizer {cut.card.title}"):
        known: Tokenizer | None = None if vocabulary is None else load(cut.card.load)(vocabulary)
    beginning = given.text if isinstance(given, Text) else given.beginning
    by_training = cut.card.fitted_to == "training"
    is_packed = bool(given.starts) and not isinstance(given, Mixture)
    first = training_documents(given, share) if is_packed else 0
    tokenizer: Tokenizer
    tokenizer = cut.make(_text_to_fit(given, share, first) if by_training else beginning) if known is None else known
    fitted_to: str = cut.card.fitted_to
    if known is not None and fitted_to != "nothing":
        fitted_to = (fitted or Fitted()).to_part_of(given.sha256, share)
    with preparing(cut.plugin, cut.card.title):
        if isinstance(given, Mixture):
            check_result(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, given.text[:SAMPLE]))
            return _material_of_mixture(given, tokenizer, fitted_to, share)
        if isinstance(given, Text) and first:
            check_result(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, next(given.documents())))
            ended = DocumentTokenizer(tokenizer)
            stream, ends = packed(given, ended)
            return Material(given, ended, stream, fitted_to, int(ends[first]))
        if isinstance(given, Text):
            tokens = tokenizer.encode(given.text)
            check_result(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, given.text, tokens))
        else:
            check_result(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, beginning))
            whole = DocumentTokenizer(tokenizer) if first else tokenizer
            tokens = tokens_of(
                given,
                whole,
                progress=lambda done, total: progress(done / max(1, total), f"Splitting {given.name} into tokens"),
                cancelled=cancelled,
            )
            if isinstance(whole, DocumentTokenizer):
                return Material(given, whole, tokens, fitted_to, end_of(tokens, whole.end, first))
        border = _border(given, tokenizer, tokens, share) if fitted_to == "training" else None
    return Material(given, tokenizer, tokens, fitted_to, border)


def _material_of_mixture(given: Mixture, tokenizer: Tokenizer, fitted_to: str, share: float) -> Material:
    """Return a mixture with the tokens of its parts; parts without documents are split as other texts are."""
    ended = DocumentTokenizer(tokenizer) if any(part.starts for part in given.parts) else None
    parts = {}
    for part in given.parts:
        if ended is not None and part.starts:
            tokens, ends = packed(part, ended)
            border = int(ends[training_documents(part, share)])
            parts[part.name] = tokens[: border + 1], tokens[border:]
            continue
        tokens = tokenizer.encode(part.text)
        border = _border(part, tokenizer, tokens, share) if fitted_to == "training" else int(share * len(tokens))
        parts[part.name] = tokens[:border], tokens[border:]
    everything = np.concatenate([piece for pair in parts.values() for piece in pair])
    return Material(given, ended or tokenizer, everything, fitted_to, parts=parts)


def _material_of_rows(
    given: Rows, cut: Resolved, share: float, vocabulary: Mapping[str, Any] | None, fitted: Fitted | None
) -> Material:
    """Return rows with their columns; the tokenizer is fitted to the text of training rows unless it is known.

    A tokenizer that refuses what it does not know gets the text of all rows, as it does of a corpus that is one text.

    Raises:
        BadInput: The tokenizer cannot be fitted, or does not know something in a row.
        LabError: The tokenizer's code raised, or broke its contract.
    """
    empty, fitted_to = np.zeros(0, np.int64), cut.card.fitted_to
    if not has_text(given):
        nothing = NoTokenizer()
        if isinstance(given, MixedVectors):
            vectors, scale = _scaled_parts(given, share)
            return Material(given, nothing, empty, columns=columns_of(vectors, nothing), scale=scale)
        if isinstance(given, Vectors) and given.by_training:
            vectors, scale = scaled_by_training(given, split_rows(len(given), share)[0])
            return Material(given, nothing, empty, columns=columns_of(vectors, nothing), scale=scale)
        return Material(given, nothing, empty, columns=columns_of(given, nothing))
    counts = [len(part) for part in given.parts] if isinstance(given, RowMixture) else [len(given)]
    training = np.concatenate(split_parts(counts, share)[0]) if fitted_to == "training" else None
    text = "\n".join(texts_of(given, training))
    tokenizer: Tokenizer
    if vocabulary is None:
        tokenizer = cut.make(text)
    else:
        with preparing(cut.plugin, f"Loading the tokenizer {cut.card.title}"):
            tokenizer = load(cut.card.load)(vocabulary)
        fitted_to = (fitted or Fitted()).to_part_of(given.sha256, share) if fitted_to != "nothing" else fitted_to
    with preparing(cut.plugin, cut.card.title):
        check_result(cut.plugin, lambda: check_tokenizer(tokenizer, cut.card, text[:SAMPLE]))
        whole = turn_tokenizer(tokenizer, given) if isinstance(given, Conversations) else tokenizer
        columns = columns_of(given, whole)
    return Material(given, whole, empty, fitted_to, columns=columns)


def _scaled_parts(given: MixedVectors, share: float) -> tuple[Vectors, dict[str, Any]]:
    """Return mixed vectors, each part that asks for it scaled by its own rows for training, and the fact SCALED."""
    parts, scale = [], {}
    for part in given.parts:
        assert isinstance(part, Vectors)
        if part.by_training:
            part, fact = scaled_by_training(part, split_rows(len(part), share)[0])
            scale[part.name] = fact[SCALED]
        parts.append(part)
    inputs, targets = (np.concatenate([getattr(part, name) for part in parts]) for name in ("inputs", "targets"))
    return replace(given, inputs=inputs, targets=targets), {SCALED: scale} if scale else {}


def _text_to_fit(given: Text | LongText, share: float, documents: int) -> str:
    """Return the training part of a text, for a tokenizer: the first documents if it has some; of each part."""
    if isinstance(given, Mixture):
        return given.split(share)[0]
    if documents:
        count = given.starts[documents] - 1
        return given.text[:count] if isinstance(given, Text) else first_characters(given, count)
    return text_to_fit(given, share)


def _border(given: Text | LongText, tokenizer: Tokenizer, tokens: np.ndarray, share: float) -> int:
    """Return the number of tokens for training, so that a tokenizer fitted to the training part saw no others."""
    if isinstance(given, Text):
        return border_of(given.text, tokens, tokenizer.sizes(), share)
    fitted = tokens_within(tokens, tokenizer.sizes(), len(text_to_fit(given, share).encode()))
    return max(fitted, int(share * len(tokens)))


def read_corpus(corpus: Resolved) -> Given:
    """Read the corpus that a recipe names.

    Raises:
        BadInput: It cannot be read, or a setting is not allowed.
        LabError: A plugin's code raised, or did not return what its card says.
    """
    given: Given = corpus.make(*([_read_parts(corpus)] if corpus.parts else []))
    check: Callable[[Any], None] = check_text
    if isinstance(given, Examples | Rows):
        check = check_examples if isinstance(given, Examples) else check_rows
    check_result(corpus.plugin, lambda: check(given))
    check_result(corpus.plugin, lambda: _check_kind(corpus.card, kind_of(given)))
    return given


def _read_parts(mixture: Resolved) -> dict[str, Given]:
    """Read the corpora of which a mixture consists; a problem names the setting of the mixture."""
    found = {}
    for name, part in mixture.parts.items():
        with field_of_part(getattr(mixture.config, name), part.field):
            try:
                found[name] = read_corpus(part)
            except BadInput as error:
                own = (error.problem.field or "").removeprefix("corpus").removeprefix(".")
                raise BadInput(replace(error.problem, field=".".join(filter(None, [part.field, own])))) from None
    return found


def kind_of(given: Given) -> DataKind:
    """Return what a corpus gave."""
    return given.kind if isinstance(given, Rows) else "examples" if isinstance(given, Examples) else "text"


def _check_kind(card: Corpus, kind: DataKind) -> None:
    if card.kind != kind:
        what, remedy = (
            f"the card of {card.title} says {card.kind}, and it gave {kind}",
            f'Write kind="{kind}" on its card',
        )
        raise LabError(what, field=f"corpora.{card.name}.kind", value=card.kind, allowed=kind, remedy=remedy)


def check_result(plugin: str, check: Callable[[], None]) -> None:
    """Check the result of a plugin; an error is attributed to the plugin.

    Raises:
        BadInput: The input of the plugin cannot be used.
        LabError: The plugin's result breaks its contract.
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
        "the corpus is not the text that this run was trained on",
        field="corpus",
        value=name,
        remedy="Give the path of that text: --corpus FILE",
    )
