"""The warm-up: after the first paint of the window it loads what a run needs, so that nothing blocks later."""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import Problem, problem_of
from lab.host import Plugins
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr

LIBRARIES = ("c10", "torch_cpu", "torch", "torch_python")
"""torch's own libraries, those first on which the others depend."""
MODULES = (
    "torch._dynamo",
    "lab.training.experiment",
    "lab.training.recording.recorder",
    "lab.training.trainer",
    "lab.training.recording.checkpoints",
    "lab.training.recording.snapshot",
    "lab.decoding.stream",
    "lab.diagnostics.probes",
    "lab.text.corpora.files",
    "lab.text.corpora.downloads",
    "lab.text.statistics.progress",
    "lab.text.tokenizers.views",
)
"""What a run imports after torch, the slow modules first; then what the page about text imports."""
CHARTS = "pyqtgraph"
"""What charts import. It inspects all of Qt, and the process crashes if widgets are made meanwhile."""
SLICE = 0.0005
"""Seconds for which the importing thread may keep the GIL from the main thread; Python's default is ten times that."""


class WarmUp(QObject):
    """Loads torch, the training and third parties' plugins in a job, once.

    Signals, all from the main thread: `progress` (a message), then `done`, or `failed`.

    Attributes:
        ready: True once a run can be started.

    Args:
        parent: Its parent.
    """

    progress = Signal(str)
    done = Signal()
    failed = Signal()
    _doing = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = False
        self._background = Background(self)
        self._before: tuple[float, bool] | None = None
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
        try:
            importlib.import_module(CHARTS)
        except Exception as error:  # noqa: BLE001 - a broken installation may raise anything
            self._fail(problem_of(error, doing=tr("Loading the charts")))
            return
        self._background.run(tr("Warming up"), self._work, self._end, self._fail)

    def stop(self) -> None:
        """Cancel it as far as possible."""
        self._background.stop()

    def join(self) -> None:
        """Wait until it has ended, for some seconds at most; may be called from any thread."""
        self._background.join()

    def close(self) -> None:
        """Stop and wait."""
        self._background.close()
        self._relax()
        gc.unfreeze()

    def _work(self, job: Job) -> None:
        """Load everything; called in the job's thread."""
        for message, do in (
            (tr("Opening torch"), open_libraries),
            (tr("Loading torch"), _import_torch),
            (tr("Loading the training"), _import_modules),
            (tr("Trying a step"), _make_step),
            (tr("Loading plugins"), self._plugins.load),
        ):
            if job.cancelled:
                return
            self._doing.emit(message)
            do()

    @Slot()
    def _end(self, _: None) -> None:
        gc.freeze()  # what was loaded stays: no later collection checks it again
        self._relax()
        self.ready = True
        self.done.emit()

    def _fail(self, problem: Problem) -> None:
        self._relax()
        remedy = tr("Install torch and pyqtgraph again, then open the lab again. Until then no run can be started")
        notify("error", replace(problem, remedy=problem.remedy or remedy))
        self.failed.emit()

    def _relax(self) -> None:
        """Restore the settings of Python."""
        if self._before is not None:
            interval, collects = self._before
            self._before = None
            sys.setswitchinterval(interval)
            if collects:
                gc.enable()


def open_libraries() -> None:
    """Open torch's libraries by a system call, during which other threads run; an import would block them.

    What cannot be opened so is opened by the import. Windows has no such call.
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
