"""Floors of data in rows: the losses of the simplest models on the rows of validation."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lab.text.measures import cross_entropy
from lab.text.rows.columns import Ragged
from lab.text.rows.linear import (
    Array,
    BagOfTokens,
    Dense,
    Features,
    huber,
    least_squares_loss,
    linear_huber_loss,
    logistic_loss,
)
from lab.text.rows.source import RowSource

PRIORS, LINEAR, MEAN, CONSTANT = "class priors", "linear", "mean", "constant"
"""Names of the floors."""

HALVINGS = 100
"""Halvings of the range in which the best constant is searched: beyond the precision of its numbers."""

MOST_LABELS = 20
"""Most labels that do not exclude each other, or numbers under the Huber loss, to which linear models are fitted."""

FITTED = 10_000
"""Most rows of training that a linear model is fitted to, and most rows of validation that it is measured on."""

LARGEST = 1 << 22
"""Largest product of rows and numbers in a row; of larger pictures and vectors fewer rows are read."""

FEWEST = 2
"""Fewest rows per number in a row; with fewer a linear model only learns its rows by heart, and is left out."""


def floors_of_rows(train: RowSource, validation: RowSource) -> dict[str, float]:
    """Return the losses of models that read nothing, and of a linear model, by name.

    Classes are in nats per label: "uniform" is ln K, "class priors" the loss of the shares of classes in training, and
    "linear" that of multinomial logistic regression on the vector, the pixels or the bag of tokens; on the token itself
    where each token has a class. Numbers are in mean squared error per number: "mean" is the loss of the mean of
    training, "linear" that of least squares. A linear model that does not converge, or has too few rows, is left out,
    and so is a loss above "uniform" or "mean", which is no floor.

    Args:
        train: The training rows, with the column "label" or "numbers".
        validation: The validation rows.
    """
    if train.outputs is not None:
        return _of_numbers(train, validation)
    K = train.classes or 0
    counts = [np.bincount(_labels(part), minlength=K) for part in (train, validation)]
    known = {"uniform": math.log(K), PRIORS: cross_entropy(*counts)}
    features = _features(train, validation)
    if features is not None:
        learned, wanted = (
            _labels(part)[: one.shape[0]] for part, one in zip((train, validation), features, strict=True)
        )
        loss = logistic_loss(features[0], learned, features[1], wanted, K)
        known |= {} if loss is None else {LINEAR: loss}
    return {name: nats for name, nats in known.items() if nats <= known["uniform"]}


def floors_of_huber(train: RowSource, validation: RowSource, delta: float) -> dict[str, float]:
    """Return the mean Huber losses (Huber 1964) of the best constant for each number and of a linear model, by name.

    "constant" is the loss on validation of the constants c that minimise the mean loss of the training rows. They are
    where the sum of the slopes, y − c limited to ±δ, is 0. "linear" is that of the linear model with the least mean
    loss of the training rows, for at most MOST_LABELS numbers; what is left out is as in `floors_of_rows`.

    Args:
        train: The training rows, with the column "numbers" (N, K).
        validation: The validation rows.
        delta: δ, from which on the loss is linear.
    """
    learned, wanted = numbers_of(train), numbers_of(validation)
    low, high = learned.min(axis=0), learned.max(axis=0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_low = np.clip(learned - middle, -delta, delta).sum(axis=0) > 0
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    known = {CONSTANT: float(huber(wanted - (low + high) / 2, delta).mean())}
    features = _dense_features(train, validation) if learned.shape[1] <= MOST_LABELS else None
    if features is not None:
        first, second = features
        loss = linear_huber_loss(first, learned[: len(first)], second, wanted[: len(second)], delta)
        known |= {} if loss is None else {LINEAR: loss}
    return {name: loss for name, loss in known.items() if loss <= known[CONSTANT]}


def floor_of_absolute(train: RowSource, validation: RowSource) -> dict[str, float]:
    """Return the mean absolute error of the best constant for each number, its median in training, as "constant".

    Args:
        train: The training rows, with the column "numbers" (N, K).
        validation: The validation rows.
    """
    medians = np.median(numbers_of(train), axis=0)
    return {CONSTANT: float(np.abs(numbers_of(validation) - medians).mean())}


def floors_of_labels(train: RowSource, validation: RowSource) -> dict[str, float]:
    """Return the losses of simple models of numbers in [0, 1], each a label that does not exclude the others, by name.

    They are binary cross-entropies in nats per label: "uniform" is ln 2, "class priors" the loss of the mean of each
    label in training, "linear" that of a logistic regression for each label, where all are 0 or 1 and there are at most
    MOST_LABELS. What is left out is as in `floors_of_rows`; {} if a number is not in [0, 1].

    Args:
        train: The training rows, with the column "numbers" (N, K).
        validation: The validation rows.
    """
    learned, wanted = numbers_of(train), numbers_of(validation)
    if min(learned.min(), wanted.min()) < 0 or max(learned.max(), wanted.max()) > 1:
        return {}
    counts = [np.stack([(1 - each).sum(axis=0), each.sum(axis=0)], axis=1) for each in (learned, wanted)]  # (K, 2)
    priors = [cross_entropy(one, other) for one, other in zip(*counts, strict=True)]
    known = {"uniform": math.log(2), PRIORS: math.fsum(priors) / len(priors)}
    are_labels = all(np.isin(each, (0, 1)).all() for each in (learned, wanted)) and len(priors) <= MOST_LABELS
    features = _features(train, validation) if are_labels else None
    if features is not None:
        known |= _logistic_of_labels(features, learned.astype(np.int64), wanted.astype(np.int64))
    return {name: nats for name, nats in known.items() if nats <= known["uniform"]}


def _logistic_of_labels(
    features: tuple[Features, Features], learned: NDArray[np.int64], wanted: NDArray[np.int64]
) -> dict[str, float]:
    """Return the mean loss of one logistic regression for each label (N, K); {} if one of them did not converge."""
    train, validation = features
    losses = []
    for one, other in zip(learned[: train.shape[0]].T, wanted[: validation.shape[0]].T, strict=True):
        loss = logistic_loss(train, one, validation, other, 2)
        if loss is None:
            return {}
        losses.append(loss)
    return {LINEAR: math.fsum(losses) / len(losses)}


def class_counts(source: RowSource) -> NDArray[np.int64]:
    """Return (K,) how often each class is the label of a row, or of a token, of a split."""
    return np.bincount(_labels(source), minlength=source.classes or 0)


def _of_numbers(train: RowSource, validation: RowSource) -> dict[str, float]:
    numbers, wanted = numbers_of(train), numbers_of(validation)
    known = {MEAN: float(((wanted - numbers.mean(axis=0)) ** 2).mean())}
    features = _dense_features(train, validation)
    if features is not None:
        learned, held_out = features
        known[LINEAR] = least_squares_loss(learned, numbers[: len(learned)], held_out, wanted[: len(held_out)])
    return {name: loss for name, loss in known.items() if loss <= known[MEAN]}


def numbers_of(source: RowSource) -> NDArray[np.float64]:
    """Return (N, K) the numbers to predict of a split."""
    return np.asarray(source.columns["numbers"], np.float64)[source.numbers]


def _labels(source: RowSource) -> NDArray[np.int64]:
    """Return the labels of the rows, or of the tokens, of a split."""
    column = source.columns["label"]
    if not isinstance(column, Ragged):
        return np.asarray(column[source.numbers], np.int64)
    labels = column.joined(source.numbers)
    return np.asarray(labels[labels >= 0], np.int64)


def _features(train: RowSource, validation: RowSource) -> tuple[Features, Features] | None:
    """Return the features of at most FITTED rows of each split; None if there are too few rows."""
    column = train.columns["inputs"]
    if isinstance(column, Ragged):
        bag = _bag(train)
        return bag, _bag(validation, bag.mean)
    size = int(np.prod(column.shape[1:]))
    count = min(train.examples, FITTED, LARGEST // size)
    if count < FEWEST * size:
        return None
    some = (np.asarray(column[part.numbers[:count]], np.float64) for part in (train, validation))
    learned, held_out = (one.reshape(len(one), -1) for one in some)
    mean, spread = learned.mean(axis=0), learned.std(axis=0)
    spread[spread == 0] = 1
    return Dense((learned - mean) / spread), Dense((held_out - mean) / spread)


def _dense_features(train: RowSource, validation: RowSource) -> tuple[Array, Array] | None:
    """Return the features of both splits as arrays; None if there are too few rows, or they are tokens."""
    features = _features(train, validation)
    if features is None or not isinstance(features[0], Dense) or not isinstance(features[1], Dense):
        return None
    return features[0].values, features[1].values


def _bag(source: RowSource, mean: NDArray[np.float64] | None = None) -> BagOfTokens:
    column, labels = source.columns["inputs"], source.columns["label"]
    assert isinstance(column, Ragged)
    if not isinstance(labels, Ragged):
        return BagOfTokens(column, source.numbers[:FITTED], source.vocabulary_size, mean)
    tokens = column.joined(source.numbers)[labels.joined(source.numbers) >= 0][:FITTED]
    alone = Ragged(tokens, np.arange(len(tokens) + 1))
    return BagOfTokens(alone, np.arange(len(tokens)), source.vocabulary_size, mean)
