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


class SlowView(View):
    """A view whose drawing takes 0.1 s of a clock."""

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def draw(self):
        super().draw()
        self.clock[0] += 0.1


def test_a_view_for_which_a_person_waits_is_drawn_during_the_pause_before_the_others():
    clock = [0.0]
    drawing, slow, other, urgent = Drawing(clock=lambda: clock[0]), SlowView(clock), View(), View()
    drawing.busy = True
    drawing.changed(slow)
    drawing.draw_next()
    drawing.changed(other)
    drawing.draw_next()
    assert (slow.drawn, other.drawn) == (1, 0)
    drawing.changed(urgent, at_once=True)
    drawing.changed(urgent)
    drawing.draw_next()
    drawing.draw_next()
    assert (urgent.drawn, other.drawn) == (1, 0)
    clock[0] += 5.1
    drawing.draw_next()
    assert other.drawn == 1
