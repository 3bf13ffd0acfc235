"""The picture of a fitted scaling law."""

from pathlib import Path

import numpy as np
import pytest

from lab.base import BadInput
from lab.cli.commands.studies.law_picture import MOST_SIZES, check_picture, law_figure, picture_of
from lab.studies.scaling import FitOptions, ScalingTable, fit_law


@pytest.fixture(scope="module")
def fit():
    """Chinchilla's law, fitted to rows of three sizes."""
    n, d = (each.ravel() for each in np.meshgrid([1e4, 1e5, 1e6], [1e5, 3e5, 1e6, 3e6]))
    loss = 1.5 + 40 / n**0.4 + 90 / d**0.35
    return fit_law("chinchilla", ScalingTable({"N": n, "D": d, "L": loss}), FitOptions(resamples=20))


def test_each_size_has_its_rows_as_dots_and_the_law_as_a_line(fit):
    figure = law_figure(fit)
    assert [line.label for line in figure.lines[::2]] == ["N = 10.0 k", "N = 100 k", "N = 1.0 M"]
    columns = fit.table.columns
    for law, dots, size in zip(figure.lines[::2], figure.lines[1::2], [1e4, 1e5, 1e6], strict=True):
        rows = columns["N"] == size
        assert dots.points[::2].tolist() == np.stack([columns["D"][rows], fit.table.loss[rows]], axis=-1).tolist()
        assert np.isnan(dots.points[1::2, 1]).all()
        for tokens, loss in law.points[::20]:
            assert loss == pytest.approx(fit.predict({"N": size, "D": tokens}).loss.value)
    assert figure.floors == [("E", fit.values["E"].value)]


def test_of_many_sizes_some_are_drawn_from_the_smallest_to_the_largest():
    n, d = (each.ravel() for each in np.meshgrid(np.geomspace(1e4, 1e6, 30), [1e5, 1e6, 1e7]))
    loss = 1.5 + 40 / n**0.4 + 90 / d**0.35
    fit = fit_law("chinchilla", ScalingTable({"N": n, "D": d, "L": loss}), FitOptions(resamples=20))
    labels = [line.label for line in law_figure(fit).lines[::2]]
    assert len(labels) == MOST_SIZES
    assert (labels[0], labels[-1]) == ("N = 10.0 k", "N = 1.0 M")


def test_a_floor_far_below_the_rows_is_not_drawn_so_that_they_have_the_height():
    n, d = (each.ravel() for each in np.meshgrid([1e4, 1e5, 1e6], [1e5, 3e5, 1e6, 3e6]))
    loss = 40 / n**0.4 + 90 / d**0.35
    figure = law_figure(fit_law("chinchilla", ScalingTable({"N": n, "D": d, "L": loss}), FitOptions(resamples=20)))
    assert figure.floors == []
    assert figure.y.low > loss.min() / 2


def test_it_is_written_in_the_form_that_the_name_of_the_file_ends_with(fit):
    assert b"N = 100" in picture_of(fit, Path("law.svg"))
    assert picture_of(fit, Path("law.PDF")).startswith(b"%PDF")
    with pytest.raises(BadInput, match="form"):
        check_picture(Path("law.png"))
