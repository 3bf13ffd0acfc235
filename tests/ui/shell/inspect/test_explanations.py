"""The symbols of the formulas of cards lead to the drawing of the model, and cards say what was measured."""

import re

import pytest

from lab.api import Task
from lab.base.folders import resources
from lab.diagnostics.structure.tree import tree_of
from lab.host import Plugins
from lab.shell.inspect.explanations import COMBINED, explanation_of
from lab.shell.inspect.inspection_view import LENGTHS, MAPS, title_of_card
from lab.shell.train.equations import EquationsPanel
from lab.widgets.formulas.explanation import ExplanationPanel

PLUGINS = Plugins(safe_mode=True)


def panel_of(window):
    return next(panel for panel in window.findChildren(ExplanationPanel) if panel.isVisible())


@pytest.mark.long
def test_a_symbol_opens_the_drawing_of_the_inspected_run_with_its_part_selected(
    open_window, trained_run, until, click, button
):
    run = trained_run("training.steps=20", "architecture.layers=3")
    window = open_window("architecture.layers=2", place="inspect")
    window.session.open_path(str(run))
    window.show_place("inspect")

    def maps():
        return next((card for card in window.inspect.cards if card.title == title_of_card(MAPS)), None)

    until(lambda: maps() is not None and maps().isVisible(), timeout=60_000)
    click(button(maps(), "?"))
    click(panel_of(window).links["M_{ts}"])
    model = window.train.model
    until(lambda: model.area.diagram.selected == "blocks.0.token", timeout=60_000)
    assert window.is_model_open()
    assert 3 in {part.count for part in model.area.diagram.tree.children}


def open_explanation(window, key, until, click, button):
    """Open "?" of a card of Inspect, and return its panel."""

    def card():
        return next((card for card in window.inspect.cards if card.title == title_of_card(key)), None)

    until(lambda: card() is not None and card().isVisible(), timeout=60_000)
    click(button(card(), "?"))
    return panel_of(window)


def equations_of(window):
    return next((panel for panel in window.findChildren(EquationsPanel) if panel.isVisible()), None)


def test_an_explanation_opens_the_equations_of_its_part(open_window, until, click, button):
    window = open_window("architecture.layers=2", place="inspect")
    panel = open_explanation(window, MAPS, until, click, button)
    click(button(panel, "equations of this part ›"))
    until(lambda: equations_of(window) is not None, timeout=60_000)
    equations = equations_of(window)
    assert window.is_model_open()
    assert window.train.model.area.diagram.selected == "blocks.0.token"
    until(lambda: window.focusWidget() is equations.links["A_h"])


@pytest.mark.long
def test_the_equations_of_a_part_of_a_hybrid_are_those_of_its_mixer(open_window, until, click, button):
    window = open_window(
        "architecture.name=hybrid",
        "architecture.layers=2",
        "architecture.pattern=mamba, attention+mlp",
        place="inspect",
    )
    panel = open_explanation(window, MAPS, until, click, button)
    click(button(panel, "equations of this part ›"))
    until(lambda: equations_of(window) is not None, timeout=60_000)
    equations = equations_of(window)
    until(lambda: window.focusWidget() is equations.links["Mamba"])
    until(lambda: not any(formula.pixmap().isNull() for formula in equations.formulas), timeout=60_000)
    until(lambda: not equations.links["Mamba"].visibleRegion().isEmpty())


@pytest.mark.parametrize("key", COMBINED)
def test_each_linked_part_of_the_combined_cards_exists_in_a_model(key):
    card = PLUGINS.cards("architectures")["mamba"]
    tree = tree_of(card, card.config(), Task(97, 24))
    assert all(map(tree.find, explanation_of(key, "", PLUGINS).parts.values()))


def test_the_card_of_lengths_says_what_was_measured_as_the_pages_do():
    """Loss at four times the trained length against the loss at it; rotary positions lose the most."""
    page = (resources() / "docs" / "using" / "evaluating.md").read_text(encoding="utf-8")
    example = explanation_of(LENGTHS, "", PLUGINS).example
    for scheme, nats in {
        "ALiBi": "−0.02",
        "no": "+0.04",
        "T5": "+0.09",
        "sinusoidal": "+0.18",
        "rotary": "+0.23",
    }.items():
        assert scheme in example
        assert nats in example
        assert nats in page


def test_no_help_says_that_rotary_positions_reach_further_with_another_base():
    bases = [card.config.model_fields.get("rotary_base") for card in PLUGINS.cards("architectures").values()]
    helps = [field.description for field in bases if field is not None]
    assert len(helps) >= 2
    assert not any("further" in text for text in helps)


def test_the_card_of_lengths_has_the_losses_of_its_page_of_which_rotary_positions_rise_most():
    page = (resources() / "docs" / "using" / "evaluating.md").read_text(encoding="utf-8")
    names, _, losses = (row.strip("| ").split(" | ") for row in page[page.index("| ALiBi") :].splitlines()[:3])
    measured = dict(zip(names, losses, strict=True))
    found = dict(re.findall(r"(\w+)(?: positions)? ([+−]0\.\d\d)", explanation_of(LENGTHS, "", PLUGINS).example))
    assert {"none" if name == "no" else name: loss for name, loss in found.items()} == measured
    assert max(measured, key=lambda name: float(measured[name].replace("−", "-"))) == "rotary"
