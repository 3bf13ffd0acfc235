"""The title row of a card: what is shortened first where there is no room for all of it."""

import pytest
from PySide6.QtCore import QPoint

from lab.widgets.core.card import Card, term_tips
from lab.widgets.core.controls import Button
from lab.widgets.core.theme import themes

NOTE = "a run with a long name · step 1,234"


@pytest.fixture
def card(qtbot):
    made = Card("Length generalisation")
    qtbot.addWidget(made)
    made.set_title(made.title, NOTE)
    made.add_control(Button("during training"))
    return made


def shown(card, width):
    card.resize(width, 100)
    card.grab()
    return card._title._label.text(), card._note._label.text()


def test_title_and_note_are_complete_if_there_is_room(card):
    assert shown(card, 700) == (card.title, NOTE)


def test_the_note_is_elided_before_the_title(card):
    for width in (500, 490):
        title, note = shown(card, width)
        assert title == card.title
        assert note != NOTE
        assert NOTE in card._note.toolTip()
        assert card.findChild(Button).x() - card._note.geometry().right() < 16  # it has all the room that is left


@pytest.mark.parametrize(("title", "size"), [("Routing", 100), ("Nächstes Token", 200)])
def test_a_short_title_is_complete_in_a_narrow_card(card, title, size):
    themes.change(type_size=size)
    card.set_title(title, NOTE)
    assert shown(card, card.minimumSizeHint().width())[0] == title


def test_a_note_without_room_stands_before_the_sentence_below_the_title(card):
    card.set_caption("What it shows")
    assert shown(card, 700) == (card.title, NOTE)
    assert card._caption_line.full_text == "What it shows"
    assert shown(card, 440) == (card.title, "")
    assert card._caption_line.full_text == f"{NOTE} · What it shows"
    card.set_title(card.title, "step 1")
    assert shown(card, 440) == (card.title, "step 1")
    assert card._caption_line.full_text == "What it shows"


def test_the_sentence_below_the_title_takes_a_second_line_before_it_is_cut(card):
    sentence = "How widely and how far back each attention head reads"
    card.set_title(card.title)
    card.set_caption(sentence)
    shown(card, 700)
    line, height = card._caption_line, card._caption_line.height()
    assert line._label.text() == sentence
    shown(card, 260)
    assert line._label.text().replace("\n", " ") == sentence
    assert line.height() > 1.5 * height
    assert line.toolTip() == ""
    card.set_caption(f"{sentence}, and how much of that it needs to predict the next token of the text")
    shown(card, 260)
    assert line._label.text().count("\n") == 1
    assert line._label.text().endswith("…")
    assert sentence in line.toolTip()
    themes.change(type_size=200)
    assert "\n" not in line._label.text()


def test_a_note_without_readable_room_stands_below_the_title_also_without_a_sentence(card):
    assert shown(card, 400) == (card.title, "")
    assert card._caption_line.isVisibleTo(card)
    assert card._caption_line._label.text() == NOTE
    card.set_title(card.title, "step 2")
    assert shown(card, 400) == (card.title, "step 2")
    assert not card._caption_line.isVisibleTo(card)


def test_a_note_can_have_a_tool_tip_that_explains_it(card):
    card.set_title(card.title, "75 % clipped", "Of the last 100 steps")
    assert "Of the last 100 steps" in card._note.toolTip()


def test_a_note_below_the_title_leaves_its_room_to_the_title(card):
    card.set_title("Gradient norm", NOTE)
    needed = card._title.sizeHint().width() + card.findChild(Button).sizeHint().width()
    free = 12 + 8 + 3 * card.head.spacing()
    assert shown(card, needed + free) == ("Gradient norm", "")


def test_a_term_of_a_caption_is_explained_where_the_mouse_is(card, monkeypatch):
    caption = "The mean surprise of the model at a token, and how much of that it needs for the next token of the text"
    asked = []
    monkeypatch.setattr(term_tips, "explain", lambda text, position: asked.append((text, position)) or "Meaning")
    card.set_caption(caption)
    shown(card, 400)
    line = card._caption_line
    first, second = line._label.text().split("\n")
    letter = line._metrics.horizontalAdvance(first[: first.index("surprise") + 2])
    assert line.term_at(QPoint(letter, 4)) == "Meaning"
    assert line.term_at(QPoint(2, line._label.height() - 4)) == "Meaning"
    texts = {text for text, _ in asked}
    assert texts == {f"{first} {second}"}
    assert [text[position:].split()[0] for text, position in asked] == ["rprise", second.split()[0]]
    assert line.term_at(QPoint(4000, 4)) == ""
    monkeypatch.setattr(term_tips, "explain", None)
    assert line.term_at(QPoint(letter, 4)) == ""
