"""Whoever works without a mouse sees where the focus is, in every place and theme."""

import pytest
from checks import stops_in, unseen_focus
from PySide6.QtWidgets import QPushButton
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
def test_the_focus_is_visible_on_every_kind_of_control(scene, theme):
    themes.choose(theme)
    lines = []
    for place in ("home", "data", "train", "inspect", "play", "compare", "plugins", "settings"):
        scene.place(place)
        lines += [f"{place}: {line}" for line in unseen_focus(scene.window)]
    assert lines == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.long), "contrast"])
def test_the_focus_is_visible_in_an_overlay(scene, theme):
    themes.choose(theme)
    scene.place("train")
    scene.window.runs_controller.toggle_table()
    scene.look()
    table = scene.window.runs_controller.table
    assert any(stop.isVisible() for stop in stops_in(scene.window) if table.isAncestorOf(stop) and stop is not table)
    assert unseen_focus(scene.window, table) == []
    assert table.isVisible()


def test_a_control_without_a_visible_focus_is_found(scene):
    button = QPushButton("hidden focus", scene.window)
    button.setStyleSheet("QPushButton, QPushButton:focus { border: none; background: #333333; }")
    button.show()
    assert any("hidden focus" in line for line in unseen_focus(scene.window))
