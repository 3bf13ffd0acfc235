"""Inspect with models that learn from rows: maps between a target and its source, and models that read no text."""

import pytest

from lab.shell.inspect.model import State
from lab.widgets.readings.examples import SurfaceView
from lab.widgets.readings.heads import HeadsView

PAIRS = ("corpus.name=reversal", "corpus.rows=60", "architecture.name=encoder-decoder", "architecture.layers=1",
         "objective.name=sequence-to-sequence", "training.context_length=32")  # fmt: skip
VECTORS = ("corpus.name=points", "architecture.name=mlp", "objective.name=classification", "tokenizer.name=none")
IMAGES = ("corpus.name=digits", "corpus.rows=40", "architecture.name=mlp", "objective.name=classification",
          "tokenizer.name=none")  # fmt: skip


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
def test_a_run_on_rows_records_snapshots(recipe, open_page, until):
    page = open_page("inspect", *recipe, "training.steps=2")
    page.session.start()
    until(lambda: page.session.selected.state == "finished" and page.session.selected.active is None)
    until(lambda: page.place.snapshots.steps)
    assert page.place.snapshots.steps == [0, 1, 2]


def test_the_decision_surface_of_a_model_in_the_plane_is_shown_first_with_its_points(open_page, until):
    page = open_page("inspect", *VECTORS)
    place = page.place
    until(lambda: place.model.state is State.SHOWN)
    until(lambda: place.findChildren(SurfaceView))
    assert place.model.readings.selected[0][0] == "decision surface"
    view = place.findChildren(SurfaceView)[0]
    until(lambda: len(view.plane._points))
    assert len(view.plane._points) == 500
    assert place.panel._text_label.text() == "Example"


def test_another_example_is_read_by_its_number(open_page, until):
    page = open_page("inspect", *IMAGES)
    place = page.place
    until(lambda: place.model.state is State.SHOWN)
    first = {one.name: one.values for one in place.model.shown.inspection.readings if one.layer == 0}
    place.panel._text.setPlainText("3")
    place.panel._submit_text()
    until(lambda: place.model.shown is not None and place.model.shown.inspection.text == "3")
    third = {one.name: one.values for one in place.model.shown.inspection.readings if one.layer == 0}
    assert (first["activation"] != third["activation"]).any()


def test_a_text_that_was_written_for_another_model_is_not_read_as_a_row(open_page, until):
    page = open_page("inspect", *VECTORS)
    page.place.panel._text.setPlainText("The cat")
    page.place.panel._submit_text()
    until(lambda: page.place.model.state is State.SHOWN)
    assert page.place.model.shown.inspection.text == "1"
