"""The parts of the window that the foot of a view may use, as in lab.widgets.readings.context.ViewContext."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from lab.api import Reading, Setting
from lab.base.notices import notify
from lab.base.problems import BadInput, LabError, Problem
from lab.base.run_state import TRAINING
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.runtime.background import Background
from lab.shell.session.live_settings import live_parts_of
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.readings.context import Effect, LiveSetting
from lab.workbench.access.inspection import Inspection

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.model_access import ModelAccess

NUMBERS = itertools.count()
"""The numbers of the contexts, which tell their evaluations apart."""


class CardContext(QObject):
    """The context of the foot of one card.

    Args:
        card: The card.
        plugins: Where the settings of models are found.
        owner: The plugin whose view it is.
        model_provider: Provides the model.
        background: Brings evaluations off the main thread.

    Attributes:
        view: The view of the card; None until it is made, and after it broke.
        model_number: A number that is another one as soon as the model of another run is shown.
        run: The run that is shown; None for the untrained model of the draft.
    """

    def __init__(
        self, card: Card, plugins: Plugins, owner: str, model_provider: ModelProvider, background: Background
    ) -> None:
        super().__init__(card)
        self._card, self._plugins, self._owner = card, plugins, owner
        self._model_provider, self._background = model_provider, background
        self._model: weakref.ref[object] | None = None
        self._shown: Inspection | None = None
        self._declared: tuple[Recipe, dict[str, tuple[Setting, Any]]] | None = None
        self._evaluation: _Evaluation | None = None
        self._job = f"evaluation {next(NUMBERS)}"
        self.view: Any = None
        self.model_number = 0
        self.run: RunModel | None = None

    def update_model(self) -> None:
        """Note whose model is shown now."""
        model, self.run = self._model_provider.current("inspect")
        who: object = model if self.run is None else self.run
        if self._model is None or self._model() is not who:
            self._model = weakref.ref(who)
            self.model_number += 1

    def update_shown(self, shown: Inspection) -> None:
        """Note what is shown now."""
        self._shown = shown

    @property
    def card_size(self) -> tuple[int, int]:
        """Width and height of the card in pixels."""
        return self._card.width(), self._card.height()

    @property
    def step(self) -> int:
        """The step of the snapshot that is shown."""
        return 0 if self._shown is None else self._shown.step

    @property
    def readings(self) -> Sequence[Reading]:
        """The readings of the snapshot that is shown."""
        return () if self._shown is None else self._shown.readings

    # ------------------------------------------------------------------------------------------------------- settings

    @property
    def trains(self) -> bool:
        """True while the run trains or is paused."""
        return self.run is not None and self.run.control is not None and self.run.state in TRAINING

    @property
    def live_settings(self) -> Mapping[str, LiveSetting]:
        """The live settings of the model's architecture by their path in the recipe."""
        recipe = self._model_provider.draft.recipe if self.run is None else self.run.recipe
        if self._declared is None or self._declared[0] is not recipe:
            self._declared = recipe, live_settings_of(recipe, self._plugins)
        changed: Mapping[str, Any] = {} if self.run is None else self.run.changed
        return {
            path: LiveSetting(setting, changed.get(path, original), original)
            for path, (setting, original) in self._declared[1].items()
        }

    def change_setting(self, path: str, value: Any) -> None:
        """Change a live setting of the run that trains, with effect from its next step on."""
        control = None if self.run is None else self.run.control
        if control is None:
            raise BadInput(tr("can only be changed while the run trains"), field=path, value=value)
        control.set(path, value)

    # ------------------------------------------------------------------------------------------------------- evaluation

    def evaluate_without(
        self, interventions: Sequence[str], title: str, done: Callable[[Effect | Problem], object]
    ) -> Callable[[], None]:
        """Compute the validation loss of the model under interventions, in the background."""
        model, _ = self._model_provider.current("inspect")
        made = self._evaluation = _Evaluation(model, tuple(interventions), done)
        finish = partial(self._finish, made)
        self._background.run(title, made.work, finish, finish, replaces=self._job)
        return made.cancel

    def _finish(self, evaluation: _Evaluation, found: Effect | Problem) -> None:
        if evaluation is self._evaluation and not evaluation.cancelled:
            self._evaluation = None
            evaluation.done(found)

    def report(self, problem: Problem) -> None:
        """Show a problem to the user as a notice that names the plugin."""
        notify("error", replace(problem, plugin=self._owner))


class _Evaluation:
    """One evaluation under interventions."""

    def __init__(
        self, model: ModelAccess, interventions: tuple[str, ...], done: Callable[[Effect | Problem], object]
    ) -> None:
        self._model, self._interventions = model, interventions
        self.done = done
        self.cancelled = False
        self._job: Job | None = None

    def cancel(self) -> None:
        """Ask it to end."""
        self.cancelled = True

    def work(self, job: Job) -> Effect:
        """Evaluate; in a thread of its own."""
        self._job = job
        targets = ",".join(self._interventions)
        found = self._model.evaluate_without(targets, each=False, cancelled=self._is_cancelled)
        loss = found.intact if found.together is None else found.together
        return Effect(loss, found.intact, found.step)

    def _is_cancelled(self) -> bool:
        return self.cancelled or (self._job is not None and self._job.cancelled)


def live_settings_of(recipe: Recipe, plugins: Plugins) -> dict[str, tuple[Setting, Any]]:
    """Return the live settings of a recipe's architecture that do something, with their values, by their paths."""
    choice = recipe.architecture
    try:
        config = plugins.card("architectures", choice.name).config.read(choice.settings, version=choice.version)
    except LabError:  # of a plugin that is not here any more
        return {}
    return {
        f"{part.path}.{setting.name}": (setting, getattr(part.config, setting.name))
        for part in live_parts_of(config, "architecture")
        for setting in part.settings
    }
