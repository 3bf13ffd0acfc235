"""Readings of models that read vectors and images: of one row, and of many with their targets."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import reading_steps
from lab.workbench import SavedRun, Workbench
from lab.workbench.access.untrained import Untrained

QUICK = {"training": {"steps": 2, "batch_size": 4, "threads": 1, "device": "cpu", "evaluate_every": 0}}
POINTS = {
    "corpus": {"name": "points", "rows": 60}, "objective": {"name": "classification"}, "tokenizer": {"name": "none"},
    "architecture": {"name": "mlp", "widths": [4, 3]},
}  # fmt: skip
DIGITS = {**POINTS, "corpus": {"name": "digits", "rows": 40}}
SINE = {**POINTS, "corpus": {"name": "sine", "rows": 60}, "objective": {"name": "regression"}}


def model(values):
    return Untrained(Recipe().with_values(values).with_values(QUICK), Plugins(safe_mode=True))


def named(inspection, name):
    return [one for one in inspection.readings if one.name == name]


@pytest.mark.usefixtures("lab_home")
def test_the_reports_of_a_model_of_vectors_are_those_of_one_row():
    access = model(POINTS)
    first, third = access.inspect(), access.inspect("3")
    assert [one.values.shape for one in named(first, "activation")] == [(4,), (3,)]
    assert (first.text, third.text) == ("1", "3")
    assert not np.array_equal(named(first, "weighted sum")[0].values, named(third, "weighted sum")[0].values)


@pytest.mark.usefixtures("lab_home")
@pytest.mark.parametrize("text", ["0", "7", "the cat", "-1", "1.5"])
def test_a_text_that_is_no_number_of_a_row_is_refused(text):
    with pytest.raises(BadInput) as refused:
        model(POINTS).inspect(text)
    assert refused.value.problem.field == "text"
    assert refused.value.problem.allowed == "1 to 6"


@pytest.mark.usefixtures("lab_home")
def test_predictions_stand_beside_targets_and_in_a_matrix_of_confusion():
    found = model(POINTS).inspect("2", probe="predictions")
    (prediction,) = named(found, "prediction")
    assert prediction.coordinates["class"] == ("A", "B")
    assert prediction.values[1].sum() == pytest.approx(1)
    (confusion,) = named(found, "confusion")
    assert confusion.values.sum() == 6


@pytest.mark.usefixtures("lab_home")
def test_a_regression_has_its_fit_with_residuals():
    (fit,) = named(model(SINE).inspect(probe="predictions"), "fit")
    x, measured, predicted, residual = fit.values
    assert (np.diff(x) >= 0).all()
    assert residual == pytest.approx(measured - predicted)


@pytest.mark.usefixtures("lab_home")
def test_the_weights_of_units_on_images_are_pictures():
    access = model(DIGITS)
    (pictures,) = named(access.inspect(probe="weights"), "unit weights")
    shape = access.evaluation_data().source.input_shape
    assert pictures.axes == ("unit", "y", "x")
    assert pictures.values.shape == (4, *shape[:2])
    with access.borrow() as borrowed:
        wanted = borrowed.model.layers[0].linear.weight[1].view(*shape).mean(-1).detach().numpy()
    assert pictures.values[1] == pytest.approx(wanted)


@pytest.mark.usefixtures("lab_home")
def test_a_probe_of_texts_is_refused_for_vectors_and_one_of_vectors_for_texts(lab_home):
    with pytest.raises(BadInput, match="for models that read tokens"):
        model(POINTS).inspect(probe="logit-lens")
    with pytest.raises(BadInput, match="for models that read images or vectors"):
        model({"corpus": {"name": "text", "text": "abc" * 50}}).inspect(probe="predictions")


def test_a_run_records_readings_of_rows_and_its_decision_surface(lab_home):
    recipe = Recipe().with_values(POINTS).with_values(QUICK)
    bench = Workbench()
    run = bench.start(recipe)
    run.wait_out()
    bench.close()
    saved = SavedRun.find(run.path, Plugins(safe_mode=True))
    assert reading_steps(saved.path) == [0, 1, 2]
    found = saved.recorded(2)
    assert {"activation", "decision surface", "points", "confusion", "passing through"} <= {
        one.name for one in found.readings
    }
    (surface,) = named(found, "decision surface")
    assert surface.values.shape == (2, 100, 100)
    assert surface.values.sum(axis=0) == pytest.approx(1, abs=1e-5)
