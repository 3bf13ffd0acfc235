"""What is examined: the plugins of this start, the folders of the lab, and what two processes of their own answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from lab.host import Plugins
from lab.workbench.doctor.child import Answer, ask_child

COMPUTING = "lab.workbench.doctor.computing"
"""The program that imports torch, tries each device and trains."""


@dataclass
class Subject:
    """What the checks examine. One subject is for one examination: each process is started once, when it is needed.

    Args:
        plugins: The plugins of this start.
        display: Returns what the display answers, or None if no window is installed here; see lab.shell.doctor.display.
        cancelled: Returns True to end the processes.
        compute: Returns what the program COMPUTING answers; None runs it.
    """

    plugins: Plugins
    display: Callable[[], Answer | None]
    cancelled: Callable[[], bool] = bool
    compute: Callable[[], Answer] | None = None

    @cached_property
    def computing(self) -> Answer:
        """What torch answers: its versions, its devices and a training of two seconds."""
        return ask_child(COMPUTING, self.cancelled) if self.compute is None else self.compute()
