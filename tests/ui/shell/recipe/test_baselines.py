"""The baselines of the configuration: one entry of the menu replaces the model with a baseline, and restores it."""

import pytest

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


def offered(panel):
    """Return the baselines in the menu of presets, and whether each is ticked."""
    data = [(action.data(), action.isChecked()) for action in panel.presets.menu.actions() if action.data()]
    return {name: ticked for (kind, name), ticked in data if kind == "baseline"}


def action(panel, name):
    """Return the entry of a baseline in the menu."""
    return next(each for each in panel.presets.menu.actions() if each.data() == ("baseline", name))


@pytest.fixture
def click(qtbot, panel):
    """Pick a baseline in the menu."""

    def click(name):
        action(panel, name).trigger()
        qtbot.waitUntil(lambda: not panel._later.isActive())

    return click


def test_one_click_uses_a_baseline_and_another_restores_the_model(panel, click, qtbot):
    draft = panel._draft
    mixture = draft.recipe
    assert offered(panel) == {ACTIVE: False, TOTAL: False}

    click(ACTIVE)
    assert draft.card("architecture").config.experts == 1
    assert draft.changes().keys() == {"architecture.experts", "architecture.hidden"}
    assert draft.ready().title == f"{ACTIVE} · Mixture of experts"
    assert offered(panel) == {ACTIVE: True, TOTAL: False}

    few = draft.card("architecture").config.hidden
    draft.edit("training.steps", 7)
    click(TOTAL)
    assert draft.card("architecture").config.hidden > 2 * few
    assert draft.ready().title == f"{TOTAL} · steps 7 · Mixture of experts"

    click(TOTAL)
    assert draft.recipe == mixture.with_assignments("training.steps=7")
    assert not any(offered(panel).values())

    for _ in range(3):
        draft.undo()
    qtbot.waitUntil(lambda: offered(panel)[ACTIVE])
    draft.undo()
    qtbot.waitUntil(lambda: not offered(panel)[ACTIVE])
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
    qtbot.waitUntil(lambda: not offered(panel))
    panel._draft.undo()
    qtbot.waitUntil(lambda: bool(offered(panel)))
    panel._draft.edit("architecture.name", "transformer")
    qtbot.waitUntil(lambda: not offered(panel))
