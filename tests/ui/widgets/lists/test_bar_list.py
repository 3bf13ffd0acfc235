"""Bars are rows under the names of their columns, and each row has a description in words."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from lab.widgets.core.theme import themes
from lab.widgets.lists.bar_list import Bar, BarList


@pytest.fixture
def bars(qtbot):
    made = BarList("Letters")
    qtbot.addWidget(made)
    made.resize(320, 200)
    rows = [Bar(name, share, (f"{share:.2f}",), f"{name}: {share}") for name, share in (("e", 1.0), ("x", 0.25))]
    made.set_bars(("letter", "share"), rows)
    with qtbot.waitExposed(made):
        made.show()
    return made


def inked(bars, row):
    """Count the pixels of a row that have the colour of data, in its middle."""
    place = bars.list.visualRect(bars.list.model().index(row, 0))
    image = bars.list.viewport().grab().toImage()
    ink = QColor(themes.now.runs[0])
    return sum(image.pixelColor(x, place.center().y()) == ink for x in range(image.width()))


def test_bars_are_as_long_as_their_shares(bars):
    assert inked(bars, 0) == pytest.approx(4 * inked(bars, 1), rel=0.05)
    assert inked(bars, 0) > 100


def test_rows_have_accessible_texts_and_are_reached_by_keys(bars, qtbot):
    reported = [bars.list.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)]
    assert reported == ["e: 1.0", "x: 0.25"]
    bars.list.setFocus()
    bars.list.setCurrentIndex(bars.list.model().index(0, 0))
    qtbot.keyClick(bars.list, Qt.Key.Key_Down)
    assert bars.list.currentIndex().row() == 1


def test_the_list_can_fit_the_height_of_its_rows(bars):
    bars.fit(2)
    assert not bars.list.verticalScrollBar().isVisible()
    last = bars.list.visualRect(bars.list.model().index(1, 0))
    assert bars.list.viewport().rect().contains(last)


def test_only_complete_rows_are_shown_at_any_height(bars):
    for height in range(100, 120):
        bars.resize(320, height)
        assert bars.list.viewport().height() % 20 == 0
        assert bars.list.y() == 18


def test_the_header_is_painted_after_the_tab_order_changed(qtbot):
    area, inside, bars, gone = QScrollArea(), QWidget(), BarList("Letters"), QPushButton()
    rows = QVBoxLayout(inside)
    rows.addWidget(bars)
    rows.addWidget(gone)
    area.setWidget(inside)
    qtbot.addWidget(area)
    bars.set_bars(("letter",), [Bar("e", 1.0, (), "e")])
    area.show()
    widget = area.nextInFocusChain()
    while widget is not area:
        widget = widget.nextInFocusChain()
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # PySide6 lets go of what Qt made behind it
    image = bars._head.grab().toImage()
    assert len({image.pixel(x, y) for x in range(40) for y in range(18)}) > 1
