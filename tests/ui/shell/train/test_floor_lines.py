"""The menu of floors: their names and meanings; hidden floors stay hidden."""

import pytest

from lab.api import ENTROPY_RATE
from lab.shell.train.floor_lines import COMPRESSORS, FloorMenu, floor_description, floor_name
from lab.widgets.core.controls import wrapped_tip

TEXT = ["uniform", "unigram", "bigram", "kneser-ney 6", "zlib", "bz2", "lzma"]
NAMES = [*TEXT, "class priors", "linear", "mean", "constant", ENTROPY_RATE]


@pytest.fixture
def menu(qtbot):
    made = FloorMenu()
    qtbot.addWidget(made)
    made.offer(NAMES)
    return made


def action(menu, name):
    return next(action for action in menu.menu().actions() if action.data() == name)


def test_each_floor_is_listed_and_explains_itself_and_all_but_the_compressors_are_ticked(menu):
    actions = menu.menu().actions()
    assert [action.data() for action in actions] == NAMES
    assert {action.data() for action in actions if not action.isChecked()} == set(COMPRESSORS)
    assert [action.toolTip() for action in actions] == [wrapped_tip(floor_description(name)) for name in NAMES]
    assert len({action.toolTip() for action in actions}) == len(NAMES)


def test_the_best_order_is_named(menu):
    assert floor_name("kneser-ney 6") == "Kneser-Ney, order 6"
    assert floor_name("corpus's own") == "corpus's own"


@pytest.mark.parametrize(
    ("unit", "name"),
    [("nats", "uniform (ln V)"), ("bits", "uniform (log₂ V)"), ("perplexity", "uniform (V)"), ("KL", "uniform")],
)
def test_the_uniform_floor_is_labelled_with_its_value_in_the_unit(menu, unit, name):
    menu.offer(NAMES, unit)
    assert action(menu, "uniform").text() == floor_name("uniform", unit) == name


def test_a_floor_that_is_hidden_or_shown_is_so_at_the_next_start(menu, qtbot):
    with qtbot.waitSignal(menu.changed):
        action(menu, "bigram").trigger()
    action(menu, "zlib").trigger()
    assert (menu.shows("bigram"), menu.shows("zlib")) == (False, True)
    again = FloorMenu()
    qtbot.addWidget(again)
    assert (again.shows("bigram"), again.shows("zlib"), again.shows("bz2")) == (False, True, False)
    again.offer(NAMES)
    action(again, "bigram").trigger()
    assert again.shows("bigram")


def test_the_best_order_is_hidden_whatever_it_is(menu):
    action(menu, "kneser-ney 6").trigger()
    assert not menu.shows("kneser-ney 7")
    assert menu.shows("bigram")


def test_without_floors_there_is_nothing_to_choose(menu):
    menu.offer([])
    assert not menu.isEnabled()


@pytest.mark.parametrize("stored", ['{"floors": {"hidden": 3}}', '{"floors": {"hidden": [1, null]}}', "{"])
def test_damaged_settings_hide_no_model(qtbot, lab_home, stored):
    lab_home.mkdir(parents=True, exist_ok=True)
    (lab_home / "settings.json").write_text(stored)
    made = FloorMenu()
    qtbot.addWidget(made)
    assert all(made.shows(name) for name in NAMES if name not in COMPRESSORS)
