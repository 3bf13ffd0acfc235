"""Opinions whose polarity follows from negation and contrast, so that counting words is not enough."""

from __future__ import annotations

import math

from lab.api import ENTROPY_RATE, LabelledTexts, setting
from lab.sources.rows.draws import Choices, RowsConfig, distinct, in_turn

CLASSES = ("negative", "positive")
ADJECTIVES = (
    "bad awful dull cold slow dirty weak rude bland noisy dreary poor stale clumsy gloomy careless",
    "good lovely bright warm quick clean strong kind tasty calm cheerful fine fresh clever sunny careful",
)
"""The adjectives of each class."""
NEGATIONS = ("not", "never", "hardly")
SUBJECTS = "soup service room view music story film meal garden voice answer journey hotel guide song museum"
_WEAK = ("", "", "really", "very", "quite", "so")


class PolarityConfig(RowsConfig):
    """How many opinions are turned around."""

    negation: float = setting(
        0.3, ge=0, le=1, help='Probability that a clause is negated: "the soup was not good" is negative.'
    )
    contrast: float = setting(
        0.5,
        ge=0,
        le=1,
        help='Probability that a text has two clauses of opposite polarity, of which the main one counts: "although '
        'the soup was good, the room was dull" is negative.',
    )


def polarity(config: PolarityConfig) -> LabelledTexts:
    """Return opinions, half of them positive.

    The text determines the label. In a text with a contrast the two clauses could be exchanged, which turns the label
    around and leaves the words the same: a predictor that only counts words loses ln 2 on each of these.

    Raises:
        BadInput: There are not so many different texts.
    """

    def of_class(label: int, count: int) -> list[str]:
        return distinct(config, count, label, lambda row: _text(config, label, row), 12)

    made, labels = in_turn(config, len(CLASSES), of_class)
    contrasts = sum(" although " in f" {text}" or " but " in text for text in made)
    counting = contrasts / len(made) * math.log(2)
    floors = {ENTROPY_RATE: 0.0, "counting words": round(counting, 6)}
    return LabelledTexts("opinions", made, labels, CLASSES, floors=floors)


def _text(config: PolarityConfig, label: int, row: Choices) -> str:
    main = _clause(config, label, row)
    if not row.happens(config.contrast):
        return f"{main} ."
    other = _clause(config, 1 - label, row)
    return row.one_of((f"{other} , but {main} .", f"although {other} , {main} .", f"{main} , although {other} ."))


def _clause(config: PolarityConfig, label: int, row: Choices) -> str:
    subject, weak = row.one_of(SUBJECTS.split()), row.one_of(_WEAK)
    negated = row.happens(config.negation)
    negation, adjective = row.one_of(NEGATIONS), row.one_of(ADJECTIVES[label != negated].split())
    words = ("the", subject, "was", negation if negated else "", weak, adjective)
    return " ".join(filter(None, words))
