"""The blind test: fair rounds, and a score with its chance and its interval."""

import itertools
import math

import pytest

from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.base.settings import change_section, read_section
from lab.recipes import Decoding
from lab.workbench.scoring import blind, blind_scores
from lab.workbench.scoring.blind import Author, BlindRound, binomial_interval, blind_round
from lab.workbench.scoring.blind_scores import SECTION, add_guess, blind_score, forget_score

PLAIN = Decoding.read({"filters": []})


@pytest.fixture(scope="module")
def authors(opened):
    """Two runs."""
    return [Author(opened(), "one"), Author(opened("training.seed=2"), "two")]


def made(authors, number=0, seed=5, **options):
    return blind_round(authors, number, seed=seed, decoding=PLAIN, prompt=8, characters=20, **options)


def test_every_author_continues_one_prompt_by_as_many_characters(authors):
    played = made(authors)
    assert played.author is None
    assert played.passages == ()
    played.guess(0)
    whole = authors[0].access.validation_text(100_000)
    assert played.prompt + played.passages[-1] in whole
    assert len(played.passages) == played.choices == 3
    assert {len(text) for text in played.passages} == {20}
    assert played.passage == played.passages[played.author]
    assert len(set(played.passages)) == 3


def test_a_round_is_decided_by_seed_and_number(authors):
    played, again, other = made(authors, 3), made(authors, 3), made(authors, 3, seed=6)
    for one in (played, again, other):
        one.guess(0)
    assert (played.prompt, played.passages, played.author) == (again.prompt, again.passages, again.author)
    assert played.passages != other.passages


def test_nothing_tells_who_wrote_a_passage_before_the_guess():
    played = BlindRound("It ", ["abc", "def"], ["one"], 1, 0)
    assert played.author is None
    assert played.guess(0) is False
    assert (played.author, played.passages) == (1, ("abc", "def"))
    with pytest.raises(ValueError, match="one guess"):
        played.guess(1)
    with pytest.raises(ValueError, match="one guess"):
        BlindRound("It ", ["abc", "def"], ["one"], 1, 0).guess(2)


def test_no_place_comes_twice_in_a_row_and_each_comes_as_often():
    for seed in range(40):
        places = [blind._place(3, number, seed) for number in range(12)]
        assert all(one != other for one, other in itertools.pairwise(places))
        assert sorted(places) == sorted([0, 1, 2] * 4)
    assert [blind._place(1, number, 0) for number in range(3)] == [0, 0, 0]


def test_authors_are_drawn_evenly_and_independently(authors, monkeypatch):
    monkeypatch.setattr(blind, "validation_pieces", lambda *_: [list(range(28))])
    monkeypatch.setattr(blind, "_parts", lambda *_: ("It ", "x" * 20))
    monkeypatch.setattr(blind, "_written", lambda *_: iter(["y" * 20]))
    drawn = []
    for number in range(600):
        played = made(authors, number)
        played.guess(0)
        drawn.append(played.author)
    for author in range(3):
        assert abs(drawn.count(author) - 200) < 4 * math.sqrt(600 * 2 / 9)
        after = [later for one, later in itertools.pairwise(drawn) if one == author]
        assert abs(after.count(author) - len(after) / 3) < 4 * math.sqrt(len(after) * 2 / 9)


def test_a_run_that_cannot_read_the_prompt_is_named(authors, opened):
    other = Author(opened(text="0123456789\n" * 200), "digits")
    with pytest.raises(BadInput, match=r"digits.*does not occur"):
        made([authors[0], other])
    with pytest.raises(BadInput, match="Choose one run"):
        made([])


def test_writing_a_passage_is_cancelled(authors):
    with pytest.raises(Cancelled):
        made(authors, cancelled=lambda: True)


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.3085), (10, 10, 0.6915, 1.0), (5, 10, 0.1871, 0.8129), (60, 100, 0.4972, 0.6967)],
)
def test_the_interval_is_that_of_clopper_and_pearson(right, count, low, high):
    assert binomial_interval(right, count) == pytest.approx((low, high), abs=5e-5)


def test_the_interval_contains_the_probability_at_least_as_often_as_it_says():
    count, p = 30, 0.25
    covered = sum(
        math.comb(count, right) * p**right * (1 - p) ** (count - right)
        for right in range(count + 1)
        if binomial_interval(right, count)[0] <= p <= binomial_interval(right, count)[1]
    )
    assert covered >= 0.95


@pytest.mark.parametrize(("right", "count", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0)])
def test_impossible_counts_are_refused(right, count, level):
    with pytest.raises(ValueError, match="at level"):
        binomial_interval(right, count, level)


def test_scores_are_kept_by_the_set_of_runs(lab_home):
    add_guess(["b", "a"], 3, right=True)
    found = add_guess(["a", "b"], 3, right=False)
    assert (found.right, found.guesses, found.chance) == (1, 2, pytest.approx(1 / 3))
    assert blind_score(["b", "a"], 3) == found
    assert blind_score(["a"], 2).guesses == 0
    forget_score(["a", "b"])
    assert blind_score(["a", "b"], 3).guesses == 0


def test_a_score_far_above_chance_tells_authors_apart(lab_home):
    for right in [True] * 9 + [False]:
        found = add_guess(["a"], 2, right=right)
    assert found.is_above_chance
    assert found.interval == pytest.approx(binomial_interval(9, 10))
    for _ in range(12):
        found = add_guess(["a"], 2, right=False)
    assert not found.is_above_chance


def test_damaged_scores_count_nothing_and_old_ones_give_way(lab_home, monkeypatch):
    damage = {"a": {"right": 5, "guesses": 2}, "b": 7, "c": {"right": True, "guesses": 2}, "d": {"right": 1}}
    change_section(SECTION, lambda _: damage)
    assert [blind_score([name], 2).guesses for name in "abcd"] == [0] * 4
    monkeypatch.setattr(blind_scores, "MOST", 3)
    add_guess(["e"], 2, right=True)
    assert list(read_section(SECTION)) == ["c", "d", "e"]
