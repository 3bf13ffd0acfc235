"""The page Inspect: readings by their axes, at a step, on a text, and what a broken view does there."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.formulas.explanation import ExplanationPanel
from lab.widgets.readings.base import ReadingView
from lab.widgets.readings.maps import GeneralView
from lab.widgets.readings.mixing import MixingView
from lab.widgets.readings.state import StateView
from lab_moe.views.routing import RoutingView
from lab_ngram.views.orders import OrdersView

STRANGERS = Path(__file__).parents[3] / "strangers"
VIEWS = '''
"""Views of maps between positions: one that cannot be made, one that cannot show, one that works."""
from lab.api import View, hookimpl


def cannot_be_made():
    raise RuntimeError("no such widget")


def cannot_show():
    from PySide6.QtWidgets import QLabel

    class Wrong(QLabel):
        def show_readings(self, readings, labels):
            raise ValueError("wrong axes")

    return Wrong()


def works():
    from PySide6.QtWidgets import QLabel

    class Right(QLabel):
        def show_readings(self, readings, labels):
            self.setText(f"{len(readings)} readings of {len(labels)} tokens")

    return Right()


@hookimpl
def lab_register_views(register):
    axes = ("head", "query", "key")
    register(View(name="unmade", title="Unmade", build=cannot_be_made, axes=axes))
    register(View(name="unshown", title="Unshown", build=cannot_show, axes=axes))
    register(View(name="right", title="Right", build=works, axes=axes))
'''


def cards(window):
    """Return the cards of readings."""
    return [card for card in window.inspect.cards if isinstance(card, ReadingCard)]


def views(window):
    """Return the views in the cards."""
    return [card._view for card in cards(window)]


@pytest.fixture
def page(open_page):
    """Inspect before any run."""
    return open_page("inspect")


@pytest.fixture
def inspected(until):
    """Show a page, and wait for its first inspection."""

    def inspected(page):
        page.show()
        until(lambda: cards(page))
        return page

    return inspected


@pytest.fixture
def inspected_again(until):
    """Wait for an inspection of a later step, without the pause before it."""

    def inspected_again(page):
        requests = page.inspect.model.requests
        until(lambda: not requests.pending and page.inspect.model.shown.inspection.step > 0)
        first = page.inspect.model.shown.inspection.step
        during_the_rest = requests._ended + requests.rest / 2
        assert not page.inspect.model.is_due(during_the_rest)  # the training goes on for a while undisturbed
        requests._ended -= requests.rest
        until(lambda: page.inspect.model.shown.inspection.step > first)

    return inspected_again


@pytest.mark.long
def test_before_any_training_the_untrained_model_is_inspected(window, until):
    window.show_place("inspect")
    until(lambda: cards(window))
    assert window.inspect.model.shown.inspection.step == 0
    assert any(isinstance(view, MixingView) for view in views(window))
    assert all(card.state == "content" for card in cards(window))


def test_the_heads_of_attention_stand_first_of_a_selected_block_and_readings_are_switched_off_and_on(
    page, inspected, switch
):
    inspected(page)
    first = cards(page)[0]
    assert isinstance(first._view, MixingView)
    reading = first._view.shown
    assert reading.axes == ("head", "query", "key")
    assert first._view.heads._values.shape[0] == 2
    assert "".join(first._view.labels).replace("·", " ")[:3]
    assert len(first._view.labels) == reading.values.shape[-1]
    layer = page.inspect.panel._block
    assert [layer.itemText(place) for place in range(layer.count())] == ["1 of 2", "2 of 2"]
    layer.setCurrentIndex(1)
    assert first._view.shown.layer == 1
    shown = len(cards(page))
    switch(page, first.title)
    assert len(cards(page)) == shown - 1
    switch(page, first.title)
    assert len(cards(page)) == shown
    for entry in page.inspect.panel.gallery.entries:
        if entry.is_on:
            switch(page, entry.title)
    assert cards(page) == []
    assert page.inspect.cards[0].state == "empty"


def test_each_card_says_what_it_shows_and_explains_how_to_read_it(page, inspected, click, until):
    first = cards(inspected(page))[0]
    caption = "Attention, or what takes its place: where each position takes its input from"
    assert first._caption_line.full_text == caption
    (button,) = [one for one in first.findChildren(QPushButton) if one.text() == "?"]
    click(button)
    (panel,) = page.window().findChildren(ExplanationPanel)
    assert "Rows are positions that read" in " ".join(one.text() for one in panel.findChildren(QLabel))
    until(lambda: not panel.formulas[0].pixmap().isNull())


@pytest.mark.long
def test_while_a_run_trains_it_is_inspected_again_and_again(running_page, inspected, inspected_again):
    page = inspected(running_page("inspect"))
    inspected_again(page)
    inspected_again(page)


@pytest.mark.long
def test_nothing_is_inspected_while_another_place_is_open(running_page, inspected, until):
    page = inspected(running_page("inspect"))
    page.inspect.hide()
    until(lambda: not page.inspect.model.requests.pending)
    seen = page.inspect.model.shown
    assert not page.inspect._timer.isActive()
    page.inspect.ask()
    assert not page.inspect.model.requests.pending
    assert page.inspect.model.shown is seen


def test_another_probe_text_is_read_when_it_is_submitted_unless_the_vocabulary_lacks_it(
    page, inspected, until, click, button, qtbot
):
    inspected(page)
    edit = page.inspect.panel.findChild(QPlainTextEdit)
    qtbot.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, "a dog")
    click(button(page.inspect.panel, "Inspect text"))
    until(lambda: len(page.inspect.model.shown.inspection.labels) == 5)
    assert cards(page)[0]._view.heads._values.shape == (2, 5, 5)
    until(lambda: not page.inspect.model.requests.pending)
    before = page.inspect.model.shown
    edit.setPlainText("Ж")
    click(button(page.inspect.panel, "Inspect text"))
    until(lambda: page.inspect.panel._problem.isVisible())
    assert "Ж" in page.inspect.panel._problem.text()
    assert page.inspect.model.shown is before
    assert cards(page)


@pytest.mark.long
def test_the_snapshots_of_a_run_are_selected_by_a_slider(open_page, trained_run, click, until, button):
    page = open_page("inspect")
    page.session.open_path(str(trained_run("training.steps=20")))
    panel = page.inspect.panel
    until(lambda: page.inspect.model.recorded and cards(page))  # until they are found, step 0 is offered alone
    steps = page.session.selected.source.recorded_steps()
    assert panel.timeline.slider.maximum() == len(steps) > 3
    assert page.inspect.model.step is None
    panel.timeline.slider.setValue(0)
    until(lambda: page.inspect.model.shown.inspection.step == steps[0])
    assert f"step {steps[0]}" in panel.timeline.status.text()
    panel.timeline.slider.setValue(2)
    until(lambda: page.inspect.model.shown.inspection.step == steps[2])
    click(button(panel, "now"))
    until(lambda: page.inspect.model.shown.inspection.step == 20)


def test_an_n_gram_shows_which_order_was_used_at_each_token(open_page, inspected):
    page = open_page("inspect", visible=False)
    assert page.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    inspected(page)
    assert any(isinstance(view, OrdersView) for view in views(page))


def test_an_n_gram_that_has_counted_shows_it_too(page, until, inspected, switch):
    assert page.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    page.session.start()
    until(lambda: page.session.selected is not None and page.session.selected.state == "finished")
    inspected(page)
    until(lambda: any(isinstance(view, OrdersView) for view in views(page)))
    (card,) = [card for card in cards(page) if isinstance(card._view, OrdersView)]
    assert card.state == "content"
    (entry,) = (entry for entry in page.inspect.panel.gallery.entries if entry.title == "Counts of n-grams")
    assert not entry.is_on
    switch(page, entry.title)
    until(lambda: ("followed by", ("order", "vocabulary")) in page.inspect.model.readings.offered)
    offered = {identity for identity, _axes in page.inspect.model.readings.offered}
    assert {"matched", "followed by", "contexts covered", "n-grams seen", "n-grams possible"} <= offered


@pytest.mark.parametrize(
    ("file", "architecture", "readings", "kind"),
    [
        ("two_experts", "two-experts", {"routing", "mixing"}, RoutingView),
        ("suffix_counts", "suffix-counts", {"order"}, ReadingView),
        pytest.param(
            "gated_scan",
            "rg-lru",
            {"state", "recurrence gate", "input gate", "mixing"},
            GeneralView,
            marks=pytest.mark.long,
        ),
        pytest.param("gru_cells", "gru-cells", {"state", "reset", "update"}, StateView, marks=pytest.mark.long),
    ],
)
def test_a_strangers_model_gets_its_views_by_its_axes(
    open_page, inspected, until, lab_home, switch, file, architecture, readings, kind
):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGERS / f"{file}.py", lab_home / "plugins")
    page = open_page("inspect", "training.context_length=16", enable=[file], visible=False)
    assert page.session.draft.apply({"architecture": {"name": architecture}}) is None
    inspected(page)
    for entry in page.inspect.panel.gallery.entries:
        if not entry.is_probe and not entry.is_on:
            switch(page, entry.title)
    assert {reading.name for reading in page.inspect.model.shown.inspection.readings} >= readings
    assert {card.state for card in cards(page)} == {"content"}
    assert any(isinstance(view, kind) for view in views(page))


def test_a_broken_view_of_a_plugin_shows_its_trace_in_its_own_card_and_the_others_work(
    open_page, plugin, inspected, until
):
    page = inspected(open_page("inspect", enable=[plugin("views", VIEWS)]))
    by_title = {card.title: card for card in cards(page)}
    for title, words in (("Unmade", "no such widget"), ("Unshown", "wrong axes")):
        card = by_title[title]
        assert card.state == "broken"
        trace = card.findChild(QPlainTextEdit).toPlainText()
        assert words in trace
        assert "views.py" in trace
    assert by_title["Right"].state == "content"
    assert by_title["Right"]._view.text().startswith("2 readings of ") or by_title["Right"]._view.text().startswith(
        "1 "
    )
    assert any(isinstance(view, MixingView) for view in views(page))


@pytest.mark.long
def test_a_broken_card_stays_broken_and_the_others_are_refreshed(running_page, plugin, inspected, inspected_again):
    page = inspected(running_page("inspect", enable=[plugin("views", VIEWS)]))
    inspected_again(page)
    assert [card.state for card in cards(page)].count("broken") == 2


def test_a_model_that_cannot_be_built_shows_why_with_a_button_to_try_again(page, until, tmp_path):
    page.session.draft.apply({"corpus": None}, {"corpus": {"name": "file", "path": str(tmp_path / "gone.txt")}})
    until(lambda: [card._other and card._other.shown_text[1] for card in page.inspect.cards] == ["Try again"])
    (place,) = page.inspect.cards
    assert "corpus.path" in place._other.shown_text[0]


def test_another_model_shows_its_own_readings_and_not_those_of_the_last(page, inspected, until):
    inspected(page)
    page.inspect.hide()
    assert page.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    page.inspect.show()
    until(lambda: any(isinstance(view, OrdersView) for view in views(page)))
    assert not any("channel" in reading.axes for reading in page.inspect.model.shown.inspection.readings)
