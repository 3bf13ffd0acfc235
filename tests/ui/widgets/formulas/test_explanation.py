"""The "?" of a card: it opens what the card shows, how to read it, an example and the formula."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from lab.api import Explanation
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.formulas.explanation import ExplanationPanel, explain
from lab.widgets.formulas.picture import FormulaPicture

ATTENTION = Explanation(
    shows="How much of each earlier token every position takes in",
    how="Rows are the tokens that read, columns those that are read.",
    example="A line below the diagonal reads the previous token.",
    formula=r"\mathrm{softmax}(QK^\top)",
    symbols={"Q": "the queries", "K": "the keys"},
    parts={"K": "key"},
    question="attention",
)


@pytest.fixture
def page(qtbot):
    """A window with a card, to the explanation of which a button and the pictures of its formula belong."""
    page = QWidget()
    page.card, page.requests, page.parts = Card("Attention"), [], []
    page.button = explain(page.card, ATTENTION, lambda *request: page.requests.append(request), page.parts.append)
    QVBoxLayout(page).addWidget(page.card)
    page.resize(700, 500)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    return page


def opened(page):
    return [panel for panel in page.findChildren(ExplanationPanel) if panel.isVisible()]


def texts(widget):
    return [one.text() for one in widget.findChildren(QLabel) if one.isVisible()]


def test_what_a_card_shows_stands_below_its_title(page):
    assert ATTENTION.shows in texts(page.card)


def test_the_button_opens_the_explanation_inside_the_window(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    (panel,) = opened(page)
    for text in (ATTENTION.shows + ".", ATTENTION.how, ATTENTION.example, ATTENTION.formula):
        assert text in texts(panel)
    assert page.rect().contains(panel.geometry())


def test_no_text_of_it_is_cut_off(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    (panel,) = opened(page)
    for text in panel.findChildren(QLabel):
        assert text.height() >= text.heightForWidth(text.width()), text.text()


def test_each_symbol_of_the_formula_stands_beside_its_meaning(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    (panel,) = opened(page)
    assert {"Q", "the queries", "K", "the keys"} <= set(texts(panel))
    assert [symbol.accessibleName() for symbol in panel.symbols] == ["Q", "K"]


def test_the_typeset_formula_replaces_its_latex(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    ((formulas, _, _, show),) = page.requests
    assert formulas == [ATTENTION.formula, "Q", "K"]
    sizes = QImage(2000, 40, QImage.Format.Format_RGBA8888), QImage(9, 12, QImage.Format.Format_RGBA8888), QImage()
    show([FormulaPicture(image) for image in sizes])
    (panel,) = opened(page)
    assert ATTENTION.formula not in texts(panel)
    assert [not symbol.pixmap().isNull() for symbol in panel.symbols] == [True, False]  # the other cannot be typeset
    assert 0 < panel.formulas[0].pixmap().width() < panel.width()
    assert panel.formulas[0].height() >= panel.formulas[0].pixmap().height() > 0
    assert panel.rect().contains(panel.formulas[0].geometry())


def test_escape_closes_it_and_gives_the_focus_back(page, qtbot):
    page.button.setFocus()
    qtbot.keyClick(page.button, Qt.Key.Key_Return)
    (panel,) = opened(page)
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert opened(page) == []
    assert page.button.hasFocus()


def test_a_second_click_or_another_focus_closes_it(page, qtbot):
    for _ in range(2):
        qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    assert opened(page) == []
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    page.button.setFocus()
    assert opened(page) == []


def test_it_closes_with_its_card(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    page.card.hide()
    assert opened(page) == []


def test_a_symbol_is_linked_to_its_part_of_the_model(page, qtbot):
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    (panel,) = opened(page)
    assert list(panel.links) == ["K"]  # no part is given for the other
    qtbot.mouseClick(panel.links["K"], Qt.MouseButton.LeftButton)
    assert page.parts == ["key"]
    assert opened(page) == []


def test_a_link_is_reached_and_opened_with_the_keyboard(page, qtbot):
    qtbot.keyClick(page.button, Qt.Key.Key_Return)
    (panel,) = opened(page)
    qtbot.keyClick(panel, Qt.Key.Key_Tab)
    assert panel.links["K"].hasFocus()
    assert opened(page) == [panel]
    qtbot.keyClick(panel.links["K"], Qt.Key.Key_Return)
    assert page.parts == ["key"]


def test_it_closes_when_the_focus_goes_from_a_link_to_elsewhere(page, qtbot):
    qtbot.keyClick(page.button, Qt.Key.Key_Return)
    (panel,) = opened(page)
    panel.links["K"].setFocus()
    page.button.setFocus()
    assert opened(page) == []


def test_nothing_is_linked_where_no_drawing_can_be_shown(page, qtbot):
    explain(page.card, ATTENTION)
    qtbot.mouseClick(page.card.findChildren(type(page.button))[-1], Qt.MouseButton.LeftButton)
    (panel,) = opened(page)
    assert panel.links == {}


@pytest.mark.parametrize(("shows", "texts"), [(None, ["show ›"]), ([].append, ["show ›", "equations of this part ›"])])
def test_the_equations_are_offered_only_where_there_are_any(page, shows, texts):
    panel = ExplanationPanel(page.button, "Attention", ATTENTION, page.parts.append, shows)
    assert [one.text() for one in panel.findChildren(Button)] == texts


def test_the_equations_are_asked_for_with_the_parts_of_the_card(page, qtbot):
    asked = []
    panel = ExplanationPanel(page.button, "Attention", ATTENTION, page.parts.append, asked.append)
    panel.show_over(panel)
    qtbot.mouseClick(panel.findChildren(Button)[-1], Qt.MouseButton.LeftButton)
    assert asked == [["key"]]
    assert not opened(page)
