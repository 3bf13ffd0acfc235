"""Points lie where their class is, and the stated loss is that of the best possible predictor."""

import math

import numpy as np
import pytest

from lab.sources.rows.points import GRID, PointsConfig, points

SHAPES = ("moons", "circles", "spirals", "xor", "blobs")


@pytest.mark.parametrize("shape", SHAPES)
def test_without_noise_the_nearest_other_point_has_the_same_class(shape):
    data = points(PointsConfig(shape=shape, noise=0.0, rows=1500))
    assert data.inputs.dtype == np.float32
    assert data.targets.dtype == np.int64
    apart = ((data.inputs[:200, None] - data.inputs[None]) ** 2).sum(-1)
    apart[np.arange(200), np.arange(200)] = np.inf
    assert (data.targets[apart.argmin(1)] == data.targets[:200]).mean() > (0.9 if shape == "xor" else 0.99)


def test_xor_has_a_class_where_the_signs_agree_and_one_where_they_differ():
    data = points(PointsConfig(shape="xor", noise=0.0, rows=200))
    x, y = data.inputs.T
    assert ((x * y > 0) == (data.targets == 0)).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_coordinates_are_of_a_grid_so_that_they_are_alike_everywhere(shape):
    inputs = points(PointsConfig(shape=shape, rows=100)).inputs.astype(float) * GRID
    assert (inputs == np.round(inputs)).all()


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("shape", ["circles", "spirals", "blobs"])
def test_classes_can_be_more_than_two(shape, classes):
    data = points(PointsConfig(shape=shape, classes=classes, rows=100))
    assert len(data.classes) == classes
    assert (np.bincount(data.targets) == 100 // classes).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_lowest_loss_is_that_of_a_posterior_by_counting(shape):
    """Fifty thousand other points show how often each class lies where a point is."""
    config = PointsConfig(shape=shape, noise=0.4, rows=1000)
    data = points(config)
    many = points(config.model_copy(update={"rows": 50_000, "seed": 1}))
    width, classes = 0.2, len(data.classes)
    squares = np.floor(np.concatenate([many.inputs, data.inputs]) / width).astype(int)
    cells, cell_of = np.unique(squares, axis=0, return_inverse=True)
    of_cells = np.full((len(cells), classes), 1 / classes)
    np.add.at(of_cells, (cell_of[: len(many.inputs)], many.targets), 1)
    counts = of_cells[cell_of[len(many.inputs) :]]
    losses = np.log(counts.sum(1)) - np.log(counts[np.arange(1000), data.targets])
    assert data.floors["entropy rate"] == pytest.approx(losses.mean(), abs=0.03)


@pytest.mark.long  # in short: the lowest loss is that of a posterior by counting
def test_more_noise_costs_more():
    losses = [points(PointsConfig(noise=noise)).floors["entropy rate"] for noise in (0.0, 0.1, 0.3, 1.0)]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert losses[-1] < math.log(2)
