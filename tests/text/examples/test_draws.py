"""Random numbers and permutations as pure functions of (seed, index)."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab.text.examples.draws import permuted, uniform_below

seeds = st.integers(0, 2**63 - 1)


def test_splitmix_gives_the_published_sequence(monkeypatch):
    # The reference implementation (Vigna, prng.di.unimi.it/splitmix64.c) from state 1234567.
    monkeypatch.setattr("lab.base.randomness.mixed", lambda seed: seed)
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    limit = 2**63
    assert uniform_below(limit, np.arange(1, 6), 1234567).tolist() == [number % limit for number in published]


@given(seeds, st.integers(1, 2**40), st.lists(st.integers(0, 2**50), min_size=1, max_size=20), st.integers(0, 20))
def test_a_draw_depends_on_seed_and_index_alone(seed, limit, indices, cut):
    indices = np.array(indices)
    whole = uniform_below(limit, indices, seed)
    parts = np.concatenate([uniform_below(limit, indices[:cut], seed), uniform_below(limit, indices[cut:], seed)])
    assert np.array_equal(whole, parts)
    assert whole.min() >= 0
    assert whole.max() < limit


def test_draws_are_roughly_uniform():
    counts = np.bincount(uniform_below(10, np.arange(100_000), 1), minlength=10)
    assert abs(counts - 10_000).max() < 500  # five standard deviations


def test_neighbouring_seeds_and_indices_are_unrelated():
    indices = np.arange(10_000)
    a, b = (uniform_below(1_000_000, indices, seed) for seed in (1, 2))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.05
    assert abs(np.corrcoef(a[1:], a[:-1])[0, 1]) < 0.05


def test_every_size_up_to_600_and_around_every_power_of_two_is_an_exact_permutation():
    sizes = {*range(1, 601), *(2**power + step for power in range(2, 14) for step in (-1, 0, 1)), 4999, 5000}
    for size in sizes:
        assert np.array_equal(np.sort(permuted(size, np.arange(size), 7, size)), np.arange(size)), size


@given(st.integers(1, 5000), seeds, st.integers(0, 1000))
def test_any_seed_and_epoch_permute_any_size(size, seed, epoch):
    assert np.array_equal(np.sort(permuted(size, np.arange(size), seed, epoch)), np.arange(size))


def test_a_permutation_of_billions_needs_no_table():
    places = permuted(5_000_000_000, np.arange(1000), 1, 0)
    assert len(set(places.tolist())) == 1000
    assert places.max() > 4_000_000_000


def test_every_order_of_three_comes_about_equally_often():
    orders = Counter(tuple(permuted(3, np.arange(3), 5, epoch).tolist()) for epoch in range(1200))
    assert len(orders) == 6
    assert all(120 < count < 280 for count in orders.values())


def test_seeds_and_epochs_give_other_permutations():
    places = np.arange(100)
    drawn = {tuple(permuted(100, places, seed, epoch).tolist()) for seed in range(5) for epoch in range(5)}
    assert len(drawn) == 25


def test_neighbours_do_not_stay_neighbours():
    drawn = permuted(1000, np.arange(1000), 1, 0)
    assert np.count_nonzero(np.diff(drawn) == 1) < 10
    assert abs(np.corrcoef(drawn, np.arange(1000))[0, 1]) < 0.15
