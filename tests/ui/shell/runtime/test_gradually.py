"""Work that is done piece by piece between events, and at once when a person does something."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from lab.shell.runtime.gradually import Gradually


@pytest.fixture
def button(qtbot):
    """Show a button."""
    made = QPushButton()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def make(button):
    """Make a work of three pieces, which records what was done."""

    def make(failing=False):
        def pieces():
            for number in range(3):
                if failing and number == 1:
                    raise ValueError("the second piece")
                done.append(number)
                yield

        done = []
        work = Gradually(pieces(), lambda: done.append("end"), button)
        work.watch(button.windowHandle())
        return work, done

    return make


def test_the_pieces_are_done_one_with_each_round_of_events(make):
    work, done = make()
    work.start()
    assert done == []
    lengths = set()
    while not work.is_finished:
        QCoreApplication.processEvents()
        lengths.add(len(done))
    assert done == [0, 1, 2, "end"]
    assert {1, 2, 3, 4} <= lengths


@pytest.mark.parametrize(
    ("act", "with_what"), [("mouseClick", Qt.MouseButton.LeftButton), ("keyClick", Qt.Key.Key_Space)]
)
def test_a_click_or_a_key_reaches_a_widget_after_all_pieces(make, button, act, with_what):
    work, done = make()
    button.clicked.connect(lambda: done.append("clicked"))
    work.start()
    getattr(QTest, act)(button.windowHandle(), with_what)
    assert done == [0, 1, 2, "end", "clicked"]


def test_an_action_before_the_start_does_all_pieces_too(make, button):
    work, done = make()
    QTest.mouseClick(button.windowHandle(), Qt.MouseButton.LeftButton)
    work.start()
    assert done == [0, 1, 2, "end"]


def test_finishing_does_all_pieces_once(make):
    work, done = make()
    work.finish()
    work.finish()
    work.start()
    QCoreApplication.processEvents()
    assert work.is_finished
    assert done == [0, 1, 2, "end"]


def test_moving_the_pointer_finishes_nothing(make, button):
    work, done = make()
    work.start()
    QTest.mouseMove(button.windowHandle())
    assert not work.is_finished
    assert done != [0, 1, 2, "end"]
    work.finish()


def test_a_piece_that_raises_ends_the_application_and_nothing_else_is_done(make, monkeypatch, qtbot):
    codes = []
    monkeypatch.setattr(QCoreApplication, "exit", codes.append)
    work, done = make(failing=True)
    with qtbot.captureExceptions() as raised:
        work.start()
        qtbot.waitUntil(lambda: codes == [1])
        QCoreApplication.processEvents()
    assert [str(error) for _, error, _ in raised] == ["the second piece"]
    assert done == [0]
    assert not work.is_finished


def test_a_piece_that_raises_before_an_action_ends_the_application_too(make, monkeypatch):
    codes = []
    monkeypatch.setattr(QCoreApplication, "exit", codes.append)
    work, done = make(failing=True)
    with pytest.raises(ValueError, match="the second piece"):
        work.finish()
    assert (codes, done) == ([1], [0])
