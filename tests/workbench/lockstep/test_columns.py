"""Columns that write side by side: the same random numbers, and their divergence token by token."""

import itertools
import json
import math

import pytest
import torch

from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.recipes import Decoding
from lab.runs import RunFolder
from lab.workbench import SavedRun
from lab.workbench.lockstep.agreement import Agreement, AgreementSeries, divergence
from lab.workbench.lockstep.columns import Column, Lockstep

SECOND = "training.seed=2"
BYTES = "tokenizer.name=byte"
INVERSE = Decoding.read({"strategy": {"name": "sampling", "draw": "inverse"}, "filters": []})
PLAIN = Decoding.read({"filters": []})


def written(columns, prompt="the ", count=12, seed=3, decoding=PLAIN, **options):
    """Return the lockstep, and what each column wrote."""
    lockstep = Lockstep(columns, [prompt] * len(columns), decoding=decoding, seed=seed, count=count, **options)
    texts = [[] for _ in columns]
    for new in lockstep.write():
        for one in new:
            texts[one.column].append(one)
    return lockstep, texts


def text_of(own):
    return "".join(one.piece.text for one in own)


def summary_of(agreements):
    series = AgreementSeries()
    for position, found in enumerate(agreements, start=1):
        series.add(position, found)
    return series.summary


def logits_after(run, text):
    tokens = torch.tensor([list(map(int, run.tokenizer.encode(text)))])
    with torch.no_grad():
        return run.model()(tokens)[0, -1, : run.tokenizer.vocabulary_size]


def test_each_column_writes_what_its_run_writes_alone_with_the_same_seed(column):
    columns = [column(), column(SECOND)]
    _, texts = written(columns)
    for one, own in zip(columns, texts, strict=True):
        alone = one.access.generate("the ", decoding=INVERSE, seed=3, count=12)
        assert text_of(own) == "".join(piece.text for piece in alone)
        assert len(own) == 12


def test_the_same_uniform_number_draws_the_token_of_every_column(column):
    _, (first, second, other) = written([column(), column(SECOND), column(BYTES)])
    numbers = [one.uniform for one in first]
    assert len(set(numbers)) == 12
    assert [one.uniform for one in second] == numbers
    assert [one.uniform for one in other[:12]] == numbers


def test_a_run_beside_itself_agrees_in_everything(column):
    _, (first, again) = written([column(), Column(column().access, "again")])
    assert text_of(first) == text_of(again)
    assert all(one.agreement is None for one in first)
    for one in again:
        found = one.agreement
        assert (found.kl, found.same_likeliest, found.same_token, found.same_text) == (0.0, True, True, True)
        assert found.overlap == pytest.approx(1)


def test_held_to_one_text_the_divergence_is_of_predictions_after_the_same_text(column):
    columns = [column(), column(SECOND)]
    _, (first, second) = written(columns, held=True, count=3)
    assert text_of(first) == text_of(second)
    alone = columns[0].access.generate("the ", decoding=INVERSE, seed=3, count=3)
    assert text_of(first) == "".join(piece.text for piece in alone)
    for at, one in enumerate(second):
        before = "the " + text_of(first[:at])
        p, q = (logits_after(each.access, before).double().softmax(-1) for each in columns)
        assert one.agreement.kl == pytest.approx(float((p * (p / q).log()).sum()), abs=1e-6)
        assert one.agreement.overlap == pytest.approx(float(torch.minimum(p, q).sum()), abs=1e-6)
        assert one.agreement.same_likeliest == (int(p.argmax()) == int(q.argmax()))
        assert one.agreement.same_text
        sums = q.cumsum(0)
        own = int(torch.searchsorted(sums, torch.tensor(one.uniform, dtype=torch.float64), right=True))
        assert one.own == columns[1].access.tokenizer.label(own)
        assert one.agreement.same_token == (one.own == first[at].piece.label)


def test_texts_of_their_own_differ_from_the_first_other_token_on(column):
    _, (first, second) = written([column(), column(SECOND)], count=30)
    apart = next(at for at in range(30) if first[at].piece.label != second[at].piece.label)
    assert [one.agreement.same_text for one in second] == [at <= apart for at in range(30)]
    assert [one.agreement.same_token for one in second][: apart + 1] == [True] * apart + [False]
    assert summary_of([one.agreement for one in second]).apart == apart + 2


def test_texts_that_begin_differently_are_never_the_same(column):
    lockstep = Lockstep([column(), column(SECOND)], ["the cat", "the hat"], decoding=PLAIN, count=2)
    second = [one for new in lockstep.write() for one in new if one.column == 1]
    assert [one.agreement.same_text for one in second] == [False, False]


def test_with_another_vocabulary_columns_go_on_by_characters_and_there_is_no_divergence(column):
    lockstep, (first, second, other) = written([column(), column(SECOND), column(BYTES)], count=10)
    assert lockstep.comparable == [True, True, False]
    assert len(text_of(first)) == len(text_of(second)) == 10
    assert 10 <= len(text_of(other)) <= 13
    assert all(one.agreement is None for one in other)
    assert all(one.agreement is not None for one in second)


