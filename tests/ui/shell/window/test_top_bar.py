"""The top bar: what it leaves out, and in which order, where there is not room for everything."""

import pytest

from lab.shell.window.top_bar import TopBar
from lab.widgets.core.i18n import language
from lab.widgets.core.theme import themes

PLACES = ("home", "data", "train", "inspect", "play", "compare")
NAMES = {
    "en": ("Home", "Data", "Train", "Inspect", "Play", "Compare"),
    "de": ("Startseite", "Daten", "Trainieren", "Untersuchen", "Ausprobieren", "Vergleichen"),
}


def nothing(*_):
    """Do nothing."""


@pytest.fixture
def open_bar(qtbot):
    """Show a top bar of a width, in a language, without a run."""

    def open_bar(width, code="en"):
        language.use(code)
        places = list(zip(PLACES, NAMES[code], strict=True))
        bar = TopBar(
            places, [("settings", "Settings (Ctrl+,)", "sliders")], nothing, nothing, nothing, nothing, nothing, nothing
        )
        qtbot.addWidget(bar)
        bar.show_run(None, waiting=False)
        bar.resize(width, 48)
        bar.show()
        bar.grab()  # lays it out
        return bar

    yield open_bar
    language.use("en")


@pytest.mark.parametrize("code", NAMES)
@pytest.mark.parametrize("width", [1090, 1356, 1590])
def test_every_place_is_named_in_full_and_every_button_is_inside(open_bar, width, code):
    bar = open_bar(width, code)
    assert all(bar.place_button(key).width() >= bar.place_button(key).sizeHint().width() for key in PLACES)
    assert bar.stop.geometry().right() < width
    assert all(button.width() >= button.sizeHint().width() for button in (bar.start, bar.step, bar.stop))


def test_the_words_of_start_are_left_out_first_the_texts_after_it_later_and_its_own_last(open_bar):
    bar = open_bar(1600)
    seen = []
    for width in range(1600, 500, -20):
        bar.resize(width, 48)
        settings = bar.place_button("settings").isVisible()
        assert settings == bar._name.isVisible()
        seen.append((bar.start.text(), bar._device.isVisible(), settings, bool(bar.stop.text())))
    assert list(dict.fromkeys(seen)) == [
        ("Start new run", True, True, True),
        ("Start", True, True, True),
        ("Start", False, True, True),
        ("Start", False, False, True),
        ("Start", False, False, False),
        ("", False, False, False),
    ]
    bar.resize(1600, 48)
    assert (bar.start.text(), bar.stop.text()) == ("Start new run", "Stop")


@pytest.mark.parametrize("is_idle", [True, False])
def test_in_the_largest_type_the_places_move_together_and_start_and_search_are_icons(open_bar, is_idle):
    themes.change(type_size=200)
    bar = open_bar(1346, "de")
    bar.show_run(None, waiting=False, at_home=is_idle)
    bar.grab()
    names = {button.accessibleName(): button for button in (bar.start, bar.find_button)}
    shown = bar.find_button if is_idle else bar.start
    assert all(bar.place_button(key).width() >= bar.place_button(key).sizeHint().width() for key in PLACES)
    assert shown.geometry().right() < 1346
    assert shown.text() == ""
    assert not shown.icon().isNull()
    assert "" not in names
    themes.change(type_size=100)
    bar.grab()
    assert bar.start.text()
    assert bar.find_button.text()


def test_a_place_with_an_icon_has_a_name_and_opens(open_bar, qtbot):
    bar = open_bar(1600)
    button = bar.place_button("settings")
    assert (button.text(), button.accessibleName(), button.toolTip()) == ("", *2 * ["Settings (Ctrl+,)"])
    with qtbot.waitSignal(bar.place_selected) as selected:
        button.click()
    assert selected.args == ["settings"]
    bar.show_place("train")
    assert not button.isChecked()


def test_the_icon_of_a_place_is_painted_in_its_full_size(open_bar):
    bar = open_bar(1600)
    image = bar.place_button("settings").grab().toImage()
    inked = [x for x in range(image.width()) if len({image.pixel(x, y) for y in range(4, 32)}) > 1]
    assert inked[-1] - inked[0] >= 10
