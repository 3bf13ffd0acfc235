"""The recipes of the lab in the window: each is a command, in the menu and in the palette."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.recipes import shipped, shipped_names
from lab.shell.actions.groups import CommandGroup
from lab.shell.recipe.card_box import NAME
from lab.shell.session.runs.formatting import flag_of
from lab.shell.session.runs.texts import RunEvent
from lab.shell.session.setting_labels import setting_label

STRANGERS = Path(__file__).parents[3] / "strangers"
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.long
def test_the_menu_has_a_group_with_every_recipe_of_the_lab(window):
    keys = {action.command.key for action in window.commands.groups()[CommandGroup.RECIPES]}
    assert keys == {f"recipe.{name}" for name in shipped_names()}


@pytest.mark.long
def test_a_recipe_is_found_in_the_palette_and_becomes_the_configuration(window, qtbot, until):
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(window.command_palette.field, "parity one bit")
    qtbot.keyClick(window.command_palette.field, Qt.Key.Key_Return)
    assert window.session.draft.recipe == shipped("source-parity")
    assert window.session.draft.base_name == "source-parity"
    until(lambda: window.draft_panel.sections.problems == {})
    window.session.draft.undo()
    assert window.session.draft.recipe != shipped("source-parity")


def test_recipes_of_the_lab_and_their_new_runs_have_titles_in_the_language_of_the_window(german, open_session):
    session = open_session()
    session.take_recipe("source-sort")
    assert session.draft.ready().title == "Sortieren: Attention zählt die Symbole einer Zeichenkette"
    session.draft.edit("title", "Sort: mine")
    assert session.draft.take(session.draft.recipe, "mine") is None
    assert session.draft.ready().title == "Sort: mine"


@pytest.mark.long
def test_the_menu_of_recipes_is_in_the_language_of_the_window(german, window):
    titles = {action.text() for action in window.commands.groups()[CommandGroup.RECIPES]}
    assert "Parität von sechs Bits" in titles
    assert "Parity of six bits" not in titles


def test_names_of_runs_have_the_labels_of_the_form_in_the_language_of_the_window(german):
    label = setting_label(Plugins(safe_mode=True))
    named = {
        "architecture.layers": (4, "4 Schichten"),
        "training.optimizer.learning_rate": (0.003, "Lernrate 0,003"),
        "architecture.kv_heads": (2, "Key/Value-Köpfe 2"),
        "architecture.tie": (False, "ohne Gewichtskopplung"),
    }
    assert {path: label(path, value, str(value)) for path, (value, _) in named.items()} == {
        path: text for path, (_, text) in named.items()
    }


def test_a_setting_of_a_third_party_counts_in_the_names_of_runs(lab_home):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGERS / "two_experts.py", lab_home / "plugins")
    label = setting_label(Plugins(enable=["two_experts"]).load())
    assert label("architecture.two_experts.experts", 4, "4") == "4 experts"
    assert label("architecture.two_experts.balance", 0.1, "0.1") == "balance 0.1"


def test_the_title_of_a_changed_draft_has_the_labels_of_the_form(german, open_session):
    session = open_session()
    session.draft.take(shipped("quick-start"), "quick-start")
    session.draft.edit("training.steps", 77)
    assert session.draft.ready().title == "77 Schritte · Transformer"


def test_the_field_for_a_path_without_which_a_corpus_cannot_be_selected_is_in_german(german, window):
    corpus = window.draft_panel.sections.choices["corpus"]
    corpus._select(corpus._box.findData("file", NAME))
    assert "Eine Datei oder ein Ordner\nEine Datei mit Text" in corpus._question._caption.toolTip()


def test_the_flag_of_a_live_edit_has_the_title_of_the_form(german):
    edit = RunEvent(3, "training.optimizer.learning_rate", before=0.1, value=0.2)
    assert flag_of(edit).label == "Lernrate × 2"
