"""A text too long for memory is learned from as any other: prepared, trained, evaluated, taken up again."""

import pytest

from lab.api import LongText
from lab.host import Plugins
from lab.text.corpora import files as corpora
from lab.training.material import read_corpus
from lab.training.resolution import resolve_all


@pytest.fixture
def done(bench, recipe):
    """Train a small model to its end."""

    def done(architecture, out):
        given = recipe(4, "training.evaluate_every=0")
        if architecture != "transformer":
            given = given.with_values({"architecture": {"name": architecture, "order": 3}})
        run = bench.start(given, out=out)
        assert run.wait(30)
        assert run.problem is None
        return run

    return done


@pytest.fixture
def short_memory(monkeypatch):
    """Let every text be too long for memory."""
    monkeypatch.setattr(corpora, "LONG", 100)


def test_the_small_text_is_read_piece_by_piece(recipe, short_memory):
    assert isinstance(read_corpus(resolve_all(recipe(), Plugins().load())["corpus"]), LongText)


@pytest.mark.parametrize("architecture", ["transformer", "n-gram"])
def test_it_is_learned_evaluated_and_taken_up_as_a_short_one(bench, done, monkeypatch, tmp_path, architecture):
    short = done(architecture, tmp_path / "short")
    monkeypatch.setattr(corpora, "LONG", 100)
    long = done(architecture, tmp_path / "long")
    assert long.folder.facts["corpus"]["sha256"] == short.folder.facts["corpus"]["sha256"]
    assert long.folder.facts["floors"] == short.folder.facts["floors"]
    assert long.summary()["validation_loss"] == short.summary()["validation_loss"]
    saved = bench.open(long.path)
    assert saved.evaluate().loss == pytest.approx(long.summary()["validation_loss"])
    if architecture == "transformer":
        again = bench.resume(long.path, steps=6)
        assert again.wait(30)
        assert again.problem is None
        assert again.summary()["steps"] == 6
