"""The code that blocks the window is found from the stacks of all threads, without keeping their objects alive."""

import gc
import threading
import weakref
from pathlib import Path

import pytest

import lab.base.jobs
from lab.base.folders import plugins_folder
from lab.host import Plugins
from lab.shell.runtime.stalls import Location, find_stalled_code, stacks, thread_names, trace_of

PACKAGE = '''"""A plugin of two files."""
from .inner import hold
'''
INNER = """
def hold(inside, go_on):
    inside.set()
    go_on.wait(5)
    return inside
"""
LOOP = Location("loop.py", 7, "exec")


@pytest.fixture
def stack_of():
    """Return the stack of a thread that waits inside a function."""
    threads, go_on = [], threading.Event()

    def start(hold):
        inside = threading.Event()
        threads.append(threading.Thread(target=hold, args=(inside, go_on), name="lab: worker"))
        threads[-1].start()
        inside.wait(5)
        stack = stacks()[threads[-1].ident]
        while Path(stack[0].file).name == "threading.py":
            stack = stack[1:]
        return threads[-1].ident, stack

    yield start
    go_on.set()
    for thread in threads:
        thread.join()


def wait_inside(inside, go_on):
    inside.set()
    go_on.wait(5)


def test_the_main_thread_is_named_if_it_is_busy():
    here = stacks()[threading.get_ident()]
    stalled, found = find_stalled_code({1: here}, 1, LOOP[:2], None, {})
    assert found is here
    assert (stalled.plugin, stalled.thread) == (None, "")


def test_another_thread_is_named_if_the_main_thread_is_idle(stack_of):
    ident, stack = stack_of(wait_inside)
    stalled, found = find_stalled_code({1: [LOOP], ident: stack}, 1, LOOP[:2], None, thread_names())
    assert found is stack
    assert stalled.thread == "lab: worker"
    assert stalled.location.startswith("test_stalls.py, line ")
    assert trace_of(found).splitlines()[-1].endswith("in wait_inside")


def test_the_calling_line_of_the_lab_is_named_and_not_the_library():
    jobs = Path(lab.base.jobs.__file__)
    stack = [Location("/usr/lib/python3/json.py", 3, "dumps"), Location(str(jobs), 40, "start")]
    stalled, _ = find_stalled_code({1: stack}, 1, LOOP[:2], None, {})
    assert stalled.location == "jobs.py, line 40"


def test_a_thread_of_the_lab_is_named_before_others():
    stacks = {1: [LOOP], 2: [Location("elsewhere.py", 1, "read")], 3: [Location("model.py", 5, "forward")]}
    stalled, _ = find_stalled_code(stacks, 1, LOOP[:2], None, {2: "receiver", 3: "lab: Training rope"})
    assert stalled.thread == "lab: Training rope"


def test_a_thread_that_waits_is_not_named(stack_of):
    ident, _ = stack_of(wait_inside)
    stalled, found = find_stalled_code({1: [LOOP], ident: stacks()[ident]}, 1, LOOP[:2], None, thread_names())
    assert found == ()
    assert stalled.location == ""


def test_a_plugin_in_a_folder_is_found_by_its_files(stack_of, lab_home):
    folder = plugins_folder() / "twofold"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "inner.py").write_text(INNER)
    plugins = Plugins(enable=["twofold"], built_ins=[])
    plugins.load()
    import lab_plugin_twofold

    ident, stack = stack_of(lab_plugin_twofold.hold)
    stalled, _ = find_stalled_code({1: [LOOP], ident: stack}, 1, LOOP[:2], plugins, {})
    assert stalled.plugin == "twofold"
    assert stalled.location.startswith("inner.py, line ")


def test_a_built_in_plugin_is_found_by_its_folder():
    import lab_ngram.model

    plugins = Plugins(built_ins=["lab_ngram", "lab.text.builtins"])
    stack = [Location("/somewhere/else.py", 1, "f"), Location(lab_ngram.model.__file__, 12, "count")]
    stalled, _ = find_stalled_code({1: [LOOP], 2: stack}, 1, LOOP[:2], plugins, {})
    assert (stalled.plugin, stalled.location) == ("lab_ngram", "model.py, line 12")


def test_files_with_non_ascii_names_are_named_correctly(tmp_path):
    file = tmp_path / "schläfrig 眠.py"
    space = {}
    exec(compile("def told(stacks):\n    return stacks()\n", str(file), "exec"), space)
    here = space["told"](stacks)[threading.get_ident()]
    assert str(file) in [place.file for place in here]


def test_reading_stacks_keeps_no_objects_of_other_threads_alive(stack_of):
    freed, is_read = threading.Event(), threading.Event()

    class Painter:
        pass

    def hold(inside, _):
        painter = Painter()
        weakref.finalize(painter, freed.set)
        inside.set()
        is_read.wait(5)
        del painter

    gc.disable()
    _, stack = stack_of(hold)
    is_read.set()
    assert freed.wait(5)
    assert stack
