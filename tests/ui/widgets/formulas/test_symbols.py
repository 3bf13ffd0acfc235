"""The symbols of formulas: where they are in the picture, and that pointing at one marks it in all of a page."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.controls import Button
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.formulas.explanation import FormulaPanel, FormulaSection, SymbolLink
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import typeset_picture
from lab.widgets.formulas.typesetting import typeset
from lab.widgets.formulas.view import FormulaView


@pytest.mark.parametrize(
    ("latex", "letters"),
    [
        (r"\alpha + \frac{x_1}{\beta}", ["α", "x", "β"]),
        (r"\mathrm{softmax}(Q K^\top / \sqrt{d})", ["Q", "K", "d"]),
        (r"\hat{v} = \mathbf{W} v", ["v", "W", "v"]),
        (r"\max(1, 2)", []),
        (r"\Delta w", ["Δ", "w"]),
    ],
)
def test_letters_of_quantities_are_symbols_and_words_and_numerals_are_none(latex, letters):
    assert sorted(one.letter for one in typeset(latex, "#000000").symbols) == sorted(letters)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("x_height", [None, 6.0])
def test_the_ink_of_a_symbol_is_inside_its_rectangle(scale, x_height):
    made = typeset("I = g", "#000000", scale, x_height=x_height)
    ink = made.picture[..., 3] > 32
    covered = np.zeros_like(ink)
    for one in made.symbols:
        rows = slice(max(0, int(one.top) - 1), int(one.bottom) + 2)
        columns = slice(max(0, int(one.left) - 1), int(one.right) + 2)
        assert ink[round(one.top) : round(one.bottom), round(one.left) : round(one.right)].any(axis=1).mean() > 0.8, one
        covered[rows, columns] = True
    first, last = (one.left for one in made.symbols)
    rest = np.flatnonzero((ink & ~covered).any(axis=0))
    assert len(rest) > 0
    assert first < rest[0] < rest[-1] < last  # only the sign between the letters is left


@pytest.fixture
def page(qtbot):
    """Two formulas and a slider that share their marks."""
    page = QWidget()
    page.marks = SymbolMarks(page)
    page.first, page.second = (FormulaView(latex, latex, page.marks) for latex in (r"y = \alpha\,x", r"\alpha^2"))
    page.slider = LabelledSlider("alpha", 0, 1, 0.5, symbol="α")
    page.slider.follow(page.marks)
    rows = QVBoxLayout(page)
    for view in (page.first, page.second):
        view.show_picture(typeset_picture(view.latex, "#000000", 1.0), 400)
        view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        rows.addWidget(view)
    rows.addWidget(page.slider)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitActive(page)
    return page


def centre(view, letter):
    area = next(area for symbol, area in view._picture.symbols if symbol == letter)
    return area.center().toPoint()


def test_pointing_at_a_symbol_marks_it_in_the_other_formula_and_its_slider(page, qtbot):
    plain = page.second.pixmap().toImage()
    QTest.mouseMove(page.first, centre(page.first, "α"))
    qtbot.waitUntil(lambda: page.marks.symbol == "α")
    assert page.second.pixmap().toImage() != plain
    assert page.slider.is_marked
    assert page.second.accessibleDescription() == "marked: α"
    QTest.mouseMove(page.first, centre(page.first, "x"))
    qtbot.waitUntil(lambda: page.marks.symbol == "x")
    assert page.second.pixmap().toImage() == plain
    assert not page.slider.is_marked


def test_keys_point_at_one_symbol_after_the_other_and_copy_the_latex(page):
    page.first.setFocus()
    found = []
    for _ in range(4):
        QTest.keyClick(page.first, Qt.Key.Key_Right)
        found.append(page.marks.symbol)
    assert found == ["y", "α", "x", "y"]
    QTest.keyClick(page.first, Qt.Key.Key_Left)
    assert page.marks.symbol == "x"
    QTest.keyClick(page.first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == r"y = \alpha\,x"
    page.second.setFocus()
    assert page.marks.symbol == ""


def test_nothing_is_pointed_at_beside_the_symbols(page):
    assert page.first._picture.symbol_at(QPointF(-50, -50)) == ""
    assert page.first._picture.symbol_at(QPointF(centre(page.first, "x"))) == "x"


def test_pointing_at_a_symbol_in_a_panel_marks_what_it_is_linked_to(qtbot):
    window = QWidget()
    window.resize(700, 500)
    button = Button("equations", parent=window)
    qtbot.addWidget(window)
    window.show()
    marked = []
    links = {"W_1": SymbolLink("name", "hint", lambda: None, marked.append)}
    section = FormulaSection([r"W_1 x"], {"W_1": "weights", "x": "input"}, links)
    panel = FormulaPanel(button, "name", "title", 400, sections=[section])
    panel.show_over(panel)
    panel.show_pictures([typeset_picture(latex, "#000000", 1.0) for latex in panel.latex])
    panel.marks.point("W")
    panel.marks.point("x")
    assert marked == [True, False]
    panel.marks.point("W")
    panel.shut()
    assert marked == [True, False, True, False]
