"""The figures of a summary: a loss below the entropy of its source, and fields that readers of a run bound."""

import pytest

from lab.runs.fields import Summary
from lab.workbench.launch.summary import below_entropy


def test_a_loss_is_below_the_entropy_by_so_many_standard_errors():
    assert below_entropy(1.0, 0.25, 1.5) == 2.0


@pytest.mark.parametrize(
    ("loss", "error", "entropy"),
    [(1.0, 0.5, 1.5), (1.6, 0.25, 1.5), (None, 0.25, 1.5), (1.0, None, 1.5), (1.0, 0.0, 1.5), (1.0, 0.25, None)],
    ids=["by one", "above", "no loss", "no error", "without error", "unknown entropy"],
)
def test_a_loss_within_one_standard_error_or_of_unknown_error_is_not_below(loss, error, entropy):
    assert below_entropy(loss, error, entropy) is None


def test_every_figure_of_a_summary_is_a_field_that_its_readers_bound(bench, recipe):
    run = bench.start(recipe(1))
    run.wait_out()
    assert set(run.folder.status().summary) <= set(Summary.model_fields)
