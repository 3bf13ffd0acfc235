"""The card with the drawing of the model follows the draft, and leads to the settings of each part."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel

from lab.shell.train.equations import EquationsPanel

STRANGERS = Path(__file__).parents[3] / "strangers"
BARE = """
from lab_recurrent import GRUConfig

from lab.api import Architecture, hookimpl

LAB_API_VERSION = 1


@hookimpl
def lab_register_architectures(register):
    card = Architecture(name="bare", title="Bare", family="recurrent", summary="It has no equations.",
                        config=GRUConfig, build="lab_recurrent.model:build_gru")
    register(card)
"""


@pytest.fixture
def shown(open_page, until):
    """Open Train with the drawing of the tiny transformer's model with its settings."""
    return lambda *assignments: show_model(open_page("train", *assignments), until)


def show_model(window, until):
    window.train.show_model()
    complete(window, until)
    return window


def complete(window, until):
    drawing = window.train.model.drawing
    until(lambda: drawing.structure is not None and drawing.structure.settings is not None, timeout=60_000)


def diagram_of(window):
    return window.train.model.area.diagram


def test_nothing_is_computed_before_the_drawing_is_shown(open_page):
    window = open_page("train")
    assert window.train.model.drawing.structure is None
    assert not window.train.shows_model


def test_button_and_command_show_it_keys_reach_it_it_is_exported_like_a_chart_and_it_and_its_equations_link_to_settings(
    window, click, button, qtbot, until
):
    click(button(window.train.loss, "model"))
    assert window.train.model.isVisible()
    click(button(window.train.model, "charts"))
    assert window.train.loss.isVisible()
    window.findChild(QAction, "view.model").trigger()
    assert window.train.model.isVisible()
    complete(window, until)
    diagram = diagram_of(window)
    assert window.exports.current_view() is diagram
    qtbot.keyClick(diagram, Qt.Key.Key_Down)
    assert diagram.selected == "embedding"
    diagram.select(next(part.path for part in diagram.tree.walk() if part.name == "attention"))
    side = window.train.model.side
    assert "Parameters" in side.text
    assert "batch × tokens" in side.text
    link = side.links["architecture.heads"]
    assert link.text().startswith("Heads: ")
    until(link.isVisible)
    click(link)
    assert window.draft_panel.isVisible()
    until(lambda: window.focusWidget() is not None and window.draft_panel.isAncestorOf(window.focusWidget()))
    click(button(window.train.model, "equations"))
    panel = equations_of(window)
    card = window.session.plugins.card("architectures", "transformer")
    assert [symbol.accessibleName() for symbol in panel.symbols] == [*card.symbols]
    assert "Formula: x_t = E_{w_t} + P_t" in [formula.accessibleName() for formula in panel.formulas]
    until(lambda: not any(formula.pixmap().isNull() for formula in panel.formulas), timeout=60_000)
    assert not any(symbol.pixmap().isNull() for symbol in panel.symbols)  # they have a meaning each
    assert window.rect().contains(panel.geometry())
    click(panel.links["H"])
    until(lambda: window.focusWidget() is not None and window.draft_panel.isAncestorOf(window.focusWidget()))


def test_the_drawing_follows_an_edit_of_the_draft(shown, until):
    window = shown("architecture.layers=2")
    assert diagram_of(window).tree.children[-3].count == 2
    window.session.draft.edit("architecture.layers", 3)
    until(lambda: 3 in {part.count for part in diagram_of(window).tree.children}, timeout=60_000)


def test_a_model_that_cannot_be_built_says_why_and_names_the_setting(shown, until, button):
    window = shown("architecture.name=hybrid", "architecture.width=32", "architecture.attention.heads=4")
    assert window.session.draft.edit("architecture.attention.heads", 5) is None
    card = window.train.model
    until(lambda: card.state == "empty", timeout=60_000)
    assert "does not divide the width" in card._other.shown_text[0]
    assert button(card, "Show the setting")


