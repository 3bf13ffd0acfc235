"""Notices appear below the content, which makes room for them, are short, and never take the focus."""

import threading

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QEnterEvent
from PySide6.QtWidgets import QApplication, QStackedWidget

from lab.base.notices import Notice, notify
from lab.base.problems import Problem
from lab.shell.window import notices_view
from lab.shell.window.notices_view import LONGEST, Toasts, breakable, sentence
from lab.widgets.core.controls import Button


@pytest.fixture
def window(plain_window):
    """Show a window with a stack of pages at its centre, of which one is visible, and the focus in its field."""
    plain_window.area, field = QStackedWidget(), plain_window.takeCentralWidget()
    plain_window.area.addWidget(field)
    plain_window.setCentralWidget(plain_window.area)
    field.setFocus()
    return plain_window


@pytest.fixture
def toasts(window, qtbot):
    qtbot.mouseMove(window, QPoint(5, 5))  # a notice below the mouse would stay
    made = Toasts(window, window.area)
    yield made
    made.stop()


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(notices_view, "SECONDS", {"warning": 0.15})


def shown(toasts):
    return [toast.accessibleName() for toast in toasts.toasts]


def wait_for(toasts, count, qtbot):
    qtbot.waitUntil(lambda: len(toasts.toasts) == count)
    return toasts.toasts


def button(toast, words):
    return next(one for one in toast.findChildren(Button) if words in (one.text(), one.toolTip()))


def test_a_notice_from_any_thread_comes_up_at_the_lower_edge(toasts, window, qtbot):
    thread = threading.Thread(target=notify, args=("warning", Problem("the disk is full")))
    thread.start()
    thread.join()
    wait_for(toasts, 1, qtbot)
    assert shown(toasts) == ["Warning: the disk is full."]
    assert toasts.isVisible()
    assert window.rect().contains(toasts.geometry())
    assert toasts.geometry().bottom() == window.height() - 1


def test_notices_cover_nothing_since_the_content_makes_room_for_them(toasts, window, qtbot):
    notify("error", "something failed")
    (toast,) = wait_for(toasts, 1, qtbot)
    qtbot.waitUntil(lambda: window.field.geometry().bottom() < toasts.geometry().top())
    qtbot.mouseClick(button(toast, "Close"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.field.geometry() == window.area.rect())


def test_mere_information_is_left_to_the_status_line(toasts, qtbot):
    informed = []
    toasts.informed.connect(informed.append)
    notify("info", "the next run trains on plays")
    qtbot.waitUntil(lambda: informed == ["The next run trains on plays."])
    assert toasts.toasts == []


def test_a_notice_for_debugging_goes_to_the_log_alone(toasts, qtbot):
    received = []
    toasts.received.connect(received.append)
    notify("debug", "the main thread was blocked")
    notify("warning", "not saved")
    wait_for(toasts, 1, qtbot)
    assert [notice.level for notice in received] == ["debug", "warning"]
    assert shown(toasts) == ["Warning: not saved."]


def test_it_never_takes_the_focus(toasts, window, qtbot):
    notify("error", "something failed")
    wait_for(toasts, 1, qtbot)
    assert window.field.hasFocus()


def test_a_notice_is_announced_to_screen_readers(toasts, qtbot, monkeypatch):
    reported = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: reported.append(event.message()))
    notify("error", "something failed")
    wait_for(toasts, 1, qtbot)
    assert reported == ["Error: something failed."]


def test_every_notice_is_emitted_in_the_main_thread(toasts, qtbot):
    received = []
    toasts.received.connect(lambda notice: received.append((notice.problem.what, threading.current_thread())))
    threads = [threading.Thread(target=notify, args=("info", str(number))) for number in range(5)]
    for thread in threads:
        thread.start()
        thread.join()
    qtbot.waitUntil(lambda: len(received) == 5)
    assert received == [(str(number), threading.main_thread()) for number in range(5)]


def test_equal_notices_are_counted(toasts, qtbot):
    for _ in range(3):
        notify("warning", Problem("diverged", plugin="average"))
    notify("error", Problem("diverged", plugin="average"))
    first, second = wait_for(toasts, 2, qtbot)
    assert first._times.text() == "3×"
    assert second._times.isHidden()


def test_warnings_close_and_errors_stay(toasts, qtbot, quick):
    for level in ("warning", "error"):
        notify(level, f"a {level}")
    wait_for(toasts, 2, qtbot)
    (error,) = wait_for(toasts, 1, qtbot)
    assert shown(toasts) == ["Error: a error."]
    assert not error._timer.isActive()


def test_a_warning_stays_while_the_mouse_is_over_it(toasts, qtbot, quick):
    notify("warning", "read me")
    (toast,) = wait_for(toasts, 1, qtbot)
    place = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(place, place, place))
    assert not toast._timer.isActive()
    assert shown(toasts) == ["Warning: read me."]
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    wait_for(toasts, 0, qtbot)
    assert not toasts.isVisible()


