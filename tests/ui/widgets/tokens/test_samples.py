"""Samples are added at the bottom, shortened for reading, and copied whole."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QSignalSpy

from lab.widgets.core.theme import themes
from lab.widgets.tokens.samples import CACHED, SamplesView

BLUE = "#4da3ff"
LONG = "KING:\n\tI have the grace to speak, " * 20


@pytest.fixture
def view(qtbot):
    made = SamplesView()
    qtbot.addWidget(made)
    made.resize(330, 260)
    with qtbot.waitExposed(made):
        made.show()
    return made


def height_of(view, row):
    return view.visualRect(view.model().index(row, 0)).height()


def words_of(view, row):
    return view.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_samples_stand_in_the_order_of_their_steps(view):
    view.show_samples([(0, "kRvz"), (1200, "the the")], BLUE)
    assert [words_of(view, row) for row in range(2)] == ["step 0: kRvz", "step 1,200: the the"]


def test_a_longer_list_adds_only_what_is_new(view):
    samples = [(step, f"sample {step}") for step in range(10)]
    view.show_samples(samples, BLUE)
    added, reset = QSignalSpy(view.model().rowsInserted), QSignalSpy(view.model().modelReset)
    view.show_samples([*samples, (10, "new")], BLUE)
    view.show_samples([*samples, (10, "new")], BLUE)
    assert added.count() == 1
    assert reset.count() == 0
    assert view.model().rowCount() == 11


def test_the_samples_of_another_run_replace_them(view):
    view.show_samples([(0, "one"), (5, "two")], BLUE)
    view.show_samples([(0, "other")], "#e9a13b")
    assert view.model().rowCount() == 1
    assert words_of(view, 0) == "step 0: other"


def test_samples_have_the_colour_of_their_run(view):
    view.show_samples([(0, "one")], "#e9a13b")
    image = view.viewport().grab().toImage()
    assert any(image.pixelColor(x, 12) == QColor("#e9a13b") for x in range(8))


def test_samples_are_as_high_as_the_longest_needs_and_take_three_lines_at_most(view):
    heights = []
    for samples in ([(0, "short")], [(0, "short"), (1, "a b " * 12)], [(2, LONG)], [(3, LONG * 10)]):
        view.show_samples(samples, BLUE)
        heights.append({height_of(view, row) for row in range(len(samples))})
    one, two, three, most = heights
    assert max(one) < max(two) < max(three)
    assert [len(high) for high in heights] == [1] * 4
    assert three == most


def test_a_longer_sample_that_comes_makes_all_higher(view):
    view.show_samples([(0, "short")], BLUE)
    before = height_of(view, 0)
    view.show_samples([(0, "short"), (1, LONG)], BLUE)
    assert height_of(view, 0) == height_of(view, 1) > before


def test_all_of_a_long_sample_stands_in_its_tool_tip(view):
    view.show_samples([(0, LONG)], BLUE)
    tip = view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert LONG in tip


def test_only_samples_in_sight_are_broken_into_lines(view, monkeypatch):
    broken = []
    looks = view.itemDelegate()
    once = looks._break
    monkeypatch.setattr(looks, "_break", lambda words, width: broken.append(words) or once(words, width))
    samples = [(step, f"{step} {LONG}") for step in range(5000)]
    view.show_samples(samples, BLUE)
    view.viewport().repaint()
    view.show_samples([*samples, (5000, "new")], BLUE)
    view.viewport().repaint()
    view.resize(300, 260)
    view.viewport().repaint()
    assert 0 < len(broken) < 40
    assert view.viewport().rect().contains(view.visualRect(view.model().index(5000, 0)))


def test_lines_are_kept_for_the_samples_seen_last(view):
    looks = view.itemDelegate()
    for number in range(CACHED + 20):
        looks._lines(f"sample {number}", 300)
    assert len(looks._broken) == CACHED
    assert (f"sample {CACHED + 19}", 300) in looks._broken


def test_a_sample_is_never_interpreted_as_markup(view):
    view.show_samples([(0, "<b>bold</b>")], BLUE)
    assert "&lt;b&gt;bold" in view.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_the_ends_of_lines_are_shown_in_place(view):
    lines = view.itemDelegate()._lines("KING:\nI have", 300)
    assert lines == ["KING:⏎I have"]


def test_the_last_line_shows_that_there_is_more(view):
    lines = view.itemDelegate()._lines(LONG, 200)
    assert len(lines) == 3
    assert lines[-1].endswith("…")


def test_a_narrower_view_needs_more_lines(view):
    view.show_samples([(0, "some words in one line")], BLUE)
    before = height_of(view, 0)
    view.resize(160, 260)
    assert height_of(view, 0) > before


def test_the_newest_sample_stays_visible(view):
    samples = [(step, "words") for step in range(100)]
    for count in (40, 100):
        view.show_samples(samples[:count], BLUE)
        newest = view.visualRect(view.model().index(count - 1, 0))
        assert view.viewport().rect().contains(newest)


def test_who_scrolled_up_is_left_there(view):
    samples = [(step, "words") for step in range(100)]
    view.show_samples(samples[:50], BLUE)
    view.verticalScrollBar().setValue(30)
    view.show_samples(samples, BLUE)
    assert view.verticalScrollBar().value() == 30


def test_the_chosen_sample_is_copied_as_it_was_written(view, qtbot):
    view.show_samples([(0, "one"), (1, LONG)], BLUE)
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == LONG


def test_samples_follow_the_theme(view):
    view.show_samples([(0, "WWWWW")], BLUE)
    themes.choose("light")
    image = view.grab().toImage()
    assert any(
        image.pixelColor(x, y) == QColor(themes.now.text) for x in range(image.width()) for y in range(image.height())
    )
