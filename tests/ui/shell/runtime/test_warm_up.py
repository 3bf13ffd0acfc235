"""The warm-up loads what a run needs, in the background."""

import gc
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from lab.base import problems
from lab.base.jobs import Job
from lab.shell.runtime import warm_up as warm_up_module
from lab.shell.runtime.warm_up import WarmUp


class PluginsThatLoad:
    def __init__(self):
        self.loaded = 0

    def load(self):
        self.loaded += 1
        return self


@pytest.fixture
def short(monkeypatch):
    """Skip the imports, which take seconds and happen only once in a process."""
    for name in ("open_libraries", "_import_torch", "_import_modules", "_make_step"):
        monkeypatch.setattr(warm_up_module, name, lambda: None)


@pytest.fixture
def warm_up(qtbot):
    made = WarmUp()
    yield made
    made.close()


@pytest.fixture
def plugins():
    return PluginsThatLoad()


def test_after_the_warm_up_a_run_can_start_and_plugins_are_loaded(warm_up, plugins, short, qtbot):
    messages = []
    warm_up.progress.connect(messages.append)
    assert not warm_up.ready
    with qtbot.waitSignal(warm_up.done):
        warm_up.start(plugins)
    assert warm_up.ready
    assert plugins.loaded == 1
    assert messages == [
        "Opening torch",
        "Loading torch",
        "Loading the training code",
        "Running a test step",
        "Loading plugins",
    ]


def test_a_missing_torch_becomes_a_notice_with_a_remedy(warm_up, plugins, short, qtbot, reported, monkeypatch):
    def missing():
        raise ModuleNotFoundError("No module named 'torch'")

    monkeypatch.setattr(warm_up_module, "_import_torch", missing)
    with qtbot.waitSignal(warm_up.failed):
        warm_up.start(plugins)
    assert not warm_up.ready
    assert plugins.loaded == 0
    (problem,) = reported
    assert "No module named 'torch'" in problem.what
    assert "Install torch and pyqtgraph again" in problem.remedy


def test_an_error_of_the_lab_is_called_its_own_and_has_its_stage_and_trace(
    warm_up, plugins, short, qtbot, reported, monkeypatch
):
    def too_deep():
        raise RecursionError("too deep")

    monkeypatch.setattr(warm_up_module, "_make_step", too_deep)
    with qtbot.waitSignal(warm_up.failed):
        warm_up.start(plugins)
    (problem,) = reported
    assert "(Running a test step): RecursionError: too deep" in problem.what
    assert "error of the lab" in problem.remedy
    assert "Install" not in problem.remedy
    assert "in too_deep" in problem.trace


def test_an_error_in_code_of_a_plugin_names_it_with_its_own_remedy(monkeypatch):
    monkeypatch.setitem(problems._modules, __name__, "average")
    with pytest.raises(ImportError) as raised:
        raise ImportError("not there")
    problem = warm_up_module.failure_of(raised.value, "Loading plugins")
    assert problem.plugin == "average"
    assert problem.remedy == "Repair it, or turn it off: lm-lab plugins disable average"


def test_at_the_first_start_another_process_compiles_before_the_charts_are_imported(
    warm_up, plugins, short, qtbot, monkeypatch
):
    order = []
    monkeypatch.setattr(warm_up_module, "is_compiled", lambda: False)
    monkeypatch.setattr(warm_up_module, "compile_imports", lambda job: order.append("compiled"))
    monkeypatch.setattr(warm_up_module, "charts_in_slices", lambda: iter([order.append("charts")]))
    warm_up.progress.connect(order.append)
    with qtbot.waitSignal(warm_up.done):
        warm_up.start(plugins)
    assert order[:3] == ["Preparing the first start", "compiled", "charts"]


def test_uncompiled_modules_are_found_and_unwritable_ones_skipped(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "compiled"))
    assert not warm_up_module.is_compiled()
    for name in ("pyqtgraph", "torch"):
        stored = Path(importlib.util.cache_from_source(importlib.util.find_spec(name).origin))
        stored.parent.mkdir(parents=True)
        stored.touch()
    assert warm_up_module.is_compiled()
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "other"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert warm_up_module.is_compiled()


def test_the_process_that_compiles_ends_when_the_window_closes(monkeypatch):
    monkeypatch.setattr(warm_up_module, "CHARTS", "time; time.sleep(100)")
    job = Job("compile", warm_up_module.compile_imports)
    job.start()
    job.cancel()
    assert job.join(10)


SLICES = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from lab.shell.runtime.warm_up import charts_in_slices

application, beats = QApplication([]), []
timer = QTimer()
def beat():
    charts = sys.modules.get("pyqtgraph")
    beats.append(charts is not None and not hasattr(charts, "plot"))

timer.timeout.connect(beat)
timer.start(0)
slices = list(charts_in_slices())
assert len(slices) > 10 and slices[-1] == "pyqtgraph"
assert sum(beats) > 10, "no timer fired while the charts were half imported"
assert sys.modules["pyqtgraph"].PlotCurveItem and list(charts_in_slices()) == []
"""


@pytest.mark.long
def test_timers_fire_while_the_charts_are_imported():
    subprocess.run([sys.executable, "-c", SLICES], check=True)


def test_the_warm_up_restores_the_state_of_python(warm_up, plugins, short, qtbot):
    before = sys.getswitchinterval(), gc.isenabled()
    with qtbot.waitSignal(warm_up.done):
        warm_up.start(plugins)
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_a_cancelled_warm_up_restores_the_state_of_python(warm_up, plugins, short, qtbot, monkeypatch):
    before = sys.getswitchinterval(), gc.isenabled()
    monkeypatch.setattr(warm_up_module, "_import_torch", warm_up._background.close)  # as if closed at this moment
    with qtbot.assertNotEmitted(warm_up.done, wait=100):
        warm_up.start(plugins)
    warm_up.close()
    assert plugins.loaded == 0
    assert (sys.getswitchinterval(), gc.isenabled()) == before


def test_every_module_that_it_imports_exists():
    for module in warm_up_module.MODULES:
        assert importlib.util.find_spec(module), module


WHOLE = """
import sys
from collections import Counter
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from lab.host import Plugins
from lab.shell.runtime.warm_up import WarmUp

application, warm_up, stages, beats = QApplication([]), WarmUp(), [""], Counter()
assert "torch" not in sys.modules
timer = QTimer()
timer.timeout.connect(lambda: beats.update(stages[-1:]))
timer.start(1)
warm_up.progress.connect(stages.append)
warm_up.done.connect(application.quit)
warm_up.failed.connect(application.quit)
warm_up.start(Plugins.from_environment())
application.exec()
timer.stop()
warm_up.close()
assert warm_up.ready and "sympy" in sys.modules and "lab.training.trainer" in sys.modules
assert min(beats["Loading torch"], beats["Loading the training code"]) > 50, beats
"""


@pytest.mark.long
def test_in_a_fresh_process_all_is_loaded_and_the_window_keeps_moving():
    subprocess.run([sys.executable, "-c", WHOLE], check=True)  # how long it stands still is for the benchmark to say


def test_each_stage_is_named_in_the_language_of_that_time(warm_up, plugins, request):
    warm_up._plugins = plugins
    stages = warm_up._stages()
    assert next(stages)[0] == "Opening torch"
    request.getfixturevalue("german")
    assert next(stages)[0] == "torch wird geladen"
