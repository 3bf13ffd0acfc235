"""Formulas are typeset off the main thread, and leave no file of a font open."""

import gc

import psutil

from lab.shell.runtime.background import Background
from lab.shell.runtime.formulas import typeset_formulas


def open_fonts():
    gc.collect()
    return [one.path for one in psutil.Process().open_files() if one.path.endswith(".ttf")]


def test_typeset_formulas_leave_no_font_open_and_one_that_cannot_be_read_stays_as_it_is(qtbot):
    background, shown, before = Background(), [], open_fonts()
    typeset_formulas(background, ["\\no", "x^2"], "#ffffff", 1.0, shown.append)
    qtbot.waitUntil(lambda: bool(shown))
    assert [picture.image.isNull() for picture in shown[0]] == [True, False]
    assert set(open_fonts()) <= set(before)
    background.stop()
    background.join()
    background.deleteLater()
