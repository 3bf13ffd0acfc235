"""The profile in the window: selected in Settings, announced once, and what it changes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from lab.base.system import profile
from lab.base.system.profile import FULL, LIGHT, Machine
from lab.recipes import LIGHT_QUICK_START, quick_start_name
from lab.shell.home.model import LARGE_TEXT, recipe_for_text
from lab.shell.settings.profile import announcement
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.theme import themes
from lab.widgets.readings.base import Line
from lab.workbench.doctor import checkup


@pytest.fixture
def poor(monkeypatch):
    """Start the lab on a poor machine."""
    monkeypatch.setattr(profile, "this_machine", lambda: Machine(4 * 10**9, 2))
    monkeypatch.setattr(profile._Current, "profile", None)


@pytest.fixture
def effects(qapp):
    """Let the system have effects, as the offscreen platform has none."""
    before, themes._effects = themes._effects, dict.fromkeys(themes._effects, True)
    yield lambda: QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    themes._effects = before
    themes.follow_profile()


def place_of(window):
    return window._places["settings"]


def sentences(window):
    return " ".join(line.full_text for line in place_of(window).findChildren(Line))


def test_a_poor_machine_gets_the_light_profile_and_is_told_once_where_to_change_it(poor, open_window, click, button):
    window = open_window(place="home")
    (toast,) = window.toasts.toasts
    assert "4.0 GB of memory" in toast.text.accessibleName()
    assert "light profile" in window.home._machine.full_text
    click(button(toast, "Settings"))
    assert window.place == "settings"
    assert "The light profile is used, as this machine has 4.0 GB of memory." in sentences(window)
    assert announcement() == ""


def test_slow_cores_make_the_profile_light_as_soon_as_they_are_measured(open_window, until, monkeypatch):
    monkeypatch.setattr("lab.shell.home.machine.core_seconds", lambda: 0.05)
    window = open_window(place="home")
    until(lambda: profile.now() is LIGHT)
    assert "light profile" in window.home._machine.full_text
    (toast,) = window.toasts.toasts
    assert "slow cores" in toast.text.accessibleName()
    window.show_place("settings")
    assert "The light profile is used, as this machine has slow cores." in sentences(window)


def test_in_settings_and_in_the_menu_another_profile_is_selected_and_used_at_once(window, qtbot, effects):
    window.show_place("settings")
    box = place_of(window).profile
    assert (box.currentText(), profile.now()) == ("Automatic profile", FULL)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (box.currentText(), profile.now(), effects()) == ("Light profile", LIGHT, False)
    assert "You selected it." in sentences(window)
    full = next(one for one in window.commands.all() if one.command.key == "profile.full")
    full.trigger()
    window.commands.refresh()
    assert (box.currentText(), profile.now(), effects()) == ("Full profile", FULL, True)


@pytest.mark.long
def test_the_check_of_the_machine_opens_from_settings_and_the_palette_has_it(window, click, button, until, monkeypatch):
    monkeypatch.setattr("lab.shell.doctor.page.examine", lambda subject, started: iter(()))
    window.show_place("settings")
    click(button(place_of(window), "Check this machine…"))
    until(window.doctor.again.isVisible)
    window.doctor.shut()
    assert checkup.CHECKS
    assert "help.doctor" in {action.command.key for action in window.commands.all()}


@pytest.fixture
def light(monkeypatch):
    monkeypatch.setattr(profile._Current, "profile", LIGHT)


class View:
    def __init__(self):
        self.drawn = 0

    def draw(self):
        self.drawn += 1

    def isVisible(self):
        return True


@pytest.mark.parametrize(("used", "busy", "draws"), [(FULL, True, 10), (LIGHT, True, 2), (LIGHT, False, 10)])
def test_a_chart_is_drawn_as_often_as_the_profile_allows(monkeypatch, used, busy, draws):
    monkeypatch.setattr(profile._Current, "profile", used)
    monkeypatch.setattr("lab.widgets.core.drawing.isValid", lambda view: True)
    clock = [0.0]
    drawing, view = Drawing(clock=lambda: clock[0]), View()
    drawing.busy = busy
    for tick in range(1000):
        clock[0] = 1 + tick / 1000
        drawing.changed(view)
        drawing.draw_next()
    drawing._timer.stop()
    assert view.drawn == draws


def test_the_quick_start_and_the_models_for_texts_are_smaller(light, open_session):
    assert quick_start_name() == LIGHT_QUICK_START
    small = recipe_for_text(LARGE_TEXT)
    session = open_session(ready=False)
    assert session.draft.original_name == "small"
    profile._Current.profile = replace(FULL)
    large = recipe_for_text(LARGE_TEXT)
    assert small.architecture.settings["width"] < large.architecture.settings["width"]
