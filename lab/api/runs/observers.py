"""Observers of a run, which are notified of its steps, its evaluations and its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.api.registrations import Registration
from lab.base import Problem


class RunObserver:
    """An observer of a run, called in the training thread. Override what you need; if it raises, it is dropped."""

    def started(self, run: Path, recipe: Mapping[str, Any]) -> None:
        """Handle the start of the run: the first step is about to be made.

        Args:
            run: The run's folder; run.name is its name. You may write files of your own into it.
            recipe: The recipe with all its settings, as in its TOML file.
        """

    def stepped(self, step: int, values: Mapping[str, float]) -> None:
        """Handle the end of a step.

        Args:
            step: Number of steps made so far.
            values: By series: "train loss" (in the unit of the objective), and if the model learns by gradient
                "gradient norm", "gradient norm LAYER", "auxiliary NAME", "auxiliary NAME LAYER" if several layers add
                it, "train METRIC"; if the recipe clips, also "clipped gradient norm" (after clipping) and "clipped
                steps" (1 if this step was clipped, else 0). On a GPU they arrive some steps late and are absent in the
                first ones: use values.get.
        """

    def evaluated(self, step: int, values: Mapping[str, float]) -> None:
        """Handle an evaluation.

        Args:
            step: The step after which it was made.
            values: By series: "validation loss" (in the unit of the objective), "validation METRIC", "validation loss
                NAME" of each part of a mixture, "tokens per second".
        """

    def ended(self, state: str, problem: Problem | None) -> None:
        """Handle the end of the run.

        Args:
            state: "finished", "stopped" or "failed".
            problem: The error of a failed run, or what a stopped run was waiting for.
        """


@dataclass(frozen=True)
class Observer(Registration):
    """The card of an observer. `build(config)` returns a RunObserver for one run."""

    build: Callable[[Any], RunObserver] | str
