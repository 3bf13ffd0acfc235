"""What every test gets: a home folder of its own, no thread left behind and, where asked for, a Python without Qt."""

import os
import sys
import threading
import time
import traceback
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest

ROOT = Path(__file__).resolve().parent.parent
QT_MODULES = ("PySide6", "shiboken6", "pyqtgraph")
SECONDS_TO_END = 2.0

if os.environ.get("LAB_TESTS_WITHOUT_QT") == "1":
    for module in QT_MODULES:
        sys.modules[module] = (
            None  # as if it were not installed: imports raise ModuleNotFoundError, find_spec says None
        )

starting_points: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
start_thread = threading.Thread.start


def start_and_remember(thread):
    """Start a thread and keep the line of this tree, or else of anybody, that asked for it."""
    stack = traceback.extract_stack()[:-1]
    ours = [frame for frame in stack if Path(frame.filename).is_relative_to(ROOT)] or stack
    starting_points[thread] = f"{ours[-1].filename}:{ours[-1].lineno}"
    start_thread(thread)


def pytest_addoption(parser, pluginmanager):
    """Declare the options of pytest-qt that pyproject.toml sets, where that plugin is switched off."""
    if not pluginmanager.has_plugin("pytest-qt"):
        for name in ("qt_api", "qt_log_level_fail"):
            parser.addini(name, "has no meaning without pytest-qt")


@pytest.fixture(scope="session", autouse=True)
def remembered_thread_starts():
    """Remember where threads are started, so that the one that stays can be found."""
    threading.Thread.start = start_and_remember
    yield
    threading.Thread.start = start_thread


@pytest.fixture(autouse=True)
def no_thread_left_behind(remembered_thread_starts):
    """Fail a test whose threads have not ended two seconds after it; foreign daemon threads may stay."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + SECONDS_TO_END
    left = threads_left(before)
    while left and time.monotonic() < deadline:
        left[0].join(deadline - time.monotonic())
        left = threads_left(before)
    if left:
        lines = [f"{thread.name!r}, started at {starting_points.get(thread, 'an unknown place')}" for thread in left]
        pytest.fail("the test left threads behind:\n" + "\n".join(lines), pytrace=False)


def threads_left(before):
    """List the threads that a test must not leave: those that keep Python alive, and the lab's own of any kind."""
    new = set(threading.enumerate()) - before
    return [thread for thread in new if not thread.daemon or thread.name.startswith("lab")]


@pytest.fixture(autouse=True)
def lab_home(tmp_path, monkeypatch):
    """Give the test an empty home folder, with a space in its name."""
    home = tmp_path / "lab home"
    monkeypatch.setenv("LAB_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of texts that lies beside this tree on some machines."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the texts of {folder} are not on this machine")
    return folder


@pytest.fixture
def told():
    """Collect the problems that are told as notices from now on."""
    from lab.base.notices import listen

    problems = []
    silence = listen(lambda notice: problems.append(notice.problem))
    yield problems
    silence()
