"""The place Data reads the corpus of the draft in the background while it is visible, and reports its problems."""

import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel

from lab.base.jobs import running_jobs
from lab.host import Plugins
from lab.shell.corpus.place import DataPlace
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 20


@pytest.fixture
def revealed():
    return []


@pytest.fixture
def page(plain_window, until, revealed, qtbot):
    plugins = Plugins.from_environment(later=True)
    background = Background(plain_window)
    session = SimpleNamespace(draft=Draft(plugins, plain_window), plugins=plugins, background=background)
    session.draft.apply({"corpus": {"name": "text", "text": TEXT}})
    made = DataPlace(session, revealed.append, lambda: None)
    made.hide()
    plain_window.setCentralWidget(made)
    yield made
    made.hide()
    background.close()


def words(inside):
    return " ".join(one.text() for one in inside.findChildren(QLabel) if one.isVisible())


def test_the_command_and_the_button_of_the_form_open_the_place_without_side_panels(open_window, click, until):
    window = open_window(ready=False)
    window.findChild(QAction, "corpus.look").trigger()
    assert window.place == "data"
    assert window.data.isVisible()
    until(lambda: window.data.width() == window.width())
    until(lambda: window.data.corpus.beginning)
    window.show_place("train")
    assert window.docks.runs.isVisible()
    click(window.draft_panel.show_corpus)
    assert window.place == "data"


@pytest.mark.long
def test_a_command_that_needs_the_list_of_runs_goes_to_train(open_window, saved_run, until):
    saved_run("One")
    window = open_window(size=(1100, 640))
    until(lambda: window.session.registry.runs)
    window.show_place("data")
    window.findChild(QAction, "runs.find").trigger()
    assert window.place == "train"
    assert window.runs_side.open_over


def test_it_reads_the_corpus_of_the_draft_and_names_it(page, until):
    page.show()
    until(lambda: page.corpus.beginning)
    assert page.corpus.beginning == TEXT
    assert f"pasted text · {len(TEXT):,} characters" in words(page)


def test_it_reads_again_when_the_draft_names_another_corpus_while_it_is_visible(page, until):
    page.show()
    until(lambda: page.corpus.beginning)
    page.corpus.draft.apply({"corpus": {"name": "text", "text": "another text altogether"}})
    until(lambda: page.corpus.beginning == "another text altogether")


def test_a_hidden_place_reads_nothing(page, qtbot):
    page.corpus.draft.apply({"corpus": {"name": "text", "text": "another text altogether"}})
    assert not page.corpus._edited.isActive()
    assert not running_jobs()
    assert page.corpus.source is None
    assert not page.corpus.is_reading


def test_an_unreadable_corpus_is_reported_with_a_button_to_its_field(page, until, click, button, revealed):
    page.corpus.draft.apply({"corpus": {"name": "file", "path": "nowhere.txt"}})
    page.show()
    until(lambda: page.corpus.problem)
    assert "corpus.path = nowhere.txt" in words(page)
    click(button(page, "Show field"))
    assert revealed == ["corpus.path"]


def test_an_unreadable_corpus_is_read_again_on_request(page, until, click, button, tmp_path):
    page.corpus.draft.apply({"corpus": {"name": "file", "path": str(tmp_path / "late.txt")}})
    page.show()
    until(lambda: page.corpus.problem)
    (tmp_path / "late.txt").write_text("here at last")
    click(button(page, "Read again"))
    until(lambda: page.corpus.beginning)
    assert "late.txt" in words(page)


def test_reading_is_shown_and_can_be_cancelled(page, until, click, button, monkeypatch):
    go_on = threading.Event()
    read = page.corpus.draft.card
    monkeypatch.setattr(page.corpus.draft, "card", lambda field: Slow(read(field), go_on))
    page.open_tab("tokens")
    page.show()
    assert "Reading the corpus" in words(page)
    click(button(page, "Cancel"))
    go_on.set()
    assert not page.corpus.is_reading
    assert "cancelled" in words(page)
    assert page.corpus.source is None


class Slow:
    """A corpus whose reading waits until the test allows it."""

    def __init__(self, corpus, go_on):
        self.plugin, self._corpus, self._go_on = corpus.plugin, corpus, go_on

    def make(self):
        self._go_on.wait(10)
        return self._corpus.make()


def test_tabs_are_opened_by_clicks_and_arrow_keys(page, qtbot, click, button, until):
    page.show()
    until(lambda: page.corpus.beginning)
    merges = button(page, "Merges")
    click(merges)
    assert merges.isChecked()
    assert not button(page, "Tokens").isChecked()
    qtbot.keyClick(merges, Qt.Key.Key_Left)
    assert button(page, "Tokens").isChecked()


def test_no_plain_key_triggers_a_shortcut_of_the_window(page, plain_window, qtbot, until):
    pressed = []
    action = QAction("start", plain_window)
    action.setShortcut("Space")
    action.triggered.connect(lambda: pressed.append("start"))
    plain_window.addAction(action)
    qtbot.keyClick(plain_window, Qt.Key.Key_Space)
    assert pressed == ["start"]
    page.open_tab("merges")
    page.show()
    page.setFocus()
    qtbot.keyClick(page, Qt.Key.Key_Space)
    assert pressed == ["start"]


def test_every_control_has_a_name_for_screen_readers(page, until):
    page.show()
    until(lambda: page.corpus.beginning)
    for tab in ("tokens", "merges"):
        page.open_tab(tab)
        nameless = [one for one in page.findChildren(QAbstractButton) if one.isVisible() and not one.accessibleName()]
        assert nameless == []


def test_a_source_of_examples_is_named_as_such(page, until):
    page.corpus.draft.apply({"corpus": None}, {"corpus": {"name": "copy"}})
    page.show()
    until(lambda: page.corpus.beginning)
    assert "examples of Copy" in words(page)
    assert "characters" not in page._note.text()
