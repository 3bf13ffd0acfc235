"""Fixtures of all tests of the window: a styled application, and a check that no timer or widget is left behind."""

import functools
import gc
import itertools
import os
import sys
import time
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import shiboken6
from PySide6 import QtWidgets
from PySide6.QtCore import QAbstractAnimation, QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from lab.recipes import Recipe
from lab.shell.runtime.feature_check import skip_known_modules
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.i18n import language
from lab.widgets.core.theme import themes

skip_known_modules()  # as `lm-lab` does
ROOT = Path(__file__).resolve().parents[2]
OWN = (str(ROOT / "lab"), str(ROOT / "plugins"), str(ROOT / "tests"))
SECONDS_TO_SETTLE = 1.0
WAIT = 60_000
DARK_APPEARANCE = Appearance(theme="dark")
"""Milliseconds that any operation may take on a busy machine."""

TEXT = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 60
SMALL = {
    "title": "Small",
    "corpus": {"name": "text", "text": TEXT},
    "tokenizer": {"name": "character"},
    "architecture": {"name": "transformer", "layers": 2, "width": 32, "heads": 2},
    "training": {
        "steps": 120, "batch_size": 4, "context_length": 32, "threads": 1, "device": "cpu", "seed": 1,
        "evaluate_every": 40, "evaluate_tokens": 512, "sample_tokens": 12,
        "optimizer": {"name": "adamw", "learning_rate": 0.003},
    },
}  # fmt: skip

started_timers = WeakKeyDictionary()
started_animations = WeakKeyDictionary()


tests_run = itertools.count(1)


@pytest.fixture(scope="session")
def small():
    """A recipe of a tiny transformer; settings are assigned to it."""
    return lambda *assignments: Recipe().with_values(SMALL).with_assignments(*assignments)


@pytest.fixture(scope="session")
def manual_file(tmp_path_factory):
    """Return the file that caches the text of the Python manual for all tests and processes of the session."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "python-manual.json"


@pytest.fixture(autouse=True)
def manual_gathered_once(monkeypatch, manual_file):
    """Gather the text of the Python manual, which takes seconds, when the first test reads it, and never before."""
    monkeypatch.setattr("lab.shell.session.session.Session._prepare_manual", lambda session, job: None)
    monkeypatch.setattr("lab.text.corpora.manual._cache_file", lambda: manual_file)


@pytest.fixture(autouse=True)
def measured_machine(monkeypatch):
    """Do not measure the speed of this machine, which takes a twentieth of a second, wherever Home is shown.

    The machine is one that the full profile suits.
    """
    monkeypatch.setattr("lab.shell.home.machine.core_seconds", lambda: 0.007)
    monkeypatch.setattr("lab.base.system.profile.usable_memory", lambda: 16 * 10**9)


@pytest.fixture(autouse=True)
def collected_in_this_thread():
    """Collect garbage only in the main thread, as the window does: Qt's objects crash the process in other threads."""
    gc.disable()
    yield
    if next(tests_run) % 10:
        gc.collect(1)
    else:
        gc.collect()
        gc.freeze()  # modules, mostly, which no later collection need look through again


