"""The limits of a machine: marked when a run comes near them, and asked about when it would pass them."""

from types import SimpleNamespace

import pytest

from lab.shell.recipe.limits import DAY, Limit, limits_of

GB = 10**9


def figures(memory=None, device=16 * GB, seconds=None):
    return SimpleNamespace(memory_bytes=memory, device_bytes=device, seconds=seconds)


@pytest.mark.parametrize("given", [figures(), figures(1 * GB, seconds=60.0), figures(58 * GB, device=None)])
def test_a_run_that_fits_or_whose_figures_are_unknown_reaches_no_limit(given):
    assert limits_of(given) == []


def test_more_memory_than_the_device_has_is_asked_about():
    assert limits_of(figures(58 * GB)) == [Limit("memory", 58 * GB, 16 * GB, asks=True)]


def test_most_of_the_memory_is_only_marked():
    assert limits_of(figures(14 * GB)) == [Limit("memory", 14 * GB, 16 * GB, asks=False)]


def test_more_than_a_day_is_asked_about():
    assert limits_of(figures(seconds=2 * DAY)) == [Limit("time", 2 * DAY, DAY, asks=True)]
