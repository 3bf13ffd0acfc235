"""The page Inspect: readings by their axes, at a step, on a text, and what a broken view does there."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit

from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.readings.base import ReadingView
from lab.widgets.readings.maps import GeneralView, NgramOrdersView
from lab.widgets.readings.mixing import MixingView
from lab.widgets.readings.state import StateView
from lab_moe.views.routing import RoutingView

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


def switches_of(window):
    """Return the boxes that switch readings."""
    boxes = window.inspect.panel.findChildren(QCheckBox)
    return [box for box in boxes if box.property("reading") is not None]


@pytest.fixture
def inspected(until):
    """Open Inspect, and wait for its first inspection."""

    def inspected(window):
        window.show_place("inspect")
        until(lambda: cards(window))
        return window

    return inspected


def test_before_any_training_the_untrained_model_is_inspected(window, inspected):
    inspected(window)
    assert window.inspect.model.shown.inspection.step == 0
    assert any(isinstance(view, MixingView) for view in views(window))
    assert all(card.state == "content" for card in cards(window))


def test_the_heads_of_attention_stand_first_with_the_tokens_that_were_read(window, inspected):
    inspected(window)
    first = cards(window)[0]
    assert isinstance(first._view, MixingView)
    reading = first._view.shown
    assert reading.axes == ("head", "query", "key")
    assert first._view.heads._values.shape[0] == 2
    assert "".join(first._view.labels).replace("·", " ")[:3]
    assert len(first._view.labels) == reading.values.shape[-1]


def test_while_a_run_trains_it_is_inspected_again_and_again(running, inspected, until):
    window = inspected(running())
    first = window.inspect.model.shown.inspection.step
    until(lambda: window.inspect.model.shown.inspection.step > first)


@pytest.mark.long
def test_nothing_is_inspected_while_another_place_is_open(running, inspected, until):
    window = inspected(running())
    window.show_place("train")
    until(lambda: not window.inspect.model.requests.pending)
    seen = window.inspect.model.shown
    assert not window.inspect._timer.isActive()
    window.inspect.ask()
    assert not window.inspect.model.requests.pending
    assert window.inspect.model.shown is seen


def test_another_probe_text_is_read_when_it_is_submitted(window, inspected, until, click, button, qtbot):
    inspected(window)
    edit = window.inspect.panel.findChild(QPlainTextEdit)
    qtbot.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton)
    qtbot.keyClicks(edit, "a dog")
    click(button(window.inspect.panel, "Read it"))
    until(lambda: len(window.inspect.model.shown.inspection.labels) == 5)
    assert cards(window)[0]._view.heads._values.shape == (2, 5, 5)


def test_a_probe_text_that_the_vocabulary_lacks_is_named_and_the_readings_stay(window, inspected, until, click, button):
    inspected(window)
    before = window.inspect.model.shown
    window.inspect.panel.findChild(QPlainTextEdit).setPlainText("Ж")
    click(button(window.inspect.panel, "Read it"))
    until(lambda: window.inspect.panel._problem.isVisible())
    assert "Ж" in window.inspect.panel._problem.text()
    assert window.inspect.model.shown is before
    assert cards(window)


def test_the_snapshots_of_a_run_are_selected_by_a_slider(open_window, click, until, inspected, button):
    window = open_window("training.steps=60")
    click(window.top.start)
    until(lambda: window.session.selected.state == "finished")
    inspected(window)
    panel = window.inspect.panel
    steps = window.session.selected.run.recorded_steps()
    assert panel.timeline.slider.maximum() == len(steps) > 3
    assert window.inspect.model.step is None
    panel.timeline.slider.setValue(0)
    until(lambda: window.inspect.model.shown.inspection.step == steps[0])
    assert f"step {steps[0]}" in panel.timeline.status.text()
    panel.timeline.slider.setValue(2)
    until(lambda: window.inspect.model.shown.inspection.step == steps[2])
    click(button(panel, "now"))
    until(lambda: window.inspect.model.shown.inspection.step == 60)


def test_a_block_can_be_selected(window, inspected, until):
    inspected(window)
    layer = window.inspect.panel._block
    assert [layer.itemText(place) for place in range(layer.count())] == ["1 of 2", "2 of 2"]
    layer.setCurrentIndex(1)
    assert cards(window)[0]._view.shown.layer == 1


def test_readings_can_be_switched_off_and_on(window, inspected, qtbot):
    inspected(window)
    boxes = switches_of(window)
    shown = len(cards(window))
    boxes[0].click()
    assert len(cards(window)) == shown - 1
    boxes[0].click()
    assert len(cards(window)) == shown
    for box in boxes:
        box.setChecked(False)
    assert cards(window) == []
    assert window.inspect.cards[0].state == "empty"


def test_an_n_gram_shows_which_order_was_used_at_each_token(window, inspected, until):
    assert window.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    inspected(window)
    assert any(isinstance(view, NgramOrdersView) for view in views(window))


def test_an_n_gram_that_has_counted_shows_it_too(open_window, click, until, inspected):
    window = open_window()
    assert window.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    click(window.top.start)
    until(lambda: window.session.selected.state == "finished")
    inspected(window)
    until(lambda: any(isinstance(view, NgramOrdersView) for view in views(window)))
    (card,) = [card for card in cards(window) if isinstance(card._view, NgramOrdersView)]
    assert card.state == "content"
    (box,) = (box for box in window.inspect.panel.findChildren(QCheckBox) if box.text() == "Counts of n-grams")
    assert not box.isChecked()
    box.click()
    until(lambda: ("followed by", ("order", "vocabulary")) in window.inspect.model.readings.offered)
    offered = {identity for identity, _axes in window.inspect.model.readings.offered}
    assert {"matched", "followed by", "contexts covered", "n-grams seen", "n-grams possible"} <= offered


@pytest.mark.parametrize(
    ("file", "architecture", "readings", "kind"),
    [
        ("gated_scan", "rg-lru", {"state", "recurrence gate", "input gate", "mixing"}, GeneralView),
        ("two_experts", "two-experts", {"routing", "mixing"}, RoutingView),
        ("suffix_counts", "suffix-counts", {"order"}, ReadingView),
        ("gru_cells", "gru-cells", {"state", "reset", "update"}, StateView),
    ],
)
def test_a_strangers_model_gets_its_views_by_its_axes(
    open_window, inspected, until, lab_home, file, architecture, readings, kind
):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGERS / f"{file}.py", lab_home / "plugins")
    window = open_window("training.context_length=16", enable=[file])
    assert window.session.draft.apply({"architecture": {"name": architecture}}) is None
    inspected(window)
    for box in switches_of(window):
        box.setChecked(True)
    assert {reading.name for reading in window.inspect.model.shown.inspection.readings} >= readings
    assert {card.state for card in cards(window)} == {"content"}
    assert any(isinstance(view, kind) for view in views(window))


def test_a_broken_view_of_a_plugin_shows_its_trace_in_its_own_card_and_the_others_work(
    open_window, plugin, inspected, until
):
    window = inspected(open_window(enable=[plugin("views", VIEWS)]))
    by_title = {card.title: card for card in cards(window)}
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
    assert any(isinstance(view, MixingView) for view in views(window))


def test_a_broken_card_stays_broken_and_the_others_are_refreshed(open_window, plugin, inspected, until, click):
    window = open_window("training.steps=1000000", enable=[plugin("views", VIEWS)])
    click(window.top.start)
    until(lambda: window.session.state == "running")
    inspected(window)
    until(lambda: window.inspect.model.shown.inspection.step > 0)
    first = window.inspect.model.shown.inspection.step
    until(lambda: window.inspect.model.shown.inspection.step > first)
    assert [card.state for card in cards(window)].count("broken") == 2


def test_a_model_that_cannot_be_built_shows_why_with_a_button_to_try_again(window, until, tmp_path):
    window.session.open_paths([str(tmp_path / "gone.txt")])
    window.show_place("inspect")
    (place,) = window.inspect.cards
    until(lambda: place._other.shown_text[1] == "Try again")
    assert "corpus.path" in place._other.shown_text[0]


def test_another_model_shows_its_own_readings_and_not_those_of_the_last(window, inspected, until):
    inspected(window)
    window.show_place("train")
    assert window.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    window.show_place("inspect")
    until(lambda: any(isinstance(view, NgramOrdersView) for view in views(window)))
    assert not any("channel" in reading.axes for reading in window.inspect.model.shown.inspection.readings)
