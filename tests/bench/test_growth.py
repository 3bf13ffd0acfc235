"""The growth of what a process holds on to is told between like moments, after a warm-up."""

import functools
import gc
import sys

import pytest

from lab.bench.growth import ALONE, Growth, empty_caches, growth, objects_by_kind, of_all_objects, process_figures


class OfThisTest:
    pass


@pytest.fixture
def few_objects():
    """Leave the objects of earlier tests out of what is counted and collected."""
    gc.freeze()


@pytest.mark.parametrize(
    ("values", "percent"),
    [
        ([100, 100, 100, 100], 0.0),
        ([50, 70, 100, 100, 100, 100, 100, 100], 0.0),  # the warm-up is left out
        ([50, 70, 100, 100, 105, 105, 110, 110], 10.0),
        ([50, 70, 100, 300, 100, 100, 100, 300, 100, 100, 100, 100], 0.0),  # a single peak is none
        ([9, 9, 200, 200, 150, 150, 100, 100], -50.0),
    ],
)
def test_growth_compares_the_last_third_with_the_first_after_the_warm_up(values, percent):
    assert growth(values).percent == pytest.approx(percent)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 9.0]])
def test_no_growth_is_told_from_too_few_measurements(values):
    assert growth(values) is None


@pytest.mark.parametrize(
    ("before", "after", "is_within"), [(700, 734, True), (700, 736, False), (3, 6, True), (3, 7, False), (0, 1, True)]
)
def test_a_growth_of_five_percent_or_of_few_is_within_the_limit(before, after, is_within):
    assert Growth(before, after).is_within is is_within


def test_objects_are_counted_by_class_in_the_modules_asked_for(few_objects):
    held = [OfThisTest() for _ in range(3)]
    name = f"{OfThisTest.__module__}.OfThisTest"
    assert objects_by_kind((OfThisTest.__module__,))[name] == len(held)
    assert objects_by_kind(("elsewhere.",)) == {}


@functools.lru_cache(maxsize=8)
def bounded(number):
    return [number]


@functools.cache
def unbounded(number):
    return [number]


def test_caches_with_a_bound_are_emptied_and_no_others():
    for cached in (bounded, unbounded):
        cached(1)
    empty_caches((f"{__name__}x",))
    assert bounded.cache_info().currsize == 1
    empty_caches((__name__,))
    assert (bounded.cache_info().currsize, unbounded.cache_info().currsize) == (0, 1)


def test_no_other_thread_gets_a_turn_while_all_objects_are_held(few_objects):
    before = sys.getswitchinterval()
    assert of_all_objects(lambda objects: (sys.getswitchinterval(), len(objects) > 0)) == (ALONE, True)
    assert sys.getswitchinterval() == before


def test_an_open_file_and_memory_in_use_are_seen_in_the_figures_of_the_process(tmp_path, few_objects):
    before = process_figures()
    with (tmp_path / "file").open("w"):
        held = [object.__new__(OfThisTest) for _ in range(20_000)]
        text = "x" * 2**26
        after = process_figures()
    assert after["open_files"] == before["open_files"] + 1
    assert after["objects"] >= before["objects"] + len(held) / 2
    assert after["mib"] > before["mib"] + len(text) / 2**20 / 2
    assert after["threads"] >= 1
