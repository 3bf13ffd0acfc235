"""The table of degeneration: settings as they are written, its rows, and the one nearest to the corpus."""

import json
import math
from pathlib import Path

import pytest

from lab.base import BadInput
from lab.workbench.scoring.degeneration import (
    GRID,
    Measures,
    Row,
    Table,
    decoding_of,
    degeneration_table,
    validation_pieces,
)

GOLD = Path(__file__).parents[2] / "gold" / "lectures" / "decoding.json"
NEAREST = "holtzman-nearest"
SIZES = {"texts": 3, "prompt": 4, "tokens": 20}


@pytest.fixture(scope="module")
def table(opened):
    """A table of four settings of a transformer that has learned little."""
    settings = ("greedy", "beam-search=2", "sampling", "top-k=2,temperature=0.5")
    return degeneration_table(opened(), settings, **SIZES)


def test_every_setting_has_a_row_of_texts_of_one_length(table):
    assert [row.setting for row in table.rows] == ["greedy", "beam-search=2", "sampling", "top-k=2,temperature=0.5"]
    assert {len(text) for row in table.rows for text in row.texts} == {20}
    assert len(table.originals) == len(table.prompts) == 3


def test_the_likeliest_texts_have_less_perplexity_than_drawn_ones(table):
    greedy, beam, sampling, _ = (row.measures.perplexity for row in table.rows)
    assert greedy < sampling
    assert beam < sampling


def test_the_corpus_is_measured_on_its_own_continuations(opened, table):
    pieces = validation_pieces(opened(), 3, 24)
    assert table.originals == tuple(opened().tokenizer.decode(piece[4:]) for piece in pieces)
    assert math.isfinite(table.human.perplexity)


def test_pieces_do_not_overlap_and_are_fewer_where_there_is_no_room(opened):
    assert len(validation_pieces(opened(), 100, 60)) == 4  # of 276 tokens
    with pytest.raises(BadInput, match="validation text has 276"):
        validation_pieces(opened(), 1, 277)


def test_a_table_that_is_cancelled_keeps_its_rows(opened):
    done = []
    found = degeneration_table(
        opened(), ("greedy", "sampling"), **SIZES, report=lambda table: done.append(len(table.rows)),
        cancelled=lambda: done[-1] == 1,
    )  # fmt: skip
    assert [row.setting for row in found.rows] == ["greedy"]


def test_progress_goes_from_nothing_to_all(opened):
    shares = []
    degeneration_table(opened(), ("greedy", "sampling"), **SIZES, progress=lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_the_lecture_s_settings_are_as_near_to_human_text_as_it_says():
    """Worked example holtzman-nearest: the nucleus comes first, and beam search last."""
    example = next(one for one in json.loads(GOLD.read_text(encoding="utf-8"))["examples"] if one["id"] == NEAREST)
    known, rest = dict(example["inputs"]), [math.nan] * 7
    human = Measures(known.pop("human"), *rest)
    rows = [Row(name, Measures(value, *rest), ()) for name, value in known.items()]
    assert Table(human, (), (), 200, 0, rows).nearest("zipf") is None
    for name in example["result"]["order"]:
        assert Table(human, (), (), 200, 0, rows).nearest() == name
        rows = [row for row in rows if row.setting != name]
    assert Table(human, (), (), 200, 0, rows).nearest() is None


def test_a_setting_names_a_strategy_and_filters_in_their_order(bench):
    found = decoding_of("top-k=40, temperature=0.7", bench.plugins).stored()
    assert found["strategy"]["name"] == "sampling"
    assert [(one["name"], one.get("k", one.get("temperature"))) for one in found["filters"]] == [
        ("top-k", 40), ("temperature", 0.7),
    ]  # fmt: skip
    assert decoding_of("beam-search=8", bench.plugins).stored()["strategy"]["width"] == 8
    for setting in GRID:
        decoding_of(setting, bench.plugins)


@pytest.mark.parametrize(
    ("setting", "match"),
    [("nucleus=1", "no strategy and no filter"), ("greedy=2", "has no settings"), ("top-p=2", "is not allowed")],
)
def test_a_setting_that_does_not_exist_is_refused(bench, setting, match):
    with pytest.raises(BadInput, match=match) as refused:
        decoding_of(setting, bench.plugins)
    assert refused.value.problem.field == "setting"


def test_a_run_that_continues_no_text_has_no_table(opened):
    with pytest.raises(BadInput, match="continues no text"):
        degeneration_table(opened("objective.name=masked"), ("greedy",), **SIZES)
