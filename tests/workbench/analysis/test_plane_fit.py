"""A network that is trained on points which are moved meanwhile."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.analysis.plane_fit import PlaneFit

VALUES = {
    "corpus": {"name": "points", "shape": "moons", "rows": 60, "noise": 0.05}, "tokenizer": {"name": "none"},
    "architecture": {"name": "mlp", "widths": [8], "activation": "relu"}, "objective": {"name": "classification"},
    "training": {"batch_size": 64, "threads": 1, "optimizer": {"name": "adamw", "learning_rate": 0.05}},
}  # fmt: skip


@pytest.fixture
def fit(lab_home):
    return PlaneFit(Recipe().with_values(VALUES), Plugins(safe_mode=True))


def steps(fit, count):
    for _ in range(count):
        fit.make_step()
        fit.advance(0)


def test_steps_lower_the_loss_of_all_points(fit):
    before = fit.make_frame(20)
    steps(fit, 100)
    after = fit.make_frame(20)
    assert (before.step, after.step) == (0, 100)
    assert after.loss < 0.5 * before.loss
    assert after.accuracy > 0.9


def test_the_same_steps_on_the_same_points_give_the_same_surface(fit, lab_home):
    other = PlaneFit(Recipe().with_values(VALUES), Plugins(safe_mode=True))
    steps(fit, 5)
    steps(other, 5)
    assert np.array_equal(fit.make_frame(20).values, other.make_frame(20).values)


def test_points_can_be_moved_added_and_removed(fit):
    count = len(fit.points[0])
    fit.move(0, 5.0, -5.0)
    fit.add(0.5, 0.25, 1)
    points, targets = fit.points
    assert points[0].tolist() == [5, -5]
    assert (points[-1].tolist(), targets[-1]) == ([0.5, 0.25], 1)
    fit.remove(0)
    assert len(fit.points[0]) == count
    assert fit.points[0][0].tolist() != [5, -5]


def test_the_network_follows_a_point_that_moves_into_the_other_class(fit):
    steps(fit, 150)
    points, targets = fit.points
    fit.set_points(points[:1] * 0, 1 - targets[:1])
    steps(fit, 100)
    assert fit.make_frame(20).accuracy == 1.0


def test_a_fit_without_points_waits(fit):
    while len(fit.points[0]):
        fit.remove(0)
    steps(fit, 2)
    frame = fit.make_frame(10)
    assert frame.step == 0
    assert np.isnan(frame.loss)


def test_restarting_draws_the_first_weights_again_and_leaves_the_points(fit):
    first = fit.make_frame(20).values
    fit.add(0, 0, 0)
    steps(fit, 3)
    fit.restart()
    assert np.array_equal(fit.make_frame(20).values, first)
    assert len(fit.points[0]) == 55


def test_units_and_regions_are_shown_where_they_are_asked_for(fit):
    assert fit.layers == {0: 8}
    fit.show((0, 3), regions=True)
    frame = fit.make_frame(30)
    assert frame.values.shape == (1, 30, 30)
    assert frame.regions.shape == (30, 30)
    assert 1 < frame.region_count <= 1 + 8 + 28


def test_a_thread_makes_frames_until_it_is_cancelled(fit):
    fit.train(True)
    asked = iter([False] * 5 + [True])
    fit.work(lambda: next(asked))
    assert fit.frame.step > 0


def test_data_of_more_than_two_numbers_is_refused(lab_home):
    recipe = Recipe().with_values({**VALUES, "corpus": {"name": "sine"}, "objective": {"name": "regression"}})
    with pytest.raises(BadInput, match="two numbers"):
        PlaneFit(recipe, Plugins(safe_mode=True))
