"""The warm-up: after the first paint of the window it loads what a run needs, so that nothing blocks later."""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer, Signal, Slot

from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import LabError, Problem, problem_of
from lab.base.processes import run_python
from lab.host import Plugins
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr

LIBRARIES = ("c10", "torch_cpu", "torch", "torch_python")
"""torch's own libraries, those first on which the others depend."""
MODULES = (
    "lab.training.experiment",
    "lab.training.recording.recorder",
    "lab.training.trainer",
    "lab.training.recording.checkpoints",
    "lab.training.recording.model_copy",
    "lab.decoding.stream",
    "lab.diagnostics.probes",
    "lab.text.corpora.files",
    "lab.text.corpora.downloads",
    "lab.text.statistics.progress",
    "lab.text.tokenizers.views",
)
"""The modules that a run imports after torch, the slow ones first; then those of Data."""
CHARTS = "pyqtgraph"
"""The modules that charts import. This inspects all of Qt, and the process crashes if widgets are made meanwhile."""
QT = ("PySide6.QtCore", "PySide6.QtGui", "PySide6.QtWidgets")
"""The modules of Qt that it inspects; shiboken makes each class at its first lookup."""
CLASSES = 40
"""Classes of Qt that are looked up at once: a few milliseconds."""
PAUSE = 1
"""Milliseconds between two slices: with none the window is not idle before the last one."""
SLICE = 0.0005
"""Seconds for which the importing thread may keep the GIL from the main thread; Python's default is ten times that."""
INCOMPLETE = (ImportError, OSError, SyntaxError, EOFError)
"""The errors of a package with missing, cut or foreign files; any other error is one of a program."""


