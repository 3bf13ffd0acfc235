"""Whoever works without a mouse sees where the focus is, in every place and theme."""

import pytest
from checks import stops_in, unseen_focus
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QPushButton, QWidget
from sights import Scene, make_run

from lab.widgets.core.theme import themes


@pytest.fixture
def scene():
    """Open a window with a run, and close it at the end."""
    made = Scene()
    made.be_ready()
    make_run("rope", curves=True)
    made.list_runs()
    made.select("rope")
    made.look()
    yield made
    made.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.long), "contrast"])
def test_the_focus_is_visible_on_every_kind_of_control_and_in_an_overlay(scene, theme):
    themes.choose(theme)
    lines = []
    for place in ("home", "data", "train", "inspect", "play"):
        scene.place(place)
        lines += [f"{place}: {line}" for line in unseen_focus(scene.window)]
    assert lines == []
    scene.place("train")
    scene.window.runs_controller.toggle_table()
    scene.look()
    table = scene.window.runs_controller.table
    assert any(stop.isVisible() for stop in stops_in(scene.window) if table.isAncestorOf(stop) and stop is not table)
    assert unseen_focus(scene.window, table) == []
    assert table.isVisible()


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
