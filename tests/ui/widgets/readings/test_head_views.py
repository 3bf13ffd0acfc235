"""The heads of all blocks as a grid, and what a head reads as lines between tokens."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.api import Reading
from lab.widgets.core.card import Card
from lab.widgets.core.theme import themes
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.script import script_of
from lab.widgets.figures.view import ExportButton
from lab.widgets.readings.heads import HeadsView

TEXT = tuple("KING: I have")
T = len(TEXT)
LAYERS, HEADS = 3, 4


def attention(layer):
    """(H, T, T) shares: head h of a layer reads the token h + layer before, and the first at the start."""
    weights = np.full((HEADS, T, T), 0.0, np.float32)
    for head in range(HEADS):
        for row in range(T):
            weights[head, row, max(0, row - head - layer)] = 1
    return weights


@pytest.fixture
def heads(qtbot):
    """The heads of three blocks in a card."""
    view, card = HeadsView(), Card("Attention")
    qtbot.addWidget(card)
    card.set_content(view)
    for option in view.options:
        card.add_control(option)
    card.resize(1000, 600)
    view.show_readings(
        [Reading("attention", ("head", "query", "key"), attention(layer), layer) for layer in range(LAYERS)], TEXT
    )
    with qtbot.waitExposed(card):
        card.show()
    cards = [card]
    yield view
    cards.clear()


def test_heads_are_named_by_their_reading_or_numbered(heads):
    assert heads.strip.heads.names == ("head 1", "head 2", "head 3", "head 4")
    named = Reading(
        "mixing", ("head", "query", "key"), attention(0)[:2], 0, coordinates={"head": ("mean", "mean size")}
    )
    heads.show_readings([named], TEXT)
    assert heads.strip.heads.names == ("mean", "mean size")
    heads.strip.picked.emit(1)
    assert heads.title.full_text.startswith("block 1 · mean size")


def choose(view, words):
    """Choose an entry of one of the menus of a view."""
    menus = [option.menu() for option in view.options if option.menu() is not None]
    next(action for menu in menus for action in menu.actions() if action.text() == words).trigger()


@pytest.fixture
def grid(heads):
    """Return the grid of all heads."""
    choose(heads, "heads of all blocks")
    return heads.grid


@pytest.fixture
def links(heads):
    """Return the lines of one head."""
    choose(heads, "lines")
    return heads.lines.links


def test_the_grid_has_a_row_for_each_block_and_a_column_for_each_head(grid, heads):
    assert grid.isVisible()
    assert not heads.strip.isVisible()
    assert [len(maps) for maps in grid.heads.maps] == [HEADS] * LAYERS
    assert list(grid.heads.rows) == ["block 1", "block 2", "block 3"]


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_each_map_of_the_grid_is_drawn_from_its_own_head(grid, mode):
    themes.choose(mode)
    image = grid.heads.grab().toImage()
    seen = set()
    for row in range(LAYERS):
        for head in range(HEADS):
            part = image.copy(grid.heads.rect_of(row, head).adjusted(2, 2, -2, -2).toRect())
            seen.add(bytes(part.constBits()))
    assert len(seen) == len({head + row for row in range(LAYERS) for head in range(HEADS)})


def test_a_click_in_the_grid_makes_that_head_of_that_block_large(grid, heads, qtbot):
    qtbot.mouseClick(grid.heads, Qt.MouseButton.LeftButton, pos=grid.heads.rect_of(2, 1).center().toPoint())
    assert heads.title.full_text.startswith("block 3 · head 2")
    assert heads.map.text_at(8, 5).endswith("1 share")
    assert "head 2 of block 3" in grid.accessibleName()


def test_the_arrow_keys_go_through_blocks_and_heads(grid, heads, qtbot):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(grid.heads, key)
    assert heads.title.full_text.startswith("block 1 · head 3")


def test_a_grid_larger_than_its_room_scrolls_in_it(grid, heads, qtbot):
    heads.window().resize(330, 260)
    assert grid.heads.minimumHeight() > 0
    assert grid.geometry().right() < heads.map.geometry().left()


def test_one_block_alone_offers_no_grid(heads):
    assert heads._blocks.isVisible()
    heads.show_readings([Reading("attention", ("head", "query", "key"), attention(0), 0)], TEXT)
    assert not heads._blocks.isVisible()


def test_every_weight_is_a_line_as_strong_as_it_is(links, heads):
    assert links.isVisible()
    assert not heads.map.isVisible()
    assert sorted(links.lines) == [(row, row, 1.0) for row in range(T)]


def test_the_mouse_at_a_token_that_reads_shows_its_lines_alone(links, qtbot):
    qtbot.mouseMove(links, links.rect_of(("row", 5)).center().toPoint())
    assert links.lines == [(5, 5, 1.0)]


def test_the_mouse_at_a_token_that_is_read_shows_who_reads_it(links, heads, qtbot):
    heads.strip.heads.picked.emit(2)
    qtbot.mouseMove(links, links.rect_of(("column", 0)).center().toPoint())
    assert sorted(links.lines) == [(0, 0, 1.0), (1, 0, 1.0), (2, 0, 1.0)]


def test_a_click_keeps_the_lines_of_a_token_and_follows_it_until_the_next_click(links, heads, qtbot):
    place = links.rect_of(("row", 7)).center().toPoint()
    qtbot.mouseClick(links, Qt.MouseButton.LeftButton, pos=place)
    links._hover(None)
    assert links.lines == [(7, 7, 1.0)]
    assert heads.map.selection[0] == 7
    assert heads.followed.full_text.startswith("“␣” 8 reads")
    qtbot.mouseClick(links, Qt.MouseButton.LeftButton, pos=place)
    links._hover(None)
    assert len(links.lines) == T


def test_a_click_on_a_token_of_the_text_shows_its_lines(links, heads, qtbot):
    place = heads.text.tokens.rects[4].center().toPoint()
    qtbot.mouseClick(heads.text.tokens, Qt.MouseButton.LeftButton, pos=place)
    assert links.pinned == ("row", 4)


def test_the_arrow_keys_follow_one_token_after_the_other_and_escape_shows_all(links, qtbot):
    links.setFocus()
    for _ in range(3):
        qtbot.keyClick(links, Qt.Key.Key_Down)
    assert links.pinned == ("row", 2)
    qtbot.keyClick(links, Qt.Key.Key_Escape)
    assert len(links.lines) == T


def test_weights_below_zero_have_a_colour_of_their_own(links):
    links.set_links(np.array([[1.0, -1.0]], np.float32), ("a",), ("b", "c"), names=("reads", "read"), unit="", high=1.0)
    assert links.lines == [(0, 0, 1.0), (0, 1, -1.0)]
    assert links._ink(1.0, themes.now) != links._ink(-1.0, themes.now)


def test_the_export_matches_the_view(links, heads):
    (button,) = (option for option in heads.options if isinstance(option, ExportButton) and option.isVisible())
    figure = button.view.exported().figure
    compile(script_of(figure), "script", "exec")
    assert figure.draw().axes
    rows = list(csv.reader(io.StringIO(csv_of(figure))))
    assert rows[3][1:5] == ["0", "0", "1", "nan"]
    assert "block 1 · head 1" in figure.title
    choose(heads, "map")
    (button,) = (option for option in heads.options if isinstance(option, ExportButton) and option.isVisible())
    assert button.view is heads.map


def test_a_choice_applies_to_the_pinned_view_too(links, heads, qtbot):
    other = HeadsView()
    qtbot.addWidget(other)
    other.show_readings(
        [Reading("attention", ("head", "query", "key"), attention(layer), layer) for layer in range(LAYERS)], TEXT
    )
    links.pin(("row", 3))
    choose(heads, "heads of all blocks")
    other.choose_as(heads)
    assert (other._blocks.value, other._shape.value) == ("all", "lines")
    assert other.lines.links.pinned == ("row", 3)
