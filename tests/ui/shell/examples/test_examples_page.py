"""The page of worked examples: list, inputs, steps, the lecture's figures, and the way to the graph."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from lab.shell.examples.page import FIRST, WorkedExamplesPage
from lab.shell.runtime.background import Background


@pytest.fixture
def page(qtbot, until):
    background = Background()
    made = WorkedExamplesPage(background)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    until(lambda: made._computed is not None)
    yield made
    background.close()


def text(page):
    return page.steps.toPlainText()


def keys(page):
    return [row.key for row in page.list.rows() if row.key]


def type_into(page, name, value):
    field = page.fields.field(name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, value)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_all_examples_stand_under_their_topics_and_search_finds_words(page):
    assert len(keys(page)) == 89
    assert len([row for row in page.list.rows() if not row.key]) == 10
    page.search.setText("softmax overflow")
    assert keys(page) == ["softmax-overflow"]
    page.search.setText("nothing at all")
    assert keys(page) == []


def test_an_example_shows_formula_numbers_value_and_the_lecture_s_error(page):
    assert page.shown.name == FIRST
    shown = text(page)
    assert "W1 @ x + b1" in shown
    assert "(0.1, 0.2; 0.3, 0.4; 0.5, 0.6) @ (0.5, 0.2)" in shown
    assert "1.12333" in shown
    assert "1.1223 ✗ wrong 1.1233" in shown
    assert page._note.text() == page.shown.note


def test_steps_come_one_by_one_and_all_at_once(page, click):
    while page.back.isEnabled():
        click(page.back)
    assert "W1 @ x" not in text(page)
    click(page.step)
    assert "W1 @ x" in text(page)
    assert "relu" not in text(page)
    click(page.all)
    assert "log(p)" in text(page)
    assert not page.step.isEnabled()


def test_edited_inputs_change_every_step_and_can_be_put_back(page, until, click):
    type_into(page, "y", "1")
    until(lambda: "0.393331" in text(page))
    assert "wrong" not in text(page)
    click(page.reset)
    until(lambda: "1.1223 ✗" in text(page))
    assert page.fields.field("y").text() == "0"


@pytest.mark.parametrize("value", ["", "x +", "[1, 2", "os.system('x')"])
def test_what_cannot_be_read_is_marked_at_its_field(page, value):
    type_into(page, "x", value or " ")
    assert page.fields.field("x").property("state") == "bad"
    assert page.fields._problem.isVisible()
    assert "1.12333" in text(page)


def test_what_cannot_be_computed_is_said(page, until):
    type_into(page, "x", "[1, 2, 3]")
    until(lambda: page.fields._problem.isVisible())
    assert "shapes" in page.fields._problem.text()


def test_the_lab_s_own_part_is_compared(page, until, click):
    click(page.part)
    until(lambda: "The lab computes the same" in text(page))
    assert "architecture mlp" in text(page)


def test_the_graph_is_requested_with_the_inputs(page, qtbot, click):
    with qtbot.waitSignal(page.graph_requested) as signal:
        click(page.graph)
    program, inputs = signal.args
    assert program == page.shown.graph
    assert inputs["x"].tolist() == [0.5, 0.2]


def test_python_is_copied(page, click):
    click(page.python)
    assert "z1 = W1 @ x + b1" in QGuiApplication.clipboard().text()


def test_a_page_to_print_is_saved(page, tmp_path):
    page.save_page(str(tmp_path / "page.html"))
    assert "1.1223" in (tmp_path / "page.html").read_text(encoding="utf-8")
    page.save_page(str(tmp_path / "no folder" / "page.html"))
    assert page.fields._problem.isVisible()


@pytest.mark.parametrize(
    "name", ["letters-in-strings", "decoding-movie", "mask-6x6", "fluffy-blue-creature", "sinusoid-repeat"]
)
def test_texts_matrices_and_searches_are_shown(page, until, name):
    page.show_example(name)
    until(lambda: page._computed is not None and page._computed.example.name == name)
    assert all(step.label in text(page) for step in page.shown.steps)
