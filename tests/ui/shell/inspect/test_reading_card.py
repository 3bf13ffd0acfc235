"""Cards of readings: a view that raises when Qt calls it, and positions that stay when readings are switched."""

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from lab.base.notices import catch_uncaught, notify
from lab.base.problems import Problem
from lab.shell.inspect.card_rows import LEAST, CardRows, rows_of
from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.readings.head_scores import HeadScoresView

VIEWS = '''
"""Views of maps between positions that raise when Qt calls them, and one that works."""
from lab.api import View, hookimpl


def widgets():
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

    class Unpainted(QWidget):
        def show_readings(self, readings, labels):
            self.update()

        def paintEvent(self, event):
            painter = QPainter(self)
            raise RuntimeError("no paint")

    class Outer(QWidget):
        def __init__(self):
            super().__init__()
            QVBoxLayout(self).addWidget(Inner())

        def show_readings(self, readings, labels):
            pass

    class Inner(QWidget):
        def mousePressEvent(self, event):
            raise RuntimeError("do not touch")

    class Right(QLabel):
        def show_readings(self, readings, labels):
            self.setText(f"{len(readings)} readings")

    return Unpainted, Outer, Right


@hookimpl
def lab_register_views(register):
    axes = ("head", "query", "key")
    for place, name in enumerate(("unpainted", "touchy", "right")):
        register(View(name=name, title=name.capitalize(), build=lambda place=place: widgets()[place](), axes=axes))
'''


no_capture = pytest.mark.qt_no_exception_capture  # the application's own way is what is tested


def cards(window):
    """Return the cards of readings by their titles."""
    return {card.title: card for card in window.inspect.cards if isinstance(card, ReadingCard)}


@pytest.fixture
def uncaught():
    """Send uncaught errors to the notices, as the application does."""
    before = sys.excepthook
    undo = catch_uncaught()
    yield
    undo()
    sys.excepthook = before


@pytest.fixture
def broken(open_window, plugin, until, uncaught):
    """Open a window whose Inspect shows a plugin's views, of which one breaks here, before the test starts."""
    window = open_window(enable=[plugin("views", VIEWS)], size=(2200, 1200))
    window.show_place("inspect")
    until(lambda: "Unpainted" in cards(window) and cards(window)["Unpainted"].state == "broken")
    return window


def test_a_view_that_raises_while_it_paints_or_is_clicked_is_shown_broken_in_its_card_alone(broken, until):
    card = cards(broken)["Unpainted"]
    trace = card.findChild(QPlainTextEdit).toPlainText()
    assert "no paint" in trace
    assert "paintEvent" in trace
    reported = [toast for toast in broken.toasts.toasts if "no paint" in toast.text.text()]
    assert len(reported) == 1
    count = reported[0]._count
    broken.inspect.ask()
    broken.inspect.repaint()
    until(lambda: not broken.inspect.model.requests.pending)
    assert reported[0]._count == count  # it paints no more
    trace = 'Traceback\n  File "/elsewhere/views.py", line 20, in paintEvent\nRuntimeError: other'
    notify("error", Problem("another thing failed", trace=trace))
    until(lambda: any("nother thing" in toast.text.text() for toast in broken.toasts.toasts))
    assert {card.title for card in cards(broken).values() if card.state == "broken"} == {"Unpainted"}
    inner = cards(broken)["Touchy"]._view.layout().itemAt(0).widget()
    press, left, none = QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at, seen = QPointF(2, 2), QPointF(inner.mapToGlobal(QPointF(2, 2)))
    QCoreApplication.postEvent(inner, QMouseEvent(press, at, seen, left, left, none))
    until(lambda: cards(broken)["Touchy"].state == "broken")
    assert {title for title, card in cards(broken).items() if card.state == "broken"} == {"Unpainted", "Touchy"}
    assert cards(broken)["Right"].state == "content"


# ---- places


@pytest.fixture
def page(open_page):
    """Inspect before any run."""
    return open_page("inspect")


@pytest.fixture
def readings(page, until, switch):
    """Return the titles of the readings in the gallery that need no probe, all of them on."""
    until(lambda: cards(page) and not page.session.background._tasks)  # or more cards come meanwhile
    entries = [entry for entry in page.inspect.panel.gallery.entries if not entry.is_probe]
    for entry in entries:
        if not entry.is_on:
            switch(page, entry.title)
    return [entry.title for entry in entries]


def placed(page):
    """Return position and size of each card in the page, once they no longer change."""
    before, now = None, {}
    while now != before:
        QApplication.processEvents()
        before, now = (
            now,
            {
                title: card.rect().translated(card.mapTo(page, card.rect().topLeft()))
                for title, card in ((card.title, card) for card in page.inspect.cards)
            },
        )
    return now


def test_cards_come_back_to_their_position_and_size_when_a_reading_is_switched_off_and_on(page, readings, switch):
    before = placed(page)
    shown = dict(cards(page))
    assert len(before) >= 3
    for title in (readings[0], readings[-1]):
        switch(page, title)
        without = placed(page)
        assert len(without) < len(before)
        assert all(shown[title] is card for title, card in cards(page).items())
        switch(page, title)
        assert placed(page) == before


