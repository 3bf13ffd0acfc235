"""The stepper learns merges from the corpus, and shows a passage after any number of them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QLabel

from lab.host import Plugins
from lab.shell.corpus.merges_tab import MergesTab
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.draft import Draft

TEXT = "low low low low low lower lower newest newest newest newest newest newest widest widest widest\n" * 20


@pytest.fixture
def corpus(qtbot):
    background = Background()
    draft = Draft(Plugins.from_environment(later=True), background)
    draft.apply({"corpus": {"name": "text", "text": TEXT}})
    yield DraftCorpus(draft, background, background)
    background.close()


@pytest.fixture
def opened(corpus, qtbot):
    made = MergesTab(corpus, corpus.parent())
    qtbot.addWidget(made)
    made.resize(1300, 600)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def tab(opened, corpus, until):
    corpus.watch(True)
    until(lambda: opened._merges is not None)
    return opened


def labels(tab):
    return [token.label for token in tab.view._tokens]


def words(tab):
    return " ".join(one.text() for one in tab.findChildren(QLabel) if one.isVisible())


def test_before_any_merge_every_byte_is_a_token(tab):
    assert "".join(labels(tab)[:8]) == "low␣low␣"
    assert all(len(label) == 1 for label in labels(tab))
    assert "vocabulary 256" in words(tab)
    assert "1.000 per byte" in words(tab)


def test_a_step_merges_the_most_frequent_pair_and_marks_it_in_list_and_passage(tab, click):
    click(tab.step)
    merge = tab._merges.steps[0]
    new = tab._merges.label(merge.token)
    assert tab.list.view.currentIndex().row() == 0
    assert tab.view._marked == {place for place, label in enumerate(labels(tab)) if label == new}
    assert tab.view._marked
    assert f"→ {new}   {merge.count} times in the corpus" in words(tab)
    assert "vocabulary 257" in words(tab)


def test_back_undoes_a_step(tab, click):
    before = labels(tab)
    click(tab.step)
    assert len(labels(tab)) < len(before)
    click(tab.back)
    assert labels(tab) == before
    assert not tab.back.isEnabled()


def test_arrows_step_through_the_merges(tab, qtbot):
    tab.slider.setFocus()
    qtbot.keyClick(tab.slider, Qt.Key.Key_Right)
    qtbot.keyClick(tab.slider, Qt.Key.Key_Right)
    assert tab.card.title == "After 2 merges"
    qtbot.keyClick(tab.slider, Qt.Key.Key_Left)
    assert tab.card.title == "After 1 merge"
    qtbot.keyClick(tab.slider, Qt.Key.Key_End)
    assert tab.slider.value() == len(tab._merges.steps)
    assert not tab.step.isEnabled()


def test_a_click_in_the_list_goes_to_a_merge(tab, qtbot):
    index = tab.list.view.model().index(3, 0)
    qtbot.mouseClick(tab.list.view.viewport(), Qt.MouseButton.LeftButton, pos=tab.list.view.visualRect(index).center())
    assert tab.card.title == "After 4 merges"


def test_the_space_bar_plays_and_pauses(tab, qtbot, until):
    tab._take_speed("50")
    tab.slider.setFocus()
    qtbot.keyClick(tab.slider, Qt.Key.Key_Space)
    assert tab.play.text() == "Pause"
    until(lambda: tab.slider.value() >= 3)
    qtbot.keyClick(tab.slider, Qt.Key.Key_Space)
    made = tab.slider.value()
    assert not tab._playing.isActive()
    assert tab.slider.value() == made
    assert tab.play.text() == "Play merges"


def test_the_space_bar_on_the_slider_starts_no_run(window, qtbot, until):
    window.session.draft.apply({"corpus": {"name": "text", "text": TEXT}})
    window.data.open_tab("merges")
    window.show_place("data")
    tab = window.data.findChild(MergesTab)
    until(lambda: tab._merges is not None)
    tab.slider.setFocus()
    until(tab.slider.hasFocus)
    qtbot.keyClick(tab.slider, Qt.Key.Key_Space)
    assert tab._playing.isActive()
    assert window.session.selected is None
    qtbot.keyClick(tab.slider, Qt.Key.Key_Space)
    assert not tab._playing.isActive()


def test_no_shortcut_of_a_window_takes_the_space_bar_from_the_slider(tab, qtbot):
    taken = []
    QShortcut(Qt.Key.Key_Space, tab).activated.connect(lambda: taken.append(True))
    tab.slider.setFocus()
    qtbot.keyClick(tab.slider, Qt.Key.Key_Space)
    assert tab._playing.isActive()
    assert taken == []


def test_playing_stops_when_the_tab_is_hidden(tab, click):
    click(tab.play)
    tab.hide()
    assert not tab._playing.isActive()


def test_learning_shows_its_progress_and_cancel_keeps_the_learned_merges(opened, corpus, until, click, monkeypatch):
    monkeypatch.setattr("lab.shell.corpus.merges_tab.POLL", 1)
    corpus.draft.apply({"corpus": {"name": "text", "text": " ".join(f"{n:x}{n * n:x}" for n in range(60_000))}})
    opened.count.show_value("10000")
    corpus.watch(True)
    until(lambda: opened._progress.value() > 5)
    click(opened._cancel)
    until(lambda: not opened._learning_row.isVisible())
    assert 0 < len(opened._merges.steps) < 10_000
    assert f"{len(opened._merges.steps):,} learned" in opened.list_card.note


def test_merges_are_learned_again_from_another_corpus(tab, corpus, until):
    corpus.draft.apply({"corpus": {"name": "text", "text": "abab abab abab"}})
    until(lambda: labels(tab)[:4] == ["a", "b", "a", "b"])
    assert tab._merges.steps[0].count == 6


def test_another_number_of_merges_is_learned_when_selected(tab, until):
    next(one for one in tab.count._menu.actions() if one.data() == "100").trigger()
    until(lambda: tab._learning is None)
    assert len(tab._merges.steps) <= 100


def test_a_corpus_without_pairs_shows_a_message(opened, corpus, until):
    corpus.draft.apply({"corpus": {"name": "text", "text": "a b"}})
    corpus.watch(True)
    until(lambda: "No merges were learned" in words(opened))


def test_a_corpus_without_text_has_no_merges_and_says_so(tab, corpus, until):
    corpus.draft.apply({"corpus": {"name": "points"}})
    until(lambda: corpus.lacks_text)
    until(lambda: "no text, so there are no merges" in tab.card._other.shown_text[0])
    assert not tab.play.isEnabled()