def test_it_closes_by_its_button(toasts, qtbot):
    notify("error", "something failed")
    (toast,) = wait_for(toasts, 1, qtbot)
    qtbot.mouseClick(button(toast, "Close"), Qt.MouseButton.LeftButton)
    assert toasts.toasts == []
    assert not toasts.isVisible()


def test_at_most_three_notices_are_visible_and_errors_stay_longest(toasts, qtbot):
    requested = []
    toasts.details_requested.connect(requested.append)
    notify("error", "first")
    for what in ("second", "third", "fourth"):
        notify("warning", what)
    wait_for(toasts, 3, qtbot)
    assert shown(toasts) == ["Error: first.", "Warning: third.", "Warning: fourth."]
    assert toasts._more.isVisible()
    qtbot.mouseClick(toasts._more, Qt.MouseButton.LeftButton)
    assert requested[0].problem.what == "second"


def test_a_problem_at_a_field_offers_to_show_it(window, qtbot):
    toasts = Toasts(window, window.area, has_field=lambda name: name.startswith("training."))
    requested = []
    toasts.field_requested.connect(requested.append)
    notify("error", Problem("is too large", field="training.batch_size"))
    notify("error", Problem("cannot be written", field="settings.json"))
    first, second = wait_for(toasts, 2, qtbot)
    qtbot.mouseClick(button(first, "Show field"), Qt.MouseButton.LeftButton)
    assert requested == ["training.batch_size"]
    assert "Show field" not in [one.text() for one in second.findChildren(Button)]
    toasts.stop()


def test_the_details_button_requests_the_trace(toasts, qtbot):
    requested = []
    toasts.details_requested.connect(requested.append)
    notify("error", Problem("failed", trace="Traceback …"))
    (toast,) = wait_for(toasts, 1, qtbot)
    qtbot.mouseClick(button(toast, "Details"), Qt.MouseButton.LeftButton)
    assert requested == [toast.notice]


def test_a_long_notice_is_shortened(toasts, window, qtbot):
    notify("error", Problem("no " * 400, field="/" + "folder_without_a_space" * 8))
    (toast,) = wait_for(toasts, 1, qtbot)
    toasts.layout().activate()
    assert len(toast.text.text().replace("\u200b", "")) <= LONGEST + 2
    assert toast.text.height() >= toast.text.heightForWidth(toast.text.width())
    assert window.rect().contains(toasts.geometry())
    assert button(toast, "Details")


def test_a_long_notice_still_says_what_to_do(toasts, qtbot):
    notify("error", Problem("no" + " no" * 400, remedy="install it again"))
    (toast,) = wait_for(toasts, 1, qtbot)
    assert toast.text.text().replace("\u200b", "").endswith("no … install it again.")
    assert button(toast, "Details")


def test_long_names_may_break_and_lose_nothing(qtbot):
    name = "/home/" + "x" * 60 + "/a.txt"
    assert max(map(len, breakable(name).split("\u200b"))) <= 25
    assert breakable(name).replace("\u200b", "") == name


def test_it_follows_the_window_as_it_is_resized(toasts, window, qtbot):
    notify("error", "something failed")
    wait_for(toasts, 1, qtbot)
    window.resize(1300, 800)
    assert (toasts.geometry().right(), toasts.geometry().bottom()) == (1299, 799)


@pytest.fixture
def few_waiting(monkeypatch):
    monkeypatch.setattr(notices_view, "WAITING", 100)


def test_a_flood_of_notices_loses_only_the_oldest(few_waiting, toasts, qtbot):
    received = []
    toasts.received.connect(received.append)
    for number in range(3000):
        notify("warning", f"note {number}")
    qtbot.waitUntil(lambda: bool(received) and received[-1].problem.what == "note 2999")
    assert len(received) == notices_view.WAITING
    assert len(toasts.toasts) == 3


def test_after_stopping_no_notice_is_shown(toasts, qtbot):
    received = []
    toasts.received.connect(received.append)
    notify("info", "before")
    toasts.stop()
    notify("info", "after")
    QApplication.processEvents()
    assert not toasts._pause.isActive()
    assert [notice.problem.what for notice in received] == ["before"]
    assert all(isinstance(notice, Notice) for notice in received)
    assert toasts.toasts == []


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("story.txt is empty", "story.txt is empty"),
        ("wiki-2 was not found", "wiki-2 was not found"),
        ("the disk is full", "The disk is full"),
    ],
)
def test_a_notice_starts_with_a_capital_letter_unless_it_starts_with_the_name_of_a_file(what, shown):
    assert sentence(Problem(what)) == f"{shown}."
