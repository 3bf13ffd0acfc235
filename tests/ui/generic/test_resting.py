"""A window is at rest when its threads, timers and layouts are."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget
from resting import settle

from lab.shell.runtime.background import Background


@pytest.fixture
def window(qtbot):
    """A window with a scroll area and content."""
    window = QWidget()
    qtbot.addWidget(window)
    window.area, inside, window.rows = QScrollArea(), QWidget(), QWidget()
    window.area.setWidgetResizable(True)
    QVBoxLayout(window.rows)
    QVBoxLayout(inside).addWidget(window.rows)
    window.area.setWidget(inside)
    QVBoxLayout(window).addWidget(window.area)
    window.resize(200, 100)
    window.show()
    settle()
    return window


def add(window, *_):
    for number in range(20):
        window.rows.layout().addWidget(QLabel(f"row {number}"))


def is_laid_out(window):
    rows = window.rows.findChildren(QLabel)
    return len(rows) == 20 and all(row.isVisible() and row.height() >= row.sizeHint().height() for row in rows)


def test_results_of_threads_are_waited_for_and_laid_out(window):
    background = Background(window)
    waits = threading.Event()
    QTimer.singleShot(0, waits.set)  # it fires in the first turn of the events
    background.run("Reading", lambda _: waits.wait(20), lambda _: add(window))
    settle()
    assert is_laid_out(window)
    background.close()


def test_pending_timers_are_waited_for_and_keep_their_interval(window):
    pause = QTimer(window, singleShot=True, interval=400)
    pause.timeout.connect(lambda: add(window))
    pause.start()
    settle()
    assert is_laid_out(window)
    assert pause.interval() == 400
    assert not pause.isActive()


def test_long_timers_are_not_waited_for(window):
    stay = QTimer(window, singleShot=True, interval=60_000)
    stay.start()
    settle(seconds=5)
    assert stay.isActive()


def test_work_that_does_not_end_is_named(window):
    background, ended = Background(window), threading.Event()
    background.run("Reading for ever", lambda _: ended.wait(20), lambda _: None)
    with pytest.raises(AssertionError, match="Reading for ever"):
        settle(seconds=0.2)
    ended.set()
    background.close()
