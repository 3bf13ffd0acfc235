"""The place Compare: the shown runs, or a way to show runs that compare."""

import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.shell.compare.place import MOST_OFFERED, ComparePlace
from lab.widgets.core.controls import Button
from lab.widgets.core.drawing import Drawing


class Trained:
    """Counts how often Train is asked for."""

    count = 0

    def __call__(self):
        self.count += 1


@pytest.fixture
def place(registry, evaluator, qtbot):
    """The place alone, without runs."""
    background, plugins = registry._background, Plugins(safe_mode=True)
    made = ComparePlace(registry, Drawing(registry), evaluator, Trained(), background, plugins, lambda: None)
    qtbot.addWidget(made)
    made.resize(1000, 560)
    with qtbot.waitExposed(made):
        made.show()
    return made


def names(place):
    """Return the names of the runs in the table."""
    table = place.page._table
    return [table.item(row, 0).text() for row in range(table.rowCount())]


def text_of(place):
    """Return the message of the empty card, and the text of its button."""
    return place.card._other.shown_text


def test_without_a_second_run_the_button_leads_to_train(place, registry, saved_run, click, button, until):
    assert "no second run" in text_of(place)[0]
    registry.open(saved_run("One"))
    until(lambda: "no second run" in text_of(place)[0])
    click(button(place, "Train another run"))
    assert place._train.count == 1


def test_the_runs_that_compare_are_named_and_one_button_shows_them(place, registry, saved_run, click, button, until):
    one, two = (registry.open(saved_run(name)) for name in ("One", "Two"))
    registry.show_only([one.key])
    registry.show(two.key, False)
    until(lambda: place.card.state == "empty" and "One" in text_of(place)[0])
    assert "These can be shown: Two, One." in text_of(place)[0]
    click(button(place, "Show 2 runs"))
    until(lambda: place.card.state == "content")
    assert sorted(names(place)) == ["One", "Two"]


def test_runs_that_do_not_compare_are_offered_only_if_no_other_does(place, registry, saved_run, small):
    other = registry.open(saved_run("Other text", recipe=small("corpus.text=another text")))
    one = registry.open(saved_run("One"))
    assert place.offered() == [one, other]
    same = registry.open(saved_run("Same"))
    registry.select(one.key)
    assert place.offered() == [one, same]


def test_no_more_runs_are_offered_than_a_chart_can_hold(place, registry, saved_run):
    for number in range(MOST_OFFERED + 2):
        registry.open(saved_run(f"Run {number}"))
    assert [run.name for run in place.offered()] == ["Run 5", "Run 4", "Run 3", "Run 2"]


def test_the_table_follows_the_eyes_while_the_place_is_open(place, registry, saved_run, until):
    one, two, three = (registry.open(saved_run(name)) for name in ("One", "Two", "Three"))
    registry.show([one.key, two.key, three.key], True)
    until(lambda: sorted(names(place)) == ["One", "Three", "Two"])
    registry.show(one.key, False)
    until(lambda: sorted(names(place)) == ["Three", "Two"])


@pytest.fixture
def listed(window, saved_run, until):
    """The window in Train with two shown runs."""
    registry = window.session.registry
    for name in ("One", "Two"):
        registry.show(registry.open(saved_run(name)).key, True)
    until(lambda: window.train.loss.comparison.message.full_text)
    return window


def test_keys_palette_and_the_line_of_train_open_the_place_where_a_selected_run_stays(listed, qtbot, click):
    window = listed
    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    assert (window.place, window.compare.isVisible()) == ("compare", True)
    assert (window.runs_side.isVisible(), window.docks.side.isVisible()) == (True, False)
    window.show_place("train")
    click(window.train.loss.comparison.message)
    assert window.place == "compare"
    window.show_place("train")
    next(action for action in window.commands.all() if action.command.key == "view.compare").trigger()
    assert sorted(names(window.compare)) == ["One", "Two"]
    window.session.registry.select(window.session.registry.runs[-1].key)
    assert window.place == "compare"
    primary = [button for button in window.findChildren(Button) if button.property("role") == "primary"]
    assert [button for button in primary if button.isVisible()] == [window.compare.page.evaluate]
    click(window.compare.page.explain)
    assert window.help._name == "using/comparing"
    window.help.shut()


@pytest.mark.long
def test_the_next_start_opens_it_again(listed, open_window, until):
    listed.show_place("compare")
    listed.retire()
    again = open_window(place=None, draft=False)
    assert again.place == "compare"
    until(lambda: sorted(names(again.compare)) == ["One", "Two"])


@pytest.mark.parametrize("code", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_all_of_it_is_inside_the_smallest_window(open_window, saved_run, request, code):
    if code == "de":
        request.getfixturevalue("german")
    window = open_window(size=(1100, 640))
    registry = window.session.registry
    for name in ("One", "Two"):
        registry.show(registry.open(saved_run(name)).key, True)
    window.show_place("compare")
    window.grab()
    page = window.compare.page
    for widget in (page.evaluate, page.own_text, page.explain, page._table):
        assert window.rect().contains(widget.rect().translated(widget.mapTo(window, widget.rect().topLeft())))
    assert page._table.height() >= 2 * page._table.rowHeight(0)
