"""The states of a run and of its trainer, for every package that names them."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """The states of a run; the values are those in its folder, in JSON and on the command line."""

    QUEUED = "queued"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    SAVING = "saving"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its process died during the training, or its device was lost."""


ENDED = frozenset({RunState.FINISHED, RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED})
"""The states of a run that no longer trains."""
STORED = ENDED | {RunState.RUNNING}
"""The states that a folder stores; a run that has not ended is running there."""
RESUMABLE = ENDED - {RunState.FINISHED}
"""The states in which a run can be resumed from its last checkpoint."""
TRAINING = frozenset({RunState.RUNNING, RunState.PAUSED})
"""The states in which a run takes commands between two steps."""
STARTING_OR_SAVING = frozenset(RunState) - ENDED - TRAINING
"""The states in which a run takes no commands for its steps: queued, preparing or saving."""


class TrainerState(StrEnum):
    """The states of a trainer; all but the first are states of its run, too."""

    READY = "ready"
    """It has made no step yet."""
    RUNNING = RunState.RUNNING.value
    PAUSED = RunState.PAUSED.value
    FINISHED = RunState.FINISHED.value
    STOPPED = RunState.STOPPED.value
    FAILED = RunState.FAILED.value
