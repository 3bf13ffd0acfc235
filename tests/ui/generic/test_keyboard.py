"""Whoever works without a mouse sees where the focus is, in every place and theme."""

import pytest
from checks import stops_in, unseen_focus, unseen_focus_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPushButton, QSplitter, QWidget
from resting import settle
from sights import Scene, make_run, of_overlays

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.actions.palette import CommandPalette
from lab.shell.actions.shortcuts_page import ShortcutsPage
from lab.shell.help.page import HelpPage
from lab.shell.window.close_dialog import ClosingPanel
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import themes
from lab.widgets.figures.table import DataTable


@pytest.fixture
def scene():
    """Open a window with a run in its list, and close it at the end."""
    made = Scene()
    made.be_ready()
    make_run("rope", curves=True)
    made.list_runs()
    yield made
    made.close()


@pytest.fixture
def full_scene(scene):
    """Show the curves and the readings of the run, too."""
    scene.select("rope")
    scene.look()
    return scene


OTHERS = ("light", "contrast")
THEMES = ("dark", *OTHERS)
PLACES = ("home", "data", "train", "inspect", "play", "compare", "learn", "plugins", "settings")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("theme", "places"),
    [("dark", ("data", "train", "play")), *(pytest.param(theme, PLACES, marks=pytest.mark.long) for theme in THEMES)],
    ids=["dark in some places", *THEMES],
)
def test_the_focus_is_visible_on_every_kind_of_control(full_scene, theme, places):
    themes.choose(theme)
    lines = []
    for place in places:
        full_scene.place(place)
        lines += [f"{place}: {line}" for line in unseen_focus(full_scene.window)]
    assert lines == []


def test_every_border_between_cards_can_be_reached_and_moved(full_scene):
    window = full_scene.window
    for place in ("train", "inspect", "play"):
        full_scene.place(place)
        shown = [one for one in window.findChildren(QSplitter) if one.isVisible() and one.widget(0) is not None]
        handles = [one.handle(number) for one in shown for number in range(1, one.count())]
        seen = [handle for handle in handles if handle.isVisible()]
        assert seen, place
        assert set(seen) <= set(stops_in(window)), place


@pytest.mark.long
def test_the_border_and_the_columns_of_the_log_can_be_reached_and_moved(scene):
    window, log = scene.window, scene.window.log
    notify("info", Problem("the text was read"))
    window.show_log(True)
    settle(lambda: log.tree.isVisible())
    assert {log.border, log.tree.header()} <= set(stops_in(window))
    height, width = log.height(), log.tree.columnWidth(0)
    QTest.keyClick(log.border, Qt.Key.Key_Up)
    settle(lambda: log.height() > height)
    QTest.keyClick(log.border, Qt.Key.Key_Down)
    settle(lambda: log.height() == height)
    QTest.keyClick(log.tree.header(), Qt.Key.Key_Plus)
    assert log.tree.columnWidth(0) > width


def checked_overlays(window, checked):
    """Report unseen focus in the overlays that are open, those of each class once, and of the overlays themselves."""
    lines = []
    for overlay in window.findChildren(Overlay):
        if overlay.isVisible() and type(overlay) not in checked:
            checked.add(type(overlay))
            focused = window.focusWidget()
            lines += [*unseen_focus(window, overlay), *unseen_focus_of(window, overlay)]
            assert overlay.isVisible(), overlay
            if focused is not None:
                focused.setFocus()
    return lines


@pytest.mark.long  # in short: in every overlay of the window
@pytest.mark.timeout(300)
@pytest.mark.parametrize("theme", THEMES)
def test_the_focus_is_visible_in_an_overlay(scene, theme):
    themes.choose(theme)
    scene.place("train")
    scene.window.runs_controller.toggle_table()
    settle()
    table = scene.window.runs_controller.table
    assert any(stop.isVisible() for stop in stops_in(scene.window) if table.isAncestorOf(stop) and stop is not table)
    assert checked_overlays(scene.window, set()) == []


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("theme", ["dark", *OTHERS])
def test_the_focus_is_visible_in_every_overlay_of_the_window(full_scene, theme):
    themes.choose(theme)
    checked, lines = set(), []
    for name, _ in of_overlays(full_scene):
        lines += [f"{name}: {line}" for line in checked_overlays(full_scene.window, checked)]
    assert lines == []
    assert {HelpPage, CommandPalette, ShortcutsPage, DataTable, ClosingPanel} <= checked


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_focus_is_visible_in_the_list_of_runs_that_lies_over_a_small_window(scene):
    scene.place("train")
    scene.window.runs_controller.find()
    settle()
    assert scene.window.runs_controller.side.open_over
    assert unseen_focus(scene.window, scene.window.runs) == []


@pytest.mark.long
def test_an_overlay_without_a_visible_focus_is_found(scene):
    overlay = scene.window.shortcuts
    overlay.toggle()
    settle()
    assert unseen_focus_of(scene.window, overlay) == []
    overlay.setStyleSheet("QFrame#flat, QFrame#flat:focus { border: none; }")
    overlay.setObjectName("flat")
    overlay.style().polish(overlay)
    assert any("shows no focus of its own" in line for line in unseen_focus_of(scene.window, overlay))


def test_a_control_without_a_visible_focus_is_found(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    window.centralWidget().setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    window.resize(400, 200)
    window.show()
    qtbot.waitActive(window)
    style = "QPushButton, QPushButton:focus {{ border: 3px solid #333333; background: #333333; }} {}"
    for words, more in (("hidden focus", ""), ("shown focus", "QPushButton:focus { border-color: #ffffff; }")):
        button = QPushButton(words, window.centralWidget())
        button.setStyleSheet(style.format(more))
        button.show()
        found = unseen_focus(window)
        assert any(words in line for line in found) == (words == "hidden focus")
        button.setParent(None)
        button.deleteLater()
