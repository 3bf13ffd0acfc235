"""The application without a face: plugins, runs, queue, start, open. Command line, notebook and window use the same."""

from lab.workbench.active import ActiveRun
from lab.workbench.saved import SavedRun
from lab.workbench.workbench import Workbench

__all__ = ["ActiveRun", "SavedRun", "Workbench"]
