"""The part of the window that the foot of a view may use: the shown run, its live settings and its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lab.api import Problem, Reading, Setting


@dataclass(frozen=True)
class LiveSetting:
    """A setting that may change while a run trains.

    Args:
        setting: Its declaration: name, help, bounds.
        value: Its current value.
        original: Its value in the recipe.
    """

    setting: Setting
    value: Any
    original: Any


@dataclass(frozen=True)
class Effect:
    """The validation loss under interventions, and without them on the same tokens.

    Args:
        loss: Nats per target under the interventions.
        intact: Nats per target without them.
        step: The number of optimizer updates of the model; 0 is untrained.
    """

    loss: float
    intact: float
    step: int


class ViewContext(Protocol):
    """The interface of the window for the foot of a view. Use it only in the main thread."""

    @property
    def view(self) -> Any:
        """The view above the foot, which its card's `build` returned."""
        ...

    @property
    def card_size(self) -> tuple[int, int]:
        """Width and height of the card in pixels, for a foot that leaves something out if the space is too small."""
        ...

    @property
    def model_number(self) -> int:
        """A number that changes when the model of another run is shown."""
        ...

    @property
    def step(self) -> int:
        """The step of the shown snapshot; 0 is untrained."""
        ...

    @property
    def readings(self) -> Sequence[Reading]:
        """All readings of the shown snapshot, including those of other cards."""
        ...

    @property
    def trains(self) -> bool:
        """True while the run trains or is paused, so that `change_setting` has an effect."""
        ...

    @property
    def live_settings(self) -> Mapping[str, LiveSetting]:
        """The live settings of the model's architecture by their path in the recipe, without those in no use."""
        ...

    def change_setting(self, path: str, value: Any) -> None:
        """Change a live setting of the training run, effective from its next step.

        Raises:
            BadInput: The value is not allowed, or the run does not train.
        """
        ...

    def evaluate_without(
        self, interventions: Sequence[str], title: str, done: Callable[[Effect | Problem], object]
    ) -> Callable[[], None]:
        """Compute the validation loss of the model under interventions, in the background.

        Args:
            interventions: Names and addresses, with blocks and their parts counted from 1 ("expert:2.5").
            title: The title of the job.
            done: Called in the main thread with the effect or the problem, unless it was cancelled or another
                evaluation of this foot was started meanwhile.

        Returns:
            A function that cancels it.
        """
        ...

    def report(self, problem: Problem) -> None:
        """Show a problem as a notice that names the plugin."""
        ...


class Foot(Protocol):
    """The result of `View.foot`: a QWidget with one more method."""

    def refresh(self) -> None:
        """Update from the context; called after each change of the card's contents or size."""
        ...
