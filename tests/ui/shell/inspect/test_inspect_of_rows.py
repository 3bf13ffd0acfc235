"""Inspect with models that learn from rows: maps between a target and its source, and models that read no text."""

import pytest

from lab.shell.inspect.model import State
from lab.widgets.readings.heads import HeadsView

PAIRS = ("corpus.name=reversal", "corpus.rows=60", "architecture.name=encoder-decoder", "architecture.layers=1",
         "objective.name=sequence-to-sequence", "training.context_length=32")  # fmt: skip
VECTORS = ("corpus.name=points", "objective.name=classification", "tokenizer.name=none")
IMAGES = ("corpus.name=digits", "corpus.rows=40", "objective.name=classification", "tokenizer.name=none")


def test_cross_attention_is_shown_first_with_target_and_source_along_its_axes(open_page, until):
    page = open_page("inspect", *PAIRS)
    place = page.place
    until(lambda: place.model.state is State.SHOWN)
    assert place.model.readings.selected[0][0] == "cross attention"
    until(lambda: place.findChildren(HeadsView))
    shown = place.model.shown.inspection
    view = next(one for one in place.findChildren(HeadsView) if one.shown and one.shown.name == "cross attention")
    assert view.labels_of("query", len(shown.labels)) == shown.labels
    assert "".join(view.labels_of("source", len(shown.text))) == shown.text
    assert place.panel._text_label.text() == "Source"


CAPTIONS = ("corpus.name=shapes", "corpus.rows=40", "corpus.target=caption", "architecture.name=encoder-decoder",
            "objective.name=captions")  # fmt: skip


def test_a_model_that_writes_captions_is_not_called_one_of_text(open_page, until):
    page = open_page("inspect", *CAPTIONS)
    until(lambda: page.place.model.state is State.REFUSED)
    message = "This model writes captions of images. Readings need a text that a model reads."
    assert [card._other.shown_text for card in page.inspect.cards] == [(message, "")]


@pytest.mark.parametrize("recipe", [VECTORS, IMAGES])
def test_a_run_that_reads_no_text_is_not_to_be_trained_again_for_snapshots(recipe, open_page, until):
    page = open_page("inspect", *recipe, "training.steps=2")
    page.session.start()
    until(lambda: page.session.selected.state == "finished" and page.session.selected.active is None)
    until(lambda: page.place.snapshots.status()[1])
    assert page.place.snapshots.status() == ("", "Snapshots show how a model reads a text, and this run reads none.")


@pytest.mark.parametrize(("recipe", "reads"), [(VECTORS, "numbers"), (IMAGES, "images")])
def test_a_model_that_reads_no_text_is_explained_in_a_sentence(recipe, reads, open_page, until):
    page = open_page("inspect", *recipe)
    until(lambda: page.place.model.state is State.REFUSED)
    message = f"This model reads {reads}. Readings show how a model reads the tokens of a text."
    assert [card._other.shown_text for card in page.inspect.cards] == [(message, "")]
