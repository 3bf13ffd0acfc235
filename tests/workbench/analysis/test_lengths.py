"""Length generalisation: which lengths are tried, what is told of each, and models that cannot read so far."""

import json

import pytest
import torch

from lab.base import BadInput
from lab.cli.main import main
from lab.training.evaluation import evaluate
from lab.workbench.analysis.lengths import TOKENS, over_lengths, tried

SOURCE = ("corpus.name=copy", "corpus.length=4", "training.context_length=16")


@pytest.fixture
def copied(bench, recipe):
    """A run that learned to copy a little, as a model without learned positions."""
    run = bench.start(recipe(3, *SOURCE))
    run.wait_out()
    return bench.open(run.folder.path)


def test_lengths_up_to_four_times_the_trained_one_are_tried():
    assert tried(8) == [2, 4, 6, 8, 12, 16, 20, 24, 28, 32]
    assert tried(1) == [1, 2, 3, 4]


def test_each_length_has_its_loss_and_accuracy_and_whether_it_was_trained(copied):
    points = over_lengths(copied)
    assert [point.length for point in points] == tried(4)
    assert [point.trained for point in points] == [point.length <= 4 for point in points]
    assert all(point.tokens == points[0].tokens + 2 * (point.length - 1) for point in points)
    read = [point for point in points if point.loss is not None]
    assert read
    assert all(point.loss > 0 and 0 <= point.faultless <= point.accuracy <= 1 for point in read)


def test_lengths_that_a_source_cannot_make_are_not_tried_and_untrained_ones_are_marked(bench, recipe):
    settings = ("corpus.name=mqar", "corpus.length=24", "corpus.pairs=4", "training.context_length=32")
    run = bench.start(recipe(1, *settings))
    run.wait_out()
    points = over_lengths(bench.open(run.folder.path))  # 6 and 12 tokens hold no four pairs and their questions
    assert [(point.length, point.trained) for point in points[:3]] == [(18, False), (24, True), (36, False)]


def test_examples_that_the_model_cannot_read_are_reported_as_such(bench, recipe):
    run = bench.start(recipe(2, *SOURCE, "architecture.positions=learned"))
    run.wait_out()
    points = over_lengths(bench.open(run.folder.path), [4, 64])
    assert points[0].loss is not None
    assert points[1].loss is None


@pytest.mark.long
def test_rotary_positions_are_tried_beyond_the_context_too(bench, recipe):
    run = bench.start(recipe(2, *SOURCE, "architecture.positions=rotary"))
    run.wait_out()
    saved = bench.open(run.folder.path)
    longest = over_lengths(saved, [16])[0]
    assert longest.tokens - 1 > saved.model().reach
    assert longest.loss is not None
    assert not longest.trained


def test_a_text_is_read_in_windows_up_to_four_times_the_trained_ones(bench, recipe):
    run = bench.start(recipe(2, "architecture.positions=rotary"))
    run.wait_out()
    saved = bench.open(run.folder.path)
    trained = saved.recipe.training.context_length
    points = over_lengths(saved)
    assert [point.length for point in points] == tried(trained)
    assert [point.length for point in points if point.trained][-1] == trained
    assert all(point.loss is not None and point.accuracy is None for point in points)
    (whole,) = [point.loss for point in points if point.length == trained]
    found = evaluate(
        saved.model(),
        saved.objective(),
        saved.validation(),
        protocol="windows",
        device=torch.device("cpu"),
        limit=TOKENS,
    )
    assert whole == found.loss


def test_a_window_longer_than_the_text_is_refused(bench, recipe):
    run = bench.start(recipe(1))
    run.wait_out()
    with pytest.raises(BadInput) as refused:
        over_lengths(bench.open(run.folder.path), [10**6])
    assert refused.value.problem.field == "--lengths"


def test_cancelling_leaves_what_is_done(copied):
    asked = iter([False, False, True])
    assert len(over_lengths(copied, [1, 2, 3, 4], cancelled=lambda: next(asked))) == 2


def test_the_command_line_prints_them(copied, capsys):
    assert main(["evaluate", str(copied.path), "--lengths", "2,8", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)["lengths"]
    assert [(point["length"], point["trained"]) for point in reported] == [(2, True), (8, False)]
    assert main(["evaluate", str(copied.path), "--lengths"]) == 0
    assert "8 *" in capsys.readouterr().out


def test_what_is_no_length_is_refused_by_the_option(copied, capsys):
    for words in ("0", "-3", "many", "1e3", "99999999"):
        assert main(["evaluate", str(copied.path), f"--lengths={words}"]) == 2
        assert "--lengths" in capsys.readouterr().err
