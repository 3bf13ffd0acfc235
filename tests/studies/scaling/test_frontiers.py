"""Power laws of the best runs: parabolas at equal compute, envelopes of training curves, single laws."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.studies.scaling import (
    FitOptions,
    ScalingTable,
    budget_of,
    compute_with_inference,
    fit_envelope,
    fit_isoflops,
    fit_single_laws,
)

LAW = {"E": 1.8, "A": 480.0, "B": 2000.0, "alpha": 0.35, "beta": 0.37}
A = LAW["beta"] / (LAW["alpha"] + LAW["beta"])


def loss_of(n, d):
    return LAW["E"] + LAW["A"] / n ** LAW["alpha"] + LAW["B"] / d ** LAW["beta"]


def best_size(c):
    ratio = LAW["alpha"] * LAW["A"] / (LAW["beta"] * LAW["B"])
    return ratio ** (1 / (LAW["alpha"] + LAW["beta"])) * (c / 6) ** A


def isoflops(noise, seed=0, budgets=9, sizes=9):
    c = np.repeat(np.geomspace(6e18, 3e21, budgets), sizes)
    n = best_size(c) * np.tile(np.geomspace(1 / 4, 4, sizes), budgets)
    loss = loss_of(n, c / 6 / n) + noise * np.random.default_rng(seed).normal(size=len(n))
    return ScalingTable({"N": n, "C": c, "L": loss})


def test_parabolas_recover_the_exponent_of_a_known_law():
    found = fit_isoflops(isoflops(0.0), FitOptions(resamples=50))
    assert found.values["a"].value == pytest.approx(A, abs=2e-3)
    assert found.values["b"].value == pytest.approx(1 - A, abs=2e-3)
    assert len(found.points["compute"]) == 9


@pytest.mark.parametrize("draws", [pytest.param(200, marks=pytest.mark.long), 40])
def test_intervals_of_parabolas_cover_the_exponent(draws):
    inside, values = 0, []
    for draw in range(draws):
        found = fit_isoflops(isoflops(0.003, draw), FitOptions(resamples=200)).values["a"]
        inside += found.low <= A <= found.high
        values.append(found.value)
    assert (0.90 if draws == 200 else 0.8) <= inside / draws <= (0.98 if draws == 200 else 1)
    assert np.mean(values) == pytest.approx(A, abs=3e-3)


def test_a_compute_whose_losses_have_no_minimum_is_named_and_left_out():
    table = isoflops(0.0, budgets=4)
    columns = {name: column.copy() for name, column in table.columns.items()}
    columns["L"][:9] = np.linspace(3.0, 2.9, 9) - 0.05 * np.linspace(-1, 1, 9) ** 2
    found = fit_isoflops(ScalingTable(columns), FitOptions(resamples=20))
    assert len(found.points["compute"]) == 3
    assert any("no minimum" in warning for warning in found.warnings)


def test_one_compute_has_no_exponent():
    with pytest.raises(BadInput, match="fewer than two budgets"):
        fit_isoflops(isoflops(0.0, budgets=1))


def test_the_envelope_of_training_curves_recovers_the_exponent():
    sizes = np.geomspace(3e7, 3e10, 24)
    n = np.repeat(sizes, 120)
    c = np.tile(np.geomspace(1e18, 1e23, 120), 24)
    found = fit_envelope(ScalingTable({"N": n, "C": c, "L": loss_of(n, c / 6 / n)}), FitOptions(resamples=50))
    assert found.values["a"].value == pytest.approx(A, abs=0.02)
    assert found.values["a"].low < A < found.values["a"].high


@pytest.mark.parametrize(
    ("name", "n", "d"),
    [
        ("alpha_N", np.geomspace(1e5, 1e9, 12), np.array([1e14, 1e17])),
        ("alpha_D", np.array([1e15, 1e19]), np.geomspace(1e7, 1e11, 12)),
    ],
)
def test_single_laws_of_kaplan_are_recovered_where_nothing_else_limits(name, n, d):
    n, d = np.repeat(n, len(d)), np.tile(d, len(n))
    loss = ((6.4e13 / n) ** (0.076 / 0.103) + 1.8e13 / d) ** 0.103
    found = fit_single_laws(ScalingTable({"N": n, "D": d, "L": loss}), FitOptions(resamples=50))
    assert found.values[name].value == pytest.approx({"alpha_N": 0.076, "alpha_D": 0.103}[name], abs=1e-3)
    assert found.values["alpha_C"].value > 0


def test_use_makes_a_smaller_model_trained_for_longer_the_cheapest():
    values = {name: float(value) for name, value in LAW.items()}
    loss = float(loss_of(1e9, 2e10))
    unused, used = compute_with_inference(values, loss, 0.0), compute_with_inference(values, loss, 1e12)
    assert used.parameters < unused.parameters
    assert used.tokens > unused.tokens
    for found in (unused, used):
        assert loss_of(found.parameters, found.tokens) == pytest.approx(loss, rel=1e-9)
    assert unused.parameters == pytest.approx(best_size(unused.flops), rel=0.02)


def test_a_loss_below_the_entropy_of_the_law_is_refused():
    with pytest.raises(BadInput, match="no model comes below"):
        compute_with_inference(LAW, 1.7, 0.0)


def test_a_budget_of_compute_alone_has_20_tokens_per_parameter():
    found = budget_of(flops=5.76e23)
    assert found.parameters == pytest.approx(6.93e10, rel=1e-3)
    assert found.tokens_per_parameter == pytest.approx(20)


def test_two_amounts_give_the_third():
    assert budget_of(parameters=70e9, tokens=1.4e12).flops == pytest.approx(5.88e23)
    assert budget_of(flops=6e20, tokens=1e10).parameters == pytest.approx(1e10)


@pytest.mark.parametrize("given", [{}, {"parameters": 1.0, "tokens": 1.0, "flops": 6.0}, {"flops": -1.0}])
def test_other_amounts_are_refused(given):
    with pytest.raises(BadInput):
        budget_of(**given)
