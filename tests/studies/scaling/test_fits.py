"""Fits of scaling laws: they recover known laws from generated points, with intervals that cover them."""

import numpy as np
import pytest
import torch

from lab.base import BadInput
from lab.studies.scaling import FORMS, FitOptions, ScalingTable, compute_optimal, fit_law
from lab.studies.scaling.descent import descend, huber

EPOCH = {"E": 1.8172, "A": 482.01, "B": 2085.43, "alpha": 0.3478, "beta": 0.3658}
"""The refit of Hoffmann's points by Besiroglu et al. 2024."""
KAPLAN = {"alpha_N": 0.076, "alpha_D": 0.103, "N_c": 6.4e13, "D_c": 1.8e13}
MUENNIGHOFF = {"E": 1.87, "A": 521.0, "B": 1488.0, "alpha": 0.353, "beta": 0.353, "R_D": 15.4, "R_N": 5.3}


def chinchilla_loss(n, d, law=EPOCH):
    return law["E"] + law["A"] / n ** law["alpha"] + law["B"] / d ** law["beta"]


def kaplan_loss(n, d, law=KAPLAN):
    return ((law["N_c"] / n) ** (law["alpha_N"] / law["alpha_D"]) + law["D_c"] / d) ** law["alpha_D"]


def constrained_loss(n, d, u, law=MUENNIGHOFF):
    best = (law["alpha"] * law["A"] / (law["beta"] * law["B"])) ** (1 / law["alpha"]) * u ** (
        law["beta"] / law["alpha"]
    )
    unique_n, unique_d = np.minimum(best, n), np.minimum(u, d)
    n = unique_n * (1 + law["R_N"] * (1 - np.exp(-(n / unique_n - 1) / law["R_N"])))
    d = unique_d * (1 + law["R_D"] * (1 - np.exp(-(d / unique_d - 1) / law["R_D"])))
    return chinchilla_loss(n, d, law)


def design(rows=96, seed=0):
    """Rows as in Hoffmann et al.: sizes and tokens over two and a half decades each."""
    random = np.random.default_rng(seed)
    return np.exp(random.uniform(np.log(5e7), np.log(1.6e10), rows)), np.exp(random.uniform(22.0, 27.5, rows))


def table(n, d, loss, noise=0.0, seed=0, **more):
    return ScalingTable(
        {"N": n, "D": d, "L": loss * np.exp(noise * np.random.default_rng(seed).normal(size=len(n))), **more}
    )


def few(**changes):
    return FitOptions(**{"resamples": 20, **changes})


def test_chinchillas_law_is_recovered_from_exact_points():
    n, d = design()
    fit = fit_law("chinchilla", table(n, d, chinchilla_loss(n, d)), few())
    for name, true in EPOCH.items():
        assert fit.values[name].value == pytest.approx(true, rel=1e-3)
    assert fit.values["a"].value == pytest.approx(0.3658 / (0.3478 + 0.3658), rel=1e-3)
    assert fit.agreeing > 1


def test_kaplans_joint_law_is_recovered_from_exact_points():
    n, d = design()
    fit = fit_law("kaplan", table(n, d, kaplan_loss(n, d)), few())
    assert fit.values["alpha_N"].value == pytest.approx(0.076, rel=1e-3)
    assert fit.values["alpha_D"].value == pytest.approx(0.103, rel=1e-3)
    assert np.log(fit.values["N_c"].value) == pytest.approx(np.log(6.4e13), rel=1e-3)


def test_the_data_constrained_law_is_recovered_from_exact_points():
    n, d = design(160)
    u = d / np.exp(np.random.default_rng(1).uniform(-0.5, 4.0, 160))
    loss = constrained_loss(n, d, np.minimum(u, d))
    fit = fit_law("data-constrained", table(n, d, loss, U=np.minimum(u, d)), few())
    for name, true in MUENNIGHOFF.items():
        assert fit.values[name].value == pytest.approx(true, rel=0.03), name


def test_the_minimum_is_that_of_lbfgs():
    n, d = design()
    rows = table(n, d, chinchilla_loss(n, d), noise=0.01)
    fit = fit_law("chinchilla", rows, few())
    logs = {name: torch.tensor(np.log(rows.columns[name])) for name in "NDL"}
    found = torch.tensor(fit.parameters + np.array([0.02, 0.1, -0.1, 0.005, -0.005]), requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [found], lr=0.5, max_iter=300, tolerance_grad=1e-12, tolerance_change=1e-16, line_search_fn="strong_wolfe"
    )

    def objective():
        e, a, b, alpha, beta = found
        parts = torch.stack([e + 0 * logs["N"], a - alpha * logs["N"], b - beta * logs["D"]])
        losses = torch.nn.functional.huber_loss(parts.logsumexp(0), logs["L"], reduction="sum", delta=1e-3)
        optimizer.zero_grad()
        losses.backward()
        return losses

    optimizer.step(objective)
    assert fit.objective <= float(objective().detach()) * (1 + 1e-4)


def test_hubers_loss_is_that_of_torch():
    residuals = np.linspace(-0.01, 0.01, 41)
    ours = huber(residuals, 1e-3).sum()
    theirs = torch.nn.functional.huber_loss(torch.tensor(residuals), torch.zeros(41), reduction="sum", delta=1e-3)
    assert ours == pytest.approx(float(theirs), rel=1e-12)


