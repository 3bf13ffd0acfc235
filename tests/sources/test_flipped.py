"""Points whose classes are drawn anew, as wrong labels are."""

import math

import numpy as np
import pytest

from lab.api import ENTROPY_RATE
from lab.sources.rows.points import PointsConfig, points


def made(**settings):
    return points(PointsConfig(shape="blobs", classes=4, rows=4000, noise=0.0, **settings))


def test_a_share_of_the_labels_is_drawn_from_all_classes_and_the_points_stay():
    right, flipped = made(), made(flipped=0.4)
    assert np.array_equal(right.inputs, flipped.inputs)
    assert (right.targets != flipped.targets).mean() == pytest.approx(0.4 * 3 / 4, abs=0.02)


def test_without_flipped_labels_every_point_is_as_before():
    assert np.array_equal(made().targets, np.arange(4000) % 4)


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_the_lowest_loss_is_that_of_the_share_of_wrong_labels(share):
    right = 1 - share + share / 4
    wanted = -right * math.log(right) - (3 * share / 4 * math.log(share / 4) if share else 0)
    assert made(flipped=share).floors[ENTROPY_RATE] == pytest.approx(wanted, abs=1e-4)


def test_noise_and_flipped_labels_add_up_to_a_higher_loss():
    losses = [points(PointsConfig(noise=0.3, rows=1000, flipped=share)).floors[ENTROPY_RATE] for share in (0, 0.3, 1)]
    assert losses[0] < losses[1] < losses[2]
    assert losses[2] == pytest.approx(math.log(2), abs=1e-4)
