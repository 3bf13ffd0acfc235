"""The timeline plays, steps, loops and stops; of a pair of views the layout with the larger ones is chosen."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from lab.widgets.timeline.pair import ViewPair
from lab.widgets.timeline.timeline import TimelineBar


@pytest.fixture
def bar(qtbot):
    """A timeline over some steps, at the present."""

    def bar(steps=(0, 1, 10, 100), first=0):
        made = TimelineBar()
        qtbot.addWidget(made)
        made.set_snapshots(list(steps), first)
        with qtbot.waitActive(made):
            made.show()
        made.slider.setFocus()
        return made

    return bar


def seen(bar):
    """The steps that the timeline moves to from now on."""
    found = []
    bar.moved.connect(lambda: found.append(bar.step))
    return found


def fast(bar):
    bar._set_speed("10")
    bar._speed = 100
    return bar


def test_the_timeline_starts_at_now_and_keys_step_through_the_snapshots(bar, qtbot):
    made = bar()
    assert made.step is None
    steps = seen(made)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(made.slider, key)
    assert steps == [100, 10, 100, 0, None]


def test_playing_shows_every_snapshot_in_order_and_stops_at_the_last(bar, qtbot):
    made = fast(bar())
    steps = seen(made)
    qtbot.mouseClick(made._play, Qt.MouseButton.LeftButton)
    assert made.plays
    assert made._play.accessibleName() == "Pause the timeline"
    qtbot.waitUntil(lambda: not made.plays)
    assert steps == [0, 1, 10, 100]
    assert made._play.accessibleName() == "Play the timeline"


def test_looped_playing_restarts_at_the_first_snapshot(bar, qtbot):
    made = fast(bar(first=1))
    steps = seen(made)
    made._loop.setChecked(True)
    made.toggle()
    qtbot.waitUntil(lambda: len(steps) >= 7)
    made.stop()
    assert steps[:7] == [1, 10, 100, 1, 10, 100, 1]


def test_playing_continues_from_the_current_snapshot(bar, qtbot):
    made = fast(bar())
    made.slider.setValue(1)
    steps = seen(made)
    made.toggle()
    qtbot.waitUntil(lambda: not made.plays)
    assert steps == [10, 100]


def test_the_space_bar_plays_with_the_focus_on_the_slider_and_no_shortcut_takes_it(bar, qtbot):
    made, taken = bar(), []
    shortcut = QShortcut(Qt.Key.Key_Space, made)
    shortcut.activated.connect(lambda: taken.append(True))
    qtbot.keyClick(made.slider, Qt.Key.Key_Space)
    assert made.plays
    qtbot.keyClick(made.slider, Qt.Key.Key_Space)
    assert not made.plays
    assert taken == []


def test_playing_waits_for_a_snapshot_that_is_being_read(bar, qtbot):
    made = fast(bar())
    made.toggle()
    made.wait(True)
    place = made.slider.value()
    for _ in range(3):
        with qtbot.waitSignal(made._timer.timeout):
            pass
    assert made.slider.value() == place
    made.wait(False)
    qtbot.waitUntil(lambda: not made.plays)
    assert made.step == 100


def test_playing_stops_when_the_timeline_is_hidden(bar):
    made = bar()
    made.toggle()
    made.hide()
    assert not made.plays


def test_the_speed_is_selected_in_a_menu_and_applies_at_once(bar):
    made = bar()
    made.toggle()
    assert made._timer.interval() == 200
    made._speeds.menu().actions()[2].trigger()
    assert made._timer.interval() == 100
    assert made._speeds.text().startswith("10 a second")
    made.stop()


@pytest.mark.parametrize("steps", [(), (0,)])
def test_playing_needs_two_snapshots(bar, steps, qtbot):
    made = bar(steps)
    assert not made._play.isEnabled()
    made.toggle()
    assert not made.plays
    assert made.slider.isEnabled() == bool(steps)


def test_new_snapshots_are_added_at_the_end_and_the_selected_one_stays(bar):
    made = bar()
    made.slider.setValue(2)
    made.set_snapshots([0, 1, 10, 100, 1000], 0)
    assert made.step == 10
    made.slider.setValue(5)
    made.set_snapshots([0, 1, 10, 100, 1000, 5000], 0)
    assert made.step is None


def test_a_deleted_snapshot_is_replaced_by_now(bar):
    made = bar()
    made.slider.setValue(2)
    made.set_snapshots([0, 1], 0)
    assert made.step is None


@pytest.mark.parametrize("focus", [False, True])
def test_the_wheel_moves_the_slider_only_with_focus(bar, focus):
    made = bar()
    made.slider.setValue(2)
    if not focus:
        made.slider.clearFocus()
    turn = (QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton)
    event = QWheelEvent(*turn, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    assert made.slider.hasFocus() == focus
    QApplication.sendEvent(made.slider, event)
    assert (made.slider.value() != 2) == focus


# ---- two views


@pytest.fixture
def pair(qtbot):
    """A view and a pinned one side by side, in some size."""

    def pair(width, height):
        made = ViewPair(QLabel("now"))
        qtbot.addWidget(made)
        made.resize(width, height)
        pinned = QLabel("then")
        made.pin(pinned)
        made.name("step 4", "pinned: step 1")
        with qtbot.waitExposed(made):
            made.show()
        return made, pinned

    return pair


def labels(made):
    return [one.text() for one in made.findChildren(QLabel) if one.isVisible()]


@pytest.mark.parametrize(("size", "beside"), [((900, 300), True), ((300, 900), False), ((400, 380), True)])
def test_a_pair_is_arranged_so_that_both_views_are_largest(pair, size, beside):
    made, pinned = pair(*size)
    half, other = pinned.parentWidget(), made._halves.itemAt(1).widget()
    assert isinstance(half, QWidget)
    assert (half.y() == other.y()) == beside
    assert (half.x() < other.x()) == beside


def test_each_view_of_a_pair_is_titled_with_its_step(pair):
    made, _ = pair(900, 300)
    assert sorted(labels(made)) == ["now", "pinned: step 1", "step 4", "then"]
    made.pin(None)
    assert labels(made) == ["now"]
