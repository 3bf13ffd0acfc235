"""The state of the page Translate: its work, the selected hypothesis, the layers of its alignment."""

import numpy as np
import pytest

from lab.shell.play.translate.model import MEAN, TranslateModel, Way, Work
from lab.workbench.scoring.translation import Hypothesis, Translation
from lab.workbench.scoring.translation_measures import Measured, Measures


def hypothesis(*layers):
    weights = {layer: np.full((2, 3), float(layer)) for layer in layers}
    return Hypothesis("ba", -0.5, (1, 0), ("b", "a"), np.ones(2), weights)


def translation(*hypotheses):
    return Translation(7, "abc", ("a", "b", "c"), hypotheses)


@pytest.fixture
def model():
    return TranslateModel()


def work(pairs=0, clock=lambda: 0.0):
    return Work(None, None, "abc", Way.BEAMS, pairs, clock)


def test_only_the_newest_work_is_shown(model):
    first, second = model.start(work()), model.start(work())
    assert not model.take(first, translation(hypothesis(0)))
    assert model.translation is None
    assert model.take(second, translation(hypothesis(0)))
    assert model.hypothesis.text == "ba"
    assert model.work is None


def test_the_mean_of_the_layers_is_shown_first_and_then_the_one_that_is_picked(model):
    model.take(model.start(work()), translation(hypothesis(1, 2), hypothesis(1, 4)))
    assert model.layers == [MEAN, "1", "2"]
    assert model.alignment == pytest.approx(1.5)
    model.layer = "2"
    assert model.alignment == pytest.approx(2)
    model.selected = 1
    assert model.layers == [MEAN, "1", "4"]
    assert model.alignment == pytest.approx(2.5)  # it has no layer 2


def test_a_layer_that_another_model_lacks_is_forgotten(model):
    model.take(model.start(work()), translation(hypothesis(1, 2)))
    model.layer = "2"
    model.take(model.start(work()), translation(hypothesis(1)))
    assert (model.layers, model.layer) == (["1"], MEAN)


def test_without_attention_or_hypotheses_nothing_is_aligned(model):
    model.take(model.start(work()), translation(hypothesis()))
    assert (model.layers, model.alignment) == ([], None)
    model.take(model.start(work()), translation())
    assert (model.hypothesis, model.alignment) == (None, None)


def test_measures_stay_beside_a_translation(model):
    measured = Measured(7, Measures(1, 1.0, 1.0, None, None), (), ())
    model.take(model.start(work(pairs=1)), measured)
    model.take(model.start(work()), translation(hypothesis(0)))
    assert model.measured is measured
    assert model.translation is not None


def test_the_time_left_follows_from_the_share_that_is_done():
    now = iter((0.0, 30.0))
    measuring = work(pairs=10, clock=lambda: next(now))
    assert measuring.left is None
    measuring.share = 0.25
    assert measuring.left == pytest.approx(90)


@pytest.mark.parametrize(
    ("way", "name"), [*zip(Way, ("beam-search", "beam-search", "greedy", "sampling"), strict=True)]
)
def test_every_way_is_a_strategy_without_filters(way, name):
    decoding = way.decoding()
    assert (decoding.strategy.name, decoding.filters) == (name, [])
