"""Figures of classifiers and regressions, against their definitions."""

import numpy as np
import pytest
import torch

from lab.api import ProbedRows
from lab.diagnostics.examples.predictions import (
    area,
    calibration_readings,
    confusion,
    of_classes,
    of_numbers,
    roc,
    softmax,
)
from lab.training.objectives import Classification, Regression

DRAWS = np.random.default_rng(0)


def named(readings, name):
    return next(one for one in readings if one.name == name)


def test_a_matrix_of_confusion_counts_true_classes_in_rows():
    found = confusion(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), 3)
    assert found.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_the_area_under_roc_is_the_share_of_pairs_in_the_right_order_ties_half():
    positive, scores = DRAWS.random(200) < 0.3, DRAWS.integers(0, 20, 200).astype(float)
    pairs = scores[positive][:, None] - scores[~positive]
    wanted = ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    assert area(*roc(positive, scores)) == pytest.approx(wanted, abs=1e-12)


def test_a_roc_curve_ends_in_the_corners_and_never_falls():
    false, true = roc(np.array([True, False, True, False]), np.array([3.0, 2.0, 2.0, 1.0]))
    assert (false[0], true[0], false[-1], true[-1]) == (0, 0, 1, 1)
    assert true.tolist() == [0, 0.5, 1, 1]
    assert false.tolist() == [0, 0, 0.5, 1]


def test_predictions_that_are_right_as_often_as_they_say_have_no_calibration_error():
    shares = np.tile([[0.75, 0.25]], (400, 1))
    targets = np.array([0, 0, 0, 1] * 100)
    curve, error = calibration_readings(targets, shares)
    assert float(error.values) == pytest.approx(0)
    assert curve.values[0][7] == 0.75
    assert np.isnan(curve.values[0][3])
    assert float(calibration_readings(np.ones(400, int), shares)[1].values) == pytest.approx(0.75)


def rows_of(targets, classes=(), outputs=(), inputs=None, objective=None, example=0):
    inputs = torch.zeros(len(targets), 2) if inputs is None else inputs
    return ProbedRows(inputs, targets, example, example + 1, objective or Classification(), classes=classes,
                      outputs=outputs)  # fmt: skip


def test_the_prediction_of_a_row_has_logits_probabilities_and_its_target():
    logits = DRAWS.normal(size=(5, 3))
    rows = rows_of(torch.tensor([2, 0, 1, 1, 0]), ("a", "b", "c"), example=3)
    found = named(of_classes(rows, logits), "prediction")
    assert found.coordinates == {"quantity": ("logit", "probability", "target"), "class": ("a", "b", "c")}
    assert found.values == pytest.approx(np.stack([logits[3], softmax(logits)[3], [0, 1, 0]]))


def test_a_class_that_does_not_occur_has_no_roc_curve():
    readings = of_classes(rows_of(torch.tensor([0, 1, 0]), ("a", "b", "c")), DRAWS.normal(size=(3, 3)))
    assert named(readings, "ROC").coordinates["quantity"] == ("a", "b", "bound")
    assert np.isnan(named(readings, "area under ROC").values).tolist() == [False, False, True]


def test_rows_of_one_class_have_a_matrix_and_no_roc():
    names = [one.name for one in of_classes(rows_of(torch.tensor([1, 1]), ("a", "b")), np.zeros((2, 2)))]
    assert "confusion" in names
    assert "ROC" not in names


def test_residuals_are_targets_minus_predictions_in_order_of_the_input():
    inputs = torch.tensor([[3.0], [1.0], [2.0]])
    rows = rows_of(torch.tensor([[30.0], [10.0], [20.0]]), outputs=("y",), inputs=inputs, objective=Regression())
    fit = named(of_numbers(rows, np.array([[33.0], [9.0], [20.0]])), "fit")
    assert fit.coordinates["quantity"] == ("input", "measured", "prediction", "residual")
    assert fit.values.tolist() == [[1, 2, 3], [10, 20, 30], [9, 20, 33], [1, 0, -3]]


def test_with_several_inputs_a_fit_runs_along_the_target():
    rows = rows_of(torch.tensor([[2.0], [1.0]]), outputs=("y",), objective=Regression())
    fit = named(of_numbers(rows, np.array([[5.0], [4.0]])), "fit")
    assert fit.coordinates["quantity"][0] == "target"
    assert fit.values[0].tolist() == [1, 2]
