"""Floors of rows: what shares of classes, means and linear models reach."""

import math

import numpy as np
import pytest
import torch

from lab.api import Images, LabelledTexts, Vectors, uniforms
from lab.text.rows.floors import floor_of_absolute, floors_of_huber, floors_of_labels, floors_of_rows
from lab.text.rows.linear import BagOfTokens, Dense, logistic_loss, minimise

DRAWS = uniforms(1, np.arange(400), 3).astype(np.float32)


def test_class_priors_are_the_loss_of_the_shares_in_training(sources):
    train, validation = sources(LabelledTexts("l", ["a"] * 400, [0] * 300 + [1] * 100, ("no", "yes")))
    learned, wanted = (part.ordered().rows(np.arange(part.examples), 0)["label"] for part in (train, validation))
    share = learned.mean()
    right = -(wanted * math.log(share) + (1 - wanted) * math.log(1 - share)).mean()
    floors = floors_of_rows(train, validation)
    assert floors["class priors"] == pytest.approx(right)
    assert floors["uniform"] == math.log(2)
    assert floors["linear"] == pytest.approx(floors["class priors"], abs=1e-3)  # every text is the same


def test_a_class_without_training_rows_has_a_finite_loss(sources):
    rows = LabelledTexts("l", ["a"] * 8, [0] * 8, ("no", "yes", "never"))
    train, validation = sources(rows)
    validation.columns["label"][validation.numbers] = 1
    assert all(math.isfinite(loss) for loss in floors_of_rows(train, validation).values())


def test_a_linear_model_divides_what_a_plane_divides_and_not_more(sources):
    plane = (DRAWS[:, 0] > DRAWS[:, 1]).astype(np.int64)
    checkers = ((DRAWS[:, 0] > 0.5) ^ (DRAWS[:, 1] > 0.5)).astype(np.int64)
    losses = [
        floors_of_rows(*sources(Vectors("v", DRAWS, classes, ("a", "b")))).get("linear")
        for classes in (plane, checkers)
    ]
    assert losses[0] < 0.1
    assert losses[1] is None or losses[1] > 0.6


def test_words_decide_a_label_however_long_the_text_is(sources):
    texts = ["b" * (index % 7 + 1) + ("a" if index % 2 else "c") for index in range(200)]
    floors = floors_of_rows(*sources(LabelledTexts("l", texts, [index % 2 for index in range(200)], ("c", "a"))))
    assert floors["linear"] < 0.1


def test_where_each_token_has_a_class_the_linear_model_knows_the_token_alone(sources):
    rows = LabelledTexts("t", [["ab", "b"]] * 40, [[0, 1]] * 40, ("first", "second"))
    floors = floors_of_rows(*sources(rows))
    assert floors["class priors"] == pytest.approx(math.log(2))
    assert floors["linear"] < 0.1


def test_pixels_are_read_by_the_linear_model(sources):
    side = np.arange(80) % 2
    pixels = np.zeros((80, 2, 2, 1), np.uint8)
    pixels[np.arange(80), 0, side] = 200
    assert floors_of_rows(*sources(Images("i", pixels, side, ("left", "right"))))["linear"] < 0.1


def test_numbers_have_the_error_of_the_mean_and_of_least_squares(sources):
    targets = DRAWS[:, :1] * 3 - DRAWS[:, 1:2] + 1
    train, validation = sources(Vectors("v", DRAWS, targets))
    floors = floors_of_rows(train, validation)
    wanted, learned = targets[validation.numbers], targets[train.numbers]
    assert floors["mean"] == pytest.approx(float(((wanted - learned.mean()) ** 2).mean()), rel=1e-5)
    assert floors["linear"] == pytest.approx(0, abs=1e-9)


def test_a_curve_stays_above_least_squares(sources):
    floors = floors_of_rows(*sources(Vectors("v", DRAWS[:, :1], DRAWS[:, :1] ** 2 * 10)))
    assert floors["linear"] == pytest.approx(100 / 180, rel=0.2)  # E[(x² − x + 1/6)²] = 1/180 on [0, 1]
    assert floors["mean"] == pytest.approx(100 * 4 / 45, rel=0.2)


