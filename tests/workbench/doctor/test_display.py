"""The check of display and fonts: what each answer of Qt means."""

import pytest

from lab.workbench.doctor import Answer
from lab.workbench.doctor.display import display

LAPTOP = {"width": 1366, "height": 768, "scale": 1.0}


@pytest.fixture
def check(subject, levels):
    return lambda answer: levels(display(subject(display=answer)))


def answer(screens=(LAPTOP,), families=80, fixed=4, platform="xcb"):
    return Answer({"platform": platform, "screens": list(screens), "families": families, "fixed": fixed})


def test_a_laptop_with_fonts_is_good(check):
    assert check(answer()) == {
        "good": [
            "screens: 1366×768 (×1), shown by xcb; the lab needs no OpenGL",
            "80 families of fonts, 4 with letters of one width",
        ]
    }


def test_only_a_machine_all_of_whose_screens_are_too_small_is_wrong(check):
    small = {"width": 1024, "height": 600, "scale": 1.0}
    assert "smaller than 1100×640" in check(answer([small]))["wrong"][0]
    assert "wrong" not in check(answer([small, LAPTOP]))
    assert "wrong" not in check(answer([small], platform="offscreen"))  # a server, whose screen nobody sees


def test_without_fonts_labels_are_empty(check):
    assert "every label is empty" in check(answer(families=0, fixed=0))["wrong"][0]
    assert "letters of one width" in check(answer(fixed=0))["note"][0]


def test_a_display_that_ends_qt_is_noted_as_the_command_line_works(check, subject):
    ended = Answer(ended="signal SIGABRT", errors="no Qt platform plugin could be initialized")
    assert check(ended) == {"note": ["Qt could open no window here (signal SIGABRT)"]}
    (finding,) = display(subject(display=ended))
    assert "libxcb-cursor0" in finding.remedy
    assert finding.detail == "no Qt platform plugin could be initialized"


def test_without_the_packages_of_the_window_nothing_is_wrong(check):
    assert list(check(None)) == ["note"]
