"""The log to which a training reports all but numbers, and one that records nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from lab.api import Reading
from lab.base import Problem
from lab.training.recording.checkpoints import CheckpointData


class Log(Protocol):
    """The log of a run for all but numbers, such as the run's recorder."""

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Record an event."""
        ...

    def sample(self, step: int, text: str) -> None:
        """Record a text that the model generated."""
        ...

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None) -> None:
        """Record readings of the model, and a text that it generated."""
        ...

    def histograms(self, step: int, kinds: Mapping[str, Any]) -> None:
        """Record histograms by kind and layer."""
        ...

    def checkpoint(self, data: CheckpointData) -> None:
        """Save a checkpoint."""
        ...

    def checkpoint_failed(self, step: int, problem: Problem) -> None:
        """Report that a checkpoint could not be made, or not completely."""
        ...


class NoLog:
    """A log that records nothing, for benchmarks and tests of the training loop alone."""

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Do nothing."""

    def sample(self, step: int, text: str) -> None:
        """Do nothing."""

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None) -> None:
        """Do nothing."""

    def histograms(self, step: int, kinds: Mapping[str, Any]) -> None:
        """Do nothing."""

    def checkpoint(self, data: CheckpointData) -> None:
        """Do nothing."""

    def checkpoint_failed(self, step: int, problem: Problem) -> None:
        """Do nothing."""
