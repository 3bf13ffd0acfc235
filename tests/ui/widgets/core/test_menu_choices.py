"""The choices of menus that are stored and restored."""

import pytest

from lab.widgets.core.controls import MenuButton, MenuChoices


@pytest.fixture
def menu(qtbot):
    """Return a menu of three letters, and the list of what was picked in it."""

    def menu():
        picked = []
        made = MenuButton("letter", [("a", "A"), ("b", "B"), ("c", "C")], picked.append)
        qtbot.addWidget(made)
        return made, picked

    return menu


def test_a_stored_choice_is_selected_and_acts(menu):
    (one, _), (other, picked) = menu(), menu()
    one.pick("c")
    MenuChoices(letter=other).load_state_dict(MenuChoices(letter=one).state_dict())
    assert (other.value, picked) == ("c", ["c"])


def test_what_a_menu_does_not_offer_is_left_out(menu):
    made, picked = menu()
    MenuChoices(letter=made).load_state_dict({"letter": "z", "word": "x", "number": 3})
    assert (made.value, picked) == ("a", [])


def test_a_menu_that_is_made_later_takes_its_choice_and_until_then_it_stays_stored(menu):
    choices, (made, _) = MenuChoices(), menu()
    choices.load_state_dict({"letter": "b"})
    assert choices.state_dict() == {"letter": "b"}
    choices.add("letter", made)
    assert made.value == "b"
    made.pick("c")
    assert choices.state_dict() == {"letter": "c"}
