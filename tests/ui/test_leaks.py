"""A test that leaves a Qt object behind fails with its description and origin."""

import pytest
from PySide6.QtCore import QPoint, QPropertyAnimation, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qt_compat import qt_api


@pytest.fixture
def leaks(request):
    """Return what this test has left so far, as checked at its end."""
    conftest = next(plugin for plugin in request.config.pluginmanager.get_plugins() if hasattr(plugin, "things_left"))
    before = conftest.QApplication.topLevelWidgets()

    def lines():
        conftest.settle()
        return [line for _, line in conftest.things_left(before)]

    return lines


def test_the_tests_use_the_binding_that_the_lab_uses(qapp):
    assert qt_api.pytest_qt_api == "pyside6"


def test_a_window_left_open_is_named_with_the_line_that_made_it(leaks):
    window = QWidget()
    window.setObjectName("forgotten")
    window.show()
    (line,) = leaks()
    assert line.startswith("QWidget 'forgotten', made at ")
    assert "test_leaks.py:" in line
    window.deleteLater()
    assert leaks() == []


def test_a_timer_left_running_is_named_with_the_line_that_started_it(leaks):
    timer = QTimer()
    timer.start(5000)
    (line,) = leaks()
    assert line.startswith("QTimer every 5000 ms, started at ")
    assert "test_leaks.py:" in line
    timer.stop()
    assert leaks() == []


def test_an_animation_left_running_is_named_with_the_line_that_started_it(leaks, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    animation = QPropertyAnimation(widget, b"pos", widget)
    animation.setDuration(60_000)
    animation.setEndValue(QPoint(5, 5))
    animation.start()
    assert any(line.startswith("QPropertyAnimation of QWidget, started at ") for line in leaks())
    animation.stop()
