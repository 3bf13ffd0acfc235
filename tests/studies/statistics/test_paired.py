"""Paired tests of two arms on the same windows: coverage by simulation, sentences, and the advice about seeds."""

import numpy as np
import pytest

from lab.base import BadInput
from lab.studies.statistics import Arm, compare_arms

WINDOWS = 256


def arms(random, gap, seeds=3, of_seed=0.01, of_window=0.05, shared=0.3, same=True):
    """Two arms whose true losses differ by `gap`: windows are of unequal difficulty, runs differ by seed."""
    difficulty = random.normal(2.0, shared, WINDOWS)
    taste = random.normal(0, of_window, WINDOWS)  # what one arm finds harder than the other

    def runs(level, first, extra):
        return {
            first + seed: difficulty + extra + level + random.normal(0, of_seed) + random.normal(0, 0.02, WINDOWS)
            for seed in range(seeds)
        }

    return Arm("A", runs(0.0, 0, 0)), Arm("B", runs(gap, 0 if same else 100, taste))


@pytest.mark.parametrize("seeds", [2, 3])
@pytest.mark.parametrize("same", [True, False])
def test_the_interval_covers_the_true_difference(seeds, same):
    random, gap, covered = np.random.default_rng(seeds), 0.02, 0
    for _ in range(200):
        one, other = arms(random, gap, seeds, same=same)
        found = compare_arms(one, other)
        sign = 1 if found.better == "A" else -1
        covered += found.low <= sign * gap <= found.high
    assert 0.92 <= covered / 200 <= 0.995  # conservative where seeds are few, never far below


def test_more_seeds_are_asked_for_where_they_tell_and_then_do():
    random, clear = np.random.default_rng(1), []
    for _ in range(120):
        one, other = arms(random, 0.02, 3, of_seed=0.012, of_window=0.02)
        found = compare_arms(one, other)
        if found.more:
            larger = arms(random, 0.02, 3 + found.more, of_seed=0.012, of_window=0.02)
            clear.append(compare_arms(*larger).is_clear)
    assert len(clear) > 10
    assert np.mean(clear) > 0.5  # of those that were promised to tell


def test_equal_arms_are_told_apart_in_few_draws():
    random = np.random.default_rng(2)
    clear = [compare_arms(*arms(random, 0.0, 3)).is_clear for _ in range(200)]
    assert np.mean(clear) <= 0.08


def test_windows_of_unequal_difficulty_do_not_hide_a_small_difference():
    found = compare_arms(*arms(np.random.default_rng(3), 0.05, 4, of_seed=0.002, of_window=0.005, shared=1.0))
    assert found.is_clear
    assert found.sentence().startswith("A is better than B by 0.0")
    assert found.p < 0.01


def test_one_run_of_each_arm_says_that_the_seed_is_not_known():
    one, other = arms(np.random.default_rng(4), 0.05, 1, of_window=0.01)
    sentence = compare_arms(one, other).sentence()
    assert sentence.startswith("A is better than B by 0.0")
    assert sentence.endswith(
        "with one seed each: how much of it is the seed is not known; train a second seed of both."
    )


def test_too_short_a_text_is_named_where_seeds_would_not_help():
    one, other = arms(np.random.default_rng(5), 0.0, 3, of_seed=1e-5, of_window=1.0)
    found = compare_arms(one, other)
    assert found.needs_text
    assert "a longer validation text" in found.sentence()


def test_runs_on_other_windows_are_refused():
    one, _ = arms(np.random.default_rng(6), 0.0)
    with pytest.raises(BadInput, match="same two or more windows"):
        compare_arms(one, Arm("B", {0: np.zeros(7)}))


def test_windows_of_another_content_are_refused_though_they_are_as_many():
    losses = {0: np.arange(8.0), 1: np.arange(8.0) + 0.1}
    same, other = frozenset({"1f2e"}), frozenset({"3d4c"})
    compare_arms(Arm("A", losses, same), Arm("B", losses, same))
    with pytest.raises(BadInput, match="what is scored in them is not the same"):
        compare_arms(Arm("A", losses, same), Arm("B", losses, other))
    with pytest.raises(BadInput, match="not the same"):
        compare_arms(Arm("A", losses, same | other), Arm("B", losses, same))