def test_the_model_of_the_selected_run_is_drawn_unless_that_of_the_configuration_is_selected(
    open_page, saved_run, small, until
):
    saved_run("Deep", recipe=small("architecture.layers=5"))
    window = open_page("train", "architecture.layers=2")
    until(lambda: window.session.registry.runs)
    window.session.registry.select(window.session.registry.runs[0].key)
    window.train.show_model()
    complete(window, until)
    assert 5 in {part.count for part in diagram_of(window).tree.children}
    assert window.train.model.title == "Model of Deep"
    assert not any(link.isEnabled() for link in window.train.model.side.links.values())
    window.train.model._sources.pick("draft")
    until(lambda: 2 in {part.count for part in diagram_of(window).tree.children}, timeout=60_000)
    assert window.train.model.title == "Model of the configuration"


def test_an_edit_switches_from_the_selected_run_to_the_configuration_and_the_next_selection_to_that_run(
    open_page, saved_run, small, until
):
    for name in ("Deep", "Deeper"):
        saved_run(name, recipe=small("architecture.layers=5"))
    window = open_page("train", "architecture.layers=5")
    session, card = window.session, window.train.model
    until(lambda: len(session.registry.runs) == 2)
    first, second = session.registry.runs
    session.registry.select(first.key)
    window.train.show_model()
    complete(window, until)
    assert card.title == f"Model of {first.name}"
    session.draft.changed.emit()
    session.registry.label(first, name="Renamed")
    assert card.title == "Model of Renamed"
    session.draft.edit("architecture.layers", 3)
    session.registry.label(first, name="Again")
    assert card.title == "Model of the configuration"
    until(lambda: 3 in {part.count for part in diagram_of(window).tree.children}, timeout=60_000)
    session.registry.select(second.key)
    assert card.title == f"Model of {second.name}"
    until(lambda: 5 in {part.count for part in diagram_of(window).tree.children}, timeout=60_000)


def test_parts_of_a_run_whose_settings_are_in_the_form_mark_them_and_lead_to_them(open_page, saved_run, small, until):
    saved_run("Same", recipe=small())
    window = open_page("train")
    card, marked = window.train.model, []
    card.shaping_changed.connect(marked.append)
    until(lambda: window.session.registry.runs)
    window.session.registry.select(window.session.registry.runs[0].key)
    window.train.show_model()
    complete(window, until)
    diagram_of(window).select(next(part.path for part in diagram_of(window).tree.walk() if part.name == "attention"))
    assert card.title == "Model of Same"
    assert "architecture.heads" in marked[-1]
    assert card.side.links["architecture.heads"].isEnabled()


def test_a_part_that_an_explanation_names_is_unfolded_and_selected_and_a_missing_one_named_in_the_title(shown):
    window = shown("architecture.layers=4")
    window.train.show_part("query")
    assert diagram_of(window).selected == "blocks.0.token.project:query"
    assert not diagram_of(window).rect_of("blocks.0.token.project:query").isEmpty()
    assert window.train.model.side.text.startswith("query")
    window.train.show_part("router")
    assert window.train.model._note.full_text == "has no part “router”"


def test_a_part_is_selected_once_the_model_is_drawn(open_page, until):
    window = open_page("train", "architecture.layers=2")
    window.train.show_part("feed-forward")
    until(lambda: diagram_of(window).selected == "blocks.0.channel", timeout=60_000)


@pytest.mark.long
def test_a_part_that_is_shown_from_another_place_is_scrolled_to(open_window, until):
    window = open_window("architecture.feed_forward=swiglu", size=(1100, 640), place="inspect")
    diagram = diagram_of(window)
    for part, path in (("query", "blocks.0.token.project:query"), ("unembedding", "output")):
        window.show_place("inspect")
        window.inspect.part_requested.emit(part)
        until(lambda path=path: diagram.selected == path, timeout=60_000)
        until(lambda path=path: not diagram.visibleRegion().intersected(diagram.rect_of(path).toRect()).isEmpty())


def equations_of(window):
    (panel,) = [one for one in window.window().findChildren(EquationsPanel) if one.isVisible()]
    return panel


def test_a_symbol_of_the_equations_selects_its_part(shown, click, button):
    window = shown()
    click(button(window.train.model, "equations"))
    click(equations_of(window).links["Q_h"])
    assert diagram_of(window).selected == "blocks.0.token.project:query"