def test_a_card_asks_for_the_height_in_which_its_view_can_be_read(page, until):
    until(lambda: "Head scores" in cards(page) and cards(page)["Head scores"].state == "content")
    card = cards(page)["Head scores"]
    (view,) = card.findChildren(HeadScoresView)
    assert card.height() >= card.minimumHeight() > view.least_height > 0


@pytest.mark.long
def test_the_card_below_does_not_jump_up_when_the_first_is_switched_off(page, readings, switch):
    below = list(cards(page).values())[1]
    splitter = below.parentWidget()
    switch(page, readings[0])
    assert below.parentWidget() is splitter
    assert below.isVisible()
    assert not page.inspect.all.top.isVisible()


def test_the_sizes_that_a_person_gave_cards_stay_when_another_is_switched(page, readings, switch):
    page.resize(2400, 1000)  # all of them have room
    QApplication.processEvents()
    (splitter,) = page.inspect.all.below.rows
    splitter.moveSplitter(splitter.handle(1).x() + 90, 1)
    QApplication.processEvents()
    before = splitter.sizes()
    switch(page, readings[-1])
    QApplication.processEvents()
    switch(page, readings[-1])
    QApplication.processEvents()
    assert splitter.sizes() == before


@pytest.mark.long
def test_a_message_is_shown_while_no_reading_is_switched_on(page, readings, switch):
    for entry in page.inspect.panel.gallery.entries:
        if entry.is_on:
            switch(page, entry.title)
    (place,) = page.inspect.cards
    assert place.isVisible()
    assert "switched on" in place._other.shown_text[0]


def test_the_choice_of_block_is_disabled_where_there_is_one_block(open_page, until):
    page = open_page("inspect", "architecture.layers=1")
    until(lambda: cards(page))
    layer = page.inspect.panel._block
    assert [layer.itemText(0), layer.isEnabled()] == ["1 of 1", False]


def test_cards_that_do_not_fit_next_to_each_other_stand_in_further_rows():
    assert rows_of([300, 300, 300], 1000, 10) == [[0, 1, 2]]
    assert rows_of([300, 300, 300], 700, 10) == [[0, 1], [2]]
    assert rows_of([900, 300], 700, 10) == [[0], [1]]
    assert rows_of([300, 0, 300, 0], 400, 10) == [[0, 1], [2, 3]]


@pytest.mark.long
def test_inspect_of_a_hybrid_never_scrolls_sideways(open_window, until):
    page = open_window("architecture.name=hybrid", size=(1366, 640))
    page.show_place("inspect")
    until(lambda: page.inspect.model.shown is not None)
    for key in list(page.inspect.model.readings.offered):
        page.inspect.model.readings.switch(key, on=True)
    page.inspect._switch_readings()
    for width in (1366, 1100):
        page.resize(width, 640)
        QApplication.processEvents()
        below = page.inspect.all.below
        until(lambda below=below: below.horizontalScrollBar().maximum() == 0)
        assert len(below.rows) > 1
        assert all(card.x() + card.width() <= card.parentWidget().width() for card in page.inspect.cards)


def test_a_row_of_cards_is_as_high_as_the_card_that_needs_most(qtbot):
    rows, low, high = CardRows(), QWidget(), QWidget()
    qtbot.addWidget(rows)
    high.setMinimumHeight(2 * LEAST)
    rows.resize(600, LEAST)
    with qtbot.waitExposed(rows):
        rows.show()
    rows.set_cards({"low": low, "high": high}, ["low", "high"])
    assert [row.minimumSizeHint().height() for row in rows.rows] == [2 * LEAST]
    high.hide()
    assert rows.rows[0].minimumSizeHint().height() == LEAST


def test_a_card_is_given_the_whole_place_and_returns_to_its_own(page, readings, click, qtbot):
    cards_of_page = page.inspect.all
    cards_of_page.setSizes([300, 400])
    cards_of_page.below.rows[0].setSizes([250, 500, 300])
    QApplication.processEvents()
    before = {card: (card.parentWidget(), card.geometry()) for card in page.inspect.cards}
    assert len(before) > 2
    by_key = [lambda button: qtbot.keyClick(button, Qt.Key.Key_Escape)]
    for card, back in zip([next(iter(before)), list(before)[-1]], [click, *by_key], strict=True):
        button = next(one for key, one in cards_of_page._buttons.items() if cards_of_page._cards[key] is card)
        click(button)
        QApplication.processEvents()
        assert page.inspect.cards == [card]
        assert [one for one in before if one.isVisible()] == [card]
        assert card.height() > 0.9 * cards_of_page.height()
        assert card.width() > 0.9 * cards_of_page.width()
        back(button)
        QApplication.processEvents()
        assert page.inspect.cards == list(before)
        for one, (row, geometry) in before.items():
            assert (one.isVisible(), one.parentWidget()) == (True, row)
            assert one.geometry() == geometry


def test_the_key_enlarges_the_card_with_the_focus_and_a_switched_off_card_gives_the_place_back(page, readings, switch):
    shown = page.inspect.all
    last = page.inspect.cards[-1]
    shown._buttons[shown._shown[-1]].setFocus()
    shown.toggle_enlarged()
    assert page.inspect.cards == [last]
    assert shown._return.isEnabled()
    title = next(
        entry.title for entry in page.inspect.panel.gallery.entries if entry.is_on and entry.title == last.title
    )
    switch(page, title)
    assert not shown.is_enlarged
    assert not shown._return.isEnabled()
    assert len(page.inspect.cards) > 1
