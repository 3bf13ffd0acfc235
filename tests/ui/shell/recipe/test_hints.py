"""The hints below the costs: each says what it is about, and a click changes the setting in the draft."""

import pytest

from lab.shell.recipe.hints import HintLines, title_of
from lab.workbench.launch.hints import WHAT, Hint

VALUES = dict.fromkeys(("ratio", "passes", "context", "length", "percent", "dropout", "parameters", "tokens"), 12.0)


@pytest.fixture
def lines(qtbot):
    """The lines alone."""
    lines = HintLines()
    qtbot.addWidget(lines)
    return lines


@pytest.mark.parametrize("kind", WHAT)
def test_every_hint_has_a_title_and_says_why_and_what_helps(lines, kind):
    hint = Hint(kind, VALUES, "training.steps", 400)
    lines.show_hints([hint])
    assert lines.lines[0].full_text == title_of(hint)
    tip = lines.lines[0].toolTip()
    assert "{" not in tip + title_of(hint)
    assert "training.steps" in tip
    assert "400" in tip


def test_a_click_takes_the_value_or_shows_the_setting(lines, qtbot, click):
    lines.show_hints([Hint("repeats", VALUES, "training.steps", 400), Hint("undertrained", VALUES, "training.steps")])
    lines.resize(300, 90)
    lines.show()
    with qtbot.waitSignal(lines.taken) as taken:
        click(lines.lines[0])
    assert taken.args == ["training.steps", 400]
    with qtbot.waitSignal(lines.revealed):
        click(lines.lines[1])
    assert not lines.lines[2].isVisible()
    lines.show_hints([])
    assert lines.isHidden()


def test_a_hint_of_the_draft_changes_it_and_is_gone(open_window, until, click):
    window = open_window("training.steps=2000", "architecture.dropout=0")
    hints = window.draft_panel.costs.hints
    until(lambda: any(hint.kind == "overfits" for hint in hints.hints), timeout=30000)
    index = [hint.kind for hint in hints.hints].index("overfits")
    click(hints.lines[index])
    assert window.session.draft.recipe.architecture.settings["dropout"] == 0.2
    until(lambda: not any(hint.kind == "overfits" for hint in hints.hints), timeout=30000)
