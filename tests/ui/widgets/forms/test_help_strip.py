"""The help strip writes allowed values as the window shows them: names of choices, numbers of the language."""

from typing import Literal

import pytest

from lab.api import ModelConfig
from lab.api import setting as declared
from lab.widgets.forms.help_strip import HelpStrip
from lab.widgets.forms.translated import translated


class Config(ModelConfig):
    positions: Literal["none", "rotary"] = declared("none", help="Positions.", names={"rotary": "RoPE"})
    epsilon: float = declared(1e-5, gt=0, le=0.1, help="Epsilon.")
    base: float = declared(1e4, gt=1, le=1e9, help="Base.")
    steps: int = declared(1000, ge=0, le=10**9, unit="steps", help="Steps.")


@pytest.fixture
def facts(qtbot):
    """Return a function that returns what the strip says of a setting besides its help."""

    def facts(name):
        strip = HelpStrip()
        qtbot.addWidget(strip)
        strip.show_setting(next(one for one in translated(Config) if one.name == name))
        return strip._facts.text()

    return facts


ENGLISH = {
    "positions": "Positions: one of none, RoPE",
    "epsilon": "Epsilon: number, 0 < x ≤ 0.1",
    "base": "Base: number, 1 < x ≤ 1,000,000,000",
    "steps": "Steps: whole number, 0 ≤ x ≤ 1,000,000,000 · unit: steps",
}
GERMAN = {
    "positions": "Positionen: eines von keine, RoPE",
    "epsilon": "Epsilon: Zahl, 0 < x ≤ 0,1",
    "base": "Base: Zahl, 1 < x ≤ 1.000.000.000",
    "steps": "Schritte: ganze Zahl, 0 ≤ x ≤ 1.000.000.000 · Einheit: Schritte",
}


@pytest.mark.parametrize("name", ENGLISH)
def test_allowed_values_are_written_as_the_window_shows_them(facts, name):
    assert facts(name).startswith(ENGLISH[name])


@pytest.mark.parametrize("name", GERMAN)
def test_allowed_values_are_written_as_german_does(german, facts, name):
    assert facts(name).startswith(GERMAN[name])
