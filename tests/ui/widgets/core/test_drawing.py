"""The drawing budget: drawing that was held back happens once it is released."""

import pytest

from lab.widgets.core.drawing import Drawing


class View:
    def __init__(self):
        self.drawn = 0

    def draw(self):
        self.drawn += 1

    def isVisible(self):
        return True


@pytest.fixture(autouse=True)
def views_are_valid(monkeypatch):
    monkeypatch.setattr("lab.widgets.core.drawing.isValid", lambda view: True)


def test_drawing_is_held_and_done_after_the_release(qtbot):
    drawing, first, second = Drawing(), View(), View()
    drawing.hold()
    for view in (first, second):
        drawing.changed(view)
    drawing.draw_next()
    assert (first.drawn, second.drawn) == (0, 0)
    drawing.release()
    qtbot.waitUntil(lambda: (first.drawn, second.drawn) == (1, 1))
