"""The states of a trainer."""

from __future__ import annotations

from enum import StrEnum

from lab.base.run_state import RunState


class TrainerState(StrEnum):
    """The states of a trainer; all but the first are states of its run, too."""

    READY = "ready"
    """It has made no step yet."""
    RUNNING = RunState.RUNNING.value
    PAUSED = RunState.PAUSED.value
    FINISHED = RunState.FINISHED.value
    STOPPED = RunState.STOPPED.value
    FAILED = RunState.FAILED.value
