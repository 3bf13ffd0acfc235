"""The page Score without a window: stale scores, lines, colours and problems."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from lab.base import BadInput
from lab.base.jobs import Job
from lab.diagnostics.texts.surprisal import TokenScores
from lab.shell.play.score import model as module
from lab.shell.play.score.model import Colour, Quantity, RunAccess, ScoreModel, State, factor
from lab.workbench.scoring.scores import TextScore

LN2 = math.log(2)


def score_of(bits, *, labels="abcd"):
    """The score of a text whose first token is not scored, with these bits for the others."""
    count = len(bits) + 1
    nats = np.array([np.nan, *bits]) * LN2
    ranks = np.arange(count)
    values = TokenScores(nats, nats.copy(), ranks, ranks, np.zeros((count, 1), int), np.ones((count, 1)))
    tokens = np.arange(count) + (0 if labels == "abcd" else 7)
    return TextScore(
        "abcd"[:count], tokens, tuple(labels[:count]), np.ones(count, int), values, {0: "a"}, 3, "stream", None
    )


@pytest.fixture
def scored(monkeypatch):
    """Score a text: the score, or the problem, of each run."""

    def scored(*outcomes, text="abcd"):
        def score_text(access, _text, **_options):
            if isinstance(access, Exception):
                raise access
            return access

        monkeypatch.setattr(module, "score_text", score_text)
        model = ScoreModel()
        scoring = model.start(text, [RunAccess(one, SimpleNamespace(name=str(at))) for at, one in enumerate(outcomes)])
        assert model.state is State.SCORING
        assert model.take(scoring, *scoring.work(Job("", lambda _job: None)))
        return model

    return scored


def test_the_sum_adds_the_bits_of_the_tokens_at_the_bytes_after_them(scored):
    model = scored(score_of([1.0, 2.0, 0.5]))
    x, y = model.line(0, Quantity.SUM)
    assert (x.tolist(), y.tolist()) == ([2, 3, 4], pytest.approx([1.0, 3.0, 3.5]))
    assert model.line(0, Quantity.SURPRISAL)[1].tolist() == pytest.approx([1.0, 2.0, 0.5])
    assert model.line(0, Quantity.RATIO) is None


def test_the_ratio_rises_where_another_run_is_less_surprised_than_the_first(scored):
    model = scored(score_of([1.0, 2.0, 1.0]), score_of([0.5, 2.0, 2.0]))
    assert model.line(1, Quantity.RATIO)[1].tolist() == pytest.approx([0, 0.5, 0.5, -0.5])
    shades = model.shades(Colour.DIFFERENCE)
    assert shades[1:].tolist() == pytest.approx([0.5, 0.0, -1.0])
    assert model.has_difference
    assert [one.per_byte for one in model.known] == pytest.approx([4 / 3, 4.5 / 3])


def test_runs_of_other_tokens_have_a_ratio_and_no_difference(scored):
    model = scored(score_of([1.0, 1.0, 1.0]), score_of([2.0, 2.0, 2.0], labels="wxyz"))
    assert not model.has_difference
    assert model.known[1].comparison.total == pytest.approx(-3 * LN2)


def test_the_scale_of_ranks_doubles(scored):
    shades = scored(score_of([1.0, 1.0, 1.0])).shades(Colour.RANK)
    assert np.isnan(shades[0])
    assert shades[1:].tolist() == pytest.approx([0.0, 1.0, math.log2(3)])


def test_a_run_that_cannot_score_the_text_leaves_the_others(scored):
    model = scored(score_of([1.0]), BadInput("lacks a character", field="text"))
    assert [one.run.name for one in model.known] == ["0"]
    ((run, problem),) = model.problems
    assert (run.name, problem.what) == ("1", "lacks a character")


def test_late_scores_are_stale_after_a_cancel(scored):
    model = scored(score_of([1.0]))
    scoring = model.start("ab", [])
    model.cancel()
    assert model.state is State.SCORED
    assert not model.take(scoring, "ab", [])
    assert model.text == "abcd"


def test_a_file_that_cannot_be_read_is_a_problem_of_the_whole(tmp_path):
    scoring = ScoreModel().start(tmp_path / "nowhere.txt", [])
    with pytest.raises(BadInput, match="no such file"):
        scoring.work(Job("", lambda _job: None))


@pytest.mark.parametrize(("nats", "shown"), [(0.0, "1.00e+0"), (-LN2, "5.00e-1"), (-2000.0, "2.58e-869")])
def test_a_product_has_a_power_of_ten_where_a_float_would_be_zero(nats, shown):
    assert factor(nats) == shown