def test_labels_that_do_not_exclude_each_other_have_the_loss_of_their_shares_and_of_a_line_each(sources):
    labels = np.stack([DRAWS[:, 0] > 0.25, DRAWS[:, 1] > 0.5], axis=1).astype(np.float32)
    train, validation = sources(Vectors("v", DRAWS, labels))
    floors, wanted = floors_of_labels(train, validation), labels[validation.numbers].astype(np.float64)
    share = labels[train.numbers].mean(axis=0, dtype=np.float64)
    right = -(wanted * np.log(share) + (1 - wanted) * np.log(1 - share)).mean()
    assert floors["class priors"] == pytest.approx(right)
    assert floors["uniform"] == math.log(2)
    assert floors["linear"] < 0.2


def test_the_linear_floor_of_one_label_is_that_of_its_two_classes(sources):
    label = (DRAWS[:, :1] + DRAWS[:, 1:2] ** 2 > 0.7).astype(np.float32)
    one = floors_of_labels(*sources(Vectors("v", DRAWS, label)))
    classes = floors_of_rows(*sources(Vectors("v", DRAWS, label[:, 0].astype(np.int64), ("no", "yes"))))
    assert one == pytest.approx(classes)
    assert set(one) == {"uniform", "class priors", "linear"}


def test_probabilities_have_no_linear_floor_and_other_numbers_none(sources):
    assert set(floors_of_labels(*sources(Vectors("v", DRAWS, DRAWS[:, :1] ** 2)))) == {"uniform", "class priors"}
    assert floors_of_labels(*sources(Vectors("v", DRAWS, DRAWS[:, :1] * 2))) == {}


