"""The menu of presets in Play's panel."""

import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.shell.play.filter_list import FilterList
from lab.shell.play.panel import PlayPanel
from lab.workbench.texts.presets import own_presets


@pytest.fixture
def panel(qtbot, lab_home):
    """The panel alone."""
    plugins = Plugins(safe_mode=True)
    made = PlayPanel(plugins, FilterList(plugins))
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def choose(panel, text):
    """Choose an entry of the menu."""
    panel.presets.menu.aboutToShow.emit()
    (action,) = (one for one in panel.presets.menu.actions() if one.text() == text)
    action.trigger()


def save(panel, qtbot, name):
    choose(panel, "Save as…")
    assert panel.presets.name.hasFocus()
    qtbot.keyClicks(panel.presets.name, name)
    qtbot.keyClick(panel.presets.name, Qt.Key.Key_Return)


def test_a_chosen_preset_fills_the_panel_and_its_name_stays_until_something_is_changed(panel, qtbot):
    with qtbot.waitSignal(panel.changed):
        choose(panel, "nucleus 0.9")
    assert [one.name for one in panel.options()["decoding"].filters] == ["top-p"]
    assert panel.presets.button.full_text == "Preset: nucleus 0.9"
    panel.filters._edit("top-p", "p", 0.5)
    assert panel.presets.button.full_text == "Preset: own choice"
    choose(panel, "greedy")
    assert panel._strategies.currentData() == "greedy"


def test_the_present_choice_is_saved_renamed_and_deleted(panel, qtbot):
    panel.filters._edit("top-k", "k", 7)
    save(panel, qtbot, "seven")
    assert panel.presets.button.full_text == "Preset: seven"
    assert not panel.presets.row.isVisible()
    choose(panel, "greedy")
    choose(panel, "seven")
    assert panel.options()["decoding"].filters[1].settings["k"] == 7
    choose(panel, "Rename “seven”…")
    panel.presets.name.setText("sieben")
    panel.presets.accept.click()
    assert list(own_presets()) == ["sieben"]
    choose(panel, "Delete “sieben”")
    assert own_presets() == {}
    assert panel.presets.button.full_text == "Preset: own choice"


def test_a_refused_name_is_explained_and_can_be_corrected(panel, qtbot):
    panel.filters._edit("top-k", "k", 7)
    save(panel, qtbot, "greedy")
    assert "built-in" in panel.presets._problem.text()
    assert panel.presets.row.isVisible()
    qtbot.keyClicks(panel.presets.name, " 7")
    qtbot.keyClick(panel.presets.name, Qt.Key.Key_Return)
    assert list(own_presets()) == ["greedy 7"]
    assert not panel.presets._problem.isVisible()
