"""`lm-lab scaling`: laws fitted to a file, and budgets of compute."""

import json

import numpy as np
import pytest


@pytest.fixture
def runs(tmp_path):
    """A file of 60 runs of a known law."""
    random = np.random.default_rng(0)
    n, d = np.exp(random.uniform(17, 23, 60)), np.exp(random.uniform(21, 27, 60))
    loss = (1.8 + 480 / n**0.35 + 2000 / d**0.37) * np.exp(0.003 * random.normal(size=60))
    file = tmp_path / "runs.csv"
    rows = "\n".join(f"{row[0]:.6g},{row[1]:.6g},{row[2]:.6f}" for row in zip(n, d, loss, strict=True))
    file.write_text(f"Model Size,Training Tokens,loss\n{rows}\n")
    return file


def test_json_has_each_parameter_with_its_interval(lm_lab, runs):
    ended = lm_lab("scaling", "fit", runs, "--form", "chinchilla", "--resamples", "50", "--json")
    assert ended.code == 0
    for name, true in {"E": 1.8, "alpha": 0.35, "beta": 0.37}.items():
        found = ended.json[name]
        assert found["value"] == pytest.approx(true, rel=0.1)
        assert found["interval"][0] < found["value"] < found["interval"][1]
    assert {"A", "B", "a", "b", "correlation", "residuals", "warnings"} <= ended.json.keys()
    assert len(ended.json["residuals"]["ln_loss"]) == ended.json["rows"] == 60


def test_a_table_is_printed_with_what_the_rows_forbid_to_conclude(lm_lab, runs):
    ended = lm_lab("scaling", "fit", runs, "--resamples", "50", "--predict", "N=1e12,D=1e13", "--flops", "1e23")
    assert ended.code == 0
    assert "L = E + A/N^alpha + B/D^beta" in ended.out
    assert "an extrapolation" in ended.out
    assert "note: told apart poorly" in ended.out


def test_rows_are_left_out(lm_lab, runs):
    ended = lm_lab("scaling", "fit", runs, "--resamples", "20", "--leave-out", "1,4-6", "--json")
    assert ended.json["rows"] == 56
    assert ended.json["left_out"] == [1, 4, 5, 6]


@pytest.mark.parametrize("form", ["kaplan", "chinchilla"])
def test_each_form_of_a_law_answers_in_json(lm_lab, runs, form):
    assert lm_lab("scaling", "fit", runs, "--form", form, "--resamples", "20", "--json").json["form"] == form


def test_parabolas_need_several_sizes_at_each_compute(lm_lab, runs):
    ended = lm_lab("scaling", "fit", runs, "--form", "isoflop", "--leave-out", "4-60")
    assert ended.code == 2
    assert "fewer than two budgets" in ended.problem


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delta", "0"], "--delta"),
        (["--loss", "cubes"], "--loss"),
        (["--resamples", "1"], "--resamples"),
        (["--level", "1"], "--level"),
        (["--column", "X=a"], "--column"),
        (["--leave-out", "99"], "no such row"),
        (["--predict", "N=0"], "--predict"),
        (["--predict", "N=1e9"], "needed above 0"),
        (["--reach", "2.5"], "go together"),
        (["--form", "kaplan", "--flops", "1e20"], "needs --form chinchilla"),
    ],
)
def test_options_that_cannot_be_used_are_named(lm_lab, runs, options, message):
    ended = lm_lab("scaling", "fit", runs, "--resamples", "20", *options)
    assert ended.code == 2
    assert message in ended.problem


def test_a_budget_stands_among_published_models(lm_lab):
    ended = lm_lab("scaling", "compute", "--flops", "5.76e23", "--json")
    assert ended.json["tokens_per_parameter"] == pytest.approx(20)
    assert {"Chinchilla", "GPT-3"} <= {one["name"] for one in ended.json["published"]}
    assert "Chinchilla" in lm_lab("scaling", "compute", "--parameters", "70e9").out


def test_a_budget_of_nothing_is_refused(lm_lab):
    assert "one or two of" in lm_lab("scaling", "compute").problem


def test_the_last_line_is_json_alone(lm_lab, runs):
    out = lm_lab("scaling", "fit", runs, "--resamples", "20", "--json").out
    assert len(out.splitlines()) == 1
    json.loads(out)


def test_the_runs_of_a_study_of_the_lab_are_fitted_by_its_name(lm_lab):
    found = lm_lab("scaling", "fit", "scaling", "--resamples", "20", "--json").json
    assert found["rows"] >= 24
    assert any(warning.startswith("E is") for warning in found["warnings"])
    embedded = lm_lab(
        "scaling", "fit", "scaling", "--column", "N=non-embedding parameters", "--resamples", "20", "--json"
    )
    assert embedded.json["alpha"]["value"] != found["alpha"]["value"]
