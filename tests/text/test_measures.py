"""Measures of a split before training."""

import math

import numpy as np
import pytest

from lab.text import measures
from lab.text.measures import floors, symbol_counts


def test_symbols_are_counted_over_slices_and_shapes(monkeypatch):
    monkeypatch.setattr(measures, "_SLICE", 3)
    rows = np.array([[0, 1, 1, 3], [3, 3, -1, -1]])
    assert symbol_counts(rows, 5).tolist() == [1, 2, 0, 3, 0]


def test_no_knowledge_costs_the_logarithm_of_the_vocabulary():
    assert floors(np.array([0, 1]), np.array([0, 1]), 65)["uniform"] == math.log(65)


def test_unigram_is_the_loss_of_the_training_frequencies_on_the_validation_targets():
    train, validation = np.array([0, 0, 0, 1]), np.array([1, 0, 1])
    assert floors(train, validation, 2)["unigram"] == pytest.approx(-(math.log(0.75) + math.log(0.25)) / 2)


def test_unigram_of_the_training_text_itself_is_its_entropy():
    tokens = np.array([0, 0, 1, 2])
    assert floors(tokens, np.array([3, 0, 0, 1, 2]), 4)["unigram"] == pytest.approx(1.5 * math.log(2))


def test_a_target_that_never_came_in_training_raises_every_count_by_one():
    train, validation = np.array([0, 0, 1]), np.array([0, 2])
    assert floors(train, validation, 4)["unigram"] == pytest.approx(-math.log(1 / 7))


def test_a_vocabulary_of_one_has_floors_of_zero():
    assert floors(np.zeros(9, np.uint8), np.zeros(3, np.uint8), 1) == {"uniform": 0.0, "unigram": 0.0}
