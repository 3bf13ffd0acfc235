"""A right dock keeps the control that a person uses visible when its foot needs more height."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit

from lab.widgets.core.side_panel import SidePanel


@pytest.fixture
def panel(qtbot):
    """A panel whose rows scroll, with a message in its foot that is hidden."""
    panel = SidePanel("Panel")
    qtbot.addWidget(panel)
    panel.fields = [QLineEdit() for _ in range(40)]
    for field in panel.fields:
        panel.rows.addWidget(field)
    panel.message = QLabel("A problem\nof two lines")
    panel.message.hide()
    panel.foot.addWidget(panel.message)
    panel.resize(240, 400)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def last_visible(panel):
    """Return the last field that is completely inside the rows."""
    return [field for field in panel.fields if field.visibleRegion().boundingRect().height() == field.height()][-1]


def show_message(panel, qtbot):
    height = panel._area.viewport().height()
    panel.message.show()
    qtbot.waitUntil(lambda: panel._area.viewport().height() < height)


def test_the_focused_control_stays_visible_when_a_message_appears_below_the_rows(panel, qtbot):
    field = last_visible(panel)
    field.setFocus()
    show_message(panel, qtbot)
    assert field.visibleRegion().boundingRect() == field.rect()


def test_rows_that_a_person_scrolled_to_stay_where_the_focused_control_is_elsewhere(panel, qtbot):
    panel.fields[0].setFocus()
    bar = panel._area.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    show_message(panel, qtbot)
    assert bar.value() == before