def test_pointing_at_a_symbol_of_the_equations_marks_its_part_and_its_setting(shown, click, button, until):
    window = shown()
    model, marked = window.train.model, []
    model.shaping_changed.connect(marked.append)
    click(button(model, "equations"))
    panel = equations_of(window)
    until(lambda: all(one.symbols for one in panel.formulas))
    panel.marks.point("Q")
    assert diagram_of(window)._hovered == "blocks.0.token.project:query"
    panel.marks.point("H")
    assert marked[-1] == ("architecture.heads",)
    panel.marks.point("")
    assert diagram_of(window)._hovered is None
    assert marked[-1] == ()


@pytest.mark.long
def test_the_palette_opens_the_equations_from_inspect(open_window, until):
    window = open_window(place="inspect")
    window.findChild(QAction, "view.equations").trigger()
    assert window.is_model_open()
    assert equations_of(window).accessibleName() == "Equations of Transformer"


def test_symbols_of_a_run_s_equations_lead_to_no_setting_of_the_form(open_page, saved_run, small, click, button, until):
    saved_run("Deep", recipe=small("architecture.layers=5"))
    window = open_page("train")
    until(lambda: window.session.registry.runs)
    window.session.registry.select(window.session.registry.runs[0].key)
    window.train.show_model()
    complete(window, until)
    click(button(window.train.model, "equations"))
    assert "Q_h" in equations_of(window).links
    assert "H" not in equations_of(window).links


def test_the_equations_of_a_third_party_are_shown_and_linked_like_others(open_page, lab_home, click, button, until):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGERS / "gru_cells.py", lab_home / "plugins")
    window = open_page("train", "training.context_length=16", enable=["gru_cells"])
    assert window.session.draft.apply({"architecture": {"name": "gru-cells"}}) is None
    window.train.show_model()
    until(lambda: window.train.model.drawing.structure is not None, timeout=60_000)
    click(button(window.train.model, "equations"))
    panel = equations_of(window)
    until(lambda: not any(formula.pixmap().isNull() for formula in panel.formulas), timeout=60_000)
    assert "the state after token t" in [one.text() for one in panel.findChildren(QLabel)]
    click(panel.links["h_t"])
    assert diagram_of(window).selected == "cells.0"


def test_an_architecture_without_equations_offers_none(open_page, plugin, until):
    window = open_page("train", enable=[plugin("bare", BARE)])
    assert window.session.draft.apply({"architecture": {"name": "bare"}}) is None
    window.train.show_model()
    until(lambda: window.train.model.drawing.structure is not None, timeout=60_000)
    assert not window.train.model._equations.isVisible()


@pytest.mark.long
def test_a_hybrid_shows_the_equations_of_the_mixers_of_its_pattern_too(open_page, until, click, button):
    window = open_page(
        "train", "architecture.name=hybrid", "architecture.layers=4", "architecture.pattern=mamba*2, attention+mlp"
    )
    show_model(window, until)
    click(button(window.train.model, "equations"))
    panel = equations_of(window)
    cards = [window.session.plugins.card("mixers", name) for name in ("mamba", "attention", "mlp")]
    hybrid = window.session.plugins.card("architectures", "hybrid")
    assert [one.accessibleName() for one in panel.symbols] == [
        *(symbol for card in (hybrid, *cards) for symbol in card.symbols)
    ]
    titles = [card.title for card in cards]
    texts = [one.text() for one in panel.findChildren(QLabel)]
    assert [text for text in texts if text in titles] == titles
    assert "Vaswani et al. 2017, Attention Is All You Need" in texts
    until(lambda: not any(formula.pixmap().isNull() for formula in panel.formulas), timeout=60_000)
    click(panel.links["Attention"])
    assert diagram_of(window).selected == "blocks.2.token"


def test_a_symbol_of_a_mixer_selects_its_part_in_the_first_block_that_has_the_mixer(open_page, until, click, button):
    window = open_page(
        "train", "architecture.name=hybrid", "architecture.layers=4", "architecture.pattern=mamba*2, attention+mlp"
    )
    show_model(window, until)
    click(button(window.train.model, "equations"))
    click(equations_of(window).links["W^O"])
    assert diagram_of(window).selected == "blocks.2.token.output"
