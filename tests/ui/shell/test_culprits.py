"""Whose code holds the window is read from the frames of all threads."""

import sys
import threading
from pathlib import Path

import pytest

from lab.base.folders import plugins_folder
from lab.host import Plugins
from lab.shell.culprits import culprit_of

PACKAGE = '''"""A plugin of two files."""
from .inner import hold
'''
INNER = """
def hold(inside, go_on):
    inside.set()
    go_on.wait(5)
    return inside
"""


@pytest.fixture
def frame_of():
    """Give the frame of a thread that stands inside a function which says so and waits."""
    threads, go_on = [], threading.Event()

    def start(hold):
        inside = threading.Event()
        threads.append(threading.Thread(target=hold, args=(inside, go_on), name="lab: worker"))
        threads[-1].start()
        inside.wait(5)
        frame = sys._current_frames()[threads[-1].ident]
        while Path(frame.f_code.co_filename).name == "threading.py":
            frame = frame.f_back
        return threads[-1].ident, frame

    yield start
    go_on.set()
    for thread in threads:
        thread.join()


def wait_inside(inside, go_on):
    inside.set()
    go_on.wait(5)


def standing(frame):
    return frame.f_code, frame.f_lineno


def test_the_main_thread_itself_where_it_is_busy():
    frame = sys._getframe()
    culprit, found = culprit_of({1: frame}, 1, None, None)
    assert found is frame
    assert (culprit.plugin, culprit.thread) == (None, "")
    assert culprit.place.startswith("test_culprits.py, line ")


def test_another_thread_where_the_main_thread_has_nothing_to_do(frame_of):
    main = sys._getframe()
    ident, frame = frame_of(wait_inside)
    culprit, found = culprit_of({1: main, ident: frame}, 1, standing(main), None)
    assert found is frame
    assert culprit.thread == "lab: worker"


def test_a_thread_that_waits_for_another_holds_nobody(frame_of):
    main = sys._getframe()
    ident, _ = frame_of(wait_inside)
    waiting = sys._current_frames()[ident]
    culprit, frame = culprit_of({1: main, ident: waiting}, 1, standing(main), None)
    assert frame is None
    assert culprit.place == ""


def test_a_plugin_that_is_a_folder_is_known_by_its_files(frame_of, lab_home):
    folder = plugins_folder() / "twofold"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "inner.py").write_text(INNER)
    plugins = Plugins(enable=["twofold"], built_ins=[])
    plugins.load()
    import lab_plugin_twofold

    main = sys._getframe()
    ident, frame = frame_of(lab_plugin_twofold.hold)
    culprit, _ = culprit_of({1: main, ident: frame}, 1, standing(main), plugins)
    assert culprit.plugin == "twofold"
    assert culprit.place.startswith("inner.py, line ")


def test_a_built_in_plugin_is_known_by_its_module(frame_of):
    plugins = Plugins(built_ins=["lab_ngram", "lab.text.parts"])
    main = sys._getframe()
    space = {"__name__": "lab_ngram.model"}
    exec("def hold(inside, go_on):\n    inside.set()\n    go_on.wait(5)\n", space)
    ident, frame = frame_of(space["hold"])
    culprit, _ = culprit_of({1: main, ident: frame}, 1, standing(main), plugins)
    assert culprit.plugin == "lab_ngram"
