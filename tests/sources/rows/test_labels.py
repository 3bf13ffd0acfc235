"""Labels are those that the texts have, and the stated losses are those of the best predictors."""

import math
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from lab.sources.rows.draws import RowsConfig
from lab.sources.rows.polarity import ADJECTIVES, NEGATIONS, PolarityConfig, polarity
from lab.sources.rows.speech import PATTERNS, labellings, parts_of_speech
from lab.sources.rows.topics import TOPICS, TopicsConfig, topics


def polarity_of(text):
    """Read the main clause: the one after "but", or the one without "although"."""
    clauses = [clause.strip(" .") for clause in text.split(",")]
    if len(clauses) == 2:
        clauses = [clauses[1]] if "but" in clauses[1] else [one for one in clauses if "although" not in one]
    (clause,) = clauses
    words = clause.split()
    positive = any(word in ADJECTIVES[1].split() for word in words)
    return int(positive != any(word in NEGATIONS for word in words))


@pytest.mark.parametrize("settings", [{}, {"negation": 0.0}, {"negation": 1.0}, {"contrast": 1.0}, {"contrast": 0.0}])
def test_polarity_follows_from_negation_and_contrast(settings):
    data = polarity(PolarityConfig(rows=1000, **settings))
    assert [polarity_of(text) for text in data.texts] == list(data.labels)


def test_clauses_of_a_contrast_disagree_so_exchanging_them_turns_the_label_around():
    data = polarity(PolarityConfig(rows=400, contrast=1.0))
    for text, label in zip(data.texts, data.labels, strict=True):
        first, second = re.fullmatch(r"(?:although )?(.*?) , (?:but |although )?(.*?) \.", text).groups()
        exchanged = text.replace(first, "@").replace(second, first).replace("@", second)
        assert Counter(exchanged.split()) == Counter(text.split())
        assert polarity_of(exchanged) == 1 - label


def test_the_loss_of_counting_words_is_that_of_the_texts_with_a_contrast():
    assert polarity(PolarityConfig(rows=100, contrast=1.0)).floors["counting words"] == pytest.approx(
        math.log(2), abs=1e-6
    )
    assert polarity(PolarityConfig(rows=100, contrast=0.0)).floors["counting words"] == 0


def posterior_loss(data, config):
    """The mean loss of the posterior, from the probability of each word given each topic."""
    names = list(TOPICS)[: config.topics]
    losses = []
    for text, label in zip(data.texts, data.labels, strict=True):
        likelihoods = np.ones(config.topics)
        for word in text.split():
            for topic, name in enumerate(names):
                for words in TOPICS[name]:
                    if word in words.split():
                        chances = np.full(config.topics, config.mixing / config.topics)
                        chances[topic] += 1 - config.mixing
                        likelihoods *= chances / len(words.split())
        losses.append(-math.log(likelihoods[label] / likelihoods.sum()))
    return np.mean(losses)


@pytest.mark.parametrize("settings", [{}, {"topics": 2, "sentences": 1, "mixing": 0.9}, {"topics": 8, "mixing": 0.6}])
def test_the_lowest_loss_of_topics_is_that_of_their_posterior(settings):
    config = TopicsConfig(rows=400, **settings)
    data = topics(config)
    assert data.floors["entropy rate"] == pytest.approx(posterior_loss(data, config), abs=1e-5)


def test_topics_that_are_drawn_as_stated_have_a_calibrated_posterior():
    """A noun belongs to the topic of its text as often as stated."""
    config = TopicsConfig(rows=20_000, topics=4, sentences=1, mixing=0.7)
    data = topics(config)
    own = defaultdict(list)
    names = list(TOPICS)[:4]
    for text, label in zip(data.texts, data.labels, strict=True):
        word = text.split()[1]
        topic = next(index for index, name in enumerate(names) if word in TOPICS[name][0].split())
        own[topic].append(topic == label)
    for hits in own.values():
        assert np.mean(hits) == pytest.approx(1 - 0.7 + 0.7 / 4, abs=0.03)


def test_without_mixing_a_word_decides_and_with_nothing_else_none_does():
    assert topics(TopicsConfig(rows=100, mixing=0.0)).floors["entropy rate"] == 0
    assert topics(TopicsConfig(rows=100, mixing=1.0)).floors["entropy rate"] == pytest.approx(math.log(4))


def test_no_word_belongs_to_two_topics():
    words = [word for topic in TOPICS.values() for kind in topic for word in kind.split()]
    assert len(set(words)) == len(words)


def test_the_words_of_a_sentence_allow_one_labelling_alone():
    data = parts_of_speech(RowsConfig(rows=300))
    for words, labels in zip(data.texts, data.labels, strict=True):
        same_length = [pattern for pattern in PATTERNS if len(pattern) == len(words)]
        assert labellings(words, same_length) == {tuple(labels)}
    assert data.by_token


def test_many_words_have_several_parts_of_speech():
    data = parts_of_speech(RowsConfig(rows=2000))
    found = defaultdict(Counter)
    for words, labels in zip(data.texts, data.labels, strict=True):
        for word, label in zip(words, labels, strict=True):
            found[word][label] += 1
    total = sum(sum(labels.values()) for labels in found.values())
    losses = [-count * math.log(count / sum(labels.values())) for labels in found.values() for count in labels.values()]
    assert data.floors["each word alone"] == pytest.approx(sum(losses) / total, abs=1e-5)
    assert sum(len(labels) > 1 for labels in found.values()) > 20
    assert found["light"].keys() == {1, 2, 3}