def test_a_column_with_another_vocabulary_cannot_be_held_to_the_text(column):
    lockstep, (first, other) = written([column(), column(BYTES)], held=True)
    assert len(first) == 12
    assert other == []
    assert "cannot be held" in lockstep.problems[1].what


def test_checkpoints_of_one_run_are_columns(opened):
    settings = "training.checkpoint_every=2", "training.keep_last=9", "training.optimizer.learning_rate=0.02"
    run = opened(*settings, steps=6)
    columns = [Column(run.at(step), str(step)) for step in (2, 4, 6)]
    _, texts = written(columns, held=True)
    assert [own[0].piece.step for own in texts] == [2, 4, 6]
    near, far = (summary_of([one.agreement for one in own]).kl for own in texts[1:])
    assert 0 < near < far


def test_a_prompt_that_a_later_column_cannot_read_is_its_problem_alone(column):
    lockstep, (first, other) = written([column(BYTES), column()], prompt="The ")
    assert len(first) == 12
    assert other == []
    assert "T" in lockstep.problems[1].what or "T" in str(lockstep.problems[1].value)
    with pytest.raises(BadInput, match="character T"):
        written([column(), column(BYTES)], prompt="The ")


def test_a_run_whose_vocabulary_is_lost_is_the_only_column_that_does_not_write(column, copy_of):
    damaged = copy_of(column(SECOND).access)
    facts = json.loads((damaged.path / "run.json").read_text())
    del facts["vocabulary"]
    (damaged.path / "run.json").write_text(json.dumps(facts))
    lost = SavedRun(RunFolder.open(damaged.path), column().access.plugins)
    lockstep, (first, other, last) = written([column(), Column(lost, "lost"), column(SECOND)])
    assert "holds no vocabulary" in lockstep.problems[1].what
    assert list(lockstep.problems) == [1]
    assert (len(first), other, len(last)) == (12, [], 12)


def test_a_strategy_with_several_hypotheses_is_refused(column):
    beams = Decoding.read({"strategy": {"name": "beam-search", "width": 3}, "filters": []})
    with pytest.raises(BadInput, match="several hypotheses"):
        written([column(), column(SECOND)], decoding=beams)


@pytest.mark.parametrize("count", [0, 5])
def test_the_number_of_columns_has_a_limit(column, count):
    with pytest.raises(BadInput, match="columns"):
        Lockstep([column()] * count, ["the "] * count, decoding=PLAIN)


def test_filters_and_greedy_decoding_hold_for_all(column):
    greedy = Decoding.read({"strategy": {"name": "greedy"}, "filters": []})
    _, texts = written([column(), column(SECOND)], decoding=greedy, count=8)
    assert all(one.piece.rank == 1 for own in texts for one in own)
    assert all(one.uniform is None for own in texts for one in own)


def test_a_stop_string_ends_the_column_that_writes_it(column):
    stopped = Decoding.read({"filters": [], "stop": ["e"]})
    _, texts = written([column(), column(SECOND)], decoding=stopped, count=400)
    for own in texts:
        assert own[-1].piece.end.reason == "stop string"
        assert "e" not in text_of(own)
    _, (first, held) = written([column(), column(SECOND)], decoding=stopped, count=400, held=True)
    assert text_of(first) == text_of(held)
    assert len(first) == len(held)


def test_writing_is_cancelled_between_tokens(column):
    lockstep = Lockstep([column(), column(SECOND)], ["the "] * 2, decoding=PLAIN, count=1000)
    asked = []
    rounds = lockstep.write(lambda: asked.append(1) or len(asked) > 6)
    assert len(list(itertools.islice(rounds, 3))) == 3
    with pytest.raises(Cancelled):
        next(rounds)


def test_a_run_that_trains_writes_beside_one_that_has_ended(training, opened):
    columns = [Column(opened(text="the cat sat on the mat. a dog ran to the hat.\n" * 60), "a"), Column(training, "b")]
    lockstep, (first, other) = written(columns, count=6)
    assert len(first) == len(other) == 6
    assert len({one.piece.step for one in other}) == 1
    assert training.trainer is not None
    assert lockstep.problems == {}


def test_divergence_is_that_of_the_definition_in_the_stated_direction():
    p, q = torch.tensor([0.5, 0.25, 0.25]), torch.tensor([0.25, 0.5, 0.25])
    kl, overlap = divergence(p.log(), q.log())
    assert kl == pytest.approx(0.5 * math.log(2) + 0.25 * math.log(0.5))
    assert overlap == pytest.approx(0.75)
    sure, wide = torch.tensor([0.0, -math.inf]), torch.tensor([0.0, 0.0])
    assert divergence(sure, wide)[0] == pytest.approx(math.log(2))
    assert divergence(wide, sure) == (math.inf, pytest.approx(0.5))
    assert divergence(sure, sure) == (0.0, 1.0)


def test_a_summary_says_where_texts_come_apart():
    one = Agreement(0.5, 0.8, True, False, True)
    found = summary_of([one, Agreement(1.5, 0.4, False, False, False)])
    assert (found.tokens, found.kl, found.same_likeliest, found.same_token, found.apart) == (2, 1.0, 0.5, 0.0, 2)
    assert found.overlap == pytest.approx(0.6)
    assert summary_of([one]).apart is None
    assert summary_of([]) is None
