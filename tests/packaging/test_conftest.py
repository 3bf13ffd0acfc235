"""The rules that every test of this tree is held to, each broken once."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).parents[1] / "conftest.py"


@pytest.fixture
def outcome_of(pytester, monkeypatch):
    """Return a function that runs a test file under the tree's conftest, in a process of its own."""

    def run(code, *, without_qt=True):
        monkeypatch.setenv("LAB_TESTS_WITHOUT_QT", "1" if without_qt else "0")
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the plugins take longer than the test
        pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
        pytester.makepyfile(code)
        pytester.makeini("[pytest]\nqt_log_level_fail = WARNING\n")
        return pytester.runpytest_subprocess("--strict-config")

    return run


def test_a_thread_left_behind_fails_its_test_and_is_named_with_its_line(outcome_of):
    result = outcome_of(
        """
        import threading, time

        def test_leaves_a_thread_of_the_lab():
            threading.Thread(target=time.sleep, args=(30,), name="lab-writer", daemon=True).start()
        """
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*'lab-writer', started at *test_a_thread_left*.py:4"])


def test_a_thread_that_ends_within_two_seconds_and_a_foreign_daemon_pass(outcome_of):
    result = outcome_of(
        """
        import threading, time

        def test_leaves_threads():
            threading.Thread(target=time.sleep, args=(0.2,)).start()
            threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        """
    )
    result.assert_outcomes(passed=1)


def test_without_qt_its_modules_are_as_if_not_installed(outcome_of):
    result = outcome_of(
        """
        import importlib.util
        import pytest

        @pytest.mark.parametrize("name", ["PySide6", "PySide6.QtWidgets", "shiboken6", "pyqtgraph"])
        def test_import(name):
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)

        def test_search():
            assert importlib.util.find_spec("PySide6") is None
        """
    )
    result.assert_outcomes(passed=5)


def test_every_test_gets_an_empty_home_of_its_own(outcome_of):
    result = outcome_of(
        """
        import os
        from pathlib import Path
        import pytest

        @pytest.mark.parametrize("turn", [1, 2])
        def test_home(turn):
            home = Path(os.environ["LAB_HOME"])
            home.mkdir(parents=True)
            assert " " in home.name
        """
    )
    result.assert_outcomes(passed=2)