def test_outliers_move_hubers_fit_less_than_that_of_least_squares():
    n, d = design()
    loss = chinchilla_loss(n, d) * np.exp(0.003 * np.random.default_rng(3).normal(size=len(n)))
    loss[:6] *= 1.3
    errors = [
        abs(fit_law("chinchilla", table(n, d, loss), few(loss=kind)).values["E"].value - EPOCH["E"])
        for kind in ("huber", "squares")
    ]
    assert errors[0] < errors[1] / 2


def test_a_descent_from_several_starts_never_rises():
    target = np.array([1.0, 2.0, 3.0])

    def predict(parameters):
        return parameters[:, :1] * np.array([1.0, 2.0, 3.0])

    found = descend(predict, np.array([[0.1], [5.0], [-3.0]]), target, 1e-3)
    assert found.parameters == pytest.approx(np.ones((3, 1)), abs=1e-6)


LAWS = {"chinchilla": (EPOCH, chinchilla_loss, 0.005), "kaplan": (KAPLAN, kaplan_loss, 0.002)}
"""Known laws with the noise of ln L."""


def coverage(form, draws, resamples):
    """Return the share of draws whose intervals cover a known law, and the medians of the estimates."""
    n, d = design()
    law, loss, noise = LAWS[form]
    names = list(law)
    inside, values = np.zeros(len(names)), []
    for draw in range(draws):
        fit = fit_law(form, table(n, d, loss(n, d), noise, draw), FitOptions(resamples=resamples))
        found = fit.fitted
        inside += [found[name].low <= law[name] <= found[name].high for name in names]
        values.append([found[name].value for name in names])
    return dict(zip(names, inside / draws, strict=True)), dict(zip(names, np.median(values, axis=0), strict=True))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("form", LAWS)
def test_intervals_of_95_percent_cover_a_known_law_in_90_to_98_of_100_draws(form):
    shares, medians = coverage(form, 200, 200)
    assert all(0.90 <= share <= 0.98 for share in shares.values()), shares
    for name, true in LAWS[form][0].items():
        wide = name not in ("E", "alpha", "beta", "alpha_N", "alpha_D")
        assert medians[name] == pytest.approx(true, rel=0.2 if wide else 0.02), name


def test_intervals_cover_a_known_law_in_most_of_a_few_draws():
    shares, _ = coverage("chinchilla", 6, 40)
    assert min(shares.values()) >= 0.5


def test_factor_and_exponent_are_said_to_vary_together():
    n, d = design()
    fit = fit_law("chinchilla", table(n, d, chinchilla_loss(n, d), 0.005), FitOptions(resamples=60))
    names, matrix = fit.correlation
    assert matrix[names.index("A"), names.index("alpha")] > 0.95
    assert np.allclose(matrix, matrix.T)
    assert any("vary together" in warning for warning in fit.warnings)


def test_a_prediction_beyond_the_rows_says_so_and_its_band_widens():
    n, d = design()
    fit = fit_law("chinchilla", table(n, d, chinchilla_loss(n, d), 0.005), FitOptions(resamples=60))
    inside = fit.predict({"N": 1e9, "D": 2e10})
    outside = fit.predict({"N": 1e13, "D": 1e14})
    assert not inside.warning
    assert "no rows of this table support it" in outside.warning
    assert outside.loss.high - outside.loss.low > inside.loss.high - inside.loss.low


def test_few_rows_and_few_sizes_are_warned_of():
    n, d = np.array([1e6, 2e6] * 4), np.geomspace(1e7, 4e7, 8)
    fit = fit_law("chinchilla", table(n, d, chinchilla_loss(n, d), 0.001), few())
    text = " ".join(fit.warnings)
    assert "8 rows for 5 parameters" in text
    assert "N has 2 values only" in text
    assert "D spans a factor of 4 only" in text


def test_a_power_law_without_a_floor_is_said_to_show_none():
    n, d = design()
    fit = fit_law("chinchilla", table(n, d, 480 / n**0.35 + 2000 / d**0.37, 0.001), few())
    assert any(warning.startswith("E is 0") for warning in fit.warnings)


def test_the_best_size_of_a_compute_is_the_minimum_of_the_law():
    found = compute_optimal({name: np.array(value) for name, value in EPOCH.items()}, 5.76e23)
    sizes = np.geomspace(1e9, 1e13, 40001)
    losses = chinchilla_loss(sizes, 5.76e23 / 6 / sizes)
    assert found["parameters"] == pytest.approx(sizes[np.argmin(losses)], rel=1e-3)
    assert found["tokens"] / found["parameters"] == pytest.approx(17.9, abs=0.6)  # rounded


@pytest.mark.parametrize("name", FORMS)
def test_too_few_rows_are_refused(name):
    n, d = design(4)
    with pytest.raises(BadInput, match="too few"):
        fit_law(name, table(n, d, chinchilla_loss(n, d), U=d / 2), few())


def test_a_table_without_repetition_has_no_data_constrained_law():
    n, d = design(20)
    with pytest.raises(BadInput, match="no row that repeats"):
        fit_law("data-constrained", table(n, d, chinchilla_loss(n, d), U=d), few())
