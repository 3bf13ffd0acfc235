"""A third-party view that replaces the lab's own view of all readings with its axes."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from lab.api import Reading
from lab.host import Plugins
from lab.shell.inspect.inspection_view import STATE, importance, replacement, view_of
from lab.shell.inspect.reading_card import ReadingCard
from lab.workbench.access.inspection import Inspection

STRANGER = Path(__file__).parents[2] / "strangers" / "token_loudness.py"
VALUES = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def plugins(lab_home):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGER, lab_home / "plugins")
    return Plugins(enable=["token_loudness"])


@pytest.mark.parametrize(
    ("axes", "values"),
    [(("token", "unit"), VALUES), (("unit", "token"), VALUES.T), (("batch", "token", "unit"), VALUES[None])],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_it_shows_readings_of_its_axes_in_any_order_under_their_own_title(qtbot, plugins, axes, values):
    inspection = Inspection(9, tuple("abc"), [Reading("gate", axes, values, 0, "blocks.0")])
    shown = view_of(inspection, "mine", plugins.cards("views"))
    (key,) = shown.groups
    own = replacement(key, plugins.cards("views"))
    assert own == "token-loudness"
    card = ReadingCard(key, plugins, own)
    qtbot.addWidget(card)
    card.show_inspection(shown, None, None, shown.limits)
    assert card.title == "Gate"
    assert card._view.text() == "a:2 b:2 c:2"


@pytest.mark.parametrize("key", [("gate", ("token", "channel")), ("gate", ("head", "token", "unit")), STATE])
def test_other_cards_keep_the_view_of_the_lab(plugins, key):
    assert replacement(key, plugins.cards("views")) == ""


def test_its_cards_come_before_those_with_views_of_the_lab(plugins):
    views = plugins.cards("views")
    replaced, other = ("gate", ("token", "unit")), ("gate", ("token", "channel"))
    assert importance(replaced, views=views) < importance(other, views=views)
    assert importance(replaced)[0] == importance(other)[0]
