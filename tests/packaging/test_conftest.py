"""The rules that every test of this tree is held to, each broken once."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).parents[1] / "conftest.py"


@pytest.fixture
def outcome_of(pytester, monkeypatch):
    """Return a function that runs test files under the tree's conftest, in a process of its own."""

    def run(**codes):
        monkeypatch.setenv("LAB_TESTS_WITHOUT_QT", "1")
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the plugins take longer than the test
        pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
        pytester.makepyfile(**codes)
        pytester.makeini("[pytest]\nqt_log_level_fail = WARNING\n")
        return pytester.runpytest_subprocess("--strict-config", "-rE")

    return run


LEAVES = """
import threading, time

def test_leaves_a_thread_of_the_lab():
    threading.Thread(target=time.sleep, args=(30,), name="lab-writer", daemon=True).start()
"""
ENDS = """
import threading, time

def test_leaves_threads():
    threading.Thread(target=time.sleep, args=(0.2,)).start()
    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
"""
WITHOUT_QT = """
import importlib.util
import pytest

@pytest.mark.parametrize("name", ["PySide6", "PySide6.QtWidgets", "shiboken6", "pyqtgraph"])
def test_import(name):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)

def test_search():
    assert importlib.util.find_spec("PySide6") is None
"""
HOME = """
import os
from pathlib import Path
import pytest

@pytest.mark.parametrize("turn", [1, 2])
def test_home(turn):
    home = Path(os.environ["LAB_HOME"])
    home.mkdir(parents=True)
    assert " " in home.name
"""


def test_threads_end_qt_is_hidden_and_every_test_has_an_empty_home(outcome_of):
    result = outcome_of(test_leaves=LEAVES, test_ends=ENDS, test_without_qt=WITHOUT_QT, test_home=HOME)
    result.assert_outcomes(passed=9, errors=1)
    result.stdout.fnmatch_lines(["*'lab-writer', started at *test_leaves.py:4", "ERROR test_leaves.py::*"])


@pytest.fixture(scope="module")
def conftest():
    """Return the module of the tree's conftest."""
    spec = importlib.util.spec_from_file_location("conftest_of_the_tree", CONFTEST)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Process:
    """One process of pytest-xdist, which runs nothing."""

    shutting_down = False

    def send_runtest_some(self, indices):
        """Take the numbers of tests."""


def test_files_with_long_tests_are_the_first_and_a_folder_that_shares_things_is_one_of_them(conftest):
    options = {"dist": "loadfile", "tx": ["popen"]}
    config = SimpleNamespace(getvalue=options.get, option=SimpleNamespace(loadscopereorder=True))
    scheduler, process = conftest.pytest_xdist_make_scheduler(config, None), Process()
    counts = {"base/test_a.py": 9, "base/test_b.py": 5, "parity/test_c.py": 2, "parity/test_d.py": 1}
    counts |= {"ui/generic/test_everything_seen.py": 1}
    scheduler.add_node(process)
    scheduler.add_node_collection(
        process, [f"tests/{file}::{n}" for file, count in counts.items() for n in range(count)]
    )
    scheduler.schedule()
    assert list(scheduler.assigned_work[process]) == ["tests/base/test_a.py"]
    assert list(scheduler.workqueue) == [
        "tests/ui/generic/test_everything_seen.py", "tests/parity/", "tests/base/test_b.py",
    ]  # fmt: skip
    assert len(scheduler.workqueue["tests/parity/"]) == 3


@pytest.fixture
def cases(conftest):
    """Mark the cases of a test; return those that are long."""

    def cases(ids, *short, arguments=("tests",), failed=False):
        items = [Case(each, short) for each in ids]
        config = SimpleNamespace(args=arguments, option=SimpleNamespace(lf=failed))
        conftest.pytest_collection_modifyitems(config, items)
        return [item.callspec.id for item in items if item.long]

    return cases


class Case:
    """A case of a test, as pytest collects it."""

    def __init__(self, case, short):
        """Give it a marker `short`."""
        self.nodeid, self.callspec = f"tests/test_a.py::test_b[{case}]", SimpleNamespace(id=case)
        self.long, self.marker = False, pytest.mark.short(*short).mark

    def get_closest_marker(self, name):
        """Return its only marker."""
        return self.marker if name == "short" else None

    def add_marker(self, marker):
        """Take a second marker."""
        self.long = marker.name == "long"


def test_cases_that_are_not_named_as_short_are_long(cases):
    assert cases(["one", "two-a", "two-b", "three"], "one", "two-*") == ["three"]


def test_a_short_case_that_no_test_has_is_refused_where_whole_files_are_collected(cases):
    with pytest.raises(pytest.UsageError, match="test_b has no case 'four'"):
        cases(["one"], "one", "four")
    assert cases(["one"], "four", arguments=["tests/test_a.py::test_b[one]"]) == ["one"]
    assert cases(["one"], "four", failed=True) == ["one"]  # of a file, those alone that failed before


def test_the_files_with_long_tests_and_the_folders_exist(conftest):
    listed = [*conftest.LONG_FILES, *conftest.ROOMS]
    assert [path for path in listed if not (conftest.ROOT / path).exists()] == []
