"""The application without a user interface: plugins, runs, queue, start, open. Command line and window use the same."""

from lab.workbench.access.generation import Piece
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.curves import Curves
from lab.workbench.runners.process_run import ProcessRun
from lab.workbench.runners.runner import Runner
from lab.workbench.runners.thread_run import ActiveRun
from lab.workbench.workbench import Workbench

__all__ = [
    "ActiveRun",
    "Curves",
    "Inspection",
    "ModelAccess",
    "Piece",
    "ProcessRun",
    "Runner",
    "SavedRun",
    "Workbench",
    "access",
    "analysis",
    "exchange",
    "launch",
    "queue_file",
    "runners",
    "settings_pages",
]
