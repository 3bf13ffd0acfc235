"""The application without a user interface, shared by command line and window: plugins, runs and their queue."""

from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.curves import Curves
from lab.workbench.runners.process_run import ProcessRun
from lab.workbench.runners.runner import Runner
from lab.workbench.runners.thread_run import ActiveRun
from lab.workbench.workbench import Workbench

__all__ = [
    "ActiveRun",
    "Curves",
    "ProcessRun",
    "Runner",
    "SavedRun",
    "Workbench",
    "access",
    "analysis",
    "classroom",
    "doctor",
    "exchange",
    "launch",
    "lessons",
    "lockstep",
    "queue_file",
    "runners",
    "scoring",
    "settings_pages",
    "studies",
    "texts",
]
