"""Texts about one topic, in which some words come from others; the exact posterior of the topic is known."""

from __future__ import annotations

import math

from lab.api import ENTROPY_RATE, LabelledTexts, setting
from lab.sources.rows.draws import Choices, RowsConfig, in_turn, independent

TOPICS = {
    "sport": (
        "ball team goal match player coach race runner medal stadium",
        "scored passed trained won lost jumped",
    ),
    "kitchen": (
        "soup bread pan oven salt butter cook recipe knife cake",
        "boiled baked tasted stirred fried chopped",
    ),
    "weather": (
        "rain storm cloud wind snow frost fog thunder sky hail",
        "froze cleared thawed poured drifted darkened",
    ),
    "music": (
        "violin song choir drum melody concert piano singer rhythm trumpet",
        "played sang hummed tuned rehearsed composed",
    ),
    "travel": (
        "train ticket harbour suitcase airport hotel bridge ferry map passport",
        "departed arrived boarded crossed landed packed",
    ),
    "school": (
        "teacher lesson pupil desk chalk exam homework library book grammar",
        "learned taught studied spelled counted explained",
    ),
    "garden": (
        "rose tree seed spade hedge lawn tulip gardener root compost",
        "planted watered pruned bloomed grew wilted",
    ),
    "money": (
        "bank coin loan price budget account wage tax market cheque",
        "paid saved invested borrowed earned owed",
    ),
}
"""The nouns and the verbs of each topic; no word belongs to two."""


class TopicsConfig(RowsConfig):
    """The topics, the length of a text, and how many words mislead."""

    topics: int = setting(4, ge=2, le=len(TOPICS), unit="topics", help="Topics to tell apart.")
    sentences: int = setting(
        2, ge=1, le=20, unit="sentences", help="Sentences of a text, each with three words that point to its topic."
    )
    mixing: float = setting(
        0.4, ge=0, le=1, help="Probability that a word is drawn from any topic instead of the topic of the text."
    )


def topics(config: TopicsConfig) -> LabelledTexts:
    """Return short texts, equally many about each topic.

    Whether a word comes from any topic is drawn for each word by itself, so the order of the words tells nothing and
    the posterior of the topic is a product over words. What it loses on average is the lowest possible loss. Texts are
    drawn independently; a short one may occur twice.
    """
    names = list(TOPICS)[: config.topics]

    def of_class(label: int, count: int) -> list[str]:
        return independent(config, count, label, lambda row: _text(config, names, label, row), 9 * config.sentences)

    texts, labels = in_turn(config, config.topics, of_class)
    own = {word: topic for topic, name in enumerate(names) for words in TOPICS[name] for word in words.split()}
    losses = [
        surprise(config, [own[word] for word in text.split() if word in own], label)
        for text, label in zip(texts, labels, strict=True)
    ]
    floors = {ENTROPY_RATE: round(math.fsum(losses) / len(losses), 6)}
    return LabelledTexts("texts about topics", texts, labels, tuple(names), floors=floors)


def surprise(config: TopicsConfig, found: list[int], label: int) -> float:
    """Return the nats that the posterior of a text loses, given the topics to which its words belong."""
    other = config.mixing / config.topics
    own = 1 - config.mixing + other
    if not other:
        return 0.0
    scores = [sum(math.log(own if topic == word else other) for word in found) for topic in range(config.topics)]
    highest = max(scores)
    return highest + math.log(math.fsum(math.exp(score - highest) for score in scores)) - scores[label]


def _text(config: TopicsConfig, names: list[str], label: int, row: Choices) -> str:
    def word(kind: int) -> str:
        topic = row.below(config.topics) if row.happens(config.mixing) else label
        return row.one_of(TOPICS[names[topic]][kind].split())

    return " ".join(f"the {word(0)} {word(1)} near the {word(0)} ." for _ in range(config.sentences))
