"""The place Play: writing before, beside and after a training, and what comes next."""

import pytest
from PySide6.QtCore import Qt

from lab.widgets.theme import themes


@pytest.fixture
def play(window):
    """The place, open, with a prompt of the vocabulary."""
    window.show_place("play")
    window.play.prompt.setPlainText("the ")
    return window.play


def write(play, until, click, count=8):
    """Click Generate and wait for some tokens."""
    click(play.generate_button)
    until(lambda: len(play._tokens) >= count)


def test_before_any_training_the_untrained_model_writes(play, until, click):
    write(play, until, click)
    assert "untrained" in play.text_card._note.whole
    assert play.text.text().startswith("the ")


def test_before_any_training_the_next_token_is_nearly_anything(play, until):
    until(lambda: play.next_card.state == "content" and len(play._next._rows) > 5)
    assert play._next._rows[0][1] < 0.5


def test_writing_ends_by_itself_after_the_wanted_tokens(play, until, click):
    play._panel._edit_amount("tokens", 12)
    write(play, until, click, 12)
    until(lambda: not play.writing)
    assert len(play._tokens) == 12
    assert play.generate_button.text() == "Generate"


def test_the_same_seed_writes_the_same_text(play, until, click):
    play._panel._edit_amount("tokens", 12)
    texts = []
    for _ in range(2):
        write(play, until, click, 12)
        until(lambda: not play.writing)
        texts.append(play.text.text())
    assert texts[0] == texts[1]


def test_stop_keeps_the_text(play, until, click):
    play._panel._edit_amount("tokens", 100_000)
    write(play, until, click, 5)
    click(play.generate_button)
    assert not play.writing
    kept = play.text.text()
    assert len(kept) >= len("the ") + 5
    assert kept == play.text.text()


def test_escape_stops_too_and_control_return_begins(window, play, until, qtbot):
    play._panel._edit_amount("tokens", 100_000)
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until(lambda: len(play._tokens) > 3)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not play.writing


def test_generating_anew_right_after_a_stop_never_mixes_two_texts(play, until, click):
    play._panel._edit_amount("tokens", 100_000)
    for _ in range(5):
        write(play, until, click, 2)
        click(play.generate_button)
    assert play.text.text() == "the " + "".join(token.text for token in play._tokens)


def test_writing_beside_a_training_leaves_it_running(running, until, click, grown):
    window = running()
    window.show_place("play")
    window.play.prompt.setPlainText("the ")
    write(window.play, until, click, 20)
    assert window.session.state == "running"
    grown(window)


def test_writing_goes_on_when_the_run_ends_meanwhile(open_window, until, click):
    window = open_window("training.steps=150")
    click(window.top.start)
    until(lambda: window.session.state == "running")
    window.show_place("play")
    window.play.prompt.setPlainText("the ")
    window.play._panel._edit_amount("tokens", 400)
    click(window.play.generate_button)
    until(lambda: window.session.state == "finished")
    until(lambda: not window.play.writing)
    assert len(window.play._tokens) == 400


def test_a_prompt_with_characters_that_the_vocabulary_lacks_is_named_at_the_prompt(play, click, until):
    play.prompt.setPlainText("the Ж")
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    assert "Ж" in play._problem.text()
    assert play.prompt.property("state") == "bad"
    assert not play.writing
    play.prompt.setPlainText("the ")
    until(lambda: not play._problem.isVisible())
    assert play.prompt.property("state") == ""


def test_an_empty_prompt_is_named_at_the_prompt(play, click, until):
    play.prompt.setPlainText("")
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    assert "prompt" in play._problem.text()
    assert play.prompt.property("state") == "bad"


def test_an_invalid_setting_of_the_sampler_is_named_and_nothing_is_written(window, play, qtbot, click):
    field = window.play_panel._form._knobs["temperature"].control
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "-2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    click(play.generate_button)
    assert not play.writing
    assert "temperature" in play._problem.text()


def test_a_setting_between_fields_that_the_sampler_refuses_breaks_nothing(window, play, click, until, qtbot):
    for sampler in range(window.play_panel._samplers.count()):
        window.play_panel._samplers.setCurrentIndex(sampler)
        play._panel._edit_amount("tokens", 3)
        click(play.generate_button)
        until(lambda: not play.writing)
        assert len(play._tokens) >= 1, window.play_panel._samplers.currentText()


def test_a_click_on_a_token_shows_what_else_could_have_come(play, until, click, qtbot):
    play._panel._edit_amount("tokens", 12)
    write(play, until, click, 12)
    until(lambda: not play.writing)
    place = play.text._places_of(3)[0].center().toPoint()
    qtbot.mouseClick(play.text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert play.next_card._note.whole == "at token 4"
    assert play._next._rows[0][0] == play._tokens[3].alternatives[0][0]


def test_a_click_on_a_next_token_puts_it_behind_the_prompt(play, until):
    until(lambda: play.next_card.state == "content" and len(play._next._rows) > 5)
    first = play._next._rows[0][0]
    play._next.chosen.emit(first)
    assert play.prompt.toPlainText() == "the " + first


def test_after_a_training_the_saved_model_writes(open_window, until, click):
    window = open_window("training.steps=60")
    click(window.top.start)
    until(lambda: window.session.state == "finished")
    window.show_place("play")
    window.play.prompt.setPlainText("the ")
    write(window.play, until, click)
    assert "step 60" in window.play.text_card._note.whole


def test_a_corpus_that_is_not_there_is_told_in_play_too(window, until, tmp_path):
    window.session.open_paths([str(tmp_path / "gone.txt")])
    window.show_place("play")
    window.play.prompt.setPlainText("the cat")
    until(lambda: "corpus.path" in window.play._problem.text() and window.play._problem.isVisible())


def test_another_theme_while_it_writes_changes_no_text(play, until, click):
    play._panel._edit_amount("tokens", 60)
    write(play, until, click, 3)
    themes.choose("light")
    until(lambda: not play.writing)
    assert play.text.text() == "the " + "".join(token.text for token in play._tokens)
