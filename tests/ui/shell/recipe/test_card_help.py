"""The strip below the form describes a choice of a card that has the focus: what it selects, and the selected card."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from lab.recipes import Recipe, Training
from lab.shell.recipe.card_section import CardSection


def strip_text(panel):
    return f"{panel.help._sentence.text()} {panel.help._facts.text()}"


@pytest.mark.parametrize(
    ("field", "what"),
    [
        ("corpus", Recipe.model_fields["corpus"].description),
        ("tokenizer", Recipe.model_fields["tokenizer"].description),
        ("architecture", Recipe.model_fields["architecture"].description),
        ("objective", Recipe.model_fields["objective"].description),
        ("training.optimizer", Training.model_fields["optimizer"].description),
        ("training.schedule", Training.model_fields["schedule"].description),
    ],
)
def test_a_choice_of_a_card_has_help(configuration, refreshed, field, what):
    refreshed()
    configuration.reveal(f"{field}.name")
    card = configuration._draft.card(field).card
    shown = strip_text(configuration)
    assert what
    for text in (what, card.title, card.summary):
        assert text in shown


@pytest.mark.parametrize(("field", "name"), [("tokenizer", "byte"), ("architecture", "gru"), ("corpus", "file")])
def test_the_help_follows_the_selected_card(configuration, refreshed, field, name):
    configuration.reveal(f"{field}.name")
    before = strip_text(configuration)
    settings = {"path": "mine.txt"} if field == "corpus" else {}
    assert configuration._draft.apply({field: {"name": name, **settings}}) is None
    configuration.refresh()
    shown = strip_text(configuration)
    assert shown != before
    assert configuration._draft.card(field).card.summary in shown


def test_a_press_on_the_title_of_a_choice_shows_its_help(configuration, refreshed, qtbot):
    refreshed()
    choice = configuration.sections.choices["architecture"]
    title = next(one for one in choice.findChildren(QLabel) if one.buddy() is choice._box)
    qtbot.mousePress(title, Qt.MouseButton.LeftButton)
    assert configuration._draft.card("architecture").card.summary in strip_text(configuration)


def test_the_help_goes_with_the_focus(configuration, refreshed, qtbot):
    refreshed()
    configuration.reveal("architecture.name")
    box = configuration.findChildren(CardSection)[0]._box
    configuration.filter.setFocus(Qt.FocusReason.TabFocusReason)
    assert box is not configuration.focusWidget()
    assert "Select a setting" in strip_text(configuration)
