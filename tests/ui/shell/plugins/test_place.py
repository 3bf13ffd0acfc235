"""The place Plugins: what a person sees of plugins, and enables, disables and adds there."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QLabel, QMainWindow

from lab.base.folders import plugins_folder
from lab.host import Plugins
from lab.shell.plugins.place import PluginsPlace
from lab.widgets.core.controls import Button

FLAT = '''
"""Schedules that stay flat."""
from lab.api import Schedule, hookimpl

@hookimpl
def lab_register_schedules(register):
    register(Schedule(name="flat", title="Always the same", build=print))
'''
FILTER = """
from lab.api import Filter, hookimpl

@hookimpl
def lab_register_filters(register):
    register(Filter(name="none", title="Nothing removed", build=print))
"""


@pytest.fixture
def trusted(plugin):
    """Write a plugin that was enabled before."""

    def trusted(name, code):
        plugin(name, code)
        Plugins().enable(name)

    return trusted


class PluginsPage(QMainWindow):
    """The place without the rest of the window."""

    def __init__(self, session):
        super().__init__()
        self.session, self.plugins = session, PluginsPlace(session, self)
        self.setCentralWidget(self.plugins)
        self.resize(1600, 1000)


@pytest.fixture
def page(open_session, qtbot, until):
    """Open the place alone, which has looked for plugins."""
    pages = []

    def page():
        made = PluginsPage(open_session())
        pages.append(made)
        made.show()
        qtbot.waitActive(made)
        until(lambda: not made.session.background._tasks)
        return made

    yield page
    for made in pages:
        made.close()
        made.deleteLater()


@pytest.fixture
def opened(open_window, until):
    """Open the place in a window that has looked for plugins."""

    def opened(**options):
        window = open_window(**options)
        window.show_place("plugins")
        until(lambda: not window.session.background._tasks)
        return window

    return opened


def state(window, name):
    return next(entry.info.state for entry in window.plugins.model.entries if entry.info.name == name)


def rows(window):
    """Return (title, note) of each row of the list; headings have no note."""
    return [(row.title, row.note) for row in window.plugins.list.rows()]


def shown_text(window):
    labels = window.plugins.card.findChildren(QLabel)
    return "\n".join(one.text() for one in labels if one.isVisible())


def schedules(window):
    """Return the titles of the schedules that the form offers."""
    window.show_place("train")
    box = window.draft_panel.sections.choices["training.schedule"]._box
    return [box.itemText(number) for number in range(box.count())]


def select(window, name):
    window.plugins.list.show_selected("")
    index = next(number for number, row in enumerate(window.plugins.list.rows()) if row.key == name)
    window.plugins.list.setCurrentIndex(window.plugins.list.model().index(index, 0))


@pytest.mark.long
def test_the_keys_open_it_and_no_place_of_the_top_bar_is_marked(window, qtbot):
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_X, modifiers)
    assert window.place == "plugins"
    assert not any(window.top.place_button(key).isChecked() for key in ("home", "train", "compare"))


def test_without_plugins_by_others_it_says_what_they_are_and_lists_the_built_in_ones(page, button):
    window = page()
    assert ("Transformers", "enabled") in rows(window)
    assert "no plugins by others" in shown_text(window)
    assert button(window.plugins.card, "Add a plugin file…").isVisible()


def test_the_keys_select_a_plugin_and_reach_its_buttons(page, qtbot):
    window = page()
    place = window.plugins
    place.list.setFocus(Qt.FocusReason.TabFocusReason)
    assert place.model.selected.info.name == place.list.rows()[1].key  # below the first heading
    assert place.list.selectionModel().isSelected(place.list.currentIndex())
    qtbot.keyClick(place.list, Qt.Key.Key_Down)
    assert place.model.selected.info.name == place.list.rows()[2].key
    for button in (place.add, place.folder, place.details.disable):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        assert window.focusWidget() is button


def test_a_plugin_runs_only_after_its_consent_is_given_and_at_once(page, plugin, button, click, until, tmp_path):
    mark = tmp_path / "it ran"
    plugin("flat", f"{FLAT}\nimport pathlib\npathlib.Path({str(mark)!r}).touch()")
    window = page()
    text = shown_text(window)
    assert "flat.py" in text
    assert "read and delete files" in text
    assert "Schedules that stay flat." in text  # read, not run
    assert not mark.exists()
    click(button(window.plugins.card, "Trust and enable"))
    until(lambda: state(window, "flat") == "on")
    assert mark.exists()
    assert "Schedules (1)" in shown_text(window)
    assert "Always the same (flat)" in shown_text(window)
    assert "read and delete files" not in shown_text(window)
    assert "flat" in window.session.plugins.cards("schedules")


def test_a_disabled_plugin_leaves_the_form_at_once_and_is_off_in_later_starts(opened, trusted, button, click, until):
    trusted("flat", FLAT)
    window = opened()
    assert "Always the same" in schedules(window)
    window.show_place("plugins")
    select(window, "flat")
    click(button(window.plugins.card, "Disable"))
    until(lambda: state(window, "flat") == "off")
    assert "Always the same" not in schedules(window)
    assert next(info.state for info in Plugins().listed() if info.name == "flat") == "off"


def test_a_broken_plugin_is_named_with_its_reason_and_runs_once_it_is_repaired(
    page, plugin, button, click, until, trusted
):
    trusted("flat", "import a_module_that_is_not_there")
    window = page()
    assert ("flat", "failed") in rows(window)
    assert "No module named 'a_module_that_is_not_there'" in shown_text(window)
    assert "lm-lab plugins" not in shown_text(window)
    assert not window.plugins.details._trace.isVisible()
    click(button(window.plugins.card, "Traceback"))
    assert "flat.py" in window.plugins.details._trace.toPlainText()
    assert window.plugins.details._trace.isVisible()
    plugin("flat", FLAT)
    click(button(window.plugins.card, "Try again"))
    until(lambda: state(window, "flat") == "on")
    assert ("flat", "enabled") in rows(window)
    assert not window.plugins.details._trace.isVisible()


def test_a_plugin_for_another_api_says_so(page, trusted):
    trusted("newer", "LAB_API_VERSION = 99")
    window = page()
    assert ("newer", "other API version") in rows(window)
    assert "Update the lab" in shown_text(window)


def test_the_architecture_of_the_draft_can_be_taken_away_and_given_back(page, button, click, until):
    window = page()
    select(window, "lab_transformer")
    click(button(window.plugins.card, "Disable"))
    until(lambda: state(window, "lab_transformer") == "disabled")
    assert window.session.draft.recipe.architecture.name == "transformer"
    with pytest.raises(Exception, match="there is no such architecture"):
        window.session.draft.card("architecture")
    click(button(window.plugins.card, "Enable"))
    until(lambda: state(window, "lab_transformer") == "on")
    assert window.session.draft.card("architecture").card.name == "transformer"


@pytest.mark.long
def test_a_run_goes_on_while_its_plugin_is_disabled(running, button, click, until, grown):
    window = running("training.evaluate_every=5", plugins=Plugins.from_environment(later=True))
    window.show_place("plugins")
    select(window, "lab_transformer")
    click(button(window.plugins.card, "Disable"))
    until(lambda: state(window, "lab_transformer") == "disabled")
    grown(window, 12)
    assert window.session.selected.state == "running"


def test_a_part_of_the_lab_has_no_buttons(page):
    window = page()
    select(window, "lab.text.builtins")
    assert "cannot be disabled here" in shown_text(window)
    assert not window.plugins.details.disable.isVisible()
    assert not window.plugins.details.enable.isVisible()


def test_a_file_is_added_but_not_enabled(page, tmp_path, monkeypatch, click, until):
    file = tmp_path / "flat.py"
    file.write_text(FLAT)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    window = page()
    click(window.plugins.add)
    until(lambda: ("flat", "not enabled") in rows(window))
    assert (plugins_folder() / "flat.py").read_text() == FLAT
    assert window.plugins.model.selected.info.name == "flat"
    assert state(window, "flat") == "off"


def test_a_file_that_cannot_be_added_is_reported(page, tmp_path, plugin, until, reported):
    plugin("flat", FLAT)
    (tmp_path / "flat.py").write_text("")
    window = page()
    window.plugins.add_file(tmp_path / "flat.py")
    until(lambda: any("has a file of this name" in problem.what for problem in reported))


def test_a_file_that_is_put_into_the_folder_appears_when_the_window_gets_active(page, plugin, until):
    window = page()
    plugin("flat", FLAT)
    QCoreApplication.sendEvent(window.plugins, QEvent(QEvent.Type.WindowActivate))
    until(lambda: ("flat", "not enabled") in rows(window))
    assert "flat.py" in shown_text(window)  # it is selected, as there was none by others


def test_the_folders_are_opened(page, plugin, click, button, monkeypatch):
    urls = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    plugin("flat", FLAT)
    window = page()
    click(window.plugins.folder)
    click(button(window.plugins.card, "Show in folder"))
    assert [url.toLocalFile() for url in urls] == [plugins_folder().as_posix()] * 2


@pytest.mark.long
def test_the_help_shows_how_to_write_one(opened, click, until):
    window = opened()
    click(window.plugins.write)
    until(lambda: window.help.isVisible() and window.help._name == "plugins/first-plugin")


def test_filters_of_a_plugin_are_offered_in_play_and_removed_with_it(opened, trusted, button, click, until):
    trusted("nothing", FILTER)
    window = opened()
    filters = window.play_panel.filters
    assert filters.add_button.offers("none")
    filters.add("none")
    select(window, "nothing")
    click(button(window.plugins.card, "Disable"))
    until(lambda: state(window, "nothing") == "off")
    assert "none" not in window.play_panel._draft.filters
    assert not filters.add_button.offers("none")


@pytest.mark.long
def test_the_next_start_opens_it_again(opened, open_window):
    opened().retire()
    assert open_window(place=None, draft=False).place == "plugins"


@pytest.mark.long
def test_in_german_all_of_it_has_room_in_the_smallest_window(german, opened, plugin, trusted):
    trusted("broken", '"""A plugin."""\nimport a_module_that_is_not_there')
    plugin("flat", FLAT)
    window = opened(size=(1100, 640))
    for name in ("broken", "flat", "lab_transformer"):
        select(window, name)
        QCoreApplication.processEvents()
        controls = [one for one in window.plugins.findChildren(Button) if one.isVisible()]
        assert len(controls) >= 4
        assert all(one.width() >= one.sizeHint().width() for one in controls)
        assert window.plugins.details.horizontalScrollBar().maximum() == 0
    assert (window.width(), window.height()) == (1100, 640)
