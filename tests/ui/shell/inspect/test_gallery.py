"""The questions above the cards of Inspect, and the searchable gallery in its panel."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lab.shell.inspect.gallery.entries import Cost
from lab.shell.inspect.gallery.labels import short_cost
from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.core.theme import themes

STRANGE = '''
"""Probes for all models: one explains its reading, one does not."""
import numpy as np

from lab.api import Explanation, Probe, Reading, hookimpl

FADING = Explanation(shows="How soon a unit forgets", how="Long bars last.", question="memory")


def probe_of(name):
    def build(config):
        return lambda model, tokens: [Reading(name, ("lag",), np.arange(1.0, 5.0))]

    return build


@hookimpl
def lab_register_probes(register):
    register(Probe("fading", "Fading", probe_of("fading"), everywhere=True, explanations={"fading": FADING}))
    register(Probe("unexplained", "Unexplained", probe_of("unexplained"), everywhere=True))
'''


def titles(page):
    """Return the titles of the cards of readings."""
    return [card.title for card in page.inspect.cards if isinstance(card, ReadingCard)]


def entry(page, title):
    """Return the entry of the gallery with a title."""
    return next(one for one in page.inspect.panel.gallery.entries if one.title == title)


@pytest.fixture
def inspected(open_page, until):
    """Open Inspect, and wait for its first inspection."""

    def inspected(**options):
        page = open_page("inspect", **options)
        until(lambda: titles(page) and not page.inspect.model.requests.pending)
        return page

    return inspected


@pytest.fixture
def select(click, until):
    """Click a question, and wait for its cards."""

    def select(page, view):
        click(page.inspect.questions.buttons[view])
        until(lambda: not page.inspect.model.requests.pending)

    return select


# ---- questions


def test_a_question_shows_the_cards_that_answer_it_and_nothing_else_and_runs_the_probes_that_do(
    inspected, select, until
):
    page = inspected()
    before = titles(page)
    assert page.inspect.questions.buttons["attention"].isVisible()
    assert not page.inspect.questions.buttons["other"].isVisible()  # nothing of this model answers it
    select(page, "attention")
    assert titles(page)[:2] == ["Token mixing", "Head scores"]
    listed = [entry.title for entry in page.inspect.panel.gallery.entries if entry.answers("attention")]
    assert listed[:2] == ["Token mixing", "Head scores"]
    select(page, "work")
    assert "Activation" in titles(page)
    assert "Token mixing" not in titles(page)
    assert "Embedding" not in titles(page)
    select(page, "")
    assert titles(page) == before
    select(page, "all")
    assert {"Token mixing", "Head scores", "Embedding", "Residual"} <= set(titles(page))
    assert "influence" not in page.inspect.model.seconds
    select(page, "gradient")
    until(lambda: titles(page) == ["Token mixing"])
    (card,) = page.inspect.cards
    assert card._view.shown.name == "influence"


def test_a_question_that_was_restored_and_that_nothing_answers_says_so(open_page, until):
    page = open_page("inspect", visible=False)
    page.inspect.panel.load_state_dict({"question": "other"})
    page.show()
    until(lambda: page.inspect.model.shown is not None and not page.inspect.model.requests.pending)
    assert page.inspect.questions.buttons["other"].isVisible()
    assert "No reading of this model" in page.inspect.cards[0]._other.shown_text[0]


def test_the_arrow_keys_select_questions(inspected, until):
    page = inspected()
    own, everything = (page.inspect.questions.buttons[view] for view in ("", "all"))
    own.setFocus()
    QTest.keyClick(own, Qt.Key.Key_Right)
    assert everything.hasFocus()
    QTest.keyClick(everything, Qt.Key.Key_Space)
    assert page.inspect.model.readings.view == "all"


def test_every_question_is_inside_a_narrow_place(inspected):
    page = inspected(size=(1040, 640))
    bar = page.inspect.questions
    shown = [button for button in bar.buttons.values() if button.isVisible()]
    assert len({button.y() for button in shown}) > 1
    assert all(bar.rect().contains(button.geometry()) for button in shown)


def test_the_readings_of_strangers_stand_below_their_question_or_under_other(inspected, plugin, select, until):
    page = inspected(enable=[plugin("strange", STRANGE)])
    assert entry(page, "Fading").group == "memory"
    assert entry(page, "Unexplained").group == "other"
    select(page, "memory")
    until(lambda: "Fading" in titles(page))
    assert "Unexplained" not in titles(page)
    select(page, "other")
    until(lambda: titles(page) == ["Unexplained"])
    assert [one.title for one in page.inspect.panel.gallery.entries] == ["Unexplained"]


def test_the_question_and_the_switches_are_restored(inspected, select, switch, open_page):
    page = inspected()
    switch(page, "Activation")
    select(page, "attention")
    switch(page, "Head scores")
    state = page.inspect.panel.state_dict()
    other = open_page("inspect", visible=False)
    other.inspect.panel.load_state_dict(state)
    assert other.inspect.questions.buttons["attention"].isChecked()
    assert other.inspect.panel.state_dict() == state


def test_a_state_that_cannot_be_read_changes_nothing(open_page):
    page = open_page("inspect", visible=False)
    page.inspect.panel.load_state_dict({"question": "why", "cards": {"": {"[": True}, "why": 3}, "probes": []})
    assert page.inspect.questions.buttons[""].isChecked()


# ---- gallery


def test_a_search_leaves_only_what_contains_it_and_the_keyboard_alone_uses_the_gallery(inspected, qtbot):
    page = inspected()
    gallery = page.inspect.panel.gallery
    qtbot.keyClicks(gallery.search, "softmax")
    found = [one.title for one in gallery.entries]
    assert "Logit lens" in found
    assert "Embedding" not in found
    qtbot.keyClicks(gallery.search, "xyz")
    assert gallery.entries == []
    assert "softmaxxyz" in gallery._nothing.text()
    qtbot.keyClick(gallery.search, Qt.Key.Key_Escape)
    assert len(gallery.entries) > len(found)
    gallery.search.setFocus()
    qtbot.keyClicks(gallery.search, "vectors with which")
    qtbot.keyClick(gallery.search, Qt.Key.Key_Down)
    assert gallery.list.hasFocus()
    assert "Embedding" not in titles(page)
    qtbot.keyClick(gallery.list, Qt.Key.Key_Space)
    assert "Embedding" in titles(page)
    assert gallery.list.currentIndex().data() == "Embedding"
    qtbot.keyClick(gallery.list, Qt.Key.Key_Return)
    assert "Embedding" not in titles(page)


def test_the_panel_scrolls_to_the_entry_that_the_keys_reach(inspected, qtbot, until):
    page = inspected(size=(1100, 640))
    rows = page.inspect.panel.gallery.list
    inside = page.inspect.panel._area.widget()
    until(lambda: rows.mapTo(inside, rows.rect().bottomLeft()).y() < inside.height())  # it is laid out
    rows.enter()
    qtbot.keyClick(rows, Qt.Key.Key_End)
    area = page.inspect.panel._area.viewport()
    last = rows.visualRect(rows.currentIndex())
    assert area.rect().contains(rows.viewport().mapTo(area, last.center()))


def test_attention_is_found_where_it_is_shown(inspected):
    page = inspected()
    gallery = page.inspect.panel.gallery
    gallery.search.setText("attention")
    found = {one.title: one.caption for one in gallery.entries}
    assert {"Token mixing", "Head scores"} <= found.keys()
    assert all("attention" in found[title].lower() for title in ("Token mixing", "Head scores"))


def test_screen_readers_get_title_cost_and_what_an_entry_shows(inspected):
    page = inspected()
    rows = page.inspect.panel.gallery.list
    at = next(at for at, row in enumerate(rows.rows) if getattr(row, "title", "") == "Token mixing")
    index = rows.model().index(at)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).startswith("Token mixing, ")
    assert "where each position takes its input from" in index.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    assert QAccessible.queryAccessibleInterface(rows).text(QAccessible.Text.Name) == "Readings and probes"


def test_the_cost_is_that_of_the_last_time(inspected, switch, until):
    page = inspected()
    assert entry(page, "Token mixing").cost.kind == "pass"
    assert entry(page, "Logit lens").cost.seconds is None
    switch(page, "Logit lens")
    until(lambda: "Logit lens" in titles(page))
    assert entry(page, "Logit lens").cost.seconds > 0


def test_what_a_run_has_recorded_is_free(open_page, trained_run, until):
    page = open_page("inspect")
    page.session.open_path(str(trained_run("training.steps=20")))
    until(lambda: page.inspect.snapshots.is_read and page.inspect.panel.timeline.slider.isEnabled())
    until(lambda: page.inspect.model.shown is not None and not page.inspect.model.requests.pending)
    page.inspect.panel.timeline.slider.setValue(1)
    until(lambda: page.inspect.model.is_recorded and page.inspect.model.shown_step is not None)
    assert entry(page, "Head scores").cost.kind == "free"
    assert not entry(page, "Logit lens").is_enabled


@pytest.mark.long
def test_the_theme_can_change_while_a_question_is_selected(inspected, select):
    page = inspected()
    select(page, "attention")
    for mode in ("light", "dark"):
        themes.choose(mode)
        QApplication.processEvents()
    assert "Token mixing" in titles(page)


def test_a_measured_time_is_written_as_the_language_writes_numbers(german):
    assert short_cost(Cost("model", 0.14)) == "0,1 s"
    assert short_cost(Cost("model", 1234.0)) == "1.234 s"
