"""The application without a face: plugins, runs, queue, start, open. Command line, notebook and window use the same."""

from lab.workbench.active import ActiveRun
from lab.workbench.curves import Curves
from lab.workbench.generation import Piece
from lab.workbench.look import Look, Subject
from lab.workbench.preflight import Preflight
from lab.workbench.process_run import ProcessRun
from lab.workbench.runner import Runner
from lab.workbench.saved import SavedRun
from lab.workbench.untrained import Untrained
from lab.workbench.workbench import Workbench

__all__ = [
    "ActiveRun",
    "Curves",
    "Look",
    "Piece",
    "Preflight",
    "ProcessRun",
    "Runner",
    "SavedRun",
    "Subject",
    "Untrained",
    "Workbench",
]