class WarmUp(QObject):
    """Loads torch, the training and third parties' plugins in a job, once.

    First, in a process of its own, whatever was never compiled: at the first start after an installation. Then the
    charts, in the main thread, in slices between which the window handles events. Then all else in a job.

    Signals, all from the main thread: `progress` (a message), `charts_loaded`, then `done`; or `failed`.

    Attributes:
        ready: True once a run can be started.
        problem: Why it failed, with what to do; None if it did not.

    Args:
        parent: Its parent.
    """

    progress = Signal(str)
    charts_loaded = Signal()
    done = Signal()
    failed = Signal()
    _doing = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = False
        self.problem: Problem | None = None
        self._background = Background(self)
        self._before: tuple[float, bool] | None = None
        self._slices: Iterator[str] = iter(())
        self._slicing = QTimer(self)
        self._slicing.setInterval(PAUSE)
        self._slicing.timeout.connect(self._load_slice)
        self._doing.connect(self.progress, Qt.ConnectionType.QueuedConnection)

    def start(self, plugins: Plugins) -> None:
        """Start; call it once, after the first paint of the window.

        Args:
            plugins: Those that are loaded at the end.
        """
        self._plugins = plugins
        self._before = sys.getswitchinterval(), gc.isenabled()
        sys.setswitchinterval(SLICE)
        gc.disable()  # a hundred thousand new objects make each full collection block the window for 130 ms
        if is_compiled():
            self._load_charts()
        else:
            self.progress.emit(tr("Preparing the first start"))
            self._background.run(tr("Preparing the first start"), compile_imports, self._load_charts, self._fail)

    def stop(self) -> None:
        """Cancel it as far as possible."""
        self._slicing.stop()
        self._background.stop()

    def join(self) -> None:
        """Wait until it has ended, for some seconds at most; may be called from any thread."""
        self._background.join()

    def close(self) -> None:
        """Stop and wait."""
        self._slicing.stop()
        self._background.close()
        self._relax()
        gc.unfreeze()

    @Slot()
    def _load_charts(self, _: object = None) -> None:
        self._slices = charts_in_slices()
        self._slicing.start()

    @Slot()
    def _load_slice(self) -> None:
        self._slicing.stop()  # events are handled within a slice, which must not start again there
        try:
            if next(self._slices, None) is not None:
                if not self._background.closed:
                    self._slicing.start()
                return
        except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
            self._fail(failure_of(error, tr("Loading the charts")))
            return
        self.charts_loaded.emit()
        self._background.run(tr("Warming up"), self._work, self._end, self._fail)

    def _work(self, job: Job) -> None:
        """Load everything; called in the job's thread."""
        for message, do in self._stages():
            if job.cancelled:
                return
            self._doing.emit(message)
            try:
                do()
            except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
                raise LabError(failure_of(error, message)) from None

    def _stages(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield each stage with its message, in the language of the window at that time."""
        yield tr("Opening torch"), open_libraries
        yield tr("Loading torch"), _import_torch
        yield tr("Loading the training code"), _import_modules
        yield tr("Running a test step"), _make_step
        yield tr("Loading plugins"), self._plugins.load

    @Slot()
    def _end(self, _: None) -> None:
        gc.freeze()  # what was loaded stays: no later collection checks it again
        self._relax()
        self.ready = True
        self.done.emit()

    def _fail(self, problem: Problem) -> None:
        self._relax()
        self.problem = problem
        notify("error", problem)
        self.failed.emit()

    def _relax(self) -> None:
        """Restore the settings of Python."""
        if self._before is not None:
            interval, collects = self._before
            self._before = None
            sys.setswitchinterval(interval)
            if collects:
                gc.enable()


def failure_of(error: Exception, stage: str) -> Problem:
    """Return why the lab could not be made ready, and what to do about it: that depends on whose error it is.

    Args:
        error: What was raised.
        stage: The message of the stage that failed.
    """
    cause = problem_of(error)
    if cause.remedy:  # a plugin by others
        remedy = cause.remedy
    elif isinstance(error, INCOMPLETE):
        remedy = tr("Install torch and pyqtgraph again, then open the lab again")
    else:
        remedy = tr("This is an error of the lab: “Check this machine” in the menu Help saves a report to send")
    what = tr(
        "no run can be started, since the lab could not finish loading ({stage}): {why}", stage=stage, why=cause.what
    )
    return replace(cause, what=what, remedy=remedy)


def charts_in_slices() -> Iterator[str]:
    """Import what charts need, in the main thread; yields the name of each slice, some milliseconds long.

    A slice of the import itself ends wherever it turns to its next module. What the user types or clicks meanwhile is
    handled afterwards, since it could ask for a chart.
    """
    if CHARTS in sys.modules:
        return
    for name in QT:
        module = importlib.import_module(name)
        names = dir(module)
        for first in range(0, len(names), CLASSES):
            for each in names[first : first + CLASSES]:
                getattr(module, each, None)
            yield f"{name} {first}"
    pump = _EventPump()
    sys.meta_path.insert(0, pump)
    try:
        importlib.import_module(CHARTS)
    finally:
        sys.meta_path.remove(pump)
    yield CHARTS


class _EventPump(importlib.abc.MetaPathFinder):
    """Finds no module, but lets the window paint and its timers fire whenever the charts import another module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Handle what waits in the main thread, and leave the finding to the others."""
        del path, target
        if fullname.startswith(CHARTS):
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        return None


def is_compiled() -> bool:
    """Return True if Python has compiled the large packages, as it does at their first import, or cannot store that."""
    if sys.dont_write_bytecode:
        return True
    for name in (CHARTS, "torch"):
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            continue
        stored = Path(importlib.util.cache_from_source(spec.origin))
        folder = next(folder for folder in stored.parents if folder.exists())
        if not stored.exists() and os.access(folder, os.W_OK):
            return False
    return True


def compile_imports(job: Job) -> None:
    """Import everything once in another process, which compiles it and reads it into memory.

    Python compiles a module with its lock held: in this process the window would be blocked for a second and more.
    If the process fails, the imports in this process report why.
    """
    code = "\n".join(f"import {name}" for name in (CHARTS, "torch", *MODULES))
    run_python(code, lambda: job.cancelled, QT_QPA_PLATFORM="offscreen")


def open_libraries() -> None:
    """Open torch's libraries by a system call, during which other threads run; an import would block them.

    What cannot be opened this way is opened by the import. Windows has no such call.
    """
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None or sys.platform == "win32":
        return
    folder = Path(spec.origin).parent / "lib"
    suffix = "dylib" if sys.platform == "darwin" else "so"
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.restype, dlopen.argtypes = ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_int)
    for name in LIBRARIES:
        dlopen(str(folder / f"lib{name}.{suffix}").encode(), NOW)


NOW = 2
"""RTLD_NOW on Linux and macOS."""


def _import_torch() -> None:
    importlib.import_module("torch")


def _import_modules() -> None:
    for module in MODULES:
        importlib.import_module(module)


def _make_step() -> None:
    """Run forward, backward and one step of the optimizer: the first of each is slow."""
    import torch

    weight = torch.ones(2, 2, requires_grad=True)  # nothing is drawn: the generator belongs to runs
    (weight @ weight).sum().backward()  # type: ignore[no-untyped-call]
    torch.optim.AdamW([weight], fused=True).step()
