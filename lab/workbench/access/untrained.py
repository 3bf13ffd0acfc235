"""The model that a recipe begins with: the very weights of step 0, to play with and look into before any training."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.access.generation import Likeliest, Piece, Writer
from lab.workbench.access.inspection import Inspection, look_into, validation_tokens
from lab.workbench.access.without_experts import Without, loss_in_training
from lab.workbench.launch import known_corpora
from lab.workbench.launch.preflight import cost_of

if TYPE_CHECKING:
    from lab.layers import LanguageModel
    from lab.training.experiment import Experiment


class Untrained:
    """A Subject that is built at its first use, once: corpus read, tokens cut, weights drawn from the seed.

    Args:
        recipe: What would be trained.
        plugins: Where its cards are found.
        run: The run on disk that the recipe is of, whose corpus is then looked for here; None for any other recipe.
    """

    def __init__(self, recipe: Recipe, plugins: Plugins, run: RunFolder | None = None) -> None:
        self.recipe, self._plugins, self._run = recipe, plugins, run
        self._lock = threading.RLock()  # of the building, and of the one model while it is looked into
        self._built: tuple[Experiment, LanguageModel] | None = None

    def generate(
        self,
        prompt: str,
        *,
        sampler: str = "sampling",
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        alternatives: int = 5,
    ) -> Iterator[Piece]:
        """Text of the untrained model after a prompt, from a copy of its own.

        Raises:
            BadInput: The recipe, the prompt or a setting cannot be used.
            LabError: A plugin's code raised.
        """
        from lab.training.recording.model_copy import copy_of

        with self._lock:
            writer = self._writer(copy_of(self._model()[1]))
        yield from writer.write(
            prompt, sampler=sampler, settings=settings, seed=seed, count=count, alternatives=alternatives
        )

    def next_tokens(self, prompt: str, count: int = 20) -> Likeliest:
        """The likeliest tokens after a prompt, before anything is learned.

        Raises:
            BadInput: The recipe or the prompt cannot be used.
            LabError: A plugin's code raised.
        """
        with self._lock:
            return self._writer(self._model()[1]).next_tokens(prompt, count)

    def look(
        self, text: str | None = None, *, probe: str = "reports", settings: Mapping[str, Any] | None = None
    ) -> Inspection:
        """What a probe finds in the untrained model.

        Args:
            text: What the model reads; None takes the probe text that a run would have.
            probe: Name of a registered probe.
            settings: The probe's settings, over those that the recipe gives it.

        Raises:
            BadInput: The recipe, the probe, the text or a setting cannot be used.
            LabError: A plugin's code raised.
        """
        with self._lock:
            experiment, model = self._model()
            assert experiment.tokenizer is not None  # every corpus is text
            return look_into(
                lambda: (model, 0),
                text,
                probe=probe,
                settings=settings,
                recipe=self.recipe,
                plugins=self._plugins,
                tokenizer=experiment.tokenizer,
                device=experiment.placement.device,
                otherwise=lambda: validation_tokens(experiment),
            )

    def without_experts(
        self,
        off: Mapping[int, Collection[int]],
        *,
        tokens: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Without:
        """The validation loss of the untrained model without some experts, and with all; see Subject."""
        limit = self.recipe.training.evaluate_tokens if tokens is None else tokens
        with self._lock:
            experiment, model = self._model()
            with attributed(experiment.architecture.plugin, "Evaluating"):
                return loss_in_training(model, off, experiment, limit, cancelled)

    def _model(self) -> tuple[Experiment, LanguageModel]:
        from lab.training.experiment import prepare

        with self._lock:
            if self._built is None:
                experiment = prepare(self._recipe_here(), self._plugins)
                self._check_corpus(experiment)
                # refuses what would not fit into memory
                cost_of(experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement)
                self._built = experiment, experiment.build().eval()
            return self._built

    def _recipe_here(self) -> Recipe:
        if self._run is None:
            return self.recipe
        try:
            return known_corpora.localised(self.recipe, self._run)
        except BadInput as error:
            raise BadInput(replace(error.problem, remedy="Put the text beside the run's folder")) from None

    def _check_corpus(self, experiment: Experiment) -> None:
        """Another text may have another vocabulary, and then other weights."""
        known = None if self._run is None else known_corpora.sha256_of(self._run)
        if known is not None and known != experiment.corpus["sha256"]:
            raise BadInput(
                "the corpus is not the text this run was trained on any more",
                field="corpus",
                value=str(experiment.corpus["name"]),
            )

    def _writer(self, model: LanguageModel) -> Writer:
        experiment, _ = self._model()
        assert experiment.tokenizer is not None  # every corpus is text
        return Writer(model, experiment.tokenizer, experiment.placement.device, self.recipe, self._plugins, step=0)
