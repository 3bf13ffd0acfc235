"""The size of a preset: one choice scales it, from laptop sizes to those of the paper."""

import pytest

from lab.api import settings_of
from lab.host import Plugins
from lab.recipes import QUICK_START
from lab.shell.recipe.panel import DraftPanel
from lab.shell.session.draft import Draft, quick_start


@pytest.fixture
def panel(qtbot):
    """The panel of the configuration."""
    plugins = Plugins.from_environment()
    made = DraftPanel(Draft(plugins), plugins, lambda: None)
    made.resize(272, 700)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def take(panel, preset, qtbot):
    """Select a preset in the menu."""
    next(action for action in panel.presets.menu.actions() if action.data() == ("preset", preset)).trigger()
    qtbot.waitUntil(lambda: not panel._later.isActive())


def choose(panel, name, qtbot):
    """Select a size in the menu."""
    next(action for action in sizes(panel) if action.text().startswith(name)).trigger()
    qtbot.waitUntil(lambda: not panel._later.isActive())


def sizes(panel):
    """Return the entries of the menu of sizes; [] if none are offered."""
    menu = panel.presets.size_menu
    return menu.actions() if menu.menuAction() in panel.presets.menu.actions() else []


def selected(panel):
    """Return the size that is ticked; "" for none."""
    return next((action.text() for action in sizes(panel) if action.isChecked()), "")


def settings(panel):
    return panel._draft.card("architecture").config


def test_no_sizes_are_offered_before_a_preset_with_sizes_is_selected(panel, qtbot):
    assert not sizes(panel)
    take(panel, "llama", qtbot)
    assert selected(panel) == "width 128"
    assert panel.presets.box.currentText() == "llama · width 128"


def test_the_sentence_about_a_preset_stands_under_the_pointer_while_it_is_selected(panel, qtbot):
    assert "1.90" not in panel.presets.box.toolTip()
    take(panel, "nanogpt-cpu", qtbot)
    assert "below 1.90 by 0.0007" in panel.presets.box.toolTip()


def ticked(panel):
    """Return the names of the presets that are ticked."""
    return [action.data()[1] for action in panel.presets.menu.actions() if action.data() and action.isChecked()]


def test_a_restored_draft_keeps_the_tick_of_the_quick_start(panel, qtbot):
    assert ticked(panel) == [QUICK_START]
    for name in (QUICK_START, "quick start"):  # the name, and its label, which earlier versions stored
        panel._draft.load_state_dict({**panel._draft.state_dict(), "name": name})
        qtbot.waitUntil(lambda: not panel._later.isActive())
        assert ticked(panel) == [QUICK_START]


def test_another_recipe_that_was_stored_under_the_label_of_the_quick_start_has_no_tick(panel, qtbot):
    other = quick_start().with_values({"architecture": {"layers": 2}}).to_toml()
    panel._draft.load_state_dict({"recipe": other, "original": other, "name": "quick start"})
    qtbot.waitUntil(lambda: not panel._later.isActive())
    assert ticked(panel) == []


def test_published_sizes_are_named_with_their_paper(panel, qtbot):
    take(panel, "gpt-2", qtbot)
    names = [action.text() for action in sizes(panel)]
    assert names[:2] == ["width 64", "width 128"]
    assert names[-4:] == [f"{size} · Radford et al. 2019" for size in ("124M", "355M", "774M", "1.5B")]


def test_one_choice_scales_the_architecture_and_is_undone_in_one_step(panel, qtbot):
    take(panel, "llama-2", qtbot)
    before = panel._draft.recipe
    choose(panel, "width 192", qtbot)
    scaled = settings(panel)
    assert (scaled.width, scaled.layers, scaled.heads, scaled.kv_heads, scaled.hidden) == (192, 7, 8, 2, 544)
    panel._draft.undo()
    qtbot.waitUntil(lambda: selected(panel) == "width 128")
    assert panel._draft.recipe == before


def test_returning_from_a_published_size_restores_all_settings(panel, qtbot):
    take(panel, "palm", qtbot)
    before = settings(panel)
    choose(panel, "540B", qtbot)
    assert (settings(panel).width, settings(panel).head_width, settings(panel).layers) == (18_432, 256, 118)
    choose(panel, "width 128", qtbot)
    assert settings(panel) == before


def test_only_the_architecture_changes(panel, qtbot):
    take(panel, "mistral", qtbot)
    before = panel._draft.recipe
    choose(panel, "7B", qtbot)
    now = panel._draft.recipe
    assert (now.training, now.objective, now.corpus, now.tokenizer) == (
        before.training, before.objective, before.corpus, before.tokenizer,
    )  # fmt: skip
    sized = {"layers", "width", "heads", "kv_heads", "hidden", "window"}
    names = {setting.name for setting in settings_of(type(settings(panel)))} - sized
    assert all(now.architecture.settings[name] == before.architecture.settings[name] for name in names)


def test_a_setting_changed_by_hand_matches_no_size(panel, qtbot):
    take(panel, "gpt-3", qtbot)
    panel._draft.edit("architecture.layers", 9)
    qtbot.waitUntil(lambda: selected(panel) == "")
    choose(panel, "width 64", qtbot)
    assert settings(panel).layers == 3


def test_the_sizes_stay_while_the_draft_is_compared_with_a_run(panel, qtbot):
    take(panel, "llama", qtbot)
    panel._draft.compare_with(quick_start(), "A run")
    qtbot.waitUntil(lambda: not panel._later.isActive())
    assert sizes(panel)


def test_the_sizes_are_hidden_with_another_preset(panel, qtbot):
    take(panel, "llama", qtbot)
    panel._draft.undo()
    qtbot.waitUntil(lambda: not sizes(panel))
    panel._draft.redo()
    qtbot.waitUntil(lambda: bool(sizes(panel)))
    panel._draft.edit("architecture.name", "n-gram")
    qtbot.waitUntil(lambda: not sizes(panel))


def test_the_quick_start_has_no_sizes(panel, qtbot):
    take(panel, "llama", qtbot)
    take(panel, QUICK_START, qtbot)
    qtbot.waitUntil(lambda: not sizes(panel))


def test_presets_and_sizes_are_named_in_the_language_and_taken_by_their_names(german, panel, qtbot):
    take(panel, "llama", qtbot)
    assert panel.presets.box.currentText() == "llama · Breite 128"
    panel._draft.edit("architecture.name", "mamba")
    qtbot.waitUntil(lambda: not panel._later.isActive())
    take(panel, "small", qtbot)
    assert panel._draft.origin == "small"
    assert panel.presets.box.currentText().startswith("klein · ")