def line_of_caller(thing):
    """Return the innermost line of this repository that led here, outside the object's constructors"""
    own = constructors(type(thing))
    frame = sys._getframe(2)
    while frame is not None and (frame.f_code in own or not frame.f_code.co_filename.startswith(OWN)):
        frame = frame.f_back
    return "an unknown place" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def pytest_collection_modifyitems(items):
    """Ignore warnings of a platform without a screen, which has no window manager for sizes and tool tips."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support (propagateSizeHints|raise)"))


@functools.cache
def constructors(kind):
    """Return the code of the constructors of a class and of those it inherits from."""
    made = [vars(each).get("__init__") for each in kind.__mro__]
    return frozenset(each.__code__ for each in made if hasattr(each, "__code__"))


def remember_widgets(kind):
    """Make a widget class record the line that made each widget."""
    make = kind.__init__

    def remembering(self, *arguments, **named):
        self._made_at = line_of_caller(self)
        make(self, *arguments, **named)

    kind.__init__ = remembering
    return lambda: setattr(kind, "__init__", make)


def remember_starts(kind, starts):
    """Make a class record the line that started each of its objects."""
    start = kind.start

    def remembering(self, *arguments):
        if not shiboken6.isValid(self):  # Qt disconnects its own `start` from an object that is deleted, but not this
            return None
        starts[self] = line_of_caller(self)
        return start(self, *arguments)

    kind.start = remembering
    return lambda: setattr(kind, "start", start)


@pytest.fixture(scope="session", autouse=True)
def remembered_qt_objects():
    """Record where widgets are made, and timers and animations started, so that leaks can be located."""
    kinds = [kind for kind in vars(QtWidgets).values() if isinstance(kind, type) and issubclass(kind, QWidget)]
    undo = [remember_widgets(kind) for kind in kinds if "__init__" in vars(kind)]
    undo += [remember_starts(QTimer, started_timers), remember_starts(QAbstractAnimation, started_animations)]
    yield
    for step in undo:
        step()


@pytest.fixture(scope="session", autouse=True)
def dressed_application(qapp, remembered_qt_objects):
    """Style the application of the tests with the dark theme."""
    themes.start(qapp, DARK_APPEARANCE)
    return qapp


@pytest.fixture
def qtbot(qtbot):
    """Wait as long as a busy machine needs, unless a test sets another timeout."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=WAIT))
    return qtbot


@pytest.fixture(autouse=True)
def dark_theme(dressed_application):
    """Start each test with the dark theme and the default appearance."""
    if themes.appearance != DARK_APPEARANCE:
        themes.apply(DARK_APPEARANCE)


@pytest.fixture(autouse=True)
def nothing_of_qt_left_behind(dark_theme):
    """Fail a test that leaves a window, a running timer or a running animation, and name the line that made it."""
    windows = QApplication.topLevelWidgets()
    started_timers.clear()
    started_animations.clear()
    yield
    deadline = time.monotonic() + SECONDS_TO_SETTLE
    settle()
    if things_left(windows):
        gc.collect()  # what a cycle of somebody's exception and its frames held is not left
    while (left := things_left(windows)) and time.monotonic() < deadline:
        settle()
        time.sleep(0.01)
    lines = [line for _, line in left]
    for thing, _ in left:
        end(thing)
    settle()
    if lines:
        pytest.fail("the test left behind:\n" + "\n".join(lines), pytrace=False)


def settle():
    """Process pending events and deletions."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def things_left(windows):
    """Return the objects that a test must not leave, each with a line that describes it."""
    found = [
        (widget, f"{named(widget)}, made at {getattr(widget, '_made_at', 'an unknown place')}")
        for widget in QApplication.topLevelWidgets()
        if widget not in windows and not belongs(widget)
    ]
    for timer, place in list(started_timers.items()):
        if shiboken6.isValid(timer) and timer.isActive():
            found.append((timer, f"{named(timer)} every {timer.interval()} ms, started at {place}"))
    for animation, place in list(started_animations.items()):
        if shiboken6.isValid(animation) and animation.state() == QAbstractAnimation.State.Running:
            found.append((animation, f"{named(animation)}, started at {place}"))
    return found


def belongs(widget):
    """Return True if a window is deleted with its owner, as a menu is, or is Qt's own tool tip."""
    return widget.parent() is not None or widget.metaObject().className() == "QTipLabel"


def named(thing):
    """Return a description of an object, with its name and owner if it has them."""
    words = type(thing).__name__
    if thing.objectName():
        words += f" {thing.objectName()!r}"
    return words if thing.parent() is None else f"{words} of {type(thing.parent()).__name__}"


def end(thing):
    """Delete what was left, so that the next test does not find it."""
    if not shiboken6.isValid(thing):
        return
    if isinstance(thing, QWidget):
        thing.close()
        thing.deleteLater()
    else:
        thing.stop()


@pytest.fixture
def german(qapp):
    """Show the texts that are made in the test in German."""
    language.use("de")
    yield
    language.use("en")
