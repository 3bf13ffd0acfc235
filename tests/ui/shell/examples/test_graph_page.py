"""The page of the computation graph: typed, drawn, and walked forward and backward."""

import threading
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QGuiApplication

from lab.recipes import shipped
from lab.shell.examples.graph.layout import columns_of, laid_out
from lab.shell.examples.graph.page import OF_RUN, PRESETS, GraphPage
from lab.shell.examples.graph.walk import Mode, Walk
from lab.worked import Graph

PRODUCT = "v3 = x1 + x2\nv4 = v3·x1\nv4^2"
VALUES = {"x1": 2, "x2": 3}
SMALL = {"architecture": {"widths": [3]}, "training": {"steps": 3, "sample_tokens": 0, "device": "cpu"}}


@pytest.fixture
def session(open_session):
    return open_session()


@pytest.fixture
def page(qtbot, session):
    made = GraphPage(session.registry, session.plugins, session.background)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    made.show_program(PRODUCT, VALUES)
    return made


def test_the_walk_steps_backward_with_formula_and_numbers(page, click):
    lines = []
    while page.step.isEnabled():
        click(page.step)
        lines.append(page.walk.current.line)
    assert lines[2:] == ["v̄3 += v̄4·x1 = 20·2 = 40", "x̄1 += v̄4·v3 = 20·5 = 100", "x̄1 += v̄3 = 40 → 140", "x̄2 += v̄3 = 40"]
    _, derivatives = page.walk.numbers()
    assert derivatives[page.walk.graph.names["x1"]] == "x̄1 = 140"
    click(page.back)
    _, derivatives = page.walk.numbers()
    assert page.walk.graph.names["x2"] not in derivatives


def test_values_come_one_by_one_after_going_back_to_the_start(page, click):
    click(page.restart)
    assert page.walk.position == 0
    values, _ = page.walk.numbers()
    assert set(values) == {node.number for node in page.walk.graph.inputs}
    click(page.step)
    assert page.walk.current.line == "v3 = x1 + x2 = 2 + 3 = 5"


def test_forward_mode_follows_a_direction(page):
    page.mode.pick("forward")
    assert page.direction.isVisible()
    page._finish()
    assert page.walk.stages[-1].value == "140"
    page.direction.pick("x2|")
    page._finish()
    assert page.walk.stages[-1].value == "40"


def test_operations_of_both_modes_are_counted(page):
    assert page._counts.text().startswith("Operations: 3 for the value.")


def test_arguments_stand_to_the_left_of_what_uses_them():
    for key, preset in PRESETS.items():
        graph = Graph(*preset)
        columns = columns_of(graph)
        for node in graph.nodes:
            assert all(columns[parent] < columns[node.number] for parent in node.parents if parent in columns), key
        places = list(laid_out(graph, lambda _: 100.0, 60.0).places.values())
        for at, one in enumerate(places):
            for other in places[:at]:
                apart = one.x >= other.x + other.width or other.x >= one.x + one.width
                assert apart or one.y >= other.y + other.height or other.y >= one.y + one.height, key


@pytest.mark.parametrize("key", PRESETS)
def test_each_example_can_be_walked_to_its_end(page, key):
    page.show_preset(key)
    assert not page._problem.isVisible(), page._problem.text()
    page._finish()
    assert page.walk.mode is Mode.REVERSE
    inputs = {node.number for node in page.walk.graph.inputs}
    assert inputs <= set(page.walk.numbers()[1])
    assert page.area.view.grab().width() > 100


@pytest.mark.parametrize("text", ["", "1 +", "f(x)", "x = x", "a b", "(" * 100, "__import__('os')"])
def test_what_cannot_be_read_is_said_and_nothing_is_drawn(page, text):
    page.show_program(text, {})
    assert page._problem.isVisible()
    assert page.walk is None
    assert not page.step.isEnabled()


def test_values_without_a_derivative_are_shown_with_the_reason(page):
    page.show_program("sort(x)[0]", {"x": [1, 2]})
    assert "has no derivative" in page._problem.text()
    assert page.walk.mode is Mode.VALUES


def test_shapes_that_do_not_fit_are_said(page):
    page.show_program("a + b", {"a": [1, 2], "b": [1, 2, 3]})
    assert "shapes" in page._problem.text()


def test_a_new_name_gets_a_field_and_an_edit_computes_again(page, until):
    page.field.setPlainText("x1·y")
    until(lambda: page.walk is not None and "y" in page.walk.graph.names)
    assert page.fields.field("y").text() == "1"
    assert page.walk.stages[0].value == "2"
    page.fields.field("y").setText("5")
    page.fields.read()
    assert page.walk.stages[0].value == "10"


def test_a_click_on_a_step_goes_there(page):
    page.list.picked.emit(len(page.walk.stages))
    assert page.walk.position == len(page.walk.stages)


def test_python_is_copied(page, click):
    click(page.python)
    assert "v4 = v3 * x1" in QGuiApplication.clipboard().text()


def test_a_result_that_needs_no_input_is_walked():
    walk = Walk(Graph("exp(0) + 1", {}), Mode.REVERSE)
    walk.finish()
    assert walk.stages[-1].is_derivative


def test_the_next_training_step_of_the_selected_run_is_drawn_and_walked_backward(page, session, until):
    page.show_preset("run")
    assert "Select a run" in page._problem.text()
    run = session.registry.start(shipped("network-xor-hidden").with_values(SMALL))
    until(lambda: not run.works)
    session.registry.select(run.key)
    page.show_preset("run")
    until(lambda: "W2" in page.field.toPlainText())
    assert page._problem.text() == ""
    assert page.walk.graph.result.name == "loss"
    assert page.walk.graph["X"].shape == (4, 2)
    page.finish.click()
    nodes = {page.walk.graph.nodes[stage.node].name for stage in page.walk.done if stage.is_derivative}
    assert {"W1", "b1", "W2", "b2"} <= nodes


def test_a_step_that_is_read_late_does_not_take_the_place_of_another_program(page, session, until):
    goes_on = threading.Event()

    def read(_job):
        goes_on.wait(10)
        return SimpleNamespace(program="late = x1", inputs={"x1": 1})

    session.background.run("Reading", read, page._show_step, replaces=OF_RUN)
    page.show_program(PRODUCT, VALUES)
    goes_on.set()
    until(lambda: not session.background._tasks)
    assert page.field.toPlainText() == PRODUCT


def test_a_run_that_cannot_be_drawn_says_why(page, session, until):
    run = session.registry.start(
        shipped("network-xor-hidden").with_values(SMALL).with_values({"architecture": {"norm": "layer"}})
    )
    until(lambda: not run.works)
    session.registry.select(run.key)
    page.show_preset("run")
    until(lambda: "cannot be written as expressions" in page._problem.text())
