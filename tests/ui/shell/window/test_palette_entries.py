"""The palette finds choices of menus, readings of Inspect, and pages and headings of the help."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from lab.recipes import QUICK_START
from lab.shell.actions.entry import Kind
from lab.shell.actions.palette import DETAIL
from lab.shell.window.palette_entries import _choices
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import sort_key


@pytest.fixture
def find(window, qtbot):
    """Type into the palette, and return the titles that it lists."""

    def find(typed):
        palette = window.command_palette
        if palette.isHidden():
            palette.toggle()
        palette.field.clear()
        qtbot.keyClicks(palette.field, typed)
        return [palette.list.item(row).text() for row in range(palette.list.count())]

    return find


@pytest.fixture
def take(window, find, qtbot):
    """Take the entry with this title."""

    def take(typed, title):
        window.command_palette.list.setCurrentRow(find(typed).index(title))
        qtbot.keyClick(window.command_palette.field, Qt.Key.Key_Return)

    return take


def test_units_questions_readings_and_settings_are_found_and_used(window, find, take, knob):
    window.show_place("home")
    take("perplexity", "Loss · unit of loss: perplexity")
    assert window.place == "train"
    assert window.train.loss.unit == "perplexity"
    for typed in ("distance", "look back"):
        assert "Head scores" in find(typed)
    row = find("look back").index("Head scores")
    detail = window.command_palette.list.item(row).data(DETAIL)
    assert detail == "… mean distance how far it looks back."
    take("what does it attend", "What does it attend to?")
    assert window.place == "inspect"
    assert window.inspect.model.readings.view == "attention"
    assert find("training.steps")[:2] == ["Steps", "Decay steps"]
    take("training.steps", "Steps")
    assert QApplication.focusWidget() is knob(window, "training.steps").control


@pytest.mark.long
def test_commands_and_help_come_before_recipes_and_runs_that_match_as_well(window, find, until):
    until(lambda: window.help.entries())
    rank = {kind: list(Kind).index(kind) for kind in Kind}
    for typed in ("mamba", "perplexity", "dark"):
        assert find(typed)
        found = window.command_palette._found[:-1]  # the last one searches the help
        titled = [entry for entry in found if entry.title.casefold() != typed]
        kinds = [rank[entry.kind] for entry in titled if entry.title.casefold().startswith(typed)]
        assert kinds == sorted(kinds)
        begins = [entry.title.casefold().startswith(typed) for entry in found]
        assert begins == sorted(begins, reverse=True)
    assert "dark" in find("dark")[0].casefold()
    assert window.command_palette._found[0].kind is Kind.COMMAND


def shown_quantity(window):
    """Return the menu of the quantity in the card of scores; None until it is shown."""
    cards = [card for card in window.inspect.cards if card.title == "Head scores"]
    menus = [menu for card in cards for menu in card.findChildren(MenuButton) if menu.name == "Shown"]
    return next((menu for menu in menus if not menu.isHidden()), None)


def test_the_menus_of_the_shown_readings_are_found(window, trained_run, take, until):
    window.session.registry.open(trained_run("training.steps=2"))
    take("head scores", "Head scores")
    until(lambda: shown_quantity(window) is not None)
    take("mean distance", "Head scores · Shown: mean distance")
    menu = shown_quantity(window)
    assert dict(menu.choices)[menu.value] == "mean distance"


def test_the_help_is_found_by_its_headings_once_the_lab_is_ready_and_searched_for_what_nobody_lists(
    window, find, take, until
):
    until(lambda: window.help._library.pages)
    take("several runs", "Several runs")
    assert window.help.isVisible()
    assert window.help._name == "using/window"
    window.help.shut()
    assert find("xyzzy") == ["Search the help for “xyzzy”"]
    assert find("perplexity")[-1] == "Search the help for “perplexity”"
    take("perplexity", "Search the help for “perplexity”")
    assert window.help.isVisible()
    assert window.help.index.hits.count() > 0


@pytest.mark.long
def test_choices_and_recipes_are_sorted_by_their_german_titles(german, open_window):
    window = open_window()
    entries = _choices(window.session, lambda _: None)
    corpora = [entry.title for entry in entries if entry.key.startswith("corpus ")]
    assert corpora == sorted(corpora, key=sort_key)
    recipes = [one.command for one in window.commands.all() if one.command.key.startswith("recipe.")]
    assert recipes[0].key == f"recipe.{QUICK_START}"
    for section in {command.section for command in recipes}:  # one for each topic
        titles = [command.title for command in recipes[1:] if command.section == section]
        assert titles == sorted(titles, key=sort_key)
