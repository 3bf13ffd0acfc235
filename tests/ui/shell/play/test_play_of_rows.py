"""The place Play with models that learn from rows: a source, a text with classes, or no text at all."""

import pytest
from PySide6.QtCore import Qt

PAIRS = ("corpus.name=reversal", "corpus.rows=60", "architecture.name=encoder-decoder", "architecture.layers=1",
         "objective.name=sequence-to-sequence", "training.context_length=32")  # fmt: skip
LABELS = ("corpus.name=polarity", "corpus.rows=60", "objective.name=classification", "tokenizer.name=word",
          "training.context_length=64")  # fmt: skip
WORDS = ("corpus.name=parts-of-speech", *LABELS[1:])
VECTORS = ("corpus.name=points", "objective.name=classification", "tokenizer.name=none")


@pytest.fixture
def open_play(open_page):
    """Open the place with the untrained model of a recipe."""
    return lambda assignments: open_page("play", *assignments).play


def test_a_source_is_offered_from_the_validation_rows_and_its_target_is_written_after_it(open_play, until, click):
    play = open_play(PAIRS)
    until(lambda: play.next_card.state == "content")
    source = play.prompt.toPlainText()
    assert source == play._model_provider.current("play")[0].default_prompt()
    assert play.prompt.accessibleName() == "Source"
    assert play._use.isVisible()
    assert play.next_card.tokens._note == "after the source"
    play._panel._edit_length("tokens", 5)
    click(play.generate_button)
    until(lambda: play.model.tokens and not play.writing)
    assert play.text.text().startswith(f"{source} → ")


def test_a_token_after_a_source_is_no_continuation_of_the_source(open_play, until, click, qtbot):
    play = open_play(PAIRS)
    until(lambda: play.next_card.state == "content")
    source = play.prompt.toPlainText()
    qtbot.mouseClick(play.next_card.tokens, Qt.MouseButton.LeftButton, pos=play.next_card.tokens._rect(0).center())
    qtbot.keyClick(play.next_card.tokens, Qt.Key.Key_Return)
    play._panel._edit_length("tokens", 3)
    click(play.generate_button)
    until(lambda: play.model.tokens and not play.writing)
    qtbot.mouseClick(play.next_card.tokens, Qt.MouseButton.LeftButton, pos=play.next_card.tokens._rect(0).center())
    assert play.prompt.toPlainText() == source


def test_a_classifier_shows_the_classes_of_the_text_as_bars_and_writes_nothing(open_play, until, qtbot):
    play = open_play(LABELS)
    until(lambda: play.next_card.state == "content")
    assert play.next_card.classes.isVisible()
    rows = [
        play.next_card.classes.list.model().index(row, 0)
        for row in range(play.next_card.classes.list.model().rowCount())
    ]
    assert len(rows) == 2
    assert not play.generate_button.isEnabled()
    play.generate()
    assert not play.busy
    assert "class" in play._use.text()
    play.prompt.setPlainText("the " * 65)
    until(lambda: play._problem.isVisible())
    assert play.next_card.state == "empty"
    play.prompt.setPlainText("the")
    until(lambda: play.next_card.state == "content" and not play._problem.isVisible())


def test_a_classifier_of_words_shows_the_likeliest_class_of_each_word(open_play, until):
    play = open_play(WORDS)
    until(lambda: play.next_card.state == "content")
    assert play.next_card.classes.list.model().rowCount() == len(play.prompt.toPlainText().split())


def test_a_model_of_numbers_says_that_it_reads_no_text(open_play, until):
    play = open_play(VECTORS)
    until(lambda: play._use.isVisible())
    assert "reads numbers, and no text" in play._use.text()
    assert not play.prompt.isEnabled()
    assert not play.generate_button.isEnabled()
    assert play.next_card.state == "empty"
    assert not play._problem.isVisible()


def test_another_model_that_writes_can_be_asked_again(open_page, until, small):
    page = open_page("play", *VECTORS)
    until(lambda: page.play._use.isVisible())
    assert page.session.draft.take(small(), "small") is None
    page.play.predict_next()
    until(lambda: page.play.generate_button.isEnabled())
    assert page.play.prompt.isEnabled()
    assert not page.play._use.isVisible()
