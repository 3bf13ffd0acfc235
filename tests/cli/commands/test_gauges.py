"""`lm-lab gauges`: each measurement of a run, as a table and as JSON, and what cannot be measured."""

import json

import pytest


def test_what_a_run_finds_hard_is_printed_and_told_to_programs(lm_lab, run):
    ended = lm_lab("gauges", "hard", run)
    assert ended.code == 0, ended.err
    assert "nats per token" in ended.out
    assert "letter within a word" in ended.out
    assert "the hardest windows" in ended.out
    found = lm_lab("gauges", "hard", run, "--targets", 40, "--json").json
    assert 32 < found["targets"] <= 48
    assert len(found["by_position"]) == 8
    assert found["step"] == 3
    again = json.loads(lm_lab("evaluate", run, "--json").out)["loss"]
    assert lm_lab("gauges", "hard", run, "--targets", 0, "--json").json["loss"] == pytest.approx(again, rel=1e-5)


def test_gradients_and_sharpness_of_a_checkpoint(lm_lab, run):
    ended = lm_lab("gauges", "gradients", f"{run}@3", "--trial", 2)
    assert ended.code == 0, ended.err
    assert "between halves" in ended.out
    found = lm_lab("gauges", "sharpness", run, "--examples", 2, "--dimensions", 4, "--vectors", 1, "--json").json
    assert found["largest"] > 0
    assert sum(found["shares"]) == pytest.approx(1)


def test_a_plane_and_the_line_to_another_run(lm_lab, run, train):
    assert train("--seed", 5, out="other").code == 0
    ended = lm_lab("gauges", "plane", run, "--points", 3, "--examples", 2)
    assert ended.code == 0, ended.err
    assert "o" in ended.out
    between = lm_lab("gauges", "plane", run, "--plane", "between", "--with", "other", "--points", 3, "--json").json
    assert [point["x"] for point in between["points"]] == [0, 1]
    line = lm_lab("gauges", "line", run, "--with", "other", "--points", 3, "--json").json
    assert line["positions"] == [0, 0.5, 1]
    assert set(line["barriers"]) == {"training", "validation"}
    assert line["losses"]["training"][0] != line["losses"]["training"][2]


def test_a_prompt_is_continued_with_one_seed_at_every_checkpoint(lm_lab, train):
    assert train("--set", "training.checkpoint_every=1", "--set", "training.keep_last=9").code == 0
    found = lm_lab("gauges", "texts", "run", "--prompt", "the c", "--max-tokens", 12, "--seed", 4, "--json").json
    assert [one["step"] for one in found["texts"]] == [1, 2, 3]
    written = lm_lab("generate", "run", "--prompt", "the c", "--max-tokens", 12, "--seed", 4, "--json").json
    assert found["texts"][-1]["text"] == written["text"].removeprefix("the c")
    shown = lm_lab("gauges", "texts", "run@2", "--max-tokens", 3).out.splitlines()
    assert len(shown) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("hard", "run", "--targets", "-1"), ("--targets = -1",)),
        (("gradients", "run", "--trial", "0"), ("--trial = 0",)),
        (("sharpness", "run", "--examples", "0"), ("--examples = 0",)),
        (("sharpness", "run", "--dimensions", "-1"), ("--dimensions = -1",)),
        (("plane", "run", "--reach", "nan"), ("--reach = nan",)),
        (("plane", "run", "--points", "1"), ("--points = 1",)),
        (("plane", "run", "--plane", "up"), ("--plane = up", "random, between, path")),
        (("plane", "run", "--plane", "between"), ("--with", "missing")),
        (("plane", "run", "--plane", "path"), ("three checkpoints",)),
        (("line", "run", "--with", "n-gram"), ("--with",)),
        (("line", "run", "--with", "run"), ()),
        (("hard", "run@77"), ("step 77",)),
        (("texts", "run", "--max-tokens", "0"), ("--max-tokens = 0",)),
        (("sharpness", "n-gram"), ("counts",)),
    ],
)
def test_what_cannot_be_measured_is_refused(lm_lab, run, n_gram, options, words):
    ended = lm_lab("gauges", *options)
    if not words:
        assert ended.code == 0
        return
    assert ended.code == 2, ended.out
    for word in words:
        assert word in ended.problem
