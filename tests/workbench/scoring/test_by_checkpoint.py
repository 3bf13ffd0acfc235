"""The table of degeneration at checkpoints of one run: which are measured, and that each is measured by itself."""

import pytest

from lab.base import BadInput
from lab.workbench.scoring.by_checkpoint import checkpoints_named, tables_by_checkpoint
from lab.workbench.scoring.degeneration import degeneration_table

SIZES = {"texts": 3, "prompt": 4, "tokens": 20}
KEPT = ("training.checkpoint_every=10", "training.evaluate_every=10", "training.keep_last=10")


@pytest.fixture(scope="module")
def run(opened):
    """A run of thirty steps with a checkpoint at each tenth."""
    return opened(*KEPT, steps=30)


@pytest.fixture(scope="module")
def tables(run):
    """Tables of two settings at all checkpoints."""
    return tables_by_checkpoint(run, ["all"], ["greedy", "sampling"], **SIZES)


def test_checkpoints_are_named_by_step_or_by_what_they_are(run):
    assert [one.step for one in checkpoints_named(run, ["all"])] == [10, 20, 30]
    assert [one.step for one in checkpoints_named(run, ["last", "10"])] == [10, 30]
    (best,) = checkpoints_named(run, ["best"])
    assert best.loss == min(one.loss for one in checkpoints_named(run, ["all"]))


@pytest.mark.parametrize("name", ["11", "", "-1", "first", "1e400", "nan"])
def test_a_checkpoint_that_is_not_there_is_refused_with_those_that_are(run, name):
    with pytest.raises(BadInput) as refused:
        checkpoints_named(run, [name])
    assert refused.value.problem.field == "checkpoint"
    assert refused.value.problem.allowed == "best, last, all, 10, 20, 30"


def test_each_checkpoint_has_its_own_table_with_its_loss(run, tables):
    assert [(one.step, one.table.step) for one in tables] == [(10, 10), (20, 20), (30, 30)]
    assert [one.is_best for one in tables].count(True) == 1
    best = next(one for one in tables if one.is_best)
    assert best.loss == min(one.loss for one in tables)
    assert all([row.setting for row in one.table.rows] == ["greedy", "sampling"] for one in tables)
    first, _, last = (one.table for one in tables)
    assert first.prompts == last.prompts
    assert first.human.perplexity > last.human.perplexity


def test_the_last_checkpoint_s_table_is_that_of_the_run(run, tables):
    whole = degeneration_table(run, ["greedy", "sampling"], **SIZES)
    assert [row.texts for row in whole.rows] == [row.texts for row in tables[-1].table.rows]
    assert [row.texts for row in whole.rows] != [row.texts for row in tables[0].table.rows]


def test_a_run_at_a_checkpoint_answers_with_that_model_and_leaves_the_run_as_it_was(run):
    early = run.at(10)
    assert early.next_tokens("the ", 1).step == 10
    assert run.next_tokens("the ", 1).step == 30
    with pytest.raises(BadInput, match="no checkpoint of step 11"):
        run.at(11)


def test_progress_goes_on_over_all_checkpoints_and_cancelling_keeps_what_is_done(run):
    shares, rows = [], []
    found = tables_by_checkpoint(
        run, ["10", "20", "30"], ["greedy"], **SIZES,
        progress=lambda share, what: shares.append((share, what)),
        report=lambda tables: rows.append([(one.step, len(one.table.rows)) for one in tables]),
        cancelled=lambda: bool(rows) and rows[-1][-1] == (20, 1),
    )  # fmt: skip
    assert shares == sorted(shares)
    assert {what for _, what in shares} == {"10: greedy", "20: greedy"}
    assert rows[-1] == [(10, 1), (20, 1)]
    assert [one.step for one in found] == [10, 20]
