"""Quantities that lessons and studies name are read from finished runs."""

import math

import pytest

from lab.api import BadInput
from lab.runs.library.measure import RunMeasure
from lab.workbench.access.saved import SavedRun
from lab.workbench.measures import measure_run


@pytest.fixture
def run(bench, recipe):
    """A small run that has finished, opened again."""
    trained = bench.start(recipe(12, "training.evaluate_every=4", "training.checkpoint_every=4"))
    trained.wait_out()
    return SavedRun.find(trained.path, bench.plugins.load())


def value(run, figure, **settings):
    return measure_run(RunMeasure(title="It", figure=figure, **settings), run, field="measures it")


def test_a_step_is_the_first_at_which_a_series_is_so_small_or_so_large_and_infinite_if_it_never_was(run):
    steps, losses = run.metrics().read("train loss")
    border = sorted(losses)[2]
    first = next(step for step, loss in zip(steps, losses, strict=True) if loss <= border)
    assert value(run, "step reached", of="train loss", at_most=float(border)) == first
    assert value(run, "step reached", of="train loss", at_least=float(losses[0])) == steps[0]
    assert math.isinf(value(run, "step reached", of="train loss", at_most=0.0))


def test_the_losses_at_all_positions_of_a_window_have_the_mean_of_the_validation_loss(run):
    halves = [value(run, "loss at positions", positions=pair) for pair in ((1, 4), (5, 8))]
    assert sum(halves) / 2 == pytest.approx(run.summary["validation_loss"], abs=1e-4)


def test_a_measure_of_written_texts_is_that_of_the_checkpoint_and_the_way_of_decoding(run, monkeypatch):
    asked = []

    def tables(saved, names, settings, **_):
        from lab.workbench.scoring.by_checkpoint import tables_by_checkpoint

        asked.append((names, settings))
        return tables_by_checkpoint(saved, names, settings, texts=2, prompt=4, tokens=8)

    monkeypatch.setattr("lab.workbench.measures.tables_by_checkpoint", tables)
    found = value(run, "written text", of="distinct_1", checkpoint="8", decoding="greedy")
    assert 0 < found <= 1
    assert asked == [(["8"], ["greedy"])]


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ({"figure": "metric", "of": "none"}, "none"),
        ({"figure": "series", "of": "none"}, "train loss"),
        ({"figure": "written text", "of": "none"}, "repetition"),
        ({"figure": "loss at positions", "positions": (9, 12)}, "1 to 8"),
    ],
)
def test_a_figure_that_a_run_does_not_have_is_named_with_those_that_it_has(run, settings, allowed):
    with pytest.raises(BadInput) as refused:
        value(run, **settings)
    assert refused.value.problem.field == "measures it"
    assert allowed in refused.value.problem.allowed
