"""What the foot of a view may use of the window: the run that is shown, its live settings and its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lab.api import Problem, Reading, Setting


@dataclass(frozen=True)
class LiveSetting:
    """A setting that may change while a run trains.

    Args:
        setting: What it declares: name, help, bounds.
        value: Its value now.
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
        step: Optimizer updates of the model; 0 is untrained.
    """

    loss: float
    intact: float
    step: int


class ViewContext(Protocol):
    """What the window gives to the foot of a view. All of it is used in the main thread."""

    @property
    def view(self) -> Any:
        """The view above the foot, as its card's `build` made it."""
        ...

    @property
    def card_size(self) -> tuple[int, int]:
        """Width and height of the card in pixels, for a foot that leaves something out where there is no room."""
        ...

    @property
    def model_number(self) -> int:
        """A number that is another one as soon as the model of another run is shown."""
        ...

    @property
    def step(self) -> int:
        """The step of the snapshot that is shown; 0 is untrained."""
        ...

    @property
    def readings(self) -> Sequence[Reading]:
        """The readings of the snapshot that is shown, those of other cards too."""
        ...

    @property
    def trains(self) -> bool:
        """True while the run trains or is paused, so that `change_setting` has an effect."""
        ...

    @property
    def live_settings(self) -> Mapping[str, LiveSetting]:
        """The live settings of the model's architecture by their path in the recipe, those that do nothing left out."""
        ...

    def change_setting(self, path: str, value: Any) -> None:
        """Change a live setting of the run that trains, with effect from its next step on.

        Raises:
            BadInput: The value is not allowed, or the run does not train.
        """
        ...

    def evaluate_without(
        self, interventions: Sequence[str], title: str, done: Callable[[Effect | Problem], object]
    ) -> Callable[[], None]:
        """Compute the validation loss of the model under interventions, in the background.

        Args:
            interventions: Names and addresses, blocks and what lies in them counted from 1 ("expert:2.5").
            title: What is done, for the list of jobs.
            done: Called in the main thread with what was found or why nothing was, unless it was cancelled or another
                evaluation of this foot was started meanwhile.

        Returns:
            A function that cancels it.
        """
        ...

    def report(self, problem: Problem) -> None:
        """Show a problem to the person as a notice that names the plugin."""
        ...


class Foot(Protocol):
    """What `View.foot` returns: a QWidget with one method of ours."""

    def refresh(self) -> None:
        """Show what the context says now: called after each change of what the card shows, and of its size."""
        ...