def test_logistic_regression_reaches_the_minimum_that_torch_finds():
    features, labels = DRAWS[:100].astype(np.float64), (DRAWS[:100].sum(axis=1) * 1.2 % 3).astype(np.int64)
    found = logistic_loss(Dense(features), labels, Dense(features), labels, 3)
    W = torch.zeros(3, 3, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    X, y = torch.from_numpy(features), torch.from_numpy(labels)
    optimizer = torch.optim.LBFGS([W, b], max_iter=200, tolerance_grad=1e-9, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(X @ W + b, y) + (W**2).sum() / 200
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        assert found == pytest.approx(float(torch.nn.functional.cross_entropy(X @ W + b, y)), abs=1e-4)


def test_a_bag_counts_each_symbol_of_each_row(sources):
    train, _ = sources(LabelledTexts("l", ["aab", "b", "ccc", "a"] * 2, [0, 1] * 4, ("n", "y")))
    bag = BagOfTokens(train.columns["inputs"], np.array([0, 2]), 3)
    assert bag.mean.tolist() == [1, 0.5, 1.5]
    assert bag.times(np.eye(3)).tolist() == [[1, 0.5, -1.5], [-1, -0.5, 1.5]]
    assert bag.transposed_times(np.array([[1.0], [10.0]])).tolist() == [[2 - 11], [1 - 5.5], [30 - 16.5]]


def test_the_search_for_a_minimum_gives_up_where_there_is_none():
    assert minimise(lambda x: (float(x[0]), np.ones(1)), np.zeros(1)) is None
    found = minimise(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(4))
    assert found == pytest.approx(np.full(4, 3.0), abs=1e-4)


@pytest.mark.short("0.3")
@pytest.mark.parametrize("delta", [0.01, 0.3, 100.0])
def test_no_constant_has_a_lower_huber_loss_in_training_than_the_floor(sources, delta):
    targets = np.exp(4 * DRAWS[:, :1]) * np.array([[1, -3]], np.float32)
    train, validation = sources(Vectors("v", DRAWS, targets))

    def loss(source, constants):
        wanted = torch.from_numpy(source.columns["numbers"][source.numbers])
        return torch.nn.functional.huber_loss(torch.from_numpy(constants).expand_as(wanted), wanted, delta=delta).item()

    learned = np.sort(targets[train.numbers], axis=0).astype(np.float64)
    grid = np.linspace(learned[0], learned[-1], 4001)
    best = np.array([grid[np.argmin([loss_of(learned[:, k], one, delta) for one in grid[:, k]]), k] for k in (0, 1)])
    found = floors_of_huber(train, validation, delta)
    assert found["constant"] == pytest.approx(loss(validation, best.astype(np.float32)), rel=2e-3)


def loss_of(numbers, constant, delta):
    far = np.abs(numbers - constant)
    return np.where(far < delta, far**2 / 2, delta * (far - delta / 2)).mean()


def test_the_best_constant_is_the_mean_for_squares_and_the_median_for_distances(sources):
    targets = np.exp(4 * DRAWS[:, :1])
    train, validation = sources(Vectors("v", DRAWS, targets))
    wanted, learned = targets[validation.numbers], targets[train.numbers]
    squares = floors_of_huber(train, validation, 1e6)["constant"]
    assert squares == pytest.approx(float(((wanted - learned.mean()) ** 2).mean() / 2), rel=1e-4)
    distances = floors_of_huber(train, validation, 1e-6)["constant"] / 1e-6
    assert distances == pytest.approx(float(np.abs(wanted - np.median(learned)).mean()), rel=1e-3)
    assert floor_of_absolute(train, validation)["constant"] == pytest.approx(distances, rel=1e-3)


def heavy_tails():
    """Return inputs (400, 1), and numbers (400, 2) on a line but for errors of which one in ten is large."""
    errors = np.where(DRAWS[:, 1:2] < 0.1, 8, 0.2) * (DRAWS[:, 2:3] - 0.3)
    return DRAWS[:, :1], (3 * DRAWS[:, :1] + errors) * np.array([[1, -2]], np.float32)


def best_line(inputs, numbers, delta):
    """Return slope and height of the line with the least mean Huber loss, from grids that become finer."""
    slope, height, reach = 0.0, 0.0, 16.0
    while reach > 1e-4:
        slopes, heights = (middle + np.linspace(-reach, reach, 11) for middle in (slope, height))
        losses = [[loss_of(numbers, a * inputs + b, delta) for b in heights] for a in slopes]
        i, j = np.unravel_index(np.argmin(losses), (11, 11))
        slope, height, reach = slopes[i], heights[j], reach / 2
    return slope, height


@pytest.mark.short("0.5")
@pytest.mark.parametrize("delta", [0.05, 0.5, 100.0])
def test_no_line_has_a_lower_huber_loss_in_training_than_the_floor(sources, delta):
    inputs, targets = heavy_tails()
    train, validation = sources(Vectors("v", inputs, targets))
    learned, wanted = train.numbers, validation.numbers
    losses = []
    for numbers in targets.astype(np.float64).T:
        slope, height = best_line(inputs[learned, 0], numbers[learned], delta)
        losses.append(loss_of(numbers[wanted], slope * inputs[wanted, 0] + height, delta))
    found = floors_of_huber(train, validation, delta)
    assert found["linear"] == pytest.approx(np.mean(losses), rel=1e-3)
    assert found["linear"] < found["constant"]


def test_a_column_without_a_spread_and_one_that_is_another_s_double_leave_the_linear_huber_loss_as_it_is(sources):
    inputs, targets = heavy_tails()
    more = np.concatenate([inputs, 2 * inputs, np.ones_like(inputs)], axis=1)
    alone, beside = (floors_of_huber(*sources(Vectors("v", one, targets)), 0.5) for one in (inputs, more))
    assert beside["linear"] == pytest.approx(alone["linear"], rel=1e-6)


def test_a_linear_model_above_the_best_constant_is_no_floor_under_the_huber_loss(sources):
    by_chance = np.concatenate([DRAWS[200:], DRAWS[:200]])[:, :1]
    rows = Vectors("v", np.concatenate([DRAWS, DRAWS[::-1], DRAWS**2], axis=1), by_chance)
    assert floors_of_huber(*sources(rows), 0.1).keys() == {"constant"}
