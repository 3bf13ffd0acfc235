"""A part that is selected in the drawing of the model marks the settings that shape it in the form."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QScrollArea

from lab.widgets.core.theme import themes
from lab.widgets.forms.row_parts import MARK
from lab.widgets.forms.rows import Knob

MARKED = "It shapes the selected part of the model."


@pytest.fixture
def window(open_window, until):
    """A window that shows the drawing of the tiny transformer's model with its settings."""
    window = open_window(size=(1366, 768))
    window.train.show_model()
    drawing = window.train.model.drawing
    until(lambda: drawing.structure is not None and drawing.structure.settings is not None, timeout=60_000)
    return window


def marked(window):
    """Return the names of the marked rows that are shown."""
    rows = window.draft_panel.findChildren(Knob)
    return {row.setting.name for row in rows if row.is_marked and row.isVisible()}


def select(window, name):
    diagram = window.train.model.area.diagram
    diagram.reveal(next(part.path for part in diagram.tree.walk() if part.name == name))


def row_of(window, name):
    return next(row for row in window.draft_panel.findChildren(Knob) if row.setting.name == name)


def test_settings_of_the_selected_part_have_a_mark_and_a_description_in_sight_and_groups_that_this_opens_close_again(
    window, until, qtbot
):
    groups, diagram = window.draft_panel.groups.groups, window.train.model.area.diagram
    before = {key for key, group in groups.items() if group.is_open}
    assert not marked(window)
    panel = window.draft_panel
    area = panel.findChild(QScrollArea)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    focused = window.focusWidget()
    select(window, "attention")
    rows = [row for row in panel.findChildren(Knob) if row.is_marked and row.isVisible()]
    first = min(rows, key=lambda row: row.mapTo(panel, QPoint(0, 0)).y())
    seen = area.viewport()
    until(lambda: seen.rect().contains(first.mapTo(seen, first.rect().center())))
    assert window.focusWidget() is focused  # that of the drawing
    until(lambda: "heads" in marked(window))
    shaping = {path.rpartition(".")[2] for path in window.train.model.side.links}
    assert marked(window) == shaping
    window.train.show_charts()
    assert not marked(window)
    window.train.show_model()
    until(lambda: "heads" in marked(window))
    select(window, "feed-forward")
    until(lambda: "heads" not in marked(window))
    assert "width" in marked(window)
    select(window, "attention")
    until(lambda: "heads" in marked(window))
    assert {key for key, group in groups.items() if group.is_open} > before
    row = row_of(window, "heads")
    until(lambda: row.height() > MARK)
    assert row.control.accessibleDescription() == f"{MARKED} {row.setting.help}"
    assert row.grab().toImage().pixelColor(MARK // 2, row.height() // 2) == QColor(themes.now.accent)
    qtbot.keyClick(diagram, Qt.Key.Key_Escape)
    assert diagram.selected == ""
    assert not marked(window)
    assert row.control.accessibleDescription() == row.setting.help
    assert row.grab().toImage().pixelColor(MARK // 2, row.height() // 2) != QColor(themes.now.accent)
    assert not {key for key, group in groups.items() if group.is_open} - before


@pytest.mark.long
def test_a_setting_inside_the_config_of_a_mixer_is_marked(open_window, until):
    window = open_window("architecture.name=hybrid", "architecture.width=32", "architecture.attention.heads=4")
    window.train.show_model()
    drawing = window.train.model.drawing
    until(lambda: drawing.structure is not None and drawing.structure.settings is not None, timeout=60_000)
    select(window, "attention")
    until(lambda: "attention.heads" in marked(window))
