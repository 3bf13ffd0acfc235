"""The baselines of the configuration: one click replaces the model with a baseline, another restores it."""

import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.recipe.panel import DraftPanel
from lab.shell.session.draft import Draft

ACTIVE, TOTAL = "dense, equal active parameters", "dense, equal total parameters"


@pytest.fixture
def panel(qtbot):
    """The panel of the configuration, for a mixture of experts."""
    plugins = Plugins.from_environment()
    draft = Draft(plugins)
    draft.take(Recipe().with_assignments("architecture.name=moe", "title=Mine"), "mine")
    made = DraftPanel(draft, plugins, lambda: None)
    made.resize(272, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def click(qtbot, panel):
    """Click the button of a baseline."""

    def click(name):
        qtbot.mouseClick(panel.baselines.buttons[name], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not panel._later.isActive())

    return click


def test_one_click_uses_a_baseline_and_another_restores_the_model(panel, click, qtbot):
    draft = panel._draft
    mixture, buttons = draft.recipe, panel.baselines.buttons
    assert list(buttons) == [ACTIVE, TOTAL]

    click(ACTIVE)
    assert draft.card("architecture").config.experts == 1
    assert draft.changes().keys() == {"architecture.experts", "architecture.hidden"}
    assert draft.ready().title == f"{ACTIVE} · Mixture of experts"
    assert (buttons[ACTIVE].isChecked(), buttons[TOTAL].isChecked()) == (True, False)

    few = draft.card("architecture").config.hidden
    draft.edit("training.steps", 7)
    click(TOTAL)
    assert draft.card("architecture").config.hidden > 2 * few
    assert draft.ready().title == f"{TOTAL} · steps 7 · Mixture of experts"

    click(TOTAL)
    assert draft.recipe == mixture.with_assignments("training.steps=7")
    assert not any(button.isChecked() for button in buttons.values())

    for _ in range(3):
        draft.undo()
    qtbot.waitUntil(lambda: buttons[ACTIVE].isChecked())
    draft.undo()
    qtbot.waitUntil(lambda: not buttons[ACTIVE].isChecked())
    assert draft.recipe == mixture


def test_edits_apply_to_model_and_baseline_while_they_match(panel, click, qtbot):
    draft = panel._draft
    mixture = draft.recipe
    click(ACTIVE)
    draft.edit("architecture.layers", 2)
    assert draft.baselines() == ([ACTIVE, TOTAL], ACTIVE)
    assert draft.ready().title == f"{ACTIVE} · … · Mixture of experts"
    draft.edit("architecture.hidden", 100)  # has fewer parameters
    assert draft.baselines() == ([], "")
    draft.undo()
    click(ACTIVE)
    assert draft.changes() == {"architecture.layers": (4, 2)}
    assert draft.recipe == mixture.with_assignments("architecture.layers=2")


def test_an_architecture_without_baselines_and_a_baseline_itself_offer_none(panel, qtbot):
    panel._draft.edit("architecture.experts", 1)
    qtbot.waitUntil(lambda: not panel.baselines.isVisible())
    panel._draft.undo()
    qtbot.waitUntil(panel.baselines.isVisible)
    panel._draft.edit("architecture.name", "transformer")
    qtbot.waitUntil(lambda: not panel.baselines.isVisible())
